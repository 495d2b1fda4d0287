//! The commands of `run_command`, for the help about it.

use serde_json::{Map, Value, json};

use crate::command::{Command, CommandParameter};

/// The operation that takes them.
pub(super) const OPERATION: &str = "run_command";

/// Every command by name: what it does, its parameters, and what it destroys or starts.
pub(super) fn all(commands: &[Command]) -> Value {
    let entries = commands.iter().map(|command| (command.name.to_owned(), entry(command)));
    Value::Object(entries.collect())
}

fn entry(command: &Command) -> Value {
    let mut entry = Map::new();
    let mut tell = |name: &str, value: Value| {
        entry.insert(name.to_owned(), value);
    };
    let mut does = command.summary.to_owned();
    if !command.details.is_empty() {
        does = format!("{does} {}", command.details);
    }
    tell("does", json!(does));
    if !command.parameters.is_empty() {
        tell("parameters", parameters(command.parameters));
    }
    if let Some(lost) = command.destructive {
        tell("destroys", json!(lost));
    }
    for (name, holds) in [
        ("may_download", command.downloads),
        ("long_running", command.long_running),
        ("of_no_use_to_callers", command.internal),
    ] {
        if holds {
            tell(name, json!(true));
        }
    }
    if let Some(version) = command.since {
        tell("since_sonarr", json!(version));
    }
    Value::Object(entry)
}

/// `{"seriesId": "integer, required: …"}`; an object's members in its place.
fn parameters(parameters: &[CommandParameter]) -> Value {
    let entries = parameters.iter().map(|parameter| {
        let told = told(parameter);
        let value = match parameter.members {
            [] => json!(told),
            members => json!({"type": told, "members": self::parameters(members)}),
        };
        (parameter.name.to_owned(), value)
    });
    Value::Object(entries.collect())
}

fn told(parameter: &CommandParameter) -> String {
    let mut told = match parameter.values {
        [] => parameter.type_name.to_owned(),
        values => values.join(" | "),
    };
    if parameter.required {
        told.push_str(", required");
    }
    if let Some(default) = parameter.default {
        told.push_str(&format!(", default {default}"));
    }
    format!("{told}: {}", parameter.summary)
}
