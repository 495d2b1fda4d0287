//! Settings, profiles, tags and providers of a new library.

use serde_json::{Value, json};

use super::canary;
use crate::providers;
use crate::quality::{QUALITIES, profile_items, quality_json};
use crate::state::{Row, State, object};

/// Fills the tables. `port` is the one that the server listens on.
pub(super) fn build(state: &mut State, port: u16) {
    tags_and_folders(state);
    qualities(state);
    formats_and_profiles(state);
    config(state, port);
    provider_rows(state);
    small_resources(state);
}

fn insert(state: &mut State, path: &'static str, rows: &[Value]) {
    for row in rows {
        let row = object(row.clone());
        state.table_mut(path).insert(row);
    }
}

fn tags_and_folders(state: &mut State) {
    insert(
        state,
        "tag",
        &[
            json!({"label": "anime"}),
            json!({"label": "family"}),
            json!({"label": "archive"}),
            json!({"label": "kids-room"}),
            json!({"label": "unused"}),
        ],
    );
    insert(
        state,
        "rootfolder",
        &[json!({"path": "/media/tv"}), json!({"path": "/media/anime"}), json!({"path": "/mnt/offline"})],
    );
}

fn qualities(state: &mut State) {
    for quality in &QUALITIES {
        let mut row =
            object(json!({"quality": quality_json(quality.id), "title": quality.name, "weight": quality.weight}));
        quality.write_sizes(&mut row);
        state.table_mut("qualitydefinition").insert(row);
    }
}

fn condition(kind: &str, name: &str, value: Value, required: bool) -> Value {
    json!({"name": name, "implementation": kind, "negate": false, "required": required, "fields": [{"name": "value", "value": value}]})
}

fn formats_and_profiles(state: &mut State) {
    let formats = [
        json!({"name": "x265", "includeCustomFormatWhenRenaming": false, "specifications": [
            condition("ReleaseTitleSpecification", "codec", json!("[xh][ ._-]?265|HEVC"), true),
        ]}),
        json!({"name": "Repack or Proper", "includeCustomFormatWhenRenaming": true, "specifications": [
            condition("ReleaseTitleSpecification", "word", json!("\\b(REPACK|PROPER)\\b"), true),
        ]}),
        json!({"name": "Trusted Group", "includeCustomFormatWhenRenaming": false, "specifications": [
            condition("ReleaseGroupSpecification", "group", json!("^(NEST|TIDE|QUILL|LARCH|MOSS|EMBER)$"), false),
        ]}),
        json!({"name": "Freeleech", "includeCustomFormatWhenRenaming": false, "specifications": [
            condition("IndexerFlagSpecification", "flag", json!(1), true),
        ]}),
    ];
    for format in formats {
        let mut row = object(format);
        providers::complete_specifications("customformat", &mut row);
        state.table_mut("customformat").insert(row);
    }
    type Allowed = fn(&crate::quality::Quality) -> bool;
    let profiles: [(&str, i64, Allowed); 5] = [
        ("Any", 1002, |quality| quality.id != 0 && quality.id != 10),
        ("SD", 13, |quality| quality.resolution > 0 && quality.resolution < 720),
        ("HD-720p", 1001, |quality| quality.resolution == 720),
        ("HD-1080p", 1002, |quality| (720..=1080).contains(&quality.resolution) && quality.source != "televisionRaw"),
        ("Ultra-HD", 1003, |quality| quality.resolution >= 1080 && quality.source != "televisionRaw"),
    ];
    for (name, cutoff, allowed) in profiles {
        let scores = [("x265", -50), ("Repack or Proper", 5), ("Trusted Group", 25), ("Freeleech", 0)];
        let items: Vec<Value> = scores
            .iter()
            .zip(1..)
            .map(|((name, score), id)| json!({"format": id, "name": name, "score": score}))
            .collect();
        insert(
            state,
            "qualityprofile",
            &[json!({
                "name": name, "upgradeAllowed": true, "cutoff": cutoff, "items": profile_items(allowed),
                "minFormatScore": 0, "cutoffFormatScore": 100, "minUpgradeFormatScore": 1, "formatItems": items,
            })],
        );
    }
}

