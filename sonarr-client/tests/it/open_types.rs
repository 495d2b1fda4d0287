//! What this version does not know survives reading, changing and writing back.

use httpmock::{Method, MockServer};
use serde_json::{Value, json};
use sonarr_client::prelude::*;
use sonarr_client::types;

use crate::{answer, client};

/// Puts a member of a later version into every object, however deep.
fn with_new_members(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut members: serde_json::Map<_, _> =
                members.iter().map(|(name, value)| (name.clone(), with_new_members(value))).collect();
            members.insert("memberOfALaterVersion".to_owned(), json!({"deep": [null, {"a": null}, 1.5]}));
            Value::Object(members)
        }
        Value::Array(items) => items.iter().map(with_new_members).collect(),
        other => other.clone(),
    }
}

/// Fetches a resource, writes it back unchanged, and wants the very same JSON
/// on the wire and from the answer.
macro_rules! round_trip {
    ($path:literal, $get:ident, $update:ident, $base:expr) => {{
        let resource = with_new_members(&$base);
        let server = MockServer::start_async().await;
        let client = client(&server);
        let got = answer(&server, Method::GET, $path, 200, &resource).await;
        let put = server
            .mock_async(|when, then| {
                when.method(Method::PUT).path($path).json_body(resource.clone());
                then.status(202).json_body(resource.clone());
            })
            .await;
        let fetched = client.$get().id(1).send().await.unwrap_or_else(|e| panic!("{}: {e}", $path)).into_inner();
        assert_eq!(serde_json::to_value(&fetched).unwrap(), resource, "{}", $path);
        let written = client.$update().id(1).body(fetched.clone()).send().await;
        let written = written.unwrap_or_else(|e| panic!("{}: {e}", $path)).into_inner();
        assert_eq!(written, fetched, "{}", $path);
        got.assert_async().await;
        put.assert_async().await;
    }};
}

fn series() -> Value {
    json!({
        "title": "The Lantern Keepers",
        "sortTitle": null,
        "alternateTitles": [{"title": "Lanterns", "seasonNumber": -1, "sceneOrigin": null}],
        "status": "onHiatus",
        "seriesType": 42,
        "monitorNewItems": "sometimes",
        "images": [{"coverType": "hologram", "url": "/a.jpg"}, {"coverType": 17}],
        "originalLanguage": {"id": 1, "name": null},
        "seasons": [
            {"seasonNumber": 1, "monitored": true, "statistics": {"episodeCount": 3, "sizeOnDisk": null}, "images": null},
            {"seasonNumber": null},
        ],
        "ratings": {"votes": 10, "value": 7.5},
        "statistics": {"seasonCount": 1, "releaseGroups": ["A", "B"]},
        "addOptions": {"monitor": "someday", "searchForMissingEpisodes": null},
        "added": "0001-01-01T00:00:00Z",
        "tags": [1, 2],
        "tvdbId": 900001,
        "id": 1,
    })
}

fn fields() -> Value {
    json!([
        {"order": 0, "name": "url", "value": "http://example.org", "privacy": "topSecret"},
        {"order": 1, "name": "ids", "value": [5030, 5040], "privacy": 9},
        {"order": 2, "name": "headers", "value": [{"key": "X", "value": null}]},
        {"order": 3, "name": "nothing", "value": null},
        {"order": 4, "name": "ratio", "value": 1.5, "selectOptions": [{"value": 1, "name": null}]},
    ])
}

fn provider() -> Value {
    json!({
        "id": 1, "name": "A provider", "enable": true, "priority": 25, "protocol": "carrierPigeon",
        "implementation": "Thing", "configContract": "ThingSettings", "fields": fields(),
        "message": {"message": "Careful", "type": "shout"}, "presets": [{"name": "Preset", "fields": fields()}],
        "tags": [], "infoLink": null,
    })
}

fn episode_file() -> Value {
    json!({
        "id": 1, "seriesId": 1, "relativePath": "S01E01.mkv", "size": 9_007_199_254_740_993_i64, "releaseType": "half",
        "languages": [{"id": -2, "name": "Original"}, {"id": null}],
        "quality": {
            "quality": {"id": 3, "name": "WEBDL-1080p", "source": "smokeSignals", "resolution": 1080},
            "revision": {"version": 1, "real": null},
        },
        "customFormats": [{"id": 1, "name": "x", "specifications": null}],
        "mediaInfo": {"audioChannels": 5.1, "videoFps": 23.976, "subtitles": null},
        "indexerFlags": null,
    })
}

#[tokio::test]
async fn resources_go_back_as_they_came() {
    round_trip!("/api/v3/series/1", get_series, update_series, series());
    round_trip!(
        "/api/v3/episode/1",
        get_episode,
        update_episode,
        json!({
            "id": 1, "seriesId": 1, "title": null, "monitored": true, "series": series(), "episodeFile": episode_file(),
            "images": [{"coverType": "hologram"}], "airDateUtc": "2031-02-03T04:05:06Z", "finaleType": "cliffhanger",
        })
    );
    round_trip!("/api/v3/episodefile/1", get_episode_file, update_episode_file, episode_file());
    round_trip!("/api/v3/indexer/1", get_indexer, update_indexer, provider());
    round_trip!("/api/v3/downloadclient/1", get_download_client, update_download_client, provider());
    round_trip!("/api/v3/notification/1", get_notification, update_notification, provider());
    round_trip!(
        "/api/v3/importlist/1",
        get_import_list,
        update_import_list,
        with(
            provider(),
            json!({"shouldMonitor": "sometimes", "monitorNewItems": 8, "seriesType": "odd", "listType": 3})
        )
    );
    round_trip!("/api/v3/metadata/1", get_metadata_consumer, update_metadata_consumer, provider());
}

