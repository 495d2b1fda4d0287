//! Nothing that takes something away is sent without a person's consent.

use std::sync::Arc;

use serde_json::{Value, json};
use sonarr_mcp::failure::Code;
use sonarr_mcp::generated::commands::COMMANDS;
use sonarr_mcp::operation::Operation;
use sonarr_mcp::write::consent::Mode;

use super::{Pair, example, named, operations};
use crate::session::Session;

/// A call that takes something away: of `run_command` one that does.
fn dangerous(operation: &Operation) -> Value {
    match operation.name {
        "run_command" => json!({"operation": "run_command", "arguments": {"body": {"name": "ClearLog"}}}),
        _ => example(operation),
    }
}

fn destructive() -> impl Iterator<Item = &'static Operation> {
    operations().filter(|operation| operation.destructive.is_some())
}

#[tokio::test]
async fn without_consent_nothing_is_sent_and_with_it_the_very_call() {
    let mut count = 0;
    for operation in destructive() {
        let at = operation.name;
        let pair = Pair::start(Mode::Auto).await;
        let mut call = dangerous(operation);
        let preview = pair.answer_to(call.clone()).await;
        assert!(pair.writes().is_empty(), "{at}");
        let question = preview["result"]["question"].as_str().unwrap_or_else(|| panic!("{at}: {preview}"));
        assert!(question.starts_with(at) && question.ends_with("Do it?"), "{question}");
        assert!(preview["note"].as_str().unwrap().contains("nothing was sent"), "{preview}");

        for confirm in ["yes", "00000000000000000000000000000000"] {
            call["confirm"] = json!(confirm);
            assert_eq!(pair.failure(call.clone()).await.code, Code::NotConfirmed, "{at}");
            assert!(pair.writes().is_empty(), "{at}");
        }
        call["confirm"] = preview["result"]["confirm"].clone();
        // Whatever Sonarr says to it, the request went out once, and the token goes no further.
        let _answer = pair.call(operation, call.clone()).await;
        let sent = pair.writes();
        assert_eq!(sent.len(), 1, "{at}: {sent:?}");
        assert_eq!(sent[0].method, operation.method, "{at}");
        if !matches!(operation.name, "shutdown_system" | "restart_system" | "restore_backup" | "restore_backup_upload")
        {
            let again = pair.call(operation, call).await;
            assert_eq!(pair.writes().len(), 1, "{at}: {again:?}");
        }
        count += 1;
    }
    assert_eq!(count, 36);
}

#[tokio::test]
async fn every_command_that_destroys_waits_for_consent() {
    let pair = Pair::start(Mode::Auto).await;
    let mut count = 0;
    for command in COMMANDS.iter().filter(|command| command.destructive.is_some()) {
        let example = match command.name {
            "DownloadedEpisodesScan" => json!({"name": command.name, "path": "/downloads/a"}),
            "ManualImport" => json!({"name": command.name, "importMode": "move",
                "files": [{"path": "/downloads/a.mkv", "seriesId": 1, "episodeIds": [1], "quality": {"quality": {"id": 4}},
                    "languages": [{"id": 1}]}]}),
            "DeleteSeriesFiles" => json!({"name": command.name, "seriesIds": [1]}),
            name => json!({"name": name}),
        };
        let preview = pair.answer("run_command", json!({"body": example})).await;
        let question = preview["result"]["question"].as_str().unwrap_or_else(|| panic!("{preview}"));
        assert!(question.starts_with(&format!("run_command {}: ", command.name)), "{question}");
        assert!(pair.writes().is_empty(), "{}", command.name);
        count += 1;
    }
    assert_eq!(count, 14);
}

#[tokio::test]
async fn a_token_is_for_its_arguments() {
    let pair = Pair::start(Mode::Auto).await;
    let call = |id: i64| json!({"operation": "delete_series", "arguments": {"id": id}});
    let preview = pair.answer_to(call(1)).await;
    let mut other = call(2);
    other["confirm"] = preview["result"]["confirm"].clone();
    assert_eq!(pair.failure(other).await.code, Code::NotConfirmed);
    let mut more = call(1);
    more["arguments"]["deleteFiles"] = json!(true);
    more["confirm"] = preview["result"]["confirm"].clone();
    assert_eq!(pair.failure(more).await.code, Code::NotConfirmed);
    assert!(pair.writes().is_empty());
}

