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

/// No call gives a file a name that the format refuses, so the old names do not come back; nothing else may change.
#[tokio::test]
async fn names_off_the_format() {
    let journey = Journey::to("file_name_off_format").await;
    let before = journey.state();
    journey.mend(COMMAND).await;
    let renamed = differing(&before, &journey.state());
    assert!(!renamed.is_empty());
    for (was, now) in renamed {
        let (mut was, mut now) = (was.unwrap(), now.unwrap());
        assert_ne!(was["relativePath"], now["relativePath"]);
        for object in [&mut was, &mut now].map(|object| object.as_object_mut().unwrap()) {
            object.retain(|name, _| !["path", "relativePath"].contains(&name.as_str()));
        }
        assert_eq!(was, now);
    }
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
