//! The description of a tool: what it is about, and what each operation takes and does.

use super::MAX_DESCRIPTION;
use crate::help;
use crate::operation::{Effect, Operation};
use crate::write::pairs;

/// A tool's description within [`MAX_DESCRIPTION`] characters.
///
/// The most operations of one verb that take and do the same are one entry (`other get_…(id)`);
/// optional arguments are shown as long as there is room for those of all operations.
pub fn describe(summary: &str, operations: &[&'static Operation]) -> String {
    let full = compose(summary, operations, true);
    if full.chars().count() <= MAX_DESCRIPTION {
        return full;
    }
    compose(summary, operations, false)
}

fn compose(summary: &str, operations: &[&'static Operation], optional: bool) -> String {
    let families = families(operations, optional);
    let mut text = summary.to_owned();
    for (title, class) in [("Reads", Class::Reads), ("Writes*", Class::Writes), ("Destroys!", Class::Destroys)] {
        let entries = entries(operations, &families, class, optional);
        if !entries.is_empty() {
            text.push_str(&format!("\n{title}: {}", entries.join(", ")));
        }
    }
    text.push('\n');
    text.push_str(help::HINT);
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

/// Operations that are one entry: they share verb, class and arguments.
#[derive(Debug, PartialEq, Eq)]
struct Family {
    verb: &'static str,
    class: Class,
    takes: String,
}

impl Family {
    fn of(operation: &Operation, optional: bool) -> Self {
        Family { verb: verb(operation), class: Class::of(operation), takes: signature(operation, optional) }
    }
}

/// The largest family of each verb, where it saves naming more than two operations. One of a verb
/// at most, so that a `get_…` stands for every operation of the verb that is not named.
fn families(operations: &[&'static Operation], optional: bool) -> Vec<Family> {
    let mut families: Vec<(Family, usize)> = Vec::new();
    for operation in operations {
        let family = Family::of(operation, optional);
        match families.iter_mut().find(|(known, _)| *known == family) {
            Some((_, members)) => *members += 1,
            None => families.push((family, 1)),
        }
    }
    families.sort_by_key(|(_, members)| std::cmp::Reverse(*members));
    let mut largest: Vec<Family> = Vec::new();
    for (family, members) in families {
        if members > 2 && largest.iter().all(|known| known.verb != family.verb) {
            largest.push(family);
        }
    }
    largest
}

fn entries(operations: &[&'static Operation], families: &[Family], class: Class, optional: bool) -> Vec<String> {
    let of_class = || operations.iter().filter(|one| Class::of(one) == class);
    let in_family = |operation: &Operation| families.contains(&Family::of(operation, optional));
    let named = of_class()
        .filter(|operation| !in_family(operation))
        .map(|operation| format!("{}{}", operation.name, signature(operation, optional)));
    let rest = families.iter().filter(|family| family.class == class).map(|family| {
        let alone = operations.iter().all(|one| verb(one) != family.verb || in_family(one));
        let other = if alone { "" } else { "other " };
        format!("{other}{}_…{}", family.verb, family.takes)
    });
    named.chain(rest).collect()
}

/// The first word of an operation's name.
fn verb(operation: &Operation) -> &'static str {
    operation.name.split('_').next().unwrap_or_default()
}

/// The arguments an operation takes: `(id, deleteFiles?)`; nothing when it takes none.
fn signature(operation: &Operation, optional: bool) -> String {
    let arguments: Vec<String> = operation
        .parameters
        .iter()
        .filter(|parameter| optional || pairs::is_required(operation, parameter))
        .map(|parameter| {
            let mark = if pairs::is_required(operation, parameter) { "" } else { "?" };
            format!("{}{mark}", pairs::argument(operation, parameter))
        })
        .collect();
    if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(",")) }
}
