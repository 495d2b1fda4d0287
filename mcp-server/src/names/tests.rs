use std::sync::Mutex;

use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::{Map, Value, json};

use super::{NewTags, resolve};
use crate::failure::{Code, Failure};
use crate::generated::GROUPS;
use crate::operation::Operation;
use crate::write::Reader;

/// A small library, and what was read of it.
#[derive(Default)]
struct Library(Mutex<Vec<String>>);

impl Library {
    fn reads(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

fn series(id: i64, title: &str, year: i64, tvdb: i64) -> Value {
    json!({"id": id, "title": title, "year": year, "tvdbId": tvdb, "titleSlug": title.to_lowercase().replace(' ', "-")})
}

fn all_series() -> Vec<Value> {
    let mut first = series(1, "Harbour Lights", 2019, 501);
    first["alternateTitles"] = json!([{"title": "Hafenlichter"}]);
    vec![
        first,
        series(2, "Twin Peaches", 1990, 502),
        series(3, "Twin Peaches", 2017, 503),
        series(4, "1234", 2001, 504),
        series(5, "7", 2002, 505),
        series(6, "Café Müller", 2020, 506),
        series(7, "Grey & Sons (2021)", 2021, 507),
    ]
}

impl Reader for Library {
    fn read<'a>(
        &'a self,
        operation: &'static str,
        arguments: Map<String, Value>,
    ) -> BoxFuture<'a, Result<Value, Failure>> {
        self.0.lock().unwrap().push(operation.to_owned());
        let answer = match operation {
            "list_series" => match arguments.get("tvdbId") {
                Some(tvdb) => all_series().into_iter().filter(|it| it["tvdbId"] == *tvdb).collect(),
                None => Value::from(all_series()),
            },
            "list_episodes" => {
                assert!(arguments["seriesId"].is_i64(), "{arguments:?}");
                let base = arguments["seriesId"].as_i64().unwrap() * 100;
                (1..=3).map(|n| json!({"id": base + n, "seasonNumber": 1, "episodeNumber": n})).collect()
            }
            "list_quality_profiles" => json!([{"id": 1, "name": "Any"}, {"id": 4, "name": "HD-1080p"}]),
            "list_tags" => json!([{"id": 1, "label": "kids"}, {"id": 2, "label": "2019"}]),
            "list_root_folders" => json!([{"id": 1, "path": "/data/tv"}, {"id": 2, "path": "D:\\Anime\\"}]),
            "list_custom_formats" => json!([{"id": 9, "name": "HDR"}]),
            "list_languages" => json!([{"id": 1, "name": "English"}, {"id": 4, "name": "German"}]),
            "list_indexers" => json!([{"id": 3, "name": "My Indexer"}]),
            "list_download_clients" => json!([{"id": 2, "name": "Box"}]),
            "list_import_lists" => json!([{"id": 6, "name": "Watchlist"}]),
            other => panic!("{other} was read"),
        };
        async move { Ok(answer) }.boxed()
    }
}

fn operation(name: &str) -> &'static Operation {
    GROUPS.iter().flat_map(|group| group.operations).find(|it| it.name == name).unwrap()
}

async fn resolved(name: &str, arguments: Value) -> Result<(Value, NewTags), Failure> {
    let arguments = arguments.as_object().unwrap().clone();
    let (arguments, new) = resolve(&Library::default(), operation(name), arguments).await?;
    Ok((Value::Object(arguments), new))
}

