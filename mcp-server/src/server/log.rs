//! What a client is told about the calls beside their answers, from the level it asked for on.
#![expect(deprecated, reason = "newer revisions deprecate logging, and all of them still have it")]

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam};
use rmcp::service::RequestContext;
use serde_json::{Value, json};

use super::is_newest;
use crate::failure::Code;

/// How long telling may take.
const WAIT: Duration = Duration::from_secs(1);

/// The level one session asked for. One that asked for none is told nothing.
#[derive(Debug, Default)]
pub struct Log(Mutex<Option<LoggingLevel>>);

impl Log {
    /// Keeps the level.
    pub fn set(&self, level: LoggingLevel) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(level);
    }

    /// Tells of a call that has ended.
    pub async fn ended(&self, context: &RequestContext<RoleServer>, call: Ended<'_>) {
        let level = call.level();
        if self.wanted(context).is_none_or(|wanted| severity(level) < severity(wanted)) {
            return;
        }
        let message = LoggingMessageNotificationParam::new(level, call.data()).with_logger(env!("CARGO_PKG_NAME"));
        // A client that does not listen must not keep its own answer from being sent.
        let told = tokio::time::timeout(WAIT, context.peer.notify_logging_message(message)).await;
        if !matches!(told, Ok(Ok(()))) {
            tracing::debug!("a client could not be told about a call");
        }
    }

    /// The lowest level that is wanted; `None` when nothing is.
    fn wanted(&self, context: &RequestContext<RoleServer>) -> Option<LoggingLevel> {
        if is_newest(context) {
            // Each request says so itself.
            return context.meta.log_level();
        }
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call that has ended.
#[derive(Debug, Clone, Copy)]
pub struct Ended<'a> {
    /// The tool called.
    pub tool: &'a str,
    /// The operation asked for, where one was.
    pub operation: Option<&'a str>,
    /// How it failed, when it did.
    pub failure: Option<Code>,
    /// How long it took.
    pub took: Duration,
}

impl Ended<'_> {
    fn level(&self) -> LoggingLevel {
        match self.failure {
            None => LoggingLevel::Debug,
            Some(Code::Internal) => LoggingLevel::Critical,
            Some(Code::NotConfigured | Code::KeyRefused | Code::NotSonarr) => LoggingLevel::Error,
            Some(
                Code::Unreachable | Code::Timeout | Code::StartingUp | Code::SonarrFailed | Code::UnreadableAnswer,
            ) => LoggingLevel::Warning,
            // The caller's mistakes are in its answers; they are no news to a person.
            Some(_) => LoggingLevel::Info,
        }
    }

    fn data(&self) -> Value {
        let outcome = self.failure.map_or("answered", Code::name);
        json!({
            "tool": self.tool,
            "operation": self.operation,
            "outcome": outcome,
            "milliseconds": u64::try_from(self.took.as_millis()).unwrap_or(u64::MAX),
        })
    }
}

/// The order of the levels.
fn severity(level: LoggingLevel) -> u8 {
    match level {
        LoggingLevel::Debug => 0,
        LoggingLevel::Info => 1,
        LoggingLevel::Notice => 2,
        LoggingLevel::Warning => 3,
        LoggingLevel::Error => 4,
        LoggingLevel::Critical => 5,
        LoggingLevel::Alert => 6,
        LoggingLevel::Emergency => 7,
    }
}
