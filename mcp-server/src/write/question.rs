//! The question a person is asked before something goes.

use serde_json::{Map, Value};

use super::commands;
use super::difference::Change;
use super::stakes::{Stakes, Thing, flag, readable, visible};
use crate::operation::Operation;

/// So many things are named; of more the number is told.
const NAMED: usize = 10;

/// The question: the operation with its object, what would go with counts and sizes, what the
/// call would change, why it is asked, and what its defaults do that one might not expect. Of a
/// call without anything of that the body is shown, which must hold no secret.
pub fn compose(
    operation: &Operation,
    arguments: &Map<String, Value>,
    takes: Option<&str>,
    stakes: &Stakes,
    changes: &[Change],
    body: Option<&Value>,
) -> String {
    let mut lines = vec![format!("{}: {}", title(operation, arguments), operation.summary)];
    lines.extend(stakes.things.iter().take(NAMED).map(|thing| format!("- {}", describe(thing))));
    if let Some(more) = stakes.things.len().checked_sub(NAMED).filter(|more| *more > 0) {
        lines.push(format!("- and {more} more"));
    }
    lines.extend(
        changes
            .iter()
            .map(|change| format!("- {}: {} → {}", change.path, shortened(&change.before), shortened(&change.after))),
    );
    if let (Some(body), true) = (body, stakes.things.is_empty() && changes.is_empty()) {
        lines.push(format!("- {}", cut(&body.to_string(), BODY_SHOWN)));
    }
    lines.extend(totals(stakes));
    lines.extend(takes.map(sentence));
    lines.extend(surprises(operation, arguments).into_iter().map(|text| sentence(&text)));
    lines.extend(stakes.notes.iter().map(|note| sentence(note)));
    lines.push("Do it?".to_owned());
    lines.join("\n")
}

/// So much of a body is shown, in characters.
const BODY_SHOWN: usize = 400;

/// The operation, with the id or the command it is called with.
fn title(operation: &Operation, arguments: &Map<String, Value>) -> String {
    if operation.name == "run_command"
        && let Some(name) = commands::name(arguments.get("body"))
    {
        return format!("run_command {}", readable(name));
    }
    match arguments.get("id") {
        Some(id) => format!("{} {id}", operation.name),
        None => operation.name.to_owned(),
    }
}

fn describe(thing: &Thing) -> String {
    let mut text = match thing.id {
        Some(id) => format!("{} (id {id})", thing.name),
        None => thing.name.clone(),
    };
    if let Some(files) = thing.files {
        text.push_str(&format!(", {}", plural(files, "file")));
    }
    if let Some(bytes) = thing.bytes {
        text.push_str(&format!(", {}", size(bytes)));
    }
    text
}

/// What goes altogether, where that is more than the list says.
fn totals(stakes: &Stakes) -> Option<String> {
    let mut parts = Vec::new();
    if let Some(count) = stakes.count {
        parts.push(plural(count, "entry"));
    } else if stakes.things.len() > 1 {
        parts.push(plural(stakes.things.len() as u64, "thing"));
    }
    if stakes.files > 0 {
        parts.push(format!("{} on disk", plural(stakes.files, "file")));
    }
    if stakes.downloads > 0 {
        parts.push(format!("{} in the download client", plural(stakes.downloads, "download")));
    }
    if stakes.bytes > 0 {
        parts.push(size(stakes.bytes));
    }
    (!parts.is_empty()).then(|| format!("Would go: {}.", parts.join(", ")))
}

/// What the defaults of a call do that one might not expect.
pub fn surprises(operation: &Operation, arguments: &Map<String, Value>) -> Vec<String> {
    let given = |name: &str| flag(arguments, name);
    let mut told = Vec::new();
    match operation.name {
        "remove_queue_item" | "remove_queue_items" => {
            match (given("removeFromClient"), given("changeCategory")) {
                (Some(false), Some(true)) => told.push("the download stays in the download client, under its category for imported ones".to_owned()),
                (Some(false), _) => told.push("the download stays in the download client, and Sonarr may take it up again".to_owned()),
                (Some(true), _) => told.push("the download and its data are deleted in the download client, too".to_owned()),
                (None, _) => told.push("the download and its data are deleted in the download client, too: `removeFromClient` is true unless it is given as false".to_owned()),
            }
            if given("blocklist") == Some(true) && given("skipRedownload") != Some(true) {
                told.push("Sonarr may search for another release at once: `skipRedownload` is false unless it is given as true".to_owned());
            }
        }
        "delete_series" | "delete_many_series" => {
            if given("deleteFiles") == Some(true) {
                told.push(
                    "files go to the recycle bin only if one is set in Sonarr, else they are gone for good".to_owned(),
                );
            } else {
                told.push("the files stay on disk: `deleteFiles` is false unless it is given as true".to_owned());
            }
            if given("addImportListExclusion") != Some(true) {
                told.push(
                    "import lists may add it again: `addImportListExclusion` is false unless it is given as true"
                        .to_owned(),
                );
            }
        }
        "delete_episode_file" | "delete_episode_files" => {
            told.push("the episodes are missing afterwards, and those monitored may be downloaded again".to_owned());
        }
        "restart_system" | "shutdown_system" => {
            told.push("downloads in the download client go on, but nothing is imported meanwhile".to_owned());
        }
        "restore_backup" | "restore_backup_upload" => {
            told.push(
                "whatever was changed in Sonarr since that backup is lost, and its API key may become another"
                    .to_owned(),
            );
        }
        _ => {}
    }
    told
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let Some(first) = chars.next() else {
        return String::new();
    };
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{}{}{end}", first.to_uppercase(), chars.as_str())
}

