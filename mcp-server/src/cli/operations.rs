//! `sonarr-mcp operations`: what can be called.

use serde_json::{Value, json};

use super::print;
use crate::dispatch::Dispatcher;
use crate::operation::Operation;

/// Prints the operations: for people a line each, or as a JSON array for programs. What is made
/// of several operations of Sonarr's API is in that array only when `workflows` are asked for.
pub fn print_all(dispatcher: &Dispatcher, as_json: bool, workflows: bool) -> std::io::Result<()> {
    if as_json { print(&json(dispatcher, workflows).to_string()) } else { print(&text(dispatcher)) }
}

fn json(dispatcher: &Dispatcher, workflows: bool) -> Value {
    let wanted = move |operation: &Operation| workflows || !operation.is_workflow();
    each(dispatcher, wanted, |tool, operation| {
        json!({
            "operation": operation.name,
            "tool": tool,
            "method": operation.method,
            "path": operation.path,
            "effect": operation.effect,
            "destructive": operation.destructive,
            "summary": operation.summary,
            "arguments": (operation.arguments)(),
        })
    })
    .collect()
}

fn text(dispatcher: &Dispatcher) -> String {
    let mut lines = Vec::new();
    for offer in dispatcher.catalogue().offers() {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.push(format!("{} - {}", offer.tool(), offer.group().summary));
        for operation in offer.operations() {
            let mark = match (operation.destructive, operation.effect.writes()) {
                (Some(_), _) => '!',
                (None, true) => '*',
                (None, false) => ' ',
            };
            lines.push(format!("{mark} {}: {}", operation.name, operation.summary));
        }
    }
    lines.push(String::new());
    lines.push("* changes Sonarr, ! destroys something".to_owned());
    lines.join("\n")
}

fn each<'a, T>(
    dispatcher: &'a Dispatcher,
    wanted: impl Fn(&Operation) -> bool + Copy + 'a,
    row: impl Fn(&str, &Operation) -> T + Copy + 'a,
) -> impl Iterator<Item = T> + 'a {
    dispatcher.catalogue().offers().iter().flat_map(move |offer| {
        let operations = offer.operations().iter().filter(move |operation| wanted(operation));
        operations.map(move |operation| row(offer.tool(), operation))
    })
}
