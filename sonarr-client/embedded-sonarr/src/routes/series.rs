//! Series: read, add, change, delete, look up.

use serde_json::{Value, json};

use super::{Call, crud};
use crate::http::{Failure, Reply};
use crate::state::{Row, State, flag, int, ints, iso, object, text};

pub(super) fn list(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let images = call.query().flag("includeSeasonImages", false)?;
    let state = &*call.state;
    let list: Vec<Value> = match call.query().int("tvdbId")? {
        Some(tvdb) => {
            state.library.by_tvdb(tvdb).map(|(_, entry)| state.series_json(entry, images)).into_iter().collect()
        }
        None => state.library.iter().map(|(_, entry)| state.series_json(entry, images)).collect(),
    };
    Ok(Reply::ok(Value::Array(list)))
}

pub(super) fn get(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let images = call.query().flag("includeSeasonImages", false)?;
    match call.state.library.get(call.id()) {
        Some(entry) => Ok(Reply::ok(call.state.series_json(entry, images))),
        None => Err(Failure::NotFoundProblem),
    }
}

/// The members of a series that a request decides; the rest comes from TheTVDB.
const OWN: [&str; 10] = [
    "seasons",
    "path",
    "qualityProfileId",
    "seasonFolder",
    "monitored",
    "monitorNewItems",
    "seriesType",
    "rootFolderPath",
    "tags",
    "addOptions",
];

/// Writes read this flag by hand: a word that is no flag is an exception, not a refusal.
fn season_images(call: &Call<'_>) -> Result<bool, Failure> {
    let error = |_| Failure::internal("System.FormatException", "String was not recognized as a valid Boolean.");
    call.query().flag("includeSeasonImages", false).map_err(error)
}

pub(super) fn create(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let images = season_images(call)?;
    let body = call.object();
    crate::rules::check_series(call.state, &body, None)?;
    let id = add(call.state, &body)?;
    let location = format!("{}/api/v3/series/{id}", call.state.url_base);
    let entry = call.state.library.get(id).ok_or_else(|| Failure::model("Series", id))?;
    Ok(Reply::created(call.state.series_json(entry, images), location))
}

/// Adds a series that TheTVDB knows and queues its refresh. Unknown TheTVDB ids are refused as the server does it.
pub(super) fn add(state: &mut State, body: &Row) -> Result<i64, Failure> {
    let tvdb = int(body, "tvdbId");
    let Some(known) = state.known_by_tvdb(tvdb) else {
        let message = format!("A series with this ID was not found. {}", text(body, "path"));
        let failed = crate::http::rule("TvdbId", "", message.trim_end(), tvdb.into());
        return Err(Failure::Rules(vec![crate::http::Rule { code: None, ..failed }]));
    };
    let mut wanted = chosen(state, body);
    let path = match text(body, "path") {
        "" => format!(
            "{}/{}",
            text(body, "rootFolderPath").trim_end_matches('/'),
            crate::naming::series_folder(state, &known)
        ),
        path => path.trim_end_matches('/').to_owned(),
    };
    wanted.insert("rootFolderPath".into(), crate::disk::parent_of(&path).unwrap_or_default().into());
    wanted.insert("path".into(), path.into());
    wanted.insert("added".into(), iso(state.now).into());
    if wanted.get("seasons").and_then(Value::as_array).is_none_or(|seasons| seasons.is_empty()) {
        wanted.shift_remove("seasons");
    }
    let id = state.add_known(known, &wanted);
    state.queue_command("RefreshSeries", json!({"seriesIds": [id], "isNewSeries": true}), "unspecified");
    Ok(id)
}

/// The members of a body that are stored, absent lists as empty ones.
fn chosen(state: &State, body: &Row) -> Row {
    let mut row = Row::new();
    for name in OWN.iter().copied().chain([crate::types::NEXT_LEVEL, crate::types::NEXT_DATA]) {
        if let Some(value) = body.get(name) {
            row.insert(name.to_owned(), value.clone());
        }
    }
    if let Some(seasons) = row.get_mut("seasons").and_then(Value::as_array_mut) {
        for season in seasons.iter_mut().filter_map(Value::as_object_mut) {
            season.retain(|name, _| name != "statistics" && name != "images");
        }
    }
    row.entry("tags").or_insert_with(|| json!([]));
    if !state.next_version {
        row.shift_remove(crate::types::NEXT_LEVEL);
        row.shift_remove(crate::types::NEXT_DATA);
    }
    row
}

