//! What the SDK reports, in the words of this server's settings.

use sonarr_client::{Error, ErrorKind, Refusal, RefusalKind, TransportError};

use super::{Code, Failure, Field};
use crate::answer::{GatherError, MAX_STREAM_BYTES};
use crate::config::{API_KEY_SETTING, URL_SETTING, variable};
use crate::operation::Operation;

impl Failure {
    /// The failure of a call that got as far as the SDK.
    pub fn from_sonarr(operation: &Operation, error: &Error) -> Self {
        let mut failure = match error {
            Error::Transport(transport) => on_the_way(error.kind(), transport),
            Error::Refused(refusal) => refused(error.kind(), refusal),
            Error::Redirected(_) | Error::Page(_) => Failure::new(Code::NotSonarr, error.to_string())
                .cure(format!("correct {URL_SETTING}, then start the server again")),
            Error::EmptyAnswer { .. } => {
                Failure::new(Code::UnreadableAnswer, error.to_string()).cure("try again; if it stays, see Sonarr's log")
            }
            Error::Misfit(_) => {
                Failure::new(Code::UnreadableAnswer, format!("{error}; nor is it text that could be shown"))
            }
            Error::InvalidRequest(_) => Failure::new(Code::InvalidArguments, error.to_string()),
            _ => Failure::new(Code::SonarrFailed, error.to_string()),
        };
        failure.status = error.status().map(|status| status.as_u16());
        if operation.effect.writes() && may_have_worked(error) {
            let look = "Sonarr may have done it all the same: look before repeating it";
            failure.cure = Some(match failure.cure.take() {
                Some(cure) => format!("{look}; {cure}"),
                None => look.to_owned(),
            });
        }
        failure
    }
}

impl From<GatherError> for Failure {
    fn from(error: GatherError) -> Self {
        match error {
            GatherError::Broken(error) => match &error {
                Error::Transport(transport) => on_the_way(error.kind(), transport),
                _ => Failure::new(Code::UnreadableAnswer, error.to_string()),
            },
            GatherError::TooLarge => {
                Failure::new(Code::AnswerTooLarge, format!("Sonarr's answer is larger than {MAX_STREAM_BYTES} bytes"))
            }
            GatherError::Opaque { content_type } => Failure::new(
                Code::UnreadableAnswer,
                format!("Sonarr's answer is neither text nor an image ({content_type})"),
            ),
        }
    }
}

/// Whether a failed write may have been carried out.
fn may_have_worked(error: &Error) -> bool {
    matches!(error, Error::Transport(_)) && !error.is_unsent()
}

/// A failure on the way to Sonarr or back.
fn on_the_way(kind: ErrorKind, error: &TransportError) -> Failure {
    let place = error.url().unwrap_or_else(|| "Sonarr".to_owned());
    let limit = error.limit().map(|limit| format!(" within {} s", limit.as_secs_f64())).unwrap_or_default();
    let raise = |flag: &str| format!("--{flag} (or {}) raises the limit", variable(flag));
    let address = format!("is Sonarr running, and is {URL_SETTING} right?");
    let (code, message, cure) = match kind {
        ErrorKind::Timeout => (Code::Timeout, format!("no complete answer from {place}{limit}"), raise("timeout")),
        ErrorKind::ConnectTimeout => (
            Code::Timeout,
            format!("no connection to {place}{limit}"),
            format!("{address} {}", raise("connect-timeout")),
        ),
        ErrorKind::ConnectionRefused => {
            (Code::Unreachable, format!("connection refused: nothing listens at {place}"), address)
        }
        ErrorKind::Dns => (
            Code::Unreachable,
            format!("DNS knows no such host: {place}"),
            format!("correct the host in {URL_SETTING}, then start the server again"),
        ),
        ErrorKind::Tls => (
            Code::Unreachable,
            format!("no secure connection (TLS) to {place}: {}", innermost(error)),
            format!(
                "give the host its certificate was made for in {URL_SETTING}, have its issuer \
                 trusted by this machine, or use an http URL where that is what it speaks"
            ),
        ),
        _ => (Code::Unreachable, format!("the exchange with {place} broke off: {}", innermost(error)), address),
    };
    Failure::new(code, message).cure(cure)
}

/// What the innermost of an error's causes says; the outer ones only say that there is one.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}

/// A status that is no success.
fn refused(kind: ErrorKind, refusal: &Refusal) -> Failure {
    let message = refusal.message().map(str::to_owned);
    let said = |otherwise: &str| message.clone().unwrap_or_else(|| otherwise.to_owned());
    let (code, message, cure) = match kind {
        ErrorKind::Unauthorized => (
            Code::KeyRefused,
            refusal.to_string(),
            Some(format!(
                "set {API_KEY_SETTING} to the key under Settings > General in Sonarr, \
                 then start the server again"
            )),
        ),
        ErrorKind::StartingUp => {
            (Code::StartingUp, said("Sonarr is starting up"), Some("try again in a minute".to_owned()))
        }
        ErrorKind::NotFound => (
            Code::NotFound,
            said("Sonarr does not have what was asked for"),
            Some("list what is there and take the id from the list".to_owned()),
        ),
        ErrorKind::MissingOperation => (
            Code::NotSupported,
            refusal.to_string(),
            Some(match refusal.sonarr_version() {
                Some(_) => {
                    "use another operation; `sonarr-mcp check` tells which API this Sonarr holds current".to_owned()
                }
                None => format!("is {URL_SETTING} right? `sonarr-mcp check` tells"),
            }),
        ),
        ErrorKind::Conflict => (Code::Conflict, said("it contradicts what is there"), None),
        ErrorKind::Validation => (
            Code::Rejected,
            said("Sonarr found the request wrong"),
            refusal
                .has_only_warnings()
                .then(|| "these are only warnings: `forceSave` (or `forceTest`) gets past them".to_owned()),
        ),
        ErrorKind::ServerError => {
            (Code::SonarrFailed, said("Sonarr failed"), Some("Sonarr's log says more".to_owned()))
        }
        _ => (Code::Rejected, refusal.to_string(), None),
    };
    let mut failure = Failure::new(code, message);
    failure.cure = cure;
    if matches!(refusal.kind(), RefusalKind::Validation | RefusalKind::Binding) {
        failure.fields = refusal
            .failures()
            .iter()
            .map(|one| Field {
                name: one.property.clone(),
                message: one.message.clone(),
                warning: one.is_warning,
                rule: one.error_code.clone(),
                accepted: Vec::new(),
            })
            .collect();
    }
    failure
}
