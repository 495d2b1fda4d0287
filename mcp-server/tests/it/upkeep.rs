//! The audits of settings and health and the forecast, against an embedded Sonarr; and all audits against one in which
//! nothing is wrong.

use std::time::Duration;

use embedded_sonarr::{Options, Scenario};
use serde_json::{Map, Value, json};
use sonarr_mcp::audits::AUDITS;
use sonarr_mcp::write::consent::Mode;

use crate::tasks::House;

const SETTINGS: (&str, &str) = ("sonarr_profiles_formats", "audit_settings");
const HEALTH: (&str, &str) = ("sonarr_system_commands", "audit_health");

async fn house(series: usize, next_version: bool, scenarios: Vec<Scenario>) -> House {
    House::with(Mode::Never, Options { series, next_version, scenarios, ..Options::default() }).await
}

async fn made(house: &House, (tool, operation): (&str, &str)) -> Value {
    house.get(tool, operation, json!({})).await.0
}

fn findings(answer: &Value) -> Vec<Map<String, Value>> {
    answer["findings"].as_array().unwrap().iter().map(|row| row.as_object().unwrap().clone()).collect()
}

/// Whether a finding has all that was planted.
fn has(finding: &Map<String, Value>, planted: &Value) -> bool {
    planted.as_object().unwrap().iter().all(|(name, value)| finding.get(name) == Some(value))
}

#[tokio::test]
async fn nothing_is_found_in_a_library_in_which_nothing_is_wrong() {
    for (series, next_version) in [(12, false), (100, false), (12, true), (100, true)] {
        let house = house(series, next_version, vec![Scenario::clean()]).await;
        for audit in AUDITS {
            let answer = made(&house, (&format!("sonarr_{}", audit.group), audit.name)).await;
            assert_eq!(answer["findings"], json!([]), "{}: {series} series, next version: {next_version}", audit.name);
            assert_eq!(answer["unseen"], Value::Null, "{}", audit.name);
            let examined = answer["examined"].as_object().unwrap();
            assert!(
                examined.values().any(|count| count != 0) || audit.name == "audit_queue",
                "{}: {answer}",
                audit.name
            );
        }
    }
}

/// Each kind is found as it was planted, in a library of today and of tomorrow; the call that it names makes it go away.
#[tokio::test]
async fn what_was_planted_is_found_and_mended() {
    for next_version in [false, true] {
        for (kind, audit, mendable) in [
            ("cutoff_unreachable", SETTINGS, true),
            ("formats_contradict", SETTINGS, true),
            ("scoped_to_unused_tag", SETTINGS, true),
            ("format_without_score", SETTINGS, true),
            ("quality_profile_unused", SETTINGS, true),
            ("tag_unused", SETTINGS, true),
            ("root_folder_unreachable", HEALTH, true),
            ("disk_nearly_full", HEALTH, false),
            ("health_problem", HEALTH, true),
        ] {
            let house = house(12, next_version, vec![kind.parse().unwrap()]).await;
            let planted = house.sonarr.planted().remove(0).rows;
            let mut left = findings(&made(&house, audit).await);
            assert_eq!(left.len(), planted.len(), "{kind}: {left:?}");
            for row in &planted {
                assert!(left.iter().any(|finding| finding["kind"] == kind && has(finding, row)), "{row}: {left:?}");
            }
            while let Some(mut mend) = left.first().and_then(|finding| finding.get("mend")).cloned() {
                let tool = mend.as_object_mut().unwrap().remove("tool").unwrap();
                if let Err(failure) = house.send(tool.as_str().unwrap(), mend.clone()).await {
                    panic!("{kind}: {mend}: {failure}");
                }
                house.sonarr.advance(Duration::from_secs(5));
                let after = findings(&made(&house, audit).await);
                assert_eq!(after.len() + 1, left.len(), "{kind}: {mend} leaves {after:?}");
                left = after;
            }
            assert_eq!(left.is_empty(), mendable, "{kind}: {left:?}");
        }
    }
}

