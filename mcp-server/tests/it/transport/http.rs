//! Streamable HTTP.

use serde_json::{Value, json};

use super::client::{Events, Session, answer, call, client, initialize, post, stateless, stateless_call};
use super::fixture;

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {answer}"))
}

#[tokio::test]
async fn a_session_of_each_revision_that_has_them() {
    let served = fixture::http().await;
    for revision in ["2025-03-26", "2025-06-18", "2025-11-25"] {
        let session = Session::open(&served.url, revision).await;
        let answer = session.ask(&call(7, "echo", json!({"text": revision}))).await;
        assert_eq!((&answer["id"], text(&answer)), (&json!(7), revision));
    }
}

#[tokio::test]
async fn sixty_four_clients_at_once_get_each_their_own_answers() {
    const CLIENTS: i64 = 64;
    const CALLS: i64 = 8;
    let served = fixture::http().await;
    let clients = (0..CLIENTS).map(|number| {
        let url = served.url.clone();
        tokio::spawn(async move {
            let session = Session::open(&url, "2025-11-25").await;
            // All clients use the same ids, so only the session tells them apart.
            let calls = (0..CALLS).map(|id| {
                let session = session.clone();
                tokio::spawn(async move {
                    let said = format!("client {number} call {id}");
                    let answer = session.ask(&call(id, "echo", json!({"text": said}))).await;
                    assert_eq!((&answer["id"], text(&answer)), (&json!(id), said.as_str()));
                })
            });
            for call in calls.collect::<Vec<_>>() {
                call.await.unwrap();
            }
            session.id
        })
    });
    let mut ids = Vec::new();
    for client in clients.collect::<Vec<_>>() {
        ids.push(client.await.unwrap());
    }
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 64);
}

#[tokio::test]
async fn the_newest_revision_needs_no_session_and_is_answered_in_json() {
    let served = fixture::http().await;
    let url = format!("{}/mcp", served.url);
    let discover = json!({
        "jsonrpc": "2.0",
        "id": 1,
        "method": "server/discover",
        "params": {"_meta": stateless_call(1, "", json!({}))["params"]["_meta"]}
    });
    let response = stateless(&url, &discover).send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "application/json");
    assert!(response.headers().get("mcp-session-id").is_none());
    let answer: Value = response.json().await.unwrap();
    let versions = answer["result"]["supportedVersions"].as_array().unwrap_or_else(|| panic!("{answer}"));
    assert!(versions.contains(&json!("2026-07-28")), "{answer}");

    let message = stateless_call(2, "echo", json!({"text": "hello"}));
    let response = stateless(&url, &message).send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "application/json");
    assert_eq!(text(&response.json().await.unwrap()), "hello");
}

#[tokio::test]
async fn the_newest_revision_has_no_handshake() {
    let served = fixture::http().await;
    let url = format!("{}/mcp", served.url);
    let mut message = initialize("2026-07-28");
    message["params"]["_meta"] = stateless_call(1, "", json!({}))["params"]["_meta"].clone();
    let response = stateless(&url, &message).send().await.unwrap();
    assert_eq!(response.status(), 404);
    let answer = answer(response).await;
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!("first"), &json!(-32601)));
}

#[tokio::test]
async fn progress_makes_a_stream_of_the_answer() {
    let served = fixture::http().await;
    let mut message = stateless_call(2, "wait", json!({"ms": 20, "text": "done"}));
    message["params"]["_meta"]["progressToken"] = json!("p");
    let response = stateless(&format!("{}/mcp", served.url), &message).send().await.unwrap();
    let mut events = Events::of(response);
    let progress = events.message().await;
    assert_eq!(progress["method"], "notifications/progress");
    assert_eq!(progress["params"]["progressToken"], "p");
    assert_eq!(text(&events.message().await), "done");
    assert_eq!(events.next().await, None);

    let session = Session::open(&served.url, "2025-11-25").await;
    let mut message = call(3, "wait", json!({"ms": 20, "text": "done"}));
    message["params"]["_meta"] = json!({"progressToken": 5});
    let mut events = Events::of(session.send(&message).await);
    assert_eq!(events.message().await["params"]["progressToken"], 5);
    assert_eq!(text(&events.message().await), "done");
    assert_eq!(events.next().await, None);
}

#[tokio::test]
async fn a_cancelled_call_stops_and_its_stream_ends() {
    let served = fixture::http().await;
    let session = Session::open(&served.url, "2025-11-25").await;
    let mut events = Events::of(session.send(&call(4, "wait", json!({"ms": 60_000}))).await);
    served.waiting.until(1).await;
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 4}});
    assert_eq!(session.send(&cancel).await.status(), 202);
    served.waiting.until(0).await;
    assert_eq!(events.next().await, None);
}

#[tokio::test]
async fn a_client_that_leaves_cancels_its_stateless_call() {
    let served = fixture::http().await;
    let message = stateless_call(4, "wait", json!({"ms": 60_000}));
    let request = stateless(&format!("{}/mcp", served.url), &message).send();
    let waiting = tokio::spawn(request);
    served.waiting.until(1).await;
    waiting.abort();
    served.waiting.until(0).await;
}

#[tokio::test]
async fn a_session_ends_when_its_client_says_so() {
    let served = fixture::http().await;
    let session = Session::open(&served.url, "2025-11-25").await;
    let ended = session.headers(client().delete(&session.url)).send().await.unwrap();
    assert_eq!(ended.status(), 204);
    assert_eq!(session.send(&call(1, "echo", json!({}))).await.status(), 404);
}

#[tokio::test]
async fn what_is_no_message_is_answered_with_what_is_wrong() {
    let served = fixture::http().await;
    let url = format!("{}/mcp", served.url);
    for (body, code) in [("nonsense", -32700), ("{}", -32600), ("[]", -32600), ("", -32600), ("\"\"", -32600)] {
        let response = post(&url, &Value::Null).body(body).send().await.unwrap();
        assert_eq!(response.status(), 400, "{body}");
        assert_eq!(answer(response).await["error"]["code"], code, "{body}");
    }
    let session = Session::open(&served.url, "2025-11-25").await;
    let answer = session.ask(&call(1, "echo", json!({"text": "still here"}))).await;
    assert_eq!(text(&answer), "still here");
}

#[tokio::test]
async fn other_paths_lead_nowhere() {
    let served = fixture::http().await;
    for path in ["/", "/sse", "/messages/", "/mcp/x"] {
        let response = client().get(format!("{}{path}", served.url)).send().await.unwrap();
        assert_eq!(response.status(), 404, "{path}");
        assert!(response.text().await.unwrap().contains("/mcp"));
    }
    let unknown = Session { url: format!("{}/mcp", served.url), id: "x".to_owned(), revision: "2025-11-25".to_owned() };
    assert_eq!(unknown.send(&call(1, "echo", json!({}))).await.status(), 404);
}
