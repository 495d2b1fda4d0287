//! What a single audit looks at: settings with their tags, disks and the week ahead. Read when asked for, and not kept.

use chrono::{DateTime, Utc};
use sonarr_client::prelude::*;
use sonarr_client::types;

use super::Library;
use crate::failure::Failure;

/// Settings that can be confined to series with certain tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scoped {
    /// Release profiles.
    ReleaseProfiles,
    /// Delay profiles.
    DelayProfiles,
    /// Indexers.
    Indexers,
    /// Notifications.
    Notifications,
    /// Download clients.
    DownloadClients,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// Its id.
    pub id: i32,
    /// Its name; delay profiles have none.
    pub name: Option<String>,
    /// The tags that it is confined to; none for every series.
    pub tags: Vec<i32>,
    /// Whether tags decide all that it does. A notification of Sonarr's health is sent whatever its tags are.
    pub confined: bool,
}

impl Library<'_> {
    /// All tags with what carries them.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    pub async fn tag_details(&self) -> Result<Vec<types::TagDetailsResource>, Failure> {
        self.tell("reading tags");
        self.ask("list_tag_details", self.client.list_tag_details().send()).await
    }

    /// All import lists.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    pub async fn import_lists(&self) -> Result<Vec<types::ImportListResource>, Failure> {
        self.ask("list_import_lists", self.client.list_import_lists().send()).await
    }

    /// What happens to series that fall off the import lists.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    pub async fn import_list_config(&self) -> Result<types::ImportListConfigResource, Failure> {
        self.ask("get_import_list_config", self.client.get_import_list_config().send()).await
    }

    /// All rules that tag series by themselves.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    pub async fn auto_tagging_rules(&self) -> Result<Vec<types::AutoTaggingResource>, Failure> {
        self.ask("list_auto_tagging_rules", self.client.list_auto_tagging_rules().send()).await
    }

    /// All settings of a kind that tags can confine.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    pub async fn scoped(&self, kind: Scoped) -> Result<Vec<Setting>, Failure> {
        let setting = |id: Option<i32>, name: Option<String>, tags: Option<Vec<i32>>, confined: bool| {
            Some(Setting { id: id?, name, tags: tags.unwrap_or_default(), confined })
        };
        let found = match kind {
            Scoped::ReleaseProfiles => {
                let rows = self.ask("list_release_profiles", self.client.list_release_profiles().send()).await?;
                rows.into_iter().filter_map(|row| setting(row.id, row.name, row.tags, true)).collect()
            }
            Scoped::DelayProfiles => {
                let rows = self.ask("list_delay_profiles", self.client.list_delay_profiles().send()).await?;
                rows.into_iter().filter_map(|row| setting(row.id, None, row.tags, true)).collect()
            }
            Scoped::Indexers => {
                let rows = self.ask("list_indexers", self.client.list_indexers().send()).await?;
                rows.into_iter().filter_map(|row| setting(row.id, row.name, row.tags, true)).collect()
            }
            Scoped::Notifications => {
                let rows = self.ask("list_notifications", self.client.list_notifications().send()).await?;
                let beyond_series = |row: &types::NotificationResource| {
                    [row.on_health_issue, row.on_health_restored, row.on_application_update].contains(&Some(true))
                };
                rows.into_iter()
                    .filter_map(|row| {
                        let confined = !beyond_series(&row);
                        setting(row.id, row.name, row.tags, confined)
                    })
                    .collect()
            }
            Scoped::DownloadClients => {
                let rows = self.ask("list_download_clients", self.client.list_download_clients().send()).await?;
                rows.into_iter().filter_map(|row| setting(row.id, row.name, row.tags, true)).collect()
            }
        };
        Ok(found)
    }

    /// The ids of the download clients that are switched off, and whether any is on.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    pub async fn clients_switched_off(&self) -> Result<(Vec<i32>, bool), Failure> {
        let rows = self.ask("list_download_clients", self.client.list_download_clients().send()).await?;
        let on = rows.iter().any(|row| row.enable == Some(true));
        Ok((rows.into_iter().filter(|row| row.enable == Some(false)).filter_map(|row| row.id).collect(), on))
    }

    /// The disks that Sonarr sees.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    pub async fn disk_space(&self) -> Result<Vec<types::DiskSpaceResource>, Failure> {
        self.ask("list_disk_space", self.client.list_disk_space().send()).await
    }

    /// The monitored episodes that air between two moments.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    pub async fn airing(
        &self,
        start: DateTime<Utc>,
        end: DateTime<Utc>,
    ) -> Result<Vec<types::EpisodeResource>, Failure> {
        self.tell("reading the calendar");
        let request = self.client.list_calendar().start(start).end(end);
        let request = request.unmonitored(false).include_series(false).include_episode_file(false);
        self.ask("list_calendar", request.send()).await
    }
}