fn config(state: &mut State, port: u16) {
    let password = canary(state, "password-hash");
    let proxy = canary(state, "proxy-password");
    let certificate = canary(state, "certificate-password");
    let (api_key, url_base) = (state.api_key.clone(), state.url_base.clone());
    let rows = [
        (
            "config/downloadclient",
            json!({
                "downloadClientWorkingFolders": "_UNPACK_|_FAILED_", "enableCompletedDownloadHandling": true,
                "autoRedownloadFailed": true, "autoRedownloadFailedFromInteractiveSearch": true,
            }),
        ),
        (
            "config/host",
            json!({
                "bindAddress": "*", "port": port, "sslPort": 9898, "enableSsl": false, "launchBrowser": false,
                "authenticationMethod": "forms", "authenticationRequired": "enabled", "analyticsEnabled": false,
                "username": "keeper", "password": password, "passwordConfirmation": "", "logLevel": "info", "logSizeLimit": 1,
                "consoleLogLevel": "", "branch": "main", "apiKey": api_key, "sslCertPath": "", "sslCertPassword": certificate,
                "urlBase": url_base, "instanceName": "Sonarr", "applicationUrl": "", "updateAutomatically": false,
                "updateMechanism": "docker", "updateScriptPath": "", "proxyEnabled": false, "proxyType": "http",
                "proxyHostname": "", "proxyPort": 8080, "proxyUsername": "", "proxyPassword": proxy, "proxyBypassFilter": "",
                "proxyBypassLocalAddresses": true, "certificateValidation": "enabled", "backupFolder": "Backups",
                "backupInterval": 7, "backupRetention": 28, "trustCgnatIpAddresses": false,
            }),
        ),
        ("config/importlist", json!({"listSyncLevel": "disabled", "listSyncTag": 0})),
        ("config/indexer", json!({"minimumAge": 0, "retention": 0, "maximumSize": 0, "rssSyncInterval": 15})),
        (
            "config/mediamanagement",
            json!({
                "autoUnmonitorPreviouslyDownloadedEpisodes": false, "recycleBin": "/media/recycle", "recycleBinCleanupDays": 7,
                "downloadPropersAndRepacks": "preferAndUpgrade", "createEmptySeriesFolders": false, "deleteEmptyFolders": true,
                "fileDate": "none", "rescanAfterRefresh": "always", "setPermissionsLinux": false, "chmodFolder": "755",
                "chownGroup": "", "episodeTitleRequired": "always", "skipFreeSpaceCheckWhenImporting": false,
                "minimumFreeSpaceWhenImporting": 100, "copyUsingHardlinks": true, "useScriptImport": false,
                "scriptImportPath": "", "importExtraFiles": true, "extraFileExtensions": "srt", "enableMediaInfo": true,
            }),
        ),
        (
            "config/naming",
            json!({
                "renameEpisodes": true, "replaceIllegalCharacters": true, "colonReplacementFormat": 4,
                "customColonReplacementFormat": "", "multiEpisodeStyle": 5,
                "standardEpisodeFormat": crate::naming::STANDARD,
                "dailyEpisodeFormat": "{Series Title} - {Air-Date} - {Episode Title} {Quality Full}",
                "animeEpisodeFormat": "{Series Title} - S{season:00}E{episode:00} - {absolute:000} - {Episode Title} {Quality Full}",
                "seriesFolderFormat": "{Series TitleYear}", "seasonFolderFormat": "Season {season:00}",
                "specialsFolderFormat": "Specials",
            }),
        ),
        (
            "config/ui",
            json!({
                "firstDayOfWeek": 1, "calendarWeekColumnHeader": "ddd D/M", "shortDateFormat": "D MMM YYYY",
                "longDateFormat": "dddd, D MMMM YYYY", "timeFormat": "HH:mm", "showRelativeDates": true,
                "enableColorImpairedMode": false, "theme": "auto", "uiLanguage": 1,
            }),
        ),
    ];
    for (path, row) in rows {
        insert(state, path, &[row]);
    }
}

