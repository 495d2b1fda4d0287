//! Failures on the way, told apart.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::time::Duration;

use reqwest::{Method, StatusCode, Url};

use crate::connect::{Settings, display_url};
use crate::text::one_line;

/// A failure on the way to the server or back.
pub struct TransportError {
    kind: TransportKind,
    operation: Option<&'static str>,
    method: Option<Method>,
    status: Option<StatusCode>,
    url: Option<Url>,
    limit: Option<Duration>,
    cause: String,
    source: reqwest::Error,
}

/// What failed on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TransportKind {
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
    /// Anything else.
    Other,
}

impl TransportError {
    /// A failure of a call.
    pub(crate) fn of_call(
        operation: &'static str,
        method: Method,
        url: Url,
        status: Option<StatusCode>,
        settings: &Settings,
        source: reqwest::Error,
    ) -> Self {
        let kind = classify(&source, Some(&url));
        let limit = match kind {
            TransportKind::Timeout => Some(settings.timeout),
            TransportKind::ConnectTimeout => Some(settings.connect_timeout),
            _ => None,
        };
        // Its text would repeat the whole URL, query included.
        let source = source.without_url();
        Self {
            kind,
            operation: Some(operation),
            method: Some(method),
            status,
            url: Some(url),
            limit,
            cause: root_cause(&source),
            source,
        }
    }

    /// A failure of which the call is not known, such as one while a stream is read.
    pub(crate) fn of_stream(source: reqwest::Error) -> Self {
        let url = source.url().cloned();
        let kind = classify(&source, url.as_ref());
        let source = source.without_url();
        Self {
            kind,
            operation: None,
            method: None,
            status: source.status(),
            url,
            limit: None,
            cause: root_cause(&source),
            source,
        }
    }

    /// What failed.
    pub fn kind(&self) -> TransportKind {
        self.kind
    }

    /// The operation that was called, where it is known.
    pub fn operation(&self) -> Option<&'static str> {
        self.operation
    }

    /// The method of the request, where it is known.
    pub fn method(&self) -> Option<&Method> {
        self.method.as_ref()
    }

    /// The status, when the failure came after the head of the answer.
    pub fn status(&self) -> Option<StatusCode> {
        self.status
    }

    /// The URL that was asked, without credentials and query.
    pub fn url(&self) -> Option<String> {
        self.url.as_ref().map(display_url)
    }

    /// The time-out that ended the call, when one did.
    pub fn limit(&self) -> Option<Duration> {
        self.limit
    }
}

/// The kind, from what the layers below say. They hand their errors up in
/// boxes, so each has to be looked for.
fn classify(error: &reqwest::Error, url: Option<&Url>) -> TransportKind {
    let connecting = error.is_connect();
    if error.is_timeout() {
        return if connecting { TransportKind::ConnectTimeout } else { TransportKind::Timeout };
    }
    if error.is_dns() {
        return TransportKind::Dns;
    }
    let mut seen = Seen::default();
    seen.look_through(error);
    let securing = connecting && url.is_some_and(|url| url.scheme() == "https");
    if seen.tls || (securing && (seen.closed || seen.invalid_data)) {
        TransportKind::Tls
    } else if seen.refused {
        TransportKind::ConnectionRefused
    } else if seen.unreachable {
        TransportKind::Unreachable
    } else if securing && cfg!(feature = "native-tls") {
        // That library's errors come as they are, and nothing else is left.
        TransportKind::Tls
    } else if seen.closed {
        TransportKind::ConnectionClosed
    } else if seen.garbled || error.is_decode() {
        TransportKind::Protocol
    } else {
        TransportKind::Other
    }
}

#[derive(Default)]
struct Seen {
    refused: bool,
    unreachable: bool,
    closed: bool,
    garbled: bool,
    invalid_data: bool,
    tls: bool,
}

