//! Downloads: from the grab through the queue to the import, or to a failure.
//!
//! The group at the end of a release's name decides how its download goes: `BRKN` fails half-way, `STLL` stalls, `BLCK`
//! completes but cannot be imported; every other one is imported. So a test chooses an outcome by the release it grabs.

mod offers;
mod outcome;
mod view;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

pub(crate) use offers::{CACHE, Offer, Search};
pub(crate) use outcome::{Import, RECENT, Removal};
pub(crate) use view::QueueWith;

use crate::http::Failure;
use crate::state::{State, hash_id, int, iso, text};

/// How a download will go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    Import,
    Fail,
    Stall,
    Block,
}

/// Where a download stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Waits for a delay profile: not with a download client yet.
    Delayed {
        until: DateTime<Utc>,
    },
    /// Waits for its download client, which cannot be reached.
    Unreachable,
    Downloading,
    Paused,
    Stalled,
    /// Complete; imported a minute later.
    Completed {
        at: DateTime<Utc>,
    },
    /// Complete, but needs a person.
    Blocked,
    /// Failed; handled half a minute later.
    Failed {
        at: DateTime<Utc>,
    },
    /// Left in the client, no longer tracked.
    Ignored,
}

/// A download, or a release that waits to become one.
#[derive(Clone, Debug)]
pub(crate) struct Download {
    pub download_id: String,
    pub title: String,
    pub protocol: &'static str,
    pub client_id: i64,
    pub indexer: String,
    pub url: String,
    pub guid: String,
    /// The series, unless the download matches none.
    pub series: Option<i64>,
    pub episodes: Vec<i64>,
    pub quality: i64,
    pub size: i64,
    pub added: DateTime<Utc>,
    /// How long the whole download takes.
    pub length: TimeDelta,
    pub plan: Plan,
    pub stage: Stage,
}

/// Time from completion to import.
const IMPORT_AFTER: TimeDelta = TimeDelta::seconds(60);
/// Time from failure to its handling.
const FAILURE_AFTER: TimeDelta = TimeDelta::seconds(30);
/// Bytes a second of every download.
const SPEED: i64 = 4_000_000;

impl Download {
    /// When it does something by itself the next time.
    fn due(&self) -> Option<DateTime<Utc>> {
        match self.stage {
            Stage::Delayed { until } => Some(until),
            Stage::Downloading => Some(match self.plan {
                Plan::Fail | Plan::Stall => self.added + self.length / 2,
                Plan::Import | Plan::Block => self.added + self.length,
            }),
            Stage::Completed { at } => Some(at + IMPORT_AFTER),
            Stage::Failed { at } => Some(at + FAILURE_AFTER),
            Stage::Unreachable | Stage::Paused | Stage::Stalled | Stage::Blocked | Stage::Ignored => None,
        }
    }

    /// Whether it is with no download client yet.
    pub(crate) fn is_pending(&self) -> bool {
        matches!(self.stage, Stage::Delayed { .. } | Stage::Unreachable)
    }

    /// Bytes that are still to come.
    fn size_left(&self, now: DateTime<Utc>) -> i64 {
        let share = match self.stage {
            Stage::Completed { .. } | Stage::Blocked | Stage::Ignored => 1.0,
            Stage::Delayed { .. } | Stage::Unreachable => 0.0,
            Stage::Stalled | Stage::Failed { .. } => 0.5,
            Stage::Paused => 0.25,
            Stage::Downloading => {
                let passed = (now - self.added).num_milliseconds() as f64;
                (passed / self.length.num_milliseconds().max(1) as f64).clamp(0.0, 1.0)
            }
        };
        self.size - (self.size as f64 * share) as i64
    }

    /// The ids of its records in the queue: one for each episode.
    pub(crate) fn queue_ids(&self) -> Vec<(i64, Option<i64>)> {
        if self.episodes.is_empty() {
            return vec![(hash_id(&self.download_id), None)];
        }
        self.episodes
            .iter()
            .map(|episode| (hash_id(&format!("{}-{episode}", self.download_id)), Some(*episode)))
            .collect()
    }

