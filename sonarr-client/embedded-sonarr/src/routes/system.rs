//! The application itself: status, tasks, health, updates, start and stop.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::Call;
use crate::http::{Failure, Reply};
use crate::providers;
use crate::state::{State, flag, iso, span, text};

pub(super) fn ping(_call: &mut Call<'_>) -> Result<Reply, Failure> {
    Ok(Reply::ok(json!({"status": "OK"})))
}

pub(super) fn api_info(call: &mut Call<'_>) -> Result<Reply, Failure> {
    Ok(Reply::ok(if call.state.next_version {
        json!({"current": "v5", "deprecated": ["v3"]})
    } else {
        json!({"current": "v3", "deprecated": []})
    }))
}

pub(super) fn status(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let state = &*call.state;
    let mut status = json!({
        "appName": "Sonarr",
        "instanceName": state.setting("config/host", "instanceName"),
        "version": state.version(),
        "buildTime": "2026-06-26T17:21:08Z",
        "isDebug": false,
        "isProduction": true,
        "isAdmin": false,
        "isUserInteractive": true,
        "startupPath": "/app/sonarr/bin",
        "appData": "/config",
        "osName": "alpine",
        "osVersion": "3.24.1",
        "isNetCore": true,
        "isLinux": true,
        "isOsx": false,
        "isWindows": false,
        "isDocker": true,
        "mode": "console",
        "branch": state.setting("config/host", "branch"),
        "authentication": state.setting("config/host", "authenticationMethod"),
        "migrationVersion": 217,
        "urlBase": state.url_base,
        "runtimeVersion": "6.0.13",
        "runtimeName": ".NET",
        "startTime": iso(state.started),
        "packageVersion": format!("{}-embedded", state.version()),
        "packageAuthor": "the embedded Sonarr",
        "packageUpdateMechanism": "docker",
        "databaseVersion": "3.53.2",
        "databaseType": "sqLite",
    });
    if let (true, Some(row)) = (state.next_version, status.as_object_mut()) {
        row.insert("isContainerized".into(), true.into());
    }
    Ok(Reply::ok(status))
}

/// Scheduled commands and their intervals in minutes.
const TASKS: [(&str, i64); 11] = [
    ("ApplicationUpdateCheck", 360),
    ("Backup", 10_080),
    ("CheckHealth", 360),
    ("CleanUpRecycleBin", 1_440),
    ("Housekeeping", 1_440),
    ("ImportListSync", 5),
    ("MessagingCleanup", 5),
    ("RefreshMonitoredDownloads", 1),
    ("RefreshSeries", 720),
    ("RssSync", 15),
    ("UpdateSceneMapping", 180),
];

fn task_json(state: &State, id: usize, name: &str, minutes: i64) -> Value {
    let minutes = match name {
        "RssSync" => state.setting("config/indexer", "rssSyncInterval").as_i64().unwrap_or(minutes),
        "Backup" => state.setting("config/host", "backupInterval").as_i64().unwrap_or(7) * 1_440,
        _ => minutes,
    };
    let interval = TimeDelta::minutes(minutes.max(1));
    // Every task ran when it was due; one run by hand counts too.
    let periods = (state.now - state.started).num_seconds() / interval.num_seconds().max(1);
    let due = state.started + interval * i32::try_from(periods).unwrap_or(0) - TimeDelta::minutes(minutes.min(30) / 2);
    let by_hand = state
        .table("task-runs")
        .rows()
        .filter(|row| text(row, "name") == name)
        .filter_map(|row| crate::types::read_date(text(row, "time")))
        .max();
    let last = by_hand.unwrap_or(due).max(due);
    json!({
        "name": super::commands::task_name(name),
        "taskName": name,
        "interval": minutes,
        "lastExecution": iso(last),
        "lastStartTime": iso(last),
        "nextExecution": iso(last + interval),
        "lastDuration": span(TimeDelta::microseconds(167_422)),
        "id": id,
    })
}

pub(super) fn tasks(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let state = &*call.state;
    Ok(Reply::ok(TASKS.iter().zip(1..).map(|((name, minutes), id)| task_json(state, id, name, *minutes)).collect()))
}

