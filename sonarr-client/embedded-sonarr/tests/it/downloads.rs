//! A download's whole life.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Served, serve};

/// A monitored, aired episode without a file that is not in the queue.
async fn wanted(served: &Served) -> i64 {
    let missing = served.get("/wanted/missing?pageSize=500").await.expect(200);
    let queue = served.get("/queue/details").await.expect(200);
    let queued: Vec<&Value> = queue.as_array().unwrap().iter().map(|row| &row["episodeId"]).collect();
    let found = missing["records"].as_array().unwrap().iter().find(|episode| !queued.contains(&&episode["id"]));
    found.unwrap()["id"].as_i64().unwrap()
}

/// Searches for an episode and grabs the release of that group.
async fn grab(served: &Served, episode: i64, group: &str) -> Value {
    let releases = served.get(&format!("/release?episodeId={episode}")).await.expect(200);
    let found = releases.as_array().unwrap().iter().find(|release| release["releaseGroup"] == group);
    let release = found.unwrap_or_else(|| panic!("no release of {group}: {releases}")).clone();
    let body = json!({"guid": release["guid"], "indexerId": release["indexerId"]});
    let echoed = served.post("/release", &body).await.expect(200);
    assert_eq!(echoed["guid"], release["guid"]);
    release
}

async fn queued(served: &Served, episode: i64) -> Option<Value> {
    let list = served.get(&format!("/queue/details?episodeIds={episode}")).await.expect(200);
    list.as_array().unwrap().first().cloned()
}

async fn events(served: &Served, episode: i64) -> Vec<String> {
    let page = served.get(&format!("/history?episodeId={episode}&sortDirection=ascending")).await.expect(200);
    page["records"].as_array().unwrap().iter().map(|event| event["eventType"].as_str().unwrap().to_owned()).collect()
}

fn hour() -> Duration {
    Duration::from_secs(3600)
}

#[tokio::test]
async fn grabbed_downloaded_imported() {
    let served = serve().await;
    let episode = wanted(&served).await;
    let release = grab(&served, episode, "NEST").await;
    let record = queued(&served, episode).await.unwrap();
    assert_eq!((&record["status"], &record["title"]), (&json!("downloading"), &release["title"]));
    assert_eq!(record["sizeleft"], release["size"]);
    served.sonarr.advance(Duration::from_secs(60));
    let later = queued(&served, episode).await.unwrap();
    assert!(later["sizeleft"].as_i64() < record["sizeleft"].as_i64());
    assert!(later["timeleft"].as_str() < record["timeleft"].as_str());
    let seconds = release["size"].as_u64().unwrap() / 4_000_000;
    served.sonarr.advance(Duration::from_secs(seconds - 30));
    let complete = queued(&served, episode).await.unwrap();
    assert_eq!(
        (&complete["status"], &complete["trackedDownloadState"]),
        (&json!("completed"), &json!("importPending"))
    );
    served.sonarr.advance(Duration::from_secs(61));
    assert!(queued(&served, episode).await.is_none());
    let stored = served.get(&format!("/episode/{episode}")).await.expect(200);
    assert_eq!((&stored["hasFile"], &stored["episodeFile"]["size"]), (&json!(true), &release["size"]));
    assert_eq!(events(&served, episode).await, ["grabbed", "downloadFolderImported"]);
    let missing = served.get("/wanted/missing?pageSize=500").await.expect(200);
    assert!(missing["records"].as_array().unwrap().iter().all(|row| row["id"] != episode));
}

#[tokio::test]
async fn failed_blocklisted_searched_again() {
    let served = serve().await;
    let episode = wanted(&served).await;
    let release = grab(&served, episode, "BRKN").await;
    let seconds = release["size"].as_u64().unwrap() / 4_000_000;
    served.sonarr.advance(Duration::from_secs(seconds / 2 + 1));
    let record = queued(&served, episode).await.unwrap();
    assert_eq!((&record["status"], &record["trackedDownloadState"]), (&json!("failed"), &json!("failedPending")));
    assert!(record["errorMessage"].is_string());
    served.sonarr.advance(Duration::from_secs(40));
    let blocklist = served.get("/blocklist?pageSize=100").await.expect(200);
    assert!(blocklist["records"].as_array().unwrap().iter().any(|row| row["sourceTitle"] == release["title"]));
    assert_eq!(events(&served, episode).await, ["grabbed", "downloadFailed", "grabbed"], "and another one was grabbed");
    let again = served.get(&format!("/release?episodeId={episode}")).await.expect(200);
    let same = again.as_array().unwrap().iter().find(|row| row["title"] == release["title"]).unwrap();
    assert!(same["rejections"].as_array().unwrap().contains(&json!("Release is blocklisted")), "{same}");
}

