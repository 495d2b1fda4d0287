//! Which Sonarr answers.

use std::fmt;

use reqwest::header::HeaderMap;

use crate::prelude::ClientSystemCommandsExt as _;
use crate::text::one_line;
use crate::types::ApiVersions;
use crate::{Client, Error, ResponseValue};

/// The header of every answer to a request with the right key.
const HEADER: &str = "X-Application-Version";

/// Versions are four numbers; what is longer is none.
const LIMIT: usize = 40;

/// The version of this client's document.
pub(crate) const MADE_FOR: u32 = 4;

/// The server's version as a header has it.
pub(crate) fn of_headers(headers: &HeaderMap) -> Option<String> {
    let version = one_line(headers.get(HEADER)?.to_str().ok()?, LIMIT);
    (!version.is_empty()).then_some(version)
}

/// `5` of `5.0.0.1234`.
pub(crate) fn major(version: &str) -> Option<u32> {
    version.split('.').next()?.parse().ok()
}

/// Which Sonarr answers, and which of its APIs it holds current; [`Client::server_version`] asks for it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ServerVersion {
    /// The version of Sonarr, such as `4.0.19.2979`. Absent when something on the way drops the header.
    pub version: Option<String>,
    /// What `GET /api` answers: the API that is current, and those that are deprecated.
    pub api: ApiVersions,
}

impl ServerVersion {
    /// The first number of the version: 4 of `4.0.19.2979`.
    pub fn major(&self) -> Option<u32> {
        self.version.as_deref().and_then(major)
    }

    /// Whether the server announces that it will drop the v3 API, which this client speaks.
    pub fn deprecates_v3(&self) -> bool {
        self.api.deprecated.iter().flatten().any(|api| api == "v3")
    }
}

impl fmt::Display for ServerVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sonarr {}", self.version.as_deref().unwrap_or("of an unknown version"))?;
        if let Some(current) = &self.api.current {
            write!(f, ", current API {current}")?;
        }
        if self.deprecates_v3() {
            f.write_str(", v3 deprecated")?;
        }
        Ok(())
    }
}

impl Client {
    /// Which Sonarr answers, and whether it holds the v3 API current (`GET /api`).
    ///
    /// # Errors
    /// See [`Error`].
    pub async fn server_version(&self) -> Result<ServerVersion, Error> {
        let answer = self.get_api_versions().send().await?;
        let version = answer.sonarr_version();
        Ok(ServerVersion { version, api: answer.into_inner() })
    }
}

/// What an answer tells of the server.
pub trait Answer {
    /// The version of the Sonarr that answered, such as `4.0.19.2979`. Absent from answers to requests without
    /// the right key, of which `ping` may be one, and where a proxy drops the header.
    fn sonarr_version(&self) -> Option<String>;
}

impl<T> Answer for ResponseValue<T> {
    fn sonarr_version(&self) -> Option<String> {
        of_headers(self.headers())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn version(version: Option<&str>, api: serde_json::Value) -> ServerVersion {
        ServerVersion { version: version.map(str::to_owned), api: serde_json::from_value(api).unwrap() }
    }

    #[test]
    fn a_coming_server_is_told_from_a_present_one() {
        let four = version(Some("4.0.19.2979"), json!({"current": "v3", "deprecated": []}));
        assert_eq!((four.major(), four.deprecates_v3()), (Some(4), false));
        assert_eq!(four.to_string(), "Sonarr 4.0.19.2979, current API v3");
        let five = version(Some("5.0.0.1"), json!({"current": "v5", "deprecated": ["v3"]}));
        assert_eq!((five.major(), five.deprecates_v3()), (Some(5), true));
        assert_eq!(five.to_string(), "Sonarr 5.0.0.1, current API v5, v3 deprecated");
        let none = version(None, json!({}));
        assert_eq!((none.major(), none.to_string().as_str()), (None, "Sonarr of an unknown version"));
    }

    #[test]
    fn a_header_is_one_short_line() {
        let mut headers = HeaderMap::new();
        assert_eq!(of_headers(&headers), None);
        headers.insert(HEADER, "4.0.1.2".parse().unwrap());
        assert_eq!(of_headers(&headers).as_deref(), Some("4.0.1.2"));
        headers.insert(HEADER, "9".repeat(4000).parse().unwrap());
        assert!(of_headers(&headers).unwrap().chars().count() <= LIMIT + 1);
        headers.insert(HEADER, "".parse().unwrap());
        assert_eq!(of_headers(&headers), None);
    }
}
