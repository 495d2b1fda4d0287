//! Commands on a clock that the test moves.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::serve;

/// Every command with parameters that let it succeed.
const NAMES: [(&str, &str); 36] = [
    ("EpisodeSearch", r#"{"episodeIds": [1]}"#),
    ("SeasonSearch", r#"{"seriesId": 4, "seasonNumber": 1}"#),
    ("SeriesSearch", r#"{"seriesId": 4}"#),
    ("MissingEpisodeSearch", r#"{"seriesId": 4}"#),
    ("CutoffUnmetEpisodeSearch", "{}"),
    ("RssSync", "{}"),
    ("ImportListSync", "{}"),
    ("RescanSeries", r#"{"seriesId": 1}"#),
    ("RenameFiles", r#"{"seriesId": 1, "files": []}"#),
    ("RenameSeries", r#"{"seriesIds": [1]}"#),
    ("MoveSeries", r#"{"seriesId": 1, "sourcePath": "/a", "destinationPath": "/media/tv/b"}"#),
    ("BulkMoveSeries", r#"{"series": [{"seriesId": 2, "sourcePath": "/a/x"}], "destinationRootFolder": "/media/new"}"#),
    ("ManualImport", r#"{"files": [], "importMode": "copy"}"#),
    ("DownloadedEpisodesScan", r#"{"path": "/downloads/none"}"#),
    ("ProcessMonitoredDownloads", "{}"),
    ("CleanUpRecycleBin", "{}"),
    ("RefreshSeries", r#"{"seriesIds": [1]}"#),
    ("RefreshMonitoredDownloads", "{}"),
    ("CheckForFinishedDownload", "{}"),
    ("UpdateSceneMapping", "{}"),
    ("CheckHealth", "{}"),
    ("Housekeeping", "{}"),
    ("MessagingCleanup", "{}"),
    ("ResetQualityDefinitions", r#"{"resetTitles": true}"#),
    ("ClearBlocklist", "{}"),
    ("ClearLog", "{}"),
    ("DeleteLogFiles", "{}"),
    ("DeleteUpdateLogFiles", "{}"),
    ("Backup", "{}"),
    ("ApplicationUpdateCheck", "{}"),
    ("ApplicationUpdate", "{}"),
    ("ResetApiKey", "{}"),
    ("Restart", "{}"),
    ("Shutdown", "{}"),
    ("Unknown", r#"{"contractName": "x"}"#),
    ("Test", r#"{"duration": 50}"#),
];

#[tokio::test]
async fn all_36_are_taken_and_end() {
    for (name, parameters) in NAMES {
        let served = serve().await;
        let mut body: Value = serde_json::from_str(parameters).unwrap();
        let sent = body.clone();
        body["name"] = json!(name);
        let queued = served.post("/command", &body).await.expect(201);
        assert_eq!((&queued["status"], &queued["name"]), (&json!("queued"), &json!(name)));
        for (member, value) in sent.as_object().unwrap() {
            assert_eq!(&queued["body"][member], value, "{name}: parameters show in the body");
        }
        served.sonarr.advance(Duration::from_secs(20));
        let ended = served.sonarr.object("command", queued["id"].as_i64().unwrap()).unwrap();
        let failed = name == "ApplicationUpdate";
        assert_eq!(ended["status"], if failed { "failed" } else { "completed" }, "{name}: {ended}");
        assert!(ended["message"].is_string() && ended["duration"].is_string(), "{name}");
        let in_vain = matches!(name, "ManualImport" | "DownloadedEpisodesScan" | "Unknown");
        assert_eq!(ended["result"], if failed || in_vain { "unsuccessful" } else { "successful" }, "{name}");
    }
}

#[tokio::test]
async fn a_command_is_queued_then_started_then_completed() {
    let served = serve().await;
    let id = served.post("/command", &json!({"name": "rsssync"})).await.expect(201)["id"].clone();
    let path = format!("/command/{id}");
    let status = async || served.get(&path).await.expect(200);
    assert_eq!(status().await["status"], "queued");
    served.sonarr.advance(Duration::from_millis(250));
    let started = status().await;
    assert_eq!((&started["status"], &started["result"]), (&json!("started"), &json!("unknown")));
    assert_eq!(started["name"], "RssSync");
    served.sonarr.advance(Duration::from_secs(3));
    let ended = status().await;
    assert_eq!((&ended["status"], &ended["result"]), (&json!("completed"), &json!("successful")));
    served.sonarr.advance(Duration::from_secs(6 * 60));
    let listed = served.get("/command").await.expect(200);
    assert!(!listed.as_array().unwrap().iter().any(|command| command["id"] == id), "listed for five minutes only");
    assert_eq!(status().await["status"], "completed", "but still found by its id");
    served.sonarr.advance(Duration::from_secs(25 * 3600));
    assert_eq!(served.get(&path).await.status, 404);
}

#[tokio::test]
async fn equal_commands_are_one_and_only_queued_ones_can_be_cancelled() {
    let served = serve().await;
    let body = json!({"name": "SeriesSearch", "seriesId": 4});
    let first = served.post("/command", &body).await.expect(201)["id"].clone();
    assert_eq!(served.post("/command", &body).await.expect(201)["id"], first);
    let other =
        served.post("/command", &json!({"name": "SeriesSearch", "seriesId": 5})).await.expect(201)["id"].clone();
    assert_ne!(other, first);
    let cancelled = served.delete(&format!("/command/{other}")).await;
    assert_eq!((cancelled.status, cancelled.bytes.len()), (200, 0));
    assert_eq!(served.get(&format!("/command/{other}")).await.expect(200)["status"], "cancelled");
    served.sonarr.advance(Duration::from_millis(300));
    let refused = served.delete(&format!("/command/{first}")).await.expect(409);
    assert_eq!(refused["message"], "Unable to cancel task");
    assert_eq!(served.delete("/command/999").await.status, 409);
    assert_eq!(served.delete("/command/0").await.status, 400);
}

#[tokio::test]
async fn commands_that_need_the_disk_run_one_after_the_other() {
    let served = serve().await;
    let mut ids = Vec::new();
    for series in [1, 2] {
        let body = json!({"name": "RenameSeries", "seriesIds": [series]});
        ids.push(served.post("/command", &body).await.expect(201)["id"].as_i64().unwrap());
    }
    served.sonarr.advance(Duration::from_millis(500));
    let status = |id: i64| served.sonarr.object("command", id).unwrap()["status"].clone();
    assert_eq!((status(ids[0]), status(ids[1])), (json!("started"), json!("queued")));
    served.sonarr.advance(Duration::from_millis(1_000));
    assert_eq!((status(ids[0]), status(ids[1])), (json!("completed"), json!("started")));
}

#[tokio::test]
async fn bad_commands_are_refused_or_fail() {
    let served = serve().await;
    assert_eq!(served.post("/command", &json!({"name": " "})).await.expect(400)[0]["propertyName"], "Name");
    assert_eq!(served.post("/command", &json!({})).await.status, 400);
    let unknown = served.post("/command", &json!({"name": "Nonsense"})).await.expect(500);
    assert_eq!(unknown["message"], "Sequence contains no matching element");
    assert_eq!(served.post("/command", &json!({"name": "SeriesSearch", "seriesId": "4"})).await.status, 500);
    assert_eq!(served.post("/command", &json!([])).await.status, 400);
    for body in [
        json!({"name": "SeriesSearch", "seriesId": 99}),
        json!({"name": "EpisodeSearch"}),
        json!({"name": "DownloadedEpisodesScan"}),
        json!({"name": "MoveSeries", "seriesId": 1}),
        json!({"name": "RenameSeries", "seriesIds": [99]}),
    ] {
        let failed = served.run(&body).await;
        assert_eq!((&failed["status"], &failed["result"]), (&json!("failed"), &json!("unsuccessful")), "{body}");
        assert!(failed["exception"].as_str().unwrap().contains("   at "), "{body}");
    }
}

#[tokio::test]
async fn a_body_member_is_reported_loudly() {
    let served = serve().await;
    assert!(served.sonarr.fatal_reports().is_empty());
    let body = json!({"name": "RssSync", "body": {"name": "RssSync"}});
    assert_eq!(served.post("/command", &body).await.status, 500);
    let reports = served.sonarr.fatal_reports();
    assert_eq!(reports.len(), 1);
    assert!(reports[0].contains("`body` member"), "{reports:?}");
}

#[tokio::test]
async fn effects_are_real() {
    let served = serve().await;
    // Renaming empties the preview.
    let mut renamed = None;
    for id in served.sonarr.ids("series") {
        let preview = served.get(&format!("/rename?seriesId={id}")).await.expect(200);
        if !preview.as_array().unwrap().is_empty() {
            renamed = Some((id, preview));
            break;
        }
    }
    let (id, preview) = renamed.expect("some files still carry the names of their releases");
    let file = &preview[0]["episodeFileId"];
    served.run(&json!({"name": "RenameFiles", "seriesId": id, "files": [file]})).await;
    let stored = served.get(&format!("/episodefile/{file}")).await.expect(200);
    assert_eq!(stored["relativePath"], preview[0]["newPath"]);
    served.run(&json!({"name": "RenameSeries", "seriesIds": [id]})).await;
    assert_eq!(served.get(&format!("/rename?seriesId={id}")).await.expect(200), json!([]));
    // Upkeep.
    let backups = served.sonarr.ids("system/backup").len();
    served.run(&json!({"name": "Backup"})).await;
    assert_eq!(served.sonarr.ids("system/backup").len(), backups + 1);
    served.run(&json!({"name": "ClearBlocklist"})).await;
    assert_eq!(served.get("/blocklist").await.expect(200)["totalRecords"], 0);
    served.run(&json!({"name": "ClearLog"})).await;
    served.run(&json!({"name": "DeleteLogFiles"})).await;
    assert_eq!(served.get("/log/file").await.expect(200), json!([]));
    let mut definition = served.get("/qualitydefinition/9").await.expect(200);
    let title = definition["title"].clone();
    definition["title"] = json!("Mine");
    definition["minSize"] = json!(44);
    served.put("/qualitydefinition/9", &definition).await.expect(202);
    served.run(&json!({"name": "ResetQualityDefinitions"})).await;
    let reset = served.get("/qualitydefinition/9").await.expect(200);
    assert_eq!((&reset["title"], &reset["minSize"]), (&json!("Mine"), &json!(4)));
    served.run(&json!({"name": "ResetQualityDefinitions", "resetTitles": true})).await;
    assert_eq!(served.get("/qualitydefinition/9").await.expect(200)["title"], title);
    // A list adds a series.
    served.run(&json!({"name": "ImportListSync"})).await;
    assert_eq!(served.sonarr.ids("series").len(), 13);
    served.sonarr.advance(Duration::from_secs(5));
    assert!(!served.get("/episode?seriesId=13").await.expect(200).as_array().unwrap().is_empty());
    // The old key counts no more.
    let key = served.post("/command", &json!({"name": "ResetApiKey"})).await.expect(201);
    served.sonarr.advance(Duration::from_secs(5));
    assert_eq!(served.get("/tag").await.status, 401, "{key}");
}

#[tokio::test]
async fn a_manual_import_makes_a_file() {
    let served = serve().await;
    let found = served.get("/manualimport?folder=/downloads/manual").await.expect(200);
    let good = found.as_array().unwrap().iter().find(|row| row["rejections"] == json!([])).unwrap();
    let mut item = good.clone();
    item["seriesId"] = good["series"]["id"].clone();
    let again = served.post("/manualimport", &json!([item])).await.expect(200);
    assert!(again[0].get("episodeIds").is_none() && again[0]["episodes"].is_array());
    let episode = good["episodes"][0]["id"].clone();
    let file = json!({
        "path": good["path"], "seriesId": good["series"]["id"], "episodeIds": [episode], "quality": good["quality"],
        "languages": good["languages"],
    });
    let ended = served.run(&json!({"name": "ManualImport", "files": [file], "importMode": "move"})).await;
    assert_eq!((&ended["priority"], &ended["message"]), (&json!("high"), &json!("Manually imported 1 files")));
    let stored = served.get(&format!("/episode/{episode}")).await.expect(200);
    assert_eq!(stored["episodeFile"]["size"], good["size"]);
    let left = served.get("/manualimport?folder=/downloads/manual").await.expect(200);
    assert!(!left.as_array().unwrap().iter().any(|row| row["path"] == good["path"]), "moved away");
    let no_languages = json!([{"path": "/x", "seriesId": 1}]);
    assert_eq!(served.post("/manualimport", &no_languages).await.status, 500);
}
