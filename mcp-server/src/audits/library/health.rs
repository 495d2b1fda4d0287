//! Indexers, and what the health checks say.

use sonarr_client::prelude::*;
use sonarr_client::types;

use super::Library;
use crate::failure::Failure;

impl Library<'_> {
    /// All indexers.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    pub async fn indexers(&self) -> Result<&[types::IndexerResource], Failure> {
        let load = self.ask("list_indexers", self.client.list_indexers().send());
        self.indexers.get(load).await.map(Vec::as_slice)
    }

    /// What the health checks found.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    pub async fn health(&self) -> Result<&[types::HealthResource], Failure> {
        self.health.get(self.ask("list_health", self.client.list_health().send())).await.map(Vec::as_slice)
    }
}
