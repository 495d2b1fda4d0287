//! The protocol beside the calls: resources, prompts, completions, the log, progress, pages.

use embedded_sonarr::{EmbeddedSonarr, Options};
use serde_json::{Value, json};

use crate::recorder::Recorder;
use crate::session::{KEY, Session};

/// A session with an embedded Sonarr, which lives as long as what is returned.
async fn with_sonarr() -> (Session, EmbeddedSonarr) {
    let sonarr = EmbeddedSonarr::start(Options::default()).await.unwrap();
    let variables = [("SONARR_URL", sonarr.url()), ("SONARR_API_KEY", sonarr.api_key().to_owned())];
    let session = Session::spawn(&variables.each_ref().map(|(name, value)| (*name, value.as_str()))).await;
    (session, sonarr)
}

/// The metadata each request of revision 2026-07-28 has.
fn of_newest(mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    params
}

async fn values(session: &mut Session, reference: Value, argument: &str, typed: &str) -> Vec<String> {
    let params = json!({"ref": reference, "argument": {"name": argument, "value": typed}});
    let answer = session.request("completion/complete", params).await;
    let values = answer["result"]["completion"]["values"].as_array().unwrap_or_else(|| panic!("{answer}"));
    values.iter().map(|value| value.as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn what_is_there_is_announced() {
    let mut session = Session::spawn_silent(&[]);
    let capabilities = session.initialize().await["capabilities"].clone();
    for name in ["tools", "resources", "prompts", "completions", "logging"] {
        assert!(capabilities[name].is_object(), "{name}: {capabilities}");
    }
}

#[tokio::test]
async fn the_newest_revision_needs_no_handshake() {
    let mut session = Session::spawn_silent(&[]);
    let answer = session.request("server/discover", of_newest(json!({}))).await;
    let versions = answer["result"]["supportedVersions"].as_array().unwrap_or_else(|| panic!("{answer}"));
    for version in ["2024-11-05", "2025-11-25", "2026-07-28"] {
        assert!(versions.contains(&json!(version)), "{answer}");
    }
    let answer = session.request("tools/list", of_newest(json!({}))).await;
    assert_eq!(answer["result"]["tools"].as_array().map(Vec::len), Some(15), "{answer}");
    let refused = session.request("tools/list", json!({})).await;
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
}

#[tokio::test]
async fn everything_is_in_one_page() {
    let mut session = Session::spawn(&[]).await;
    for (method, member) in [
        ("tools/list", "tools"),
        ("resources/list", "resources"),
        ("resources/templates/list", "resourceTemplates"),
        ("prompts/list", "prompts"),
    ] {
        let page = session.request(method, json!({})).await;
        assert!(page["result"][member].as_array().is_some_and(|list| !list.is_empty()), "{page}");
        assert!(page["result"]["nextCursor"].is_null());
        let refused = session.request(method, json!({"cursor": "2"})).await;
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
    }
}

#[tokio::test]
async fn every_resource_that_is_listed_can_be_read() {
    let (mut session, _sonarr) = with_sonarr().await;
    let listed = session.request("resources/list", json!({})).await;
    let uris: Vec<Value> =
        listed["result"]["resources"].as_array().unwrap().iter().map(|resource| resource["uri"].clone()).collect();
    assert_eq!(uris.len(), 21, "{uris:?}");
    for uri in uris {
        let read = session.request("resources/read", json!({"uri": uri})).await;
        let content = &read["result"]["contents"][0];
        assert_eq!(content["uri"], uri, "{read}");
        assert!(serde_json::from_str::<Value>(content["text"].as_str().unwrap()).is_ok(), "{read}");
    }
    let series = session.request("resources/read", json!({"uri": "sonarr://live/series/1"})).await;
    assert!(series["result"]["contents"][0]["text"].as_str().unwrap().contains("\"id\":1"), "{series}");
    let none = session.request("resources/read", json!({"uri": "file:///etc/passwd"})).await;
    assert_eq!(none["error"]["code"], -32002, "{none}");
}

#[tokio::test]
async fn prompts_are_filled_in() {
    let mut session = Session::spawn(&[]).await;
    let listed = session.request("prompts/list", json!({})).await;
    assert_eq!(listed["result"]["prompts"].as_array().map(Vec::len), Some(6), "{listed}");
    let params = json!({"name": "missing_episode", "arguments": {"series": "Some Series"}});
    let prompt = session.request("prompts/get", params).await;
    let message = &prompt["result"]["messages"][0];
    assert_eq!(message["role"], "user");
    assert!(message["content"]["text"].as_str().unwrap().contains("\"Some Series\""), "{prompt}");
    let refused = session.request("prompts/get", json!({"name": "missing_episode"})).await;
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
}

#[tokio::test]
async fn arguments_are_completed_from_the_tables_and_from_sonarr() {
    let (mut session, _sonarr) = with_sonarr().await;
    let operation = json!({"type": "ref/resource", "uri": "sonarr://reference/operations/{operation}"});
    assert_eq!(values(&mut session, operation, "operation", "list_tag").await, ["list_tags", "list_tag_details"]);

    let series = session.call("sonarr_media_library", json!({"operation": "list_series"})).await;
    let series = &series["structuredContent"]["result"];
    let (title, id) = (series[0]["title"].as_str().unwrap(), series[0]["id"].to_string());
    let prompt = |name: &str| json!({"type": "ref/prompt", "name": name});
    let typed = title.to_lowercase();
    let found = values(&mut session, prompt("missing_episode"), "series", &typed).await;
    assert!(found.iter().any(|found| found == title), "{found:?}");
    let template = json!({"type": "ref/resource", "uri": "sonarr://live/series/{id}"});
    assert!(values(&mut session, template, "id", title).await.contains(&id));
    for argument in ["quality_profile", "root_folder", "tag"] {
        assert!(!values(&mut session, prompt("add_series"), argument, "").await.is_empty(), "{argument}");
    }
    assert!(values(&mut session, prompt("airing_this_week"), "days", "").await.is_empty());
    assert_eq!(values(&mut session, prompt("check_library"), "audit", "audit_miss").await, ["audit_missing"]);

    let params = json!({"ref": prompt("add_series"), "argument": {"name": "none", "value": ""}});
    let refused = session.request("completion/complete", params).await;
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
}

#[tokio::test]
async fn names_are_asked_for_once_in_a_while() {
    let recorder = Recorder::start().await;
    let mut session = Session::spawn(&[("SONARR_URL", &recorder.url), ("SONARR_API_KEY", KEY)]).await;
    for typed in ["a", "ab", "abc"] {
        values(&mut session, json!({"type": "ref/prompt", "name": "add_series"}), "tag", typed).await;
    }
    assert_eq!(recorder.take().len(), 1);
}

#[tokio::test]
async fn without_sonarr_there_is_nothing_to_complete() {
    let mut session = Session::spawn(&[]).await;
    assert!(values(&mut session, json!({"type": "ref/prompt", "name": "add_series"}), "tag", "").await.is_empty());
}

#[tokio::test]
async fn the_log_is_told_from_the_level_asked_for() {
    let mut session = Session::spawn(&[]).await;
    let unconfigured = json!({"name": "sonarr_tags", "arguments": {"operation": "list_tags"}});
    // Who asks for no level is told nothing: the answer is the next message.
    session.request("tools/call", unconfigured.clone()).await;

    assert!(session.request("logging/setLevel", json!({"level": "error"})).await["result"].is_object());
    session.ask("tools/call", unconfigured.clone()).await;
    let message = session.receive().await;
    assert_eq!(message["method"], "notifications/message", "{message}");
    assert_eq!(message["params"]["level"], "error");
    let data = &message["params"]["data"];
    assert_eq!((&data["tool"], &data["operation"]), (&json!("sonarr_tags"), &json!("list_tags")));
    assert_eq!(data["outcome"], "not_configured");
    assert!(session.receive().await["result"].is_object());

    assert!(session.request("logging/setLevel", json!({"level": "critical"})).await["result"].is_object());
    session.request("tools/call", unconfigured).await;
    let refused = session.request("logging/setLevel", json!({"level": "loud"})).await;
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
}

#[tokio::test]
async fn the_newest_revision_asks_for_the_log_in_each_request() {
    let mut session = Session::spawn_silent(&[]);
    let call = of_newest(json!({"name": "sonarr_tags", "arguments": {"operation": "list_tags"}}));
    session.request("tools/call", call.clone()).await;
    let none = session.request("logging/setLevel", of_newest(json!({"level": "debug"}))).await;
    assert_eq!(none["error"]["code"], -32601, "{none}");
    let mut telling = call;
    telling["_meta"]["io.modelcontextprotocol/logLevel"] = json!("debug");
    session.ask("tools/call", telling).await;
    assert_eq!(session.receive().await["method"], "notifications/message");
    assert!(session.receive().await["result"].is_object());
}

#[tokio::test]
async fn a_long_call_tells_that_it_goes_on() {
    let recorder = Recorder::start().await;
    recorder.hang();
    let mut session = Session::spawn(&[("SONARR_URL", &recorder.url), ("SONARR_API_KEY", KEY)]).await;
    let call = json!({
        "name": "sonarr_tags",
        "arguments": {"operation": "list_tags"},
        "_meta": {"progressToken": "p"},
    });
    let id = session.ask("tools/call", call).await;
    let mut last = 0.0;
    for _ in 0..2 {
        let progress = session.receive().await;
        assert_eq!(progress["method"], "notifications/progress", "{progress}");
        assert_eq!(progress["params"]["progressToken"], "p");
        let now = progress["params"]["progress"].as_f64().unwrap();
        assert!(now > last, "{progress}");
        last = now;
    }
    session.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})).await;
    recorder.until_open(0).await;
    session.assert_serving().await;
}
