//! A patch changes what it names, and nothing else, known or not.

use serde_json::{Value, json};
use sonarr_mcp::dispatch::Policy;
use sonarr_mcp::operation::Operation;
use sonarr_mcp::write::consent::Mode;
use sonarr_mcp::write::pairs::takes_patch;

use super::{Pair, example, leaves, operations};

/// A Sonarr with members that no document knows, on every object.
async fn tomorrow() -> Pair {
    Pair::with(Policy { mode: Mode::Never, ..Policy::default() }, true).await
}

/// The resource behind an operation, as the embedded Sonarr names it.
fn resource(operation: &Operation) -> &'static str {
    operation.path.trim_start_matches("/api/v3/").trim_end_matches("/{id}")
}

/// The names of the members that a patch names at its ends.
fn names(patch: &Value, found: &mut Vec<String>) {
    match patch {
        Value::Object(members) => {
            for (name, value) in members {
                if !value.is_object() {
                    found.push(name.clone());
                }
                names(value, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| names(item, found)),
        _ => {}
    }
}

#[tokio::test]
async fn every_update_keeps_what_its_patch_does_not_name() {
    let (mut count, mut of_tomorrow) = (0, 0);
    for operation in operations().filter(|operation| takes_patch(operation)) {
        let at = operation.name;
        let pair = tomorrow().await;
        let mut call = example(operation);
        if operation.name == "update_episode" {
            let monitored = pair.sonarr.object("episode", 1).unwrap()["monitored"] == json!(true);
            call["arguments"]["patch"]["monitored"] = json!(!monitored);
        }
        let patch = &call["arguments"]["patch"];
        let id = call["arguments"]["id"].as_i64().unwrap_or(1);
        let before = pair.sonarr.object(resource(operation), id).unwrap_or_else(|| panic!("{at}: no {id}"));
        of_tomorrow += usize::from(before.to_string().contains("nextVersion"));
        let answer = pair.answer_to(call.clone()).await;
        let after = pair.sonarr.object(resource(operation), id).unwrap();

        let (old, new) = (leaves(&before), leaves(&after));
        let changed: Vec<&String> = old
            .keys()
            .chain(new.keys().filter(|pointer| !old.contains_key(*pointer)))
            .filter(|pointer| old.get(*pointer) != new.get(*pointer))
            // What was shown on the way out and not stored is stored once it was sent back.
            .filter(|pointer| old.contains_key(*pointer) || !pointer.contains("/nextVersion"))
            // The choices of a setting are Sonarr's: it makes them anew.
            .filter(|pointer| !pointer.contains("/selectOptions/"))
            .collect();
        assert!(!changed.is_empty(), "{at} changed nothing: {answer}");
        let mut named = Vec::new();
        names(patch, &mut named);
        for pointer in changed {
            // A plain value may stand for a member of a keyed item.
            let short = ["value", "score", "allowed", "monitored"];
            let meant = pointer.split('/').any(|part| short.contains(&part) || named.iter().any(|name| name == part));
            assert!(meant, "{at}: {pointer} was {:?} and is {:?}", old.get(pointer), new.get(pointer));
        }
        let told = answer["changed"].as_array().unwrap_or_else(|| panic!("{at}: {answer}"));
        assert!(!told.is_empty() && told.iter().all(|change| change.get("stored").is_none()), "{at}: {answer}");
        count += 1;
    }
    // Episodes and files are not stored as they are put.
    assert!(count == 25 && of_tomorrow >= 20, "{of_tomorrow} of {count}");
}

/// What is sent is what was read, with the members nobody knows.
#[tokio::test]
async fn a_write_sends_the_whole_object() {
    let pair = tomorrow().await;
    let before = pair.sonarr.object("series", 1).unwrap();
    let monitored = before["seasons"][1]["monitored"].as_bool().unwrap();
    let number = before["seasons"][1]["seasonNumber"].to_string();
    let arguments = json!({"id": 1, "patch": {"seasons": {(number.as_str()): {"monitored": !monitored}}}});
    let answer = pair.answer("update_series", arguments).await;
    assert_eq!(
        answer["changed"],
        json!([{"path": format!("seasons[{number}].monitored"), "before": monitored, "after": !monitored}])
    );
    let writes = pair.writes();
    let [put] = writes.as_slice() else { panic!("{writes:?}") };
    let body = put.json().unwrap();
    assert_eq!(body["seasons"][1]["monitored"], !monitored);
    assert_eq!(body["seasons"][1]["nextVersionLevel"], before["seasons"][1]["nextVersionLevel"]);
    assert_eq!(body["seasons"].as_array().unwrap().len(), before["seasons"].as_array().unwrap().len());
    assert_eq!(pair.sonarr.object("series", 1).unwrap()["seasons"][1]["monitored"], !monitored);
}

#[tokio::test]
async fn what_sonarr_and_its_type_do_not_have_is_refused_unsent() {
    let pair = tomorrow().await;
    for (name, patch, path) in [
        ("update_series", json!({"monitord": true}), "arguments.patch.monitord"),
        ("update_series", json!({"seasons": {"77": true}}), "arguments.patch.seasons[77]"),
        ("update_host_config", json!({"prot": 1}), "arguments.patch.prot"),
        ("update_indexer", json!({"fields": {"apiKee": "x"}}), "arguments.patch.fields[apiKee]"),
    ] {
        let failure = pair.failure(json!({"operation": name, "arguments": {"id": 1, "patch": patch}})).await;
        assert_eq!(failure.path.as_deref(), Some(path), "{failure}");
    }
    assert!(pair.writes().is_empty());
}

#[tokio::test]
async fn a_patch_that_changes_nothing_is_not_sent() {
    let pair = tomorrow().await;
    let label = pair.sonarr.object("tag", 1).unwrap()["label"].clone();
    let answer = pair.answer("update_tag", json!({"id": 1, "patch": {"label": label}})).await;
    assert_eq!(answer["result"]["changed"], json!([]), "{answer}");
    assert!(pair.writes().is_empty());
}

/// A member of tomorrow can be patched too: the object has it.
#[tokio::test]
async fn a_member_of_the_object_alone_can_be_changed() {
    let pair = tomorrow().await;
    let answer = pair.answer("update_tag", json!({"id": 1, "patch": {"nextVersionLevel": 7}})).await;
    assert_eq!(answer["changed"][0]["path"], "nextVersionLevel", "{answer}");
    assert_eq!(pair.sonarr.object("tag", 1).unwrap()["nextVersionLevel"], 7);
}

/// A model calls tools in parallel; no patch undoes another.
#[tokio::test]
async fn patches_at_once_are_all_kept() {
    let pair = tomorrow().await;
    let members = ["monitored", "seasonFolder"];
    let series = pair.sonarr.object("series", 2).unwrap();
    let flip = |member: &str| json!({"id": 2, "patch": {member: series[member] != json!(true)}});
    let calls = members.iter().map(|member| pair.answer("update_series", flip(member)));
    futures::future::join_all(calls).await;
    let after = pair.sonarr.object("series", 2).unwrap();
    for member in members {
        assert_eq!(after[member] == json!(true), series[member] != json!(true), "{member}");
    }
    assert_eq!(pair.writes().len(), members.len());
}

#[tokio::test]
async fn a_dry_run_shows_and_sends_nothing() {
    let pair = tomorrow().await;
    for operation in operations().filter(|operation| operation.effect.writes()) {
        let mut call = example(operation);
        call["dry_run"] = json!(true);
        let answer = pair.answer_to(call).await;
        let shown = &answer["result"];
        assert_eq!(shown["request"]["method"], operation.method, "{answer}");
        assert!(answer["note"].as_str().unwrap().contains("nothing was sent"), "{answer}");
        assert_eq!(shown.get("changes").is_some(), takes_patch(operation), "{answer}");
        assert!(pair.writes().is_empty(), "{}", operation.name);
    }
}
