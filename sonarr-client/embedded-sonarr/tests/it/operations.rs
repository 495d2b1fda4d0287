//! Each of the 228 operations: its status, what it changes, what it refuses, and that faults change nothing.
//!
//! What is seen is written to `docs/embedded-sonarr.md`: run with `UPDATE_DOCS=1` to write it anew.

mod requests;
mod snapshot;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use embedded_sonarr::{Clock, Fault, FaultKind, Operation, Options, operations};
use serde_json::Value;

use crate::support::{Served, serve_with};
use snapshot::Snapshot;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A row of the table of operations.
struct Row {
    name: String,
    effect: String,
    status: u16,
}

/// The table of operations, by method and path.
fn table() -> BTreeMap<String, Row> {
    let text = std::fs::read_to_string(root().join("openapi/operations.toml")).unwrap();
    let table: toml::Table = text.parse().unwrap();
    let rows = table["operation"].as_array().unwrap();
    let read = |row: &toml::Value| {
        let text = |name: &str| row[name].as_str().unwrap().to_owned();
        let status = u16::try_from(row["status"].as_integer().unwrap()).unwrap();
        (text("at"), Row { name: text("name"), effect: text("effect"), status })
    };
    rows.iter().map(read).collect()
}

#[test]
fn the_operations_are_those_of_the_table() {
    let served: Vec<String> =
        operations().iter().map(|operation| format!("{} {}", operation.method, operation.path)).collect();
    let mut known: Vec<String> = table().into_keys().collect();
    let mut served_sorted = served;
    known.sort();
    served_sorted.sort();
    assert_eq!(served_sorted, known);
}

/// Faults that replace the answer, with the status that they give.
fn replacing_faults() -> [(FaultKind, u16); 5] {
    [
        (FaultKind::ServerError, 500),
        (FaultKind::Starting, 503),
        (FaultKind::LoginRedirect, 302),
        (FaultKind::HtmlPage, 200),
        (FaultKind::EmptyAnswer, 200),
    ]
}

/// What was seen of an operation.
struct Seen {
    status: u16,
    body: &'static str,
    effect: String,
    refusals: Vec<String>,
}

fn kind_of(bytes: &[u8], content_type: Option<&str>) -> &'static str {
    match content_type.unwrap_or_default() {
        _ if bytes.is_empty() => "empty",
        kind if kind.starts_with("image/") => "image",
        kind if kind.starts_with("text/calendar") => "iCalendar",
        kind if kind.starts_with("text/plain") => "text",
        _ => match serde_json::from_slice::<Value>(bytes).unwrap() {
            Value::Array(_) => "list",
            Value::Object(object) if object.is_empty() => "`{}`",
            Value::Object(object) if object.contains_key("records") => "page",
            Value::Object(_) => "object",
            _ => "value",
        },
    }
}

/// Sends an operation in every wrong way and then in the right one. `before` is the state of the server.
async fn exercise(served: &Served, operation: &Operation, before: &Snapshot) -> Seen {
    let good = requests::good(served, operation).await;
    // Making the request may have changed the state: an item to cancel, a search to grab from.
    let prepared = if operation.method == "GET" { None } else { Some(Snapshot::of(&served.sonarr)) };
    let before = prepared.as_ref().unwrap_or(before);
    let at = format!("{} {}", operation.method, operation.path);
    let mut refusals = Vec::new();
    let anonymous = operation.path == "/ping";
    let bare = served.bare(operation.method, &good.path);
    let status = served.send(good.fill(bare)).await.status;
    assert_eq!(status, if anonymous { 200 } else { 401 }, "{at}: without the key");
    if !anonymous {
        refusals.push("no key 401".to_owned());
    }
    for (fault, expected) in replacing_faults() {
        served.sonarr.inject(Fault::new(fault.clone()).times(1));
        let answer = served.send(good.fill(served.request(operation.method, &good.path))).await;
        assert_eq!(answer.status, expected, "{at}: {fault:?}");
    }
    refuse_bodies(served, operation, &good, &mut refusals).await;
    refuse_ids(served, operation, &good, &mut refusals).await;
    // A read that changes nothing in the end has changed nothing on the way.
    let refused = if operation.method == "GET" { None } else { Some(Snapshot::of(&served.sonarr)) };
    if let Some(refused) = &refused {
        assert_eq!(before.changes(refused), "", "{at}: refusals and faults change nothing");
    }
    let answer = served.send(good.fill(served.request(operation.method, &good.path))).await;
    assert!(answer.status < 300 || answer.status == 400, "{at}: {} {}", answer.status, answer.text());
    Seen {
        status: answer.status,
        body: kind_of(&answer.bytes, answer.header("content-type")),
        effect: before.changes(&Snapshot::of(&served.sonarr)),
        refusals,
    }
}

/// A library just large enough for every operation.
async fn small() -> Served {
    serve_with(Options { series: 7, clock: Clock::fixed(), ..Options::default() }).await
}

/// What was seen of every operation. Reads share a server; what changes something gets its own.
async fn exercise_all() -> Vec<(Operation, Seen)> {
    let shares = |operation: &Operation| operation.method == "GET" && operation.path != "/api/v3/release";
    let (reads, others): (Vec<Operation>, Vec<Operation>) = operations().into_iter().partition(shares);
    let reads = tokio::spawn(async move {
        let served = small().await;
        let before = Snapshot::of(&served.sonarr);
        let mut seen = Vec::new();
        for operation in reads {
            seen.push((operation, exercise(&served, &operation, &before).await));
        }
        seen
    });
    let mut all = Vec::new();
    for operation in others {
        let served = small().await;
        let before = Snapshot::of(&served.sonarr);
        all.push((operation, exercise(&served, &operation, &before).await));
    }
    all.extend(reads.await.unwrap());
    all.sort_by_key(|(operation, _)| (operation.path, operation.method));
    all
}

