//! No secret of Sonarr reaches an answer.

use serde_json::json;
use sonarr_mcp::answer::Answer;
use sonarr_mcp::dispatch::Policy;
use sonarr_mcp::failure::Failure;
use sonarr_mcp::write::consent::Mode;

use super::{Pair, example, operations};

/// Everything that a model would see.
fn told(outcome: &Result<Answer, Failure>) -> String {
    match outcome {
        Ok(answer) => format!("{}\n{}", answer.text(), answer.structured().unwrap_or_default()),
        Err(failure) => format!("{}\n{}", failure.text(), failure.structured()),
    }
}

/// Calls every operation, and its dry run, and returns the secrets each of them shows.
async fn leaks(show_secrets: bool) -> (usize, Vec<(&'static str, String)>) {
    let policy = Policy { mode: Mode::Never, show_secrets };
    let reading = Pair::with(policy, false).await;
    let mut leaks = Vec::new();
    let mut count = 0;
    for operation in operations() {
        let own = if operation.effect.writes() { Some(Pair::with(policy, false).await) } else { None };
        let pair = own.as_ref().unwrap_or(&reading);
        let mut texts = Vec::new();
        if operation.effect.writes() {
            let mut dry = example(operation);
            dry["dry_run"] = json!(true);
            texts.push(told(&pair.call(operation, dry).await));
        }
        texts.push(told(&pair.call(operation, example(operation)).await));
        for secret in pair.sonarr.secrets() {
            if texts.iter().any(|text| text.contains(&secret)) {
                leaks.push((operation.name, secret));
            }
        }
        count += 1;
    }
    (count, leaks)
}

#[tokio::test]
async fn no_operation_shows_a_secret() {
    assert_eq!(leaks(false).await, (228, Vec::new()));
}

/// What is no secret is shown: only answers with something to hide have a mask.
#[tokio::test]
async fn nothing_else_is_masked() {
    let pair = Pair::start(Mode::Never).await;
    let mut masked = Vec::new();
    for operation in operations().filter(|operation| !operation.effect.writes()) {
        if told(&pair.call(operation, example(operation)).await).contains("********") {
            masked.push(operation.name);
        }
    }
    let holders = ["host_config", "indexer", "download_client", "import_list", "notification", "release", "history"];
    for operation in &masked {
        assert!(holders.iter().any(|holder| operation.contains(holder)), "{operation}");
    }
    assert!(masked.contains(&"get_host_config") && masked.contains(&"list_indexers"), "{masked:?}");
}

/// The first test can fail: there is something to be hidden.
#[tokio::test]
async fn shown_secrets_are_shown() {
    let (_, leaks) = leaks(true).await;
    let mut operations: Vec<&str> = leaks.iter().map(|(operation, _)| *operation).collect();
    operations.dedup();
    for due in ["get_host_config", "list_notifications", "search_releases", "list_history"] {
        assert!(operations.contains(&due), "{due}: {operations:?}");
    }
}

#[tokio::test]
async fn what_was_masked_can_be_sent_back() {
    let pair = Pair::start(Mode::Never).await;
    // A whole object, as it was shown, with one change.
    for (read, write, resource, id) in [
        ("get_host_config_by_id", "update_host_config", "config/host", 1),
        ("get_notification", "update_notification", "notification", 1),
        ("get_notification", "update_notification", "notification", 2),
        ("get_indexer", "update_indexer", "indexer", 1),
        ("get_download_client", "update_download_client", "downloadclient", 1),
    ] {
        let before = pair.sonarr.object(resource, id).unwrap();
        let mut shown = pair.answer(read, json!({"id": id})).await;
        assert!(shown.to_string().contains("********"), "{read} {id}: {shown}");
        let member = if resource == "config/host" { "instanceName" } else { "name" };
        let name = format!("Sonarr of {read} {id}");
        shown[member] = json!(name);
        pair.answer(write, json!({"id": id, "patch": shown})).await;
        let mut due = before;
        due[member] = json!(name);
        assert_eq!(pair.sonarr.object(resource, id).unwrap(), due, "{write} {id}");
    }
}

#[tokio::test]
async fn a_masked_release_can_be_grabbed() {
    let pair = Pair::start(Mode::Never).await;
    let found = pair.answer_to(example(super::named("search_releases"))).await;
    let releases = found["result"].as_array().unwrap_or_else(|| panic!("{found}"));
    assert!(!releases.is_empty());
    let mut grabs = 0;
    for release in releases {
        let body = json!({"guid": release["guid"], "indexerId": release["indexerId"]});
        pair.sonarr.clear_requests();
        let call = json!({"operation": "grab_release", "arguments": {"body": body}});
        let grabbed = pair.call(super::named("grab_release"), call).await;
        let writes = pair.writes();
        let sent = writes[0].json().unwrap();
        assert!(!sent["guid"].as_str().unwrap().contains("********"), "{sent}");
        // Of the releases found some fit no series, but all are known.
        let unknown = grabbed.as_ref().err().is_some_and(|failure| failure.message.contains("cache"));
        assert!(!unknown, "{sent}: {grabbed:?}");
        grabs += usize::from(writes[0].status == 200);
    }
    assert!(grabs > 0);
}

#[tokio::test]
async fn a_mask_in_something_new_is_refused() {
    let pair = Pair::start(Mode::Never).await;
    let body = json!({"name": "N", "implementation": "Newznab", "configContract": "NewznabSettings",
        "fields": [{"name": "apiKey", "value": "********"}]});
    let failure = pair.failure(json!({"operation": "create_indexer", "arguments": {"body": body}})).await;
    assert_eq!(failure.path.as_deref(), Some("arguments.body.fields[apiKey].value"), "{failure}");
    assert!(pair.writes().is_empty());
}
