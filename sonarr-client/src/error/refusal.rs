//! The bodies in which Sonarr says no.

use std::fmt;

use bytes::Bytes;
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, WWW_AUTHENTICATE};
use serde_json::{Map, Value};

use crate::text::{html_title, is_markup, one_line, without_bom, without_secret};
use crate::version;

/// How much of a message is shown.
const MESSAGE_LIMIT: usize = 500;

/// How much is shown of a body of unknown form.
const EXCERPT_LIMIT: usize = 200;

/// How many failures are listed; a bulk call can have one for each item.
const FAILURE_LIMIT: usize = 20;

/// An answer with a status that is no success, read for what it says.
pub struct Refusal {
    operation: &'static str,
    status: StatusCode,
    kind: RefusalKind,
    message: Option<String>,
    failures: Vec<ValidationFailure>,
    had_key: bool,
    wants_other_login: bool,
    sonarr_version: Option<String>,
    is_missing_operation: bool,
    bytes: Bytes,
}

/// The forms in which Sonarr, or something before it, says no.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RefusalKind {
    /// A list of failures: a rule, or the test of a provider, was not passed.
    Validation,
    /// The request could not be read: not JSON, a wrong type, an unknown name
    /// of an enum, a query value that cannot be read.
    Binding,
    /// Sonarr's own refusal, with a message.
    Api,
    /// An exception inside Sonarr, with its message.
    Exception,
    /// Only the status, in words.
    Problem,
    /// Sonarr is starting, or migrating its database.
    StartingUp,
    /// No body: a missing or wrong key, an unknown path or method.
    Empty,
    /// None of Sonarr's forms; probably from a proxy.
    Unrecognized,
}

/// One thing that is wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ValidationFailure {
    /// The member that is wrong, as the server names it (`Path`,
    /// `Items[2].MinSize`, `$.addOptions.monitor`); empty for the whole.
    pub property: String,
    /// What is wrong with it.
    pub message: String,
    /// The rule's name, such as `SeriesExistsValidator`.
    pub error_code: Option<String>,
    /// How serious it is.
    pub severity: Severity,
    /// Whether `forceSave` gets past it. Only failures of providers say so.
    pub is_warning: bool,
    /// A page that explains it. Only failures of providers have one.
    pub info_link: Option<String>,
}

/// How serious a [`ValidationFailure`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// It has to be mended.
    Error,
    /// It may be meant.
    Warning,
    /// It is only said.
    Info,
}

impl Refusal {
    /// Reads the body in the order that tells the forms apart.
    pub(crate) fn read(
        operation: &'static str,
        status: StatusCode,
        headers: &HeaderMap,
        bytes: Bytes,
        secret: Option<&str>,
    ) -> Self {
        let body = without_bom(&bytes).trim_ascii();
        let content_type = headers.get(reqwest::header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let shown = |text: &str| one_line(&without_secret(text, secret), MESSAGE_LIMIT);
        let (kind, message, failures) = match serde_json::from_slice::<Value>(body) {
            _ if body.is_empty() => (RefusalKind::Empty, None, Vec::new()),
            Ok(Value::Array(items)) if is_failure_list(&items) => {
                let failures = items.iter().filter_map(|item| failure(item, &shown)).collect();
                (RefusalKind::Validation, None, failures)
            }
            Ok(Value::Object(members)) => {
                of_object(&members, &shown).unwrap_or_else(|| unrecognized(content_type, body, secret))
            }
            _ => unrecognized(content_type, body, secret),
        };
        Self {
            operation,
            status,
            kind,
            message,
            failures,
            had_key: secret.is_some(),
            wants_other_login: headers.contains_key(WWW_AUTHENTICATE),
            sonarr_version: version::of_headers(headers),
            is_missing_operation: false,
            bytes,
        }
    }

    /// Judges whether the server has the operation at all; `names_a_record` says that the path ends in an id or a
    /// name, which may be what is not there.
    pub(crate) fn with_path_that(mut self, names_a_record: bool) -> Self {
        let is_of_routing = match (self.status.as_u16(), self.kind) {
            (404 | 405, RefusalKind::Empty) => true,
            // A page says so only where it is not Sonarr's answer.
            (404 | 405, RefusalKind::Unrecognized) => is_markup(None, without_bom(&self.bytes).trim_ascii()),
            _ => false,
        };
        // From Sonarr 5 on an unknown record is answered like an unknown path.
        let major = self.sonarr_version.as_deref().and_then(version::major);
        let may_be_the_record =
            self.status.as_u16() == 404 && names_a_record && major.is_none_or(|major| major > version::MADE_FOR);
        self.is_missing_operation = is_of_routing && !may_be_the_record;
        self
    }

    /// The operation that was called.
    pub fn operation(&self) -> &'static str {
        self.operation
    }

