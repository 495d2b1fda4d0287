//! Lines of a host into the server, over the streams that `stdio` serves.
//!
//! Invariant: whatever the lines say, nothing panics and the server goes on serving; every line it
//! writes is one JSON-RPC message; no secret is in them; every request that reaches Sonarr is one
//! of the table, segment by segment, and one that writes is that of an operation the lines name; a
//! read-only server sends none that writes.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use axum::http::Method;
use serde_json::{Value, json};
use sonarr_mcp::dispatch::{Dispatcher, Policy};
use sonarr_mcp::generated::GROUPS;
use sonarr_mcp::instances::Instances;
use sonarr_mcp::operation::Operation;
use sonarr_mcp::server::Server;
use sonarr_mcp::transport::stdio;
use sonarr_mcp::write::consent::Mode;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use crate::input::texts;
use crate::sonarr::{KEY, Request, Sonarr};

/// What the server is asked last, and has to answer.
const LAST: &str = "the-last-question";

/// Longer than anything here takes: a session that has not ended by then never does.
const PATIENCE: Duration = Duration::from_secs(30);

/// Which write a workflow comes to.
const WRITES: &[(&str, &str)] = &[
    ("add_series_by_title", "add_series"),
    ("set_season_monitoring", "update_series"),
    ("import_files", "run_command"),
    ("clean_queue", "remove_queue_items"),
];

struct Harness {
    runtime: Runtime,
    sonarr: Sonarr,
    secrets: Vec<String>,
    writing: Arc<Instances>,
    reading: Arc<Instances>,
}

static HARNESS: LazyLock<Mutex<Harness>> = LazyLock::new(|| {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    let sonarr = runtime.block_on(Sonarr::library());
    // Nothing is asked about: the lines alone decide what is sent.
    let policy = Policy { mode: Mode::Never, ..Policy::default() };
    let dispatcher = |read_only| Dispatcher::new(GROUPS, sonarr.connection(), read_only).with_policy(policy);
    let (writing, reading) = (Arc::new(Instances::one(dispatcher(false))), Arc::new(Instances::one(dispatcher(true))));
    Mutex::new(Harness { secrets: sonarr.secrets(), runtime, sonarr, writing, reading })
});

/// Sends the lines to a server; one that begins with `!` is read-only.
pub fn run(bytes: &[u8]) {
    let (read_only, lines) = match bytes.strip_prefix(b"!") {
        Some(lines) => (true, lines),
        None => (false, bytes),
    };
    let harness = HARNESS.lock().unwrap_or_else(PoisonError::into_inner);
    let instances = Arc::clone(if read_only { &harness.reading } else { &harness.writing });
    harness.sonarr.take();
    let written = harness.runtime.block_on(converse(Server::new(instances, 16), lines));
    check_written(&written, &harness.secrets, lines);
    let named = named(lines);
    for request in harness.sonarr.take() {
        check_request(&request, &named, read_only, lines);
    }
}

/// Everything a server writes to a client that shakes hands, sends `lines`, asks whether it is
/// still there, and leaves.
async fn converse(server: Server, lines: &[u8]) -> Vec<u8> {
    let (mut input, reader) = tokio::io::duplex(64 * 1024);
    let (writer, mut output) = tokio::io::duplex(64 * 1024);
    let serving = tokio::spawn(stdio::serve_on(server, reader, writer, CancellationToken::new()));
    let hello = json!({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "fuzz", "version": "1"}}});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let last = json!({"jsonrpc": "2.0", "id": LAST, "method": "ping"});
    let mut said = format!("{hello}\n{ready}\n").into_bytes();
    said.extend_from_slice(lines);
    said.extend_from_slice(format!("\n{last}\n").as_bytes());
    let mut written = Vec::new();
    let talk = async {
        let say = async {
            input.write_all(&said).await.expect("the server reads");
            drop(input);
        };
        let listen = output.read_to_end(&mut written);
        let ((), heard) = tokio::join!(say, listen);
        heard.expect("the server writes");
        serving.await.expect("the server does not panic").expect("the server can write");
    };
    tokio::time::timeout(PATIENCE, talk).await.expect("the session ends");
    written
}

