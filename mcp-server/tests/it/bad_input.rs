//! Whatever a client sends, it gets the right answer, and the server goes on serving.

use serde_json::{Value, json};

use crate::recorder::{Recorder, Reply};
use crate::session::{KEY, Session};

async fn session() -> (Session, Recorder) {
    let recorder = Recorder::start().await;
    let session = Session::spawn(&[("SONARR_URL", &recorder.url), ("SONARR_API_KEY", KEY)]).await;
    (session, recorder)
}

/// Sends a line; the answer is a JSON-RPC error with this code and id.
async fn refused(session: &mut Session, line: &[u8], code: i64, id: Value) -> String {
    session.raw(line).await;
    session.raw(b"\n").await;
    let answer = session.receive().await;
    assert_eq!(answer["jsonrpc"], "2.0");
    assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(code), &id), "{answer}");
    session.assert_serving().await;
    answer["error"]["message"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn lines_that_are_no_message() {
    let (mut session, _) = session().await;
    let message = refused(&mut session, b"{\"jsonrpc\":\"2.0\",", -32700, Value::Null).await;
    assert!(message.contains("no JSON"), "{message}");
    let message =
        refused(&mut session, b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\xfe\"}", -32700, Value::Null).await;
    assert!(message.contains("UTF-8"), "{message}");
    refused(&mut session, b"[]", -32600, Value::Null).await;
    refused(&mut session, b"{\"jsonrpc\":\"2.0\",\"id\":\"a\"}", -32600, json!("a")).await;
    refused(&mut session, b"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}", -32600, Value::Null).await;
}

#[tokio::test]
async fn a_line_of_20_mb() {
    let (mut session, recorder) = session().await;
    let title = "x".repeat(20 * 1024 * 1024);
    let call = json!({"jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": {
        "name": "sonarr_tags",
        "arguments": {"operation": "create_tag", "arguments": {"body": {"label": title}}}
    }});
    let message = refused(&mut session, call.to_string().as_bytes(), -32600, json!(77)).await;
    assert!(message.contains("longer than"), "{message}");
    assert!(recorder.take().is_empty());
}

#[tokio::test]
async fn requests_the_protocol_rejects() {
    let (mut session, _) = session().await;
    for (params, says) in [
        (json!({}), "missing field `name`"),
        (json!({"arguments": {}}), "missing field `name`"),
        (json!({"name": "sonarr_tags", "arguments": ["list_tags"]}), "params.arguments"),
        (json!({"name": "sonarr_tags", "arguments": "list_tags"}), "params.arguments"),
        (json!([]), "params"),
    ] {
        let line = json!({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": params}).to_string();
        let message = refused(&mut session, line.as_bytes(), -32602, json!(5)).await;
        assert!(message.contains(says), "{message}");
    }
    let line = br#"{"jsonrpc":"2.0","id":6,"method":"tools/brew"}"#;
    refused(&mut session, line, -32601, json!(6)).await;
    let line = br#"{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":"next"}}"#;
    refused(&mut session, line, -32602, json!(7)).await;
}

#[tokio::test]
async fn arguments_that_are_no_object() {
    let (mut session, recorder) = session().await;
    let error = session.fail("sonarr_tags", json!({"operation": "get_tag", "arguments": [1]})).await;
    assert_eq!((&error["code"], &error["path"]), (&json!("invalid_arguments"), &json!("arguments")));
    assert!(error["message"].as_str().unwrap().contains("got a list"), "{error}");
    assert!(recorder.take().is_empty());

    recorder.reply(Reply::json(200, r#"{"id": 3, "label": "x"}"#));
    let result = session.call("sonarr_tags", json!({"operation": "get_tag", "arguments": "{\"id\": \"3\"}"})).await;
    assert_eq!(result["structuredContent"], json!({"id": 3, "label": "x"}));
    assert_eq!(recorder.take()[0].uri.path(), "/api/v3/tag/3");
    session.assert_serving().await;
}

#[tokio::test]
async fn a_wrong_type_deep_inside_a_body() {
    let (mut session, recorder) = session().await;
    recorder.reply(Reply::json(200, "{\"id\": 1}"));
    let error = session
        .fail(
            "sonarr_media_library",
            json!({"operation": "update_series", "arguments": {"id": 1, "patch": {
                "title": "Lantern Street",
                "seasons": [{"seasonNumber": 1, "monitored": true}, {"seasonNumber": 2, "monitored": "maybe"}]
            }}}),
        )
        .await;
    assert_eq!(error["path"], "arguments.patch.seasons[1].monitored", "{error}");
    assert!(error["message"].as_str().unwrap().contains("a boolean"), "{error}");
    assert!(recorder.take().iter().all(|request| request.method == "GET"));
    session.assert_serving().await;
}

#[tokio::test]
async fn names_that_are_not_there() {
    let (mut session, recorder) = session().await;
    let error = session.fail("sonarr_tag", json!({"operation": "list_tags"})).await;
    assert_eq!((&error["code"], &error["nearest"]), (&json!("unknown_tool"), &json!("sonarr_tags")));
    assert_eq!(error["accepted"].as_array().unwrap().len(), 15);

    let error = session.fail("sonarr_tags", json!({"operation": "lst_tags"})).await;
    assert_eq!((&error["code"], &error["nearest"]), (&json!("unknown_operation"), &json!("list_tags")));
    assert_eq!(error["accepted"].as_array().unwrap().len(), 7);

    let error = session.fail("sonarr_tags", json!({})).await;
    assert_eq!(error["path"], "operation");
    assert_eq!(error["accepted"].as_array().unwrap().len(), 7);

    let error = session.fail("sonarr_tags", json!({"operation": "list_tags", "arguments": {"page": 1}})).await;
    assert_eq!(error["path"], "arguments.page");

    let error = session.fail("sonarr_tags", json!({"operation": "get_tag", "id": 1})).await;
    assert_eq!(error["path"], "id");
    assert!(error["message"].as_str().unwrap().contains("inside `arguments`"), "{error}");
    assert!(recorder.take().is_empty());
    session.assert_serving().await;
}

#[tokio::test]
async fn a_path_argument_that_would_leave_its_segment() {
    let (mut session, recorder) = session().await;
    let error = session
        .fail("sonarr_media_library", json!({"operation": "get_series", "arguments": {"id": "../series/1?x=1"}}))
        .await;
    assert_eq!(error["path"], "arguments.id");
    // It was looked for among the titles.
    assert!(recorder.take().iter().all(|request| request.uri == "/api/v3/series"));
    for name in ["../series/1?x=1", "..", "%2e%2e%2fseries", "a/b", "a\\b", ""] {
        let call = json!({"operation": "get_log_file", "arguments": {"filename": name}});
        let error = session.fail("sonarr_system_commands", call).await;
        assert_eq!(error["path"], "arguments.filename", "{error}");
    }
    assert!(recorder.take().is_empty());
    session.assert_serving().await;
}
