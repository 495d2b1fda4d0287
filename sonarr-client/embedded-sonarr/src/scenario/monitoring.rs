//! Monitoring that misses episodes, or goes on for nothing.

use serde_json::{Value, json};

use super::{Ground, Scenario};
use crate::state::{Entry, flag, text};

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario::new(
        "new_seasons_ignored",
        "A monitored series that goes on will not get its new seasons monitored.",
        new_seasons_ignored,
    ),
    Scenario::new(
        "newest_season_off",
        "A monitored series goes on, and its newest season is not monitored.",
        newest_season_off,
    ),
    Scenario::new(
        "specials_block_completion",
        "A series lacks nothing but specials, which are monitored.",
        specials_block_completion,
    ),
    Scenario::new("ended_and_complete", "A series has ended and is complete, and is monitored.", ended_and_complete),
];

fn goes_on(entry: &Entry) -> bool {
    text(&entry.row, "status") == "continuing" && flag(&entry.row, "monitored")
}

fn row(entry: &Entry, id: i64) -> Value {
    json!({"seriesId": id, "title": text(&entry.row, "title")})
}

/// Monitors a season with its episodes, or ends that.
fn monitor(entry: &mut Entry, season: i64, monitored: bool) {
    for row in entry.row.get_mut("seasons").and_then(Value::as_array_mut).into_iter().flatten() {
        if row.get("seasonNumber").and_then(Value::as_i64) == Some(season)
            && let Some(row) = row.as_object_mut()
        {
            row.insert("monitored".into(), monitored.into());
        }
    }
    for episode in entry.episodes.iter_mut().filter(|episode| episode.season == season) {
        episode.monitored = monitored;
    }
}

fn new_seasons_ignored(ground: &mut Ground<'_>) -> Vec<Value> {
    let Some(id) = ground.series(goes_on) else { return Vec::new() };
    let Some(entry) = ground.state.library.get_mut(id) else { return Vec::new() };
    entry.row.insert("monitorNewItems".into(), "none".into());
    vec![row(entry, id)]
}

fn newest_season_off(ground: &mut Ground<'_>) -> Vec<Value> {
    let Some(id) = ground.series(goes_on) else { return Vec::new() };
    let Some(entry) = ground.state.library.get_mut(id) else { return Vec::new() };
    let Some(newest) = entry.episodes.iter().map(|episode| episode.season).max() else { return Vec::new() };
    monitor(entry, newest, false);
    vec![json!({"seriesId": id, "title": text(&entry.row, "title"), "seasonNumber": newest})]
}

fn specials_block_completion(ground: &mut Ground<'_>) -> Vec<Value> {
    let now = ground.state.now;
    let lacks = |entry: &Entry| {
        let missing = |season: fn(i64) -> bool| {
            entry.episodes.iter().any(|it| season(it.season) && it.file_id == 0 && it.has_aired(now))
        };
        goes_on(entry) && missing(|season| season == 0) && !missing(|season| season > 0)
    };
    let Some(id) = ground.series(lacks) else { return Vec::new() };
    let Some(entry) = ground.state.library.get_mut(id) else { return Vec::new() };
    monitor(entry, 0, true);
    vec![row(entry, id)]
}

fn ended_and_complete(ground: &mut Ground<'_>) -> Vec<Value> {
    let over = |entry: &Entry| text(&entry.row, "status") == "ended" && !flag(&entry.row, "monitored");
    let Some(id) = ground.series(over) else { return Vec::new() };
    let Some(entry) = ground.state.library.get_mut(id) else { return Vec::new() };
    entry.row.insert("monitored".into(), true.into());
    vec![row(entry, id)]
}
