//! How downloads end: imported into the library, failed, or taken out of the queue.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::{Download, Stage};
use crate::seed::titles;
use crate::state::episode::EpisodeFile;
use crate::state::{State, flag, iso, object, text};

/// What to import: a finished video and what it holds.
#[derive(Clone, Debug)]
pub(crate) struct Import {
    pub path: String,
    pub title: String,
    pub series: i64,
    pub episodes: Vec<i64>,
    pub quality: i64,
    pub size: i64,
    pub download_id: Option<String>,
    /// The download client; 0 when it came from none.
    pub client_id: i64,
}

impl State {
    /// Imports a complete download and takes it out of the queue.
    pub(crate) fn import_download(&mut self, index: usize) {
        if index >= self.downloads.items.len() {
            return;
        }
        let download = self.downloads.items.remove(index);
        let Some(series) = download.series else { return };
        for episode in download.episodes.clone() {
            let pieces = i64::try_from(download.episodes.len()).unwrap_or(1).max(1);
            self.import(&Import {
                path: download.video_path(),
                title: download.title.clone(),
                series,
                episodes: vec![episode],
                quality: download.quality,
                size: download.size / pieces,
                download_id: Some(download.download_id.clone()),
                client_id: download.client_id,
            });
        }
        self.remove_from_disk(&download);
    }

    /// Lays the video of a complete download on the disk.
    pub(crate) fn lay_on_disk(&mut self, download: &Download) {
        self.disk.add_folder(&download.output_path());
        self.disk.files.insert(download.video_path(), download.size);
    }

    /// Removes what a download laid on the disk.
    fn remove_from_disk(&mut self, download: &Download) {
        self.disk.files.remove(&download.video_path());
        self.disk.remove_folder(&download.output_path());
    }

    /// Makes a file of the library from a video; existing files of its episodes go to the recycle bin. Returns the id
    /// of the file, or `None` when the series is gone.
    pub(crate) fn import(&mut self, import: &Import) -> Option<i64> {
        let now = self.now;
        let season = self.library.episode(*import.episodes.first()?)?.1.season;
        let old: Vec<i64> = import
            .episodes
            .iter()
            .filter_map(|id| self.library.episode(*id).map(|(_, episode)| episode.file_id))
            .filter(|file| *file != 0)
            .collect();
        for file in old {
            self.delete_file(file, "Upgrade");
        }
        self.library.get(import.series)?;
        let id = self.library.next_file_id(import.series);
        let rename = self.setting("config/naming", "renameEpisodes") == &Value::Bool(true);
        let wanted = super::group_of(&import.title).trim_end_matches(".mkv");
        let group = titles::GROUPS.iter().find(|group| **group == wanted).copied().unwrap_or("EMBER");
        let entry = self.library.get_mut(import.series)?;
        entry.files.push(EpisodeFile {
            id,
            season,
            quality: import.quality,
            size: import.size,
            added: now,
            group,
            scene_named: !rename,
            relative: None,
            changed: None,
            gone: false,
        });
        for episode in &mut entry.episodes {
            if import.episodes.contains(&episode.id) {
                episode.file_id = id;
            }
        }
        let imported = self
            .library
            .file(id)
            .map(|(entry, file)| format!("{}/{}", text(&entry.row, "path"), self.relative_path(entry, file)));
        let data = json!({
            "fileId": id.to_string(),
            "droppedPath": import.path,
            "importedPath": imported.unwrap_or_default(),
            "downloadClient": self.row("downloadclient", import.client_id).map(|row| text(row, "implementation")),
            "downloadClientName": self.client_name(import.client_id),
            "releaseGroup": group,
            "customFormatScore": "0",
            "size": import.size.to_string(),
            "indexerFlags": "0",
            "releaseType": "SingleEpisode",
        });
        for episode in &import.episodes {
            self.add_history(
                "downloadFolderImported",
                import.series,
                *episode,
                &import.title,
                import.quality,
                import.download_id.as_deref(),
                data.clone(),
            );
        }
        Some(id)
    }

    /// Deletes a file: to the recycle bin when one is set.
    pub(crate) fn delete_file(&mut self, id: i64, reason: &str) {
        let Some(series) = self.library.series_of_file(id) else { return };
        let Some((entry, file)) = self.library.file(id) else { return };
        let path = format!("{}/{}", text(&entry.row, "path"), self.relative_path(entry, file));
        let title = crate::state::episode::scene_name(entry, file);
        let episodes: Vec<i64> = entry.episodes_of_file(id).map(|episode| episode.id).collect();
        let (quality, size, gone) = (file.quality, file.size, file.gone);
        let data = json!({
            "reason": reason, "customFormatScore": "0", "size": size.to_string(), "indexerFlags": "0", "releaseType": "SingleEpisode",
        });
        for episode in episodes {
            self.add_history("episodeFileDeleted", series, episode, &title, quality, None, data.clone());
        }
        let has_bin = self.setting("config/mediamanagement", "recycleBin").as_str().is_some_and(|bin| !bin.is_empty());
        if has_bin && !gone {
            self.disk.recycled.push(path);
        }
        let unmonitor = flag(
            self.row("config/mediamanagement", 1).unwrap_or(&crate::state::Row::new()),
            "autoUnmonitorPreviouslyDownloadedEpisodes",
        );
        if let Some(entry) = self.library.get_mut(series) {
            for episode in &mut entry.episodes {
                if episode.file_id == id && unmonitor && reason != "Upgrade" {
                    episode.monitored = false;
                }
            }
            entry.remove_file(id);
        }
    }

