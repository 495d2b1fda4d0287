//! Manual import: candidates and their second look.

use serde_json::{Value, json};

use super::{Call, parsing};
use crate::disk;
use crate::formats::{self, Subject};
use crate::http::{Failure, Reply};
use crate::state::episode::With;
use crate::state::{Row, State, hash_id, int, int_list, text};

/// A video that could be imported.
struct Candidate {
    path: String,
    size: i64,
    base: String,
    download_id: Option<String>,
    /// The file of the library that it is already.
    known: Option<(i64, i64)>,
}

pub(super) fn candidates(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let query = call.query();
    let folder = query.text("folder").map(|folder| folder.trim_end_matches('/').to_owned());
    let download = query.text("downloadId").map(str::to_owned);
    let (series, season) = (query.int("seriesId")?, query.int("seasonNumber")?);
    let new_only = query.flag("filterExistingFiles", true)?;
    let state = &*call.state;
    let found = if let Some(series) = series {
        of_series(state, series, season, new_only)
    } else if let Some(id) = download {
        let item = state.downloads.items.iter().find(|item| item.download_id.eq_ignore_ascii_case(&id));
        let folder = item.map(|item| item.output_path());
        in_folder(state, folder.as_deref().unwrap_or_default(), Some(id))
    } else {
        in_folder(state, folder.as_deref().unwrap_or_default(), None)
    };
    Ok(Reply::ok(found.iter().map(|candidate| candidate_json(state, candidate)).collect()))
}

fn in_folder(state: &State, folder: &str, download_id: Option<String>) -> Vec<Candidate> {
    if folder.is_empty() {
        return Vec::new();
    }
    let mut files = state.disk.files_below(folder);
    if let Some(size) = state.disk.files.get(folder) {
        files.push((folder.to_owned(), *size));
    }
    let base = if disk::is_video(folder) { disk::parent_of(folder).unwrap_or_default() } else { folder };
    let videos = files.into_iter().filter(|(path, _)| disk::is_video(path));
    videos
        .map(|(path, size)| Candidate {
            path,
            size,
            base: base.to_owned(),
            download_id: download_id.clone(),
            known: None,
        })
        .collect()
}

/// The files of a series folder; those that the library has count as existing.
fn of_series(state: &State, series: i64, season: Option<i64>, new_only: bool) -> Vec<Candidate> {
    let Some(entry) = state.library.get(series) else { return Vec::new() };
    let base = text(&entry.row, "path").to_owned();
    if new_only && season.is_none() {
        return in_folder(state, &base, None);
    }
    let files = entry.files.iter().filter(|file| season.is_none_or(|season| file.season == season));
    files
        .map(|file| Candidate {
            path: format!("{base}/{}", state.relative_path(entry, file)),
            size: file.size,
            base: base.clone(),
            download_id: None,
            known: Some((series, file.id)),
        })
        .collect()
}

