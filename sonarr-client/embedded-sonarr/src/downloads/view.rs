//! Downloads as the queue shows them.

use serde_json::{Value, json};

use super::{Download, Stage};
use crate::formats::{self, Subject};
use crate::state::episode::With;
use crate::state::{Row, State, int, iso, span};

/// What a record of the queue is written with.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct QueueWith {
    pub series: bool,
    pub episode: bool,
}

impl State {
    /// The records of the queue: one for each episode of each download.
    pub(crate) fn queue_rows(&self, with: QueueWith) -> Vec<Value> {
        self.downloads
            .tracked()
            .flat_map(|download| {
                download.queue_ids().into_iter().map(move |(id, episode)| self.queue_row(download, id, episode, with))
            })
            .collect()
    }

    fn queue_row(&self, download: &Download, id: i64, episode: Option<i64>, with: QueueWith) -> Value {
        let mut row = Row::new();
        let mut put = |name: &str, value: Value| row.insert(name.to_owned(), value);
        let known = episode.and_then(|episode| self.library.episode(episode));
        let mut has_file = false;
        if let Some((entry, episode)) = known {
            put("seriesId", int(&entry.row, "id").into());
            put("episodeId", episode.id.into());
            put("seasonNumber", episode.season.into());
            if with.series {
                put("series", self.series_json(entry, false));
            }
            if with.episode {
                put("episode", self.episode_json(entry, episode, With::default()));
            }
            has_file = episode.file_id != 0;
        }
        let languages = if download.series.is_some() {
            json!([{"id": 1, "name": "English"}])
        } else {
            json!([{"id": 0, "name": "Unknown"}])
        };
        put("languages", languages);
        put("quality", crate::quality::model(download.quality, 1, false));
        let profile = known.and_then(|(entry, _)| self.row("qualityprofile", int(&entry.row, "qualityProfileId")));
        let subject = Subject {
            title: &download.title,
            quality: download.quality,
            languages: vec![1],
            size: download.size,
            group: download.group(),
            ..Subject::default()
        };
        let (formats, score) = formats::evaluate(self, profile, &subject);
        if download.series.is_some() {
            put("customFormats", Value::Array(formats));
        }
        put("customFormatScore", score.into());
        put("size", download.size.into());
        put("title", download.title.as_str().into());
        let left = download.size_left(self.now);
        let pending = download.is_pending();
        let finish = match download.stage {
            Stage::Delayed { until } => Some(until),
            Stage::Downloading => Some(download.added + download.length),
            _ => None,
        };
        if let Some(finish) = finish {
            put("estimatedCompletionTime", iso(finish).into());
        }
        put("added", iso(download.added).into());
        let (status, tracked, health, messages, error) = standing(download);
        put("status", status.into());
        if !pending {
            put("trackedDownloadStatus", health.into());
            put("trackedDownloadState", tracked.into());
            put("statusMessages", messages);
        }
        if let Some(error) = error {
            put("errorMessage", error.into());
        }
        if !pending {
            put("downloadId", download.download_id.as_str().into());
        }
        put("protocol", download.protocol.into());
        if !pending {
            put("downloadClient", self.client_name(download.client_id).into());
        }
        put("downloadClientHasPostImportCategory", (download.protocol == "torrent" && !pending).into());
        if !download.indexer.is_empty() {
            put("indexer", download.indexer.as_str().into());
        }
        if !pending {
            put("outputPath", download.output_path().into());
        }
        put("episodeHasFile", has_file.into());
        put("sizeleft", left.into());
        if let Some(finish) = finish {
            put("timeleft", span(finish - self.now).into());
        }
        put("id", id.into());
        Value::Object(row)
    }
}

/// Status, tracked state, health, messages and error of a download.
fn standing(download: &Download) -> (&'static str, &'static str, &'static str, Value, Option<&'static str>) {
    let message = |text: &str| json!([{"title": download.title, "messages": [text]}]);
    match download.stage {
        Stage::Delayed { .. } => ("delay", "", "", json!([]), None),
        Stage::Unreachable => ("downloadClientUnavailable", "", "", json!([]), None),
        Stage::Downloading if download.series.is_none() => (
            "downloading",
            "downloading",
            "warning",
            message("Series title mismatch, automatic import is not possible"),
            None,
        ),
        Stage::Downloading => ("downloading", "downloading", "ok", json!([]), None),
        Stage::Paused => ("paused", "downloading", "ok", json!([]), None),
        Stage::Stalled => {
            let error = "The download is stalled with no connections";
            ("warning", "downloading", "warning", json!([]), Some(error))
        }
        Stage::Completed { .. } => ("completed", "importPending", "ok", json!([]), None),
        Stage::Blocked => (
            "completed",
            "importBlocked",
            "warning",
            message("One or more episodes expected in this release were not imported or missing"),
            None,
        ),
        Stage::Failed { .. } => {
            ("failed", "failedPending", "error", json!([]), Some("Aborted, the download is incomplete"))
        }
        Stage::Ignored => ("completed", "ignored", "ok", json!([]), None),
    }
}
