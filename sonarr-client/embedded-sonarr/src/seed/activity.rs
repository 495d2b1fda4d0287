//! What happened before the server was started: history, queue, blocklist, logs, backups.

use chrono::{DateTime, TimeDelta, Timelike, Utc};
use serde_json::json;

use crate::downloads::{Download, Plan, RECENT, Stage, length_of, plan_of};
use crate::state::episode::{EpisodeFile, release_name, scene_name};
use crate::state::{Entry, State, flag, int, iso, object, text};

/// Series whose files have a history.
const SERIES_WITH_HISTORY: usize = 40;
/// Files of each of them that have one.
const FILES_WITH_HISTORY: usize = 8;

pub(super) fn build(state: &mut State) {
    history(state);
    queue(state);
    blocklist(state);
    logs(state, |_| true);
    backups(state);
    commands(state, &["RssSync", "DownloadedEpisodesScan", "CheckHealth"]);
}

/// What a server did by itself, and well.
pub(super) fn routine(state: &mut State) {
    logs(state, |level| level == "info");
    backups(state);
    commands(state, &["RssSync", "CheckHealth"]);
}

fn backups(state: &mut State) {
    let now = state.now;
    for (days, kind) in [(13, "scheduled"), (6, "scheduled"), (2, "manual")] {
        state.now = now - TimeDelta::days(days);
        state.add_backup(kind);
    }
    state.now = now;
}

/// Commands that ended before the server was asked anything. Without a path, the scan of downloads ends badly.
fn commands(state: &mut State, names: &[&str]) {
    let now = state.now;
    state.now = now - TimeDelta::minutes(4);
    for name in names {
        let parameters = if *name == "DownloadedEpisodesScan" { json!({"importMode": "auto"}) } else { json!({}) };
        state.queue_command(name, parameters, "scheduled");
    }
    // An RSS sync would grab what the queue already shows as missing; its effect belongs to the past.
    let downloads = state.downloads.clone();
    state.catch_up(now - TimeDelta::minutes(3));
    state.downloads = downloads;
    state.now = now;
}

/// An address from which a release was downloaded, with the indexer's key in it.
fn download_url(state: &mut State, name: &str) -> String {
    let known = state.secrets.iter().find(|secret| secret.starts_with("canary-download-url")).cloned();
    let key = known.unwrap_or_else(|| super::canary(state, "download-url-key"));
    format!("http://proxy.example:9696/1/download?apikey={key}&link={name}")
}

/// Where a file came from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    pub indexer: &'static str,
    pub protocol: &'static str,
}

/// The indexer of the usual history.
pub(super) const GULL: Source = Source { indexer: "Gull Tracker (Proxy)", protocol: "torrent" };

/// A file that was grabbed and imported.
pub(super) struct PastImport {
    added: DateTime<Utc>,
    series: i64,
    episodes: Vec<i64>,
    title: String,
    file: EpisodeFile,
    path: String,
}

impl PastImport {
    /// When the file came, and the series it belongs to: oldest first is the order of a history.
    pub(super) fn order(&self) -> (DateTime<Utc>, i64) {
        (self.added, self.series)
    }

    pub(super) fn of(state: &State, entry: &Entry, file: &EpisodeFile) -> Self {
        PastImport {
            added: file.added,
            series: int(&entry.row, "id"),
            episodes: entry.episodes_of_file(file.id).map(|episode| episode.id).collect(),
            title: scene_name(entry, file),
            file: file.clone(),
            path: format!("{}/{}", text(&entry.row, "path"), state.relative_path(entry, file)),
        }
    }