    /// The status of the answer.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The form of the body.
    pub fn kind(&self) -> RefusalKind {
        self.kind
    }

    /// The server's message, on one line, shortened; for an unknown form a
    /// short excerpt. None where the failures or the status say it all.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// What is wrong with the request, field by field, errors before warnings.
    /// Filled for [`RefusalKind::Validation`] and [`RefusalKind::Binding`].
    pub fn failures(&self) -> &[ValidationFailure] {
        &self.failures
    }

    /// Whether there are failures and all are warnings, so that the same
    /// request with `forceSave` succeeds.
    pub fn has_only_warnings(&self) -> bool {
        !self.failures.is_empty() && self.failures.iter().all(|failure| failure.is_warning)
    }

    /// The version of the Sonarr that answered, such as `4.0.19.2979`, where the answer tells it.
    pub fn sonarr_version(&self) -> Option<&str> {
        self.sonarr_version.as_deref()
    }

    /// Whether the server does not know the operation: it is of another version than this client was made for, or
    /// the base URL is not that of a Sonarr. A record that is not there is something else.
    ///
    /// From Sonarr 5 on both are answered alike where the path ends in an id; it is taken for the record then.
    pub fn is_missing_operation(&self) -> bool {
        self.is_missing_operation
    }

    /// Whether the request carried an API key.
    pub fn had_key(&self) -> bool {
        self.had_key
    }

    /// The body as it came, at most its first mebibyte. It may hold a stack
    /// trace and values that were sent, passwords among them, so it is never
    /// printed.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }
}

type Read = (RefusalKind, Option<String>, Vec<ValidationFailure>);

fn of_object(members: &Map<String, Value>, shown: &impl Fn(&str) -> String) -> Option<Read> {
    let text = |name: &str| members.get(name).and_then(Value::as_str);
    if let Some(Value::Object(errors)) = members.get("errors") {
        let failures = errors
            .iter()
            .flat_map(|(property, messages)| {
                let messages = match messages {
                    Value::Array(messages) => messages.iter().filter_map(Value::as_str).collect(),
                    Value::String(message) => vec![message.as_str()],
                    _ => Vec::new(),
                };
                messages.into_iter().map(move |message| (property, message))
            })
            .map(|(property, message)| ValidationFailure {
                property: shown(property),
                message: shown(message),
                error_code: None,
                severity: Severity::Error,
                is_warning: false,
                info_link: None,
            })
            .collect();
        return Some((RefusalKind::Binding, text("title").map(shown), failures));
    }
    if let Some(message) = text("message") {
        let kind = if members.contains_key("description") { RefusalKind::Exception } else { RefusalKind::Api };
        return Some((kind, Some(shown(message)), Vec::new()));
    }
    if let Some(title) = text("title") {
        let message = match text("detail") {
            Some(detail) => format!("{}: {}", shown(title), shown(detail)),
            None => shown(title),
        };
        return Some((RefusalKind::Problem, Some(message), Vec::new()));
    }
    text("errorMessage").map(|message| (RefusalKind::StartingUp, Some(shown(message)), Vec::new()))
}

/// Whether a list is one of failures.
fn is_failure_list(items: &[Value]) -> bool {
    items.iter().any(|item| item.get("errorMessage").is_some_and(Value::is_string))
}