    pub(crate) fn has_queue_id(&self, id: i64) -> bool {
        self.queue_ids().iter().any(|(known, _)| *known == id)
    }

    /// The folder that it is downloaded to.
    pub(crate) fn output_path(&self) -> String {
        format!("/downloads/{}", self.title)
    }

    /// The video in that folder, once it is complete.
    pub(crate) fn video_path(&self) -> String {
        format!("{}/{}.mkv", self.output_path(), self.title)
    }

    /// The group in its title.
    pub(crate) fn group(&self) -> &str {
        group_of(&self.title)
    }
}

/// The group at the end of a release's name.
pub(crate) fn group_of(title: &str) -> &str {
    title.rsplit_once('-').map_or("", |(_, group)| group)
}

/// How the download of a release goes.
pub(crate) fn plan_of(title: &str) -> Plan {
    match group_of(title) {
        "BRKN" => Plan::Fail,
        "STLL" => Plan::Stall,
        "BLCK" => Plan::Block,
        _ => Plan::Import,
    }
}

/// How long a download of that many bytes takes.
pub(crate) fn length_of(size: i64) -> TimeDelta {
    TimeDelta::seconds((size / SPEED).max(10))
}

/// The downloads of a server, and the releases that a search has found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Downloads {
    pub items: Vec<Download>,
    pub offers: Vec<Offer>,
}

impl Downloads {
    /// When the next download does something by itself.
    pub(crate) fn next_event(&self) -> Option<DateTime<Utc>> {
        self.items.iter().filter_map(Download::due).min()
    }

    /// The downloads that the queue shows.
    pub(crate) fn tracked(&self) -> impl Iterator<Item = &Download> {
        self.items.iter().filter(|download| download.stage != Stage::Ignored)
    }

    /// The download that a queue record belongs to.
    pub(crate) fn by_queue_id(&self, id: i64) -> Option<&Download> {
        self.tracked().find(|download| download.has_queue_id(id))
    }
}

impl State {
    /// Lets the first download that is due do what it does.
    pub(crate) fn step_download(&mut self, due: DateTime<Utc>) {
        let Some(index) = self.downloads.items.iter().position(|download| download.due() == Some(due)) else { return };
        let Some(download) = self.downloads.items.get_mut(index) else { return };
        match (download.stage, download.plan) {
            (Stage::Delayed { .. }, _) => {
                download.stage = Stage::Downloading;
                download.added = due;
                let download = download.clone();
                self.record_grab(&download);
            }
            (Stage::Downloading, Plan::Fail) => download.stage = Stage::Failed { at: due },
            (Stage::Downloading, Plan::Stall) => download.stage = Stage::Stalled,
            (Stage::Downloading, Plan::Block | Plan::Import) => {
                let blocked = download.plan == Plan::Block;
                download.stage = if blocked { Stage::Blocked } else { Stage::Completed { at: due } };
                let download = download.clone();
                self.lay_on_disk(&download);
            }
            (Stage::Completed { .. }, _) => self.import_download(index),
            (Stage::Failed { .. }, _) => self.fail_download(index, "Aborted, the download is incomplete", false),
            (Stage::Unreachable | Stage::Paused | Stage::Stalled | Stage::Blocked | Stage::Ignored, _) => {}
        }
    }

