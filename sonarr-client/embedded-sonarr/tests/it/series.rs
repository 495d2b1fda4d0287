//! Series, seasons, episodes and files.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Served, serve};

async fn new_series(served: &Served) -> Value {
    let mut series = served.get("/series/lookup?term=letters").await.expect(200)[0].clone();
    assert!(series.get("id").is_none() && series["added"] == "0001-01-01T00:00:00Z");
    series["qualityProfileId"] = json!(4);
    series["rootFolderPath"] = json!("/media/tv");
    series["monitored"] = json!(true);
    series["seasonFolder"] = json!(true);
    series
}

#[tokio::test]
async fn a_new_series_gets_its_episodes_a_moment_later() {
    let served = serve().await;
    let mut series = new_series(&served).await;
    series["addOptions"] = json!({"monitor": "firstSeason", "searchForMissingEpisodes": true});
    let created = served.post("/series", &series).await;
    let id = created.expect(201)["id"].as_i64().unwrap();
    assert_eq!(created.header("location"), Some(format!("/api/v3/series/{id}").as_str()));
    assert_eq!(served.get(&format!("/episode?seriesId={id}")).await.expect(200), json!([]), "the refresh has not run");
    served.sonarr.advance(Duration::from_secs(2));
    let episodes = served.get(&format!("/episode?seriesId={id}")).await.expect(200);
    let list = episodes.as_array().unwrap();
    assert!(list.len() > 10);
    assert!(list.iter().all(|episode| (episode["seasonNumber"] == 1) == episode["monitored"].as_bool().unwrap()));
    let stored = served.get(&format!("/series/{id}")).await.expect(200);
    assert_eq!(stored["path"], format!("/media/tv/{}", series["folder"].as_str().unwrap()));
    assert_eq!(stored["statistics"]["episodeFileCount"], 0);
    assert!(stored.get("addOptions").is_none());
    // The search for missing episodes found and grabbed them.
    served.sonarr.advance(Duration::from_secs(5));
    let queue = served.get(&format!("/queue/details?seriesId={id}")).await.expect(200);
    assert_eq!(queue.as_array().unwrap().len(), list.iter().filter(|episode| episode["seasonNumber"] == 1).count());
    let again = served.post("/series", &series).await.expect(400);
    assert_eq!(again[0]["errorCode"], "SeriesExistsValidator");
    assert_eq!(again[0]["propertyName"], "TvdbId");
}

#[tokio::test]
async fn adding_is_refused_with_the_reason() {
    let served = serve().await;
    let good = new_series(&served).await;
    let cases = [
        ("title", json!(""), "Title"),
        ("tvdbId", json!(0), "TvdbId"),
        ("tvdbId", json!(123_456), "TvdbId"),
        ("qualityProfileId", json!(0), "QualityProfileId"),
        ("qualityProfileId", json!(99), "QualityProfileId"),
        ("rootFolderPath", json!("/nope"), "RootFolderPath"),
        ("path", json!("/media/tv"), "Path"),
        ("path", json!("/usr/x"), "Path"),
    ];
    for (member, value, property) in cases {
        let mut series = good.clone();
        series[member] = value.clone();
        assert_eq!(served.post("/series", &series).await.expect(400)[0]["propertyName"], property, "{member} {value}");
    }
    let mut wrong = good.clone();
    wrong["addOptions"] = json!({"monitor": "first"});
    let problem = served.post("/series", &wrong).await.expect(400);
    assert!(problem["errors"]["$.addOptions.monitor"].is_array(), "{problem}");
    assert_eq!(served.sonarr.ids("series").len(), 12, "nothing was added");
}

#[tokio::test]
async fn a_series_put_back_unchanged_stays_as_it_is() {
    let served = serve().await;
    for id in served.sonarr.ids("series") {
        let series = served.get(&format!("/series/{id}")).await.expect(200);
        assert_eq!(served.put(&format!("/series/{id}"), &series).await.expect(202), series);
        assert_eq!(served.get(&format!("/series/{id}")).await.expect(200), series);
    }
}