    /// Handles a failed download: history, blocklist, and a new search when the settings say so.
    pub(crate) fn fail_download(&mut self, index: usize, message: &str, skip_search: bool) {
        if index >= self.downloads.items.len() {
            return;
        }
        let download = self.downloads.items.remove(index);
        self.remove_from_disk(&download);
        self.record_failure(&download, message);
        let again = self.setting("config/downloadclient", "autoRedownloadFailed") == &Value::Bool(true);
        if again && !skip_search && !download.episodes.is_empty() {
            self.queue_command("EpisodeSearch", json!({"episodeIds": download.episodes}), "unspecified");
        }
    }

    /// Writes a failure to the history and the release to the blocklist.
    pub(crate) fn record_failure(&mut self, download: &Download, message: &str) {
        let data = json!({
            "downloadClient": if download.protocol == "torrent" { "QBittorrent" } else { "Sabnzbd" },
            "downloadClientName": self.client_name(download.client_id),
            "message": message,
            "releaseGroup": download.group(),
            "size": download.size.to_string(),
            "indexer": download.indexer,
        });
        for episode in &download.episodes {
            self.add_history(
                "downloadFailed",
                download.series.unwrap_or(0),
                *episode,
                &download.title,
                download.quality,
                Some(&download.download_id),
                data.clone(),
            );
        }
        self.blocklist(download, message);
    }

    /// Puts a release on the blocklist.
    pub(crate) fn blocklist(&mut self, download: &Download, message: &str) {
        let Some(series) = download.series else { return };
        let row = object(json!({
            "seriesId": series,
            "episodeIds": download.episodes,
            "sourceTitle": download.title,
            "languages": [{"id": 1, "name": "English"}],
            "quality": crate::quality::model(download.quality, 1, false),
            "customFormats": [],
            "date": iso(self.now),
            "protocol": download.protocol,
            "indexer": download.indexer,
            "message": message,
        }));
        self.table_mut("blocklist").insert(row);
    }

    /// Takes a download out of the queue, as a person asks for it.
    pub(crate) fn remove_download(&mut self, download_id: &str, how: Removal) {
        let Some(index) = self.downloads.items.iter().position(|download| download.download_id == download_id) else {
            return;
        };
        let Some(download) = self.downloads.items.get(index).cloned() else { return };
        if how.blocklist {
            if how.from_client {
                self.fail_download(index, "Manually marked as failed", how.skip_search);
            } else {
                self.blocklist(&download, "Manually marked as failed");
                if let Some(download) = self.downloads.items.get_mut(index) {
                    download.stage = Stage::Ignored;
                }
            }
        } else if how.from_client || download.is_pending() {
            self.downloads.items.remove(index);
            self.remove_from_disk(&download);
        } else {
            // Left in the client, in its other category or as it is, and tracked no more.
            for episode in &download.episodes {
                let data = json!({"downloadClient": "QBittorrent", "message": "Manually ignored", "size": download.size.to_string()});
                self.add_history(
                    "downloadIgnored",
                    download.series.unwrap_or(0),
                    *episode,
                    &download.title,
                    download.quality,
                    Some(&download.download_id),
                    data,
                );
            }
            if let Some(download) = self.downloads.items.get_mut(index) {
                download.stage = Stage::Ignored;
            }
        }
    }

    /// Imports and fails at once what waits for it.
    pub(crate) fn process_downloads(&mut self) -> usize {
        let mut handled = 0;
        while let Some(index) = self
            .downloads
            .items
            .iter()
            .position(|download| matches!(download.stage, Stage::Completed { .. } | Stage::Failed { .. }))
        {
            match self.downloads.items.get(index).map(|download| download.stage) {
                Some(Stage::Completed { .. }) => self.import_download(index),
                _ => self.fail_download(index, "Aborted, the download is incomplete", false),
            }
            handled += 1;
        }
        handled
    }
}

/// How a download is taken out of the queue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Removal {
    pub from_client: bool,
    pub blocklist: bool,
    pub skip_search: bool,
}

/// How long before now a release of the queue was added.
pub(crate) const RECENT: TimeDelta = TimeDelta::minutes(3);
