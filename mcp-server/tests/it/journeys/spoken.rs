//! The same over the protocol, to the program itself.

use serde_json::{Value, json};

use crate::session::Session;

/// What a tool answered, read as a model reads it.
async fn told(session: &mut Session, tool: &str, call: Value) -> Value {
    let answer = session.call(tool, call).await;
    let text = answer["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
    let told: Value = serde_json::from_str(text).unwrap_or_else(|_| panic!("{answer}"));
    // Beside a note, what was answered is the result.
    if told["note"].is_string() { told["result"].clone() } else { told }
}

/// The series of the kind that is found.
async fn found(session: &mut Session) -> Vec<Value> {
    let overview = told(session, "sonarr_system_commands", json!({"operation": "audit_library"})).await;
    let audits = overview["audits"].as_array().unwrap().clone();
    let Some(audit) = audits.iter().find(|audit| audit["kinds"].get("anime_not_typed").is_some()) else {
        return Vec::new();
    };
    let call = json!({"operation": audit["operation"]});
    let list = told(session, audit["tool"].as_str().unwrap(), call).await;
    list["findings"].as_array().unwrap().clone()
}

/// Makes a change, with the consent that is asked for.
async fn change(session: &mut Session, tool: &str, mut call: Value) {
    let preview = told(session, tool, call.clone()).await;
    call["confirm"] = preview["confirm"].clone();
    assert!(call["confirm"].is_string(), "{preview}");
    session.call(tool, call).await;
}

#[tokio::test]
async fn from_counts_to_a_mended_series_and_back() {
    let variables = [
        ("SONARR_MCP_DEMO", "true"),
        ("SONARR_MCP_DEMO_SCENARIO", "anime_not_typed"),
        ("SONARR_MCP_CONFIRM", "always"),
    ];
    let mut session = Session::spawn(&variables).await;
    let before = found(&mut session).await;
    let [finding] = before.as_slice() else { panic!("{before:?}") };
    let read = json!({"operation": "get_series", "arguments": {"id": finding["seriesId"]}});
    let series = told(&mut session, "sonarr_media_library", read.clone()).await;
    let mut call = finding["mend"].clone();
    let tool = call.as_object_mut().unwrap().remove("tool").unwrap();
    change(&mut session, tool.as_str().unwrap(), call).await;
    assert_eq!(found(&mut session).await, [] as [Value; 0]);
    let patch = json!({"id": finding["seriesId"], "patch": {"seriesType": series["seriesType"]}});
    change(&mut session, "sonarr_media_library", json!({"operation": "update_series", "arguments": patch})).await;
    assert_eq!(told(&mut session, "sonarr_media_library", read).await, series);
    assert_eq!(found(&mut session).await, before);
}
