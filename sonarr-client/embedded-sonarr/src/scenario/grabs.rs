//! Grabs that come to nothing.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::queue::release;
use super::{Ground, Scenario};
use crate::downloads::{Download, Stage};
use crate::state::{State, text};

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario::new(
        "release_keeps_failing",
        "Downloads of an episode have failed again and again, and it has no file.",
        release_keeps_failing,
    ),
    Scenario::new("grab_went_nowhere", "A release was grabbed, and nothing more was heard of it.", grab_went_nowhere),
];

/// Writes that a download was grabbed so many days ago.
fn grabbed(state: &mut State, download: &Download, days: i64) {
    let now = state.now;
    state.now = now - TimeDelta::days(days);
    state.record_grab(download);
    state.now = now;
}

/// Writes that a download failed, half an hour after it was grabbed so many days ago.
pub(super) fn failed(state: &mut State, download: &Download, days: i64) {
    grabbed(state, download, days);
    let now = state.now;
    state.now = now - TimeDelta::days(days) + TimeDelta::minutes(30);
    let data = json!({
        "downloadClient": "Sabnzbd", "downloadClientName": state.client_name(download.client_id),
        "message": "Aborted, cannot be completed", "size": download.size.to_string(),
    });
    let (series, id) = (download.series.unwrap_or(0), download.download_id.as_str());
    for episode in &download.episodes {
        state.add_history(
            "downloadFailed",
            series,
            *episode,
            &download.title,
            download.quality,
            Some(id),
            data.clone(),
        );
    }
    state.now = now;
}

/// The episode of a release loses its file and was last searched for so many days ago.
fn lose(ground: &mut Ground<'_>, download: &Download, searched: i64) -> Vec<Value> {
    let Some(series) = download.series else { return Vec::new() };
    let last = ground.state.now - TimeDelta::days(searched);
    for id in &download.episodes {
        let Some((_, episode)) = ground.state.library.episode(*id) else { continue };
        let file = episode.file_id;
        if let Some(entry) = ground.state.library.get_mut(series) {
            entry.remove_file(file);
        }
        if let Some(episode) = ground.state.library.episode_mut(*id) {
            episode.last_search = Some(last);
        }
    }
    let title = ground.state.library.get(series).map(|entry| text(&entry.row, "title").to_owned());
    vec![json!({"seriesId": series, "title": title, "episodeIds": download.episodes})]
}

fn release_keeps_failing(ground: &mut Ground<'_>) -> Vec<Value> {
    let Some(download) = release(ground, 0) else { return Vec::new() };
    for (days, group) in [(8, "BRKN"), (5, "SPLT")] {
        let download_id = ground.state.rng.hex(40).to_uppercase();
        let title = download.title.replace("NEST", group);
        failed(ground.state, &Download { download_id, title, ..download.clone() }, days);
    }
    lose(ground, &download, 5)
}

fn grab_went_nowhere(ground: &mut Ground<'_>) -> Vec<Value> {
    let Some(download) = release(ground, 0) else { return Vec::new() };
    grabbed(ground.state, &Download { stage: Stage::Ignored, ..download.clone() }, 3);
    lose(ground, &download, 3)
}
