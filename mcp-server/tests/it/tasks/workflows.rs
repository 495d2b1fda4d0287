//! Operations made of operations.

use embedded_sonarr::{Clock, Options};
use serde_json::{Value, json};
use sonarr_mcp::failure::Code;
use sonarr_mcp::write::consent::Mode;

use super::{House, inner};

const LIBRARY: &str = "media_library";

const NEW: &str = "letters from hollin northern sanctuary";

#[tokio::test]
async fn a_series_is_added_by_its_title() {
    let house = House::still(Mode::Auto).await;
    let add = |arguments: Value| house.call(LIBRARY, "add_series_by_title", arguments);

    let failure = add(json!({"term": NEW})).await.unwrap_err();
    assert_eq!(failure.path.as_deref(), Some("arguments.rootFolderPath"));
    assert_eq!(failure.accepted, ["/media/tv", "/media/anime", "/mnt/offline"]);

    let failure = add(json!({"term": "Letters from", "rootFolderPath": "tv"})).await.unwrap_err();
    assert!(
        failure.accepted.contains(&"tvdb:9900009 (Letters from Elderby: Weathered Arcade (2009))".to_owned()),
        "{failure}"
    );

    let failure = add(json!({"term": "Ninefold", "rootFolderPath": "tv"})).await.unwrap_err();
    assert_eq!(failure.code, Code::Conflict);
    assert!(failure.message.contains("already, as id 10"), "{failure}");

    let failure = add(json!({"term": NEW, "rootFolderPath": "tv", "monitor": "first"})).await.unwrap_err();
    assert!(failure.accepted.contains(&"firstSeason".to_owned()), "{failure}");

    let failure = add(json!({"term": "qqqq zzzz", "rootFolderPath": "tv"})).await.unwrap_err();
    assert_eq!(failure.code, Code::NotFound);
    assert_eq!(house.requests().0, Vec::<String>::new());

    let arguments =
        json!({"term": NEW, "rootFolderPath": "tv", "monitor": "firstseason", "tags": ["family", "+letters"]});
    let mut dry = json!({"operation": "add_series_by_title", "arguments": arguments, "dry_run": true});
    let (shown, _) = inner(&house.send(LIBRARY, dry.clone()).await.unwrap());
    assert!(shown["request"]["path"].is_string(), "{shown}");
    assert_eq!(house.requests().0, Vec::<String>::new());

    dry["dry_run"] = json!(false);
    let (added, note) = inner(&house.send(LIBRARY, dry).await.unwrap());
    assert!(note.contains("RefreshSeries") && note.contains("`letters`"), "{note}");
    assert_eq!(house.requests().0, ["POST /api/v3/tag", "POST /api/v3/series"]);
    let stored = house.sonarr.object("series", added["id"].as_i64().unwrap()).unwrap();
    // Most series of the library have this profile.
    assert_eq!(stored["qualityProfileId"], 4);
    assert_eq!(stored["tags"], added["tags"]);
    assert_eq!(stored["tags"].as_array().unwrap().len(), 2);
    assert!(stored["path"].as_str().unwrap().starts_with("/media/tv/"), "{stored}");
}

/// Without what Sonarr counts of the episodes, which are set like their season.
fn without_counts(mut value: Value) -> Value {
    match &mut value {
        Value::Object(members) => {
            members.retain(|name, _| !["statistics", "nextAiring", "previousAiring"].contains(&name.as_str()));
            members.values_mut().for_each(|value| *value = without_counts(value.take()));
        }
        Value::Array(items) => items.iter_mut().for_each(|value| *value = without_counts(value.take())),
        _ => {}
    }
    value
}

#[tokio::test]
async fn one_season_changes_and_nothing_else() {
    let options = Options { next_version: true, clock: Clock::fixed(), ..Options::default() };
    let house = House::with(Mode::Auto, options).await;
    let mut due = house.sonarr.object("series", 4).unwrap();
    let season = due["seasons"].as_array().unwrap().iter().position(|it| it["seasonNumber"] == 2).unwrap();
    let now = due["seasons"][season]["monitored"].as_bool().unwrap();
    due["seasons"][season]["monitored"] = json!(!now);
    let arguments = json!({"seriesId": "Paper Lantern Brigade", "seasonNumber": 2, "monitored": !now});
    let (changed, _) = house.get(LIBRARY, "set_season_monitoring", arguments.clone()).await;
    assert_eq!(changed["changed"].as_array().unwrap().len(), 1, "{changed}");
    let stored = house.sonarr.object("series", 4).unwrap();
    assert_eq!(without_counts(stored), without_counts(due));
    assert_eq!(house.requests().0, ["PUT /api/v3/series/4"]);
    // Once more changes nothing.
    house.get(LIBRARY, "set_season_monitoring", arguments).await;
    assert_eq!(house.requests().0, Vec::<String>::new());

    let arguments = json!({"seriesId": 4, "seasonNumber": 77, "monitored": true});
    let failure = house.call(LIBRARY, "set_season_monitoring", arguments).await.unwrap_err();
    assert_eq!(failure.path.as_deref(), Some("arguments.seasonNumber"));
    let arguments = json!({"seriesId": "Harrow & Daughters", "seasonNumber": 1, "monitored": true});
    let answer = house.call(LIBRARY, "set_season_monitoring", arguments).await.unwrap();
    assert!(answer.note.unwrap_or_default().contains("itself is not monitored"));
}