impl Seen {
    fn look_through(&mut self, error: &(dyn StdError + 'static)) {
        let mut next = Some(error);
        while let Some(error) = next {
            if let Some(error) = error.downcast_ref::<io::Error>() {
                self.io(error);
            }
            if let Some(error) = error.downcast_ref::<hyper::Error>() {
                self.closed |= error.is_incomplete_message() || error.is_closed();
                self.garbled |= error.is_parse();
            }
            #[cfg(feature = "rustls")]
            {
                self.tls |= error.is::<rustls::Error>();
            }
            next = error.source();
        }
    }

    fn io(&mut self, error: &io::Error) {
        match error.kind() {
            io::ErrorKind::ConnectionRefused => self.refused = true,
            io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => {
                self.unreachable = true;
            }
            io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::BrokenPipe
            | io::ErrorKind::UnexpectedEof => self.closed = true,
            io::ErrorKind::InvalidData => self.invalid_data = true,
            _ => {}
        }
        // `source` of an I/O error skips the error it wraps.
        if let Some(inner) = error.get_ref() {
            self.look_through(inner);
        }
    }
}

/// The text of the innermost error, since the outer ones mostly say only that
/// there is one; or of one around it that repeats and adds to it.
pub(crate) fn root_cause(error: &(dyn StdError + 'static)) -> String {
    let mut cause = error.to_string();
    let mut next = error.source();
    while let Some(inner) = next {
        let text = inner.to_string();
        if !cause.contains(&text) {
            cause = text;
        }
        next = inner.source();
    }
    one_line(&cause, 300)
}

impl fmt::Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(operation) = self.operation {
            write!(f, "`{operation}` failed: ")?;
        }
        let place = self.url.as_ref().map_or_else(|| "the server".to_owned(), |url| display_url(&origin(url)));
        let seconds = self.limit.map(|limit| limit.as_secs_f64());
        let cause = &self.cause;
        match (self.kind, seconds) {
            (TransportKind::ConnectionRefused, _) => write!(
                f,
                "connection refused by {place}: nothing listens there; is Sonarr running, and are host and port right?"
            ),
            (TransportKind::Unreachable, _) => {
                write!(f, "{place} cannot be reached from this machine ({cause})")
            }
            (TransportKind::Dns, _) => {
                let host = self.url.as_ref().and_then(Url::host_str).unwrap_or("?");
                write!(f, "DNS knows no host `{host}` ({cause})")
            }
            (TransportKind::Tls, _) => {
                write!(f, "no secure connection (TLS) to {place}: {cause}")?;
                f.write_str(tls_advice(cause))
            }
            (TransportKind::ConnectTimeout, Some(seconds)) => write!(
                f,
                "no connection to {place} within {seconds} s; `ClientBuilder::connect_timeout` raises the limit"
            ),
            (TransportKind::Timeout, Some(seconds)) => write!(
                f,
                "no complete answer from {place} within {seconds} s; `ClientBuilder::timeout` raises the limit"
            ),
            (TransportKind::ConnectTimeout | TransportKind::Timeout, None) => {
                write!(f, "{place} took too long; `ClientBuilder::timeout` raises the limit")
            }
            (TransportKind::ConnectionClosed, _) => {
                write!(f, "the connection to {place} was closed before the answer was complete ({cause})")
            }
            (TransportKind::Protocol, _) => {
                write!(f, "what answers at {place} does not speak HTTP as expected ({cause}); is it an https port?")
            }
            (TransportKind::Other, _) => write!(f, "the exchange with {place} broke off: {cause}"),
        }
    }
}

/// What to do about a TLS failure, where the cause tells.
fn tls_advice(cause: &str) -> &'static str {
    let cause = cause.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| cause.contains(word));
    if has(&["unknownissuer", "self-signed", "self signed", "unable to get local issuer", "not trusted"]) {
        "; its issuer is not trusted here: give its CA with `ClientBuilder::ca_certificate_pem`"
    } else if has(&["not valid for name", "hostname mismatch", "address mismatch"]) {
        "; use the host name the certificate was made for"
    } else if has(&["corrupt message", "wrong version number", "invalidcontenttype"]) {
        "; the port seems to speak plain http"
    } else {
        ""
    }
}

fn origin(url: &Url) -> Url {
    let mut origin = url.clone();
    origin.set_path("");
    origin
}

impl fmt::Debug for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TransportError")
            .field("kind", &self.kind)
            .field("operation", &self.operation)
            .field("method", &self.method)
            .field("status", &self.status)
            .field("url", &self.url())
            .field("limit", &self.limit)
            .field("source", &self.source)
            .finish()
    }
}

impl StdError for TransportError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&self.source)
    }
}