pub(super) fn update(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let move_files = call.query().flag("moveFiles", false)?;
    let images = season_images(call)?;
    let body = call.object();
    let id = crud::body_or_path_id(call, &body)?;
    let Some(entry) = call.state.library.get(id) else { return Err(Failure::model("Series", id)) };
    let old_path = text(&entry.row, "path").to_owned();
    crate::rules::check_series(call.state, &body, Some(id))?;
    let new_path = text(&body, "path").trim_end_matches('/').to_owned();
    replace(call.state, id, &body);
    if move_files && new_path != old_path {
        let parameters = json!({"seriesId": id, "sourcePath": old_path, "destinationPath": new_path});
        if let Some(entry) = call.state.library.get_mut(id) {
            // The files are where they were until the command has moved them.
            entry.row.insert("path".into(), old_path.into());
        }
        call.state.queue_command("MoveSeries", parameters, "manual");
    }
    let location = format!("{}/api/v3/series/{id}", call.state.url_base);
    let entry = call.state.library.get(id).ok_or_else(|| Failure::model("Series", id))?;
    Ok(Reply::accepted(call.state.series_json(entry, images)).with("Location", location))
}

/// Replaces what a request decides of a series. Its seasons are replaced as a whole; a season whose flag changes takes
/// its episodes with it.
pub(super) fn replace(state: &mut State, id: i64, body: &Row) {
    let mut new = chosen(state, body);
    let path = text(&new, "path").trim_end_matches('/').to_owned();
    new.insert("rootFolderPath".into(), crate::disk::parent_of(&path).unwrap_or_default().into());
    new.insert("path".into(), path.into());
    new.shift_remove("addOptions");
    let next = state.next_version;
    let Some(entry) = state.library.get_mut(id) else { return };
    let old = std::mem::take(&mut entry.row);
    let seasons = new.get("seasons").and_then(Value::as_array).cloned().unwrap_or_default();
    for season in seasons.iter().filter_map(Value::as_object) {
        let (number, monitored) = (int(season, "seasonNumber"), flag(season, "monitored"));
        if crate::state::series::season_monitored(&old, number) != monitored {
            for episode in entry.episodes.iter_mut().filter(|episode| episode.season == number) {
                episode.monitored = monitored;
            }
        }
    }
    new.insert("seasons".into(), seasons.into());
    let mut row = Row::with_capacity(old.len());
    for (name, value) in old {
        let replaced =
            OWN.contains(&name.as_str()) || name == crate::types::NEXT_LEVEL || name == crate::types::NEXT_DATA;
        match new.shift_remove(&name) {
            Some(value) => {
                row.insert(name, value);
            }
            None if replaced && next => {}
            None => {
                row.insert(name, value);
            }
        }
    }
    row.extend(new);
    entry.row = row;
}

pub(super) fn delete(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let id = call.positive_id()?;
    let files = call.query().flag("deleteFiles", false)?;
    let exclude = call.query().flag("addImportListExclusion", false)?;
    if call.state.library.get(id).is_none() {
        return Err(Failure::rows(1, 0));
    }
    remove(call.state, id, files, exclude);
    Ok(Reply::empty())
}