fn candidate_json(state: &State, candidate: &Candidate) -> Value {
    let name = disk::name_of(&candidate.path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let parsed = parsing::read(name);
    let series = match candidate.known {
        Some((series, _)) => Some(series),
        None => parsed.as_ref().and_then(|parsed| parsing::series_of(state, &parsed.series)),
    };
    let entry = series.and_then(|series| state.library.get(series));
    let mut row = Row::new();
    row.insert("path".into(), candidate.path.as_str().into());
    let relative = candidate.path.strip_prefix(&format!("{}/", candidate.base)).unwrap_or(name);
    row.insert("relativePath".into(), relative.into());
    row.insert("folderName".into(), disk::name_of(&candidate.base).into());
    row.insert("name".into(), stem.into());
    row.insert("size".into(), candidate.size.into());
    let mut rejections: Vec<&str> = Vec::new();
    let mut episodes = Vec::new();
    if let Some(entry) = entry {
        row.insert("series".into(), state.series_json(entry, false));
        let chosen: Vec<_> = match (candidate.known, &parsed) {
            (Some((_, file)), _) => entry.episodes_of_file(file).collect(),
            (None, Some(parsed)) => entry.episodes.iter().filter(|episode| parsed.holds(episode)).collect(),
            (None, None) => Vec::new(),
        };
        // A copy beside what is there: the library's downloads are offered even where they are no better.
        let beside = candidate.known.is_none() && disk::is_within(&candidate.path, text(&entry.row, "path"));
        if beside && !state.is_upgrade(entry, &chosen, crate::quality::from_title(name)) {
            rejections.push("Not an upgrade for existing episode file(s)");
        }
        if let Some(first) = chosen.first() {
            row.insert("seasonNumber".into(), first.season.into());
        }
        episodes = chosen.iter().map(|episode| state.episode_json(entry, episode, With::default())).collect();
        if episodes.is_empty() {
            rejections.push("Invalid season or episode");
        }
    } else {
        rejections.push("Unknown Series");
    }
    if name.to_lowercase().contains("sample") {
        rejections.push("Sample");
    }
    row.insert("episodes".into(), Value::Array(episodes.clone()));
    if let Some((_, file)) = candidate.known {
        row.insert("episodeFileId".into(), file.into());
    }
    let group = parsed.as_ref().map(|parsed| parsed.group.clone()).unwrap_or_default();
    if !group.is_empty() {
        row.insert("releaseGroup".into(), group.as_str().into());
    }
    let quality = crate::quality::from_title(name);
    let profile = entry.and_then(|entry| state.row("qualityprofile", int(&entry.row, "qualityProfileId")));
    let subject =
        Subject { title: name, quality, languages: vec![1], size: candidate.size, group: &group, ..Subject::default() };
    let (formats, score) = formats::evaluate(state, profile, &subject);
    row.insert("quality".into(), crate::quality::model(quality, 1, false));
    row.insert("languages".into(), json!([{"id": 1, "name": "English"}]));
    row.insert("qualityWeight".into(), crate::quality::by_id(quality).map_or(0, |quality| quality.weight).into());
    if let Some(id) = &candidate.download_id {
        row.insert("downloadId".into(), id.as_str().into());
    }
    row.insert("customFormats".into(), Value::Array(formats));
    row.insert("customFormatScore".into(), score.into());
    row.insert("indexerFlags".into(), 0.into());
    let kind = match episodes.len() {
        0 => "unknown",
        1 => "singleEpisode",
        _ => "multiEpisode",
    };
    row.insert("releaseType".into(), kind.into());
    row.insert(
        "rejections".into(),
        rejections.iter().map(|reason| json!({"reason": reason, "type": "permanent"})).collect(),
    );
    row.insert("id".into(), hash_id(&candidate.path).into());
    Value::Object(row)
}

/// Looks at files again after a person changed what they hold. Imports nothing.
pub(super) fn reprocess(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let items: Vec<Row> = call.body.as_array().into_iter().flatten().filter_map(Value::as_object).cloned().collect();
    if items.is_empty() && call.state.next_version {
        return Err(Failure::BadRequest("items must be provided".into()));
    }
    let state = &*call.state;
    let mut out = Vec::new();
    for mut item in items {
        if !item.contains_key("languages") {
            return Err(Failure::null("source"));
        }
        let series = int(&item, "seriesId");
        let Some(entry) = state.library.get(series) else { return Err(Failure::model("Series", series)) };
        let path = text(&item, "path").to_owned();
        let name = disk::name_of(&path).to_owned();
        let ids = int_list(&item.shift_remove("episodeIds").unwrap_or_default());
        let parsed = parsing::read(&name);
        let chosen: Vec<_> = entry
            .episodes
            .iter()
            .filter(|episode| {
                if ids.is_empty() {
                    parsed.as_ref().is_some_and(|parsed| parsed.holds(episode))
                } else {
                    ids.contains(&episode.id)
                }
            })
            .collect();
        let id = item.shift_remove("id");
        if let Some(first) = chosen.first() {
            item.insert("seasonNumber".into(), first.season.into());
        }
        item.insert(
            "episodes".into(),
            chosen.iter().map(|episode| state.episode_json(entry, episode, With::default())).collect(),
        );
        let quality = item.get("quality").map_or(0, crate::quality::model_id);
        if quality == 0 {
            item.insert("quality".into(), crate::quality::model(crate::quality::from_title(&name), 1, false));
        }
        let quality = item.get("quality").map_or(0, crate::quality::model_id);
        let group = text(&item, "releaseGroup").to_owned();
        let languages = crate::state::episode::language_ids(item.get("languages").unwrap_or(&Value::Null));
        let profile = state.row("qualityprofile", int(&entry.row, "qualityProfileId"));
        let subject = Subject { title: &name, quality, languages, group: &group, ..Subject::default() };
        let (formats, score) = formats::evaluate(state, profile, &subject);
        item.insert("customFormats".into(), Value::Array(formats));
        item.insert("customFormatScore".into(), score.into());
        let kind = match chosen.len() {
            0 => "unknown",
            1 => "singleEpisode",
            _ => "multiEpisode",
        };
        item.insert("releaseType".into(), kind.into());
        let mut rejections = Vec::new();
        if chosen.is_empty() {
            rejections.push("Invalid season or episode");
        }
        if name.to_lowercase().contains("sample") {
            rejections.push("Sample");
        }
        item.insert(
            "rejections".into(),
            rejections.iter().map(|reason| json!({"reason": reason, "type": "permanent"})).collect(),
        );
        item.insert("id".into(), id.unwrap_or_else(|| hash_id(&path).into()));
        out.push(Value::Object(item));
    }
    Ok(Reply::ok(Value::Array(out)))
}