    /// Sends a release to a download client.
    pub(crate) fn grab(&mut self, offer: &Offer, client: Option<i64>) -> Result<(), Failure> {
        let fits =
            |row: &crate::state::Row| crate::state::flag(row, "enable") && text(row, "protocol") == offer.protocol;
        let chosen = match client.filter(|id| *id != 0) {
            Some(id) => self.row("downloadclient", id).map(|row| int(row, "id")),
            None => {
                let mut rows: Vec<_> = self.table("downloadclient").rows().filter(|row| fits(row)).collect();
                rows.sort_by_key(|row| int(row, "priority"));
                rows.first().map(|row| int(row, "id"))
            }
        };
        let Some(client_id) = chosen else {
            return Err(Failure::internal(
                "NzbDrone.Core.Download.Clients.DownloadClientUnavailableException",
                format!("{} Download client isn't configured yet", offer.protocol),
            ));
        };
        let download = Download {
            download_id: self.rng.hex(40).to_uppercase(),
            title: offer.title.clone(),
            protocol: offer.protocol,
            client_id,
            indexer: offer.indexer.clone(),
            url: offer.url.clone(),
            guid: offer.guid.clone(),
            series: offer.series,
            episodes: offer.episodes.clone(),
            quality: offer.quality,
            size: offer.size,
            added: self.now,
            length: length_of(offer.size),
            plan: plan_of(&offer.title),
            stage: Stage::Downloading,
        };
        self.record_grab(&download);
        self.log("info", "DownloadService", format!("Report sent to {}. {}", self.client_name(client_id), offer.title));
        self.downloads.items.push(download);
        Ok(())
    }

    pub(crate) fn client_name(&self, id: i64) -> String {
        self.row("downloadclient", id).map(|row| text(row, "name").to_owned()).unwrap_or_default()
    }

    /// Writes `grabbed` events, one for each episode.
    pub(crate) fn record_grab(&mut self, download: &Download) {
        let client = self.client_name(download.client_id);
        let data = json!({
            "indexer": download.indexer,
            "nzbInfoUrl": format!("{}/details", download.guid),
            "releaseGroup": download.group(),
            "age": "2",
            "ageHours": "51.25",
            "ageMinutes": "3075.4",
            "publishedDate": iso(self.now - TimeDelta::hours(51)),
            "downloadClient": if download.protocol == "torrent" { "QBittorrent" } else { "Sabnzbd" },
            "downloadClientName": client,
            "size": download.size.to_string(),
            "downloadUrl": download.url,
            "guid": download.guid,
            "tvdbId": "0",
            "tvRageId": "0",
            "imdbId": null,
            "protocol": if download.protocol == "torrent" { "2" } else { "1" },
            "customFormatScore": "0",
            "seriesMatchType": "Title",
            "releaseSource": "Search",
            "indexerFlags": "0",
            "releaseType": if download.episodes.len() > 1 { "SeasonPack" } else { "SingleEpisode" },
        });
        for episode in &download.episodes {
            self.add_history(
                "grabbed",
                download.series.unwrap_or(0),
                *episode,
                &download.title,
                download.quality,
                Some(&download.download_id),
                data.clone(),
            );
        }
    }

    /// Writes one event to the history and returns its id.
    #[expect(clippy::too_many_arguments, reason = "an event has that many facts")]
    pub(crate) fn add_history(
        &mut self,
        event: &str,
        series: i64,
        episode: i64,
        title: &str,
        quality: i64,
        download_id: Option<&str>,
        data: Value,
    ) -> i64 {
        let profile =
            self.library.get(series).and_then(|entry| self.row("qualityprofile", int(&entry.row, "qualityProfileId")));
        let subject = crate::formats::Subject {
            title,
            quality,
            languages: vec![1],
            group: group_of(title),
            ..Default::default()
        };
        let (formats, score) = crate::formats::evaluate(self, profile, &subject);
        let below = profile.is_some_and(|profile| crate::quality::below_cutoff(profile, quality));
        let mut row = crate::state::object(json!({
            "episodeId": episode,
            "seriesId": series,
            "sourceTitle": title,
            "languages": [{"id": 1, "name": "English"}],
            "quality": crate::quality::model(quality, 1, false),
            "customFormats": formats,
            "customFormatScore": score,
            "qualityCutoffNotMet": below,
            "date": iso(self.now),
        }));
        if let Some(download_id) = download_id {
            row.insert("downloadId".into(), download_id.into());
        }
        row.insert("eventType".into(), event.into());
        row.insert("data".into(), data);
        self.table_mut("history").insert(row)
    }
}
