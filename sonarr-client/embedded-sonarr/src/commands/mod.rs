//! Commands: queued, started, completed or failed, on the server's clock.

mod effects;
mod library;
mod names;
mod rescan;
mod searches;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

pub(crate) use names::{Definition, definition};

use crate::state::{Row, State, int, iso, object, span, text};

/// Time between the queueing and the start of a command, when a worker is free.
const START_AFTER: TimeDelta = TimeDelta::milliseconds(200);
/// Worker threads.
const WORKERS: usize = 3;

/// A command.
#[derive(Clone, Debug)]
pub(crate) struct Command {
    pub id: i64,
    pub definition: &'static Definition,
    /// The parameters as the command's class holds them.
    pub parameters: Row,
    pub trigger: &'static str,
    pub quiet: bool,
    pub user_agent: Option<String>,
    pub queued: DateTime<Utc>,
    pub started: Option<DateTime<Utc>>,
    pub ended: Option<DateTime<Utc>>,
    pub status: &'static str,
    pub result: &'static str,
    pub message: Option<String>,
    pub exception: Option<String>,
}

impl Command {
    fn is_open(&self) -> bool {
        matches!(self.status, "queued" | "started")
    }

    /// How long it runs.
    fn length(&self) -> TimeDelta {
        match self.definition.name {
            "Test" => TimeDelta::milliseconds(int(&self.parameters, "duration").clamp(0, 600_000)),
            _ => TimeDelta::milliseconds(self.definition.millis),
        }
    }

    /// The command as the API writes it.
    pub(crate) fn json(&self) -> Value {
        let mut body = self.parameters.clone();
        body.extend(object(json!({
            "sendUpdatesToClient": !self.quiet,
            "updateScheduledTask": true,
            "requiresDiskAccess": self.definition.disk,
            "isExclusive": self.definition.name == "ApplicationUpdate",
            "isLongRunning": self.definition.long,
            "name": self.definition.name,
            "trigger": self.trigger,
            "suppressMessages": false,
        })));
        let mut row = object(json!({
            "name": self.definition.name,
            "commandName": self.definition.display(),
        }));
        if let Some(message) = &self.message {
            row.insert("message".into(), message.as_str().into());
        }
        row.insert("body".into(), Value::Object(body));
        row.insert("priority".into(), if self.definition.name == "ManualImport" { "high" } else { "normal" }.into());
        row.insert("status".into(), self.status.into());
        row.insert("result".into(), self.result.into());
        row.insert("queued".into(), iso(self.queued).into());
        if let Some(started) = self.started {
            row.insert("started".into(), iso(started).into());
        }
        if let Some(ended) = self.ended {
            row.insert("ended".into(), iso(ended).into());
            if let Some(started) = self.started {
                row.insert("duration".into(), span(ended - started).into());
            }
        }
        if let Some(exception) = &self.exception {
            row.insert("exception".into(), exception.as_str().into());
        }
        row.insert("trigger".into(), self.trigger.into());
        if let Some(agent) = &self.user_agent {
            row.insert("clientUserAgent".into(), agent.as_str().into());
        }
        if let Some(changed) = self.ended.or(self.started) {
            row.insert("stateChangeTime".into(), iso(changed).into());
        }
        row.insert("sendUpdatesToClient".into(), (!self.quiet).into());
        row.insert("updateScheduledTask".into(), true.into());
        row.insert("id".into(), self.id.into());
        Value::Object(row)
    }
}

/// The commands of a server.
#[derive(Clone, Debug, Default)]
pub(crate) struct Commands {
    pub items: Vec<Command>,
    last: i64,
}

impl Commands {
    fn running(&self) -> impl Iterator<Item = &Command> {
        self.items.iter().filter(|command| command.status == "started")
    }

    /// Whether a queued command may start: a worker is free, and the disk, if it needs it.
    fn may_start(&self, command: &Command) -> bool {
        self.running().count() < WORKERS
            && !(command.definition.disk && self.running().any(|other| other.definition.disk))
    }