fn check_written(written: &[u8], secrets: &[String], lines: &[u8]) {
    let text = std::str::from_utf8(written).expect("the server writes UTF-8");
    let mut answered = false;
    for line in text.lines() {
        let message: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("no JSON ({error}): {line}"));
        let at = |pointer: &str| message.pointer(pointer).unwrap_or(&Value::Null);
        assert_eq!(at("/jsonrpc"), "2.0", "{line}");
        answered |= at("/id") == LAST && at("/error").is_null();
        let bug = at("/error/code") == -32603 || at("/result/structuredContent/error/code") == "internal";
        assert!(!bug, "a bug: {line}");
    }
    assert!(answered, "the last question was not answered: {text}");
    let said = String::from_utf8_lossy(lines);
    for secret in secrets {
        assert!(said.contains(secret) || !text.contains(secret), "{secret} came out: {text}");
    }
}

/// The operations that the lines name, wherever they name them.
fn named(lines: &[u8]) -> Vec<&'static Operation> {
    let mut named = Vec::new();
    for line in lines.split(|byte| *byte == b'\n') {
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        let Ok(value) = serde_json::from_slice::<Value>(line) else { continue };
        texts(&value, &mut |text| {
            let bare = text.strip_prefix("sonarr_").unwrap_or(text);
            named.extend(operation(bare));
            // `+label` among tags makes the tag first.
            named.extend(operation("create_tag").filter(|_| text.starts_with('+')));
            named.extend(
                WRITES.iter().filter(|(workflow, _)| *workflow == bare).filter_map(|(_, write)| operation(write)),
            );
        });
    }
    named
}

/// The operation of a name that is one of Sonarr's own.
pub fn operation(name: &str) -> Option<&'static Operation> {
    GROUPS.iter().flat_map(|group| group.operations).find(|operation| operation.name == name)
}

fn check_request(request: &Request, named: &[&Operation], read_only: bool, lines: &[u8]) {
    let Request { method, uri, headers, body } = request;
    let reads = *method == Method::GET;
    assert!(reads || !read_only, "a read-only server sent {method} {uri}");
    let fits = |operation: &&Operation| operation.method == method.as_str() && is_at(uri.path(), operation.path);
    let all = GROUPS.iter().flat_map(|group| group.operations);
    let due = if reads { all.clone().any(|one| fits(&one)) } else { named.iter().any(fits) };
    assert!(due, "no operation that was named sends {method} {uri}");
    assert_eq!(headers.get("x-api-key").map(|key| key.as_bytes()), Some(KEY.as_bytes()), "{method} {uri}");
    let said = String::from_utf8_lossy(lines);
    if !said.contains(KEY) {
        let sent = String::from_utf8_lossy(body);
        assert!(!uri.to_string().contains(KEY) && !sent.contains(KEY), "the key travels: {method} {uri} {sent}");
    }
}

/// Whether a path is that of a template, segment by segment, and none of them hides another.
fn is_at(path: &str, template: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let hides = ["%2f", "%5c", "%2e", "%00", "/../", "/./"].iter().any(|part| lower.contains(part));
    let (mut segments, mut expected) = (path.split('/'), template.split('/'));
    let same = loop {
        match (segments.next(), expected.next()) {
            (None, None) => break true,
            (Some(segment), Some(expected)) if expected.starts_with('{') => {
                if segment.is_empty() {
                    break false;
                }
            }
            (Some(segment), Some(expected)) if segment == expected => {}
            _ => break false,
        }
    };
    same && !hides
}

#[cfg(test)]
mod tests {
    use sonarr_mcp::workflows;

    use super::{WRITES, is_at, operation};

    #[test]
    fn a_path_is_compared_segment_by_segment() {
        for (path, fits) in [
            ("/api/v3/log/file/a.txt", true),
            ("/api/v3/log/file/a%20b", true),
            ("/api/v3/log/file/", false),
            ("/api/v3/log/file/a/b", false),
            ("/api/v3/log/file/..%2fx", false),
            ("/api/v3/log/other/a", false),
            ("/api/v3/log/file", false),
        ] {
            assert_eq!(is_at(path, "/api/v3/log/file/{filename}"), fits, "{path}");
        }
    }

    #[test]
    fn every_workflow_that_writes_has_its_write() {
        for workflow in workflows::all().filter(|workflow| workflow.operation.effect.writes()) {
            let write = WRITES.iter().find(|(name, _)| *name == workflow.operation.name);
            assert!(write.is_some_and(|(_, write)| operation(write).is_some()), "{}", workflow.operation.name);
        }
    }
}
