//! Settings of series that break matching, and series that are there twice.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::{Ground, Scenario};
use crate::state::episode::Episode;
use crate::state::{Entry, text};

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario::new("anime_not_typed", "A series is anime, and typed as a standard one.", |ground| {
        retype(ground, &["Action", "Anime"])
    }),
    Scenario::new("daily_not_typed", "A talk show airs every day, and is typed as a standard series.", daily_not_typed),
    Scenario::new("outside_root_folders", "The folder of a series lies in no root folder.", outside_root_folders),
    Scenario::new("folder_off_format", "The folder of a series is not called what the format says.", folder_off_format),
    Scenario::new("duplicate_series", "Two series of the library are the same one.", duplicate_series),
    Scenario::new("duplicate_episodes", "A series has an episode twice.", duplicate_episodes),
];

fn is(kind: &'static str) -> impl Fn(&Entry) -> bool {
    move |entry| text(&entry.row, "seriesType") == kind && !entry.files.is_empty()
}

fn row(entry: &Entry, id: i64) -> Value {
    json!({"seriesId": id, "title": text(&entry.row, "title")})
}

/// A standard series becomes one that was made in Japan, of these genres.
fn retype(ground: &mut Ground<'_>, genres: &[&str]) -> Vec<Value> {
    let Some(id) = ground.series(is("standard")) else { return Vec::new() };
    let Some(entry) = ground.state.library.get_mut(id) else { return Vec::new() };
    entry.row.insert("genres".into(), json!(genres));
    entry.row.insert("originalLanguage".into(), json!({"id": 8, "name": "Japanese"}));
    vec![row(entry, id)]
}

/// So many episodes are still to come, one a day.
const TO_COME: i64 = 60;

fn daily_not_typed(ground: &mut Ground<'_>) -> Vec<Value> {
    let Some(id) = ground.series(is("daily")) else { return Vec::new() };
    let Some(last) = ground.state.library.get(id).and_then(|entry| entry.episodes.last().cloned()) else {
        return Vec::new();
    };
    let mut more = Vec::new();
    for day in 1..=TO_COME {
        let episode_id = ground.state.library.next_episode_id(id);
        more.push(Episode {
            id: episode_id,
            tvdb_id: 20_000_000 + episode_id,
            number: last.number + day,
            air: last.air.map(|air| air + TimeDelta::days(day)),
            file_id: 0,
            finale: None,
            ..last.clone()
        });
    }
    let Some(entry) = ground.state.library.get_mut(id) else { return Vec::new() };
    entry.episodes.extend(more);
    entry.row.insert("genres".into(), json!(["Comedy", "Talk Show"]));
    entry.row.insert("seriesType".into(), "standard".into());
    vec![row(entry, id)]
}

fn outside_root_folders(ground: &mut Ground<'_>) -> Vec<Value> {
    const OUTSIDE: &str = "/media/old";
    let Some(id) = ground.series(is("standard")) else { return Vec::new() };
    ground.state.disk.add_folder(OUTSIDE);
    let Some(entry) = ground.state.library.get_mut(id) else { return Vec::new() };
    let path = text(&entry.row, "path").replace("/media/tv", OUTSIDE);
    entry.row.insert("path".into(), path.into());
    entry.row.insert("rootFolderPath".into(), OUTSIDE.into());
    vec![row(entry, id)]
}

fn folder_off_format(ground: &mut Ground<'_>) -> Vec<Value> {
    let Some(id) = ground.series(is("standard")) else { return Vec::new() };
    let Some(entry) = ground.state.library.get_mut(id) else { return Vec::new() };
    let path = text(&entry.row, "path").to_owned();
    let Some((parent, _)) = path.rsplit_once('/') else { return Vec::new() };
    entry.row.insert("path".into(), format!("{parent}/Working Title {id}").into());
    vec![row(entry, id)]
}

fn duplicate_series(ground: &mut Ground<'_>) -> Vec<Value> {
    let (Some(first), Some(second)) = (ground.series(is("standard")), ground.series(is("standard"))) else {
        return Vec::new();
    };
    let Some(id) = ground.state.library.get(first).and_then(|entry| entry.row.get("tmdbId").cloned()) else {
        return Vec::new();
    };
    let Some(entry) = ground.state.library.get_mut(second) else { return Vec::new() };
    entry.row.insert("tmdbId".into(), id);
    // The one with fewer files is the one to go.
    let files = |id: i64| {
        let there = |entry: &Entry| entry.episodes.iter().filter(|episode| episode.file_id != 0).count();
        ground.state.library.get(id).map(there).unwrap_or_default()
    };
    let (less, more) = if files(first) < files(second) { (first, second) } else { (second, first) };
    let title = ground.state.library.get(less).map(|entry| text(&entry.row, "title"));
    vec![json!({"seriesId": less, "title": title, "otherSeriesId": more})]
}

fn duplicate_episodes(ground: &mut Ground<'_>) -> Vec<Value> {
    let Some(id) = ground.series(is("standard")) else { return Vec::new() };
    let copy = ground.state.library.next_episode_id(id);
    let Some(entry) = ground.state.library.get_mut(id) else { return Vec::new() };
    let Some(episode) = entry.episodes.iter().find(|episode| episode.file_id != 0).cloned() else { return Vec::new() };
    entry.episodes.push(Episode { id: copy, tvdb_id: 20_000_000 + copy, ..episode.clone() });
    vec![json!({"seriesId": id, "title": text(&entry.row, "title"), "episodeIds": [episode.id, copy]})]
}
