//! Writes that are disturbed, and the right report of what happened.

use embedded_sonarr::{Fault, FaultKind};
use serde_json::{Value, json};
use sonarr_mcp::failure::Code;
use sonarr_mcp::write::consent::Mode;

use super::Pair;

fn rename() -> Value {
    json!({"operation": "update_tag", "arguments": {"id": 1, "patch": {"label": "renamed"}}})
}

fn label(pair: &Pair) -> Value {
    pair.sonarr.object("tag", 1).unwrap()["label"].clone()
}

#[tokio::test]
async fn a_connection_lost_between_read_and_write_writes_nothing() {
    let pair = Pair::start(Mode::Never).await;
    let before = label(&pair);
    // The object is read twice before it is written.
    for reads in [0, 1] {
        pair.sonarr.clear_requests();
        for _ in 0..reads {
            pair.sonarr.inject(Fault::new(FaultKind::Latency(std::time::Duration::ZERO)).times(1).on_path("tag/1"));
        }
        pair.sonarr.inject(Fault::new(FaultKind::Reset).on_path("tag/1"));
        let failure = pair.failure(rename()).await;
        assert!(matches!(failure.code, Code::Unreachable | Code::UnreadableAnswer), "{failure}");
        assert!(pair.writes().is_empty());
        pair.sonarr.clear_faults();
    }
    assert_eq!(label(&pair), before);
}

#[tokio::test]
async fn an_answer_lost_after_the_write_is_told_as_a_change() {
    let pair = Pair::start(Mode::Never).await;
    for (kind, note) in
        [(FaultKind::Reset, Some("reading the object again shows the change")), (FaultKind::TruncatedJson, None)]
    {
        let next = format!("renamed {kind:?}").to_lowercase();
        pair.sonarr.inject(Fault::new(kind).times(1).on_method("PUT"));
        let call = json!({"operation": "update_tag", "arguments": {"id": 1, "patch": {"label": next}}});
        let answer = pair.answer_to(call).await;
        assert_eq!(label(&pair), json!(next));
        let shown = if note.is_some() { &answer["result"] } else { &answer };
        assert_eq!(shown["changed"][0]["after"], json!(next), "{answer}");
        assert!(shown["changed"][0].get("stored").is_none(), "{answer}");
        assert_eq!(answer["note"].as_str().map(|it| it.contains(note.unwrap_or("-"))), note.map(|_| true), "{answer}");
    }
}

/// A proxy says 200 and has passed nothing on.
#[tokio::test]
async fn a_success_that_is_none_is_seen_through() {
    let pair = Pair::start(Mode::Never).await;
    let before = label(&pair);
    pair.sonarr.inject(Fault::new(FaultKind::EmptyAnswer).times(1).on_method("PUT"));
    let answer = pair.answer_to(rename()).await;
    assert_eq!(label(&pair), before);
    assert_eq!(answer["result"]["changed"][0]["stored"], before, "{answer}");
    assert!(answer["note"].as_str().unwrap().contains("did not store"), "{answer}");
}

#[tokio::test]
async fn a_write_that_did_not_happen_is_told_as_none() {
    let pair = Pair::start(Mode::Never).await;
    let before = label(&pair);
    pair.sonarr.inject(Fault::new(FaultKind::ServerError).times(1).on_method("PUT"));
    let failure = pair.failure(rename()).await;
    assert_eq!(failure.code, Code::SonarrFailed, "{failure}");
    assert_eq!(label(&pair), before);
}

/// The object changes under the hands of the server: each read shows another one.
#[tokio::test]
async fn an_object_that_keeps_changing_is_not_written() {
    use crate::recorder::{Recorder, Reply};
    let recorder = Recorder::start().await;
    let target = sonarr_mcp::config::Target {
        url: Some(recorder.url.clone()),
        api_key: sonarr_mcp::config::ApiKey::new(crate::session::KEY),
        ..Default::default()
    };
    let connection = sonarr_mcp::connection::Connection::new(target);
    let server = sonarr_mcp::dispatch::Dispatcher::new(sonarr_mcp::generated::GROUPS, connection, false);
    for (changes, code, puts) in [(1, None, 1), (99, Some(Code::Conflict), 0)] {
        recorder.reply_in_turn(
            (0..=changes).map(|turn| Reply::json(200, &format!("{{\"id\": 1, \"label\": \"turn {turn}\"}}"))).collect(),
        );
        let Value::Object(call) = rename() else { panic!() };
        let outcome = server.call("sonarr_tags", call).await;
        assert_eq!(outcome.as_ref().err().map(|failure| failure.code), code, "{outcome:?}");
        let requests = recorder.take();
        let sent: Vec<_> = requests.iter().filter(|request| request.method == "PUT").collect();
        assert_eq!(sent.len(), puts, "{requests:?}");
    }
}
