//! Every failure a caller can see: what happened, why, and what to do about it.

mod kinds;
mod upstream;

use std::ops::{Deref, DerefMut};

use serde_json::{Map, Value, json};

use crate::arguments::{ArgumentError, nearest};
use crate::config;

/// One text of a failure may take this part of what the whole may.
const PARTS: usize = 12;

/// What saying how many of a failure's parts are shown takes, in bytes.
const COUNTS: usize = 120;

/// What kind of failure it is; a caller can tell the kinds apart by [`Code::name`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// There is no tool of this name.
    UnknownTool,
    /// The tool has no operation of this name.
    UnknownOperation,
    /// An argument is unknown, missing or wrong.
    InvalidArguments,
    /// The server was started read-only, and the operation writes.
    ReadOnly,
    /// The URL or the API key is missing or cannot be used.
    NotConfigured,
    /// Sonarr cannot be reached.
    Unreachable,
    /// Sonarr did not answer in time.
    Timeout,
    /// Sonarr refused the API key.
    KeyRefused,
    /// Something answered that is not Sonarr's API.
    NotSonarr,
    /// Sonarr is starting up.
    StartingUp,
    /// Sonarr found the request wrong.
    Rejected,
    /// Sonarr does not have what was asked for.
    NotFound,
    /// This Sonarr does not have the operation.
    NotSupported,
    /// What was asked for contradicts what is there.
    Conflict,
    /// Sonarr failed.
    SonarrFailed,
    /// Sonarr's answer cannot be read.
    UnreadableAnswer,
    /// Sonarr's answer is too large to be passed on.
    AnswerTooLarge,
    /// A person was asked and did not agree.
    Declined,
    /// The token given as `confirm` is not good for the call.
    NotConfirmed,
    /// The client took the call back.
    Cancelled,
    /// A bug in this server.
    Internal,
}

impl Code {
    /// The name a program can rely on.
    pub fn name(self) -> &'static str {
        match self {
            Code::UnknownTool => "unknown_tool",
            Code::UnknownOperation => "unknown_operation",
            Code::InvalidArguments => "invalid_arguments",
            Code::ReadOnly => "read_only",
            Code::NotConfigured => "not_configured",
            Code::Unreachable => "unreachable",
            Code::Timeout => "timeout",
            Code::KeyRefused => "key_refused",
            Code::NotSonarr => "not_sonarr",
            Code::StartingUp => "starting_up",
            Code::Rejected => "rejected",
            Code::NotFound => "not_found",
            Code::NotSupported => "not_supported",
            Code::Conflict => "conflict",
            Code::SonarrFailed => "sonarr_failed",
            Code::UnreadableAnswer => "unreadable_answer",
            Code::AnswerTooLarge => "answer_too_large",
            Code::Declined => "declined",
            Code::NotConfirmed => "not_confirmed",
            Code::Cancelled => "cancelled",
            Code::Internal => "internal",
        }
    }
}

/// A failure as the caller sees it. It is boxed, for every step of a call may return one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure(Box<Facts>);

/// What is known about a failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// What kind it is.
    pub code: Code,
    /// What happened.
    pub message: String,
    /// What to do about it.
    pub cure: Option<String>,
    /// The argument it is about, as in `arguments.body.title`.
    pub path: Option<String>,
    /// The HTTP status Sonarr answered.
    pub status: Option<u16>,
    /// The valid name or value that resembles the one given.
    pub nearest: Option<String>,
    /// The valid names or values.
    pub accepted: Vec<String>,
    /// What Sonarr says about single fields.
    pub fields: Vec<Field>,
    /// A call of the same operation that works.
    pub example: Option<Value>,
}

/// What Sonarr says about one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The argument it was sent in, or where that is not known the field in Sonarr's words; empty
    /// when it is about the whole.
    pub name: String,
    /// What is wrong with it.
    pub message: String,
    /// Whether it is a warning that may be overruled.
    pub warning: bool,
    /// The name of Sonarr's rule, such as `SeriesExistsValidator`; it is not shown.
    pub rule: Option<String>,
    /// What there is or is known to be accepted in its place.
    pub accepted: Vec<String>,
}

