//! What goes back.

use serde_json::{Value, json};

/// An answer's body.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    Empty,
    Json(Value),
    /// Bytes with their media type.
    Bytes(&'static str, Vec<u8>),
}

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub content: Content,
}

impl Reply {
    fn new(status: u16, content: Content) -> Reply {
        Reply { status, headers: Vec::new(), content }
    }

    /// 200 with JSON.
    pub(crate) fn ok(value: Value) -> Reply {
        Reply::new(200, Content::Json(value))
    }

    /// 200 without a body.
    pub(crate) fn empty() -> Reply {
        Reply::new(200, Content::Empty)
    }

    /// 200 with `{}`.
    pub(crate) fn empty_object() -> Reply {
        Reply::ok(json!({}))
    }

    /// A status without a body.
    pub(crate) fn status(status: u16) -> Reply {
        Reply::new(status, Content::Empty)
    }

    /// 201 with the stored resource and where it is.
    pub(crate) fn created(value: Value, location: String) -> Reply {
        Reply::new(201, Content::Json(value)).with("Location", location)
    }

    /// 202 with JSON.
    pub(crate) fn accepted(value: Value) -> Reply {
        Reply::new(202, Content::Json(value))
    }

    /// Bytes with their media type.
    pub(crate) fn bytes(kind: &'static str, bytes: impl Into<Vec<u8>>) -> Reply {
        Reply::new(200, Content::Bytes(kind, bytes.into()))
    }

    /// JSON with another status.
    pub(crate) fn json(status: u16, value: Value) -> Reply {
        Reply::new(status, Content::Json(value))
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Reply {
        self.headers.push((name, value.into()));
        self
    }
}
