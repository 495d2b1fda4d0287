//! Gaps, downloads and where they come from.

use serde_json::{Value, json};

use super::{COMMAND, DOWNLOAD, Journey, differing};

/// Found, searched for, downloaded and imported.
#[tokio::test]
async fn a_gap() {
    let journey = Journey::to("missing_never_searched").await;
    let before = journey.state();
    let found = journey.mend(DOWNLOAD).await;
    let mut files = Vec::new();
    for episode in found["episodeIds"].as_array().unwrap() {
        let episode = journey.house.sonarr.object("episode", episode.as_i64().unwrap()).unwrap();
        assert_eq!(episode["hasFile"], true, "{episode}");
        files.push(episode["episodeFileId"].clone());
    }
    files.dedup();
    assert!(!files.is_empty());
    let body = json!({"episodeFileIds": files});
    journey.put_back("media_library", "delete_episode_files", json!({"body": body})).await;
    assert_eq!(differing(&before, &journey.state()), []);
    // They were searched for since, and are missing again.
    assert_eq!(journey.worklist().await, [] as [Value; 0]);
    let (missing, _) = journey.house.get("wanted", "audit_missing", json!({})).await;
    assert_eq!(missing["findings"][0]["episodeIds"], found["episodeIds"], "{missing}");
}

/// The import replaces a file, and the download leaves the queue: the library holds what it held.
#[tokio::test]
async fn a_stuck_import() {
    let journey = Journey::to("import_blocked").await;
    let before = journey.held();
    let found = journey.mend(COMMAND).await;
    let (queue, _) = journey.house.get("queue", "list_queue_details", json!({})).await;
    let left = queue.as_array().unwrap().iter().any(|item| item["downloadId"] == found["downloadId"]);
    assert!(!left, "{queue}");
    assert_eq!(journey.held(), before);
}

#[tokio::test]
async fn a_failing_indexer() {
    let journey = Journey::to("indexer_failing").await;
    let before = journey.state();
    let found = journey.mend(COMMAND).await;
    let was = &before[&("indexer", found["indexerId"].as_i64().unwrap())];
    assert_ne!(differing(&before, &journey.state()), []);
    let back: serde_json::Map<_, _> = ["enableRss", "enableAutomaticSearch", "enableInteractiveSearch"]
        .map(|name| (name.to_owned(), was[name].clone()))
        .into_iter()
        .collect();
    journey.put_back("indexers", "update_indexer", json!({"id": found["indexerId"], "patch": back})).await;
    assert_eq!(differing(&before, &journey.state()), []);
    assert_eq!(journey.worklist().await, [found]);
}
