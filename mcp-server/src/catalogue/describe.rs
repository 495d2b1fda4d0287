//! The description of a tool: what it is about, and what each operation takes and does.

use crate::help;
use crate::operation::{Effect, Operation};
use crate::write::pairs;

/// A tool's description within [`MAX_DESCRIPTION`](super::MAX_DESCRIPTION) characters.
///
/// It says what a name does not: which operations write and which destroy, and what each needs.
/// Reads that need nothing are left to the enum; what an operation takes beyond, to `help`.
/// Operations of one verb that need the same are one entry (`get_…(id)`).
pub fn describe(summary: &str, operations: &[&'static Operation], shown: Shown) -> String {
    let families = families(operations);
    let mut text = summary.to_owned();
    for (title, class) in [("Reads", Class::Reads), ("Writes*", Class::Writes), ("Destroys!", Class::Destroys)] {
        if !shown.shows(class) {
            continue;
        }
        let entries = entries(operations, &families, class);
        if !entries.is_empty() {
            text.push_str(&format!("\n{title}: {}", entries.join(", ")));
        }
    }
    text.push('\n');
    text.push_str(help::HINT);
    text
}

/// Which operations a description tells of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// All but the reads that need nothing.
    All,
    /// Those that remove or overwrite something, and no other: what a caller must know beforehand.
    Destroys,
    /// None. Where all of them read, the refusal of an incomplete call tells what it needs, and
    /// nothing is lost by it.
    Nothing,
}

impl Shown {
    fn shows(self, class: Class) -> bool {
        match self {
            Shown::All => true,
            Shown::Destroys => class == Class::Destroys,
            Shown::Nothing => false,
        }
    }
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

/// Operations that are one entry: they share verb, class and what they need.
#[derive(Debug, PartialEq, Eq)]
struct Family {
    verb: &'static str,
    class: Class,
    needs: String,
}

impl Family {
    fn of(operation: &Operation) -> Self {
        Family { verb: verb(operation), class: Class::of(operation), needs: signature(operation) }
    }
}

/// The families of more than one operation, each with the ending of its names: none
/// for the largest of a verb, which stands for every operation of the verb that is not named.
fn families(operations: &[&'static Operation]) -> Vec<(Family, &'static str)> {
    let mut all: Vec<(Family, Vec<&'static str>)> = Vec::new();
    for operation in operations {
        let family = Family::of(operation);
        match all.iter_mut().find(|(known, _)| *known == family) {
            Some((_, names)) => names.push(operation.name),
            None => all.push((family, vec![operation.name])),
        }
    }
    all.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
    let mut families: Vec<(Family, &'static str)> = Vec::new();
    for (family, names) in all.into_iter().filter(|(_, names)| names.len() > 1) {
        let largest = families.iter().all(|(known, _)| known.verb != family.verb);
        let ending = if largest { Some("") } else { common_ending(&names) };
        families.extend(ending.map(|ending| (family, ending)));
    }
    families
}

/// The words that all names end in, such as `_by_id`.
fn common_ending(names: &[&'static str]) -> Option<&'static str> {
    let first = names.first()?;
    let endings = first.match_indices('_').filter_map(|(start, _)| first.get(start..));
    // The first word is the verb.
    endings.skip(1).find(|ending| names.iter().all(|name| name.ends_with(ending)))
}

fn entries(operations: &[&'static Operation], families: &[(Family, &'static str)], class: Class) -> Vec<String> {
    let told = |needs: &str| class != Class::Reads || !needs.is_empty();
    let named = operations
        .iter()
        .filter(|operation| Class::of(operation) == class)
        .map(|operation| (operation.name, Family::of(operation)))
        .filter(|(_, own)| told(&own.needs) && families.iter().all(|(family, _)| family != own))
        .map(|(name, own)| format!("{name}{}", own.needs));
    let rest = families
        .iter()
        .filter(|(family, _)| family.class == class && told(&family.needs))
        .map(|(family, ending)| format!("{}_…{ending}{}", family.verb, family.needs));
    named.chain(rest).collect()
}

/// The first word of an operation's name.
fn verb(operation: &Operation) -> &'static str {
    operation.name.split('_').next().unwrap_or_default()
}

/// The arguments an operation needs: `(id)`; nothing when it needs none.
fn signature(operation: &Operation) -> String {
    let arguments: Vec<&str> = operation
        .takes()
        .filter(|parameter| pairs::is_required(operation, parameter))
        .map(|parameter| pairs::argument(operation, parameter))
        .collect();
    if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(",")) }
}
