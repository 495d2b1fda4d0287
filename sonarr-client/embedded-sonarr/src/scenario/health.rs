//! Health and disk space.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::{Ground, Scenario};
use crate::state::{State, object};

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario::new(
        "root_folder_unreachable",
        "A root folder that is not there, and holds no series.",
        root_folder_unreachable,
    ),
    Scenario::new(
        "disk_nearly_full",
        "The disk of the library has room for less than ten days, and less than 4 GB.",
        disk_nearly_full,
    ),
    Scenario::new(
        "health_problem",
        "Every download client is switched off, which a health check tells.",
        health_problem,
    ),
];

fn root_folder_unreachable(ground: &mut Ground<'_>) -> Vec<Value> {
    let path = "/mnt/attic";
    let id = ground.state.table_mut("rootfolder").insert(object(json!({"path": path})));
    vec![json!({"rootFolderId": id, "path": path})]
}

/// Bytes that are few on any disk.
const LITTLE: i64 = 4_000_000_000;

/// Bytes of the files that came within the last four weeks, a day.
fn daily(state: &State) -> i64 {
    let since = state.now - TimeDelta::days(28);
    let files = state.library.iter().flat_map(|(_, entry)| &entry.files);
    files.filter(|file| file.added >= since).map(|file| file.size).sum::<i64>() / 28
}

fn disk_nearly_full(ground: &mut Ground<'_>) -> Vec<Value> {
    let free = (daily(ground.state) * 10).min(LITTLE);
    let Some(drive) = ground.state.disk.drives.iter_mut().find(|drive| drive.path == "/media") else {
        return Vec::new();
    };
    drive.free = free;
    vec![json!({"path": drive.path, "freeSpace": free})]
}

fn health_problem(ground: &mut Ground<'_>) -> Vec<Value> {
    for client in ground.state.table_mut("downloadclient").rows_mut() {
        client.insert("enable".into(), false.into());
    }
    vec![json!({"source": "DownloadClientCheck"})]
}