/// A provider of that kind: its template, members that differ, and values of fields.
fn provider(state: &mut State, path: &'static str, kind: &str, members: Value, fields: &[(&str, Value)]) {
    let Some(implementation) = providers::implementation(path, kind) else { return };
    let mut row: Row = implementation.template();
    row.extend(object(members));
    if let Some(stored) = row.get_mut("fields").and_then(Value::as_array_mut) {
        for field in stored.iter_mut().filter_map(Value::as_object_mut) {
            let name = field.get("name").and_then(Value::as_str).unwrap_or_default();
            if let Some((_, value)) = fields.iter().find(|(known, _)| *known == name) {
                field.insert("value".into(), value.clone());
            }
        }
    }
    let tags = row.shift_remove("tags").unwrap_or_default();
    row.insert("tags".into(), tags);
    state.table_mut(path).insert(row);
}

fn provider_rows(state: &mut State) {
    let key = canary(state, "indexer-key");
    provider(
        state,
        "indexer",
        "Newznab",
        json!({"name": "Meadow Index"}),
        &[("baseUrl", json!("https://meadow.example")), ("apiKey", json!(key))],
    );
    let key = canary(state, "torznab-key");
    provider(
        state,
        "indexer",
        "Torznab",
        json!({"name": "Gull Tracker (Proxy)", "priority": 20, "tags": [2]}),
        &[
            ("baseUrl", json!("http://proxy.example:9696/1/")),
            ("apiKey", json!(key)),
            ("seedCriteria.seedRatio", json!(1.5)),
            ("minimumSeeders", json!(2)),
        ],
    );
    provider(
        state,
        "indexer",
        "Nyaa",
        json!({"name": "Lantern Anime", "tags": [1]}),
        &[("baseUrl", json!("https://lantern.unreachable.example"))],
    );

    let (key, password) = (canary(state, "usenet-client-key"), canary(state, "usenet-client-password"));
    provider(
        state,
        "downloadclient",
        "Sabnzbd",
        json!({"name": "Usenet Box"}),
        &[
            ("host", json!("usenet.example")),
            ("apiKey", json!(key)),
            ("username", json!("keeper")),
            ("password", json!(password)),
        ],
    );
    let password = canary(state, "torrent-client-password");
    provider(
        state,
        "downloadclient",
        "QBittorrent",
        json!({"name": "Torrent Box", "priority": 2}),
        &[
            ("host", json!("torrent.example")),
            ("username", json!("keeper")),
            ("password", json!(password)),
            ("tvImportedCategory", json!("tv-done")),
        ],
    );

    let token = canary(state, "list-token");
    let refresh = canary(state, "list-refresh-token");
    provider(
        state,
        "importlist",
        "TraktPopularImport",
        json!({"name": "Popular Shows", "enableAutomaticAdd": false, "shouldMonitor": "all", "rootFolderPath": "/media/tv", "qualityProfileId": 4, "seasonFolder": true, "tags": [3]}),
        &[
            ("accessToken", json!(token)),
            ("refreshToken", json!(refresh)),
            ("expires", json!("2027-01-01T00:00:00Z")),
            ("authUser", json!("keeper")),
        ],
    );
    let key = canary(state, "other-sonarr-key");
    provider(
        state,
        "importlist",
        "SonarrImport",
        json!({"name": "The Attic's Sonarr", "shouldMonitor": "future", "rootFolderPath": "/media/tv", "qualityProfileId": 1, "seasonFolder": true}),
        &[("baseUrl", json!("http://attic.example:8989")), ("apiKey", json!(key))],
    );

    let url = format!("https://hooks.example/discord/{}", canary(state, "discord-webhook"));
    provider(
        state,
        "notification",
        "Discord",
        json!({"name": "House Chat", "onGrab": true, "onDownload": true, "onUpgrade": true, "onHealthIssue": true, "tags": [2]}),
        &[("webHookUrl", json!(url))],
    );
    let (password, token) = (canary(state, "webhook-password"), canary(state, "webhook-header"));
    let url = format!("https://automation.example/hook/{}", canary(state, "webhook-url"));
    provider(
        state,
        "notification",
        "Webhook",
        json!({"name": "Home Automation", "onImportComplete": true, "onSeriesAdd": true}),
        &[
            ("url", json!(url)),
            ("username", json!("sonarr")),
            ("password", json!(password)),
            ("headers", json!([{"key": "X-Token", "value": token}])),
        ],
    );
    let password = canary(state, "mail-password");
    provider(
        state,
        "notification",
        "Email",
        json!({"name": "Weekly Mail", "onSeriesDelete": true}),
        &[
            ("server", json!("mail.example")),
            ("username", json!("sonarr@mail.example")),
            ("password", json!(password)),
            ("from", json!("sonarr@mail.example")),
            ("to", json!(["family@mail.example"])),
        ],
    );

    provider(state, "metadata", "XbmcMetadata", json!({"name": "Kodi (XBMC) / Emby", "enable": true}), &[]);
    provider(state, "metadata", "PlexMetadata", json!({"name": "Plex"}), &[]);
    provider(state, "metadata", "RoksboxMetadata", json!({"name": "Roksbox"}), &[]);
}

