//! Commands on series and their files.

use serde_json::{Value, json};

use super::{Command, Done};
use crate::downloads::Import;
use crate::state::{Row, State, flag, int, int_list, ints, iso, text};

impl State {
    pub(super) fn run_on_library(&mut self, command: &Command) -> Result<Done, String> {
        let parameters = command.parameters.clone();
        let parameters = &parameters;
        match command.definition.name {
            "RefreshSeries" => self.refresh(parameters),
            "RescanSeries" => {
                let series = int(parameters, "seriesId");
                if series != 0 {
                    self.must_know(series)?;
                }
                let all = if series == 0 { self.library.ids() } else { vec![series] };
                for series in all {
                    self.rescan(series);
                }
                Done::well("Scan completed")
            }
            "ImportListSync" => self.sync_lists(parameters),
            "RenameFiles" => {
                let series = int(parameters, "seriesId");
                self.must_know(series)?;
                let renamed = self.rename(series, Some(&ints(parameters, "files")));
                Done::well(format!("{renamed} selected episode files renamed for {}", self.series_title(series)))
            }
            "RenameSeries" => {
                let mut renamed = 0;
                for series in ints(parameters, "seriesIds") {
                    self.must_know(series)?;
                    renamed += self.rename(series, None);
                }
                Done::well(format!("{renamed} episode files renamed"))
            }
            "MoveSeries" => {
                let series = int(parameters, "seriesId");
                self.must_know(series)?;
                let destination = text(parameters, "destinationPath").to_owned();
                if destination.is_empty() {
                    return Err("Value cannot be null. (Parameter 'destinationPath')".to_owned());
                }
                self.set_path(series, destination.clone());
                Done::well(format!("{} moved successfully to {destination}", self.series_title(series)))
            }
            "BulkMoveSeries" => self.bulk_move(parameters),
            "ManualImport" => self.manual_import(parameters),
            "DownloadedEpisodesScan" => self.scan_download(parameters),
            _ => {
                let mut deleted = 0;
                for series in ints(parameters, "seriesIds") {
                    self.must_know(series)?;
                    let files: Vec<i64> = self
                        .library
                        .get(series)
                        .map(|entry| entry.files.iter().map(|file| file.id).collect())
                        .unwrap_or_default();
                    deleted += files.len();
                    for file in files {
                        self.delete_file(file, "Manual");
                    }
                }
                Done::well(format!("{deleted} episode files deleted"))
            }
        }
    }

    fn must_know(&self, id: i64) -> Result<(), String> {
        if self.library.get(id).is_some() { Ok(()) } else { Err(format!("Series with ID {id} does not exist")) }
    }

    fn refresh(&mut self, parameters: &Row) -> Result<Done, String> {
        let given = ints(parameters, "seriesIds");
        let series = if given.is_empty() { self.library.ids() } else { given };
        for id in &series {
            self.must_know(*id)?;
            self.fill_from_tvdb(*id);
            self.rescan(*id);
            self.apply_add_options(*id);
        }
        Done::well(match series.as_slice() {
            [one] => format!("Updated info for {}", self.series_title(*one)),
            several => format!("Updated info for {} series", several.len()),
        })
    }

    /// What a person chose when adding a series, carried out once its episodes are there.
    fn apply_add_options(&mut self, id: i64) {
        let Some(options) = self.library.get_mut(id).and_then(|entry| entry.row.shift_remove("addOptions")) else {
            return;
        };
        let Some(options) = options.as_object() else { return };
        let monitor = text(options, "monitor").to_owned();
        crate::monitoring::apply(self, id, &monitor, options);
        if flag(options, "searchForMissingEpisodes") {
            self.queue_command("MissingEpisodeSearch", json!({"seriesId": id, "monitored": true}), "unspecified");
        }
        if flag(options, "searchForCutoffUnmetEpisodes") {
            self.queue_command("CutoffUnmetEpisodeSearch", json!({"seriesId": id, "monitored": true}), "unspecified");
        }
    }

    /// Adds the first series that an enabled list has and the library lacks.
    fn sync_lists(&mut self, parameters: &Row) -> Result<Done, String> {
        let wanted = int(parameters, "definitionId");
        if wanted != 0 && !self.table("importlist").contains(wanted) {
            return Err(format!("ImportListDefinition with ID {wanted} does not exist"));
        }
        let list = self
            .table("importlist")
            .rows()
            .find(|row| flag(row, "enableAutomaticAdd") && (wanted == 0 || int(row, "id") == wanted))
            .cloned();
        let Some(list) = list else { return Done::in_vain("No enabled import lists") };
        let excluded: Vec<i64> = self.table("importlistexclusion").rows().map(|row| int(row, "tvdbId")).collect();
        let new = self.known_series().find(|row| !excluded.contains(&int(row, "tvdbId")));
        let Some(new) = new else { return Done::well("Import List Sync Completed. 0 series added") };
        let root = text(&list, "rootFolderPath").to_owned();
        let folder = crate::naming::series_folder(self, &new);
        let wanted = crate::state::object(json!({
            "path": format!("{root}/{folder}"),
            "rootFolderPath": root,
            "qualityProfileId": int(&list, "qualityProfileId"),
            "seasonFolder": flag(&list, "seasonFolder"),
            "monitored": true,
            "tags": ints(&list, "tags"),
            "added": iso(self.now),
            "addOptions": {"monitor": list.get("shouldMonitor"), "searchForMissingEpisodes": flag(&list, "searchForMissingEpisodes")},
        }));
        let id = self.add_known(new, &wanted);
        self.queue_command("RefreshSeries", json!({"seriesIds": [id], "isNewSeries": true}), "unspecified");
        Done::well("Import List Sync Completed. 1 series added")
    }