#[tokio::test]
async fn profiles_and_settings_go_back_as_they_came() {
    round_trip!(
        "/api/v3/qualityprofile/1",
        get_quality_profile,
        update_quality_profile,
        json!({
            "id": 1, "name": null, "cutoff": 3,
            "items": [
                {"quality": {"id": 0, "name": "Unknown", "source": 99}, "items": [], "allowed": false},
                {"id": 1000, "name": "Group", "items": [{"quality": {"id": 3, "source": "newSource"}, "items": null}]},
            ],
            "formatItems": [{"format": 1, "name": null, "score": 5}],
        })
    );
    round_trip!(
        "/api/v3/customformat/1",
        get_custom_format,
        update_custom_format,
        json!({
            "id": 1, "name": "x", "includeCustomFormatWhenRenaming": null,
            "specifications": [{"name": "s", "negate": false, "fields": fields(), "presets": [{"name": "p"}]}],
        })
    );
    round_trip!(
        "/api/v3/autotagging/1",
        get_auto_tagging_rule,
        update_auto_tagging_rule,
        json!({"id": 1, "name": "x", "tags": [1], "specifications": [{"name": "s", "fields": fields()}]})
    );
    round_trip!(
        "/api/v3/delayprofile/1",
        get_delay_profile,
        update_delay_profile,
        json!({"id": 1, "preferredProtocol": 12, "order": 2_147_483_647, "tags": null})
    );
    round_trip!(
        "/api/v3/releaseprofile/1",
        get_release_profile,
        update_release_profile,
        json!({"id": 1, "required": ["a"], "ignored": null, "excludedTags": [4]})
    );
    round_trip!(
        "/api/v3/qualitydefinition/1",
        get_quality_definition,
        update_quality_definition,
        json!({"id": 1, "title": "x", "quality": {"id": 1, "source": "newSource"}, "maxSize": null, "minSize": 1.5})
    );
    round_trip!(
        "/api/v3/customfilter/1",
        get_custom_filter,
        update_custom_filter,
        json!({"id": 1, "type": "series", "label": null, "filters": [{"key": "a", "value": [1, "b", null]}]})
    );
    round_trip!("/api/v3/tag/1", get_tag, update_tag, json!({"id": 1, "label": null}));
    round_trip!(
        "/api/v3/config/host/1",
        get_host_config_by_id,
        update_host_config,
        json!({
            "id": 1, "authenticationMethod": "retina", "authenticationRequired": 5, "updateMechanism": "carrierPigeon",
            "proxyType": "tor", "certificateValidation": 7, "bindAddress": null, "sslKeyPath": "",
        })
    );
    round_trip!(
        "/api/v3/config/naming/1",
        get_naming_config_by_id,
        update_naming_config,
        json!({"id": 1, "renameEpisodes": true, "colonReplacementFormat": 4, "seriesFolderFormat": null})
    );
}

fn with(mut base: Value, more: Value) -> Value {
    let (Some(base_members), Value::Object(more)) = (base.as_object_mut(), more) else { panic!("objects are wanted") };
    base_members.extend(more);
    base
}

#[tokio::test]
async fn a_change_leaves_the_unknown_alone() {
    let server = MockServer::start_async().await;
    let client = client(&server);
    let before = with_new_members(&series());
    let mut after = before.clone();
    after["monitored"] = json!(false);
    after["sortTitle"] = json!("lantern keepers");
    after["seasons"][0]["monitored"] = json!(false);
    answer(&server, Method::GET, "/api/v3/series/1", 200, &before).await;
    let put = server
        .mock_async(|when, then| {
            when.method(Method::PUT).path("/api/v3/series/1").json_body(after.clone());
            then.status(202).json_body(after.clone());
        })
        .await;

    let mut series = client.get_series().id(1).send().await.unwrap().into_inner();
    series.monitored = Some(false);
    // It came as null, which the new value replaces.
    series.sort_title = Some("lantern keepers".to_owned());
    series.seasons.as_mut().unwrap()[0].monitored = Some(false);
    client.update_series().id(1).body(series).send().await.unwrap();
    put.assert_async().await;
}

#[tokio::test]
async fn one_unknown_status_does_not_spoil_the_list() {
    let server = MockServer::start_async().await;
    let list = json!([{"id": 1, "status": "continuing"}, {"id": 2, "status": "paused"}, {"id": 3, "status": 9}]);
    answer(&server, Method::GET, "/api/v3/series", 200, &list).await;
    let series = client(&server).list_series().send().await.unwrap().into_inner();
    let statuses: Vec<_> = series.iter().map(|series| series.status.clone().unwrap()).collect();
    assert_eq!(
        statuses,
        [
            types::SeriesStatusType::Continuing,
            types::SeriesStatusType::Unrecognized("paused".to_owned()),
            types::SeriesStatusType::UnrecognizedNumber(9),
        ]
    );
}
