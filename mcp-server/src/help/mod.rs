//! What a model reads when it asks: the operations of a tool, and everything about one of them.
//!
//! The tools' list is paid for in every conversation, so it says little; this is where the rest is
//! said. All of it is made from the table of operations and nothing is asked of Sonarr.

mod commands;
mod known;
mod refusal;
mod schema;
mod settable;
mod words;

use serde_json::{Map, Value, json};

pub use known::check;
pub use refusal::{Existing, Lookup, teach};
pub use words::argument;

use crate::audits;
use crate::generated::commands::COMMANDS;
use crate::operation::{Effect, Operation};
use crate::write::pairs;

/// The operation that every tool has beside Sonarr's own.
pub const NAME: &str = "help";

/// The argument of [`NAME`]: the operation to tell everything about.
pub const TOPIC: &str = "operation";

/// What stands in the description of every tool.
pub const HINT: &str = "help(operation?)";

/// The operations of a tool, a line each: arguments, effect and what it does.
pub fn group(tool: &str, about: &str, operations: &[&'static Operation]) -> Value {
    let lines: Vec<String> = operations.iter().map(|operation| line(operation)).collect();
    json!({
        "tool": tool,
        "about": about,
        "marks": "? may be left out, * changes something, ! destroys something, ~ may take long",
        "operations": lines,
        "more": "help with {\"operation\": \"NAME\"} tells all arguments, what Sonarr checks, and an example",
    })
}

/// `name(id, moveFiles?)!: what it does`
fn line(operation: &Operation) -> String {
    let arguments: Vec<String> = operation
        .takes()
        .map(|parameter| {
            let mark = if pairs::is_required(operation, parameter) { "" } else { "?" };
            format!("{}{mark}", pairs::argument(operation, parameter))
        })
        .collect();
    let arguments = if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) };
    let effect = match (operation.destructive, operation.effect) {
        (Some(_), _) => "!",
        (None, Effect::Read) => "",
        (None, _) => "*",
    };
    let long = if operation.long_running { "~" } else { "" };
    format!("{}{arguments}{effect}{long}: {}", operation.name, operation.summary)
}

/// Everything about one operation. `example` is the arguments of a call that works, as JSON; an
/// empty one leaves the example out.
pub fn operation(tool: &str, operation: &Operation, example: &str) -> Value {
    let mut help = Map::new();
    let mut tell = |name: &str, value: Value| {
        help.insert(name.to_owned(), value);
    };
    tell("tool", json!(tool));
    tell("operation", json!(operation.name));
    tell("summary", json!(operation.summary));
    if !operation.details.is_empty() {
        tell("details", json!(operation.details));
    }
    tell("effect", json!(operation.effect));
    if let Some(lost) = operation.destructive {
        tell("destroys", json!(lost));
    }
    if operation.effect.writes() {
        tell("idempotent", json!(operation.idempotent));
    }
    if operation.long_running {
        tell("long_running", json!(true));
    }
    tell("arguments", schema::arguments(operation));
    if let Some(audit) = audits::of(operation.name) {
        let finds = audit.kinds.iter().map(|kind| (kind.name.to_owned(), json!(kind.meaning)));
        tell("finds", Value::Object(finds.collect()));
    }
    if operation.name == commands::OPERATION {
        tell("commands", commands::all(COMMANDS));
    }
    if !operation.requires.is_empty() {
        tell("checked", json!(operation.requires));
    }
    if let Some(call) = call(operation, example) {
        tell("example", call);
    }
    Value::Object(help)
}

/// The example as a whole call: the tool's input.
pub fn call(operation: &Operation, example: &str) -> Option<Value> {
    let arguments: Value = serde_json::from_str(example).ok()?;
    let mut call = Map::new();
    call.insert("operation".to_owned(), json!(operation.name));
    if arguments.as_object().is_some_and(|arguments| !arguments.is_empty()) {
        call.insert("arguments".to_owned(), arguments);
    }
    Some(Value::Object(call))
}

#[cfg(test)]
mod tests;
