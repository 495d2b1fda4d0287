//! Who is kept out: pages of other hosts, and clients without the token.

use reqwest::RequestBuilder;
use sonarr_mcp::transport::guard::Token;
use sonarr_mcp::transport::network::{ListenError, Listener, Network, Protocol};

use super::client::{answer, client, initialize, post};
use super::fixture::{self, network, serve};

const TOKEN: &str = "0123456789abcdef-token";

/// The first request of each protocol.
async fn first_requests(network: Network) -> Vec<(fixture::Served, &'static str)> {
    vec![
        (serve(Protocol::Http, network.clone()).await, "/mcp"),
        (serve(Protocol::Sse, network.clone()).await, "/sse"),
        (serve(Protocol::Sse, network).await, "/messages/?session_id=1"),
    ]
}

fn request(served: &fixture::Served, path: &str) -> RequestBuilder {
    let url = format!("{}{path}", served.url);
    if path == "/sse" { client().get(url) } else { post(&url, &initialize("2025-11-25")) }
}

#[tokio::test]
async fn a_page_that_rebinds_its_name_is_refused() {
    for (served, path) in first_requests(network()).await {
        for host in ["evil.example", "evil.example:8990", "localhost.evil.example", "169.254.169.254"] {
            let response = request(&served, path).header("host", host).send().await.unwrap();
            assert_eq!(response.status(), 403, "{path} {host}");
            assert!(answer(response).await["error"]["message"].as_str().unwrap().contains("--allowed-host"));
        }
    }
}

#[tokio::test]
async fn a_page_of_another_origin_is_refused_and_cannot_read() {
    for (served, path) in first_requests(network()).await {
        for origin in ["https://evil.example", "null", "http://localhost.evil.example:8990"] {
            let response = request(&served, path).header("origin", origin).send().await.unwrap();
            assert_eq!(response.status(), 403, "{path} {origin}");
            assert!(response.headers().get("access-control-allow-origin").is_none());
            assert!(answer(response).await["error"]["message"].as_str().unwrap().contains("--allowed-origin"));
        }
        let preflight = client()
            .request(reqwest::Method::OPTIONS, format!("{}{path}", served.url))
            .header("origin", "https://evil.example")
            .header("access-control-request-method", "POST")
            .send()
            .await
            .unwrap();
        assert!(preflight.headers().get("access-control-allow-origin").is_none());
    }
}

#[tokio::test]
async fn an_inspector_on_this_machine_may_ask_and_read() {
    let served = fixture::http().await;
    let origin = "http://localhost:6274";
    let response = request(&served, "/mcp").header("origin", origin).send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["access-control-allow-origin"], origin);
    assert_eq!(response.headers()["access-control-expose-headers"], "mcp-session-id");
}

#[tokio::test]
async fn names_and_origins_can_be_allowed() {
    let network = Network {
        allowed_hosts: vec!["nas.example".to_owned()],
        allowed_origins: vec!["https://chat.example".to_owned()],
        ..network()
    };
    let served = serve(Protocol::Http, network).await;
    let response = request(&served, "/mcp")
        .header("host", "nas.example:8990")
        .header("origin", "https://chat.example")
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 200);
}

#[tokio::test]
async fn without_the_token_nobody_gets_in() {
    let network = Network { token: Some(Token::new(TOKEN).unwrap()), ..network() };
    for (served, path) in first_requests(network).await {
        let response = request(&served, path).send().await.unwrap();
        assert_eq!(
            (response.status().as_u16(), &response.headers()["www-authenticate"]),
            (401, &"Bearer".parse().unwrap())
        );
        for wrong in ["Bearer 0123456789abcdef-tokeN", "Bearer x", "Basic 0123456789abcdef-token", "Bearer"] {
            let response = request(&served, path).header("authorization", wrong).send().await.unwrap();
            assert_eq!(response.status(), 401, "{path} {wrong}");
        }
        let right = request(&served, path).bearer_auth(TOKEN).send().await.unwrap();
        assert!([200, 404].contains(&right.status().as_u16()), "{path} {}", right.status());
    }
}

#[tokio::test]
async fn beyond_this_machine_a_token_is_a_must() {
    let open = Network { host: "0.0.0.0".to_owned(), ..network() };
    let refused = Listener::open(open.clone()).await;
    assert!(matches!(refused, Err(ListenError::Unprotected(_))), "{refused:?}");
    let with_token = Network { token: Some(Token::new(TOKEN).unwrap()), ..open.clone() };
    assert!(Listener::open(with_token).await.is_ok());

    let served = serve(Protocol::Http, Network { allow_unauthenticated: true, ..open }).await;
    for (host, status) in [("192.168.1.5:8990", 200), ("evil.example", 403)] {
        let response = request(&served, "/mcp").header("host", host).send().await.unwrap();
        assert_eq!(response.status(), status, "{host}");
    }
}

#[tokio::test]
async fn a_port_that_is_taken_is_told() {
    let served = fixture::http().await;
    let port = served.url.rsplit(':').next().unwrap().parse().unwrap();
    let refused = Listener::open(Network { port, ..network() }).await.unwrap_err().to_string();
    assert!(refused.contains(&port.to_string()), "{refused}");
}
