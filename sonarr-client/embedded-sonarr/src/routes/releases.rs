//! Interactive search, grab and push.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::Call;
use crate::downloads::{CACHE, Offer, Search};
use crate::http::{Failure, Reply, Rule, rule, rules};
use crate::state::{int, int_list, text};

pub(super) fn search(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let query = call.query();
    let (series, episode, season) = (query.int("seriesId")?, query.int("episodeId")?, query.int("seasonNumber")?);
    let failed = |what: &str, id: i64| Failure::Exception {
        status: 400,
        class: "NzbDrone.Core.Exceptions.SearchFailedException",
        message: format!("{what} with ID {id} does not exist"),
    };
    let offers = if let Some(id) = episode {
        let Some((entry, _)) = call.state.library.episode(id) else { return Err(failed("Episode", id)) };
        let series = int(&entry.row, "id");
        call.state.search(series, &[id], false, Search::Interactive)
    } else if let (Some(series), Some(season)) = (series, season) {
        let Some(entry) = call.state.library.get(series) else { return Err(failed("Series", series)) };
        let episodes: Vec<i64> =
            entry.episodes.iter().filter(|episode| episode.season == season).map(|episode| episode.id).collect();
        call.state.search(series, &episodes, true, Search::Interactive)
    } else {
        feed(call)
    };
    let state = &*call.state;
    let list: Vec<Value> = offers.iter().map(|offer| state.offer_json(offer)).collect();
    Ok(Reply::ok(Value::Array(list)))
}

/// What the indexers published last: releases of the episodes that aired last.
fn feed(call: &mut Call<'_>) -> Vec<Offer> {
    let now = call.state.now;
    let mut aired: Vec<_> = call
        .state
        .library
        .iter()
        .take(50)
        .flat_map(|(id, entry)| entry.episodes.iter().map(move |episode| (episode.air, id, episode.id)))
        .filter(|(air, _, _)| air.is_some_and(|air| air <= now))
        .collect();
    aired.sort_unstable();
    let newest: Vec<_> = aired.into_iter().rev().take(3).collect();
    newest
        .into_iter()
        .flat_map(|(_, series, episode)| call.state.search(series, &[episode], false, Search::Rss))
        .collect()
}

/// Sends a found release to a download client, whatever speaks against it.
pub(super) fn grab(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let body = call.object();
    let (guid, indexer) = (text(&body, "guid").to_owned(), int(&body, "indexerId"));
    let mut failed: Vec<Rule> = Vec::new();
    if guid.is_empty() {
        failed.push(rule("Guid", "NotEmptyValidator", "'Guid' must not be empty.", guid.as_str().into()));
    }
    if indexer <= 0 {
        failed.push(rule(
            "IndexerId",
            "GreaterThanValidator",
            "'Indexer Id' must be greater than '0'.",
            indexer.into(),
        ));
    }
    rules(failed)?;
    let client_error = |status: u16, message: &str| Failure::Exception {
        status,
        class: "NzbDrone.Core.Exceptions.NzbDroneClientException",
        message: message.to_owned(),
    };
    let now = call.state.now;
    let found = call
        .state
        .downloads
        .offers
        .iter()
        .find(|offer| offer.guid == guid && offer.indexer_id == indexer && now - offer.found < CACHE);
    let Some(mut offer) = found.cloned() else {
        return Err(client_error(404, "Couldn't find requested release in cache, try searching again"));
    };
    if body.get("shouldOverride") == Some(&Value::Bool(true)) {
        for (name, present) in [
            ("seriesId", int(&body, "seriesId") > 0),
            ("episodeIds", body.get("episodeIds").and_then(Value::as_array).is_some_and(|ids| !ids.is_empty())),
            ("quality", body.contains_key("quality")),
            ("languages", body.contains_key("languages")),
        ] {
            if !present {
                return Err(Failure::null(name));
            }
        }
        offer.series = Some(int(&body, "seriesId"));
        offer.episodes = int_list(body.get("episodeIds").unwrap_or(&Value::Null));
        offer.quality = body.get("quality").map_or(offer.quality, crate::quality::model_id);
    } else if offer.series.is_none() {
        let (series, episode) = (int(&body, "seriesId"), int(&body, "episodeId"));
        let known = call.state.library.episode(episode).map(|(entry, _)| int(&entry.row, "id"));
        match known.or_else(|| call.state.library.get(series).map(|_| series)) {
            Some(owner) => {
                offer.series = Some(owner);
                offer.episodes = if episode > 0 { vec![episode] } else { Vec::new() };
            }
            None => return Err(client_error(404, "Unable to find matching series and episodes")),
        }
    }
    let reachable = call
        .state
        .row("indexer", offer.indexer_id)
        .is_some_and(|row| crate::providers::probe("indexer", row).is_empty());
    if !reachable {
        return Err(client_error(409, "Getting release from indexer failed"));
    }
    let client = body.get("downloadClientId").and_then(Value::as_i64);
    call.state.grab(&offer, client)?;
    Ok(Reply::ok(Value::Object(body)))
}

