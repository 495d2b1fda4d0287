//! A coming version: members and values that no document knows are sent, stored, and lost when a client drops them.

use embedded_sonarr::{Clock, Options};
use serde_json::{Value, json};

use crate::support::{Served, serve_with};

async fn serve() -> Served {
    serve_with(Options { next_version: true, clock: Clock::fixed(), ..Options::default() }).await
}

#[tokio::test]
async fn stored_objects_keep_what_comes_back_and_lose_what_does_not() {
    let served = serve().await;
    for path in [
        "tag",
        "customfilter",
        "customformat",
        "autotagging",
        "delayprofile",
        "releaseprofile",
        "qualityprofile",
        "qualitydefinition",
        "remotepathmapping",
        "importlistexclusion",
        "indexer",
        "downloadclient",
        "importlist",
        "notification",
        "metadata",
        "config/host",
        "config/mediamanagement",
        "config/naming",
        "config/ui",
        "config/indexer",
        "config/importlist",
        "config/downloadclient",
        "series",
    ] {
        let id = served.sonarr.ids(path)[0];
        let row = served.get(&format!("/{path}/{id}")).await.expect(200);
        assert_eq!((&row["nextVersionLevel"], &row["nextVersionData"]["nothing"]), (&json!(1), &Value::Null), "{path}");
        assert!(
            row["nextVersionData"].as_object().unwrap().contains_key("nothing"),
            "{path}: an explicit null in a map"
        );
        let same = served.put(&format!("/{path}/{id}"), &row).await.expect(202);
        assert_eq!(same, row, "{path}");
        let mut dropped = row.clone();
        let members = dropped.as_object_mut().unwrap();
        members.shift_remove("nextVersionLevel");
        members.shift_remove("nextVersionData");
        let stored = served.put(&format!("/{path}/{id}"), &dropped).await.expect(202);
        assert_eq!(stored["nextVersionLevel"], 0, "{path}: what is dropped is reset");
        assert!(stored.get("nextVersionData").is_none(), "{path}");
    }
}

#[tokio::test]
async fn nested_objects_have_them_too() {
    let served = serve().await;
    let mut series = served.get("/series/1").await.expect(200);
    assert_eq!(series["seasons"][0]["nextVersionLevel"], 1);
    assert_eq!(series["seasons"][0]["statistics"]["nextVersionLevel"], 1);
    series["seasons"][0].as_object_mut().unwrap().shift_remove("nextVersionLevel");
    let stored = served.put("/series/1", &series).await.expect(202);
    assert_eq!(
        (&stored["seasons"][0]["nextVersionLevel"], &stored["seasons"][1]["nextVersionLevel"]),
        (&json!(0), &json!(1))
    );
    let indexer = served.get("/indexer/1").await.expect(200);
    assert!(indexer["fields"].as_array().unwrap().iter().all(|field| field["nextVersionLevel"] == 1));
    for path in ["/queue", "/history", "/wanted/missing", "/blocklist"] {
        let page = served.get(path).await.expect(200);
        assert_eq!(
            (&page["nextVersionLevel"], &page["records"][0]["nextVersionLevel"]),
            (&json!(1), &json!(1)),
            "{path}"
        );
    }
}

#[tokio::test]
async fn values_without_a_name_survive() {
    let served = serve().await;
    for (path, member, value) in [
        ("delayprofile/2", "preferredProtocol", json!("fromNextVersion")),
        ("delayprofile/3", "preferredProtocol", json!(99)),
        ("importlist/1", "shouldMonitor", json!("fromNextVersion")),
        ("importlist/2", "seriesType", json!(99)),
        ("config/host/1", "authenticationRequired", json!("disabledForLocalhost")),
        ("series/2", "status", json!("paused")),
        ("series/2", "seriesType", json!("fromNextVersion")),
        ("series/3", "monitorNewItems", json!(99)),
    ] {
        let row = served.get(&format!("/{path}")).await.expect(200);
        assert_eq!(row[member], value, "{path}");
        assert_eq!(served.put(&format!("/{path}"), &row).await.expect(202)[member], value, "{path}");
    }
}

#[tokio::test]
async fn members_of_the_coming_code_are_reset_when_they_are_dropped() {
    let served = serve().await;
    let mut profile = served.get("/releaseprofile/1").await.expect(200);
    assert_eq!((&profile["airDateRestriction"], &profile["excludedTags"]), (&json!(true), &json!([4])));
    for name in ["airDateRestriction", "airDateGracePeriod", "excludedTags"] {
        profile.as_object_mut().unwrap().shift_remove(name);
    }
    let stored = served.put("/releaseprofile/1", &profile).await.expect(202);
    assert_eq!((&stored["airDateRestriction"], &stored["airDateGracePeriod"]), (&json!(false), &json!(0)));
    let mut media = served.get("/config/mediamanagement").await.expect(200);
    media.as_object_mut().unwrap().shift_remove("userRejectedExtensions");
    assert_eq!(served.put("/config/mediamanagement/1", &media).await.status, 500);
    assert_eq!(served.get("/system/status").await.expect(200)["isContainerized"], true);
    assert!(served.get("/rootfolder").await.expect(200)[0]["totalSpace"].is_i64());
    assert!(served.get("/tag/detail/4").await.expect(200)["excludedReleaseProfileIds"].is_array());
}

#[tokio::test]
async fn the_coming_version_behaves_differently() {
    let served = serve().await;
    assert_eq!(
        served.send(served.request("GET", "/api")).await.expect(200),
        json!({"current": "v5", "deprecated": ["v3"]})
    );
    let missing = served.get("/tag/99").await;
    assert_eq!((missing.status, missing.bytes.len()), (404, 0));
    assert_eq!(served.get("/series/99").await.expect(404)["title"], "Not Found");
    assert!(missing.header("x-application-version").unwrap().starts_with("5."));
    assert_eq!(served.post("/command", &json!({"name": "Nonsense"})).await.status, 400);
    assert_eq!(served.post("/tag", &json!({"label": "Not Good"})).await.expect(400)[0]["propertyName"], "Label");
    let task = served.get("/system/task/99").await;
    assert_eq!((task.status, task.bytes.len()), (200, 0));
    let renames = served.get("/rename/bulk?seriesIds=1&seriesIds=2&seriesIds=9").await.expect(200);
    assert!(renames.as_array().unwrap().iter().all(|row| row["id"] == row["episodeFileId"]));
    let deleted = served.run(&json!({"name": "DeleteSeriesFiles", "seriesIds": [1]})).await;
    assert_eq!(deleted["status"], "completed");
    assert_eq!(served.get("/episodefile?seriesId=1").await.expect(200), json!([]));
}
