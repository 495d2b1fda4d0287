//! The plain resources: rows that are listed, created, replaced and deleted in one way.

use serde_json::{Value, json};

use crate::http::Failure;
use crate::state::{Row, State, int, ints, text};

/// A plain resource.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resource {
    /// The path below `/api/v3`, which is the name of its table too.
    pub path: &'static str,
    /// The type of its rows.
    pub kind: &'static str,
    /// What exceptions call it.
    pub name: &'static str,
    /// Whether reading an unknown id is a 500 instead of a 404.
    pub unknown_is_500: bool,
}

const fn resource(path: &'static str, kind: &'static str, name: &'static str) -> Resource {
    Resource { path, kind, name, unknown_is_500: false }
}

/// Every plain resource, providers and settings included.
pub(crate) const RESOURCES: &[Resource] = &[
    Resource { unknown_is_500: true, ..resource("autotagging", "AutoTaggingResource", "AutoTag") },
    resource("customfilter", "CustomFilterResource", "CustomFilter"),
    Resource { unknown_is_500: true, ..resource("customformat", "CustomFormatResource", "CustomFormat") },
    resource("delayprofile", "DelayProfileResource", "DelayProfile"),
    resource("downloadclient", "DownloadClientResource", "DownloadClientDefinition"),
    resource("importlist", "ImportListResource", "ImportListDefinition"),
    resource("importlistexclusion", "ImportListExclusionResource", "ImportListExclusion"),
    resource("indexer", "IndexerResource", "IndexerDefinition"),
    resource("metadata", "MetadataResource", "MetadataDefinition"),
    resource("notification", "NotificationResource", "NotificationDefinition"),
    Resource {
        unknown_is_500: true,
        ..resource("qualitydefinition", "QualityDefinitionResource", "QualityDefinition")
    },
    resource("qualityprofile", "QualityProfileResource", "QualityProfile"),
    resource("releaseprofile", "ReleaseProfileResource", "ReleaseProfile"),
    resource("remotepathmapping", "RemotePathMappingResource", "RemotePathMapping"),
    resource("rootfolder", "RootFolderResource", "RootFolder"),
    resource("tag", "TagResource", "Tag"),
    resource("config/downloadclient", "DownloadClientConfigResource", "Config"),
    resource("config/host", "HostConfigResource", "Config"),
    resource("config/importlist", "ImportListConfigResource", "Config"),
    resource("config/indexer", "IndexerConfigResource", "Config"),
    resource("config/mediamanagement", "MediaManagementConfigResource", "Config"),
    resource("config/naming", "NamingConfigResource", "Config"),
    resource("config/ui", "UiConfigResource", "Config"),
];

/// A plain resource by its path.
pub(crate) fn by_path(path: &str) -> Option<&'static Resource> {
    RESOURCES.iter().find(|resource| resource.path == path)
}

impl State {
    /// Completes a row before it is stored; `id` is that of the row it replaces.
    pub(crate) fn complete(&mut self, path: &str, row: &mut Row, id: Option<i64>) {
        row.retain(|_, value| !value.is_null());
        match path {
            "tag" => {
                let label = text(row, "label").to_lowercase();
                row.insert("label".into(), label.into());
            }
            "delayprofile" if id.is_none() => {
                let others = self.table("delayprofile").rows().filter(|other| int(other, "id") != 1).count();
                row.insert("order".into(), (others + 1).into());
            }
            "customformat" | "autotagging" => crate::providers::complete_specifications(path, row),
            "qualityprofile" => self.complete_profile(row),
            _ => {}
        }
    }

    /// Format items carry the names of the formats they score.
    fn complete_profile(&self, row: &mut Row) {
        let Some(items) = row.get_mut("formatItems").and_then(Value::as_array_mut) else { return };
        for item in items.iter_mut().filter_map(Value::as_object_mut) {
            if let Some(format) = self.row("customformat", int(item, "format")) {
                item.insert("name".into(), text(format, "name").into());
            }
        }
    }