#[tokio::test]
async fn put_replaces_seasons_and_takes_episodes_along() {
    let served = serve().await;
    let mut series = served.get("/series/1").await.expect(200);
    let number = series["seasons"].as_array().unwrap().len() - 1;
    series["seasons"][number]["monitored"] = json!(false);
    let season = series["seasons"][number]["seasonNumber"].clone();
    series["title"] = json!("Another Title");
    let stored = served.put("/series/1", &series).await.expect(202);
    assert_eq!(stored["title"], "The Heron's Ledger", "what TheTVDB says is not taken from the body");
    let episodes = served.get(&format!("/episode?seriesId=1&seasonNumber={season}")).await.expect(200);
    assert!(episodes.as_array().unwrap().iter().all(|episode| episode["monitored"] == false));
    series.as_object_mut().unwrap().shift_remove("seasons");
    assert_eq!(
        served.put("/series/1", &series).await.expect(202)["seasons"],
        json!([]),
        "left out, the list is emptied"
    );
    assert_eq!(served.put("/series/1?includeSeasonImages=x", &series).await.status, 500);
    series["path"] = json!("");
    assert_eq!(served.put("/series/1", &series).await.expect(400)[0]["propertyName"], "Path");
    series["id"] = json!(999);
    assert_eq!(served.put("/series/999", &series).await.status, 404);
}

#[tokio::test]
async fn moving_files_is_a_command() {
    let served = serve().await;
    let mut series = served.get("/series/1").await.expect(200);
    let old = series["path"].clone();
    series["path"] = json!("/media/new/Elsewhere");
    let stored = served.put("/series/1?moveFiles=true", &series).await.expect(202);
    assert_eq!(stored["path"], old, "until the command has run");
    served.sonarr.advance(Duration::from_secs(5));
    assert_eq!(served.get("/series/1").await.expect(200)["path"], "/media/new/Elsewhere");
    let commands = served.get("/command").await.expect(200);
    assert!(
        commands
            .as_array()
            .unwrap()
            .iter()
            .any(|command| command["name"] == "MoveSeries" && command["body"]["seriesId"] == 1)
    );
}

#[tokio::test]
async fn deleting_a_series_takes_everything_along() {
    let served = serve().await;
    let queue = served.get("/queue?pageSize=50").await.expect(200);
    let id = queue["records"][0]["seriesId"].as_i64().unwrap();
    let tvdb = served.get(&format!("/series/{id}")).await.expect(200)["tvdbId"].clone();
    let deleted = served.delete(&format!("/series/{id}?addImportListExclusion=true")).await;
    assert_eq!((deleted.status, deleted.bytes.len()), (200, 0));
    assert_eq!(served.get(&format!("/series/{id}")).await.status, 404);
    assert_eq!(served.get(&format!("/episode?seriesId={id}")).await.expect(200), json!([]));
    assert_eq!(served.get(&format!("/queue/details?seriesId={id}")).await.expect(200), json!([]));
    let history = served.get("/history?pageSize=5000").await.expect(200);
    assert!(history["records"].as_array().unwrap().iter().all(|event| event["seriesId"] != id));
    let excluded = served.get("/importlistexclusion").await;
    assert_eq!(excluded.header("deprecation"), Some("true"));
    assert!(excluded.expect(200).as_array().unwrap().iter().any(|row| row["tvdbId"] == tvdb));
    let again = served.delete(&format!("/series/{id}")).await.expect(500);
    assert_eq!(again["message"], "Expected query to return 1 rows but returned 0");
    // TheTVDB still knows it, so it can be looked up and added again.
    let found = served.get(&format!("/series/lookup?term=tvdb:{tvdb}")).await.expect(200);
    let mut series = found[0].clone();
    assert!(series.get("id").is_none());
    series["qualityProfileId"] = json!(4);
    series["rootFolderPath"] = json!("/media/tv");
    let new = served.post("/series", &series).await.expect(201)["id"].clone();
    served.sonarr.advance(Duration::from_secs(2));
    let episodes = served.get(&format!("/episode?seriesId={new}")).await.expect(200);
    assert!(episodes.as_array().unwrap().iter().all(|episode| episode["hasFile"] == false));
    assert!(!episodes.as_array().unwrap().is_empty());
}

