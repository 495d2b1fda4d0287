//! The history.

use serde_json::{Value, json};

use super::Call;
use super::paging::{self, SortKey};
use crate::downloads::{Download, Plan, Stage};
use crate::http::{Failure, Reply};
use crate::state::episode::With;
use crate::state::{Row, State, int, text};

/// An event with what was asked for besides.
fn event_json(state: &State, row: &Row, series: bool, episode: bool) -> Value {
    let mut row = row.clone();
    let id = row.shift_remove("id");
    if episode && let Some((entry, episode)) = state.library.episode(int(&row, "episodeId")) {
        row.insert("episode".into(), state.episode_json(entry, episode, With::default()));
    }
    if series && let Some(entry) = state.library.get(int(&row, "seriesId")) {
        row.insert("series".into(), state.series_json(entry, false));
    }
    row.insert("id".into(), id.unwrap_or_default());
    Value::Object(row)
}

/// Event types by their numbers.
const EVENTS: [&str; 8] = [
    "unknown",
    "grabbed",
    "seriesFolderImported",
    "downloadFolderImported",
    "downloadFailed",
    "episodeFileDeleted",
    "episodeFileRenamed",
    "downloadIgnored",
];

pub(super) fn list(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let query = call.query();
    let (series, episode) = (query.flag("includeSeries", false)?, query.flag("includeEpisode", false)?);
    let events: Vec<&str> = query
        .ints("eventType")?
        .into_iter()
        .map(|number| usize::try_from(number).ok().and_then(|number| EVENTS.get(number)).copied().unwrap_or("none"))
        .collect();
    let episode_id = query.int("episodeId")?;
    let download = query.text("downloadId").map(str::to_uppercase);
    let series_ids = query.ints("seriesIds")?;
    let languages = query.ints("languages")?;
    let qualities = query.ints("quality")?;
    let paging = paging::read(call, &["date", "series.sortTitle"], true)?;
    let state = &*call.state;
    let rows: Vec<&Row> = state
        .table("history")
        .rows()
        .filter(|row| {
            (events.is_empty() || events.contains(&text(row, "eventType")))
                && episode_id.is_none_or(|id| id == int(row, "episodeId"))
                && download.as_deref().is_none_or(|id| id == text(row, "downloadId").to_uppercase())
                && (series_ids.is_empty() || series_ids.contains(&int(row, "seriesId")))
                && (languages.is_empty()
                    || crate::state::episode::language_ids(row.get("languages").unwrap_or(&Value::Null))
                        .iter()
                        .any(|id| languages.contains(id)))
                && (qualities.is_empty() || qualities.contains(&row.get("quality").map_or(0, crate::quality::model_id)))
        })
        .collect();
    let by_title = paging.key == "series.sortTitle";
    let (total, rows) = paging.cut(rows, |row| {
        let id = int(row, "id");
        if by_title {
            let entry = state.library.get(int(row, "seriesId"));
            SortKey::text(entry.map_or("", |entry| text(&entry.row, "sortTitle")), id)
        } else {
            SortKey::text(text(row, "date"), id)
        }
    });
    Ok(paging.reply(total, rows.into_iter().map(|row| event_json(state, row, series, episode)).collect()))
}

pub(super) fn since(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let query = call.query();
    let (series, episode) = (query.flag("includeSeries", false)?, query.flag("includeEpisode", false)?);
    let event = query.enumeration("eventType", "EpisodeHistoryEventType")?;
    let date = query.date("date")?.map(crate::state::iso).unwrap_or_default();
    let state = &*call.state;
    let rows = state.table("history").rows().filter(|row| {
        text(row, "date") >= date.as_str() && event.as_deref().is_none_or(|event| event == text(row, "eventType"))
    });
    let mut rows: Vec<&Row> = rows.collect();
    rows.sort_by_key(|row| (text(row, "date"), int(row, "id")));
    Ok(Reply::ok(rows.into_iter().map(|row| event_json(state, row, series, episode)).collect()))
}

pub(super) fn of_series(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let query = call.query();
    let (series, episode) = (query.flag("includeSeries", false)?, query.flag("includeEpisode", false)?);
    let event = query.enumeration("eventType", "EpisodeHistoryEventType")?;
    let id = query.int("seriesId")?.unwrap_or(0);
    let season = query.int("seasonNumber")?;
    let state = &*call.state;
    if state.library.get(id).is_none() {
        return Err(Failure::model("Series", id));
    }
    let in_season = |row: &Row| {
        season.is_none_or(|season| {
            state.library.episode(int(row, "episodeId")).is_some_and(|(_, episode)| episode.season == season)
        })
    };
    let rows = state.table("history").rows().filter(|row| {
        int(row, "seriesId") == id
            && event.as_deref().is_none_or(|event| event == text(row, "eventType"))
            && in_season(row)
    });
    let mut rows: Vec<&Row> = rows.collect();
    rows.sort_by(|left, right| {
        text(right, "date").cmp(text(left, "date")).then(int(right, "id").cmp(&int(left, "id")))
    });
    Ok(Reply::ok(rows.into_iter().map(|row| event_json(state, row, series, episode)).collect()))
}

/// Marks a grab as failed: the release goes to the blocklist and a new search starts when the settings say so.
pub(super) fn mark_failed(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let id = call.id();
    let Some(row) = call.state.row("history", id).cloned() else { return Err(Failure::model("EpisodeHistory", id)) };
    let download_id = text(&row, "downloadId").to_owned();
    let index = call
        .state
        .downloads
        .items
        .iter()
        .position(|download| download.download_id == download_id && !download_id.is_empty());
    if let Some(index) = index {
        call.state.fail_download(index, "Manually marked as failed", false);
        return Ok(Reply::empty_object());
    }
    let data = row.get("data").and_then(Value::as_object).cloned().unwrap_or_default();
    let episodes: Vec<i64> = call
        .state
        .table("history")
        .rows()
        .filter(|other| text(other, "eventType") == "grabbed" && text(other, "downloadId") == download_id)
        .map(|other| int(other, "episodeId"))
        .collect();
    let download = Download {
        download_id,
        title: text(&row, "sourceTitle").to_owned(),
        protocol: if text(&data, "protocol") == "1" { "usenet" } else { "torrent" },
        client_id: 0,
        indexer: text(&data, "indexer").to_owned(),
        url: String::new(),
        guid: String::new(),
        series: Some(int(&row, "seriesId")),
        episodes: if episodes.is_empty() { vec![int(&row, "episodeId")] } else { episodes },
        quality: row.get("quality").map_or(0, crate::quality::model_id),
        size: text(&data, "size").parse().unwrap_or(0),
        added: call.state.now,
        length: chrono::TimeDelta::zero(),
        plan: Plan::Fail,
        stage: Stage::Ignored,
    };
    call.state.record_failure(&download, "Manually marked as failed");
    if call.state.setting("config/downloadclient", "autoRedownloadFailed") == &Value::Bool(true) {
        call.state.queue_command("EpisodeSearch", json!({"episodeIds": download.episodes}), "unspecified");
    }
    Ok(Reply::empty_object())
}
