//! The examples of the help, sent to an embedded Sonarr: each works.

use embedded_sonarr::{Clock, EmbeddedSonarr, Options};
use serde_json::{Map, Value, json};
use sonarr_mcp::answer::Answer;
use sonarr_mcp::config::{ApiKey, Target};
use sonarr_mcp::connection::Connection;
use sonarr_mcp::dispatch::Dispatcher;
use sonarr_mcp::failure::Failure;
use sonarr_mcp::generated::GROUPS;
use sonarr_mcp::operation::{Group, Operation};

/// Operations that find something only once another has been called, with that one.
const AFTER: &[(&str, &str, &str)] = &[
    ("get_command", "system_commands", "run_command"),
    ("cancel_command", "system_commands", "run_command"),
    ("grab_release", "release_search", "search_releases"),
];

/// Operations on a backup: its id is made of its name, which has the version in it.
const OF_BACKUPS: [&str; 2] = ["delete_backup", "restore_backup"];

struct Fresh {
    dispatcher: Dispatcher,
    _sonarr: EmbeddedSonarr,
}

impl Fresh {
    async fn start() -> Self {
        Self::of_version(false).await
    }

    async fn of_version(next_version: bool) -> Self {
        let options = Options { next_version, clock: Clock::fixed(), ..Options::default() };
        let sonarr = EmbeddedSonarr::start(options).await.unwrap();
        let target = Target { url: Some(sonarr.url()), api_key: ApiKey::new(sonarr.api_key()), ..Target::default() };
        Fresh { dispatcher: Dispatcher::new(GROUPS, Connection::new(target), false), _sonarr: sonarr }
    }

    async fn call(&self, tool: &str, call: Value) -> Result<Answer, Failure> {
        let Value::Object(call) = call else { panic!("a call is an object") };
        self.dispatcher.call(tool, call).await
    }

    /// The example, as the help tells it.
    async fn example(&self, tool: &str, operation: &str) -> Value {
        let call = json!({"operation": "help", "arguments": {"operation": operation}});
        let help = self.call(tool, call).await.unwrap().structured().unwrap();
        help["example"].clone()
    }

    /// Sends the example, and consents where that is needed.
    async fn send(&self, group: &Group, operation: &str) -> Result<Answer, Failure> {
        let mut call = self.example(group.name, operation).await;
        if OF_BACKUPS.contains(&operation) {
            let list = json!({"operation": "list_backups", "query": "[*].id"});
            let ids = self.call(group.name, list).await?.structured().unwrap();
            let ids = ids["result"].as_array().unwrap().clone();
            if !ids.contains(&call["arguments"]["id"]) {
                call["arguments"]["id"] = ids[0].clone();
            }
        }
        let answer = self.call(group.name, call.clone()).await?;
        let shown = answer.structured().unwrap_or_default();
        match shown.pointer("/result/confirm") {
            Some(confirm) => {
                call["confirm"] = confirm.clone();
                self.call(group.name, call).await
            }
            None => Ok(answer),
        }
    }
}

fn group(name: &str) -> &'static Group {
    GROUPS.iter().find(|group| group.name == name).unwrap()
}

/// Why the example failed, if it did.
async fn failure(sonarr: &Fresh, of: &'static Group, operation: &Operation) -> Option<String> {
    for (_, group_name, first) in AFTER.iter().filter(|(then, ..)| *then == operation.name) {
        if let Err(failure) = sonarr.send(group(group_name), first).await {
            return Some(format!("{} before {}: {failure}", first, operation.name));
        }
    }
    let answer = sonarr.send(of, operation.name).await;
    answer.err().map(|failure| format!("{}: {failure}", operation.name))
}

