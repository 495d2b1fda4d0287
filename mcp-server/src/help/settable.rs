//! What Sonarr takes from a body, by type and operation.
//!
//! The document uses one type for what is answered and what is sent, so that most of its members
//! mean nothing in a request: they are computed, or come from TheTVDB or the provider's template.

/// The members of a type that can be set, the most telling first. A type that is not here is taken
/// whole. `id` is left out where the path has it.
const TYPES: &[(&str, &[&str])] = &[
    // profiles_formats
    ("AutoTaggingResource", &["name", "tags", "removeTagsAutomatically", "specifications"]),
    ("AutoTaggingSpecificationSchema", SPECIFICATION),
    ("CustomFilterResource", &["type", "label", "filters"]),
    ("CustomFormatResource", &["name", "includeCustomFormatWhenRenaming", "specifications"]),
    ("CustomFormatSpecificationSchema", SPECIFICATION),
    (
        "DelayProfileResource",
        &[
            "enableUsenet",
            "enableTorrent",
            "preferredProtocol",
            "usenetDelay",
            "torrentDelay",
            "bypassIfHighestQuality",
            "bypassIfAboveCustomFormatScore",
            "minimumCustomFormatScore",
            "order",
            "tags",
        ],
    ),
    ("LanguageProfileResource", &["name", "upgradeAllowed", "cutoff", "languages"]),
    ("LanguageProfileItemResource", &["language", "allowed"]),
    (
        "QualityProfileResource",
        &[
            "name",
            "upgradeAllowed",
            "cutoff",
            "items",
            "formatItems",
            "minFormatScore",
            "cutoffFormatScore",
            "minUpgradeFormatScore",
        ],
    ),
    ("QualityProfileQualityItemResource", &["quality", "allowed", "id", "name", "items"]),
    ("ProfileFormatItemResource", &["format", "name", "score"]),
    ("ReleaseProfileResource", &["name", "enabled", "required", "ignored", "indexerId", "tags"]),
    // config
    (
        "DownloadClientConfigResource",
        &[
            "enableCompletedDownloadHandling",
            "autoRedownloadFailed",
            "autoRedownloadFailedFromInteractiveSearch",
            "downloadClientWorkingFolders",
        ],
    ),
    (
        "HostConfigResource",
        &[
            "bindAddress",
            "port",
            "urlBase",
            "enableSsl",
            "sslPort",
            "sslCertPath",
            "sslCertPassword",
            "instanceName",
            "applicationUrl",
            "authenticationMethod",
            "authenticationRequired",
            "username",
            "password",
            "passwordConfirmation",
            "trustCgnatIpAddresses",
            "certificateValidation",
            "proxyEnabled",
            "proxyType",
            "proxyHostname",
            "proxyPort",
            "proxyUsername",
            "proxyPassword",
            "proxyBypassFilter",
            "proxyBypassLocalAddresses",
            "logLevel",
            "logSizeLimit",
            "consoleLogLevel",
            "analyticsEnabled",
            "launchBrowser",
            "branch",
            "updateAutomatically",
            "updateMechanism",
            "updateScriptPath",
            "backupFolder",
            "backupInterval",
            "backupRetention",
        ],
    ),
    ("ImportListConfigResource", &["listSyncLevel", "listSyncTag"]),
    ("IndexerConfigResource", &["minimumAge", "retention", "maximumSize", "rssSyncInterval"]),
    (
        "MediaManagementConfigResource",
        &[
            "recycleBin",
            "recycleBinCleanupDays",
            "autoUnmonitorPreviouslyDownloadedEpisodes",
            "downloadPropersAndRepacks",
            "episodeTitleRequired",
            "copyUsingHardlinks",
            "skipFreeSpaceCheckWhenImporting",
            "minimumFreeSpaceWhenImporting",
            "importExtraFiles",
            "extraFileExtensions",
            "useScriptImport",
            "scriptImportPath",
            "createEmptySeriesFolders",
            "deleteEmptyFolders",
            "rescanAfterRefresh",
            "fileDate",
            "enableMediaInfo",
            "setPermissionsLinux",
            "chmodFolder",
            "chownGroup",
        ],
    ),
    (
        "NamingConfigResource",
        &[
            "renameEpisodes",
            "standardEpisodeFormat",
            "dailyEpisodeFormat",
            "animeEpisodeFormat",
            "seriesFolderFormat",
            "seasonFolderFormat",
            "specialsFolderFormat",
            "multiEpisodeStyle",
            "replaceIllegalCharacters",
            "colonReplacementFormat",
            "customColonReplacementFormat",
        ],
    ),
    (
        "UiConfigResource",
        &[
            "theme",
            "uiLanguage",
            "firstDayOfWeek",
            "calendarWeekColumnHeader",
            "shortDateFormat",
            "longDateFormat",
            "timeFormat",
            "showRelativeDates",
            "enableColorImpairedMode",
        ],
    ),
    // media_library
    (
        "SeriesResource",
        &[
            "tvdbId",
            "title",
            "qualityProfileId",
            "rootFolderPath",
            "path",
            "monitored",
            "monitorNewItems",
            "addOptions",
            "seasons",
            "seasonFolder",
            "seriesType",
            "tags",
        ],
    ),
    ("SeasonResource", &["seasonNumber", "monitored"]),
    ("EpisodeResource", &["monitored"]),
    (
        "EpisodeFileResource",
        &["id", "quality", "languages", "releaseGroup", "sceneName", "releaseType", "indexerFlags"],
    ),
    (
        "ManualImportReprocessResource",
        &[
            "path",
            "seriesId",
            "seasonNumber",
            "episodeIds",
            "quality",
            "languages",
            "releaseGroup",
            "releaseType",
            "indexerFlags",
            "downloadId",
        ],
    ),
    ("Quality", &["id", "name", "source", "resolution"]),
    ("Revision", &["version", "real", "isRepack"]),
    // providers
    ("Field", &["name", "value"]),
    (
        "DownloadClientResource",
        &[
            "name",
            "implementation",
            "configContract",
            "fields",
            "enable",
            "protocol",
            "priority",
            "removeCompletedDownloads",
            "removeFailedDownloads",
            "tags",
        ],
    ),
    (
        "ImportListResource",
        &[
            "name",
            "implementation",
            "configContract",
            "fields",
            "enableAutomaticAdd",
            "rootFolderPath",
            "qualityProfileId",
            "shouldMonitor",
            "monitorNewItems",
            "searchForMissingEpisodes",
            "seriesType",
            "seasonFolder",
            "tags",
        ],
    ),
    (
        "IndexerResource",
        &[
            "name",
            "implementation",
            "configContract",
            "fields",
            "enableRss",
            "enableAutomaticSearch",
            "enableInteractiveSearch",
            "priority",
            "downloadClientId",
            "seasonSearchMaximumSingleEpisodeAge",
            "tags",
        ],
    ),
    ("MetadataResource", &["name", "implementation", "configContract", "fields", "enable", "tags"]),
    (
        "NotificationResource",
        &[
            "name",
            "implementation",
            "configContract",
            "fields",
            "onGrab",
            "onDownload",
            "onUpgrade",
            "onImportComplete",
            "onRename",
            "onSeriesAdd",
            "onSeriesDelete",
            "onEpisodeFileDelete",
            "onEpisodeFileDeleteForUpgrade",
            "onHealthIssue",
            "includeHealthWarnings",
            "onHealthRestored",
            "onApplicationUpdate",
            "onManualInteractionRequired",
            "tags",
        ],
    ),
    ("ImportListExclusionResource", &["tvdbId", "title"]),
    ("RemotePathMappingResource", &["host", "remotePath", "localPath"]),
    // the rest
    ("RootFolderResource", &["path"]),
    ("TagResource", &["label"]),
];