#[tokio::test]
async fn the_editor_changes_all_or_none() {
    let served = serve().await;
    let change = json!({"seriesIds": [1, 2], "monitored": false, "tags": [3], "qualityProfileId": 1});
    let changed = served.put("/series/editor", &change).await.expect(202);
    for series in changed.as_array().unwrap() {
        assert_eq!(
            (&series["monitored"], &series["tags"], &series["qualityProfileId"]),
            (&json!(false), &json!([3]), &json!(1))
        );
    }
    for (how, tags) in [("add", json!([3, 2])), ("remove", json!([3])), ("replace", json!([2]))] {
        let change = json!({"seriesIds": [1], "tags": [2], "applyTags": how});
        assert_eq!(served.put("/series/editor", &change).await.expect(202)[0]["tags"], tags, "{how}");
    }
    let unknown = json!({"seriesIds": [3, 99], "monitored": false});
    assert_eq!(served.put("/series/editor", &unknown).await.status, 500);
    assert_eq!(served.get("/series/3").await.expect(200)["monitored"], true, "nothing was changed");
    assert_eq!(served.put("/series/editor", &json!({"monitored": true})).await.status, 500);
    let root = json!({"seriesIds": [3], "rootFolderPath": "/nope"});
    assert_eq!(served.put("/series/editor", &root).await.expect(400)[0]["propertyName"], "RootFolderPath");
    let moved = json!({"seriesIds": [3], "rootFolderPath": "/media/anime", "moveFiles": true});
    served.put("/series/editor", &moved).await.expect(202);
    served.sonarr.advance(Duration::from_secs(5));
    assert!(served.get("/series/3").await.expect(200)["path"].as_str().unwrap().starts_with("/media/anime/"));
    let deleted = served.call("DELETE", "/series/editor", Some(&json!({"seriesIds": [1, 2]}))).await;
    assert_eq!(deleted.expect(200), json!({}));
    assert_eq!(served.sonarr.ids("series").len(), 10);
}

#[tokio::test]
async fn importing_leaves_known_series_out() {
    let served = serve().await;
    let known = served.get("/series/1").await.expect(200);
    let new = new_series(&served).await;
    let added = served.post("/series/import", &json!([known, new, new])).await.expect(200);
    assert_eq!(added.as_array().unwrap().len(), 1);
    assert_eq!(served.sonarr.ids("series").len(), 13);
}

#[tokio::test]
async fn season_pass_sets_flags_and_choices() {
    let served = serve().await;
    let body = json!({
        "series": [{"id": 1, "monitored": false, "seasons": [{"seasonNumber": 1, "monitored": false}]}, {"id": 2}],
        "monitoringOptions": {"monitor": "pilot"},
    });
    assert_eq!(served.post("/seasonpass", &body).await.expect(202), json!({}));
    let episodes = served.get("/episode?seriesId=2").await.expect(200);
    let monitored: Vec<&Value> =
        episodes.as_array().unwrap().iter().filter(|episode| episode["monitored"] == true).collect();
    assert_eq!(monitored.len(), 1);
    assert_eq!((&monitored[0]["seasonNumber"], &monitored[0]["episodeNumber"]), (&json!(1), &json!(1)));
    assert_eq!(served.get("/series/1").await.expect(200)["monitored"], false);
    assert_eq!(served.post("/seasonpass", &json!({"series": [{"id": 99}]})).await.status, 500);
    assert_eq!(served.post("/seasonpass", &json!({})).await.status, 500);
}

#[tokio::test]
async fn episodes_are_monitored_alone_and_together() {
    let served = serve().await;
    let changed = served.put("/episode/1", &json!({"monitored": false, "title": "ignored", "id": 2})).await.expect(202);
    assert_eq!((&changed["id"], &changed["monitored"]), (&json!(1), &json!(false)));
    assert_eq!(served.put("/episode/99999", &json!({})).await.status, 404);
    let list = served.put("/episode/monitor", &json!({"episodeIds": [1, 2], "monitored": true})).await.expect(202);
    assert_eq!(list.as_array().unwrap().len(), 2);
    assert_eq!(served.put("/episode/monitor", &json!({"episodeIds": [1, 99999], "monitored": true})).await.status, 500);
    assert_eq!(served.put("/episode/monitor", &json!({"monitored": true})).await.status, 500);
    let none = served.get("/episode").await.expect(400);
    assert_eq!(none["content"], "seriesId or episodeIds must be provided");
    assert_eq!(served.get("/episode?episodeIds=1&episodeIds=2").await.expect(200).as_array().unwrap().len(), 2);
    assert_eq!(served.get("/episode?episodeIds=1,2").await.status, 400);
    let whole = served.get("/episode/1").await.expect(200);
    assert!(whole["series"].is_object() && whole["images"].is_array());
}

#[tokio::test]
async fn statistics_follow_from_the_episodes() {
    let served = serve().await;
    for series in served.get("/series").await.expect(200).as_array().unwrap() {
        let id = &series["id"];
        let episodes = served.get(&format!("/episode?seriesId={id}")).await.expect(200);
        let files = served.get(&format!("/episodefile?seriesId={id}")).await.expect(200);
        let with_file = episodes
            .as_array()
            .unwrap()
            .iter()
            .filter(|episode| episode["hasFile"] == true && episode["seasonNumber"] != 0);
        assert_eq!(series["statistics"]["episodeFileCount"], with_file.count(), "series {id}");
        let size: i64 = files.as_array().unwrap().iter().map(|file| file["size"].as_i64().unwrap()).sum();
        assert_eq!(series["statistics"]["sizeOnDisk"], size, "series {id}");
        let seasons: i64 = series["seasons"]
            .as_array()
            .unwrap()
            .iter()
            .map(|season| season["statistics"]["sizeOnDisk"].as_i64().unwrap())
            .sum();
        assert_eq!(seasons, size, "series {id}");
        for episode in episodes.as_array().unwrap().iter().filter(|episode| episode["hasFile"] == true) {
            assert!(files.as_array().unwrap().iter().any(|file| file["id"] == episode["episodeFileId"]));
        }
    }
}