#[tokio::test]
async fn the_cause_is_named() {
    let house = House::still(Mode::Auto).await;
    let diagnose = |arguments: Value| house.get(LIBRARY, "diagnose_episode", arguments);
    for (number, cause, remedy) in [
        ("S01E08", "importBlocked", "import_files"),
        ("S01E10", "stalled", "clean_queue"),
        ("S01E02", "in the queue (downloading", "wait"),
    ] {
        let (told, _) = diagnose(json!({"episodeId": number, "seriesId": "Paper Lantern Brigade"})).await;
        assert!(told["cause"].as_str().unwrap().contains(cause), "{told}");
        assert!(told["remedy"].as_str().unwrap().contains(remedy), "{told}");
        assert!(told["chain"].as_array().unwrap().len() >= 9, "{told}");
    }
    // Of the library's episodes each has a cause.
    let mut causes = std::collections::BTreeSet::new();
    for id in house.sonarr.ids("episode").into_iter().take(40) {
        let (told, _) = diagnose(json!({"episodeId": id})).await;
        let is_there = house.sonarr.object("episode", id).unwrap()["hasFile"] == json!(true);
        assert_eq!(told["cause"] == "the episode is there", is_there, "{told}");
        causes.insert(told["cause"].as_str().unwrap().chars().take(20).collect::<String>());
    }
    assert!(causes.len() > 1, "{causes:?}");
    assert_eq!(house.requests().0, Vec::<String>::new());
}

#[tokio::test]
async fn the_queue_is_cleaned_of_what_stands_still() {
    let house = House::running(Mode::Auto).await;
    let queue = |house: &House| house.sonarr.requests().len();
    let (shown, note) = house.get("queue", "clean_queue", json!({})).await;
    let matched = shown["matched"].as_array().unwrap().clone();
    assert!(!matched.is_empty() && note.contains("apply"), "{shown} {note}");
    assert!(matched.iter().all(|it| ["failed", "stalled"].contains(&it["why"].as_str().unwrap())), "{shown}");
    assert!(shown["would_go"].is_object(), "{shown}");
    assert!(queue(&house) > 0);
    assert_eq!(house.requests().0, Vec::<String>::new());

    let mut call = json!({"operation": "clean_queue", "arguments": {"apply": true}});
    let (asked, _) = inner(&house.send("queue", call.clone()).await.unwrap());
    assert!(asked["question"].as_str().unwrap().contains("remove_queue_items"), "{asked}");
    assert_eq!(house.requests().0, Vec::<String>::new());
    call["confirm"] = asked["confirm"].clone();
    let (done, _) = inner(&house.send("queue", call).await.unwrap());
    assert_eq!(done["matched"], json!(matched));
    assert_eq!(house.requests().0, ["DELETE /api/v3/queue/bulk"]);
    let page = json!({"pageSize": 100, "includeUnknownSeriesItems": true});
    let (left, _) = house.get("queue", "list_queue", page).await;
    let ids: Vec<&Value> = left["records"].as_array().unwrap().iter().map(|it| &it["id"]).collect();
    assert!(!ids.is_empty() && matched.iter().all(|it| !ids.contains(&&it["id"])), "{ids:?}");

    let (nothing, note) = house.get("queue", "clean_queue", json!({"apply": true})).await;
    assert_eq!(nothing["matched"], json!([]));
    assert!(note.contains("nothing was done"), "{note}");
}

#[tokio::test]
async fn a_download_is_imported_to_its_end() {
    let house = House::running(Mode::Auto).await;
    let arguments = json!({"folder": "/downloads", "wait": 30});
    let mut call = json!({"operation": "import_files", "arguments": arguments});
    let (asked, _) = inner(&house.send(LIBRARY, call.clone()).await.unwrap());
    assert!(asked["question"].as_str().unwrap().contains("ManualImport"), "{asked}");
    assert_eq!(house.requests().0, Vec::<String>::new());
    let missing = house.sonarr.object("episode", 62).unwrap();
    assert_eq!(missing["hasFile"], json!(false));

    call["confirm"] = asked["confirm"].clone();
    let (done, _) = inner(&house.send(LIBRARY, call).await.unwrap());
    assert_eq!((&done["status"], &done["result"]), (&json!("completed"), &json!("successful")), "{done}");
    assert!(done["matched"].as_i64().unwrap() >= 1);
    assert_eq!(house.requests().0, ["POST /api/v3/command"]);
    assert_eq!(house.sonarr.object("episode", 62).unwrap()["hasFile"], json!(true));

    let (nothing, note) = house.get(LIBRARY, "import_files", json!({"folder": "/nowhere"})).await;
    assert_eq!(nothing["matched"], 0);
    assert!(note.contains("nothing was done"), "{note}");
    for arguments in [json!({}), json!({"folder": "/a", "downloadId": "b"})] {
        let failure = house.call(LIBRARY, "import_files", arguments).await.unwrap_err();
        assert_eq!(failure.code, Code::InvalidArguments);
    }
}

#[tokio::test]
async fn help_tells_them_with_an_example() {
    let house = House::still(Mode::Auto).await;
    for (tool, name) in [(LIBRARY, "add_series_by_title"), (LIBRARY, "diagnose_episode"), ("queue", "clean_queue")] {
        let (help, _) = house.get(tool, "help", json!({"operation": name})).await;
        assert_eq!(help["example"]["operation"], name, "{help}");
        assert!(help["arguments"]["properties"].is_object(), "{help}");
    }
    assert_eq!(house.requests().1, 0);
}
