//! Everything a call can end in beside an answer that fits.

use std::fmt;

use bytes::Bytes;
use reqwest::StatusCode;

mod redirected;
mod refusal;
mod transport;

pub use redirected::Redirected;
pub use refusal::{Refusal, RefusalKind, Severity, ValidationFailure};
pub(crate) use transport::root_cause;
pub use transport::{TransportError, TransportKind};

/// Why a call has no answer, or none that fits.
///
/// Neither `Display` nor `Debug` shows the API key, a stack trace of the
/// server, values the server echoes, or whole bodies.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The request could not be made; nothing was sent.
    InvalidRequest(String),
    /// The server could not be reached, or the connection failed before the
    /// answer was complete.
    Transport(Box<TransportError>),
    /// The answer was a redirect, which the API itself never sends: the base
    /// URL is wrong, or something stands before Sonarr.
    Redirected(Box<Redirected>),
    /// Sonarr, or something before it, answered with a status that is no success.
    Refused(Box<Refusal>),
    /// A page came with a status of success: the answer is not Sonarr's API.
    Page(Box<UnexpectedPage>),
    /// Data was due and the answer had none.
    EmptyAnswer {
        /// The operation that was called.
        operation: &'static str,
        /// The status of the answer.
        status: StatusCode,
        /// The version of the Sonarr that answered, where the answer tells it.
        sonarr_version: Option<String>,
    },
    /// The answer is JSON, or should be, and does not fit the operation's type.
    Misfit(Box<Misfit>),
}

/// The kinds of [`Error`], for a decision about what to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The request could not be made; nothing was sent.
    InvalidRequest,
    /// Nothing listens at the address.
    ConnectionRefused,
    /// The host cannot be reached from here.
    Unreachable,
    /// The host's name is not known.
    Dns,
    /// No secure connection could be made.
    Tls,
    /// The server could not be reached in the time set for connecting.
    ConnectTimeout,
    /// The answer was not complete in the time set for a call.
    Timeout,
    /// The connection ended before the answer was complete.
    ConnectionClosed,
    /// What answered does not speak HTTP, or garbled it.
    Protocol,
    /// Any other failure on the way.
    Transport,
    /// The answer was a redirect.
    Redirected,
    /// 401: the key is missing or wrong.
    Unauthorized,
    /// 403.
    Forbidden,
    /// 404: no such thing.
    NotFound,
    /// 404 or 405 for the operation itself: this server does not have it.
    MissingOperation,
    /// 409: it contradicts what is there, such as deleting a tag in use.
    Conflict,
    /// 400 with the fields that are wrong.
    Validation,
    /// 503 while Sonarr is starting.
    StartingUp,
    /// Any other status of 500 and above.
    ServerError,
    /// Any other status that is no success.
    Refused,
    /// A page instead of data.
    Page,
    /// Nothing instead of data.
    EmptyAnswer,
    /// Data that does not fit the type.
    Misfit,
}

impl Error {
    /// The kind of the failure.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::InvalidRequest(_) => ErrorKind::InvalidRequest,
            Self::Transport(error) => match error.kind() {
                TransportKind::ConnectionRefused => ErrorKind::ConnectionRefused,
                TransportKind::Unreachable => ErrorKind::Unreachable,
                TransportKind::Dns => ErrorKind::Dns,
                TransportKind::Tls => ErrorKind::Tls,
                TransportKind::ConnectTimeout => ErrorKind::ConnectTimeout,
                TransportKind::Timeout => ErrorKind::Timeout,
                TransportKind::ConnectionClosed => ErrorKind::ConnectionClosed,
                TransportKind::Protocol => ErrorKind::Protocol,
                TransportKind::Other => ErrorKind::Transport,
            },
            Self::Redirected(_) => ErrorKind::Redirected,
            Self::Refused(refusal) => match (refusal.status().as_u16(), refusal.kind()) {
                (401, _) => ErrorKind::Unauthorized,
                (403, _) => ErrorKind::Forbidden,
                _ if refusal.is_missing_operation() => ErrorKind::MissingOperation,
                (404, _) => ErrorKind::NotFound,
                (409, _) => ErrorKind::Conflict,
                (503, RefusalKind::StartingUp) => ErrorKind::StartingUp,
                (500.., _) => ErrorKind::ServerError,
                (_, RefusalKind::Validation | RefusalKind::Binding) => ErrorKind::Validation,
                _ => ErrorKind::Refused,
            },
            Self::Page(_) => ErrorKind::Page,
            Self::EmptyAnswer { .. } => ErrorKind::EmptyAnswer,
            Self::Misfit(_) => ErrorKind::Misfit,
        }
    }

    /// The status of the answer, when there was one.
    pub fn status(&self) -> Option<StatusCode> {
        match self {
            Self::InvalidRequest(_) => None,
            Self::Transport(error) => error.status(),
            Self::Redirected(redirected) => Some(redirected.status()),
            Self::Refused(refusal) => Some(refusal.status()),
            Self::Page(page) => Some(page.status),
            Self::EmptyAnswer { status, .. } => Some(*status),
            Self::Misfit(misfit) => Some(misfit.status),
        }
    }

    /// The name of the operation that was called, where it is known.
    pub fn operation(&self) -> Option<&'static str> {
        match self {
            Self::InvalidRequest(_) => None,
            Self::Transport(error) => error.operation(),
            Self::Redirected(redirected) => Some(redirected.operation()),
            Self::Refused(refusal) => Some(refusal.operation()),
            Self::Page(page) => Some(page.operation),
            Self::EmptyAnswer { operation, .. } => Some(operation),
            Self::Misfit(misfit) => Some(misfit.operation),
        }
    }

    /// The version of the Sonarr that answered, such as `4.0.19.2979`, where there was an answer that tells it.
    pub fn sonarr_version(&self) -> Option<&str> {
        match self {
            Self::Refused(refusal) => refusal.sonarr_version(),
            Self::Misfit(misfit) => misfit.sonarr_version(),
            Self::EmptyAnswer { sonarr_version, .. } => sonarr_version.as_deref(),
            Self::InvalidRequest(_) | Self::Transport(_) | Self::Redirected(_) | Self::Page(_) => None,
        }
    }

    /// Whether a time-out ended the call: that for connecting or that for the
    /// whole call. After the latter the server may still have done the work.
    pub fn is_timeout(&self) -> bool {
        matches!(self.kind(), ErrorKind::Timeout | ErrorKind::ConnectTimeout)
    }

    /// Whether the request surely never reached the server, so that it can be
    /// sent again without doing anything twice.
    pub fn is_unsent(&self) -> bool {
        matches!(
            self.kind(),
            ErrorKind::InvalidRequest
                | ErrorKind::ConnectionRefused
                | ErrorKind::Unreachable
                | ErrorKind::Dns
                | ErrorKind::Tls
                | ErrorKind::ConnectTimeout
        )
    }

    /// The server's refusal, when it is one.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Refused(refusal) => Some(refusal),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidRequest(reason) => write!(f, "the request could not be made: {reason}"),
            Self::Transport(error) => error.fmt(f),
            Self::Redirected(redirected) => redirected.fmt(f),
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Page(page) => page.fmt(f),
            Self::EmptyAnswer { operation, status, .. } => {
                write!(f, "`{operation}` was answered with {} and no data, though data was due", status.as_u16())
            }
            Self::Misfit(misfit) => misfit.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Transport(error) => std::error::Error::source(error.as_ref()),
            _ => None,
        }
    }
}