#[tokio::test]
async fn names_become_ids_wherever_an_id_is_due() {
    for (name, given, due) in [
        ("get_series", json!({"id": "harbour lights"}), json!({"id": 1})),
        ("get_series", json!({"id": "Hafenlichter"}), json!({"id": 1})),
        ("get_series", json!({"id": "Twin Peaches (2017)"}), json!({"id": 3})),
        ("get_series", json!({"id": "tvdb:502"}), json!({"id": 2})),
        ("get_series", json!({"id": "cafe muller"}), json!({"id": 6})),
        ("get_series", json!({"id": "Grey and Sons"}), json!({"id": "Grey and Sons"})),
        ("get_series", json!({"id": "Grey and Sons (2021)"}), json!({"id": 7})),
        ("get_series", json!({"id": "1234"}), json!({"id": 4})),
        ("get_series", json!({"id": "6"}), json!({"id": 6})),
        ("delete_series", json!({"id": "Harbour Lights", "deleteFiles": true}), json!({"id": 1, "deleteFiles": true})),
        ("list_episodes", json!({"series_id": "Harbour Lights"}), json!({"series_id": 1})),
        ("list_queue", json!({"seriesIds": ["Harbour Lights", 2]}), json!({"seriesIds": [1, 2]})),
        ("list_queue", json!({"languages": ["german", 1]}), json!({"languages": [4, 1]})),
        ("get_episode", json!({"id": "S01E02", "seriesId": "tvdb:503"}), json!({"id": 302})),
        ("get_episode", json!({"id": "Harbour Lights S01E03"}), json!({"id": 103})),
        ("search_releases", json!({"episodeId": "1x02", "seriesId": 2}), json!({"episodeId": 202, "seriesId": 2})),
        (
            "update_series",
            json!({"id": "Harbour Lights", "patch": {"qualityProfileId": "hd 1080p", "tags": ["kids", 7], "title": "1234"}}),
            json!({"id": 1, "patch": {"qualityProfileId": 4, "tags": [1, 7], "title": "1234"}}),
        ),
        (
            "update_many_series",
            json!({"body": "{\"seriesIds\": [\"Harbour Lights\"], \"rootFolderPath\": \"anime\"}"}),
            json!({"body": {"seriesIds": [1], "rootFolderPath": "D:\\Anime\\"}}),
        ),
        (
            "set_episodes_monitored",
            json!({"body": {"seriesId": "Harbour Lights", "episodeIds": ["S01E01", 9], "monitored": true}}),
            json!({"body": {"episodeIds": [101, 9], "monitored": true}}),
        ),
        (
            "run_command",
            json!({"body": {"name": "EpisodeSearch", "episodeIds": ["S01E01"], "seriesId": "tvdb:501"}}),
            json!({"body": {"name": "EpisodeSearch", "episodeIds": [101]}}),
        ),
        (
            "run_command",
            json!({"body": {"name": "importlistsync", "definition_id": "watchlist"}}),
            json!({"body": {"name": "importlistsync", "definition_id": 6}}),
        ),
        (
            "update_quality_profile",
            json!({"id": "Any", "patch": {"formatItems": [{"format": "hdr", "score": 5}]}}),
            json!({"id": 1, "patch": {"formatItems": [{"format": 9, "score": 5}]}}),
        ),
        ("update_indexers", json!({"body": {"ids": ["my indexer"]}}), json!({"body": {"ids": [3]}})),
        ("get_download_client", json!({"id": "box"}), json!({"id": 2})),
        ("delete_root_folder", json!({"id": "TV"}), json!({"id": 1})),
    ] {
        match resolved(name, given.clone()).await {
            Ok((found, new)) => assert_eq!((found, new.is_empty()), (due, true), "{name} {given}"),
            Err(failure) => assert_eq!(given, due, "{failure}"),
        }
    }
}

#[tokio::test]
async fn ids_and_texts_that_are_none_cost_nothing() {
    for (name, given) in [
        ("get_series", json!({"id": 4})),
        ("list_queue", json!({"seriesIds": [1, 2], "page": 2})),
        ("update_series", json!({"id": 1, "patch": {"title": "Harbour Lights", "tags": [1], "path": "/tv/x"}})),
        ("add_series", json!({"body": {"rootFolderPath": "/data/tv", "qualityProfileId": 1, "title": "7"}})),
        ("run_command", json!({"body": {"name": "DownloadedEpisodesScan", "path": "/x", "downloadClientId": "ABC"}})),
        ("get_localization_by_id", json!({"id": 1})),
        ("list_history", json!({})),
        ("create_tag", json!({"body": {"label": "kids"}})),
    ] {
        let operation = operation(name);
        let library = Library::default();
        let (found, _) = resolve(&library, operation, given.as_object().unwrap().clone()).await.unwrap();
        assert_eq!((Value::Object(found), library.reads()), (given, Vec::new()), "{name}");
    }
}