/// Sends the example of every read, to one server.
async fn reads_work(next_version: bool) {
    let sonarr = Fresh::of_version(next_version).await;
    let mut failed = Vec::new();
    let mut count = 0;
    for group in GROUPS {
        for operation in group.operations.iter().filter(|operation| !operation.effect.writes()) {
            count += 1;
            failed.extend(failure(&sonarr, group, operation).await);
        }
    }
    assert!(failed.is_empty(), "{} of {count}:\n{}", failed.len(), failed.join("\n"));
}

#[tokio::test]
async fn every_example_of_a_read_works() {
    reads_work(false).await;
}

#[tokio::test]
async fn every_example_of_a_read_works_on_a_coming_version() {
    reads_work(true).await;
}

/// Sends the example of every write, each to a fresh server.
async fn writes_work(next_version: bool) {
    let mut failed = Vec::new();
    let mut count = 0;
    for group in GROUPS {
        for operation in group.operations.iter().filter(|operation| operation.effect.writes()) {
            count += 1;
            let sonarr = Fresh::of_version(next_version).await;
            failed.extend(failure(&sonarr, group, operation).await);
        }
    }
    assert!(failed.is_empty(), "{} of {count}:\n{}", failed.len(), failed.join("\n"));
}

#[tokio::test]
async fn every_example_of_a_write_works_on_a_fresh_library() {
    writes_work(false).await;
}

#[tokio::test]
async fn every_example_of_a_write_works_on_a_coming_version() {
    writes_work(true).await;
}

#[tokio::test]
async fn the_examples_are_of_all_operations() {
    let sonarr = Fresh::start().await;
    let mut examples = 0;
    for group in GROUPS {
        for operation in group.operations {
            let example = sonarr.example(group.name, operation.name).await;
            assert_eq!(example["operation"], operation.name);
            examples += 1;
        }
    }
    assert_eq!(examples, 228);
}

#[tokio::test]
async fn help_finds_what_is_meant() {
    let sonarr = Fresh::start().await;
    let ask = |arguments: Value| json!({"operation": "sonarr_help", "arguments": arguments});
    let help = sonarr.call("sonarr_tags", json!({"operation": "help"})).await.unwrap().structured().unwrap();
    assert_eq!(help["tool"], "sonarr_tags");
    assert_eq!(help["operations"].as_array().map(Vec::len), Some(7));
    let help = sonarr.call("sonarr_tags", ask(json!({"operation": "sonarr_create_tag"}))).await.unwrap();
    assert_eq!(help.structured().unwrap()["operation"], "create_tag");

    let failure = sonarr.call("sonarr_tags", ask(json!({"operation": "creat_tag"}))).await.unwrap_err();
    assert_eq!(failure.nearest.as_deref(), Some("create_tag"));
    assert_eq!(failure.path.as_deref(), Some("arguments.operation"));
    let failure = sonarr.call("sonarr_tags", ask(json!({"operation": "add_series"}))).await.unwrap_err();
    assert!(failure.text().contains("sonarr_media_library"), "{failure}");
    let failure = sonarr.call("sonarr_tags", ask(json!({"name": "create_tag"}))).await.unwrap_err();
    assert!(failure.text().contains("takes only `operation`"), "{failure}");
}

#[tokio::test]
async fn a_refused_argument_comes_with_an_example() {
    let sonarr = Fresh::start().await;
    let call = |arguments: Value| json!({"operation": "add_series", "arguments": arguments});
    let failure = sonarr.call("media_library", call(json!({"bdy": {}}))).await.unwrap_err();
    assert_eq!(failure.nearest.as_deref(), Some("body"));
    let failure = failure.structured();
    assert_eq!(failure["error"]["example"]["arguments"]["body"]["tvdbId"], 9_900_000);

    let body = json!({"tvdbId": 9_900_000, "title": "x", "addOptions": {"monitor": "first"}});
    let failure = sonarr.call("media_library", call(json!({"body": body}))).await.unwrap_err();
    assert_eq!(failure.path.as_deref(), Some("arguments.body.addOptions.monitor"));
    assert!(failure.accepted.contains(&"firstSeason".to_owned()), "{failure}");
}

