use std::sync::Mutex;

use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::{Map, Value, json};

use super::{Stakes, look_up};
use crate::failure::{Code, Failure};
use crate::generated::GROUPS;
use crate::operation::Operation;
use crate::write::Reader;

/// A small library.
#[derive(Default)]
struct Library {
    asked: Mutex<Vec<&'static str>>,
    down: bool,
}

impl Library {
    fn answer(&self, operation: &str, arguments: &Map<String, Value>) -> Result<Value, Failure> {
        if self.down {
            return Err(Failure::new(Code::Unreachable, "down"));
        }
        let id = arguments.get("id").and_then(Value::as_i64).unwrap_or(0);
        let series = |id: i64| {
            json!({"id": id, "title": format!("Series {id}"), "year": 2019, "path": format!("/tv/{id}"),
                "statistics": {"episodeFileCount": 10, "sizeOnDisk": 1000}})
        };
        let file = |id: i64| json!({"id": id, "seriesId": 1, "relativePath": format!("S01E0{id}.mkv"), "size": 50});
        Ok(match operation {
            "get_series" if id < 90 => series(id),
            "list_series" => (1..=8).map(series).collect(),
            "get_episode_file" => file(id),
            "list_episode_files" => (1..=3).map(file).collect(),
            "list_queue" => json!({"totalRecords": 3, "records": [
                {"id": 1, "title": "Pack\u{202e}", "size": 300.0, "downloadId": "d1"},
                {"id": 2, "title": "Pack", "size": 300.0, "downloadId": "d1"},
                {"id": 3, "title": "Other", "size": 40.0, "downloadId": "d2"}
            ]}),
            "list_blocklist" => json!({"totalRecords": 2500, "records":
                if arguments["page"] == json!(3) { json!([{"id": 7, "sourceTitle": "Bad"}]) } else { json!([{"id": 8}]) }}),
            "list_backups" => json!([{"id": 5, "name": "b.zip", "size": 9, "time": "2026-01-01T00:00:00Z"}]),
            "list_commands" => {
                json!([{"name": "RssSync", "status": "started"}, {"name": "Backup", "status": "queued"}])
            }
            "get_tag_details" => json!({"id": id, "label": "hd", "seriesIds": [1, 2], "indexerIds": [3]}),
            "get_indexer" => json!({"id": id, "name": "Indexer"}),
            "list_indexers" => json!([{"id": 1, "name": "One"}, {"id": 2, "name": "Two"}]),
            "list_log_entries" => json!({"totalRecords": 42, "records": []}),
            "list_episodes" => json!([{"id": 1, "hasFile": true}, {"id": 2, "hasFile": false}]),
            "get_media_management_config" => json!({"recycleBin": "/bin", "recycleBinCleanupDays": 7}),
            _ => return Err(Failure::new(Code::NotFound, "no such thing")),
        })
    }
}

impl Reader for Library {
    fn read<'a>(
        &'a self,
        operation: &'static str,
        arguments: Map<String, Value>,
    ) -> BoxFuture<'a, Result<Value, Failure>> {
        self.asked.lock().unwrap().push(operation);
        let answer = self.answer(operation, &arguments);
        async move { answer }.boxed()
    }
}

fn operation(name: &str) -> &'static Operation {
    GROUPS.iter().flat_map(|group| group.operations).find(|it| it.name == name).unwrap()
}

async fn at_stake(name: &str, arguments: Value) -> Stakes {
    look_up(&Library::default(), operation(name), arguments.as_object().unwrap()).await.unwrap()
}

async fn seen(name: &str, arguments: Value) -> Value {
    serde_json::to_value(at_stake(name, arguments).await).unwrap()
}

#[tokio::test]
async fn series_go_with_their_files_only_when_asked() {
    let thing = json!({"id": 4, "name": "Series 4 (2019)", "files": 10, "bytes": 1000});
    assert_eq!(seen("delete_series", json!({"id": 4})).await, json!({"things": [thing]}));
    assert_eq!(
        seen("delete_series", json!({"id": 4, "deleteFiles": true})).await,
        json!({"things": [thing], "files": 10, "bytes": 1000, "notes": ["the folder /tv/4 is deleted with everything in it"]})
    );
    let many =
        at_stake("delete_many_series", json!({"body": {"seriesIds": [1, 2, 3, 4, 5, 6], "deleteFiles": true}})).await;
    assert_eq!((many.things.len(), many.files, many.bytes), (6, 60, 6000));
    assert_eq!(seen("delete_series", json!({"id": 99})).await, json!({"notes": ["nothing was found with the id 99"]}));
}

