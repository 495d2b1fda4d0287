//! The vocabulary of the generated table: what a group, an operation and its parameters are.
//!
//! One [`Operation`] is one method and path of Sonarr's API together with everything the server
//! has to know about it. The rows are generated; this file is the only thing they need from the
//! hand-written part.

use futures::future::BoxFuture;
use serde::Serialize;
use serde_json::{Map, Value};
use sonarr_client::{ByteStream, Client, ResponseValue};

pub use crate::answer::Document;
pub use crate::arguments::{ArgumentError, read, schema};

/// What a call does to Sonarr.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// Reads, and changes nothing.
    Read,
    /// Adds an object.
    Create,
    /// Changes an object that is there.
    Update,
    /// Removes an object.
    Delete,
    /// Makes Sonarr do something: a test, a command, a grab, an import.
    Action,
}

impl Effect {
    /// Whether a call with this effect may change anything.
    pub fn writes(self) -> bool {
        self != Effect::Read
    }
}

/// Where a parameter travels in the HTTP request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A segment of the path.
    Path,
    /// A name and value of the query.
    Query,
    /// The JSON body.
    Body,
    /// A part of a multipart form.
    Form,
}

/// The JSON type a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A text.
    String,
    /// A point in time as text, RFC 3339.
    DateTime,
    /// An object.
    Object,
    /// A list whose members are all of one kind.
    Array(&'static Kind),
    /// Any JSON value.
    Any,
}

/// One argument of an operation.
#[derive(Debug)]
pub struct Parameter {
    /// The name Sonarr uses, as in `seriesId`; the body is called `body`.
    pub name: &'static str,
    /// Where it travels in the HTTP request.
    pub place: Place,
    /// The JSON type it takes.
    pub kind: Kind,
    /// Whether a call without it is refused.
    pub required: bool,
    /// What it means, in one short phrase; empty where the name says it.
    pub summary: &'static str,
    /// The values known at the time of generation; empty where any value goes.
    pub values: &'static [&'static str],
}

/// One method and path of Sonarr's API.
#[derive(Debug)]
pub struct Operation {
    /// `verb_noun`, unique over all groups.
    pub name: &'static str,
    /// The name of the group the operation belongs to.
    pub group: &'static str,
    /// The HTTP method, upper case.
    pub method: &'static str,
    /// The path below Sonarr's base, with `{name}` for each path parameter.
    pub path: &'static str,
    /// What a call does to Sonarr.
    pub effect: Effect,
    /// What a call destroys, when it destroys something.
    pub destructive: Option<&'static str>,
    /// Whether a second call with the same arguments changes nothing more.
    pub idempotent: bool,
    /// Whether Sonarr may take longer than a usual answer, for it asks others first.
    pub long_running: bool,
    /// What it does, in one line.
    pub summary: &'static str,
    /// What else a caller should know; may be empty.
    pub details: &'static str,
    /// What Sonarr checks before it does anything; may be empty.
    pub requires: &'static [&'static str],
    /// One entry an argument, the body included.
    pub parameters: &'static [Parameter],
    /// The JSON schema of the arguments object, made when asked for.
    pub arguments: fn() -> schemars::Schema,
    /// Reads the arguments and makes the request.
    pub call: Call,
}

impl Operation {
    /// Whether it is made of several operations and is no single one of Sonarr's.
    pub fn is_workflow(&self) -> bool {
        self.path.is_empty()
    }

    /// What a caller may give: the parameters of the request, and what this server itself takes.
    pub fn takes(&self) -> impl Iterator<Item = &'static Parameter> + Clone {
        self.parameters.iter().chain(crate::wait::parameters(self)).chain(crate::dispatch::several::parameters(self))
    }
}

/// Operations on one subject; a group becomes a tool.
#[derive(Debug)]
pub struct Group {
    /// Lower case with underscores; the tool is called `sonarr_` and this.
    pub name: &'static str,
    /// The name people read.
    pub title: &'static str,
    /// What the group is about, in the words people use.
    pub summary: &'static str,
    /// The operations, in the order they are shown.
    pub operations: &'static [Operation],
}

/// Reads the arguments at once, sends nothing, and returns the request as a future.
///
/// A refused argument is the outer error, so that the caller knows that nothing has been sent;
/// the future sends, and dropping it stops the HTTP request.
pub type Call = for<'a> fn(
    &'a Client,
    Map<String, Value>,
) -> Result<BoxFuture<'a, Result<Reply, sonarr_client::Error>>, ArgumentError>;

/// What Sonarr answered to a request that succeeded.
pub enum Reply {
    /// JSON, as decoded into the operation's type.
    Json {
        /// The HTTP status.
        status: u16,
        /// What was decoded.
        document: Document,
    },
    /// Nothing, where nothing is due.
    Empty {
        /// The HTTP status.
        status: u16,
    },
    /// Text or an image.
    Stream {
        /// The HTTP status.
        status: u16,
        /// The `Content-Type` header, with its parameters.
        content_type: Option<String>,
        /// The bytes as they arrive.
        stream: ByteStream,
    },
}

impl std::fmt::Debug for Reply {
    /// Tells the kind and the status; what Sonarr answered stays out of logs.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (kind, status) = match self {
            Reply::Json { status, .. } => ("Json", status),
            Reply::Empty { status } => ("Empty", status),
            Reply::Stream { status, .. } => ("Stream", status),
        };
        f.debug_struct(kind).field("status", status).finish_non_exhaustive()
    }
}

impl Reply {
    /// A typed answer.
    ///
    /// # Errors
    /// Never; the signature is that of its siblings, for the generated code to call any of them.
    pub fn json<T: Serialize + Send + 'static>(answer: ResponseValue<T>) -> Result<Reply, sonarr_client::Error> {
        Ok(Reply::Json { status: answer.status().as_u16(), document: Document::new(answer.into_inner()) })
    }

    /// An answer without a body.
    ///
    /// # Errors
    /// Never; the signature is that of its siblings, for the generated code to call any of them.
    pub fn empty(answer: ResponseValue<()>) -> Result<Reply, sonarr_client::Error> {
        Ok(Reply::Empty { status: answer.status().as_u16() })
    }

    /// An answer that is text or an image.
    ///
    /// # Errors
    /// Never; the signature is that of its siblings, for the generated code to call any of them.
    pub fn stream(answer: ResponseValue<ByteStream>) -> Result<Reply, sonarr_client::Error> {
        let status = answer.status().as_u16();
        let content_type =
            answer.headers().get("content-type").and_then(|value| value.to_str().ok()).map(str::to_owned);
        Ok(Reply::Stream { status, content_type, stream: answer.into_inner() })
    }
}
