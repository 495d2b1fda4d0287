//! What each command does when it ends.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::{Command, Done};
use crate::quality;
use crate::state::{State, flag, hash_id, int, iso, object};

impl State {
    /// Runs a command to its end.
    pub(super) fn run(&mut self, command: &Command) -> Result<Done, String> {
        let parameters = &command.parameters;
        match command.definition.name {
            "EpisodeSearch"
            | "SeasonSearch"
            | "SeriesSearch"
            | "MissingEpisodeSearch"
            | "CutoffUnmetEpisodeSearch"
            | "RssSync" => self.run_search(command),
            "ImportListSync"
            | "RescanSeries"
            | "RenameFiles"
            | "RenameSeries"
            | "MoveSeries"
            | "BulkMoveSeries"
            | "ManualImport"
            | "RefreshSeries"
            | "DownloadedEpisodesScan"
            | "DeleteSeriesFiles" => self.run_on_library(command),
            "ProcessMonitoredDownloads" => {
                let handled = self.process_downloads();
                Done::well(format!("Processed {handled} downloads"))
            }
            "CleanUpRecycleBin" => {
                self.disk.recycled.clear();
                Done::well("Recycling Bin has been cleaned up")
            }
            "RefreshMonitoredDownloads" | "CheckForFinishedDownload" => Done::well("Completed"),
            "UpdateSceneMapping" => Done::well("Updated scene mappings"),
            "CheckHealth" => Done::well("Completed"),
            "Housekeeping" => {
                self.drop_orphans();
                Done::well("Completed")
            }
            "MessagingCleanup" => {
                let oldest = self.now - TimeDelta::days(1);
                self.commands.items.retain(|command| command.ended.is_none_or(|ended| ended > oldest));
                Done::well("Completed")
            }
            "ResetQualityDefinitions" => {
                self.reset_definitions(flag(parameters, "resetTitles"));
                Done::well("Completed")
            }
            "ClearBlocklist" => {
                self.table_mut("blocklist").clear();
                Done::well("Blocklist cleared")
            }
            "ClearLog" => {
                self.table_mut("log").clear();
                Done::well("Log cleared")
            }
            "DeleteLogFiles" => {
                self.disk.logs.clear();
                Done::well("Log files deleted")
            }
            "DeleteUpdateLogFiles" => {
                self.disk.update_logs.clear();
                Done::well("Update log files deleted")
            }
            "Backup" => {
                self.add_backup("manual");
                Done::well("Backup completed")
            }
            "ApplicationUpdateCheck" => Done::well("No update available"),
            "ApplicationUpdate" => Err("Built-In updater is disabled in docker: update the container".to_owned()),
            "ResetApiKey" => {
                self.reset_api_key();
                Done::well("API key reset")
            }
            "Restart" => {
                self.restart();
                Done::well("Restarting")
            }
            "Shutdown" => {
                self.stopped = true;
                Done::well("Shutting down")
            }
            "Test" => Done::well("Completed"),
            name => Done::in_vain(format!("{name} does nothing")),
        }
    }

    /// Begins a restart: requests are answered with 503 for some seconds, and commands that run are cut off.
    pub(crate) fn restart(&mut self) {
        let now = self.now;
        let others = self.commands.items.iter_mut().filter(|command| command.definition.name != "Restart");
        for command in others.filter(|command| command.status == "started") {
            command.status = "orphaned";
            command.ended = Some(now);
        }
        self.starting_until = self.now + TimeDelta::seconds(3);
        self.started = self.starting_until;
    }

    fn reset_api_key(&mut self) {
        self.api_key = self.rng.hex(32);
        let key = self.api_key.clone();
        if let Some(row) = self.table_mut("config/host").get_mut(1) {
            row.insert("apiKey".into(), key.into());
        }
    }

    fn drop_orphans(&mut self) {
        let series = self.library.ids();
        let known = |row: &crate::state::Row| series.contains(&int(row, "seriesId"));
        self.table_mut("history").retain(known);
        self.table_mut("blocklist").retain(known);
    }

    fn reset_definitions(&mut self, titles: bool) {
        for row in self.table_mut("qualitydefinition").rows_mut() {
            let id = row.get("quality").and_then(|quality| quality.get("id")).and_then(Value::as_i64).unwrap_or(0);
            let Some(known) = quality::by_id(id) else { continue };
            known.write_sizes(row);
            if titles {
                row.insert("title".into(), known.name.into());
            }
        }
    }

    /// Writes a backup.
    pub(crate) fn add_backup(&mut self, kind: &str) {
        let name = format!("sonarr_backup_v{}_{}.zip", self.version(), self.now.format("%Y.%m.%d_%H.%M.%S"));
        let row = object(json!({
            "name": name,
            "path": format!("/backup/{kind}/{name}"),
            "type": kind,
            "size": 1_304_112 + self.library.len() * 900,
            "time": iso(self.now),
        }));
        let id = hash_id(&format!("{kind}-{name}"));
        self.table_mut("system/backup").put(id, row);
    }
}
