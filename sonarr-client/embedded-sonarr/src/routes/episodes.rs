//! Episodes.

use serde_json::Value;

use super::Call;
use crate::http::{Failure, Reply};
use crate::state::episode::With;
use crate::state::{flag, ints};

pub(super) fn list(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let query = call.query();
    let with = With {
        series: query.flag("includeSeries", false)?,
        file: query.flag("includeEpisodeFile", false)?,
        images: query.flag("includeImages", false)?,
    };
    let (series, season, file) = (query.int("seriesId")?, query.int("seasonNumber")?, query.int("episodeFileId")?);
    let ids = query.ints("episodeIds")?;
    let state = &*call.state;
    let list: Vec<Value> = if let Some(series) = series {
        let entry = state.library.get(series);
        let episodes = entry.into_iter().flat_map(|entry| entry.episodes.iter().map(move |episode| (entry, episode)));
        episodes
            .filter(|(_, episode)| season.is_none_or(|season| episode.season == season))
            .map(|(entry, episode)| state.episode_json(entry, episode, with))
            .collect()
    } else if !ids.is_empty() {
        let found: Vec<_> = ids.iter().filter_map(|id| state.library.episode(*id)).collect();
        if found.len() != ids.len() {
            return Err(Failure::rows(ids.len(), found.len()));
        }
        found.into_iter().map(|(entry, episode)| state.episode_json(entry, episode, with)).collect()
    } else if let Some(file) = file {
        let entry = state.library.series_of_file(file).and_then(|series| state.library.get(series));
        let episodes =
            entry.into_iter().flat_map(|entry| entry.episodes_of_file(file).map(move |episode| (entry, episode)));
        episodes.map(|(entry, episode)| state.episode_json(entry, episode, with)).collect()
    } else {
        return Err(Failure::BadRequest("seriesId or episodeIds must be provided".into()));
    };
    Ok(Reply::ok(Value::Array(list)))
}

pub(super) fn get(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let with = With { series: true, file: true, images: true };
    match call.state.library.episode(call.id()) {
        Some((entry, episode)) => Ok(Reply::ok(call.state.episode_json(entry, episode, with))),
        None => Err(call.not_found()),
    }
}

/// Only `monitored` is read, and only the path's id counts.
pub(super) fn update(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let id = call.id();
    let monitored = flag(&call.object(), "monitored");
    let Some(episode) = call.state.library.episode_mut(id) else { return Err(Failure::model("Episode", id)) };
    episode.monitored = monitored;
    let (entry, episode) = call.state.library.episode(id).ok_or_else(|| Failure::model("Episode", id))?;
    let location = format!("{}/api/v3/episode/{id}", call.state.url_base);
    Ok(Reply::accepted(call.state.episode_json(entry, episode, With::default())).with("Location", location))
}

pub(super) fn monitor(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let with = With { images: call.query().flag("includeImages", false)?, ..With::default() };
    let change = call.object();
    if !change.contains_key("episodeIds") {
        return Err(Failure::null("source"));
    }
    let ids = ints(&change, "episodeIds");
    let found = ids.iter().filter(|id| call.state.library.episode(**id).is_some()).count();
    if found != ids.len() {
        return Err(Failure::rows(ids.len(), found));
    }
    for id in &ids {
        if let Some(episode) = call.state.library.episode_mut(*id) {
            episode.monitored = flag(&change, "monitored");
        }
    }
    let state = &*call.state;
    let list = ids
        .iter()
        .filter_map(|id| state.library.episode(*id))
        .map(|(entry, episode)| state.episode_json(entry, episode, with));
    Ok(Reply::accepted(list.collect()))
}
