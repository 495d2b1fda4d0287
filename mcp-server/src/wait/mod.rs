//! `wait`: following a command to its end.
//!
//! Sonarr answers at once that a command is queued. Whoever wants to know what became of it looks
//! again; this is the one who does.

use std::time::Duration;

use serde_json::{Map, Value, json};
use sonarr_client::CommandEnd;
use sonarr_client::types::CommandResource;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::answer::{Answer, Content};
use crate::arguments::ArgumentError;
use crate::failure::{Code, Failure};
use crate::operation::{Kind, Operation, Parameter, Place};
use crate::write::{Reader, pairs::whole};

/// The operation that takes it.
pub const OPERATION: &str = "run_command";

/// The argument: for how many seconds a command is followed.
pub const NAME: &str = "wait";

/// The longest wait, in seconds.
pub const LONGEST: u64 = 3600;

/// The pause before the second look; each one is half as long again, up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(400);

/// The longest pause between two looks.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// What [`OPERATION`] takes beside Sonarr's own.
static PARAMETERS: &[Parameter] = &[Parameter {
    name: NAME,
    place: Place::Query,
    kind: Kind::Integer,
    required: false,
    summary: "Seconds to follow it to its end.",
    values: &[],
}];

/// The parameters that an operation takes and Sonarr never sees.
pub fn parameters(operation: &Operation) -> &'static [Parameter] {
    if operation.name == OPERATION { PARAMETERS } else { &[] }
}

/// Takes the wait out of the arguments of a call.
///
/// # Errors
/// Anything but a whole number of seconds up to [`LONGEST`].
pub fn take(operation: &Operation, arguments: &mut Map<String, Value>) -> Result<Option<Duration>, ArgumentError> {
    if operation.name != OPERATION {
        return Ok(None);
    }
    match arguments.shift_remove(NAME) {
        None | Some(Value::Null) => Ok(None),
        Some(given) => match whole(&given).and_then(|seconds| u64::try_from(seconds).ok()) {
            Some(0) => Ok(None),
            Some(seconds) if seconds <= LONGEST => Ok(Some(Duration::from_secs(seconds))),
            _ => Err(ArgumentError::new(
                format!("arguments.{NAME}"),
                format!("expected a whole number of seconds from 0 to {LONGEST}"),
            )),
        },
    }
}

/// Follows the command that Sonarr answered with, for as long as `patience`.
///
/// Once a look has shown its end, that counts: nothing is looked at again. A look that fails is
/// made again, for the command goes on without it.
///
/// # Errors
/// The command failed, or ended without success. That its end was not seen is no failure.
pub async fn follow(reader: &dyn Reader, queued: Answer, patience: Duration) -> Result<Answer, Failure> {
    let Content::Json(command) = &queued.content else {
        return Ok(queued);
    };
    let Some(id) = command.get("id").and_then(Value::as_i64) else {
        return Ok(queued.noting("Sonarr told no id, so the command could not be followed"));
    };
    let mut seen = command.clone();
    let mut trouble = None;
    let deadline = Instant::now() + patience;
    let mut pause = FIRST_PAUSE;
    loop {
        tell(&seen);
        if let Some(end) = conclude(id, &seen, &queued) {
            return end;
        }
        let now = Instant::now();
        if now >= deadline {
            return Ok(unfinished(id, seen, trouble.as_ref(), patience));
        }
        tokio::time::sleep_until((now + pause).min(deadline)).await;
        pause = pause.mul_f64(1.5).min(LONGEST_PAUSE);
        let arguments = Map::from_iter([("id".to_owned(), Value::from(id))]);
        match reader.read("get_command", arguments).await {
            Ok(look) => (seen, trouble) = (look, None),
            // It was dropped from the list, or Sonarr accepts another key by now: looking again is no use.
            Err(failure) if matches!(failure.code, Code::NotFound | Code::KeyRefused) => {
                return Ok(unfinished(id, seen, Some(&failure), patience));
            }
            Err(failure) => trouble = Some(failure),
        }
    }
}

tokio::task_local! {
    /// Who is told how a long call goes on.
    static LISTENER: watch::Sender<Told>;
}

/// Runs `call`; how the commands go that it follows, and what it looks at, is told to `listener`.
pub async fn listening<T>(listener: watch::Sender<Told>, call: impl Future<Output = T>) -> T {
    LISTENER.scope(listener, call).await
}

/// Tells name and state; Sonarr's own words may hold what is masked in an answer.
fn tell(command: &Value) {
    let text = |member: &str| command.get(member).and_then(Value::as_str).unwrap_or_default();
    tell_listener(Told { message: format!("{} is {}", text("name"), state(text("status"))), parts: None });
}

/// What is told of a call that goes on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    /// What is being done.
    pub message: String,
    /// How many parts are done, of how many; nothing where that is not known.
    pub parts: Option<(usize, usize)>,
}

/// Tells whoever waits what is being done.
pub fn tell_listener(told: Told) {
    // Often nobody listens.
    let _ = LISTENER.try_with(|listener| listener.send_replace(told));
}

/// What is answered of a command that has ended; nothing while it waits or runs.
fn conclude(id: i64, command: &Value, queued: &Answer) -> Option<Result<Answer, Failure>> {
    // What the SDK cannot read shows no end.
    let read: CommandResource = serde_json::from_value(command.clone()).ok()?;
    match read.end()? {
        CommandEnd::Completed => Some(Ok(Answer { content: Content::Json(command.clone()), ..queued.clone() })),
        end => {
            let name = read.name.as_deref().unwrap_or("the command");
            let why = read.reason().map(|reason| format!(": {reason}")).unwrap_or_default();
            let failure = Failure::new(Code::SonarrFailed, format!("{name} (command {id}) {end}{why}"))
                .cure(format!("Sonarr's log says more; {} shows the command", look(id)));
            Some(Err(failure))
        }
    }
}

/// What is told of a command whose end was not seen.
fn unfinished(id: i64, seen: Value, trouble: Option<&Failure>, patience: Duration) -> Answer {
    let status = seen.get("status").and_then(Value::as_str).unwrap_or("unknown").to_owned();
    let note = match trouble {
        None => format!(
            "the command is still {} after {} s; look again with {}",
            state(&status),
            patience.as_secs(),
            look(id)
        ),
        Some(failure) => format!(
            "the command was {} when it was last seen, and then it could not be looked at ({}); what became of it is \
             not known; look again with {}",
            state(&status),
            failure.message,
            look(id)
        ),
    };
    Answer::new(Content::Json(seen)).noting(note)
}

fn state(status: &str) -> &str {
    match status {
        "queued" => "waiting in Sonarr's queue",
        "started" => "running",
        other => other,
    }
}

fn look(id: i64) -> String {
    json!({"operation": "get_command", "arguments": {"id": id}}).to_string()
}

#[cfg(test)]
mod tests;
