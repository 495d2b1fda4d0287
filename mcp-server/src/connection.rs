//! The client of Sonarr, made when the first call needs it.

use std::sync::OnceLock;

use sonarr_client::Client;

use crate::config::{API_KEY, Target, URL, variable};
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
        let Target { url, api_key, timeout, connect_timeout } = &self.target;
        let Some(url) = url else {
            return Err(not_configured("no Sonarr is set").cure(format!(
                "set {URL} (or --url) to Sonarr's address, such as http://localhost:8989, and \
                 {API_KEY} to its API key, then start the server again"
            )));
        };
        let Some(api_key) = api_key else {
            return Err(not_configured("no API key is set").cure(format!(
                "set {API_KEY}, or --api-key-file ({}), to the key under Settings > General in \
                 Sonarr, then start the server again",
                variable("api-key-file")
            )));
        };
        Client::builder(url)
            .api_key(api_key.reveal())
            .timeout(*timeout)
            .connect_timeout(*connect_timeout)
            .user_agent(concat!("sonarr-mcp/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| {
                not_configured(&error.to_string()).cure(format!(
                    "correct {URL} (or --url) or {API_KEY} (or --api-key-file), then start the \
                     server again"
                ))
            })
    }
}

fn not_configured(message: &str) -> Failure {
    Failure::new(Code::NotConfigured, message)
}

#[cfg(test)]
mod tests {
    use super::Connection;
    use crate::config::{ApiKey, CONNECT_TIMEOUT, TIMEOUT, Target};
    use crate::failure::Code;

    fn connection(url: Option<&str>, key: Option<&str>) -> Connection {
        Connection::new(Target {
            url: url.map(str::to_owned),
            api_key: key.and_then(ApiKey::new),
            timeout: TIMEOUT,
            connect_timeout: CONNECT_TIMEOUT,
        })
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
}
