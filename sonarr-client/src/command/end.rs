//! How a command ended, as Sonarr tells it.

use std::fmt;

use crate::text::one_line;
use crate::types::{CommandResource, CommandResult, CommandStatus};

/// How much of Sonarr's words is shown.
const REASON_LIMIT: usize = 500;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CommandEnd {
    /// It ran, and Sonarr does not say that it was in vain.
    Completed,
    /// It ran and did nothing useful, such as an import that imported nothing.
    Unsuccessful,
    /// It broke off with an error.
    Failed,
    /// Sonarr broke it off.
    Aborted,
    /// It was cancelled while it was queued.
    Cancelled,
    /// It ran when Sonarr stopped.
    Orphaned,
}

impl fmt::Display for CommandEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Completed => "was completed",
            Self::Unsuccessful => "ended without success",
            Self::Failed => "failed",
            Self::Aborted => "was aborted",
            Self::Cancelled => "was cancelled",
            Self::Orphaned => "was cut off when Sonarr stopped",
        })
    }
}

impl CommandResource {
    /// How it ended; nothing while it is queued or runs. A state this version does not know may be
    /// either, and counts as running.
    pub fn end(&self) -> Option<CommandEnd> {
        Some(match (self.status.as_ref()?, &self.result) {
            (CommandStatus::Completed, Some(CommandResult::Unsuccessful)) => CommandEnd::Unsuccessful,
            (CommandStatus::Completed, _) => CommandEnd::Completed,
            (CommandStatus::Failed, _) => CommandEnd::Failed,
            (CommandStatus::Aborted, _) => CommandEnd::Aborted,
            (CommandStatus::Cancelled, _) => CommandEnd::Cancelled,
            (CommandStatus::Orphaned, _) => CommandEnd::Orphaned,
            _ => return None,
        })
    }

    /// What Sonarr says of how it goes or why it failed, on one line: its message and the first
    /// line of its exception, without the stack trace.
    pub fn reason(&self) -> Option<String> {
        let text =
            |text: &Option<String>| text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
        let exception = self.exception.as_deref().and_then(|exception| exception.lines().next()).map(str::to_owned);
        let said = match (text(&self.message), text(&exception)) {
            (Some(message), Some(exception)) if exception.contains(&message) => exception,
            (Some(message), Some(exception)) => format!("{message}; {exception}"),
            (Some(said), None) | (None, Some(said)) => said,
            (None, None) => return None,
        };
        Some(one_line(&said, REASON_LIMIT))
    }
}