    /// When the next command starts or ends.
    pub(crate) fn next_event(&self) -> Option<DateTime<Utc>> {
        let free_since = self.items.iter().filter_map(|command| command.ended).max();
        let queued = self.items.iter().filter(|command| command.status == "queued" && self.may_start(command));
        // What had to wait starts when the one it waited for ends.
        let starts = queued.map(|command| (command.queued + START_AFTER).max(free_since.unwrap_or(command.queued)));
        let ends = self.running().filter_map(|command| Some(command.started? + command.length()));
        starts.chain(ends).min()
    }

    pub(crate) fn get(&self, id: i64) -> Option<&Command> {
        self.items.iter().find(|command| command.id == id)
    }
}

impl State {
    /// Queues a command, unless an equal one is queued or runs; returns the id of the one or the other.
    pub(crate) fn queue_command(&mut self, name: &str, parameters: Value, trigger: &'static str) -> i64 {
        let Some(definition) = definition(name, self.next_version) else { return 0 };
        self.queue(definition, object(parameters), trigger, false, None)
    }

    /// See [`State::queue_command`].
    pub(crate) fn queue(
        &mut self,
        definition: &'static Definition,
        parameters: Row,
        trigger: &'static str,
        quiet: bool,
        user_agent: Option<String>,
    ) -> i64 {
        let equal = self.commands.items.iter().find(|command| {
            command.is_open() && command.definition.name == definition.name && command.parameters == parameters
        });
        if let Some(equal) = equal {
            return equal.id;
        }
        self.commands.last += 1;
        let id = self.commands.last;
        self.commands.items.push(Command {
            id,
            definition,
            parameters,
            trigger,
            quiet,
            user_agent,
            queued: self.now,
            started: None,
            ended: None,
            status: "queued",
            result: "unknown",
            message: None,
            exception: None,
        });
        id
    }

    /// Starts or ends the command that is due.
    pub(crate) fn step_command(&mut self, due: DateTime<Utc>) {
        let ending = self.commands.items.iter().position(|command| {
            command.status == "started" && command.started.is_some_and(|started| started + command.length() == due)
        });
        if let Some(index) = ending {
            return self.end_command(index, due);
        }
        let starting = self.commands.items.iter().position(|command| {
            command.status == "queued" && command.queued + START_AFTER <= due && self.commands.may_start(command)
        });
        if let Some(command) = starting.and_then(|index| self.commands.items.get_mut(index)) {
            command.status = "started";
            command.started = Some(due);
            command.message = Some(format!("Starting {}", command.definition.display()));
        }
    }

    fn end_command(&mut self, index: usize, due: DateTime<Utc>) {
        let Some(command) = self.commands.items.get(index).cloned() else { return };
        let outcome = self.run(&command);
        // The effect may have dropped commands from the list.
        let Some(command) = self.commands.items.iter_mut().find(|known| known.id == command.id) else { return };
        command.ended = Some(due);
        match outcome {
            Ok(Done { message, successful }) => {
                command.status = "completed";
                command.result = if successful { "successful" } else { "unsuccessful" };
                command.message = Some(message);
            }
            Err(exception) => {
                command.status = "failed";
                command.result = "unsuccessful";
                command.message = Some(exception.clone());
                command.exception = Some(format!(
                    "System.Exception: {exception}\n   at NzbDrone.Core.Messaging.Commands.CommandExecutor.ExecuteCommand()"
                ));
            }
        }
        let name = text(&object(json!({"name": command.definition.name})), "name").to_owned();
        self.table_mut("task-runs").retain(|row| text(row, "name") != name);
        let now = iso(due);
        self.table_mut("task-runs").insert(object(json!({"name": name, "time": now})));
    }
}

/// How a command ended that did not fail.
#[derive(Clone, Debug)]
pub(crate) struct Done {
    pub message: String,
    /// Whether it did anything useful.
    pub successful: bool,
}

impl Done {
    fn well(message: impl Into<String>) -> Result<Done, String> {
        Ok(Done { message: message.into(), successful: true })
    }

    fn in_vain(message: impl Into<String>) -> Result<Done, String> {
        Ok(Done { message: message.into(), successful: false })
    }
}