fn small_resources(state: &mut State) {
    insert(
        state,
        "delayprofile",
        &[
            json!({"enableUsenet": true, "enableTorrent": true, "preferredProtocol": "usenet", "usenetDelay": 0, "torrentDelay": 60, "bypassIfHighestQuality": true, "bypassIfAboveCustomFormatScore": false, "minimumCustomFormatScore": 0, "order": 2_147_483_647, "tags": []}),
            json!({"enableUsenet": false, "enableTorrent": true, "preferredProtocol": "torrent", "usenetDelay": 0, "torrentDelay": 120, "bypassIfHighestQuality": false, "bypassIfAboveCustomFormatScore": true, "minimumCustomFormatScore": 50, "order": 1, "tags": [1]}),
            json!({"enableUsenet": true, "enableTorrent": true, "preferredProtocol": "usenet", "usenetDelay": 15, "torrentDelay": 30, "bypassIfHighestQuality": false, "bypassIfAboveCustomFormatScore": false, "minimumCustomFormatScore": 0, "order": 2, "tags": [2]}),
        ],
    );
    insert(
        state,
        "releaseprofile",
        &[
            json!({"name": "No cam rips", "enabled": true, "required": [], "ignored": ["CAM", "TELESYNC"], "indexerId": 0, "tags": []}),
            json!({"name": "Family only dubbed", "enabled": false, "required": ["DUBBED"], "ignored": [], "indexerId": 1, "tags": [2]}),
        ],
    );
    insert(
        state,
        "remotepathmapping",
        &[json!({"host": "usenet.example", "remotePath": "/complete/", "localPath": "/downloads/"})],
    );
    insert(
        state,
        "customfilter",
        &[
            json!({"type": "series", "label": "Over but incomplete", "filters": [{"key": "status", "value": ["ended"], "type": "equal"}, {"key": "sizeOnDisk", "value": 1_000_000_000_i64, "type": "greaterThan"}]}),
            json!({"type": "queue", "label": "Stuck", "filters": [{"key": "status", "value": ["warning", "failed"], "type": "equal"}]}),
        ],
    );
    insert(
        state,
        "importlistexclusion",
        &[
            json!({"tvdbId": 9_950_001, "title": "Never Again in Tolland"}),
            json!({"tvdbId": 9_950_002, "title": "The Beige Hour"}),
        ],
    );
    let mut rule =
        object(json!({"name": "Anime by folder", "removeTagsAutomatically": false, "tags": [1], "specifications": [
            condition("RootFolderSpecification", "in the anime folder", json!("/media/anime"), true),
        ]}));
    providers::complete_specifications("autotagging", &mut rule);
    state.table_mut("autotagging").insert(rule);
    let mut rule =
        object(json!({"name": "Family drama", "removeTagsAutomatically": true, "tags": [2], "specifications": [
            condition("GenreSpecification", "is a drama", json!(["Drama"]), true),
        ]}));
    providers::complete_specifications("autotagging", &mut rule);
    state.table_mut("autotagging").insert(rule);
}
