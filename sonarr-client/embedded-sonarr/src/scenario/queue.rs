//! Downloads that need a person.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::{Ground, Scenario};
use crate::downloads::{Download, Plan, Stage};
use crate::state::episode::release_name;
use crate::state::{flag, text};

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario::new("import_blocked", "A download is complete, and its import is blocked.", |ground| {
        queued(ground, Stage::Blocked, 3)
    }),
    Scenario::new("download_waiting", "A download has been stalled for more than a day.", |ground| {
        queued(ground, Stage::Stalled, 40)
    }),
    Scenario::new("download_failed", "A download has failed and is still in the queue.", |ground| {
        let at = ground.state.now;
        queued(ground, Stage::Failed { at }, 3)
    }),
    Scenario::new("download_paused", "A download is paused in its client.", |ground| queued(ground, Stage::Paused, 3)),
    Scenario::new("client_unreachable", "Releases wait for a download client that cannot be reached.", |ground| {
        queued(ground, Stage::Unreachable, 3);
        queued(ground, Stage::Unreachable, 3);
        vec![json!({"protocol": "usenet", "count": 2})]
    }),
];

const UHD_WEB: i64 = 18;

/// A release of an episode that is there, as the usenet client would get it.
pub(super) fn release(ground: &mut Ground<'_>, hours: i64) -> Option<Download> {
    let there = |entry: &crate::state::Entry| {
        flag(&entry.row, "monitored") && entry.episodes.iter().any(|it| it.season > 0 && it.file_id != 0)
    };
    let series = ground.series(there)?;
    let state = &mut *ground.state;
    let entry = state.library.get(series)?;
    let title = text(&entry.row, "title").to_owned();
    let taken: Vec<i64> = state.downloads.items.iter().flat_map(|download| download.episodes.clone()).collect();
    let free = entry.episodes.iter().find(|it| it.season > 0 && it.file_id != 0 && !taken.contains(&it.id))?;
    let (episode, code) = (free.id, free.code());
    Some(Download {
        download_id: state.rng.hex(40).to_uppercase(),
        title: release_name(&title, &code, UHD_WEB, "NEST"),
        protocol: "usenet",
        client_id: 1,
        indexer: "Meadow Index".to_owned(),
        guid: format!("https://meadow.example/details/{episode}"),
        url: format!("https://meadow.example/download/{episode}"),
        series: Some(series),
        episodes: vec![episode],
        quality: UHD_WEB,
        size: 4_200_000_000,
        added: state.now - TimeDelta::hours(hours),
        length: TimeDelta::hours(2),
        plan: Plan::Import,
        stage: Stage::Downloading,
    })
}

/// A download that was grabbed so many hours ago and stands like this.
fn queued(ground: &mut Ground<'_>, stage: Stage, hours: i64) -> Vec<Value> {
    let Some(download) = release(ground, hours) else { return Vec::new() };
    let download = Download { stage, ..download };
    let state = &mut *ground.state;
    let now = state.now;
    if !download.is_pending() {
        state.now = download.added;
        state.record_grab(&download);
        state.now = now;
    }
    if stage == Stage::Blocked {
        state.lay_on_disk(&download);
    }
    let row = json!({
        "downloadId": download.download_id,
        "seriesId": download.series,
        "episodeIds": download.episodes,
        "title": download.title,
    });
    state.downloads.items.push(download);
    vec![row]
}
