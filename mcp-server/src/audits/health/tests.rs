use chrono::{DateTime, Duration, Utc};
use serde_json::{Value, json};
use sonarr_client::types::{
    DiskSpaceResource, EpisodeHistoryEventType, HealthResource, RootFolderResource, SeriesResource,
};

use super::disks::{nearly_full, within};
use super::growth::{daily, weekly};
use super::{Worklist, problem, told_already, unreachable};
use crate::audits::Event;

fn event(days: i64, episode: i32, kind: EpisodeHistoryEventType, size: Option<i64>) -> Event {
    let date = DateTime::from_timestamp(1_780_000_000, 0).unwrap() - Duration::days(days);
    Event {
        id: 1,
        series_id: 1,
        episode_id: episode,
        kind,
        date,
        source_title: "A.Show".into(),
        download_id: None,
        indexer: None,
        download_client: None,
        message: None,
        reason: None,
        size,
    }
}

fn rate(events: &[Event]) -> i64 {
    let now: DateTime<Utc> = DateTime::from_timestamp(1_780_000_000, 0).unwrap();
    daily(&weekly(events, now, 30), [1].into_iter())
}

const IN: EpisodeHistoryEventType = EpisodeHistoryEventType::DownloadFolderImported;
const OUT: EpisodeHistoryEventType = EpisodeHistoryEventType::EpisodeFileDeleted;

#[test]
fn growth_is_what_came_less_what_went_in_the_middle_week() {
    let weekly_seven: Vec<Event> = [1, 8, 15, 22].map(|days| event(days, 1, IN, Some(7_000))).to_vec();
    assert_eq!(rate(&weekly_seven), 1_000);
    // One week in which a whole series came is not the rule.
    let mut burst = weekly_seven.clone();
    burst.extend((10..40).map(|episode| event(2, episode, IN, Some(7_000 + i64::from(episode)))));
    assert_eq!(rate(&burst), 1_000);
    // Two episodes in one file are noted twice.
    let mut double = weekly_seven.clone();
    double.extend([1, 8, 15, 22].map(|days| event(days, 2, IN, Some(7_000))));
    assert_eq!(rate(&double), 1_000);
    // An upgrade takes the old file away.
    let mut upgrades = weekly_seven.clone();
    upgrades.extend([1, 8, 15, 22].map(|days| event(days, 1, OUT, Some(3_500))));
    assert_eq!(rate(&upgrades), 500);
    // Of an unknown size: the import that took its place counts nothing.
    let mut unknown = weekly_seven.clone();
    unknown.push(event(3, 1, OUT, None));
    assert_eq!(rate(&unknown), 0);
    assert_eq!(rate(&[]), 0);
    assert_eq!(rate(&[event(60, 1, IN, Some(7_000))]), 0);
}

fn read<T: serde::de::DeserializeOwned>(row: Value) -> T {
    serde_json::from_value(row).unwrap()
}

#[test]
fn folders_on_one_disk_are_one_finding() {
    let folders: Vec<RootFolderResource> = read(json!([
        {"id": 1, "path": "/media/tv", "accessible": true, "freeSpace": 20_000},
        {"id": 2, "path": "/media/anime/", "accessible": true, "freeSpace": 20_000},
        {"id": 3, "path": "/mnt/away", "accessible": false},
        {"id": 4, "path": "/other/tv", "accessible": true, "freeSpace": 9_000_000_000_i64},
    ]));
    let disks: Vec<DiskSpaceResource> = read(json!([
        {"path": "/", "freeSpace": 9_000_000_000_i64, "totalSpace": 9_000_000_000_i64},
        {"path": "/media", "freeSpace": 20_000_000_000_i64, "totalSpace": 4_000_000_000_000_i64},
    ]));
    let series: Vec<SeriesResource> = read(json!([{"id": 1, "path": "/media/anime/A Show"}]));
    let now: DateTime<Utc> = DateTime::from_timestamp(1_780_000_000, 0).unwrap();
    let grown = |size: i64| {
        let events: Vec<Event> = [1, 8, 15, 22].map(|days| event(days, 1, IN, Some(size))).to_vec();
        weekly(&events, now, 30)
    };
    let found = nearly_full(&folders, &disks, &series, &grown(7_000_000_000));
    let [finding] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(finding.subject["path"], "/media");
    assert_eq!(finding.subject["rootFolders"], json!(["/media/tv", "/media/anime/"]));
    assert_eq!(finding.reason, "20.0 GB left of 4.0 TB, 1.0 GB a day come: 20 days");
    assert_eq!(finding.mend, None);
    assert!(nearly_full(&folders, &disks, &series, &grown(4_000_000_000)).is_empty());
    // Without the disks the folders tell their own room.
    let found = nearly_full(&folders, &[], &[], &grown(1));
    let paths: Vec<&Value> = found.iter().map(|finding| &finding.subject["path"]).collect();
    assert_eq!(paths, ["/media/anime/", "/media/tv"]);
    assert_eq!(found[0].reason, "20.0 kB left, and it does not grow at present");
}

#[test]
fn paths_lie_in_folders() {
    assert!(within("/media/tv/A", "/") && within("/media/tv", "/media/tv/") && within("/media/tv/A", "/media/tv"));
    assert!(!within("/media/tv2", "/media/tv") && !within("/Media/tv", "/media"));
    assert!(within("D:\\TV\\A Show", "d:/tv/") && within("d:/tv/a", "D:\\"));
    assert!(!within("D:\\TVs", "D:\\TV"));
}

#[test]
fn a_root_folder_that_is_away_is_told_once() {
    let folder: RootFolderResource = read(json!({"id": 3, "path": "/mnt/away", "accessible": false}));
    let series: Vec<SeriesResource> = read(json!([{"id": 1, "path": "/mnt/away/A Show"}]));
    let empty = unreachable(&folder, &[]).unwrap();
    assert_eq!(empty.mend.as_ref().unwrap().operation, "delete_root_folder");
    assert_eq!(unreachable(&folder, &series).unwrap().mend, None);
    let there: RootFolderResource = read(json!({"id": 3, "path": "/mnt/away", "accessible": true}));
    assert_eq!(unreachable(&there, &series), None);

    let worklist = Worklist { findings: vec![empty], ..Worklist::default() };
    let check = |message: &str| -> HealthResource {
        read(json!({"source": "RootFolderCheck", "type": "error", "message": message}))
    };
    assert!(told_already(&check("Missing root folder: /mnt/away"), &worklist));
    assert!(!told_already(&check("Multiple root folders are missing: /mnt/away | /mnt/gone"), &worklist));
    assert!(!told_already(&check("Missing root folder: /mnt/gone"), &worklist));
}

#[test]
fn what_is_well_is_no_problem() {
    assert_eq!(problem(&read(json!({"source": "UpdateCheck", "type": "ok"}))), None);
    let finding =
        problem(&read(json!({"source": "UpdateCheck", "type": "fromNextVersion", "message": "New"}))).unwrap();
    assert_eq!((finding.reason.as_str(), &finding.subject["type"]), ("New", &json!("fromNextVersion")));
}