#[tokio::test]
async fn a_question_says_what_goes() {
    let pair = Pair::start(Mode::Auto).await;
    let series = pair.sonarr.object("series", 1).unwrap();
    let preview = pair.answer("delete_series", json!({"id": 1, "deleteFiles": true})).await;
    let question = preview["result"]["question"].as_str().unwrap();
    for part in [series["title"].as_str().unwrap(), series["path"].as_str().unwrap(), "files", "iB", "recycle bin"] {
        assert!(question.contains(part), "{part} in {question}");
    }
    let id = pair.sonarr.ids("queue")[0];
    let preview = pair.answer("remove_queue_item", json!({"id": id})).await;
    let question = preview["result"]["question"].as_str().unwrap();
    for part in ["1 download in the download client", "`removeFromClient` is true unless"] {
        assert!(question.contains(part), "{part} in {question}");
    }
    let preview = pair.answer("update_host_config", json!({"patch": {"port": 9999}})).await;
    let question = preview["result"]["question"].as_str().unwrap();
    assert!(question.contains("- port: ") && question.contains(" → 9999"), "{question}");
}

#[tokio::test]
async fn what_takes_nothing_away_is_not_asked_about() {
    let pair = Pair::start(Mode::Auto).await;
    pair.answer("create_tag", json!({"body": {"label": "attic"}})).await;
    pair.answer("run_command", json!({"body": {"name": "RefreshSeries"}})).await;
    assert_eq!(pair.writes().len(), 2);
    let careful = Pair::start(Mode::Always).await;
    let preview = careful.answer("create_tag", json!({"body": {"label": "attic"}})).await;
    assert!(preview["result"]["confirm"].is_string(), "{preview}");
    assert!(careful.writes().is_empty());
    let bold = Pair::start(Mode::Never).await;
    bold.answer("delete_tag", json!({"id": bold.sonarr.ids("tag").last().unwrap()})).await;
    assert_eq!(bold.writes().len(), 1);
}

/// A client that can ask, in the era of `initialize`.
async fn asking(pair: &Pair, concurrency: usize) -> Session {
    let mut session = Session::before(Arc::clone(&pair.server), concurrency);
    session.initialize_with(json!({"elicitation": {}})).await;
    session
}

const DELETE: &str = "delete_series";

fn delete(id: i64) -> Value {
    json!({"name": "sonarr_media_library", "arguments": {"operation": DELETE, "arguments": {"id": id}}})
}

#[tokio::test]
async fn a_person_is_asked_and_their_yes_sends_it() {
    let pair = Pair::start(Mode::Auto).await;
    let mut session = asking(&pair, 4).await;
    let id = session.ask("tools/call", delete(1)).await;
    let question = session.receive().await;
    assert_eq!(question["method"], "elicitation/create", "{question}");
    assert!(question["params"]["message"].as_str().unwrap().starts_with("delete_series 1: "), "{question}");
    assert_eq!(question["params"]["requestedSchema"]["required"], json!(["confirm"]));
    assert!(pair.writes().is_empty());
    let yes = json!({"action": "accept", "content": {"confirm": true}});
    session.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": yes})).await;
    let answer = session.receive().await;
    assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(id), &json!(false)), "{answer}");
    assert_eq!(pair.writes().len(), 1);
    assert!(pair.sonarr.object("series", 1).is_none());
}

#[tokio::test]
async fn anything_but_a_yes_sends_nothing() {
    let pair = Pair::start(Mode::Auto).await;
    let mut session = asking(&pair, 4).await;
    for reply in [
        json!({"result": {"action": "decline"}}),
        json!({"result": {"action": "cancel"}}),
        json!({"result": {"action": "accept"}}),
        json!({"result": {"action": "accept", "content": {"confirm": false}}}),
        json!({"error": {"code": -32603, "message": "no screen"}}),
    ] {
        session.ask("tools/call", delete(1)).await;
        let question = session.receive().await;
        let mut message = reply.clone();
        message["jsonrpc"] = json!("2.0");
        message["id"] = question["id"].clone();
        session.send(&message).await;
        let answer = session.receive().await;
        let result = &answer["result"];
        assert_eq!(result["isError"], true, "{reply}: {answer}");
        assert_eq!(result["structuredContent"]["error"]["code"], "declined", "{reply}: {answer}");
        assert!(pair.writes().is_empty(), "{reply}");
    }
}