#[tokio::test]
async fn a_list_is_read_once() {
    let library = Library::default();
    let arguments = json!({"seriesIds": ["tvdb:501", "Harbour Lights", "1234", "cafe muller"]});
    resolve(&library, operation("list_queue"), arguments.as_object().unwrap().clone()).await.unwrap();
    assert_eq!(library.reads(), ["list_series", "list_series"]);
}

#[tokio::test]
async fn what_is_not_plain_lists_the_candidates() {
    for (name, given, path, says, accepted) in [
        (
            "get_series",
            json!({"id": "twin peaches"}),
            "arguments.id",
            "more than one series",
            "3 (Twin Peaches (2017))",
        ),
        // Both a title and another's id.
        ("get_series", json!({"id": "7"}), "arguments.id", "more than one series", "5 (7 (2002))"),
        ("get_series", json!({"id": "Harbor Light"}), "arguments.id", "no series", "1 (Harbour Lights (2019))"),
        ("get_series", json!({"id": "tvdb:9"}), "arguments.id", "TheTVDB id 9", ""),
        (
            "list_queue",
            json!({"seriesIds": [1, "Nope"]}),
            "arguments.seriesIds[1]",
            "no series",
            "2 (Twin Peaches (1990))",
        ),
        (
            "update_series",
            json!({"id": 1, "patch": {"qualityProfileId": "4K"}}),
            "arguments.patch.qualityProfileId",
            "no quality profile",
            "4 (HD-1080p)",
        ),
        (
            "update_series",
            json!({"id": 1, "patch": {"tags": ["adults"]}}),
            "arguments.patch.tags[0]",
            "`+adults` creates",
            "1 (kids)",
        ),
        (
            "update_series",
            json!({"id": 1, "patch": {"tags": ["+ä b"]}}),
            "arguments.patch.tags[0]",
            "cannot be a tag",
            "",
        ),
        (
            "add_series",
            json!({"body": {"rootFolderPath": "movies"}}),
            "arguments.body.rootFolderPath",
            "no root folder",
            "/data/tv",
        ),
        ("get_episode", json!({"id": "S01E02"}), "arguments.id", "of which series", ""),
        ("get_episode", json!({"id": "the pilot"}), "arguments.id", "S01E02", ""),
        ("get_episode", json!({"id": "S01E09", "seriesId": 1}), "arguments.id", "episodes 1 to 3", ""),
        ("get_episode", json!({"id": "S08E01", "seriesId": 1}), "arguments.id", "no episodes of season 8", ""),
    ] {
        let failure = resolved(name, given.clone()).await.unwrap_err();
        assert_eq!((failure.code, failure.path.as_deref()), (Code::InvalidArguments, Some(path)), "{failure}");
        assert!(failure.message.contains(says), "{failure}");
        assert!(accepted.is_empty() || failure.accepted.iter().any(|one| one == accepted), "{failure}");
    }
}

#[test]
fn what_takes_a_name_is_known_beforehand() {
    for (name, parameter, due) in [
        ("get_series", "id", true),
        ("get_episode", "id", true),
        ("list_episodes", "seriesId", true),
        ("delete_tag", "id", true),
        ("get_command", "id", false),
        ("get_calendar_episode", "id", false),
        ("delete_episode_file", "id", false),
        ("get_indexer_config_by_id", "id", false),
        ("list_episodes", "seasonNumber", false),
    ] {
        let operation = operation(name);
        let parameter = operation.parameters.iter().find(|it| it.name == parameter).unwrap();
        assert_eq!(super::takes_name(operation, parameter), due, "{name}");
    }
}

#[tokio::test]
async fn a_tag_is_created_only_when_asked() {
    let (found, new) =
        resolved("update_series", json!({"id": 1, "patch": {"tags": ["kids", "+Adults", "+kids"]}})).await.unwrap();
    assert_eq!(found["patch"]["tags"], json!([1, -1, 1]));
    assert_eq!(new.labels(), ["adults"]);
}