fn failure(item: &Value, shown: &impl Fn(&str) -> String) -> Option<ValidationFailure> {
    let text = |name: &str| item.get(name).and_then(Value::as_str);
    let is_warning = item.get("isWarning").and_then(Value::as_bool) == Some(true);
    let severity = match text("severity") {
        Some(name) if name.eq_ignore_ascii_case("warning") => Severity::Warning,
        Some(name) if name.eq_ignore_ascii_case("info") => Severity::Info,
        _ if is_warning => Severity::Warning,
        _ => Severity::Error,
    };
    Some(ValidationFailure {
        property: shown(text("propertyName").unwrap_or_default()),
        message: shown(text("errorMessage")?),
        error_code: text("errorCode").map(shown),
        severity,
        is_warning,
        info_link: text("infoLink").map(shown),
    })
}

fn unrecognized(content_type: Option<&str>, body: &[u8], secret: Option<&str>) -> Read {
    // Enough for any excerpt and for the head of any page.
    let start = String::from_utf8_lossy(body.get(..8192).unwrap_or(body));
    let start = without_secret(&start, secret);
    let message = if is_markup(content_type, body) {
        match html_title(&start) {
            Some(title) => format!("a page titled \"{title}\""),
            None => "a page without a title".to_owned(),
        }
    } else {
        one_line(&start, EXCERPT_LIMIT)
    };
    (RefusalKind::Unrecognized, Some(message), Vec::new())
}

impl fmt::Display for ValidationFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.property.is_empty() {
            write!(f, "{}: ", self.property)?;
        }
        f.write_str(&self.message)?;
        match (self.is_warning, self.severity) {
            (true, _) | (_, Severity::Warning) => f.write_str(" (warning)")?,
            (_, Severity::Info) => f.write_str(" (note)")?,
            (_, Severity::Error) => {}
        }
        match &self.info_link {
            Some(link) => write!(f, " (see {link})"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operation = self.operation;
        let status = self.status.as_u16();
        if status == 401 {
            return match (self.wants_other_login, self.had_key) {
                (true, _) => write!(
                    f,
                    "`{operation}` was refused (401) by something before Sonarr that wants a login of its own"
                ),
                (false, true) => {
                    write!(f, "Sonarr refused the API key (401); the right one stands under Settings > General")
                }
                (false, false) => {
                    write!(f, "Sonarr wants an API key (401) and none was given; it stands under Settings > General")
                }
            };
        }
        write!(f, "`{operation}` was refused ({status})")?;
        if self.is_missing_operation {
            return match &self.sonarr_version {
                Some(version) => write!(
                    f,
                    ": Sonarr {version} does not have this operation, which was made for Sonarr {}",
                    version::MADE_FOR
                ),
                None => f.write_str(
                    ": what answers does not have this operation; it is no Sonarr or one of another version, \
                     or the base URL is wrong",
                ),
            };
        }
        if self.kind == RefusalKind::Empty {
            return match self.status.canonical_reason() {
                Some(reason) => write!(f, ": {reason}"),
                None => Ok(()),
            };
        }
        let message = self.message.as_deref().filter(|message| !message.is_empty());
        if self.failures.is_empty() {
            return match message {
                Some(message) => write!(f, ": {message}"),
                None => Ok(()),
            };
        }
        let mut separator = ": ";
        for failure in self.failures.iter().take(FAILURE_LIMIT) {
            write!(f, "{separator}{failure}")?;
            separator = "; ";
        }
        let rest = self.failures.len().saturating_sub(FAILURE_LIMIT);
        if rest > 0 {
            write!(f, "; and {rest} more")?;
        }
        if self.has_only_warnings() {
            f.write_str("; these are warnings only, `forceSave` gets past them")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Refusal")
            .field("operation", &self.operation)
            .field("status", &self.status)
            .field("kind", &self.kind)
            .field("message", &self.message)
            .field("failures", &self.failures)
            .field("sonarr_version", &self.sonarr_version)
            .field("bytes", &format_args!("{} bytes", self.bytes.len()))
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
