//! Following a command to its end.

use std::fmt;
use std::time::Duration;

use futures::future::{BoxFuture, FutureExt as _};
use tokio::time::Instant;

use super::{Command, CommandEnd};
use crate::prelude::ClientSystemCommandsExt as _;
use crate::types::CommandResource;
use crate::{Client, Error, ErrorKind};

/// How long a command is followed unless [`Wait::timeout`] says otherwise.
const TIMEOUT: Duration = Duration::from_secs(600);

/// The pause before the second look, unless [`Wait::pauses`] says otherwise.
const FIRST_PAUSE: Duration = Duration::from_millis(400);

/// The longest pause between two looks, unless [`Wait::pauses`] says otherwise.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// How much longer each pause is than the one before.
const GROWTH: f64 = 1.5;

impl Client {
    /// Queues a command, and answers at once with what Sonarr made of it.
    ///
    /// An equal command that is queued or runs already is answered with, in place of a second one.
    ///
    /// # Errors
    /// See [`Error`]. A command is sent once: after a time-out it may be queued all the same.
    pub async fn run(&self, command: &impl Command) -> Result<CommandResource, Error> {
        Ok(self.run_command().body(command.request()).send().await?.into_inner())
    }

    /// Follows a command to its end: `client.wait(&command).await`.
    ///
    /// `command` is what [`Client::run`] answered with, or any other answer that shows the command.
    /// See [`Wait`].
    pub fn wait<'a>(&'a self, command: &CommandResource) -> Wait<'a> {
        Wait {
            client: self,
            command: command.clone(),
            timeout: TIMEOUT,
            pauses: (FIRST_PAUSE, LONGEST_PAUSE),
            listener: None,
        }
    }
}

/// What is told of each change.
type Listener<'a> = Box<dyn FnMut(&CommandResource) + Send + 'a>;

/// A command that is followed to its end, made by [`Client::wait`]. Awaiting it looks at the command
/// (`GET /api/v3/command/{id}`) until it has ended, and gives the command as it ended.
///
/// A look that fails for a reason that passes by itself, such as a Sonarr that restarts, is made
/// again. Dropping it stops the looks; the command goes on.
///
/// # Errors
/// See [`WaitError`].
#[must_use = "nothing is looked at until it is awaited"]
pub struct Wait<'a> {
    client: &'a Client,
    command: CommandResource,
    timeout: Duration,
    pauses: (Duration, Duration),
    listener: Option<Listener<'a>>,
}

impl<'a> Wait<'a> {
    /// How long it is followed; 10 minutes unless set. A search of all that is missing, or moving
    /// files, may take hours. The command goes on after that.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// The pause before the second look, 0.4 seconds unless set, and the longest one, 5 seconds
    /// unless set. Each is half as long again as the one before.
    pub fn pauses(mut self, first: Duration, longest: Duration) -> Self {
        self.pauses = (first, longest);
        self
    }

    /// Is given the command at first, and whenever its state or its message has changed.
    pub fn on_change(mut self, listener: impl FnMut(&CommandResource) + Send + 'a) -> Self {
        self.listener = Some(Box::new(listener));
        self
    }

    async fn follow(mut self) -> Result<CommandResource, WaitError> {
        let Some(id) = self.command.id else {
            let reason = "a command without an id cannot be followed".to_owned();
            return Err(WaitError::Call(Error::InvalidRequest(reason)));
        };
        let mut seen = self.command;
        let begun = Instant::now();
        let deadline = begun.checked_add(self.timeout);
        let (mut pause, longest) = self.pauses;
        let mut trouble = None;
        let mut listen = |command: &CommandResource| {
            if let Some(listener) = &mut self.listener {
                listener(command);
            }
        };
        listen(&seen);
        loop {
            match seen.end() {
                Some(CommandEnd::Completed) => return Ok(seen),
                Some(CommandEnd::Orphaned) => return Err(WaitError::Lost { command: Box::new(seen) }),
                Some(end) => return Err(WaitError::Ended { command: Box::new(seen), end }),
                None => {}
            }
            let late =
                |command, trouble| WaitError::TimedOut { command: Box::new(command), waited: begun.elapsed(), trouble };
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(late(seen, trouble));
            }
            let next = Instant::now() + pause;
            tokio::time::sleep_until(deadline.map_or(next, |deadline| next.min(deadline))).await;
            pause = pause.mul_f64(GROWTH).min(longest);
            // A look that has begun may end a little late, or the last one would never succeed.
            let looking = self.client.get_command().id(id).send();
            let look = match deadline {
                Some(deadline) => {
                    match tokio::time::timeout_at(deadline.max(Instant::now() + FIRST_PAUSE), looking).await {
                        Ok(look) => look,
                        Err(_) => return Err(late(seen, trouble)),
                    }
                }
                None => looking.await,
            };
            match look.map(crate::ResponseValue::into_inner) {
                // A restored database counts its commands anew.
                Ok(other) if other.name != seen.name || other.queued != seen.queued => {
                    return Err(WaitError::Lost { command: Box::new(seen) });
                }
                Ok(look) => {
                    if (&look.status, &look.message) != (&seen.status, &seen.message) {
                        listen(&look);
                    }
                    (seen, trouble) = (look, None);
                }
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    return Err(WaitError::Lost { command: Box::new(seen) });
                }
                Err(error) if passes(&error) => trouble = Some(error),
                Err(error) => return Err(WaitError::Call(error)),
            }
        }
    }
}