#[tokio::test]
async fn stalled_and_blocked_downloads_wait_for_a_person() {
    let served = serve().await;
    let episode = wanted(&served).await;
    grab(&served, episode, "STLL").await;
    served.sonarr.advance(hour());
    let record = queued(&served, episode).await.unwrap();
    assert_eq!((&record["status"], &record["trackedDownloadStatus"]), (&json!("warning"), &json!("warning")));
    let gone = served.delete(&format!("/queue/{}", record["id"])).await;
    assert_eq!((gone.status, gone.bytes.len()), (200, 0));
    assert!(queued(&served, episode).await.is_none());
    grab(&served, episode, "BLCK").await;
    served.sonarr.advance(hour());
    let record = queued(&served, episode).await.unwrap();
    assert_eq!(record["trackedDownloadState"], "importBlocked");
    assert!(record["statusMessages"][0]["messages"][0].is_string());
    let status = served.get("/queue/status").await.expect(200);
    assert_eq!(status["warnings"], true);
    // A person imports what was blocked.
    let found =
        served.get(&format!("/manualimport?downloadId={}", record["downloadId"].as_str().unwrap())).await.expect(200);
    let item = &found[0];
    let file = json!({
        "path": item["path"], "seriesId": item["series"]["id"], "episodeIds": [episode], "quality": item["quality"],
        "languages": item["languages"], "downloadId": item["downloadId"],
    });
    let ended = served.run(&json!({"name": "ManualImport", "files": [file], "importMode": "auto"})).await;
    assert_eq!(ended["message"], "Manually imported 1 files");
    assert!(queued(&served, episode).await.is_none());
    let history = served.get(&format!("/history?episodeId={episode}&pageSize=1")).await.expect(200);
    let last = &history["records"][0];
    assert_eq!((&last["eventType"], &last["downloadId"]), (&json!("downloadFolderImported"), &record["downloadId"]));
    assert_eq!(last["data"]["downloadClientName"], "Torrent Box");
}

#[tokio::test]
async fn removal_has_three_switches() {
    let served = serve().await;
    let episode = wanted(&served).await;
    let release = grab(&served, episode, "STLL").await;
    let id = queued(&served, episode).await.unwrap()["id"].clone();
    served.delete(&format!("/queue/{id}?blocklist=true&skipRedownload=true")).await.expect(200);
    assert_eq!(events(&served, episode).await, ["grabbed", "downloadFailed"]);
    let blocklist = served.get("/blocklist?pageSize=100").await.expect(200);
    let row =
        blocklist["records"].as_array().unwrap().iter().find(|row| row["sourceTitle"] == release["title"]).unwrap();
    served.delete(&format!("/blocklist/{}", row["id"])).await.expect(200);
    grab(&served, episode, "STLL").await;
    let id = queued(&served, episode).await.unwrap()["id"].clone();
    served.delete(&format!("/queue/{id}?removeFromClient=false")).await.expect(200);
    assert!(queued(&served, episode).await.is_none());
    assert_eq!(events(&served, episode).await.last().unwrap(), "downloadIgnored");
    assert_eq!(served.delete("/queue/1").await.expect(404), json!({"message": "NotFound"}));
    assert_eq!(served.delete("/queue/0").await.status, 400);
    // One unknown id fails the whole call.
    let ids: Vec<i64> = served.sonarr.ids("queue");
    let bulk = json!({"ids": [ids[0], 5]});
    assert_eq!(served.call("DELETE", "/queue/bulk", Some(&bulk)).await.status, 404);
    assert_eq!(served.sonarr.ids("queue"), ids);
    assert_eq!(served.call("DELETE", "/queue/bulk", Some(&json!({"ids": ids}))).await.expect(200), json!({}));
    assert_eq!(served.sonarr.ids("queue"), Vec::<i64>::new());
}

#[tokio::test]
async fn a_delayed_release_is_grabbed_now_or_in_time() {
    let served = serve().await;
    let list = served.get("/queue/details").await.expect(200);
    let delayed = list.as_array().unwrap().iter().find(|row| row["status"] == "delay").unwrap().clone();
    assert!(delayed.get("downloadClient").is_none() && delayed.get("trackedDownloadState").is_none());
    assert_eq!(served.call("POST", "/queue/grab/5", None).await.status, 404);
    assert_eq!(served.call("POST", &format!("/queue/grab/{}", delayed["id"]), None).await.expect(200), json!({}));
    let list = served.get("/queue/details").await.expect(200);
    assert!(list.as_array().unwrap().iter().all(|row| row["status"] != "delay"));
    let served = serve().await;
    assert_eq!(served.post("/queue/grab/bulk", &json!({"ids": [delayed["id"]]})).await.expect(200), json!({}));
    let served = serve().await;
    served.sonarr.advance(hour() * 2);
    let list = served.get("/queue/details").await.expect(200);
    assert!(list.as_array().unwrap().iter().all(|row| row["status"] != "delay"));
}

