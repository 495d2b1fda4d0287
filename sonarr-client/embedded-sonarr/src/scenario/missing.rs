//! Missing episodes, and files below the cutoff.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::{Ground, Scenario};
use crate::downloads::{Download, Plan, Stage};
use crate::state::episode::{Episode, EpisodeFile, release_name};
use crate::state::{Entry, flag, int, text};

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario::new(
        "missing_never_searched",
        "Monitored episodes that aired have no file, and were never searched for.",
        |ground| missing(ground, false),
    ),
    Scenario::new(
        "missing_not_found",
        "Monitored episodes that aired have no file though they were searched for.",
        |ground| missing(ground, true),
    ),
    Scenario::new(
        "missing_keeps_failing",
        "A monitored episode that aired has no file, for its downloads fail.",
        missing_keeps_failing,
    ),
    Scenario::new("below_quality_cutoff", "Files of monitored episodes have a quality below the cutoff.", |ground| {
        below(ground, |file| file.quality = HDTV_720P)
    }),
    Scenario::new(
        "below_format_cutoff",
        "Files of monitored episodes have the quality that is wanted, and a score below what the profile upgrades up to.",
        |ground| below(ground, |file| (file.quality, file.group) = (WEB_1080P, "ROOK")),
    ),
];

const HDTV_720P: i64 = 4;
const WEB_1080P: i64 = 3;
/// The profile whose cutoff is 1080p.
const HD_1080P: i64 = 4;
/// Episodes of one series in which something is wrong.
const SEVERAL: usize = 2;

/// A monitored series with several episodes that aired and are there.
fn watched(entry: &Entry) -> bool {
    flag(&entry.row, "monitored")
        && int(&entry.row, "qualityProfileId") == HD_1080P
        && entry.episodes.iter().filter(|episode| there(episode)).count() > SEVERAL
}

fn there(episode: &Episode) -> bool {
    episode.season > 0 && episode.monitored && episode.file_id != 0
}

/// A series, its title, and episodes of it with their files.
type Found = (i64, String, Vec<(i64, i64)>);

/// The first episodes of such a series.
fn first(ground: &mut Ground<'_>, count: usize) -> Option<Found> {
    let series = ground.series(watched)?;
    let entry = ground.state.library.get(series)?;
    let found = entry.episodes.iter().filter(|episode| there(episode)).take(count);
    let found = found.map(|episode| (episode.id, episode.file_id)).collect();
    Some((series, text(&entry.row, "title").to_owned(), found))
}

fn row(series: i64, title: &str, found: &[(i64, i64)]) -> Vec<Value> {
    let ids: Vec<i64> = found.iter().map(|(episode, _)| *episode).collect();
    vec![json!({"seriesId": series, "title": title, "episodeIds": ids})]
}

fn missing(ground: &mut Ground<'_>, searched: bool) -> Vec<Value> {
    let Some((series, title, found)) = first(ground, SEVERAL) else { return Vec::new() };
    let last = searched.then(|| ground.state.now - TimeDelta::days(3));
    for (episode, file) in &found {
        if let Some(entry) = ground.state.library.get_mut(series) {
            entry.remove_file(*file);
        }
        if let Some(episode) = ground.state.library.episode_mut(*episode) {
            episode.last_search = last;
        }
    }
    row(series, &title, &found)
}

fn missing_keeps_failing(ground: &mut Ground<'_>) -> Vec<Value> {
    let Some((series, title, found)) = first(ground, 1) else { return Vec::new() };
    let state = &mut *ground.state;
    for (episode, file) in &found {
        if let Some(entry) = state.library.get_mut(series) {
            entry.remove_file(*file);
        }
        let Some(code) = state.library.episode(*episode).map(|(_, episode)| episode.code()) else { continue };
        let now = state.now;
        // Two releases, each of which was tried once.
        for (days, group) in [(9, "BRKN"), (4, "SPLT")] {
            let name = release_name(&title, &code, WEB_1080P, group);
            let download = Download {
                download_id: state.rng.hex(40).to_uppercase(),
                title: name.clone(),
                protocol: "usenet",
                client_id: 1,
                indexer: "Meadow Index".to_owned(),
                guid: format!("https://meadow.example/details/{group}"),
                url: format!("https://meadow.example/download/{group}"),
                series: Some(series),
                episodes: vec![*episode],
                quality: WEB_1080P,
                size: 1_400_000_000,
                added: now - TimeDelta::days(days),
                length: TimeDelta::hours(1),
                plan: Plan::Fail,
                stage: Stage::Ignored,
            };
            state.now = download.added;
            state.record_grab(&download);
            state.now += TimeDelta::minutes(30);
            let data = json!({
                "downloadClient": "Sabnzbd", "downloadClientName": state.client_name(1),
                "message": "Aborted, cannot be completed", "size": download.size.to_string(),
            });
            let id = download.download_id.as_str();
            state.add_history("downloadFailed", series, *episode, &name, WEB_1080P, Some(id), data);
            state.now = now;
        }
        if let Some(episode) = state.library.episode_mut(*episode) {
            episode.last_search = Some(now - TimeDelta::days(4));
        }
    }
    row(series, &title, &found)
}

fn below(ground: &mut Ground<'_>, spoil: impl Fn(&mut EpisodeFile)) -> Vec<Value> {
    let Some((series, title, found)) = first(ground, SEVERAL) else { return Vec::new() };
    for (_, file) in &found {
        if let Some(file) = ground.state.library.file_mut(*file) {
            spoil(file);
        }
    }
    row(series, &title, &found)
}