/// A condition of a custom format or an auto tagging rule.
const SPECIFICATION: &[&str] = &["name", "implementation", "negate", "required", "fields"];

/// Where an operation takes less of a type than others do, or what the others do not.
const OPERATIONS: &[(&[&str], &str, &[&str])] = &[
    (
        &["update_series"],
        "SeriesResource",
        &[
            "tvdbId",
            "path",
            "rootFolderPath",
            "qualityProfileId",
            "monitored",
            "monitorNewItems",
            "seasons",
            "seasonFolder",
            "seriesType",
            "tags",
        ],
    ),
    (
        &["update_many_series"],
        "SeriesEditorResource",
        &[
            "seriesIds",
            "monitored",
            "monitorNewItems",
            "qualityProfileId",
            "seriesType",
            "seasonFolder",
            "rootFolderPath",
            "moveFiles",
            "tags",
            "applyTags",
        ],
    ),
    (&["delete_many_series"], "SeriesEditorResource", &["seriesIds", "deleteFiles", "addImportListExclusion"]),
    (&["update_episode_file"], "EpisodeFileResource", &["quality", "releaseGroup", "sceneName"]),
    (&["delete_episode_files"], "EpisodeFileListResource", &["episodeFileIds"]),
    (
        &["create_delay_profile"],
        "DelayProfileResource",
        &[
            "enableUsenet",
            "enableTorrent",
            "preferredProtocol",
            "usenetDelay",
            "torrentDelay",
            "bypassIfHighestQuality",
            "bypassIfAboveCustomFormatScore",
            "minimumCustomFormatScore",
            "tags",
        ],
    ),
    (
        &["update_quality_definition"],
        "QualityDefinitionResource",
        &["quality", "title", "weight", "minSize", "preferredSize", "maxSize"],
    ),
    (&["delete_custom_formats"], "CustomFormatBulkResource", &["ids"]),
    (&["delete_download_clients"], "DownloadClientBulkResource", &["ids"]),
    (&["delete_import_lists"], "ImportListBulkResource", &["ids"]),
    (&["delete_indexers"], "IndexerBulkResource", &["ids"]),
    (
        &["grab_release"],
        "ReleaseResource",
        &[
            "guid",
            "indexerId",
            "downloadClientId",
            "seriesId",
            "episodeId",
            "episodeIds",
            "quality",
            "languages",
            "shouldOverride",
        ],
    ),
    (
        &["push_release"],
        "ReleaseResource",
        &[
            "title",
            "downloadUrl",
            "magnetUrl",
            "protocol",
            "publishDate",
            "size",
            "indexer",
            "indexerId",
            "downloadClient",
            "downloadClientId",
            "tvdbId",
            "imdbId",
            "infoUrl",
            "commentUrl",
            "infoHash",
            "seeders",
            "leechers",
            "indexerFlags",
        ],
    ),
];

