//! What the server was asked, kept for tests.

/// One request as it arrived and the status it was answered with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedRequest {
    /// HTTP method in upper case.
    pub method: String,
    /// The path as sent, still percent-encoded, URL base included, without the query.
    pub path: String,
    /// Query pairs in the order of sending, decoded; a repeated name appears repeatedly.
    pub query: Vec<(String, String)>,
    /// Header pairs in the order of arrival, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body's bytes, empty when there was none.
    pub body: Vec<u8>,
    /// The status of the answer; 0 when a fault cut the connection before one was sent.
    pub status: u16,
}

impl RecordedRequest {
    /// The first value of a header; `name` in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The body as JSON, or `None` when it is not JSON.
    pub fn json(&self) -> Option<serde_json::Value> {
        serde_json::from_slice(&self.body).ok()
    }
}
