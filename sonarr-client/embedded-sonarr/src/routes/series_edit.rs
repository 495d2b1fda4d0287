//! One change to several series.

use serde_json::Value;

use super::{Call, bulk, series};
use crate::http::{Failure, Reply};
use crate::state::{Row, State, flag, int, ints, text};
use serde_json::json;

pub(super) fn update(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let change = call.object();
    let ids = series_ids(call, &change)?;
    crate::rules::check_editor(call.state, &change)?;
    let root = change.get("rootFolderPath").and_then(Value::as_str).map(|root| root.trim_end_matches('/').to_owned());
    let move_files = flag(&change, "moveFiles");
    let mut moved = Vec::new();
    for id in &ids {
        let Some(entry) = call.state.library.get_mut(*id) else { continue };
        for name in ["monitored", "monitorNewItems", "qualityProfileId", "seriesType", "seasonFolder"] {
            if let Some(value) = change.get(name) {
                entry.row.insert(name.to_owned(), value.clone());
            }
        }
        if change.contains_key("tags") {
            bulk::apply_tags(&mut entry.row, &ints(&change, "tags"), text(&change, "applyTags"));
        }
        if let Some(root) = &root {
            let path = text(&entry.row, "path").to_owned();
            let new = format!("{root}/{}", crate::disk::name_of(&path));
            if new != path && move_files {
                moved.push(json!({"seriesId": id, "sourcePath": path}));
            } else {
                entry.row.insert("path".into(), new.into());
                entry.row.insert("rootFolderPath".into(), root.as_str().into());
            }
        }
    }
    if let Some(root) = root.filter(|_| !moved.is_empty()) {
        call.state.queue_command("BulkMoveSeries", json!({"series": moved, "destinationRootFolder": root}), "manual");
    }
    let state = &*call.state;
    let list = ids.iter().filter_map(|id| state.library.get(*id)).map(|entry| state.series_json(entry, false));
    Ok(Reply::accepted(list.collect()))
}

pub(super) fn delete(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let change = call.object();
    let ids = series_ids(call, &change)?;
    for id in ids {
        series::remove(call.state, id, flag(&change, "deleteFiles"), flag(&change, "addImportListExclusion"));
    }
    Ok(Reply::empty_object())
}

/// The ids of an edit, which must all exist.
fn series_ids(call: &Call<'_>, change: &Row) -> Result<Vec<i64>, Failure> {
    if !change.contains_key("seriesIds") {
        return Err(Failure::null("source"));
    }
    let ids = ints(change, "seriesIds");
    let found = ids.iter().filter(|id| call.state.library.get(**id).is_some()).count();
    if found == ids.len() { Ok(ids) } else { Err(Failure::rows(ids.len(), found)) }
}

/// Adds several series; those that exist, or come twice, are left out silently.
pub(super) fn import(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let bodies: Vec<Row> = call
        .body
        .as_array()
        .cloned()
        .unwrap_or_default()
        .into_iter()
        .filter_map(|body| match body {
            Value::Object(row) => Some(row),
            _ => None,
        })
        .collect();
    let mut new: Vec<Row> = Vec::new();
    for body in bodies {
        let tvdb = int(&body, "tvdbId");
        let known = call.state.library.by_tvdb(tvdb).is_some() || new.iter().any(|other| int(other, "tvdbId") == tvdb);
        if !known {
            new.push(body);
        }
    }
    for body in &new {
        // One bad series fails the whole call before anything is added.
        if call.state.known_by_tvdb(int(body, "tvdbId")).is_none() {
            series::add(call.state, body)?;
        }
        let mut titled = body.clone();
        titled.entry("title").or_insert_with(|| "imported".into());
        crate::rules::check_series(call.state, &titled, None)?;
    }
    let mut ids = Vec::new();
    for body in &new {
        ids.push(series::add(call.state, body)?);
    }
    let state = &*call.state;
    let list = ids.iter().filter_map(|id| state.library.get(*id)).map(|entry| state.series_json(entry, false));
    Ok(Reply::ok(list.collect()))
}

/// Monitoring of several series: their own flag, seasons' flags, and a choice for the episodes.
pub(super) fn season_pass(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let change = call.object();
    let Some(list) = change.get("series").and_then(Value::as_array) else { return Err(Failure::null("source")) };
    let list: Vec<&Row> = list.iter().filter_map(Value::as_object).collect();
    let found = list.iter().filter(|item| call.state.library.get(int(item, "id")).is_some()).count();
    if found != list.len() {
        return Err(Failure::rows(list.len(), found));
    }
    let options = change.get("monitoringOptions").and_then(Value::as_object).cloned();
    for item in list {
        let id = int(item, "id");
        pass(call.state, id, item);
        if let Some(options) = &options {
            let monitor = text(options, "monitor").to_owned();
            crate::monitoring::apply(call.state, id, &monitor, options);
        }
    }
    Ok(Reply::accepted(json!({})))
}

fn pass(state: &mut State, id: i64, item: &Row) {
    let Some(entry) = state.library.get_mut(id) else { return };
    if let Some(monitored) = item.get("monitored") {
        entry.row.insert("monitored".into(), monitored.clone());
    }
    let wanted: Vec<(i64, bool)> = item
        .get("seasons")
        .and_then(Value::as_array)
        .map(|seasons| {
            seasons
                .iter()
                .filter_map(Value::as_object)
                .map(|season| (int(season, "seasonNumber"), flag(season, "monitored")))
                .collect()
        })
        .unwrap_or_default();
    let seasons = entry.row.get_mut("seasons").and_then(Value::as_array_mut);
    for season in seasons.into_iter().flatten().filter_map(Value::as_object_mut) {
        let number = int(season, "seasonNumber");
        let Some((_, monitored)) = wanted.iter().find(|(wanted, _)| *wanted == number) else { continue };
        if flag(season, "monitored") != *monitored {
            season.insert("monitored".into(), (*monitored).into());
            for episode in entry.episodes.iter_mut().filter(|episode| episode.season == number) {
                episode.monitored = *monitored;
            }
        }
    }
}
