//! The description of a tool: what it is about, and what each operation takes and does.

use super::MAX_DESCRIPTION;
use crate::operation::{Effect, Operation};

/// A tool's description within [`MAX_DESCRIPTION`] characters.
///
/// Operations of one verb that take and do the same are one entry (`get_…`); optional arguments
/// are shown as long as there is room for those of all operations.
pub fn describe(summary: &str, operations: &[&'static Operation]) -> String {
    let full = compose(summary, operations, true);
    if full.chars().count() <= MAX_DESCRIPTION {
        return full;
    }
    compose(summary, operations, false)
}

fn compose(summary: &str, operations: &[&'static Operation], optional: bool) -> String {
    let mut text = summary.to_owned();
    for (title, class) in [("Reads", Class::Reads), ("Writes*", Class::Writes), ("Destroys!", Class::Destroys)] {
        let entries = entries(operations, class, optional);
        if !entries.is_empty() {
            text.push_str(&format!("\n{title}: {}", entries.join(", ")));
        }
    }
    text
}

/// What matters most about a call to who has to decide on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Reads,
    Writes,
    Destroys,
}

impl Class {
    fn of(operation: &Operation) -> Self {
        match (operation.destructive, operation.effect) {
            (Some(_), _) => Class::Destroys,
            (None, Effect::Read) => Class::Reads,
            (None, _) => Class::Writes,
        }
    }
}

fn entries(operations: &[&'static Operation], class: Class, optional: bool) -> Vec<String> {
    let verb_of = |operation: &Operation| operation.name.split('_').next().unwrap_or_default();
    let mut entries = Vec::new();
    let mut done: Vec<&str> = Vec::new();
    for operation in operations {
        if Class::of(operation) != class || done.contains(&operation.name) {
            continue;
        }
        let takes = signature(operation, optional);
        let alike = |other: &&&'static Operation| Class::of(other) == class && signature(other, optional) == takes;
        let verb = verb_of(operation);
        let kin: Vec<&&'static Operation> = operations.iter().filter(|other| verb_of(other) == verb).collect();
        if kin.len() > 2 && kin.iter().all(|other| alike(&other)) {
            done.extend(kin.iter().map(|other| other.name));
            entries.push(format!("{verb}_…{takes}"));
        } else {
            done.push(operation.name);
            entries.push(format!("{}{takes}", operation.name));
        }
    }
    entries
}

/// The arguments an operation takes: `(id, deleteFiles?)`; nothing when it takes none.
fn signature(operation: &Operation, optional: bool) -> String {
    let arguments: Vec<String> = operation
        .parameters
        .iter()
        .filter(|parameter| optional || parameter.required)
        .map(|parameter| {
            let mark = if parameter.required { "" } else { "?" };
            format!("{}{mark}", parameter.name)
        })
        .collect();
    if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(",")) }
}
