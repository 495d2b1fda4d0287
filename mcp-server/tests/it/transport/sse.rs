//! The pair of revision 2024-11-05.

use serde_json::{Value, json};

use super::client::{OldSession, answer, call, client, initialize, post};
use super::fixture;

#[tokio::test]
async fn a_session_from_the_endpoint_to_an_answer() {
    let served = fixture::sse().await;
    let mut session = OldSession::begin(&served.url).await;
    let answer = session.ask(&call("a", "echo", json!({"text": "line one\nline two\r\nü"}))).await;
    assert_eq!(answer["id"], "a");
    assert_eq!(answer["result"]["content"][0]["text"], "line one\nline two\r\nü");
    let tools = session.ask(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})).await;
    assert_eq!(tools["result"]["tools"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn sixty_four_sessions_at_once_get_each_their_own_answers() {
    let served = fixture::sse().await;
    let sessions = (0..64).map(|number: i64| {
        let url = served.url.clone();
        tokio::spawn(async move {
            let mut session = OldSession::begin(&url).await;
            for id in 0..8 {
                session.send(&call(id, "echo", json!({"text": format!("{number}/{id}")}))).await;
            }
            let mut answers = Vec::new();
            for _ in 0..8 {
                let answer = session.events.message().await;
                let text = answer["result"]["content"][0]["text"].as_str().unwrap().to_owned();
                assert_eq!(text, format!("{number}/{}", answer["id"]));
                answers.push(text);
            }
            answers.sort();
            answers.dedup();
            assert_eq!(answers.len(), 8);
        })
    });
    for session in sessions.collect::<Vec<_>>() {
        session.await.unwrap();
    }
}

#[tokio::test]
async fn what_comes_before_the_handshake_does_no_harm() {
    let served = fixture::sse().await;
    let mut session = OldSession::open(&served.url).await;
    session.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    let answer = session.ask(&initialize("2024-11-05")).await;
    assert_eq!(answer["id"], "first", "{answer}");
}

#[tokio::test]
async fn messages_without_a_session_are_refused() {
    let served = fixture::sse().await;
    let session = OldSession::begin(&served.url).await;
    let base = format!("{}/messages/", served.url);
    let unknown = format!("{base}?session_id=00000000000000000000000000000000");
    for (url, status) in [(base.clone(), 400), (unknown, 404), (format!("{base}?session_id=x"), 404)] {
        let response = post(&url, &call(1, "echo", json!({}))).send().await.unwrap();
        assert_eq!(response.status(), status, "{url}");
        assert!(answer(response).await["error"]["message"].as_str().unwrap().contains("/sse"));
    }
    let response = post(&session.messages, &Value::Null).body("nonsense").send().await.unwrap();
    assert_eq!(response.status(), 400);
    assert_eq!(answer(response).await["error"]["code"], -32700);
}

#[tokio::test]
async fn a_session_ends_with_its_stream_and_so_do_its_calls() {
    let served = fixture::sse().await;
    let session = OldSession::begin(&served.url).await;
    session.send(&call(1, "wait", json!({"ms": 60_000}))).await;
    served.waiting.until(1).await;
    let OldSession { events, messages } = session;
    drop(events);
    served.waiting.until(0).await;
    // The session is forgotten soon after its calls have ended.
    for _ in 0..100 {
        let response = post(&messages, &call(1, "echo", json!({}))).send().await.unwrap();
        if response.status() == 404 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("the session is still there");
}

#[tokio::test]
async fn a_cancelled_call_stops() {
    let served = fixture::sse().await;
    let mut session = OldSession::begin(&served.url).await;
    session.send(&call(1, "wait", json!({"ms": 60_000}))).await;
    served.waiting.until(1).await;
    session.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})).await;
    served.waiting.until(0).await;
    assert_eq!(session.ask(&call(2, "echo", json!({"text": "next"}))).await["id"], 2);
}

#[tokio::test]
async fn streamable_http_is_not_served_beside_it() {
    let served = fixture::sse().await;
    let response = post(&format!("{}/mcp", served.url), &initialize("2025-11-25")).send().await.unwrap();
    assert_eq!(response.status(), 404);
    assert!(response.text().await.unwrap().contains("/sse"));
    let response = client().get(format!("{}/messages/", served.url)).send().await.unwrap();
    assert_eq!(response.status(), 405);
}
