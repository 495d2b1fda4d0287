//! The end: calls in flight are answered, streams are closed, and it does not take long.

use std::time::{Duration, Instant};

use serde_json::json;

use super::client::{Events, OldSession, Session, call, client, stateless, stateless_call};
use super::fixture;

/// What the end may take, whatever is open.
const LIMIT: Duration = Duration::from_secs(5);

async fn ends(served: fixture::Served) -> Duration {
    let start = Instant::now();
    served.stop.cancel();
    tokio::time::timeout(LIMIT, served.task).await.expect("the end takes too long").unwrap();
    start.elapsed()
}

#[tokio::test]
async fn with_nothing_open_it_is_at_once() {
    for served in [fixture::http().await, fixture::sse().await] {
        assert!(ends(served).await < Duration::from_secs(1));
    }
}

#[tokio::test]
async fn open_streams_do_not_hold_it_up() {
    let served = fixture::http().await;
    let session = Session::open(&served.url, "2025-11-25").await;
    let mut stream = session.listen().await;
    assert!(ends(served).await < Duration::from_secs(1));
    assert_eq!(stream.next().await, None);

    let served = fixture::sse().await;
    let mut session = OldSession::begin(&served.url).await;
    assert!(ends(served).await < Duration::from_secs(1));
    assert_eq!(session.events.next().await, None);
}

#[tokio::test]
async fn calls_in_flight_are_answered() {
    let wait = json!({"ms": 700, "text": "done"});
    let served = fixture::http().await;
    let session = Session::open(&served.url, "2025-11-25").await;
    let mut with_session = Events::of(session.send(&call(1, "wait", wait.clone())).await);
    let without = tokio::spawn(stateless(&session.url, &stateless_call(2, "wait", wait.clone())).send());
    served.waiting.until(2).await;
    let url = served.url.clone();
    ends(served).await;
    assert_eq!(with_session.message().await["result"]["content"][0]["text"], "done");
    let answer: serde_json::Value = without.await.unwrap().unwrap().json().await.unwrap();
    assert_eq!(answer["result"]["content"][0]["text"], "done");
    assert!(client().get(url).send().await.is_err(), "nobody listens any more");

    let served = fixture::sse().await;
    let mut session = OldSession::begin(&served.url).await;
    session.send(&call(1, "wait", wait)).await;
    served.waiting.until(1).await;
    ends(served).await;
    assert_eq!(session.events.message().await["result"]["content"][0]["text"], "done");
    assert_eq!(session.events.next().await, None);
}

#[tokio::test]
async fn calls_that_take_too_long_are_cut_off() {
    let served = fixture::http().await;
    let session = Session::open(&served.url, "2025-11-25").await;
    let _stream = session.listen().await;
    let mut cut_off = Events::of(session.send(&call(1, "wait", json!({"ms": 60_000}))).await);
    served.waiting.until(1).await;
    let waiting = served.waiting.clone();
    assert!(ends(served).await > Duration::from_secs(2));
    assert_eq!(cut_off.next().await, None);
    waiting.until(0).await;

    let served = fixture::sse().await;
    let session = OldSession::begin(&served.url).await;
    session.send(&call(1, "wait", json!({"ms": 60_000}))).await;
    served.waiting.until(1).await;
    let waiting = served.waiting.clone();
    ends(served).await;
    waiting.until(0).await;
}