impl<'a> IntoFuture for Wait<'a> {
    type Output = Result<CommandResource, WaitError>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        self.follow().boxed()
    }
}

impl fmt::Debug for Wait<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wait")
            .field("command", &self.command.id)
            .field("timeout", &self.timeout)
            .field("pauses", &self.pauses)
            .finish_non_exhaustive()
    }
}

/// Whether a look that failed so may succeed when Sonarr, or what stands before it, is up again.
fn passes(error: &Error) -> bool {
    match error.kind() {
        ErrorKind::ConnectionRefused
        | ErrorKind::Unreachable
        | ErrorKind::Dns
        | ErrorKind::ConnectTimeout
        | ErrorKind::Timeout
        | ErrorKind::ConnectionClosed
        | ErrorKind::StartingUp => true,
        _ => error.status().is_some_and(|status| matches!(status.as_u16(), 502..=504)),
    }
}

/// Why a command that was followed gave no good end.
///
/// Neither `Display` nor `Debug` shows the stack trace of a command that failed.
#[non_exhaustive]
pub enum WaitError {
    /// It ended, and not well.
    Ended {
        /// The command as it ended.
        command: Box<CommandResource>,
        /// How it ended; neither completed nor orphaned.
        end: CommandEnd,
    },
    /// Sonarr restarted, or was restored from a backup, before the command had ended. A command that ran is
    /// [`CommandEnd::Orphaned`] then, or unknown; what it had done by then is done.
    Lost {
        /// The command as it was last seen.
        command: Box<CommandResource>,
    },
    /// The time given for it is over, and it had not ended. It goes on.
    TimedOut {
        /// The command as it was last seen.
        command: Box<CommandResource>,
        /// How long it was followed.
        waited: Duration,
        /// Why the last look failed, if it did.
        trouble: Option<Error>,
    },
    /// It cannot be looked at, for a reason that stays: the key is refused, say.
    Call(Error),
}

impl WaitError {
    /// The command as it was last seen; nothing when it could not be looked at.
    pub fn command(&self) -> Option<&CommandResource> {
        match self {
            Self::Ended { command, .. } | Self::Lost { command } | Self::TimedOut { command, .. } => Some(command),
            Self::Call(_) => None,
        }
    }
}

/// `RssSync (command 5)`.
fn named(command: &CommandResource) -> String {
    let name = command.name.as_deref().unwrap_or("the command");
    match command.id {
        Some(id) => format!("{name} (command {id})"),
        None => name.to_owned(),
    }
}

impl fmt::Display for WaitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ended { command, end } => {
                write!(f, "{} {end}", named(command))?;
                command.reason().map_or(Ok(()), |reason| write!(f, ": {reason}"))
            }
            Self::Lost { command } => write!(
                f,
                "{} was lost: Sonarr restarted or was restored before it had ended; what it did until then is done, \
                 and nothing more",
                named(command)
            ),
            Self::TimedOut { command, waited, trouble } => {
                let state = command.status.as_ref().map_or("unknown".to_owned(), ToString::to_string);
                write!(f, "{} had not ended after {} s: it is {state}", named(command), waited.as_secs())?;
                trouble.as_ref().map_or(Ok(()), |trouble| write!(f, "; the last look at it failed: {trouble}"))
            }
            Self::Call(error) => write!(f, "the command cannot be followed: {error}"),
        }
    }
}

impl fmt::Debug for WaitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Ended { .. } => "Ended",
            Self::Lost { .. } => "Lost",
            Self::TimedOut { .. } => "TimedOut",
            Self::Call(_) => "Call",
        };
        f.debug_tuple(name).field(&format_args!("{self}")).finish()
    }
}

impl std::error::Error for WaitError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Call(error) | Self::TimedOut { trouble: Some(error), .. } => Some(error),
            _ => None,
        }
    }
}
