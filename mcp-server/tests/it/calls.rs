//! Calls: what is answered, what is told when Sonarr cannot be reached, and how they end early.

use serde_json::{Value, json};
use sonarr_mcp::generated::GROUPS;

use crate::recorder::{Recorder, Reply};
use crate::session::{KEY, Session};

const LIST_TAGS: &str = "list_tags";

async fn within(concurrency: usize) -> (Session, Recorder) {
    let recorder = Recorder::start().await;
    let session = Session::within(GROUPS, &recorder.url, concurrency).await;
    (session, recorder)
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

#[tokio::test]
async fn an_answer_is_text_and_structure() {
    let (mut session, recorder) = within(4).await;
    recorder.reply(Reply::json(200, r#"[{"id": 1, "label": "kids"}]"#));
    let result = session.call("sonarr_tags", json!({"operation": LIST_TAGS})).await;
    assert_eq!(result["isError"], false);
    assert_eq!(text(&result), r#"[{"id":1,"label":"kids"}]"#);
    assert_eq!(result["structuredContent"], json!({"result": [{"id": 1, "label": "kids"}]}));

    recorder.reply(Reply::json(200, r#"{"id": 1, "label": "kids", "colour": "red"}"#));
    let call = json!({"operation": "sonarr_get_tag", "arguments": {"id": 1}});
    let result = session.call("sonarr_tags", call).await;
    assert_eq!(result["structuredContent"], json!({"id": 1, "label": "kids", "colour": "red"}));
}

#[tokio::test]
async fn an_answer_that_does_not_fit_is_passed_on_with_a_note() {
    let (mut session, recorder) = within(4).await;
    recorder.reply(Reply::json(200, r#"[{"id": {"new": 1}}]"#));
    let result = session.call("sonarr_tags", json!({"operation": LIST_TAGS})).await;
    assert_eq!(result["isError"], false);
    let structured = &result["structuredContent"];
    assert_eq!(structured["result"], json!([{"id": {"new": 1}}]));
    assert!(structured["note"].as_str().unwrap().contains("as it came"), "{structured}");
    assert_eq!(&serde_json::from_str::<Value>(text(&result)).unwrap(), structured);
}

#[tokio::test]
async fn an_empty_answer_is_a_success_of_a_write_and_a_failure_of_a_read() {
    let (mut session, recorder) = within(4).await;
    recorder.reply(Reply::json(200, ""));
    let call = json!({"operation": "delete_tag", "arguments": {"id": 1}});
    let result = session.call("sonarr_tags", call).await;
    assert_eq!(result["structuredContent"]["result"], Value::Null);
    assert!(result["structuredContent"]["note"].as_str().unwrap().contains("200"), "{result}");

    let error = session.fail("sonarr_tags", json!({"operation": LIST_TAGS})).await;
    assert_eq!(error["code"], "unreadable_answer");
}

#[tokio::test]
async fn text_is_text_and_an_image_is_an_image() {
    let (mut session, recorder) = within(4).await;
    recorder.reply(Reply { status: 200, content_type: "text/plain", body: b"one\ntwo".to_vec() });
    let call = json!({"operation": "get_log_file", "arguments": {"filename": "sonarr.txt"}});
    let result = session.call("sonarr_system_commands", call).await;
    assert_eq!(text(&result), "one\ntwo");
    assert_eq!(result["structuredContent"], json!({"result": "one\ntwo"}));

    recorder.reply(Reply { status: 200, content_type: "image/png", body: vec![0x89, b'P', b'N', b'G'] });
    let call = json!({"operation": "get_media_cover", "arguments": {"series_id": 1, "filename": "poster.png"}});
    let result = session.call("sonarr_media_library", call).await;
    assert_eq!(result["content"][0], json!({"type": "image", "data": "iVBORw==", "mimeType": "image/png"}));
    assert_eq!(result["structuredContent"], json!({"result": {"mimeType": "image/png", "bytes": 4}}));
}

#[tokio::test]
async fn plain_meanings_are_sent_as_sonarr_takes_them() {
    let (mut session, recorder) = within(4).await;
    recorder.reply(Reply::json(202, "{}"));
    session
        .call(
            "sonarr_media_library",
            json!({"operation": "update_series", "arguments": {"id": "7", "move_files": "true", "patch": {
                "id": 7, "quality_profile_id": "4", "seasons": [{"seasonNumber": 1.0, "monitored": "false"}]
            }}}),
        )
        .await;
    let request = recorder.take().into_iter().find(|request| request.method == "PUT").unwrap();
    assert_eq!(request.uri.to_string(), "/api/v3/series/7?moveFiles=true");
    let body: Value = serde_json::from_slice(&request.body).unwrap();
    assert_eq!(body["qualityProfileId"], 4, "{body}");
    assert!(body.get("quality_profile_id").is_none(), "{body}");
    assert_eq!(body["seasons"], json!([{"seasonNumber": 1, "monitored": false}]));
}

#[tokio::test]
async fn what_sonarr_refuses_is_told_by_field() {
    let (mut session, recorder) = within(4).await;
    recorder.reply(Reply::json(
        400,
        r#"[{"propertyName": "Label", "errorMessage": "must not be empty", "attemptedValue": "hunter2", "severity": "error"}]"#,
    ));
    let call = json!({"operation": "create_tag", "arguments": {"body": {"label": ""}}});
    let error = session.fail("sonarr_tags", call).await;
    assert_eq!((&error["code"], &error["status"]), (&json!("rejected"), &json!(400)));
    assert_eq!(error["fields"], json!([{"field": "arguments.body.label", "message": "must not be empty"}]));
    assert!(!error.to_string().contains("hunter2"), "{error}");
}

#[tokio::test]
async fn each_status_becomes_its_code() {
    let (mut session, recorder) = within(4).await;
    for (status, body, code) in [
        (401, "", "key_refused"),
        (404, r#"{"message": "NotFound"}"#, "not_found"),
        (404, "", "not_supported"),
        (405, "", "not_supported"),
        (409, r#"{"message": "in use", "description": "at Some.Stack()"}"#, "conflict"),
        (500, r#"{"message": "Sequence contains no elements", "description": "at Some.Stack()"}"#, "sonarr_failed"),
        (503, r#"{"errorMessage": "Sonarr is starting up, please try again later"}"#, "starting_up"),
        (400, r#"{"errors": {"$.label": ["could not be converted"]}}"#, "rejected"),
    ] {
        recorder.reply(Reply::json(status, body));
        let error = session.fail("sonarr_tags", json!({"operation": LIST_TAGS})).await;
        assert_eq!((&error["code"], &error["status"]), (&json!(code), &json!(status)), "{error}");
        assert!(!error.to_string().contains("Some.Stack"), "{error}");
        assert!(!error.to_string().contains(KEY), "{error}");
    }
    recorder.reply(Reply { status: 200, content_type: "text/html", body: b"<html><title>Login</title>".to_vec() });
    let error = session.fail("sonarr_tags", json!({"operation": LIST_TAGS})).await;
    assert_eq!(error["code"], "not_sonarr");
    assert!(error["cure"].as_str().unwrap().contains("SONARR_URL"), "{error}");
}

#[tokio::test]
async fn a_call_says_that_sonarr_is_down_or_not_set() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let nobody = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    for (variables, code, says) in [
        (vec![("SONARR_URL", nobody.as_str()), ("SONARR_API_KEY", KEY)], "unreachable", "connection refused"),
        (vec![("SONARR_URL", "http://sonarr.invalid"), ("SONARR_API_KEY", KEY)], "unreachable", "DNS"),
        (vec![("SONARR_URL", nobody.as_str())], "not_configured", "SONARR_API_KEY"),
        (vec![("SONARR_API_KEY", KEY)], "not_configured", "SONARR_URL"),
        (vec![("SONARR_URL", "http://user:hunter2@host"), ("SONARR_API_KEY", KEY)], "not_configured", "SONARR_URL"),
    ] {
        let mut session = Session::spawn(&variables).await;
        session.assert_serving().await;
        let error = session.fail("sonarr_tags", json!({"operation": LIST_TAGS})).await;
        assert_eq!(error["code"], code, "{error}");
        assert!(error.to_string().contains(says), "{error}");
        session.close();
        let (_, errors) = session.ended().await;
        for secret in [KEY, "hunter2"] {
            assert!(!error.to_string().contains(secret) && !errors.contains(secret), "{error} {errors}");
        }
    }
}

#[tokio::test]
async fn a_time_out_names_the_setting_and_warns_of_a_write() {
    let recorder = Recorder::start().await;
    recorder.hang();
    let variables = [("SONARR_URL", recorder.url.as_str()), ("SONARR_API_KEY", KEY), ("SONARR_MCP_TIMEOUT", "0.3")];
    let mut session = Session::spawn(&variables).await;
    let error = session.fail("sonarr_tags", json!({"operation": LIST_TAGS})).await;
    assert_eq!(error["code"], "timeout");
    assert!(error["cure"].as_str().unwrap().contains("SONARR_MCP_TIMEOUT"), "{error}");
    let call = json!({"operation": "create_tag", "arguments": {"body": {"label": "x"}}});
    let error = session.fail("sonarr_tags", call).await;
    assert!(error["cure"].as_str().unwrap().contains("look before repeating"), "{error}");
    assert_eq!(recorder.take().len(), 2, "nothing is sent twice");
}

#[tokio::test]
async fn cancelling_a_call_stops_its_request() {
    let (mut session, recorder) = within(4).await;
    recorder.hang();
    let id = session.ask("tools/call", json!({"name": "sonarr_tags", "arguments": {"operation": LIST_TAGS}})).await;
    recorder.until_open(1).await;
    session.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})).await;
    recorder.until_open(0).await;
    session.assert_serving().await;
}

#[tokio::test]
async fn no_more_calls_run_at_once_than_are_allowed() {
    let (mut session, recorder) = within(2).await;
    recorder.hang();
    let mut ids = Vec::new();
    for _ in 0..5 {
        let call = json!({"name": "sonarr_tags", "arguments": {"operation": LIST_TAGS}});
        ids.push(session.ask("tools/call", call).await);
    }
    recorder.until_open(2).await;
    // The list is answered while the calls wait, and no third call has begun meanwhile.
    session.assert_serving().await;
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    assert_eq!(recorder.take().len(), 2);
    for id in ids {
        session
            .send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}))
            .await;
    }
    recorder.until_open(0).await;
    session.assert_serving().await;
}

#[tokio::test]
async fn the_log_holds_neither_bodies_nor_the_key() {
    let recorder = Recorder::start().await;
    recorder.reply(Reply::json(200, r#"[{"id": 1, "label": "private-label"}]"#));
    let variables = [("SONARR_URL", recorder.url.as_str()), ("SONARR_API_KEY", KEY), ("SONARR_MCP_LOG", "debug")];
    let mut session = Session::spawn(&variables).await;
    session.call("sonarr_tags", json!({"operation": LIST_TAGS})).await;
    let call = json!({"operation": "create_tag", "arguments": {"body": {"label": {"private": "hunter2"}}}});
    session.fail("sonarr_tags", call).await;
    session.close();
    let (_, errors) = session.ended().await;
    assert!(errors.contains(LIST_TAGS), "debug logs the operation: {errors}");
    for secret in [KEY, "private-label", "hunter2"] {
        assert!(!errors.contains(secret), "{errors}");
    }
}

#[tokio::test]
async fn a_tag_lives_and_dies_in_the_demonstration() {
    let mut session = Session::spawn(&[("SONARR_MCP_DEMO", "true")]).await;
    let call = json!({"operation": "create_tag", "arguments": {"body": {"label": "attic"}}});
    let tag = session.call("sonarr_tags", call).await["structuredContent"].clone();
    assert_eq!(tag["label"], "attic", "{tag}");
    let id = tag["id"].clone();

    let call = json!({"operation": "update_tag", "arguments": {"id": id, "patch": {"label": "cellar"}}});
    let changed = session.call("sonarr_tags", call).await["structuredContent"]["changed"].clone();
    assert_eq!(changed, json!([{"path": "label", "before": "attic", "after": "cellar"}]));
    let call = json!({"operation": "get_tag", "arguments": {"id": id}});
    assert_eq!(session.call("sonarr_tags", call.clone()).await["structuredContent"]["label"], "cellar");

    let mut delete = json!({"operation": "delete_tag", "arguments": {"id": id}});
    let preview = session.call("sonarr_tags", delete.clone()).await["structuredContent"]["result"].clone();
    assert_eq!(session.call("sonarr_tags", call.clone()).await["isError"], false, "it is still there");
    delete["confirm"] = preview["confirm"].clone();
    assert_eq!(session.call("sonarr_tags", delete).await["isError"], false);
    assert_eq!(session.fail("sonarr_tags", call).await["code"], "not_found");
}
