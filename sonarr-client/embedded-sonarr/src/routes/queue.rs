//! The download queue.

use serde_json::{Value, json};

use super::paging::{self, SortKey};
use super::{Call, bulk};
use crate::downloads::{QueueWith, Removal, Stage};
use crate::http::{Failure, Reply};
use crate::state::{int, text};

const KEYS: [&str; 19] = [
    "timeleft",
    "added",
    "downloadClient",
    "episode",
    "episode.airDateUtc",
    "episode.title",
    "episodes.airDateUtc",
    "episodes.title",
    "estimatedCompletionTime",
    "indexer",
    "language",
    "languages",
    "progress",
    "protocol",
    "quality",
    "series.sortTitle",
    "size",
    "status",
    "title",
];

pub(super) fn list(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let query = call.query();
    let with = QueueWith { series: query.flag("includeSeries", false)?, episode: query.flag("includeEpisode", false)? };
    let unknown = query.flag("includeUnknownSeriesItems", false)?;
    let series = query.ints("seriesIds")?;
    let protocol = query.enumeration("protocol", "DownloadProtocol")?;
    let languages = query.ints("languages")?;
    let qualities = query.ints("quality")?;
    let statuses = query.enumerations("status", "QueueStatus")?;
    let mut paging = paging::read(call, &KEYS, false)?;
    let state = &*call.state;
    let rows: Vec<Value> = state
        .queue_rows(with)
        .into_iter()
        .filter(|row| {
            let number = |pointer: &str| row.pointer(pointer).and_then(Value::as_i64);
            let word = |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default();
            let owner = number("/seriesId");
            (unknown || owner.is_some())
                && (series.is_empty() || owner.is_some_and(|owner| series.contains(&owner)))
                && protocol.as_deref().is_none_or(|protocol| protocol == word("protocol"))
                && (languages.is_empty() || number("/languages/0/id").is_some_and(|id| languages.contains(&id)))
                && (qualities.is_empty() || number("/quality/quality/id").is_some_and(|id| qualities.contains(&id)))
                && (statuses.is_empty() || statuses.iter().any(|status| status == word("status")))
        })
        .collect();
    // A page past the end falls back to the last one.
    let last = rows.len().div_ceil(paging.size).max(1);
    paging.page = paging.page.min(last);
    let key = paging.key.clone();
    let (total, records) = paging.cut(rows, |row| {
        let id = row.get("id").and_then(Value::as_i64).unwrap_or(0);
        let word = |pointer: &str| SortKey::text(row.pointer(pointer).and_then(Value::as_str).unwrap_or_default(), id);
        let number = |pointer: &str| row.pointer(pointer).and_then(Value::as_f64).unwrap_or(0.0);
        match key.as_str() {
            "size" => SortKey::number(number("/size"), id),
            "progress" => SortKey::number(1.0 - number("/sizeleft") / number("/size").max(1.0), id),
            "quality" => {
                let quality = row.get("quality").map_or(0, crate::quality::model_id);
                SortKey::number(crate::quality::by_id(quality).map_or(0.0, |quality| quality.weight as f64), id)
            }
            "series.sortTitle" => {
                let series = row.get("seriesId").and_then(Value::as_i64).and_then(|series| state.library.get(series));
                SortKey::text(series.map_or("", |entry| text(&entry.row, "sortTitle")), id)
            }
            "episode" | "episode.airDateUtc" | "episodes.airDateUtc" | "episode.title" | "episodes.title" => {
                let episode =
                    row.get("episodeId").and_then(Value::as_i64).and_then(|episode| state.library.episode(episode));
                match (episode, key.as_str()) {
                    (Some((_, episode)), "episode") => {
                        SortKey::number((episode.season * 10_000 + episode.number) as f64, id)
                    }
                    (Some((_, episode)), "episode.title" | "episodes.title") => SortKey::text(episode.title(), id),
                    (Some((_, episode)), _) => {
                        SortKey::number(episode.air.map_or(0.0, |air| air.timestamp() as f64), id)
                    }
                    (None, _) => SortKey::number(0.0, id),
                }
            }
            // The spans differ in form; the moments at which they end do not.
            "timeleft" => word("/estimatedCompletionTime"),
            "languages" | "language" => word("/languages/0/name"),
            name => word(&format!("/{name}")),
        }
    });
    Ok(paging.reply(total, records))
}