#[tokio::test]
async fn files_are_changed_and_deleted() {
    let served = serve().await;
    let file = served.get("/episodefile?seriesId=1").await.expect(200)[0].clone();
    let id = &file["id"];
    let mut change = file.clone();
    change["quality"]["quality"] = json!({"id": 7, "name": "Bluray-1080p", "source": "bluray", "resolution": 1080});
    change["languages"] = json!([{"id": 2, "name": "French"}]);
    let changed = served.put(&format!("/episodefile/{id}"), &change).await.expect(202);
    assert_eq!(changed["quality"]["quality"]["id"], 7);
    assert_eq!(changed["languages"], file["languages"], "languages are ignored here");
    let edit = json!({"episodeFileIds": [id], "languages": [{"id": 2, "name": "French"}], "releaseGroup": "HAND"});
    let edited = served.put("/episodefile/editor", &edit).await.expect(202);
    assert_eq!((&edited[0]["languages"][0]["id"], &edited[0]["releaseGroup"]), (&json!(2), &json!("HAND")));
    let bulk = json!([{"id": id, "indexerFlags": 4, "releaseType": "multiEpisode"}]);
    let bulk = served.put("/episodefile/bulk", &bulk).await.expect(202);
    assert_eq!((&bulk[0]["indexerFlags"], &bulk[0]["releaseType"]), (&json!(4), &json!("multiEpisode")));
    assert_eq!(bulk[0]["releaseGroup"], "HAND", "what is absent stays");
    assert_eq!(served.delete(&format!("/episodefile/{id}")).await.status, 200);
    assert_eq!(served.delete(&format!("/episodefile/{id}")).await.status, 404);
    let episodes = served.get("/episode?seriesId=1").await.expect(200);
    assert!(episodes.as_array().unwrap().iter().all(|episode| episode["episodeFileId"] != *id));
    let events = served.get("/history/series?seriesId=1&eventType=episodeFileDeleted").await.expect(200);
    assert_eq!(events[0]["data"]["reason"], "Manual");
    let others: Vec<Value> = served
        .get("/episodefile?seriesId=1")
        .await
        .expect(200)
        .as_array()
        .unwrap()
        .iter()
        .take(2)
        .map(|file| file["id"].clone())
        .collect();
    let gone = served.call("DELETE", "/episodefile/bulk", Some(&json!({"episodeFileIds": others}))).await;
    assert_eq!(gone.expect(200), json!({}));
    assert_eq!(served.call("DELETE", "/episodefile/bulk", Some(&json!({"episodeFileIds": []}))).await.status, 500);
    assert_eq!(served.get("/episodefile").await.status, 400);
    assert_eq!(served.get("/episodefile?seriesId=99").await.status, 404);
    assert_eq!(served.get("/episodefile?episodeFileIds=99999").await.status, 500);
}

#[tokio::test]
async fn look_ups_find_both_libraries() {
    let served = serve().await;
    let known = served.get("/series/lookup?term=herons").await.expect(200);
    assert_eq!(known, json!([]), "words must be in the title");
    let known = served.get("/series/lookup?term=heron").await.expect(200);
    assert_eq!(known[0]["id"], 1);
    let new = served.get("/series/lookup?term=tvdb:9900003").await.expect(200);
    assert_eq!((new.as_array().unwrap().len(), &new[0]["tvdbId"]), (1, &json!(9_900_003)));
    assert_eq!(served.get("/series/lookup").await.status, 503);
    assert_eq!(served.get("/series?tvdbId=9100000").await.expect(200)[0]["id"], 1);
    assert_eq!(served.get("/series?tvdbId=5").await.expect(200), json!([]));
    let folder = served.get("/series/1/folder").await.expect(200);
    assert!(folder["folder"].as_str().unwrap().starts_with("The Heron's Ledger"), "{folder}");
    let images = served.get("/series/1?includeSeasonImages=true").await.expect(200);
    assert!(images["seasons"][0]["images"].is_array());
}
