//! Which episodes a choice of monitoring means.

use chrono::TimeDelta;
use serde_json::Value;

use crate::state::{Row, State, flag};

/// Sets the monitored flags of a series' episodes and seasons by a monitor type and the two older options.
pub(crate) fn apply(state: &mut State, series: i64, monitor: &str, options: &Row) {
    let now = state.now;
    let Some(entry) = state.library.get_mut(series) else { return };
    let monitor = monitor.to_ascii_lowercase();
    let last = entry.episodes.iter().map(|episode| episode.season).max().unwrap_or(0);
    let specials = matches!(monitor.as_str(), "monitorspecials" | "unmonitorspecials");
    if !matches!(monitor.as_str(), "skip" | "unknown" | "") {
        for episode in &mut entry.episodes {
            let regular = episode.season > 0;
            let aired = episode.has_aired(now);
            let chosen = match monitor.as_str() {
                "all" => regular,
                "future" => regular && !aired,
                "missing" => regular && episode.file_id == 0,
                "existing" => regular && episode.file_id != 0,
                "firstseason" => episode.season == 1,
                "lastseason" | "latestseason" => regular && episode.season == last,
                "pilot" => episode.season == 1 && episode.number == 1,
                "recent" => regular && episode.air.is_none_or(|air| air > now - TimeDelta::days(90)),
                "monitorspecials" => !regular || episode.monitored,
                "unmonitorspecials" => regular && episode.monitored,
                _ => false,
            };
            episode.monitored = chosen;
        }
    }
    for episode in &mut entry.episodes {
        let drop = (flag(options, "ignoreEpisodesWithFiles") && episode.file_id != 0)
            || (flag(options, "ignoreEpisodesWithoutFiles") && episode.file_id == 0 && episode.has_aired(now));
        if drop {
            episode.monitored = false;
        }
    }
    if monitor == "skip" {
        return;
    }
    let monitored: Vec<i64> =
        entry.episodes.iter().filter(|episode| episode.monitored).map(|episode| episode.season).collect();
    let seasons = entry.row.get_mut("seasons").and_then(Value::as_array_mut);
    for season in seasons.into_iter().flatten().filter_map(Value::as_object_mut) {
        let number = season.get("seasonNumber").and_then(Value::as_i64).unwrap_or(0);
        if !specials || number == 0 {
            season.insert("monitored".into(), monitored.contains(&number).into());
        }
    }
    if monitor == "none" {
        entry.row.insert("monitored".into(), false.into());
    }
}