/// Calls what Sonarr refuses, and gives the failure as text and the number of requests that reached Sonarr.
async fn refused(group: &str, operation: &str, arguments: Value) -> (Map<String, Value>, String) {
    let sonarr = Fresh::start().await;
    let call = json!({"operation": operation, "arguments": arguments});
    let failure = sonarr.call(group, call).await.unwrap_err();
    (failure.structured()["error"].as_object().unwrap().clone(), failure.text())
}

fn new_series(changes: Value) -> Value {
    let mut body =
        json!({"tvdbId": 9_900_003, "title": "Letters", "qualityProfileId": 4, "rootFolderPath": "/media/tv"});
    for (name, value) in changes.as_object().unwrap() {
        body[name] = value.clone();
    }
    json!({"body": body})
}

#[tokio::test]
async fn a_missing_root_folder_is_answered_with_those_there_are() {
    let (error, text) = refused("media_library", "add_series", new_series(json!({"rootFolderPath": "/tv"}))).await;
    let field = &error["fields"][0];
    assert_eq!(field["field"], "arguments.body.rootFolderPath");
    assert_eq!(field["accepted"], json!(["/media/tv", "/media/anime", "/mnt/offline"]));
    assert!(text.contains("add_root_folder") && error["example"].is_object(), "{text}");
}

#[tokio::test]
async fn a_wrong_quality_profile_is_answered_with_the_profiles() {
    let (error, text) = refused("media_library", "add_series", new_series(json!({"qualityProfileId": 77}))).await;
    let field = &error["fields"][0];
    assert_eq!(field["field"], "arguments.body.qualityProfileId");
    assert!(field["accepted"].as_array().unwrap().contains(&json!("4 (HD-1080p)")), "{text}");
    let patch = json!({"id": 1, "patch": {"qualityProfileId": 77}});
    let (error, text) = refused("media_library", "update_series", patch).await;
    assert_eq!(error["fields"][0]["field"], "arguments.patch.qualityProfileId", "{text}");
}

#[tokio::test]
async fn a_series_that_is_there_is_answered_with_its_id() {
    let (error, text) = refused("media_library", "add_series", new_series(json!({"tvdbId": 9_100_002}))).await;
    assert_eq!(error["fields"][0]["field"], "arguments.body.tvdbId");
    assert!(text.contains("in the library already as id 3 (Late Evening with Odile Marsh)"), "{text}");
}

#[tokio::test]
async fn an_unknown_id_is_answered_with_where_ids_are_shown() {
    for (group, operation, arguments, list) in [
        ("media_library", "get_series", json!({"id": 999}), "list_series"),
        ("queue", "grab_queue_item", json!({"id": 999}), "list_queue"),
        ("profiles_formats", "get_custom_format", json!({"id": 999}), "list_custom_formats"),
        (
            "media_library",
            "set_episodes_monitored",
            json!({"body": {"episodeIds": [99_999], "monitored": true}}),
            "list_episodes",
        ),
    ] {
        let (_, text) = refused(group, operation, arguments).await;
        assert!(text.contains(&format!("{list} shows what there is")), "{operation}: {text}");
    }
}

#[tokio::test]
async fn a_setting_of_a_provider_is_told_by_its_place() {
    let body = json!({"name": "New", "implementation": "Torznab", "configContract": "TorznabSettings", "enableRss": true,
        "fields": [{"name": "apiPath", "value": "/api"}, {"name": "baseUrl", "value": ""}]});
    let (error, text) = refused("indexers", "create_indexer", json!({"body": body})).await;
    assert_eq!(error["fields"][0]["field"], "arguments.body.fields[1].value", "{text}");
    let body = json!({"name": "New", "implementation": "Torznap", "configContract": "TorznabSettings", "fields": []});
    let (_, text) = refused("indexers", "create_indexer", json!({"body": body})).await;
    assert!(text.contains("from list_indexer_schemas"), "{text}");
}
