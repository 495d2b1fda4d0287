//! TLS by the library chosen at build time, and none at all for plain http.

use reqwest::ClientBuilder;

use super::ConnectError;

/// Sets TLS up on `http`. For a plain http server no certificate store is
/// opened, so that neither its absence nor its size matters.
pub(super) fn set_up(
    http: ClientBuilder,
    is_https: bool,
    extra_roots_pem: &[Vec<u8>],
    accept_invalid: bool,
) -> Result<ClientBuilder, ConnectError> {
    #[cfg(feature = "native-tls")]
    return native::set_up(http, is_https, extra_roots_pem, accept_invalid);
    #[cfg(all(feature = "rustls", not(feature = "native-tls")))]
    return by_rustls::set_up(http, is_https, extra_roots_pem, accept_invalid);
    #[cfg(not(any(feature = "rustls", feature = "native-tls")))]
    {
        let _ = (extra_roots_pem, accept_invalid);
        if is_https {
            return Err(ConnectError::TlsNotBuilt);
        }
        Ok(http)
    }
}

/// Taken when both features are on: whoever asks for the operating system's
/// library does so for its certificate handling.
#[cfg(feature = "native-tls")]
mod native {
    use reqwest::{Certificate, ClientBuilder};

    use super::ConnectError;

    pub(super) fn set_up(
        http: ClientBuilder,
        is_https: bool,
        extra_roots_pem: &[Vec<u8>],
        accept_invalid: bool,
    ) -> Result<ClientBuilder, ConnectError> {
        let mut roots = Vec::new();
        for pem in extra_roots_pem {
            let found = Certificate::from_pem_bundle(pem)
                .map_err(|error| ConnectError::InvalidCertificate { reason: crate::error::root_cause(&error) })?;
            if found.is_empty() {
                return Err(ConnectError::InvalidCertificate { reason: "no certificate in it".to_owned() });
            }
            roots.extend(found);
        }
        let http = http.tls_backend_native();
        Ok(if is_https {
            http.tls_certs_merge(roots)
                .tls_danger_accept_invalid_certs(accept_invalid)
                .tls_danger_accept_invalid_hostnames(accept_invalid)
        } else {
            http.tls_certs_only([])
        })
    }
}

#[cfg(all(feature = "rustls", not(feature = "native-tls")))]
mod by_rustls {
    use std::sync::Arc;

    use reqwest::ClientBuilder;
    use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
    use rustls::crypto::CryptoProvider;
    use rustls::pki_types::pem::PemObject as _;
    use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
    use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};

    use super::ConnectError;

    pub(super) fn set_up(
        http: ClientBuilder,
        is_https: bool,
        extra_roots_pem: &[Vec<u8>],
        accept_invalid: bool,
    ) -> Result<ClientBuilder, ConnectError> {
        let extra_roots = read_pem(extra_roots_pem)?;
        // Handed over ready-made: left to itself, the HTTP library would look
        // for a provider installed in the process and load the roots always.
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| ConnectError::NoTrustedRoots { reason: error.to_string() })?;
        let mut config = if !is_https {
            builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth()
        } else if accept_invalid {
            builder.dangerous().with_custom_certificate_verifier(Arc::new(AcceptAny(provider))).with_no_client_auth()
        } else {
            let verifier =
                rustls_platform_verifier::Verifier::new_with_extra_roots(extra_roots, provider).map_err(no_verifier)?;
            builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth()
        };
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(http.tls_backend_preconfigured(config))
    }

    fn no_verifier(error: rustls::Error) -> ConnectError {
        match error {
            // An extra root that is a certificate in form only.
            rustls::Error::InvalidCertificate(error) => ConnectError::InvalidCertificate { reason: error.to_string() },
            rustls::Error::General(reason) => ConnectError::NoTrustedRoots { reason },
            error => ConnectError::NoTrustedRoots { reason: error.to_string() },
        }
    }

    fn read_pem(pems: &[Vec<u8>]) -> Result<Vec<CertificateDer<'static>>, ConnectError> {
        let mut roots = Vec::new();
        for pem in pems {
            let before = roots.len();
            for certificate in CertificateDer::pem_slice_iter(pem) {
                roots
                    .push(certificate.map_err(|error| ConnectError::InvalidCertificate { reason: error.to_string() })?);
            }
            if roots.len() == before {
                return Err(ConnectError::InvalidCertificate { reason: "no certificate in it".to_owned() });
            }
        }
        Ok(roots)
    }

    /// Believes every certificate; what is signed with it is still checked.
    #[derive(Debug)]
    struct AcceptAny(Arc<CryptoProvider>);

    impl ServerCertVerifier for AcceptAny {
        fn verify_server_cert(
            &self,
            _: &CertificateDer<'_>,
            _: &[CertificateDer<'_>],
            _: &ServerName<'_>,
            _: &[u8],
            _: UnixTime,
        ) -> Result<ServerCertVerified, rustls::Error> {
            Ok(ServerCertVerified::assertion())
        }

        fn verify_tls12_signature(
            &self,
            message: &[u8],
            certificate: &CertificateDer<'_>,
            signature: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, rustls::Error> {
            let algorithms = &self.0.signature_verification_algorithms;
            rustls::crypto::verify_tls12_signature(message, certificate, signature, algorithms)
        }

        fn verify_tls13_signature(
            &self,
            message: &[u8],
            certificate: &CertificateDer<'_>,
            signature: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, rustls::Error> {
            let algorithms = &self.0.signature_verification_algorithms;
            rustls::crypto::verify_tls13_signature(message, certificate, signature, algorithms)
        }

        fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
            self.0.signature_verification_algorithms.supported_schemes()
        }
    }
}

#[cfg(test)]
#[cfg(any(feature = "rustls", feature = "native-tls"))]
mod tests;
