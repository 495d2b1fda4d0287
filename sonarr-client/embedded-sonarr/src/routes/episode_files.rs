//! Episode files.

use serde_json::Value;

use super::{Call, crud};
use crate::http::{Failure, Reply};
use crate::state::{Row, int, ints, text};

pub(super) fn list(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let (series, ids) = (call.query().int("seriesId")?, call.query().ints("episodeFileIds")?);
    let state = &*call.state;
    if let Some(series) = series {
        let Some(entry) = state.library.get(series) else { return Err(Failure::model("Series", series)) };
        return Ok(Reply::ok(entry.files.iter().map(|file| state.file_json(entry, file)).collect()));
    }
    if ids.is_empty() {
        return Err(Failure::BadRequest("seriesId or episodeFileIds must be provided".into()));
    }
    all_known(call, &ids)?;
    Ok(Reply::ok(files_json(call, &ids)))
}

fn files_json(call: &Call<'_>, ids: &[i64]) -> Value {
    let state = &*call.state;
    ids.iter().filter_map(|id| state.library.file(*id)).map(|(entry, file)| state.file_json(entry, file)).collect()
}

fn all_known(call: &Call<'_>, ids: &[i64]) -> Result<(), Failure> {
    let found = ids.iter().filter(|id| call.state.library.file(**id).is_some()).count();
    if found == ids.len() { Ok(()) } else { Err(Failure::rows(ids.len(), found)) }
}

pub(super) fn get(call: &mut Call<'_>) -> Result<Reply, Failure> {
    match call.state.library.file(call.id()) {
        Some((entry, file)) => Ok(Reply::ok(call.state.file_json(entry, file))),
        None => Err(call.not_found()),
    }
}

/// Changes members of a file that were recorded for it. A null removes one.
fn change(call: &mut Call<'_>, id: i64, changes: Row) {
    let Some(file) = call.state.library.file_mut(id) else { return };
    let changed = file.changed.get_or_insert_with(Default::default);
    for (name, value) in changes {
        changed.insert(name, value);
    }
}

/// Whether a name looks like that of a release.
fn is_scene_title(name: &str) -> bool {
    name.contains('.') && name.contains('-') && !name.contains(' ')
}

/// The quality is stored as sent, absent clears it; scene name and group only when they are there.
pub(super) fn update(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let body = call.object();
    let id = crud::body_or_path_id(call, &body)?;
    if call.state.library.file(id).is_none() {
        return Err(Failure::model("EpisodeFile", id));
    }
    let mut changes = Row::new();
    changes.insert("quality".into(), body.get("quality").cloned().unwrap_or(Value::Null));
    if is_scene_title(text(&body, "sceneName")) {
        changes.insert("sceneName".into(), text(&body, "sceneName").into());
    }
    if let Some(group) = body.get("releaseGroup") {
        changes.insert("releaseGroup".into(), group.clone());
    }
    keep_next(&body, &mut changes);
    change(call, id, changes);
    let (entry, file) = call.state.library.file(id).ok_or_else(|| Failure::model("EpisodeFile", id))?;
    let location = format!("{}/api/v3/episodefile/{id}", call.state.url_base);
    Ok(Reply::accepted(call.state.file_json(entry, file)).with("Location", location))
}

/// Members of a coming version, which bodies have only there.
fn keep_next(body: &Row, changes: &mut Row) {
    for name in [crate::types::NEXT_LEVEL, crate::types::NEXT_DATA] {
        if let Some(value) = body.get(name) {
            changes.insert(name.to_owned(), value.clone());
        }
    }
}

/// The same languages, quality, scene name or group for several files.
pub(super) fn editor(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let body = call.object();
    let ids = file_ids(call, &body)?;
    for id in &ids {
        let mut changes = Row::new();
        for name in ["languages", "quality", "releaseGroup"] {
            if let Some(value) = body.get(name) {
                changes.insert(name.to_owned(), value.clone());
            }
        }
        if is_scene_title(text(&body, "sceneName")) {
            changes.insert("sceneName".into(), text(&body, "sceneName").into());
        }
        change(call, *id, changes);
    }
    Ok(Reply::accepted(files_json(call, &ids)))
}

fn file_ids(call: &Call<'_>, body: &Row) -> Result<Vec<i64>, Failure> {
    let ids = ints(body, "episodeFileIds");
    if ids.is_empty() {
        return Err(Failure::internal("System.InvalidOperationException", "Sequence contains no elements"));
    }
    all_known(call, &ids)?;
    Ok(ids)
}

/// Own values for each of several files; what is absent stays.
pub(super) fn update_bulk(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let rows: Vec<Row> = call.body.as_array().into_iter().flatten().filter_map(Value::as_object).cloned().collect();
    let ids: Vec<i64> = rows.iter().map(|row| int(row, "id")).collect();
    crud::above_zero(&ids)?;
    all_known(call, &ids)?;
    for (id, row) in ids.iter().zip(rows) {
        let mut changes = Row::new();
        for name in ["languages", "quality", "sceneName", "releaseGroup", "indexerFlags", "releaseType"] {
            if let Some(value) = row.get(name) {
                changes.insert(name.to_owned(), value.clone());
            }
        }
        keep_next(&row, &mut changes);
        change(call, *id, changes);
    }
    Ok(Reply::accepted(files_json(call, &ids)))
}

pub(super) fn delete(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let id = call.positive_id()?;
    if call.state.library.file(id).is_none() {
        return Err(Failure::model("EpisodeFile", id));
    }
    root_is_there(call, id)?;
    call.state.delete_file(id, "Manual");
    Ok(Reply::empty())
}

pub(super) fn delete_bulk(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let ids = file_ids(call, &call.object())?;
    if let Some(first) = ids.first() {
        root_is_there(call, *first)?;
    }
    for id in ids {
        call.state.delete_file(id, "Manual");
    }
    Ok(Reply::empty_object())
}

/// Nothing is deleted when the root folder of the series is missing: the disk may not be mounted.
fn root_is_there(call: &Call<'_>, file: i64) -> Result<(), Failure> {
    let Some((entry, _)) = call.state.library.file(file) else { return Ok(()) };
    let root = text(&entry.row, "rootFolderPath");
    if call.state.disk.folder_exists(root) {
        return Ok(());
    }
    Err(Failure::Exception {
        status: 409,
        class: "NzbDrone.Core.Exceptions.NzbDroneClientException",
        message: format!("Series' root folder ({root}) doesn't exist."),
    })
}
