//! Profiles, formats, folders and tags: few objects, each kind read whole.

use sonarr_client::prelude::*;
use sonarr_client::types;

use super::Library;
use crate::failure::Failure;

impl Library<'_> {
    /// All quality profiles.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    pub async fn quality_profiles(&self) -> Result<&[types::QualityProfileResource], Failure> {
        let load = self.ask("list_quality_profiles", self.client.list_quality_profiles().send());
        self.quality_profiles.get(load).await.map(Vec::as_slice)
    }

    /// All custom formats.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    pub async fn custom_formats(&self) -> Result<&[types::CustomFormatResource], Failure> {
        let load = self.ask("list_custom_formats", self.client.list_custom_formats().send());
        self.custom_formats.get(load).await.map(Vec::as_slice)
    }

    /// All root folders, with their free space and the folders below them that belong to no series.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    pub async fn root_folders(&self) -> Result<&[types::RootFolderResource], Failure> {
        let load = async {
            self.tell("reading root folders");
            self.ask("list_root_folders", self.client.list_root_folders().send()).await
        };
        self.root_folders.get(load).await.map(Vec::as_slice)
    }

    /// All tags.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    pub async fn tags(&self) -> Result<&[types::TagResource], Failure> {
        let load = self.ask("list_tags", self.client.list_tags().send());
        self.tags.get(load).await.map(Vec::as_slice)
    }

    /// How files and folders are named.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    pub async fn naming(&self) -> Result<&types::NamingConfigResource, Failure> {
        self.naming.get(self.ask("get_naming_config", self.client.get_naming_config().send())).await
    }
}
