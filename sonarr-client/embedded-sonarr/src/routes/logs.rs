//! The log: table and files.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Call;
use super::paging::{self, SortKey};
use crate::http::{Failure, Reply};
use crate::state::{Row, int, iso, text};

/// Levels from the gravest on.
const LEVELS: [&str; 6] = ["fatal", "error", "warn", "info", "debug", "trace"];

pub(super) fn list(call: &mut Call<'_>) -> Result<Reply, Failure> {
    // Every other word is ignored, and so is one in capitals.
    let level = call.query().text("level").and_then(|level| LEVELS.iter().position(|known| *known == level));
    let paging = paging::read(call, &["time", "id"], true)?;
    let rows: Vec<&Row> = call
        .state
        .table("log")
        .rows()
        .filter(|row| {
            let own = LEVELS.iter().position(|known| *known == text(row, "level")).unwrap_or(0);
            level.is_none_or(|level| own <= level)
        })
        .collect();
    let (total, rows) = paging.cut(rows, |row| SortKey::number(0.0, int(row, "id")));
    Ok(paging.reply(total, rows.into_iter().map(|row| Value::Object(row.clone())).collect()))
}

fn files_json(call: &Call<'_>, files: &BTreeMap<String, String>, folder: &str) -> Value {
    let base = &call.state.url_base;
    files
        .keys()
        .zip(1..)
        .map(|(name, id): (&String, i64)| {
            json!({
                "filename": name,
                "lastWriteTime": iso(call.state.started),
                "contentsUrl": format!("{base}/api/v1/{folder}/{name}"),
                "downloadUrl": format!("{base}/{}/{name}", if folder.is_empty() { "logfile" } else { "updatelogfile" }),
                "id": id,
            })
        })
        .collect()
}

pub(super) fn files(call: &mut Call<'_>) -> Result<Reply, Failure> {
    Ok(Reply::ok(files_json(call, &call.state.disk.logs, "")))
}

pub(super) fn update_files(call: &mut Call<'_>) -> Result<Reply, Failure> {
    Ok(Reply::ok(files_json(call, &call.state.disk.update_logs, "update")))
}

pub(super) fn file(call: &mut Call<'_>) -> Result<Reply, Failure> {
    text_file(call, &call.state.disk.logs)
}

pub(super) fn update_file(call: &mut Call<'_>) -> Result<Reply, Failure> {
    text_file(call, &call.state.disk.update_logs)
}

fn text_file(call: &Call<'_>, files: &BTreeMap<String, String>) -> Result<Reply, Failure> {
    match files.get(call.parameter("filename")) {
        Some(text) => Ok(Reply::bytes("text/plain; charset=utf-8", text.as_str())),
        None => Err(Failure::NotFoundProblem),
    }
}