#[tokio::test]
async fn files_are_told_with_their_series() {
    assert_eq!(
        seen("delete_episode_file", json!({"id": 2})).await,
        json!({"things": [{"id": 2, "name": "Series 1 (2019): S01E02.mkv", "bytes": 50}], "files": 1, "bytes": 50})
    );
    let several = at_stake("delete_episode_files", json!({"body": {"episodeFileIds": [1, 2, 3]}})).await;
    assert_eq!((several.files, several.bytes, several.notes.len()), (3, 150, 0));
}

#[tokio::test]
async fn a_download_of_the_queue_is_counted_once() {
    let one = at_stake("remove_queue_item", json!({"id": 1})).await;
    assert_eq!((one.downloads, one.bytes, one.notes.len()), (1, 300, 1));
    assert_eq!(one.things[0].name, "Pack");
    let all = at_stake("remove_queue_items", json!({"body": {"ids": [1, 2, 3]}})).await;
    assert_eq!((all.things.len(), all.downloads, all.bytes), (3, 2, 340));
    let kept = at_stake("remove_queue_item", json!({"id": 3, "removeFromClient": false})).await;
    assert_eq!((kept.downloads, kept.bytes), (0, 0));
}

#[tokio::test]
async fn records_are_found_on_later_pages() {
    let found = at_stake("delete_blocklist_item", json!({"id": 7})).await;
    assert_eq!((found.things.len(), found.things[0].name.as_str()), (1, "Bad"));
    let backup = seen("restore_backup", json!({"id": 5})).await;
    assert_eq!(backup["things"][0]["name"], "b.zip, of 2026-01-01T00:00:00Z");
}

#[tokio::test]
async fn settings_are_found_at_their_path() {
    assert_eq!(seen("delete_indexer", json!({"id": 1})).await["things"], json!([{"id": 1, "name": "Indexer"}]));
    let several = at_stake("delete_indexers", json!({"body": {"ids": [1, 2, 3]}})).await;
    assert_eq!(
        (several.things.len(), several.notes.as_slice()),
        (2, ["nothing was found with the id 3".to_owned()].as_slice())
    );
    assert!(at_stake("delete_tag", json!({"id": 1})).await.notes[0].starts_with("3 things"));
}

#[tokio::test]
async fn commands_say_what_they_take() {
    for (name, body, says) in [
        ("restart_system", json!({}), "1 command is running and would be broken off: RssSync"),
        ("run_command", json!({"name": "Shutdown"}), "RssSync"),
        ("run_command", json!({"name": "ClearLog"}), "\"count\":42"),
        ("run_command", json!({"name": "CleanUpRecycleBin"}), "older than 7 days in /bin"),
        (
            "run_command",
            json!({"name": "ManualImport", "files": [{"path": "/d/a.mkv", "episodeIds": [1, 2]}]}),
            "1 episode has a file already",
        ),
        ("run_command", json!({"name": "DeleteSeriesFiles", "seriesIds": [1]}), "\"files\":10"),
    ] {
        let arguments = if name == "run_command" { json!({"body": body}) } else { json!({}) };
        let stakes = seen(name, arguments).await.to_string();
        assert!(stakes.contains(says), "{name} {body}: {stakes}");
    }
}

#[tokio::test]
async fn a_sonarr_that_cannot_be_reached_ends_it_and_anything_else_is_a_note() {
    let arguments = json!({"id": 1});
    let arguments = arguments.as_object().unwrap();
    let down = Library { down: true, ..Library::default() };
    let failure = look_up(&down, operation("delete_series"), arguments).await.unwrap_err();
    assert_eq!(failure.code, Code::Unreachable);
    let stakes = at_stake("run_command", json!({"body": {"name": "DeleteLogFiles"}})).await;
    assert!(stakes.notes[0].contains("could not be looked up"), "{stakes:?}");
}

/// Every operation that destroys something looks at it first; only saving the host's settings is
/// shown by its difference instead.
#[tokio::test]
async fn every_destructive_operation_looks_before() {
    for operation in GROUPS.iter().flat_map(|group| group.operations).filter(|it| it.destructive.is_some()) {
        let library = Library::default();
        let arguments = json!({"id": 1, "body": {"name": "Restart", "ids": [1], "seriesIds": [1], "episodeFileIds": [1]},
            "fileName": "b.zip", "content": "AAAA"});
        let mut arguments = arguments.as_object().unwrap().clone();
        if !operation.parameters.iter().any(|it| it.name == "id") {
            arguments.remove("id");
        }
        let stakes = look_up(&library, operation, &arguments).await.unwrap();
        let asked = library.asked.lock().unwrap().len();
        let by_itself = operation.name == "restore_backup_upload" && stakes.things.len() == 1;
        assert!(asked > 0 || by_itself, "{}", operation.name);
    }
}