    /// Gives files the names of the naming settings; `only` limits it to some of them. Returns how many changed.
    fn rename(&mut self, series: i64, only: Option<&[i64]>) -> usize {
        let Some(entry) = self.library.get(series) else { return 0 };
        let changes: Vec<(i64, String, String)> = entry
            .files
            .iter()
            .filter(|file| only.is_none_or(|only| only.contains(&file.id)))
            .map(|file| (file.id, self.relative_path(entry, file), crate::naming::relative_path(self, entry, file)))
            .filter(|(_, old, new)| old != new)
            .collect();
        let base = text(&entry.row, "path").to_owned();
        for (id, old, new) in &changes {
            let Some(entry) = self.library.get_mut(series) else { continue };
            let Some(file) = entry.file_mut(*id) else { continue };
            file.scene_named = false;
            file.relative = None;
            let (quality, size, group) = (file.quality, file.size, file.group);
            let episodes: Vec<i64> = entry.episodes_of_file(*id).map(|episode| episode.id).collect();
            let data = json!({
                "sourcePath": format!("{base}/{old}"), "sourceRelativePath": old, "path": format!("{base}/{new}"),
                "relativePath": new, "releaseGroup": group, "size": size.to_string(),
            });
            for episode in episodes {
                self.add_history("episodeFileRenamed", series, episode, old, quality, None, data.clone());
            }
        }
        changes.len()
    }

    fn bulk_move(&mut self, parameters: &Row) -> Result<Done, String> {
        let root = text(parameters, "destinationRootFolder").trim_end_matches('/').to_owned();
        let items = parameters.get("series").and_then(Value::as_array).cloned().unwrap_or_default();
        for item in items.iter().filter_map(Value::as_object) {
            let id = int(item, "seriesId");
            self.must_know(id)?;
            let folder = crate::disk::name_of(text(item, "sourcePath")).to_owned();
            self.set_path(id, format!("{root}/{folder}"));
        }
        Done::well(format!("Finished moving {} series to '{root}'", items.len()))
    }

    fn set_path(&mut self, series: i64, path: String) {
        if let Some(entry) = self.library.get_mut(series) {
            let root = crate::disk::parent_of(&path).unwrap_or_default().to_owned();
            entry.row.insert("path".into(), path.into());
            entry.row.insert("rootFolderPath".into(), root.into());
        }
    }

    fn manual_import(&mut self, parameters: &Row) -> Result<Done, String> {
        let files = parameters.get("files").and_then(Value::as_array).cloned().unwrap_or_default();
        let mut imported = 0;
        for file in files.iter().filter_map(Value::as_object) {
            let series = int(file, "seriesId");
            self.must_know(series)?;
            let episodes = int_list(file.get("episodeIds").unwrap_or(&Value::Null));
            if episodes.iter().any(|id| self.library.episode(*id).is_none()) {
                return Err("Sequence contains no matching element".to_owned());
            }
            let path = text(file, "path").to_owned();
            let size = self.disk.files.get(&path).copied();
            let download = text(file, "downloadId").to_owned();
            let Some(size) = size else { continue };
            let tracked = self.downloads.items.iter().find(|item| item.download_id == download);
            let client_id = tracked.map_or(0, |item| item.client_id);
            let name = crate::disk::name_of(&path).trim_end_matches(".mkv").to_owned();
            let quality = file.get("quality").map_or(0, crate::quality::model_id);
            let import = Import {
                path: path.clone(),
                title: name,
                series,
                episodes,
                quality,
                size,
                download_id: (!download.is_empty()).then_some(download.clone()),
                client_id,
            };
            if self.import(&import).is_some() {
                imported += 1;
                if !text(parameters, "importMode").eq_ignore_ascii_case("copy") {
                    self.disk.files.remove(&path);
                }
                self.downloads.items.retain(|item| item.download_id != download || download.is_empty());
            }
        }
        if imported == 0 {
            return Done::in_vain("Manually imported 0 files");
        }
        Done::well(format!("Manually imported {imported} files"))
    }

    fn scan_download(&mut self, parameters: &Row) -> Result<Done, String> {
        let path = text(parameters, "path").trim_end_matches('/').to_owned();
        if path.is_empty() {
            return Err("A path must be provided".to_owned());
        }
        let index = self.downloads.items.iter().position(|item| item.output_path() == path && item.series.is_some());
        match index {
            Some(index) => {
                self.import_download(index);
                Done::well("Imported the download")
            }
            None => Done::in_vain("Failed to import: no files were found"),
        }
    }
}