pub(super) fn details(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let query = call.query();
    let with = QueueWith { series: query.flag("includeSeries", false)?, episode: query.flag("includeEpisode", false)? };
    let (series, episodes) = (query.int("seriesId")?, query.ints("episodeIds")?);
    let rows = call.state.queue_rows(with).into_iter().filter(|row| {
        let number = |name: &str| row.get(name).and_then(Value::as_i64);
        match series {
            Some(series) => number("seriesId") == Some(series),
            None => episodes.is_empty() || number("episodeId").is_some_and(|id| episodes.contains(&id)),
        }
    });
    Ok(Reply::ok(rows.collect()))
}

pub(super) fn status(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let rows = call.state.queue_rows(QueueWith::default());
    let health = |row: &Value| row.get("trackedDownloadStatus").and_then(Value::as_str).unwrap_or_default().to_owned();
    let (known, unknown): (Vec<Value>, Vec<Value>) = rows.into_iter().partition(|row| row.get("seriesId").is_some());
    let any = |rows: &[Value], wanted: &str| rows.iter().any(|row| health(row) == wanted);
    Ok(Reply::ok(json!({
        "totalCount": known.len() + unknown.len(),
        "count": known.len(),
        "unknownCount": unknown.len(),
        "errors": any(&known, "error"),
        "warnings": any(&known, "warning"),
        "unknownErrors": any(&unknown, "error"),
        "unknownWarnings": any(&unknown, "warning"),
    })))
}

fn removal(call: &Call<'_>) -> Result<Removal, Failure> {
    let query = call.query();
    let removal = Removal {
        from_client: query.flag("removeFromClient", true)?,
        blocklist: query.flag("blocklist", false)?,
        skip_search: query.flag("skipRedownload", false)?,
    };
    // Read for its form: the category of a download is the client's affair.
    query.flag("changeCategory", false)?;
    Ok(removal)
}

pub(super) fn delete(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let id = call.positive_id()?;
    let removal = removal(call)?;
    remove(call, &[id], removal)?;
    Ok(Reply::empty())
}

pub(super) fn delete_bulk(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let removal = removal(call)?;
    let ids = bulk::ids(call)?;
    remove(call, &ids, removal)?;
    Ok(Reply::empty_object())
}

/// Removes the downloads of several records, or none when one is unknown.
fn remove(call: &mut Call<'_>, ids: &[i64], removal: Removal) -> Result<(), Failure> {
    let mut downloads = Vec::new();
    for id in ids {
        let download = call.state.downloads.by_queue_id(*id).ok_or(Failure::NotFound)?;
        if !download.is_pending() && call.state.row("downloadclient", download.client_id).is_none() {
            return Err(Failure::BadRequest("Download client is not available".into()));
        }
        downloads.push(download.download_id.clone());
    }
    for download in downloads {
        call.state.remove_download(&download, removal);
    }
    Ok(())
}

pub(super) fn grab(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let id = call.id();
    grab_delayed(call, id)?;
    Ok(Reply::empty_object())
}

/// Stops at the first unknown id, after having grabbed those before it.
pub(super) fn grab_bulk(call: &mut Call<'_>) -> Result<Reply, Failure> {
    for id in bulk::ids(call)? {
        grab_delayed(call, id)?;
    }
    Ok(Reply::empty_object())
}

fn grab_delayed(call: &mut Call<'_>, id: i64) -> Result<(), Failure> {
    let now = call.state.now;
    let enabled =
        call.state.table("downloadclient").rows().any(|row| crate::state::flag(row, "enable") && int(row, "id") > 0);
    let delayed = call
        .state
        .downloads
        .items
        .iter_mut()
        .find(|download| matches!(download.stage, Stage::Delayed { .. }) && download.has_queue_id(id))
        .ok_or(Failure::NotFound)?;
    if !enabled {
        return Err(Failure::internal(
            "NzbDrone.Core.Download.Clients.DownloadClientUnavailableException",
            "Download client isn't configured yet",
        ));
    }
    delayed.stage = Stage::Downloading;
    delayed.added = now;
    let download = delayed.clone();
    call.state.record_grab(&download);
    Ok(())
}