/// Judges a release found elsewhere, and grabs it when it is approved.
pub(super) fn push(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let body = call.object();
    let mut failed: Vec<Rule> = Vec::new();
    let title = text(&body, "title").to_owned();
    let url = [text(&body, "downloadUrl"), text(&body, "magnetUrl")]
        .into_iter()
        .find(|url| !url.is_empty())
        .unwrap_or_default()
        .to_owned();
    if title.is_empty() {
        failed.push(rule("Title", "NotEmptyValidator", "'Title' must not be empty.", "".into()));
    }
    if url.is_empty() {
        failed.push(rule("DownloadUrl", "NotEmptyValidator", "'Download Url' must not be empty.", "".into()));
    }
    let protocol = match text(&body, "protocol") {
        "usenet" => "usenet",
        "torrent" => "torrent",
        other => {
            failed.push(rule("Protocol", "NotEmptyValidator", "'Protocol' must not be empty.", other.into()));
            "unknown"
        }
    };
    if text(&body, "publishDate").starts_with("0001-") {
        failed.push(rule(
            "PublishDate",
            "NotEmptyValidator",
            "'Publish Date' must not be empty.",
            text(&body, "publishDate").into(),
        ));
    }
    rules(failed)?;
    let Some(parsed) = super::parsing::read(&title) else {
        let failed = rule("Title", "", "Unable to parse", title.as_str().into());
        return Err(Failure::Rules(vec![Rule { code: None, ..failed }]));
    };
    let state = &mut *call.state;
    let series = super::parsing::series_of(state, &parsed.series);
    let episodes: Vec<i64> = series
        .and_then(|id| state.library.get(id))
        .map(|entry| entry.episodes.iter().filter(|episode| parsed.holds(episode)).map(|episode| episode.id).collect())
        .unwrap_or_default();
    let named = text(&body, "indexer").to_owned();
    let indexer = state
        .table("indexer")
        .rows()
        .find(|row| {
            int(row, "id") == int(&body, "indexerId")
                || (!named.is_empty() && text(row, "name").eq_ignore_ascii_case(&named))
        })
        .map(|row| (int(row, "id"), text(row, "name").to_owned()));
    let (indexer_id, indexer) = indexer.unwrap_or((0, named));
    let mut offer = Offer {
        guid: match text(&body, "guid") {
            "" => format!("PUSH-{url}"),
            guid => guid.to_owned(),
        },
        indexer,
        indexer_id,
        title: title.clone(),
        protocol,
        quality: crate::quality::from_title(&title),
        size: int(&body, "size"),
        url,
        series: series.filter(|_| !episodes.is_empty()),
        episodes,
        season: parsed.season,
        full_season: parsed.episodes.is_empty(),
        found: state.now,
        age: TimeDelta::minutes(5),
        seeders: int(&body, "seeders").max(1),
        flags: int(&body, "indexerFlags"),
        rejections: Vec::new(),
    };
    state.judge(&mut offer);
    if offer.rejections.is_empty() {
        state.grab(&offer, None)?;
    }
    let value = state.offer_json(&offer);
    Ok(Reply::ok(json!([value])))
}
