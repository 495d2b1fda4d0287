//! Names as Sonarr's formats make them.

use sonarr_client::prelude::*;
use sonarr_client::types;

use super::Library;
use crate::failure::Failure;

impl Library<'_> {
    /// What the folder of a series would be called by the format; Sonarr tells it of one series a request.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    pub async fn series_folder(&self, series: &types::SeriesResource) -> Result<String, Failure> {
        let request = self.client.get_series_folder().id(series.id.unwrap_or_default());
        let answer = self.ask("get_series_folder", request.send()).await?;
        Ok(answer.folder.unwrap_or_default())
    }
}