    /// What else changes once a row is stored.
    pub(crate) fn stored_row(&mut self, path: &str, id: i64) {
        if path != "customformat" {
            return;
        }
        let name = self.row(path, id).map(|row| text(row, "name").to_owned()).unwrap_or_default();
        for profile in self.table_mut("qualityprofile").rows_mut() {
            let items = profile.entry("formatItems").or_insert_with(|| json!([]));
            let Some(items) = items.as_array_mut() else { continue };
            match items.iter_mut().filter_map(Value::as_object_mut).find(|item| int(item, "format") == id) {
                Some(item) => {
                    item.insert("name".into(), name.as_str().into());
                }
                None => items.push(json!({"format": id, "name": name, "score": 0})),
            }
        }
    }

    /// Deletes a row as its resource does it: unknown ids are accepted by most.
    pub(crate) fn delete_row(&mut self, path: &'static str, id: i64) -> Result<(), Failure> {
        match path {
            "tag" => {
                let Some(tag) = self.row("tag", id) else { return Err(Failure::model("Tag", id)) };
                let label = text(tag, "label").to_owned();
                if self.tag_users(id).iter().any(|(_, users)| !users.is_empty()) {
                    return Err(Failure::Exception {
                        status: 409,
                        class: "NzbDrone.Core.Datastore.ModelConflictException",
                        message: format!("Tag with ID {id} '{label}' cannot be deleted since it's still in use"),
                    });
                }
            }
            "customformat" => {
                if !self.table(path).contains(id) {
                    return Err(Failure::model("CustomFormat", id));
                }
                for profile in self.table_mut("qualityprofile").rows_mut() {
                    if let Some(items) = profile.get_mut("formatItems").and_then(Value::as_array_mut) {
                        items.retain(|item| item.get("format").and_then(Value::as_i64) != Some(id));
                    }
                }
            }
            "delayprofile" if id == 1 => {
                return Err(Failure::NotAllowed("Cannot delete global delay profile".into()));
            }
            "qualityprofile" => {
                let by_series = self.library.iter().any(|(_, entry)| int(&entry.row, "qualityProfileId") == id);
                let by_list = self.table("importlist").rows().any(|list| int(list, "qualityProfileId") == id);
                if by_series || by_list {
                    let name = self.row(path, id).map(|row| text(row, "name").to_owned()).unwrap_or_default();
                    return Err(Failure::Exception {
                        status: 400,
                        class: "NzbDrone.Core.Profiles.Qualities.QualityProfileInUseException",
                        message: format!("QualityProfile [{name}] is in use."),
                    });
                }
            }
            _ => {}
        }
        self.table_mut(path).remove(id);
        if path == "delayprofile" {
            self.renumber_delay_profiles();
        }
        Ok(())
    }

    /// Gives the delay profiles but the default one the orders 1, 2, ….
    pub(crate) fn renumber_delay_profiles(&mut self) {
        let mut rows: Vec<(i64, i64)> = self
            .table("delayprofile")
            .rows()
            .filter(|row| int(row, "id") != 1)
            .map(|row| (int(row, "order"), int(row, "id")))
            .collect();
        rows.sort_unstable();
        for (order, (_, id)) in rows.into_iter().enumerate() {
            if let Some(row) = self.table_mut("delayprofile").get_mut(id) {
                row.insert("order".into(), (order + 1).into());
            }
        }
    }

    /// Everything that carries a tag, by the member names of the tag's details.
    pub(crate) fn tag_users(&self, tag: i64) -> Vec<(&'static str, Vec<i64>)> {
        let rows = |path: &str| -> Vec<i64> {
            self.table(path).rows().filter(|row| ints(row, "tags").contains(&tag)).map(|row| int(row, "id")).collect()
        };
        let tagged = self.library.iter().filter(|(_, entry)| ints(&entry.row, "tags").contains(&tag));
        let mut users = vec![
            ("delayProfileIds", rows("delayprofile")),
            ("importListIds", rows("importlist")),
            ("notificationIds", rows("notification")),
            ("restrictionIds", rows("releaseprofile")),
        ];
        if self.next_version {
            let excluded = self.table("releaseprofile").rows().filter(|row| ints(row, "excludedTags").contains(&tag));
            users.push(("excludedReleaseProfileIds", excluded.map(|row| int(row, "id")).collect()));
        }
        users.extend([
            ("indexerIds", rows("indexer")),
            ("downloadClientIds", rows("downloadclient")),
            ("autoTagIds", rows("autotagging")),
            ("seriesIds", tagged.map(|(id, _)| id).collect()),
        ]);
        users
    }
}