/// Removes a series with its episodes, files, history, blocklist entries and place in the queue.
pub(super) fn remove(state: &mut State, id: i64, files: bool, exclude: bool) {
    let Some(entry) = state.library.remove(id) else { return };
    if files {
        state.disk.remove_folder(text(&entry.row, "path"));
    } else {
        // The folder stays and belongs to no series.
        state.disk.add_folder(text(&entry.row, "path"));
    }
    if exclude {
        let row = object(json!({"tvdbId": int(&entry.row, "tvdbId"), "title": text(&entry.row, "title")}));
        let mut value = Value::Object(row);
        state.types.decorate("ImportListExclusionResource", &mut value);
        state.table_mut("importlistexclusion").insert(object(value));
    }
    for path in ["history", "blocklist"] {
        state.table_mut(path).retain(|row| int(row, "seriesId") != id);
    }
    state.downloads.items.retain(|download| download.series != Some(id));
    state.downloads.offers.retain(|offer| offer.series != Some(id));
    state.removed.insert(int(&entry.row, "tvdbId"), entry);
    let commands = &mut state.commands.items;
    commands.retain(|command| command.status != "queued" || !ints(&command.parameters, "seriesIds").contains(&id));
}

pub(super) fn folder(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let id = call.id();
    let Some(entry) = call.state.library.get(id) else { return Err(Failure::model("Series", id)) };
    Ok(Reply::ok(json!({"folder": crate::naming::series_folder(call.state, &entry.row)})))
}

/// Looks up series by words or by an id such as `tvdb:9900001`: those of the library and those that TheTVDB knows besides.
pub(super) fn lookup(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let Some(term) = call.query().text("term") else {
        return Err(Failure::Exception {
            status: 503,
            class: "NzbDrone.Core.MetadataSource.SkyHook.SkyHookException",
            message: "Search for '' failed. Unable to communicate with SkyHook.".into(),
        });
    };
    let wanted = term.trim().to_lowercase();
    let fits = |row: &Row| match wanted.split_once(':') {
        Some(("tvdb" | "tvdbid", id)) => id.trim().parse() == Ok(int(row, "tvdbId")),
        Some(("tmdb", id)) => id.trim().parse() == Ok(int(row, "tmdbId")),
        Some(("imdb", id)) => id.trim() == text(row, "imdbId"),
        Some(("anilist" | "mal", _)) => false,
        _ => {
            // As at TheTVDB, punctuation does not matter and the year may be given.
            let title = format!("{} ({})", text(row, "title"), int(row, "year")).to_lowercase();
            let words = wanted.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric));
            words
                .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()))
                .all(|word| title.contains(word))
        }
    };
    let state = &*call.state;
    let mut found: Vec<Value> = state
        .library
        .iter()
        .filter(|(_, entry)| fits(&entry.row))
        .take(20)
        .map(|(_, entry)| {
            let mut series = state.series_json(entry, false);
            if let Some(row) = series.as_object_mut() {
                row.shift_remove("alternateTitles");
                row.insert("remotePoster".into(), poster(&entry.row).into());
            }
            series
        })
        .collect();
    let new = state.known_series().filter(|row| fits(row));
    found.extend(new.take(20).map(|row| lookup_json(state, row)));
    Ok(Reply::ok(Value::Array(found)))
}

fn poster(row: &Row) -> String {
    format!("https://artwork.example/series/{}/poster.jpg", text(row, "titleSlug"))
}

/// A series that is not in the library: no id, no path, a date before all dates.
fn lookup_json(state: &State, mut row: Row) -> Value {
    let slug = text(&row, "titleSlug").to_owned();
    let image = |kind: &str| {
        json!({
            "coverType": kind,
            "url": format!("/MediaCoverProxy/{:064x}/{kind}.jpg", crate::state::hash_id(&slug)),
            "remoteUrl": format!("https://artwork.example/series/{slug}/{kind}.jpg"),
        })
    };
    let seasons = row.get("seasons").and_then(Value::as_array).map_or(0, |seasons| seasons.len() - 1);
    row.insert("images".into(), json!([image("banner"), image("poster"), image("fanart")]));
    row.insert("remotePoster".into(), poster(&row).into());
    row.insert("folder".into(), crate::naming::series_folder(state, &row).into());
    row.insert(
        "statistics".into(),
        json!({
            "seasonCount": seasons, "episodeFileCount": 0, "episodeCount": 0, "totalEpisodeCount": 0, "sizeOnDisk": 0,
            "percentOfEpisodes": 0,
        }),
    );
    row.insert("languageProfileId".into(), 1.into());
    Value::Object(row)
}