/// While a person thinks, others are served: a question takes no place.
#[tokio::test]
async fn a_question_holds_nobody_up() {
    let pair = Pair::start(Mode::Auto).await;
    let mut session = asking(&pair, 1).await;
    session.ask("tools/call", delete(1)).await;
    let question = session.receive().await;
    assert_eq!(question["method"], "elicitation/create");
    let tags = session.call("sonarr_tags", json!({"operation": "list_tags"})).await;
    assert_eq!(tags["isError"], false, "{tags}");
    assert!(pair.writes().is_empty());
}

/// A call of revision 2026-07-28 by a client that can ask.
fn stateless(call: &Value) -> Value {
    let mut params = call.clone();
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
    });
    params
}

#[tokio::test]
async fn the_newest_revision_asks_by_its_answer() {
    let pair = Pair::start(Mode::Auto).await;
    let mut session = Session::before(Arc::clone(&pair.server), 4);
    let discover = json!({"_meta": stateless(&json!({}))["_meta"]});
    session.request("server/discover", discover).await;
    let first = session.request("tools/call", stateless(&delete(1))).await;
    let result = &first["result"];
    assert_eq!(result["resultType"], "input_required", "{first}");
    assert_eq!(result["inputRequests"]["confirm"]["method"], "elicitation/create", "{first}");
    assert!(pair.writes().is_empty());

    let answered = |state: &Value, action: Value| {
        let mut call = stateless(&delete(1));
        call["requestState"] = state.clone();
        call["inputResponses"] = json!({"confirm": action});
        call
    };
    let yes = json!({"action": "accept", "content": {"confirm": true}});
    let state = &result["requestState"];
    for (state, action, code) in [
        (state, json!({"action": "decline"}), "declined"),
        (&json!("00000000000000000000000000000000"), yes.clone(), "not_confirmed"),
    ] {
        let answer = session.request("tools/call", answered(state, action)).await;
        assert_eq!(answer["result"]["structuredContent"]["error"]["code"], code, "{answer}");
        assert!(pair.writes().is_empty());
    }
    // The state is of no use as a confirmation, nor for another call.
    let mut confirmed = stateless(&delete(1));
    confirmed["arguments"]["confirm"] = state.clone();
    let answer = session.request("tools/call", confirmed).await;
    assert_eq!(answer["result"]["structuredContent"]["error"]["code"], "not_confirmed", "{answer}");

    let done = session.request("tools/call", answered(state, yes.clone())).await;
    assert_eq!(done["result"]["isError"], false, "{done}");
    assert_eq!(pair.writes().len(), 1);
    let replayed = session.request("tools/call", answered(state, yes)).await;
    assert_eq!(replayed["result"]["isError"], true, "{replayed}");
    assert_eq!(pair.writes().len(), 1);
}

#[tokio::test]
async fn read_only_beats_everything() {
    let pair = Pair::start(Mode::Never).await;
    let target = sonarr_mcp::config::Target {
        url: Some(pair.sonarr.url()),
        api_key: sonarr_mcp::config::ApiKey::new(pair.sonarr.api_key()),
        ..Default::default()
    };
    let connection = sonarr_mcp::connection::Connection::new(target);
    let server = sonarr_mcp::dispatch::Dispatcher::new(sonarr_mcp::generated::GROUPS, connection, true);
    let policy = sonarr_mcp::dispatch::Policy { mode: Mode::Never, ..Default::default() };
    let pair = Pair {
        sonarr: pair.sonarr,
        server: Arc::new(sonarr_mcp::instances::Instances::one(server.with_policy(policy))),
    };
    for operation in operations().filter(|operation| operation.effect.writes()) {
        let failure = pair.call(operation, example(operation)).await.unwrap_err();
        assert!(matches!(failure.code, Code::ReadOnly | Code::UnknownTool), "{}: {failure}", operation.name);
    }
    assert!(pair.sonarr.requests().is_empty());
    assert!(named(DELETE).effect.writes());
}
