//! What a call would take away, looked up before it is made.

mod commands;
mod library;
mod records;

use serde::Serialize;
use serde_json::{Map, Value};

use super::Reader;
use super::pairs::{Target, reads, target, whole};
use crate::failure::{Code, Failure};
use crate::operation::Operation;

/// What would go.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Stakes {
    /// The things by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub things: Vec<Thing>,
    /// How many things there are where they are only counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// Files on disk that would be deleted.
    #[serde(skip_serializing_if = "is_zero")]
    pub files: u64,
    /// Their size, or that of the downloads.
    #[serde(skip_serializing_if = "is_zero")]
    pub bytes: u64,
    /// Downloads in the download client that would be deleted with their data.
    #[serde(skip_serializing_if = "is_zero")]
    pub downloads: u64,
    /// What else is worth knowing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// One thing that would go.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Thing {
    /// Its id in Sonarr.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<i64>,
    /// Its title, name or path.
    pub name: String,
    /// The files that are part of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<u64>,
    /// Its size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Looks up what a call of `operation` would take away.
///
/// What cannot be looked up is a note: the question is asked all the same.
///
/// # Errors
/// When Sonarr cannot be reached or does not let this server in, for then the call would fail.
pub async fn look_up(
    reader: &dyn Reader,
    operation: &Operation,
    arguments: &Map<String, Value>,
) -> Result<Stakes, Failure> {
    match find(reader, operation, arguments).await {
        Ok(stakes) => Ok(stakes),
        Err(failure) if is_final(failure.code) => Err(failure),
        Err(failure) => Ok(Stakes {
            notes: vec![format!("what this is about could not be looked up ({})", failure.message)],
            ..Stakes::default()
        }),
    }
}

/// Whether the call itself would fail in the same way.
fn is_final(code: Code) -> bool {
    matches!(
        code,
        Code::NotConfigured | Code::Unreachable | Code::Timeout | Code::KeyRefused | Code::NotSonarr | Code::StartingUp
    )
}

async fn find(reader: &dyn Reader, operation: &Operation, arguments: &Map<String, Value>) -> Result<Stakes, Failure> {
    let ids = ids(arguments);
    let flag = |name: &str| flag(arguments, name);
    match operation.name {
        "delete_series" | "delete_many_series" => {
            library::series(reader, &ids, flag("deleteFiles") == Some(true)).await
        }
        "delete_episode_file" | "delete_episode_files" => library::episode_files(reader, &ids).await,
        "remove_queue_item" | "remove_queue_items" => {
            records::queue(reader, &ids, flag("removeFromClient") != Some(false)).await
        }
        "delete_blocklist_item" | "delete_blocklist_items" => records::blocklist(reader, &ids).await,
        "mark_history_failed" => records::history(reader, &ids).await,
        "delete_backup" | "restore_backup" => records::backups(reader, &ids).await,
        "restore_backup_upload" => Ok(records::upload(arguments)),
        "restart_system" | "shutdown_system" => commands::running(reader).await,
        "run_command" => commands::look_up(reader, arguments.get("body")).await,
        "delete_tag" => records::tag(reader, &ids).await,
        _ => match (target(operation, arguments), reads(operation.path.trim_end_matches("/bulk"))) {
            (Some(target), _) => records::one(reader, target).await,
            (None, Some(list)) if operation.path.ends_with("/bulk") => records::several(reader, list.name, &ids).await,
            _ => Ok(Stakes::default()),
        },
    }
}

/// The ids of the things a call is about, whatever they are called there.
fn ids(arguments: &Map<String, Value>) -> Vec<i64> {
    if let Some(id) = arguments.get("id").and_then(whole) {
        return vec![id];
    }
    let body = arguments.get("body").and_then(Value::as_object);
    let lists = ["ids", "seriesIds", "episodeFileIds"];
    let list = body.and_then(|body| lists.iter().find_map(|name| body.get(*name)?.as_array()));
    list.into_iter().flatten().filter_map(whole).collect()
}

/// A switch among the arguments or in the body.
pub(super) fn flag(arguments: &Map<String, Value>, name: &str) -> Option<bool> {
    let value = arguments.get(name).or_else(|| arguments.get("body")?.get(name))?;
    value.as_bool().or_else(|| value.as_str()?.parse().ok())
}

impl Stakes {
    /// Adds things and their sizes.
    fn of(things: Vec<Thing>) -> Self {
        Stakes { things, ..Stakes::default() }
    }

    /// Notes the ids that nothing was found for.
    fn missing(&mut self, ids: &[i64]) {
        let found = |id: &i64| self.things.iter().any(|thing| thing.id == Some(*id));
        let missing: Vec<String> = ids.iter().filter(|id| !found(id)).map(i64::to_string).collect();
        if !missing.is_empty() {
            self.notes.push(format!("nothing was found with the id {}", missing.join(", ")));
        }
    }
}

/// Reads one object; nothing when Sonarr has none of that id.
async fn object(reader: &dyn Reader, target: Target) -> Result<Option<Value>, Failure> {
    match reader.read(target.read, target.arguments()).await {
        Ok(value) => Ok(Some(value)),
        Err(failure) if failure.code == Code::NotFound => Ok(None),
        Err(failure) => Err(failure),
    }
}

fn thing(object: &Value) -> Thing {
    Thing { id: object.get("id").and_then(Value::as_i64), name: name(object), ..Thing::default() }
}

/// What people call an object.
fn name(object: &Value) -> String {
    let text = |member: &str| object.get(member).and_then(Value::as_str).filter(|text| !text.is_empty());
    let named = ["title", "name", "label", "sourceTitle", "path", "relativePath", "term"];
    if let Some(name) = named.iter().find_map(|member| text(member)) {
        let year = object.get("year").and_then(Value::as_i64).filter(|year| *year > 0);
        return match year {
            Some(year) if !name.ends_with(')') => readable(&format!("{name} ({year})")),
            _ => readable(name),
        };
    }
    if let (Some(remote), Some(local)) = (text("remotePath"), text("localPath")) {
        return readable(&format!("{remote} → {local}"));
    }
    match object.get("id") {
        Some(id) => format!("id {id}"),
        None => "unnamed".to_owned(),
    }
}

/// A name as it can be shown: names of releases are written by strangers, so nothing in them may
/// turn or hide the text around it.
pub(super) fn readable(name: &str) -> String {
    /// Longer names are cut; the end of a release's name says little.
    const LONGEST: usize = 160;
    visible(name).chars().take(LONGEST).collect()
}

/// A text without the characters that cannot be seen.
pub(super) fn visible(text: &str) -> String {
    let shown = |c: &char| {
        !c.is_control()
            && !matches!(*c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    text.chars().filter(shown).collect()
}

fn number(object: &Value, pointer: &str) -> Option<u64> {
    let value = object.pointer(pointer)?;
    // Sizes in the queue are written with a fraction.
    value.as_u64().or_else(|| value.as_f64().filter(|it| *it >= 0.0).map(|it| it as u64))
}

#[cfg(test)]
mod tests;