/// The members of `kind` that `operation` takes; none where it takes them all.
pub(super) fn members(operation: &str, kind: &str) -> Option<&'static [&'static str]> {
    OPERATIONS
        .iter()
        .find(|(operations, of, _)| *of == kind && operations.contains(&operation))
        .map(|(_, _, members)| *members)
        .or_else(|| TYPES.iter().find(|(of, _)| *of == kind).map(|(_, members)| *members))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use serde_json::Value;

    use super::super::schema::kind;
    use super::{OPERATIONS, TYPES};
    use crate::generated::GROUPS;

    /// The members of every type in the arguments of every operation: by operation, by type.
    fn known() -> BTreeMap<&'static str, BTreeMap<String, BTreeSet<String>>> {
        fn collect(schema: &Value, into: &mut BTreeMap<String, BTreeSet<String>>) {
            if let (Some(kind), Some(properties)) = (kind(schema), schema.get("properties").and_then(Value::as_object))
            {
                into.entry(kind.to_owned()).or_default().extend(properties.keys().cloned());
            }
            match schema {
                Value::Object(members) => members.values().for_each(|value| collect(value, into)),
                Value::Array(items) => items.iter().for_each(|value| collect(value, into)),
                _ => {}
            }
        }
        GROUPS
            .iter()
            .flat_map(|group| group.operations)
            .map(|operation| {
                let mut types = BTreeMap::new();
                collect(&(operation.arguments)().to_value(), &mut types);
                (operation.name, types)
            })
            .collect()
    }

    #[test]
    fn the_document_has_every_type_and_member_named_here() {
        let known = known();
        let mut all: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (kind, members) in known.values().flatten() {
            all.entry(kind).or_default().extend(members.iter().map(String::as_str));
        }
        for (kind, members) in TYPES {
            let real = all.get(kind).unwrap_or_else(|| panic!("no body has a {kind}"));
            for member in *members {
                assert!(real.contains(member), "{kind} has no {member}");
            }
        }
        for (operations, kind, members) in OPERATIONS {
            for operation in *operations {
                let types = known.get(operation).unwrap_or_else(|| panic!("no {operation}"));
                let real = types.get(*kind).unwrap_or_else(|| panic!("{operation}: no {kind}"));
                for member in *members {
                    assert!(real.contains(*member), "{operation}: {kind} has no {member}");
                }
            }
        }
    }
}
