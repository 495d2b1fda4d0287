//! A request whose body has been read.

use bytes::Bytes;

use super::Query;

/// A request, its path decoded and freed of the URL base.
#[derive(Clone, Debug, Default)]
pub(crate) struct Incoming {
    pub method: String,
    /// The path as sent.
    pub raw_path: String,
    /// The decoded path below the URL base.
    pub path: String,
    /// The query as sent, without `?`.
    pub raw_query: String,
    pub query: Query,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Bytes,
    /// The file names of an uploaded form; `None` when the body is no form.
    pub upload: Option<Vec<String>>,
}

impl Incoming {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Whether the `Accept` header, if any, allows JSON.
    pub(crate) fn accepts_json(&self) -> bool {
        self.header("accept").is_none_or(|accept| {
            accept.split(',').any(|kind| {
                let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
                matches!(kind.as_str(), "*/*" | "application/*" | "application/json" | "text/json" | "")
                    || kind.ends_with("+json")
            })
        })
    }

    /// Whether JSON was asked for by name (`*/*` is not enough).
    pub(crate) fn names_json(&self) -> bool {
        self.header("accept").is_some_and(|accept| accept.to_ascii_lowercase().contains("json"))
    }

    /// Whether the body says that it is JSON.
    pub(crate) fn sends_json(&self) -> bool {
        let Some(kind) = self.header("content-type") else { return false };
        let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        kind == "application/json"
            || kind == "text/json"
            || (kind.starts_with("application/") && kind.ends_with("+json"))
    }
}
