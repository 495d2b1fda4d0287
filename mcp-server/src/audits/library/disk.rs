//! What lies on the disk, and what Sonarr would make of it.

use sonarr_client::prelude::*;
use sonarr_client::types;

use super::Library;
use crate::failure::Failure;

impl Library<'_> {
    /// The full paths of all videos anywhere below a folder, as Sonarr sees it: none where the folder is not there. Not
    /// kept, for a large library has many.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    pub async fn videos(&self, folder: &str) -> Result<Vec<String>, Failure> {
        self.tell(format!("listing the videos of {folder}"));
        let files = self.ask("list_media_files", self.client.list_media_files().path(folder).send()).await?;
        Ok(files.into_iter().filter_map(|file| file.path).collect())
    }

    /// The paths of the files that are recorded for a series right now.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    pub async fn recorded(&self, series: i32) -> Result<Vec<String>, Failure> {
        let request = self.client.list_episode_files().series_id(series).send();
        let files = self.ask("list_episode_files", request).await?;
        Ok(files.into_iter().filter_map(|file| file.path).collect())
    }

    /// The videos of a folder that the library does not have, as Sonarr would import them.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    pub async fn candidates(&self, folder: &str) -> Result<Vec<types::ManualImportResource>, Failure> {
        let request = self.client.list_manual_import_candidates().folder(folder).filter_existing_files(true);
        self.ask("list_manual_import_candidates", request.send()).await
    }

    /// The names that Sonarr would give the files of a series, where they are others than those they have.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    pub async fn renames(&self, series: i32) -> Result<Vec<types::RenameEpisodeResource>, Failure> {
        self.ask("preview_rename", self.client.preview_rename().series_id(series).send()).await
    }

    /// The folder to which deleted files go, if one is set.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    pub async fn recycle_bin(&self) -> Result<Option<String>, Failure> {
        let request = self.client.get_media_management_config().send();
        let config = self.ask("get_media_management_config", request).await?;
        Ok(config.recycle_bin.filter(|path| !path.is_empty()))
    }

    /// All qualities, with the source and the resolution of each.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    pub async fn qualities(&self) -> Result<Vec<types::Quality>, Failure> {
        let request = self.client.list_quality_definitions().send();
        let definitions = self.ask("list_quality_definitions", request).await?;
        Ok(definitions.into_iter().filter_map(|definition| definition.quality).collect())
    }

    /// The qualities, with their revisions, that are recorded of some files; one request for fifty files.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    pub async fn recorded_qualities(&self, files: &[i32]) -> Result<Vec<(i32, types::QualityModel)>, Failure> {
        let mut qualities = Vec::new();
        for part in files.chunks(50) {
            let request = self.client.list_episode_files().episode_file_ids(part.to_vec()).send();
            let rows = self.ask("list_episode_files", request).await?;
            qualities.extend(rows.into_iter().filter_map(|row| Some((row.id?, row.quality?))));
        }
        Ok(qualities)
    }
}
