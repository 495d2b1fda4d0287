//! Indexers that give nothing, or only what fails.

use serde_json::{Value, json};

use super::grabs::failed;
use super::queue::release;
use super::{Ground, Scenario};
use crate::downloads::Download;
use crate::state::{int, text};

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario::new("indexer_failing", "Every download that came from an indexer has failed.", indexer_failing),
    Scenario::new("indexer_silent", "An indexer gave nothing for weeks, while others gave a lot.", indexer_silent),
];

/// A further indexer, like the first one.
fn add(ground: &mut Ground<'_>, name: &str) -> Option<Value> {
    let mut row = ground.state.table("indexer").rows().min_by_key(|row| int(row, "id"))?.clone();
    row.shift_remove("id");
    row.insert("name".into(), name.into());
    let id = ground.state.table_mut("indexer").insert(row);
    Some(json!({"indexerId": id, "name": name}))
}

fn indexer_failing(ground: &mut Ground<'_>) -> Vec<Value> {
    const NAME: &str = "Breakwater";
    let Some(row) = add(ground, NAME) else { return Vec::new() };
    // Of several series, each of which got its episode elsewhere.
    for days in [3, 6, 9] {
        let Some(download) = release(ground, 0) else { return Vec::new() };
        failed(ground.state, &Download { indexer: NAME.to_owned(), ..download }, days);
    }
    vec![row]
}

fn indexer_silent(ground: &mut Ground<'_>) -> Vec<Value> {
    let known: Vec<String> = ground.state.table("indexer").rows().map(|row| text(row, "name").to_owned()).collect();
    let Some(row) = add(ground, "Doldrums") else { return Vec::new() };
    let Some(download) = release(ground, 0) else { return Vec::new() };
    for (number, indexer) in known.iter().cycle().take(24).enumerate() {
        let days = 1 + i64::try_from(number).unwrap_or(0) % 20;
        let download_id = ground.state.rng.hex(40).to_uppercase();
        let past = Download { indexer: indexer.clone(), download_id, ..download.clone() };
        imported(ground, &past, days);
    }
    vec![row]
}

/// Writes that a download was grabbed so many days ago, and imported at once.
fn imported(ground: &mut Ground<'_>, download: &Download, days: i64) {
    let state = &mut *ground.state;
    let now = state.now;
    state.now = now - chrono::TimeDelta::days(days);
    state.record_grab(download);
    let (series, id) = (download.series.unwrap_or(0), download.download_id.as_str());
    for episode in &download.episodes {
        let data = json!({"importedPath": download.video_path(), "downloadClient": "Sabnzbd"});
        state.add_history(
            "downloadFolderImported",
            series,
            *episode,
            &download.title,
            download.quality,
            Some(id),
            data,
        );
    }
    state.now = now;
}