    /// Writes the grab and, an hour later, the import.
    pub(super) fn record(self, state: &mut State, source: Source) {
        let now = state.now;
        let PastImport { added, series, episodes, title, file, path } = self;
        let torrent = source.protocol == "torrent";
        let (client_id, client) = if torrent { (2, "QBittorrent") } else { (1, "Sabnzbd") };
        let url = download_url(state, &title);
        let download = Download {
            download_id: state.rng.hex(40).to_uppercase(),
            title: title.clone(),
            protocol: source.protocol,
            client_id,
            indexer: source.indexer.to_owned(),
            guid: format!("http://proxy.example:9696/1/details/{}", file.id),
            url,
            series: Some(series),
            episodes: episodes.clone(),
            quality: file.quality,
            size: file.size,
            added,
            length: length_of(file.size),
            plan: Plan::Import,
            stage: Stage::Downloading,
        };
        state.now = added - TimeDelta::hours(1);
        state.record_grab(&download);
        state.now = added;
        let data = json!({
            "fileId": file.id.to_string(),
            "droppedPath": format!("/downloads/{title}/{title}.mkv"),
            "importedPath": path,
            "downloadClient": client,
            "downloadClientName": state.client_name(client_id),
            "releaseGroup": file.group,
            "customFormatScore": "0",
            "size": file.size.to_string(),
            "indexerFlags": "0",
            "releaseType": if episodes.len() > 1 { "MultiEpisode" } else { "SingleEpisode" },
        });
        for episode in episodes {
            let download = Some(download.download_id.as_str());
            state.add_history("downloadFolderImported", series, episode, &title, file.quality, download, data.clone());
        }
        state.now = now;
    }
}

/// Grab and import of files, oldest first.
fn history(state: &mut State) {
    let mut events = Vec::new();
    for (_, entry) in state.library.iter().take(SERIES_WITH_HISTORY) {
        let mut files: Vec<_> = entry.files.iter().collect();
        files.sort_by_key(|file| std::cmp::Reverse(file.added));
        let latest = files.into_iter().take(FILES_WITH_HISTORY);
        events.extend(latest.map(|file| PastImport::of(state, entry, file)));
    }
    events.sort_by_key(PastImport::order);
    for event in events {
        event.record(state, GULL);
    }
}

/// One download in each state that a queue can show.
fn queue(state: &mut State) {
    let now = state.now;
    let wanted: Vec<(i64, i64, i64, String, String)> = state
        .library
        .missing(now, true)
        .map(|(entry, episode)| {
            (int(&entry.row, "id"), episode.id, episode.season, text(&entry.row, "title").to_owned(), episode.code())
        })
        .take(6)
        .collect();
    let groups = ["NEST", "BLCK", "STLL", "TIDE", "BRKN", "QUILL"];
    for (place, ((series, episode, _, title, code), group)) in wanted.into_iter().zip(groups).enumerate() {
        let title = release_name(&title, &code, 3, group);
        let size = 1_200_000_000 + 90_000_000 * i64::try_from(place).unwrap_or(0);
        let url = download_url(state, &title);
        let torrent = matches!(group, "STLL" | "BLCK" | "TIDE");
        let length = length_of(size);
        let (added, stage) = match place {
            0 => (now - RECENT, Stage::Downloading),
            1 => (now - length * 2, Stage::Blocked),
            2 => (now - length, Stage::Stalled),
            3 => (now, Stage::Delayed { until: now + TimeDelta::minutes(90) }),
            4 => (now - length / 4, Stage::Downloading),
            _ => (now - RECENT, Stage::Paused),
        };
        let download = Download {
            download_id: state.rng.hex(40).to_uppercase(),
            protocol: if torrent { "torrent" } else { "usenet" },
            client_id: if torrent { 2 } else { 1 },
            indexer: if torrent { "Gull Tracker (Proxy)" } else { "Meadow Index" }.to_owned(),
            guid: format!("http://proxy.example:9696/1/details/q{place}"),
            url,
            series: Some(series),
            episodes: vec![episode],
            quality: 3,
            size,
            added,
            length,
            plan: plan_of(&title),
            stage,
            title,
        };
        if !matches!(download.stage, Stage::Delayed { .. }) {
            state.now = added;
            state.record_grab(&download);
            state.now = now;
        }
        if download.stage == Stage::Blocked {
            state.lay_on_disk(&download);
        }
        state.downloads.items.push(download);
    }
    let url = download_url(state, "unknown");
    state.downloads.items.push(Download {
        download_id: state.rng.hex(40).to_uppercase(),
        title: "Somebody.Elses.Show.S04E04.720p.HDTV.h264-MOSS".to_owned(),
        protocol: "torrent",
        client_id: 2,
        indexer: String::new(),
        guid: "unknown".to_owned(),
        url,
        series: None,
        episodes: Vec::new(),
        quality: 4,
        size: 800_000_000,
        added: now - RECENT,
        length: TimeDelta::minutes(30),
        plan: Plan::Block,
        stage: Stage::Downloading,
    });
}