#[tokio::test]
async fn releases_are_grabbable_for_half_an_hour() {
    let served = serve().await;
    let episode = wanted(&served).await;
    let releases = served.get(&format!("/release?episodeId={episode}")).await.expect(200);
    let list = releases.as_array().unwrap();
    assert!(list.len() > 5);
    assert!(list.iter().any(|release| release["approved"] == true));
    assert!(
        list.iter().any(|release| release["rejected"] == true && !release["rejections"].as_array().unwrap().is_empty())
    );
    let unknown = list.iter().find(|release| release["downloadAllowed"] == false).unwrap();
    assert!(unknown["title"].as_str().unwrap().contains('\u{202e}'));
    let body = json!({"guid": unknown["guid"], "indexerId": unknown["indexerId"]});
    assert_eq!(served.post("/release", &body).await.status, 404, "it matches no series");
    let mut mapped = body.clone();
    mapped["episodeId"] = json!(episode);
    assert_eq!(served.post("/release", &mapped).await.status, 200);
    let mut forced = body.clone();
    forced["shouldOverride"] = json!(true);
    assert_eq!(served.post("/release", &forced).await.status, 500, "an override needs more");
    let good = json!({"guid": list[0]["guid"], "indexerId": list[0]["indexerId"]});
    served.sonarr.advance(hour());
    let late = served.post("/release", &good).await.expect(404);
    assert!(late["message"].as_str().unwrap().contains("try searching again"));
    assert_eq!(served.post("/release", &json!({})).await.expect(400)[0]["propertyName"], "Guid");
    assert_eq!(served.get("/release?episodeId=99999").await.status, 400);
    let season = served.get("/release?seriesId=4&seasonNumber=1").await.expect(200);
    assert!(season.as_array().unwrap().iter().any(|release| release["fullSeason"] == true));
    assert!(!served.get("/release").await.expect(200).as_array().unwrap().is_empty());
}

#[tokio::test]
async fn a_pushed_release_is_judged() {
    let served = serve().await;
    let episode = wanted(&served).await;
    let stored = served.get(&format!("/episode/{episode}")).await.expect(200);
    let title = format!(
        "{}.S{:02}E{:02}.1080p.WEB.h264-NEST",
        stored["series"]["title"].as_str().unwrap().replace([' ', '&'], ".").replace('\'', ""),
        stored["seasonNumber"].as_i64().unwrap(),
        stored["episodeNumber"].as_i64().unwrap()
    );
    let body = json!({"title": title, "downloadUrl": "http://x.example/1", "protocol": "usenet", "publishDate": "2026-03-01T00:00:00Z"});
    let judged = served.post("/release/push", &body).await.expect(200);
    assert_eq!((judged.as_array().unwrap().len(), &judged[0]["approved"]), (1, &json!(true)), "{judged}");
    assert!(queued(&served, episode).await.is_some());
    let second = served.post("/release/push", &body).await.expect(200);
    assert_eq!(second[0]["rejected"], true);
    let unreadable =
        json!({"title": "nothing", "downloadUrl": "http://x", "protocol": "usenet", "publishDate": "2026-03-01"});
    assert_eq!(served.post("/release/push", &unreadable).await.expect(400)[0]["errorMessage"], "Unable to parse");
    let failed = served.post("/release/push", &json!({})).await.expect(400);
    let told: Vec<&str> = failed.as_array().unwrap().iter().filter_map(|rule| rule["propertyName"].as_str()).collect();
    assert_eq!(told, ["Title", "DownloadUrl", "Protocol", "PublishDate"]);
}

#[tokio::test]
async fn marking_a_grab_as_failed_blocklists_it() {
    let served = serve().await;
    let grabs = served.get("/history?eventType=1&pageSize=1").await.expect(200);
    let grab = &grabs["records"][0];
    let done = served.call("POST", &format!("/history/failed/{}", grab["id"]), None).await;
    assert_eq!(done.expect(200), json!({}));
    let blocklist = served.get("/blocklist?pageSize=100").await.expect(200);
    assert!(blocklist["records"].as_array().unwrap().iter().any(|row| row["sourceTitle"] == grab["sourceTitle"]));
    assert_eq!(served.call("POST", "/history/failed/99999", None).await.status, 404);
}
