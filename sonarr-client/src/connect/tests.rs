use super::*;

const KEY: &str = "0123456789abcdef0123456789abcdef";

#[test]
fn no_debug_output_shows_the_key() {
    let builder = Client::builder("http://h:8989/sonarr").api_key(KEY);
    let shown = format!("{builder:?} {builder:#?}");
    assert!(!shown.contains(KEY), "{shown}");
    let client = builder.build().unwrap();
    assert!(client.has_api_key());
    let shown = format!("{client:?} {client:#?}");
    assert!(!shown.contains(KEY), "{shown}");
    assert!(shown.contains("http://h:8989/sonarr"), "{shown}");
}

#[test]
fn a_key_that_cannot_be_sent_is_refused_without_being_shown() {
    for key in ["", "  \n", "with space", "tab\tkey", "k\u{0}ey", "kéy", "line\nbreak"] {
        let error = Client::connect("http://h", key).unwrap_err();
        assert!(matches!(error, ConnectError::InvalidApiKey { .. }), "{error}");
        let text = format!("{error} {error:?}");
        assert!(text.contains("Settings > General"), "{text}");
        for piece in ["with", "tab", "ey", "line"] {
            assert!(!text.contains(&format!("{piece}\\")) && !text.contains("k\\"), "{text}");
        }
        if !key.trim().is_empty() {
            assert!(!text.contains(key), "{text}");
        }
    }
    assert!(Client::connect("http://h", " abc\n").unwrap().has_api_key());
}

#[test]
fn a_client_without_a_key_can_be_made() {
    assert!(!Client::builder("h").build().unwrap().has_api_key());
}

#[test]
fn settings_that_fail_every_call_are_refused() {
    let error = Client::builder("h").timeout(Duration::ZERO).build().unwrap_err();
    assert_eq!(error.to_string(), "the time-out must be longer than zero");
    let error = Client::builder("h").connect_timeout(Duration::ZERO).build().unwrap_err();
    assert_eq!(error.to_string(), "the connect time-out must be longer than zero");
    for user_agent in ["a\nb", "ü"] {
        let error = Client::builder("h").user_agent(user_agent).build().unwrap_err();
        assert!(matches!(error, ConnectError::InvalidUserAgent), "{error}");
    }
}

#[test]
fn the_default_time_out_lets_a_slow_search_end() {
    let client = Client::connect("h", KEY).unwrap();
    assert!(client.inner.timeout >= Duration::from_secs(120));
}

#[test]
fn the_base_url_has_no_trailing_slash() {
    for (given, expected) in [("http://h:8989/", "http://h:8989"), ("h/sonarr/api/v3/", "http://h/sonarr")] {
        assert_eq!(Client::connect(given, KEY).unwrap().base_url(), expected);
    }
}

#[cfg(not(any(feature = "rustls", feature = "native-tls")))]
#[test]
fn https_needs_a_feature() {
    let error = Client::connect("https://h", KEY).unwrap_err();
    assert!(matches!(error, ConnectError::TlsNotBuilt), "{error}");
    assert!(Client::connect("http://h", KEY).is_ok());
}

#[cfg(any(feature = "rustls", feature = "native-tls"))]
mod certificates {
    use super::*;

    #[test]
    fn what_is_no_certificate_is_refused() {
        let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        for (url, pem) in [
            ("https://h", ""),
            ("http://h", "no pem"),
            ("https://h", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"),
            ("https://h", broken),
        ] {
            let error = Client::builder(url).ca_certificate_pem(pem).build().unwrap_err();
            assert!(matches!(error, ConnectError::InvalidCertificate { .. }), "{pem}: {error:?}");
            assert!(error.to_string().contains("accepted is PEM text"), "{error}");
        }
    }

    #[test]
    fn invalid_certificates_are_accepted_on_demand_only() {
        assert!(Client::builder("https://h").accept_invalid_certs(true).build().is_ok());
    }
}