fn shortened(value: &Value) -> String {
    /// Enough for a setting; a list is cut.
    const LONGEST: usize = 80;
    cut(&value.to_string(), LONGEST)
}

fn cut(text: &str, longest: usize) -> String {
    let text = visible(text);
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

fn plural(number: u64, noun: &str) -> String {
    match (number, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        (_, None) => format!("{number} {noun}s"),
    }
}

/// A size as Sonarr shows it: 1024 bytes are a KiB.
fn size(bytes: u64) -> String {
    let mut value = bytes as f64;
    let mut unit = "bytes";
    for next in ["KiB", "MiB", "GiB", "TiB", "PiB"] {
        if value < 1024.0 {
            break;
        }
        value /= 1024.0;
        unit = next;
    }
    if unit == "bytes" { format!("{bytes} bytes") } else { format!("{value:.1} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::{compose, size, surprises};
    use crate::generated::GROUPS;
    use crate::operation::Operation;
    use crate::write::difference::Change;
    use crate::write::stakes::{Stakes, Thing};
    use serde_json::{Map, Value, json};

    fn operation(name: &str) -> &'static Operation {
        GROUPS.iter().flat_map(|group| group.operations).find(|it| it.name == name).unwrap()
    }

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn a_question_names_operation_things_counts_and_surprises() {
        let operation = operation("remove_queue_item");
        let stakes = Stakes {
            things: vec![Thing {
                id: Some(7),
                name: "A.Show.S01".to_owned(),
                bytes: Some(3 << 30),
                ..Thing::default()
            }],
            bytes: 3 << 30,
            downloads: 1,
            notes: vec!["2 more records go".to_owned()],
            ..Stakes::default()
        };
        let text = compose(operation, &object(json!({"id": 7})), operation.destructive, &stakes, &[], None);
        for part in [
            "remove_queue_item 7: ",
            "- A.Show.S01 (id 7), 3.0 GiB",
            "Would go: 1 download in the download client, 3.0 GiB.",
            "`removeFromClient` is true unless",
            "2 more records go.",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(text.ends_with("Do it?"));
    }

    #[test]
    fn many_things_are_counted_and_changes_are_shown() {
        let things = (0..25).map(|id| Thing { id: Some(id), name: format!("T{id}"), ..Thing::default() }).collect();
        let stakes = Stakes { things, ..Stakes::default() };
        let text = compose(operation("delete_indexers"), &Map::new(), None, &stakes, &[], None);
        assert!(text.contains("- and 15 more\n") && text.contains("Would go: 25 things."), "{text}");
        let change = Change { path: "port".to_owned(), before: json!(8989), after: json!(80) };
        let text = compose(operation("update_host_config"), &Map::new(), None, &Stakes::default(), &[change], None);
        assert!(text.contains("- port: 8989 → 80"), "{text}");
        let body = json!({"label": "attic"});
        let text = compose(operation("create_tag"), &Map::new(), None, &Stakes::default(), &[], Some(&body));
        assert!(text.contains("- {\"label\":\"attic\"}"), "{text}");
    }

    #[test]
    fn what_is_said_of_defaults_follows_the_arguments() {
        let say = |name: &str, arguments: Value| surprises(operation(name), &object(arguments)).join("; ");
        for (name, arguments, says, not) in [
            (
                "remove_queue_item",
                json!({"id": 1, "removeFromClient": false}),
                "stays in the download client",
                "deleted",
            ),
            ("remove_queue_item", json!({"removeFromClient": false, "changeCategory": true}), "category", "take it up"),
            ("remove_queue_items", json!({"body": {"ids": [1]}, "blocklist": true}), "skipRedownload", "stays"),
            ("delete_series", json!({"id": 1}), "files stay", "gone for good"),
            ("delete_series", json!({"id": 1, "deleteFiles": true}), "gone for good", "files stay"),
            (
                "delete_many_series",
                json!({"body": {"seriesIds": [1], "deleteFiles": true}}),
                "gone for good",
                "files stay",
            ),
        ] {
            let said = say(name, arguments.clone());
            assert!(said.contains(says) && !said.contains(not), "{name} {arguments}: {said}");
        }
    }

    #[test]
    fn sizes_are_readable() {
        for (bytes, text) in [(0, "0 bytes"), (1023, "1023 bytes"), (1536, "1.5 KiB"), (5 << 40, "5.0 TiB")] {
            assert_eq!(size(bytes), text);
        }
    }
}
