//! Files that are gone or untracked, and folders of no series.

use embedded_sonarr::{Options, Scenario};
use serde_json::{Value, json};
use sonarr_mcp::write::consent::Mode;

use super::planted::Planted;
use crate::tasks::House;

#[tokio::test]
async fn files_that_are_gone_are_forgotten_by_a_scan() {
    let house = Planted::with("file_gone").await;
    let rows = house.finds_what_was_planted("audit_files").await;
    assert!(rows[0]["reason"].as_str().unwrap().starts_with("2 of "), "{rows:?}");
    house.mend(&rows[0]).await;
    assert_eq!(house.find("audit_files").await, [] as [Value; 0]);
}

#[tokio::test]
async fn untracked_videos_are_told_with_what_sonarr_makes_of_them() {
    let house = Planted::with("file_untracked").await;
    let rows = house.finds_what_was_planted("audit_files").await;
    let [ready, refused] = rows.as_slice() else { panic!("{rows:?}") };
    assert!(refused["mend"].is_null() && refused["reason"].as_str().unwrap().contains("Not an upgrade"), "{refused}");
    house.mend(ready).await;
    assert_eq!(house.find("audit_files").await, std::slice::from_ref(refused));
}

#[tokio::test]
async fn folders_of_no_series_become_series_or_are_imported() {
    let house = Planted::with("folder_unmapped").await;
    let rows = house.finds_what_was_planted("audit_files").await;
    let [unknown, second] = rows.as_slice() else { panic!("{rows:?}") };
    assert_eq!(unknown["mend"]["operation"], "add_series_by_title");
    assert_eq!(second["mend"]["operation"], "import_files");
    house.mend(unknown).await;
    assert_eq!(house.find("audit_files").await, std::slice::from_ref(second));
    let series = house.house.sonarr.ids("series").into_iter().max().unwrap();
    let series = house.house.sonarr.object("series", series).unwrap();
    assert_eq!((&series["path"], &series["statistics"]["episodeFileCount"]), (&unknown["path"], &json!(3)));
    house.mend(second).await;
    assert_eq!(house.find("audit_files").await, [] as [Value; 0]);
}

/// A slow or broken disk costs what is on it, and nothing else.
#[tokio::test]
async fn what_cannot_be_listed_is_unseen_and_nothing_on_it_is_gone() {
    let house = Planted::with("file_gone").await;
    house.house.sonarr.inject("500@/filesystem/mediafiles".parse().unwrap());
    let told = house.told("audit_files").await;
    assert_eq!((&told["total"], told["unseen"].as_array().unwrap().is_empty()), (&json!(0), false), "{told}");
}

/// The audits of files, names and streams.
const FILES: [&str; 3] = ["audit_files", "audit_names", "audit_media"];

#[tokio::test]
async fn nothing_is_found_where_nothing_is_wrong() {
    for (series, next_version) in [(150, false), (12, true)] {
        let options = Options { series, next_version, scenarios: vec![Scenario::clean()], ..Options::default() };
        let house = Planted { house: House::with(Mode::Auto, options).await };
        for audit in FILES {
            let told = house.told(audit).await;
            assert_eq!((&told["total"], &told["unseen"]), (&json!(0), &Value::Null), "{audit}: {told}");
        }
    }
}

/// Scenarios side by side: what each of them planted is found, of its kind, and nothing that the others did not cause.
#[tokio::test]
async fn each_kind_is_found_beside_all_others() {
    let options = Options { series: 100, scenarios: Scenario::all(), ..Options::default() };
    let house = Planted { house: House::with(Mode::Auto, options).await };
    let planted = house.house.sonarr.planted();
    let mut told = Vec::new();
    for audit in FILES {
        told.extend(house.find(audit).await);
    }
    for kind in [
        "file_gone",
        "file_untracked",
        "folder_unmapped",
        "file_name_off_format",
        "quality_contradicts_streams",
        "running_time_off",
        "language_unwanted",
    ] {
        let due = planted.iter().find(|planted| planted.scenario == kind).unwrap();
        for row in &due.rows {
            let is_told = |found: &&Value| row.as_object().unwrap().iter().all(|(name, value)| found[name] == *value);
            let found: Vec<&Value> = told.iter().filter(|found| found["kind"] == kind).filter(is_told).collect();
            assert_eq!(found.len(), 1, "{kind}: {row}");
        }
    }
}
