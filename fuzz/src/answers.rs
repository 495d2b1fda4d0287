//! Bytes from Sonarr into decoding and shaping, by the one way every call takes.
//!
//! Invariant: whatever Sonarr answers to any operation, nothing panics; what comes out is within
//! the cap, also of a failure; JSON that comes out is JSON, and text and structured content say
//! the same; no character in it hides or turns others; the API key is not in it.
//!
//! The first line of an input is `OPERATION STATUS TYPE CAP`, the second a query, the rest what
//! Sonarr answers.

use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::StatusCode;
use serde_json::{Map, Value, json};
use sonarr_mcp::answer::{Answer, Content};
use sonarr_mcp::config::MAX_RESULT_BYTES;
use sonarr_mcp::dispatch::{Dispatcher, Policy};
use sonarr_mcp::failure::{Code, Failure};
use sonarr_mcp::generated::{GROUPS, examples};
use sonarr_mcp::operation::Operation;
use sonarr_mcp::write::consent::Mode;
use tokio::runtime::Runtime;

use crate::input::{first_line, hidden, texts};
use crate::sonarr::{KEY, Reply, Sonarr};
use crate::stdio::operation;

/// The least cap the settings accept.
const SMALL: usize = 4_000;

/// Longer than any call takes, the queries' own bound included.
const PATIENCE: Duration = Duration::from_secs(30);

struct Harness {
    runtime: Runtime,
    sonarr: Sonarr,
    small: Dispatcher,
    usual: Dispatcher,
}

static HARNESS: LazyLock<Mutex<Harness>> = LazyLock::new(|| {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    let sonarr = runtime.block_on(Sonarr::fixed());
    let policy = Policy { mode: Mode::Never, ..Policy::default() };
    let dispatcher = || Dispatcher::new(GROUPS, sonarr.connection(), false).with_policy(policy);
    let (small, usual) = (dispatcher().with_max_result_bytes(SMALL), dispatcher());
    Mutex::new(Harness { runtime, sonarr, small, usual })
});

/// Lets Sonarr answer a call with the bytes.
pub fn run(bytes: &[u8]) {
    let (head, rest) = first_line(bytes);
    let (query, body) = first_line(rest);
    let (Ok(head), Ok(query)) = (std::str::from_utf8(head), std::str::from_utf8(query)) else { return };
    let mut words = head.split(' ');
    let Some(operation) = words.next().and_then(operation) else { return };
    let Some(status) = words.next().and_then(|word| StatusCode::from_bytes(word.as_bytes()).ok()) else { return };
    // Those before are for the connection, and no answer follows on them.
    if status.as_u16() < 200 {
        return;
    }
    let content_type = words.next().filter(|word| !word.is_empty()).map(str::to_owned);
    let small = words.next() == Some("small");

    let harness = HARNESS.lock().unwrap_or_else(PoisonError::into_inner);
    harness.sonarr.answer(Reply { status, content_type, body: Bytes::copy_from_slice(body) });
    let (dispatcher, cap) = if small { (&harness.small, SMALL) } else { (&harness.usual, MAX_RESULT_BYTES) };
    let calling = dispatcher.call(operation.group, call(operation, query));
    let outcome = harness.runtime.block_on(async { tokio::time::timeout(PATIENCE, calling).await });
    harness.sonarr.take();
    match outcome.expect("a call ends") {
        Ok(answer) => check_answer(&answer, cap),
        Err(failure) => check_failure(&failure, cap),
    }
}

/// The operation's example call; a wait would only be slow.
fn call(operation: &Operation, query: &str) -> Map<String, Value> {
    let mut arguments: Map<String, Value> =
        serde_json::from_str(examples::of(operation.name)).expect("an example is an object");
    arguments.shift_remove("wait");
    let mut call = Map::new();
    call.insert("operation".to_owned(), json!(operation.name));
    call.insert("arguments".to_owned(), Value::Object(arguments));
    if !query.is_empty() {
        call.insert("query".to_owned(), json!(query));
    }
    call
}

fn check_answer(answer: &Answer, cap: usize) {
    let text = answer.text();
    let structured = answer.structured().expect("every answer has a structured copy");
    if !matches!(answer.content, Content::Image { .. }) {
        assert!(text.len() <= cap, "{} bytes with a cap of {cap}", text.len());
    }
    let plain_text = matches!(answer.content, Content::Text(_)) && structured == json!({"result": text});
    if !plain_text {
        let parsed: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("no JSON ({error}): {text}"));
        assert!(parsed == structured || structured == json!({"result": parsed}), "{text} is not {structured}");
    }
    check_texts(&structured);
}

fn check_failure(failure: &Failure, cap: usize) {
    assert!(failure.code != Code::Internal, "a bug: {failure}");
    let text = failure.text();
    assert!(text.len() <= cap, "a failure of {} bytes with a cap of {cap}", text.len());
    check_texts(&failure.structured());
    check_texts(&Value::from(text));
}

fn check_texts(value: &Value) {
    texts(value, &mut |text| {
        assert!(hidden(text).is_none(), "{:?} in {text:?}", hidden(text));
        assert!(!text.contains(KEY), "the key came out: {text}");
    });
}