impl Failure {
    /// A failure of a kind.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Failure(Box::new(Facts {
            code,
            message: message.into(),
            cure: None,
            path: None,
            status: None,
            nearest: None,
            accepted: Vec::new(),
            fields: Vec::new(),
            example: None,
        }))
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn cure(mut self, cure: impl Into<String>) -> Self {
        self.cure = Some(cure.into());
        self
    }

    /// There is no tool of this name.
    pub fn unknown_tool(name: &str, tools: &[&str]) -> Self {
        let mut failure = Failure::new(Code::UnknownTool, format!("there is no tool `{}`", shortened(name)));
        failure.nearest = nearest(name, tools.iter().copied()).map(str::to_owned);
        failure.accepted = owned(tools);
        failure
    }

    /// The tool has no operation of this name; `elsewhere` is the tool that has it.
    pub fn unknown_operation(name: &str, tool: &str, operations: &[&str], elsewhere: Option<&str>) -> Self {
        let mut failure =
            Failure::new(Code::UnknownOperation, format!("`{tool}` has no operation `{}`", shortened(name)));
        failure.path = Some("operation".to_owned());
        failure.accepted = owned(operations);
        match elsewhere {
            Some(other) => failure.cure = Some(format!("call `{other}`, which has it")),
            None => {
                failure.nearest = nearest(name, operations.iter().copied()).map(str::to_owned);
            }
        }
        failure
    }

    /// The operation writes and the server must not.
    pub fn read_only(operation: &str) -> Self {
        Failure::new(Code::ReadOnly, format!("`{operation}` changes Sonarr, and this server was started read-only"))
            .cure(format!(
                "start the server without --read-only (and without {}), or do it in Sonarr itself",
                config::variable("read-only")
            ))
    }

    /// The client took the call back.
    pub fn cancelled() -> Self {
        Failure::new(Code::Cancelled, "the call was cancelled")
            .cure("if it was a write, look at what Sonarr did with it before repeating it")
    }

    /// A bug in this server.
    pub fn internal() -> Self {
        Failure::new(Code::Internal, "sonarr-mcp failed in a way it should not; the other operations still work")
            .cure("its log on standard error says where; please report it")
    }

    /// Shortens what Sonarr, or a caller, said at length, until the text takes at most `cap` bytes.
    ///
    /// Each text keeps its beginning; of the fields and of what is accepted the first ones stay, and
    /// the message says how many there are.
    pub fn fit(&mut self, cap: usize) {
        if self.text().len() <= cap {
            return;
        }
        let longest = cap / PARTS;
        let Facts { message, cure, path, nearest, accepted, fields, example, code: _, status: _ } = &mut *self.0;
        let fields_texts = fields
            .iter_mut()
            .flat_map(|field| [&mut field.name, &mut field.message].into_iter().chain(&mut field.accepted));
        let texts = [cure, path, nearest].into_iter().flatten().chain(accepted).chain(fields_texts);
        texts.chain([message]).for_each(|text| shorten(text, longest));
        if example.as_ref().is_some_and(|example| example.to_string().len() > cap / 4) {
            *example = None;
        }
        let counts = (self.fields.len(), self.accepted.len());
        while self.text().len() > cap.saturating_sub(COUNTS) {
            let within = self.fields.iter().map(|field| field.accepted.len()).max().unwrap_or_default();
            if within > 1 {
                self.fields.iter_mut().for_each(|field| field.accepted.truncate(within / 2));
            } else if self.fields.len() > 1 {
                let half = self.fields.len() / 2;
                self.fields.truncate(half);
            } else if self.accepted.len() > 1 {
                let half = self.accepted.len() / 2;
                self.accepted.truncate(half);
            } else {
                break;
            }
        }
        if (self.fields.len(), self.accepted.len()) != counts {
            let (fields, accepted) = counts;
            let shown = match (fields, accepted) {
                (0, accepted) => format!("the first {} of {accepted} accepted values are shown", self.accepted.len()),
                (fields, 0) => format!("the first {} of {fields} fields are shown", self.fields.len()),
                (fields, accepted) => {
                    format!("there are {fields} fields and {accepted} accepted values; the first are shown")
                }
            };
            self.message.push_str(&format!(" ({shown})"));
        }
    }

    /// The failure as text.
    pub fn text(&self) -> String {
        let mut text = match &self.path {
            Some(path) => format!("{}: {path}: {}", self.code.name(), self.message),
            None => format!("{}: {}", self.code.name(), self.message),
        };
        for field in &self.fields {
            let name = if field.name.is_empty() { "-" } else { field.name.as_str() };
            let warning = if field.warning { " (a warning)" } else { "" };
            text.push_str(&format!("\n  {name}: {}{warning}", field.message));
            if !field.accepted.is_empty() {
                text.push_str(&format!("; accepted: {}", field.accepted.join(", ")));
            }
        }
        if let Some(nearest) = &self.nearest {
            text.push_str(&format!("\nDid you mean `{nearest}`?"));
        }
        if !self.accepted.is_empty() {
            text.push_str(&format!("\nAccepted: {}", self.accepted.join(", ")));
        }
        if let Some(cure) = &self.cure {
            text.push_str(&format!("\nWhat to do: {cure}"));
        }
        if let Some(example) = &self.example {
            text.push_str(&format!("\nExample: {example}"));
        }
        text
    }

    /// The failure as an object: `{"error": {code, message, …}}`.
    pub fn structured(&self) -> Value {
        let mut error = Map::new();
        error.insert("code".to_owned(), json!(self.code.name()));
        error.insert("message".to_owned(), json!(self.message));
        let optional = [
            ("path", self.path.as_ref().map(|path| json!(path))),
            ("status", self.status.map(|status| json!(status))),
            ("nearest", self.nearest.as_ref().map(|name| json!(name))),
            ("accepted", list(&self.accepted)),
            ("fields", self.field_list()),
            ("cure", self.cure.as_ref().map(|cure| json!(cure))),
            ("example", self.example.clone()),
        ];
        for (name, value) in optional {
            if let Some(value) = value {
                error.insert(name.to_owned(), value);
            }
        }
        json!({"error": error})
    }

    fn field_list(&self) -> Option<Value> {
        let fields = self.fields.iter().map(|field| {
            let mut object = Map::new();
            object.insert("field".to_owned(), json!(field.name));
            object.insert("message".to_owned(), json!(field.message));
            if field.warning {
                object.insert("warning".to_owned(), json!(true));
            }
            if let Some(accepted) = list(&field.accepted) {
                object.insert("accepted".to_owned(), accepted);
            }
            Value::Object(object)
        });
        (!self.fields.is_empty()).then(|| fields.collect())
    }
}

impl Deref for Failure {
    type Target = Facts;

    fn deref(&self) -> &Facts {
        &self.0
    }
}

impl DerefMut for Failure {
    fn deref_mut(&mut self) -> &mut Facts {
        &mut self.0
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text())
    }
}

impl std::error::Error for Failure {}

impl From<ArgumentError> for Failure {
    fn from(error: ArgumentError) -> Self {
        let mut failure = Failure::new(Code::InvalidArguments, error.problem);
        failure.path = Some(error.path);
        failure.nearest = error.nearest;
        failure.accepted = error.accepted;
        failure
    }
}

fn list(values: &[String]) -> Option<Value> {
    (!values.is_empty()).then(|| json!(values))
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Keeps the beginning of a text that takes more than `longest` bytes.
fn shorten(text: &mut String, longest: usize) {
    const CUT: &str = "…";
    if text.len() > longest {
        let most = longest.saturating_sub(CUT.len());
        let end = (0..=most).rev().find(|end| text.is_char_boundary(*end));
        text.truncate(end.unwrap_or_default());
        text.push_str(CUT);
    }
}

/// A name from outside, no longer than a name is.
fn shortened(name: &str) -> String {
    name.chars().take(80).collect()
}

#[cfg(test)]
mod tests;