async fn refuse_bodies(served: &Served, operation: &Operation, good: &requests::Good, refusals: &mut Vec<String>) {
    if good.body.is_none() {
        return;
    }
    let request = || served.request(operation.method, &good.path);
    let broken = served.send(request().header("Content-Type", "application/json").body("{")).await.status;
    assert_eq!(broken, 400, "{} {}: a broken body", operation.method, operation.path);
    let plain = served.send(request().header("Content-Type", "text/plain").body("{}")).await.status;
    assert_eq!(plain, 415, "{} {}: a body of text", operation.method, operation.path);
    refusals.push("broken body 400".to_owned());
    refusals.push("not JSON 415".to_owned());
}

/// Unknown ids are refused, or accepted and without effect. Creates and settings have none.
async fn refuse_ids(served: &Served, operation: &Operation, good: &requests::Good, refusals: &mut Vec<String>) {
    let Some((head, tail)) = operation.path.split_once("{id}") else { return };
    if operation.path.contains("/config/")
        || operation.path.contains("languageprofile")
        || operation.path.contains("localization")
    {
        return;
    }
    let path = format!("{head}99999{tail}");
    let mut request = served.request(operation.method, &path);
    if let Some(body) = &good.body {
        let mut body = body.clone();
        if let Some(body) = body.as_object_mut() {
            body.insert("id".into(), 99_999.into());
        }
        request = request.json(&body);
    }
    let status = served.send(request).await.status;
    refusals.push(format!("unknown id {status}"));
}

/// Whether an effect that was seen is of the kind that the table says.
fn fits(kind: &str, seen: &str, at: &str) -> bool {
    match kind {
        // An interactive search is kept for the grab, and writes the time of the search to the episodes.
        "read" => seen.is_empty() || (at == "GET /api/v3/release" && !seen.contains('+')),
        "create" => seen.contains('+'),
        "delete" => seen.contains('-'),
        "update" => !seen.is_empty() && !seen.contains('+'),
        _ => true,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_operation_has_its_status_effect_and_refusals() {
    let table = table();
    let mut lines = Vec::new();
    let mut wrong = Vec::new();
    for (operation, seen) in exercise_all().await {
        let at = format!("{} {}", operation.method, operation.path);
        let row = &table[&at];
        // Testing all indexers answers 400 here, for one of them cannot be reached.
        let expected = if at == "POST /api/v3/indexer/testall" { 400 } else { row.status };
        if seen.status != expected {
            wrong.push(format!("{at}: {} instead of {expected}", seen.status));
        }
        if !fits(&row.effect, &seen.effect, &at) {
            wrong.push(format!("{at}: `{}` is no {}", seen.effect, row.effect));
        }
        let effect = if seen.effect.is_empty() { "–" } else { &seen.effect };
        lines.push(format!(
            "| `{}` | `{at}` | {} | {} | {effect} | {} |",
            row.name,
            seen.status,
            seen.body,
            seen.refusals.join(", ")
        ));
    }
    assert!(wrong.is_empty(), "{} operations:\n{}", wrong.len(), wrong.join("\n"));
    check_docs(&lines);
}

fn check_docs(lines: &[String]) {
    let text = format!("{}{}\n", include_str!("operations/intro.md"), lines.join("\n"));
    let path = root().join("docs/embedded-sonarr.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let differing = text.lines().zip(committed.lines()).find(|(seen, written)| seen != written);
    assert!(
        text == committed,
        "docs/embedded-sonarr.md does not say what was seen ({differing:?}); run `UPDATE_DOCS=1 cargo test -p embedded-sonarr --test it operations`"
    );
}

/// No body and no id, however strange, ends a handler: that would be answered with 500 and nothing else.
#[tokio::test]
async fn strange_requests_are_answered_too() {
    let served = small().await;
    let bodies = [
        "{}",
        "[]",
        "[{}]",
        "[[1], null, \"x\"]",
        "\"text\"",
        "{\"id\": -1, \"ids\": [0, -5], \"seriesIds\": [], \"episodeFileIds\": [], \"fields\": [{}], \"name\": \"\"}",
        "{\"id\": 1, \"items\": [{}, {\"items\": [{}]}], \"formatItems\": [], \"specifications\": [{\"fields\": null}], \"tags\": null}",
        "{\"name\": \"ManualImport\", \"files\": [{}, 5], \"series\": [null], \"seasons\": [{}], \"guid\": \"\", \"path\": \"/\"}",
    ];
    let queries =
        ["", "?page=-3&pageSize=0", "?seriesId=-1&seasonNumber=-9&episodeId=0", "?term=:&title=-S&path=..&folder=/"];
    for operation in operations() {
        if operation.path.starts_with("/api/v3/system/") && operation.method == "POST" {
            continue;
        }
        for id in ["-1", "0", "2147483647"] {
            let path = operation
                .path
                .replace("{id}", id)
                .replace("{seriesId}", id)
                .replace("{filename}", "a-b.jpg")
                .replace("{name}", "x");
            for (body, query) in bodies.iter().zip(queries.iter().cycle()) {
                let request = served.request(operation.method, &format!("{path}{query}"));
                let request = if operation.method == "GET" {
                    request
                } else {
                    request.header("Content-Type", "application/json").body(*body)
                };
                let answer = served.send(request).await;
                let ended = answer.status == 500 && answer.bytes.is_empty();
                assert!(!ended, "{} {path}{query} {body}", operation.method);
            }
            if !operation.path.contains("{id}") && !operation.path.contains("{seriesId}") {
                break;
            }
        }
    }
}