#[tokio::test]
async fn the_days_that_a_disk_will_last_are_told() {
    let house = house(100, false, vec!["disk_nearly_full".parse().unwrap()]).await;
    let found = findings(&made(&house, HEALTH).await);
    let reason = found[0]["reason"].as_str().unwrap();
    assert!(reason.starts_with("4.0 GB left of ") && reason.contains("GB a day come: 0 days"), "{reason}");
    assert_eq!(found[0]["rootFolders"], json!(["/media/tv", "/media/anime"]));
}

/// What cannot be read is named, and the rest is answered.
#[tokio::test]
async fn a_part_that_cannot_be_read_is_named() {
    let house = house(12, false, vec!["root_folder_unreachable".parse().unwrap()]).await;
    house.sonarr.inject("500@/health".parse().unwrap());
    house.sonarr.inject("500@/diskspace".parse().unwrap());
    let answer = made(&house, HEALTH).await;
    assert_eq!(findings(&answer)[0]["kind"], "root_folder_unreachable", "{answer}");
    let unseen: Vec<&str> = answer["unseen"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let [disks, health] = unseen.as_slice() else { panic!("{unseen:?}") };
    assert!(disks.starts_with("disks: ") && health.starts_with("health: "), "{unseen:?}");

    house.sonarr.clear_faults();
    house.sonarr.inject("500@/tag/detail".parse().unwrap());
    let answer = made(&house, SETTINGS).await;
    assert_eq!(answer["findings"], json!([]));
    assert!(answer["unseen"][0].as_str().unwrap().starts_with("tags: "), "{answer}");
}

/// Few requests, however large the library is.
#[tokio::test]
async fn settings_and_health_ask_for_little() {
    let house = house(100, false, Scenario::all()).await;
    for (audit, most) in [(SETTINGS, 14), (HEALTH, 6)] {
        let before = house.sonarr.requests().len();
        let answer = made(&house, audit).await;
        let sent = house.sonarr.requests().len() - before;
        assert!(sent <= most && answer["requests"] == sent, "{}: {sent}, {}", audit.1, answer["requests"]);
    }
}

/// What the forecast tells is what the calendar has, and nothing that is there already.
#[tokio::test]
async fn the_forecast_is_that_of_the_calendar() {
    let house = house(100, false, vec![Scenario::clean()]).await;
    let told = made(&house, ("sonarr_calendar", "forecast_week")).await;
    let span = json!({"start": told["from"], "end": told["to"]});
    let (calendar, _) = house.get("sonarr_calendar", "list_calendar", span).await;
    let mut due: Vec<i64> = calendar.as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect();
    let rows = told["episodes"].as_array().unwrap();
    let mut found: Vec<i64> = rows.iter().map(|row| row["episodeId"].as_i64().unwrap()).collect();
    due.sort_unstable();
    found.sort_unstable();
    assert!(found.len() > 20, "{told}");
    assert_eq!(found, due);
    let sum = |rows: &Value, member: &str| {
        rows.as_array().unwrap().iter().map(|row| row[member].as_i64().unwrap()).sum::<i64>()
    };
    assert_eq!(told["bytes"], sum(&told["episodes"], "bytes"));
    assert_eq!(told["bytes"], sum(&told["days"], "bytes"));
    assert_eq!(told["bytes"], sum(&told["rootFolders"], "bytes"));
    assert_eq!(told["total"], sum(&told["days"], "episodes"));
    assert_eq!((&told["requests"], &told["withoutSize"], told.get("unseen")), (&json!(3), &json!(0), None));
    // A series of which files are there is expected to go on as it did.
    let row = rows.iter().find(|row| row["by"] == "its own files").unwrap();
    let (series, _) = house.get("sonarr_media_library", "get_series", json!({"id": row["seriesId"]})).await;
    let statistics = &series["statistics"];
    assert_eq!(
        row["bytes"],
        statistics["sizeOnDisk"].as_i64().unwrap() / statistics["episodeFileCount"].as_i64().unwrap()
    );
}