/// An unknown id gives 204, or 200 without a body in a coming version.
pub(super) fn task(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let id = usize::try_from(call.id()).unwrap_or(0);
    match id.checked_sub(1).and_then(|index| TASKS.get(index)) {
        Some((name, minutes)) => Ok(Reply::ok(task_json(call.state, id, name, *minutes))),
        None if call.state.next_version => Ok(Reply::empty()),
        None => Ok(Reply::status(204)),
    }
}

/// What is wrong: unreachable indexers, missing root folders, no download client.
pub(super) fn health(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let state = &*call.state;
    let mut found = Vec::new();
    let mut report = |source: &str, kind: &str, message: String, anchor: &str| {
        found.push(json!({
            "source": source, "type": kind, "message": message, "wikiUrl": format!("https://docs.example/health#{anchor}"),
        }));
    };
    let failing: Vec<&str> = state
        .table("indexer")
        .rows()
        .filter(|row| providers::is_enabled("indexer", row) && !providers::probe("indexer", row).is_empty())
        .map(|row| text(row, "name"))
        .collect();
    if !failing.is_empty() {
        let message = format!("Indexers unavailable due to failures for more than 6 hours: {}", failing.join(", "));
        report("IndexerLongTermStatusCheck", "warning", message, "indexers-are-unavailable-due-to-failures");
    }
    if !state.table("downloadclient").rows().any(|row| flag(row, "enable")) {
        report(
            "DownloadClientCheck",
            "warning",
            "No download client is available".into(),
            "no-download-client-is-available",
        );
    }
    let used = |root: &str| state.library.iter().any(|(_, entry)| text(&entry.row, "rootFolderPath") == root);
    for root in state.table("rootfolder").rows().map(|row| text(row, "path")) {
        if !state.disk.folder_exists(root) && (used(root) || root.starts_with("/mnt/")) {
            report("RootFolderCheck", "error", format!("Missing root folder: {root}"), "missing-root-folder");
        }
    }
    let status = if state.next_version && !state.clean { json!(crate::types::NEXT_ENUM) } else { Value::Null };
    if !status.is_null() {
        found.push(json!({"source": "ComingCheck", "type": status, "message": "A check that only a coming version has", "wikiUrl": "https://docs.example/health"}));
    }
    Ok(Reply::ok(Value::Array(found)))
}

pub(super) fn updates(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let version = call.state.version();
    Ok(Reply::ok(json!([
        {
            "version": version, "branch": "main", "releaseDate": "2026-06-26T17:40:00Z",
            "fileName": format!("Sonarr.main.{version}.linux-x64.tar.gz"),
            "url": format!("https://updates.example/main/{version}"),
            "installed": true, "installedOn": "2026-06-27T08:00:00Z", "installable": false, "latest": true,
            "changes": {"new": ["Embedded in your tests"], "fixed": ["Nothing that was broken"]},
            "hash": "c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00",
        },
        {
            "version": "4.0.18.2974", "branch": "main", "releaseDate": "2026-05-30T09:00:00Z",
            "fileName": "Sonarr.main.4.0.18.2974.linux-x64.tar.gz", "url": "https://updates.example/main/4.0.18.2974",
            "installed": false, "installable": false, "latest": false,
            "hash": "0ddba1100ddba1100ddba1100ddba1100ddba1100ddba1100ddba1100ddba110",
        },
    ])))
}

/// The routing table as a graph, which is text.
pub(super) fn routes(_call: &mut Call<'_>) -> Result<Reply, Failure> {
    let mut graph = String::from("digraph DFA {\n");
    for (number, operation) in super::operations().iter().enumerate() {
        graph.push_str(&format!("{number} [label=\"{}/ HTTP: {}\"]\n", operation.path, operation.method));
    }
    graph.push_str("}\n");
    Ok(Reply::bytes("text/plain; charset=utf-8", graph))
}

pub(super) fn duplicate_routes(_call: &mut Call<'_>) -> Result<Reply, Failure> {
    Ok(Reply::empty_object())
}

/// Answers, then stops: later requests are refused.
pub(super) fn shutdown(call: &mut Call<'_>) -> Result<Reply, Failure> {
    call.state.stopped = true;
    Ok(Reply::ok(json!({"shuttingDown": true})))
}

/// Answers, then is away for some seconds.
pub(super) fn restart(call: &mut Call<'_>) -> Result<Reply, Failure> {
    call.state.restart();
    Ok(Reply::ok(json!({"restarting": true})))
}
