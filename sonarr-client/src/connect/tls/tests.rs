//! Against a server whose certificate is made for the occasion.

use std::sync::Arc;

use reqwest::Method;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::rustls::{self, ServerConfig};

use crate::{Client, ClientBuilder, ConnectError, Error, ErrorKind, exchange};

/// Serves `{}` over TLS for the host name `localhost`; gives its port and the CA as PEM.
async fn server() -> (u16, String) {
    let ca_key = rcgen::KeyPair::generate().unwrap();
    let mut ca = rcgen::CertificateParams::default();
    ca.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    ca.distinguished_name.push(rcgen::DnType::CommonName, "A CA for one test");
    let ca_certificate = ca.self_signed(&ca_key).unwrap();
    let issuer = rcgen::Issuer::new(ca, ca_key);

    let key = rcgen::KeyPair::generate().unwrap();
    let certificate =
        rcgen::CertificateParams::new(vec!["localhost".to_owned()]).unwrap().signed_by(&key, &issuer).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], PrivateKeyDer::Pkcs8(key.serialize_der().into()))
        .unwrap();

    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                let Ok(mut socket) = acceptor.accept(socket).await else {
                    return;
                };
                let mut head = [0; 4096];
                let _ = socket.read(&mut head).await;
                let _ = socket.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}").await;
                let _ = socket.shutdown().await;
            });
        }
    });
    (port, ca_certificate.pem())
}

async fn call(builder: ClientBuilder) -> Result<Value, Error> {
    let client = builder.api_key("key").build().unwrap();
    let request = client.client.request(Method::GET, client.base_url()).build()?;
    let answer = exchange::json::<Value>(&client, request, "get_x").await?;
    Ok(answer.into_inner())
}

/// On a machine without certificates of its own, a client for an unknown CA cannot be made at all.
fn has_system_roots() -> bool {
    !matches!(Client::connect("https://localhost", "key"), Err(ConnectError::NoTrustedRoots { .. }))
}

#[tokio::test]
async fn an_unknown_issuer_is_refused_with_advice() {
    if !has_system_roots() {
        return;
    }
    let (port, _) = server().await;
    let error = call(Client::builder(format!("https://localhost:{port}"))).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Tls, "{error:?}");
    assert!(error.is_unsent());
    assert!(error.to_string().contains("`ClientBuilder::ca_certificate_pem`"), "{error}");
}

#[tokio::test]
async fn an_extra_ca_is_trusted() {
    let (port, ca) = server().await;
    let url = format!("https://localhost:{port}");
    let answer = call(Client::builder(url).ca_certificate_pem(ca)).await.unwrap();
    assert_eq!(answer, serde_json::json!({}));
}

#[tokio::test]
async fn a_certificate_of_another_host_is_refused_with_advice() {
    let (port, ca) = server().await;
    let url = format!("https://127.0.0.1:{port}");
    let error = call(Client::builder(&url).ca_certificate_pem(&*ca)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Tls, "{error:?}");
    assert!(error.to_string().contains("use the host name the certificate was made for"), "{error}");
}

#[tokio::test]
async fn any_certificate_is_accepted_on_demand() {
    let (port, _) = server().await;
    let url = format!("https://127.0.0.1:{port}");
    call(Client::builder(url).accept_invalid_certs(true)).await.unwrap();
}
