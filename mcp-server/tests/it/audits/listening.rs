//! What a client is told while an audit goes on.

use std::time::Duration;

use embedded_sonarr::{EmbeddedSonarr, Options, Scenario};
use serde_json::{Value, json};

use crate::session::Session;

#[tokio::test]
async fn a_client_is_told_what_is_looked_at() {
    let options = Options {
        scenarios: vec![Scenario::clean()],
        api_key: crate::session::KEY.to_owned(),
        faults: vec!["latency=1300ms".parse().unwrap()],
        ..Options::default()
    };
    let sonarr = EmbeddedSonarr::start(options).await.unwrap();
    let mut session = Session::within(sonarr_mcp::generated::GROUPS, &sonarr.url(), 4).await;
    let params = json!({
        "name": "sonarr_system_commands", "arguments": {"operation": "audit_library"},
        "_meta": {"progressToken": 7},
    });
    let id = session.ask("tools/call", params).await;
    let mut told = Vec::new();
    let answer = tokio::time::timeout(Duration::from_secs(120), async {
        loop {
            let message = session.receive().await;
            if message["id"] == id {
                return message;
            }
            told.push(message);
        }
    });
    let answer: Value = answer.await.unwrap();
    assert_eq!(answer["result"]["structuredContent"]["total"], 0, "{answer}");
    let messages: Vec<&str> = told.iter().filter_map(|told| told["params"]["message"].as_str()).collect();
    assert!(messages.iter().any(|message| message.contains("audits made")), "{messages:?}");
}