impl From<reqwest::Error> for Error {
    fn from(error: reqwest::Error) -> Self {
        if error.is_builder() {
            Self::InvalidRequest(root_cause(&error.without_url()))
        } else {
            Self::Transport(Box::new(TransportError::of_stream(error)))
        }
    }
}

impl From<std::convert::Infallible> for Error {
    fn from(never: std::convert::Infallible) -> Self {
        match never {}
    }
}

/// An answer of success whose body does not fit the operation's type.
pub struct Misfit {
    pub(crate) operation: &'static str,
    pub(crate) status: StatusCode,
    pub(crate) path: String,
    pub(crate) message: String,
    pub(crate) content_type: Option<String>,
    pub(crate) sonarr_version: Option<String>,
    pub(crate) bytes: Bytes,
}

impl Misfit {
    /// The operation that was called.
    pub fn operation(&self) -> &'static str {
        self.operation
    }

    /// The status of the answer.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Where in the body the first misfit is, such as `[1].seasons[0].seasonNumber`;
    /// `.` for the body itself.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What does not fit there, without the value itself.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The declared content type.
    pub fn content_type(&self) -> Option<&str> {
        self.content_type.as_deref()
    }

    /// The version of the Sonarr that answered, where the answer tells it.
    pub fn sonarr_version(&self) -> Option<&str> {
        self.sonarr_version.as_deref()
    }

    /// The body as it came. It may hold secrets, so it is never printed.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (operation, status) = (self.operation, self.status.as_u16());
        write!(f, "`{operation}` was answered with {status}, but ")?;
        match self.path.as_str() {
            "." => f.write_str("the answer")?,
            path => write!(f, "`{path}` in the answer")?,
        }
        write!(f, " is not what this version expects: {}", self.message)
    }
}

impl fmt::Debug for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Misfit")
            .field("operation", &self.operation)
            .field("status", &self.status)
            .field("path", &self.path)
            .field("message", &self.message)
            .field("content_type", &self.content_type)
            .field("sonarr_version", &self.sonarr_version)
            .field("bytes", &format_args!("{} bytes", self.bytes.len()))
            .finish()
    }
}

/// A page of HTML in place of data, with a status of success.
#[derive(Debug)]
pub struct UnexpectedPage {
    pub(crate) operation: &'static str,
    pub(crate) status: StatusCode,
    pub(crate) url: String,
    pub(crate) base_url: String,
    pub(crate) title: Option<String>,
}

impl UnexpectedPage {
    /// The operation that was called.
    pub fn operation(&self) -> &'static str {
        self.operation
    }

    /// The status of the answer.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The URL that was asked, without its query.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The page's title.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }
}

impl fmt::Display for UnexpectedPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` was answered with a page", self.operation)?;
        if let Some(title) = &self.title {
            write!(f, " (\"{title}\")")?;
        }
        write!(
            f,
            " instead of data: {} is not Sonarr's address or lacks its URL base \
             (Sonarr shows it under Settings > General), or a login page stands before it",
            self.base_url
        )
    }
}