/// Releases that failed before.
fn blocklist(state: &mut State) {
    let now = state.now;
    let series: Vec<(i64, i64, String, String)> = state
        .library
        .iter()
        .filter(|(_, entry)| flag(&entry.row, "monitored"))
        .filter_map(|(id, entry)| Some((id, entry.episodes.iter().find(|episode| episode.has_aired(now))?, entry)))
        .map(|(id, episode, entry)| (id, episode.id, text(&entry.row, "title").to_owned(), episode.code()))
        .take(3)
        .collect();
    for (place, (series, episode, title, code)) in series.into_iter().enumerate() {
        let title = release_name(&title, &code, 5, "BRKN");
        state.now = now - TimeDelta::days(3 + i64::try_from(place).unwrap_or(0));
        let row = object(json!({
            "seriesId": series,
            "episodeIds": [episode],
            "sourceTitle": title,
            "languages": [{"id": 1, "name": "English"}],
            "quality": crate::quality::model(5, 1, false),
            "customFormats": if place == 0 { json!([{"id": 2, "name": "Repack or Proper"}]) } else { json!([]) },
            "date": iso(state.now),
            "protocol": if place == 1 { "usenet" } else { "torrent" },
            "indexer": if place == 1 { "Meadow Index" } else { "Gull Tracker (Proxy)" },
            "message": "Aborted, the download is incomplete",
        }));
        state.table_mut("blocklist").insert(row);
        let data = json!({"downloadClient": "QBittorrent", "downloadClientName": "Torrent Box", "message": "Aborted, the download is incomplete", "releaseGroup": "BRKN", "size": "700000000", "indexer": "Gull Tracker (Proxy)"});
        state.add_history("downloadFailed", series, episode, &title, 5, None, data);
    }
    state.now = now;
}

/// The lines of the log, those of some levels.
fn logs(state: &mut State, kept: fn(&str) -> bool) {
    let now = state.now;
    let lines = [
        ("info", "Bootstrap", "Starting Sonarr"),
        ("info", "AppFolderInfo", "Data directory is being used"),
        ("info", "RssSyncService", "RSS Sync Completed. Reports found: 84, Reports grabbed: 1"),
        ("warn", "DownloadMonitoringService", "Unable to retrieve queue and history items from Torrent Box"),
        ("error", "Nyaa", "Unable to connect to indexer Lantern Anime"),
        ("info", "ImportApprovedEpisodes", "Imported 1 file"),
        ("fatal", "SqliteErrorHandler", "The disk was full for a moment"),
        ("info", "RefreshSeriesService", "Updating info of 12 series"),
    ];
    let mut file = String::new();
    for (place, (level, logger, message)) in lines.into_iter().enumerate().filter(|(_, (level, ..))| kept(level)) {
        state.now = now - TimeDelta::minutes(90 - 9 * i64::try_from(place).unwrap_or(0));
        let time = state.now.with_nanosecond(0).unwrap_or(state.now).format("%Y-%m-%d %H:%M:%S.0");
        file.push_str(&format!("{time}|{}|{logger}|{message}\n", capital(level)));
        if level == "error" {
            let row = object(json!({
                "time": iso(state.now),
                "exception": "System.Net.Http.HttpRequestException: Connection refused (lantern.unreachable.example:443)\n   at NzbDrone.Common.Http.HttpClient.Execute(HttpRequest request)",
                "exceptionType": "HttpRequestException",
                "level": level,
                "logger": logger,
                "message": message,
            }));
            state.table_mut("log").insert(row);
        } else {
            state.log(level, logger, message);
        }
    }
    state.disk.logs.insert("sonarr.txt".to_owned(), file.clone());
    state.disk.logs.insert("sonarr.debug.txt".to_owned(), file);
    state.disk.update_logs.insert("sonarr.update.txt".to_owned(), "Updating Sonarr\nUpdate finished\n".to_owned());
    state.now = now;
}

fn capital(level: &str) -> String {
    let mut letters = level.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
