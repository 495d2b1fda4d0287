//! Beginning and end: what comes before the handshake, and how the program stops.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::recorder::Recorder;
use crate::session::{KEY, Session};

/// What "at once" means on a busy machine.
const AT_ONCE: Duration = Duration::from_secs(3);

#[tokio::test]
async fn the_handshake_names_the_product() {
    let mut session = Session::spawn_silent(&[]);
    let answer = session.initialize().await;
    assert_eq!(answer["serverInfo"]["name"], "sonarr-mcp");
    assert_eq!(answer["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(answer["protocolVersion"], "2025-11-25");
    assert!(answer["capabilities"]["tools"].is_object(), "{answer}");
}

#[tokio::test]
async fn every_revision_with_a_handshake_is_spoken() {
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut session = Session::spawn_silent(&[]);
        let client = json!({
            "protocolVersion": revision,
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}
        });
        let answer = session.request("initialize", client).await;
        assert_eq!(answer["result"]["protocolVersion"], revision, "{answer}");
        session.assert_serving().await;
    }
}

#[tokio::test]
async fn what_comes_before_the_handshake_does_no_harm() {
    let mut session = Session::spawn_silent(&[]);
    for message in [
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}}),
        json!({"jsonrpc": "2.0", "id": 9, "result": {}}),
        json!({"jsonrpc": "2.0", "id": 9, "error": {"code": -32603, "message": "?"}}),
    ] {
        session.send(&message).await;
    }
    session.raw(b"nonsense\n").await;
    assert_eq!(session.receive().await["error"]["code"], -32700);
    let early = session.request("tools/call", json!({"name": "sonarr_tags"})).await;
    assert!(early["error"]["code"].is_i64(), "{early}");
    session.initialize().await;
    session.assert_serving().await;
}

#[tokio::test]
async fn a_handshake_that_is_none_may_be_done_again() {
    let mut session = Session::spawn_silent(&[]);
    let answer = session.request("initialize", json!({"protocolVersion": 3})).await;
    assert!(answer["error"]["code"].is_i64(), "{answer}");
    session.initialize().await;
    session.assert_serving().await;
}

#[tokio::test]
async fn a_last_line_needs_no_newline() {
    let mut session = Session::spawn(&[]).await;
    session.raw(br#"{"jsonrpc":"2.0","id":"last","method":"tools/list"}"#).await;
    session.close();
    assert_eq!(session.receive().await["id"], "last");
    let (status, _) = session.ended().await;
    assert!(status.success(), "{status}");
}

#[tokio::test]
async fn the_end_of_input_ends_the_program() {
    let mut session = Session::spawn(&[]).await;
    let start = Instant::now();
    session.close();
    let (status, errors) = session.ended().await;
    assert!(status.success(), "{status}");
    assert!(start.elapsed() < AT_ONCE, "{:?}", start.elapsed());
    assert_eq!(errors, "");
}

#[tokio::test]
async fn the_end_of_input_before_the_handshake_ends_the_program() {
    let mut session = Session::spawn_silent(&[]);
    session.close();
    let (status, errors) = session.ended().await;
    assert!(status.success(), "{status}");
    assert_eq!(errors, "");
}

#[tokio::test]
async fn the_end_of_input_ends_a_call_that_hangs() {
    let recorder = Recorder::start().await;
    recorder.hang();
    let mut session = Session::spawn(&[("SONARR_URL", &recorder.url), ("SONARR_API_KEY", KEY)]).await;
    session.ask("tools/call", json!({"name": "sonarr_tags", "arguments": {"operation": "list_tags"}})).await;
    recorder.until_open(1).await;
    let start = Instant::now();
    session.close();
    let (status, _) = session.ended().await;
    assert!(status.success(), "{status}");
    assert!(start.elapsed() < AT_ONCE, "{:?}", start.elapsed());
    recorder.until_open(0).await;
}

#[cfg(unix)]
mod signals {
    use super::*;

    fn signal(session: &Session, name: &str) {
        let status =
            std::process::Command::new("kill").args([name, &session.process_id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    async fn ends_on(name: &str, session: Session) {
        let start = Instant::now();
        signal(&session, name);
        let (status, errors) = session.ended().await;
        assert_eq!(status.code(), Some(0), "{status}");
        assert!(start.elapsed() < AT_ONCE, "{:?}", start.elapsed());
        assert_eq!(errors, "");
    }

    #[tokio::test]
    async fn a_signal_ends_the_program() {
        for name in ["-TERM", "-INT"] {
            ends_on(name, Session::spawn(&[]).await).await;
        }
    }

    #[tokio::test]
    async fn a_signal_ends_a_call_that_hangs() {
        let recorder = Recorder::start().await;
        recorder.hang();
        let mut session = Session::spawn(&[("SONARR_URL", &recorder.url), ("SONARR_API_KEY", KEY)]).await;
        session.ask("tools/call", json!({"name": "sonarr_tags", "arguments": {"operation": "list_tags"}})).await;
        recorder.until_open(1).await;
        ends_on("-TERM", session).await;
        recorder.until_open(0).await;
    }
}
