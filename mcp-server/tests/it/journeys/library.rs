//! Series and their files.

use serde_json::json;

use super::{COMMAND, DOWNLOAD, Journey, differing};

#[tokio::test]
async fn a_wrong_series_type() {
    let journey = Journey::to("anime_not_typed").await;
    let before = journey.state();
    let found = journey.mend(COMMAND).await;
    let changed = differing(&before, &journey.state());
    assert!(changed.iter().any(|(_, now)| now.as_ref().is_some_and(|now| now["seriesType"] == "anime")), "{changed:?}");
    let back = json!({"id": found["seriesId"], "patch": {"seriesType": "standard"}});
    journey.put_back("media_library", "update_series", back).await;
    assert_eq!(differing(&before, &journey.state()), []);
    assert_eq!(journey.worklist().await, [found]);
}

#[tokio::test]
async fn new_seasons_that_are_ignored() {
    let journey = Journey::to("new_seasons_ignored").await;
    let before = journey.state();
    let found = journey.mend(COMMAND).await;
    assert_ne!(differing(&before, &journey.state()), []);
    let back = json!({"id": found["seriesId"], "patch": {"monitorNewItems": "none"}});
    journey.put_back("media_library", "update_series", back).await;
    assert_eq!(differing(&before, &journey.state()), []);
    assert_eq!(journey.worklist().await, [found]);
}

#[tokio::test]
async fn an_ended_series_that_is_complete() {
    let journey = Journey::to("ended_and_complete").await;
    let before = journey.state();
    let found = journey.mend(COMMAND).await;
    assert_ne!(differing(&before, &journey.state()), []);
    let back = json!({"id": found["seriesId"], "patch": {"monitored": true}});
    journey.put_back("media_library", "update_series", back).await;
    assert_eq!(differing(&before, &journey.state()), []);
    assert_eq!(journey.worklist().await, [found]);
}

/// The old names are a format of their own, so that a rename brings them back.
#[tokio::test]
async fn names_off_the_format() {
    let journey = Journey::to("file_name_off_format").await;
    let before = journey.state();
    let found = journey.mend(COMMAND).await;
    let renamed = differing(&before, &journey.state());
    assert!(!renamed.is_empty());
    let naming = before[&("config/naming", 1)].clone();
    let formats = ["standardEpisodeFormat", "dailyEpisodeFormat", "animeEpisodeFormat"];
    let old: serde_json::Map<_, _> =
        formats.iter().map(|name| ((*name).to_owned(), json!("old name {episode:0}"))).collect();
    journey.put_back("config", "update_naming_config", json!({"patch": old})).await;
    let call = found["mend"]["arguments"].clone();
    journey.put_back("system_commands", "run_command", call).await;
    journey.house.sonarr.advance(COMMAND);
    let new: serde_json::Map<_, _> = formats.iter().map(|name| ((*name).to_owned(), naming[*name].clone())).collect();
    journey.put_back("config", "update_naming_config", json!({"patch": new})).await;
    assert_eq!(differing(&before, &journey.state()), []);
    assert_eq!(journey.worklist().await, [found]);
}

/// Sonarr forgets the files; what brings their episodes back is a search.
#[tokio::test]
async fn files_gone_from_disk() {
    let journey = Journey::to("file_gone").await;
    let before = journey.held();
    let found = journey.mend(COMMAND).await;
    let lost: Vec<i64> =
        journey.held().into_iter().filter(|(id, held)| before[id] != *held).map(|(id, _)| id).collect();
    assert!(!lost.is_empty(), "{found}");
    let search = json!({"body": {"name": "EpisodeSearch", "episodeIds": lost}});
    journey.put_back("system_commands", "run_command", search).await;
    journey.house.sonarr.advance(DOWNLOAD);
    assert_eq!(journey.held(), before);
}
