//! What commands would take away.

use serde_json::{Map, Value, json};

use super::{Stakes, Thing, library, number, readable};
use crate::failure::Failure;
use crate::write::Reader;
use crate::write::commands::name;

/// What the command in `body` would take away.
pub async fn look_up(reader: &dyn Reader, body: Option<&Value>) -> Result<Stakes, Failure> {
    let command = name(body).unwrap_or_default().to_ascii_lowercase();
    let numbers = |member: &str| -> Vec<i64> {
        let list = body.and_then(|body| body.get(member)).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_i64).collect()
    };
    match command.as_str() {
        "restart" | "shutdown" | "applicationupdate" | "applicationupdatecheck" => running(reader).await,
        "deleteseriesfiles" => library::series(reader, &numbers("seriesIds"), true).await.map(|mut stakes| {
            // The folders stay: only the episode files go.
            stakes.notes.retain(|note| !note.starts_with("the folder"));
            stakes
        }),
        "manualimport" => import(reader, body).await,
        "downloadedepisodesscan" => Ok(Stakes::of(path(body).into_iter().collect())),
        "cleanuprecyclebin" => recycle_bin(reader).await,
        "clearblocklist" => records(reader, "list_blocklist").await,
        "clearlog" => records(reader, "list_log_entries").await,
        "deletelogfiles" => items(reader, "list_log_files").await,
        "deleteupdatelogfiles" => items(reader, "list_update_log_files").await,
        "resetqualitydefinitions" => items(reader, "list_quality_definitions").await,
        _ => Ok(Stakes::default()),
    }
}

/// The commands that a stop would break off.
pub async fn running(reader: &dyn Reader) -> Result<Stakes, Failure> {
    let list = reader.read("list_commands", Map::new()).await?;
    let started = |command: &&Value| command.get("status").and_then(Value::as_str) == Some("started");
    let names: Vec<String> = list
        .as_array()
        .into_iter()
        .flatten()
        .filter(started)
        .filter_map(|command| command.get("name").and_then(Value::as_str))
        .map(readable)
        .collect();
    let mut stakes = Stakes::default();
    stakes.notes.push(match names.as_slice() {
        [] => "no command is running".to_owned(),
        names => format!(
            "{} running and would be broken off: {}",
            count(names.len(), "command is", "commands are"),
            names.join(", ")
        ),
    });
    Ok(stakes)
}

fn count(number: usize, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

fn path(body: Option<&Value>) -> Option<Thing> {
    let path = body?.get("path")?.as_str()?;
    Some(Thing { name: readable(path), ..Thing::default() })
}

/// The files of an import, and which of their episodes have one already.
async fn import(reader: &dyn Reader, body: Option<&Value>) -> Result<Stakes, Failure> {
    /// More do not fit into the address of one request.
    const AT_ONCE: usize = 100;
    let files: Vec<&Value> =
        body.and_then(|body| body.get("files")).and_then(Value::as_array).into_iter().flatten().collect();
    let mut stakes = Stakes::of(files.iter().filter_map(|file| path(Some(file))).collect());
    let episodes: Vec<&Value> =
        files.iter().filter_map(|file| file.get("episodeIds")).filter_map(Value::as_array).flatten().collect();
    let mut replaced = 0;
    for ids in episodes.chunks(AT_ONCE) {
        let arguments = Map::from_iter([("episodeIds".to_owned(), json!(ids))]);
        let list = reader.read("list_episodes", arguments).await?;
        let has_file = |episode: &&Value| episode.get("hasFile").and_then(Value::as_bool) == Some(true);
        replaced += list.as_array().into_iter().flatten().filter(has_file).count();
    }
    if replaced > 0 {
        stakes.notes.push(format!(
            "{} a file already, which would be replaced",
            count(replaced, "episode has", "episodes have")
        ));
    }
    Ok(stakes)
}

async fn recycle_bin(reader: &dyn Reader) -> Result<Stakes, Failure> {
    let config = reader.read("get_media_management_config", Map::new()).await?;
    let bin = config.get("recycleBin").and_then(Value::as_str).unwrap_or_default();
    let days = number(&config, "/recycleBinCleanupDays").unwrap_or(0);
    let note = match (bin, days) {
        ("", _) => "no recycle bin is set, so there is nothing to delete".to_owned(),
        (bin, 0) => format!("the recycle bin {bin} is never emptied by this, for the number of days is 0"),
        (bin, days) => format!("what is older than {days} days in {bin} goes"),
    };
    Ok(Stakes { notes: vec![note], ..Stakes::default() })
}

/// How many records a paged list has.
async fn records(reader: &dyn Reader, operation: &'static str) -> Result<Stakes, Failure> {
    let arguments = Map::from_iter([("pageSize".to_owned(), json!(1))]);
    let answer = reader.read(operation, arguments).await?;
    Ok(Stakes { count: number(&answer, "/totalRecords"), ..Stakes::default() })
}

/// How many items a list has.
async fn items(reader: &dyn Reader, operation: &'static str) -> Result<Stakes, Failure> {
    let answer = reader.read(operation, Map::new()).await?;
    Ok(Stakes { count: answer.as_array().map(|items| items.len() as u64), ..Stakes::default() })
}
