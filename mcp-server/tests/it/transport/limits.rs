//! What is too much.

use std::time::Duration;

use serde_json::{Value, json};
use sonarr_mcp::transport::limits::Limits;
use sonarr_mcp::transport::network::{Network, Protocol};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::client::{Events, OldSession, Session, answer, call, client, initialize, post};
use super::fixture::{Served, network, serve};

async fn limited(protocol: Protocol, limits: Limits) -> Served {
    serve(protocol, Network { limits, ..network() }).await
}

#[tokio::test]
async fn a_message_that_is_too_long() {
    let limits = Limits { message_bytes: 2000, ..Limits::default() };
    let served = limited(Protocol::Http, limits.clone()).await;
    let session = Session::open(&served.url, "2025-11-25").await;
    let long = call(1, "echo", json!({"text": "x".repeat(2000)}));
    let response = session.send(&long).await;
    assert_eq!(response.status(), 413);
    assert!(answer(response).await["error"]["message"].as_str().unwrap().contains("2000 bytes"));
    let fits = call(1, "echo", json!({"text": "x".repeat(1000)}));
    assert_eq!(session.ask(&fits).await["id"], 1);

    let served = limited(Protocol::Sse, limits).await;
    let mut session = OldSession::begin(&served.url).await;
    assert_eq!(post(&session.messages, &long).send().await.unwrap().status(), 413);
    assert_eq!(session.ask(&fits).await["id"], 1);
}

#[tokio::test]
async fn a_message_that_does_not_arrive() {
    let served = limited(Protocol::Http, Limits { message_wait: Duration::from_millis(50), ..Limits::default() }).await;
    let address = served.url.trim_start_matches("http://");
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let head = format!("POST /mcp HTTP/1.1\r\nhost: {address}\r\ncontent-length: 100\r\n\r\n{{");
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 408");
}

#[tokio::test]
async fn more_sessions_than_there_may_be() {
    let limits = Limits { sessions: 2, ..Limits::default() };
    let served = limited(Protocol::Http, limits.clone()).await;
    let first = Session::open(&served.url, "2025-11-25").await;
    let second = Session::open(&served.url, "2025-11-25").await;
    let refused = post(&first.url, &initialize("2025-11-25")).send().await.unwrap();
    assert_eq!((refused.status().as_u16(), refused.headers().contains_key("retry-after")), (503, true));
    assert_eq!(second.ask(&call(1, "echo", json!({}))).await["id"], 1);
    first.headers(client().delete(&first.url)).send().await.unwrap();
    Session::open(&served.url, "2025-11-25").await;

    let served = limited(Protocol::Sse, limits).await;
    let _first = OldSession::begin(&served.url).await;
    let _second = OldSession::begin(&served.url).await;
    let refused = client().get(format!("{}/sse", served.url)).send().await.unwrap();
    assert_eq!(refused.status(), 503);
}

#[tokio::test]
async fn a_session_nobody_uses_expires_but_one_with_a_stream_does_not() {
    let limits = Limits { session_idle: Duration::from_millis(150), ..Limits::default() };
    let served = limited(Protocol::Http, limits).await;
    let idle = Session::open(&served.url, "2025-11-25").await;
    let listening = Session::open(&served.url, "2025-11-25").await;
    let _stream = listening.listen().await;
    let busy = Session::open(&served.url, "2025-11-25").await;
    let mut long = Events::of(busy.send(&call(1, "wait", json!({"ms": 600, "text": "done"}))).await);
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(idle.send(&call(1, "echo", json!({}))).await.status(), 404);
    assert_eq!(listening.ask(&call(1, "echo", json!({}))).await["id"], 1);
    assert_eq!(long.message().await["result"]["content"][0]["text"], "done");
}

#[tokio::test]
async fn more_calls_than_there_may_be() {
    let limits = Limits { calls: 2, call_wait: Duration::from_millis(50), ..Limits::default() };
    let served = limited(Protocol::Http, limits.clone()).await;
    let session = Session::open(&served.url, "2025-11-25").await;
    let wait = |id: i64| call(id, "wait", json!({"ms": 60_000}));
    let open: Vec<_> = [session.send(&wait(1)).await, session.send(&wait(2)).await].into();
    served.waiting.until(2).await;
    assert_eq!(session.send(&call(3, "echo", json!({}))).await.status(), 503);
    // What is not to be answered is taken all the same.
    let notification = json!({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"});
    assert_eq!(session.send(&notification).await.status(), 202);
    drop(open);
    // The places are free when the server has seen that nobody listens any more.
    let mut status = 503;
    for _ in 0..200 {
        status = session.send(&call(4, "echo", json!({}))).await.status().as_u16();
        if status == 200 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(status, 200);

    let served = limited(Protocol::Sse, limits).await;
    let mut session = OldSession::begin(&served.url).await;
    session.send(&wait(1)).await;
    session.send(&wait(2)).await;
    served.waiting.until(2).await;
    let refused = post(&session.messages, &wait(3)).send().await.unwrap();
    assert_eq!(refused.status(), 503);
    let cancel = |id: i64| -> Value {
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})
    };
    session.send(&cancel(1)).await;
    assert_eq!(session.ask(&call(4, "echo", json!({}))).await["id"], 4);
}

#[tokio::test]
async fn a_stream_on_which_nothing_is_asked() {
    let limits = Limits { first_message_wait: Duration::from_millis(100), ..Limits::default() };
    let served = limited(Protocol::Sse, limits).await;
    let mut silent = OldSession::open(&served.url).await;
    let mut speaking = OldSession::begin(&served.url).await;
    assert_eq!(silent.events.next().await, None);
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(speaking.ask(&call(1, "echo", json!({}))).await["id"], 1);
}

#[tokio::test]
async fn more_connections_than_there_may_be_wait() {
    let served = limited(Protocol::Http, Limits { connections: 1, ..Limits::default() }).await;
    let address = served.url.trim_start_matches("http://");
    let request = format!("GET / HTTP/1.1\r\nhost: {address}\r\n\r\n");
    let mut first = tokio::net::TcpStream::connect(address).await.unwrap();
    first.write_all(request.as_bytes()).await.unwrap();
    let mut answer = [0; 12];
    first.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 404");

    let mut second = tokio::net::TcpStream::connect(address).await.unwrap();
    second.write_all(request.as_bytes()).await.unwrap();
    let early = tokio::time::timeout(Duration::from_millis(100), second.read_exact(&mut answer)).await;
    assert!(early.is_err(), "the only place is taken");
    drop(first);
    second.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 404");
}
