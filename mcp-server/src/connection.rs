//! The client of Sonarr, made when the first call needs it.

use std::sync::OnceLock;

use sonarr_client::Client;

use crate::config::{API_KEY, Origin, Target, URL, variable};
use crate::failure::{Code, Failure};

/// How Sonarr is reached, and the client once there is one.
#[derive(Debug)]
pub struct Connection {
    target: Target,
    client: OnceLock<Client>,
}

impl Connection {
    /// Nothing is opened or checked yet.
    pub fn new(target: Target) -> Self {
        Connection { target, client: OnceLock::new() }
    }

    /// How Sonarr is reached.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// The client.
    ///
    /// # Errors
    /// When the URL or the key is missing or cannot be used; the failure says what to set.
    pub fn client(&self) -> Result<&Client, Failure> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        let client = self.connect()?;
        Ok(self.client.get_or_init(|| client))
    }

    fn connect(&self) -> Result<Client, Failure> {
        let Target { url, api_key, timeout, connect_timeout, ca_pem, accept_invalid_certs, origin } = &self.target;
        let Some(url) = url else {
            return Err(not_configured("no Sonarr is set").cure(format!(
                "set {URL} (or --url) to Sonarr's address, such as http://localhost:8989, and \
                 {API_KEY} to its API key, then start the server again"
            )));
        };
        let Some(api_key) = api_key else {
            return Err(not_configured("no API key is set").cure(format!(
                "set {}, to the key under Settings > General in Sonarr, then start the server again",
                key_setting(origin)
            )));
        };
        let mut client = Client::builder(url)
            .api_key(api_key.reveal())
            .timeout(*timeout)
            .connect_timeout(*connect_timeout)
            .accept_invalid_certs(*accept_invalid_certs)
            .user_agent(concat!("sonarr-mcp/", env!("CARGO_PKG_VERSION")));
        if let Some(pem) = ca_pem {
            client = client.ca_certificate_pem(pem.clone());
        }
        client.build().map_err(|error| {
            not_configured(&error.to_string())
                .cure(format!("correct {}, then start the server again", settings(origin)))
        })
    }
}

/// Where the key can be given.
fn key_setting(origin: &Origin) -> String {
    match origin {
        Origin::Only => format!("{API_KEY}, or --api-key-file ({})", variable("api-key-file")),
        Origin::Instance { name, key_variable } => {
            format!("{key_variable}, {key_variable}_FILE, or `api_key_file` of the instance `{name}` in --config")
        }
    }
}

/// What may be wrong when no client can be made.
fn settings(origin: &Origin) -> String {
    match origin {
        Origin::Only => format!("{URL} (or --url), {API_KEY} (or --api-key-file) or --ca-file"),
        Origin::Instance { name, key_variable } => {
            format!("the address of the instance `{name}` (--instance or --config), {key_variable} or its CA file")
        }
    }
}

fn not_configured(message: &str) -> Failure {
    Failure::new(Code::NotConfigured, message)
}

#[cfg(test)]
mod tests {
    use super::Connection;
    use crate::config::{ApiKey, Origin, Target};
    use crate::failure::Code;

    fn connection(url: Option<&str>, key: Option<&str>) -> Connection {
        Connection::new(Target { url: url.map(str::to_owned), api_key: key.and_then(ApiKey::new), ..Target::default() })
    }

    #[test]
    fn what_is_missing_is_named() {
        for (url, key, names) in [
            (None, None, "SONARR_URL"),
            (None, Some("k"), "SONARR_URL"),
            (Some("http://localhost:8989"), None, "SONARR_API_KEY"),
        ] {
            let failure = connection(url, key).client().unwrap_err();
            assert_eq!(failure.code, Code::NotConfigured);
            assert!(failure.text().contains(names), "{failure}");
        }
    }

    #[test]
    fn a_wrong_url_or_key_is_told_without_repeating_it() {
        for (url, key) in
            [("ftp://user:s3cret@host", "k"), ("http://user:s3cret@host", "k"), ("http://host", "s3cret with spaces")]
        {
            let failure = connection(Some(url), Some(key)).client().unwrap_err();
            assert_eq!(failure.code, Code::NotConfigured);
            assert!(!failure.text().contains("s3cret"), "{failure}");
        }
    }

    #[test]
    fn a_client_is_made_once() {
        let connection = connection(Some("http://localhost:8989"), Some("k"));
        let first: *const _ = connection.client().unwrap();
        assert!(std::ptr::eq(first, connection.client().unwrap()));
    }

    #[test]
    fn one_of_several_instances_is_told_its_own_settings() {
        let origin = Origin::Instance { name: "4k".to_owned(), key_variable: "SONARR_API_KEY_4K".to_owned() };
        let keyless = Target { url: Some("http://h".to_owned()), origin, ..Target::default() };
        let wrong = Target { url: Some("ftp://h".to_owned()), api_key: ApiKey::new("k"), ..keyless.clone() };
        for target in [keyless, wrong] {
            let text = Connection::new(target).client().unwrap_err().text();
            assert!(text.contains("SONARR_API_KEY_4K") && text.contains("`4k`"), "{text}");
        }
    }

    #[test]
    fn a_certificate_that_is_none_is_told() {
        let pem = b"-----BEGIN CERTIFICATE-----\nAA\n-----END CERTIFICATE-----\n".to_vec();
        let target = Target {
            url: Some("https://h".to_owned()),
            api_key: ApiKey::new("k"),
            ca_pem: Some(pem),
            ..Target::default()
        };
        let failure = Connection::new(target).client().unwrap_err();
        assert_eq!(failure.code, Code::NotConfigured);
        assert!(failure.text().contains("--ca-file"), "{failure}");
    }
}
