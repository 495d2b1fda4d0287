//! The audits against what a real library of 134 series answered: what they find there must be true.
//!
//! The recordings are in no repository. `SONARR_PAYLOADS` names their folder (files, and an `index.tsv` of file and
//! operation); without it the folder is looked for beside the repository, and where it is not, nothing is checked and
//! that is said.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, Uri, header};
use axum::response::IntoResponse;
use serde_json::{Value, json};
use sonarr_mcp::audits::AUDITS;
use sonarr_mcp::config::{ApiKey, Target};
use sonarr_mcp::connection::Connection;
use sonarr_mcp::dispatch::Dispatcher;
use sonarr_mcp::generated::GROUPS;

use crate::session::KEY;
use crate::tasks::inner;

/// The folder of the recordings, if there is one.
fn folder() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/payloads");
    let folder = std::env::var_os("SONARR_PAYLOADS").map_or_else(beside, PathBuf::from);
    folder.join("index.tsv").is_file().then_some(folder)
}

/// The answers that were recorded from the library of 134 series, by path.
///
/// Its server is told by its version; what another server answered belongs to another library. What was not recorded of
/// it is empty, but for its root folder, which the series name and the disks measure.
fn answers(folder: &Path) -> HashMap<String, Value> {
    let index = std::fs::read_to_string(folder.join("index.tsv")).unwrap();
    let mut answers: HashMap<String, Value> = HashMap::new();
    for line in index.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let (file, path) = (cells[0], cells[1].strip_prefix("GET "));
        let Some(path) = path.filter(|path| file.starts_with("recorded.v4.0.19.") && !path.contains('{')) else {
            continue;
        };
        answers.insert(path.to_owned(), serde_json::from_slice(&std::fs::read(folder.join(file)).unwrap()).unwrap());
    }
    let disk = &answers["/api/v3/diskspace"][2];
    let root = json!([{
        "id": 1, "path": "/storage/tv", "accessible": true, "freeSpace": disk["freeSpace"], "unmappedFolders": [],
    }]);
    answers.insert("/api/v3/rootfolder".to_owned(), root);
    let queue = answers["/api/v3/queue"]["records"].clone();
    answers.insert("/api/v3/queue/details".to_owned(), queue);
    answers
}

async fn answer(State(answers): State<Arc<HashMap<String, Value>>>, uri: Uri) -> impl IntoResponse {
    let body = match answers.get(uri.path()) {
        Some(body) => body.clone(),
        // Settings are one object, everything else is a list.
        None if uri.path().contains("/config/") => json!({}),
        None => json!([]),
    };
    (StatusCode::OK, [(header::CONTENT_TYPE, "application/json")], body.to_string())
}

async fn serve(answers: HashMap<String, Value>) -> Dispatcher {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let router = Router::new().fallback(answer).with_state(Arc::new(answers));
    tokio::spawn(async move { axum::serve(listener, router).await });
    let target = Target { url: Some(url), api_key: ApiKey::new(KEY), ..Target::default() };
    Dispatcher::new(GROUPS, Connection::new(target), true)
}

/// Whether a finding is true of the recorded series: the series that it names, and what it claims of it.
fn is_true(finding: &Value, series: &HashMap<i64, &Value>) -> bool {
    let Some(one) = finding["seriesId"].as_i64().and_then(|id| series.get(&id)) else { return false };
    let seasons = one["seasons"].as_array().unwrap();
    let regular = || seasons.iter().filter(|season| season["seasonNumber"] != 0);
    match finding["kind"].as_str().unwrap_or_default() {
        // Over and whole, and still looked for.
        "ended_and_complete" => {
            let whole = |season: &Value| {
                let statistics = &season["statistics"];
                statistics["episodeFileCount"] == statistics["totalEpisodeCount"]
            };
            one["status"] == "ended" && one["monitored"] == true && regular().all(whole)
        }
        "newest_season_off" => {
            let newest = regular().max_by_key(|season| season["seasonNumber"].as_i64()).unwrap();
            one["monitored"] == true && one["status"] != "ended" && newest["monitored"] == false
        }
        // TheTVDB says so itself, in the title.
        "duplicate_series" => one["title"].as_str().is_some_and(|title| title.starts_with("duplicate of ")),
        _ => false,
    }
}

#[tokio::test]
async fn what_is_found_in_a_real_library_is_true() {
    let Some(folder) = folder() else {
        let told = "NOT CHECKED: SONARR_PAYLOADS names no folder of recordings; no real library was looked at\n";
        std::io::stderr().write_all(told.as_bytes()).unwrap();
        return;
    };
    let answers = answers(&folder);
    let rows = answers["/api/v3/series"].clone();
    let series: HashMap<i64, &Value> =
        rows.as_array().unwrap().iter().map(|one| (one["id"].as_i64().unwrap(), one)).collect();
    assert_eq!(series.len(), 134);
    let dispatcher = serve(answers).await;
    let mut wrong = Vec::new();
    for audit in AUDITS {
        let Value::Object(call) = json!({"operation": audit.name, "query": "findings"}) else { unreachable!() };
        let answer = match dispatcher.call(&format!("sonarr_{}", audit.group), call).await {
            Ok(answer) => answer,
            Err(failure) => panic!("{}: {failure}", audit.name),
        };
        let (found, _) = inner(&answer);
        let found = found.as_array().cloned().unwrap_or_default();
        if std::env::var_os("SHOW_FINDINGS").is_some() {
            let mut told = format!("{}: {} findings\n", audit.name, found.len());
            found.iter().for_each(|finding| told.push_str(&format!("  {finding}\n")));
            std::io::stderr().write_all(told.as_bytes()).unwrap();
        }
        wrong.extend(found.into_iter().filter(|finding| !is_true(finding, &series)));
    }
    assert!(wrong.is_empty(), "{} findings that are not known to be true: {wrong:#?}", wrong.len());
}
