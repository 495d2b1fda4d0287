//! Inputs made from the table of operations, a fuzzer's beginning beside the committed seeds.

use serde_json::{Value, json};
use sonarr_mcp::generated::{GROUPS, examples};

/// A named input for each operation, where the target is about operations.
pub fn of(target: &str) -> Vec<(&'static str, Vec<u8>)> {
    let operations = GROUPS.iter().flat_map(|group| group.operations.iter().map(move |one| (group.name, one.name)));
    match target {
        "stdio" => operations.map(|(group, name)| (name, call(group, name))).collect(),
        "answers" => operations.map(|(_, name)| (name, answer(name))).collect(),
        _ => Vec::new(),
    }
}

/// The line that makes the operation's example call.
fn call(group: &str, name: &str) -> Vec<u8> {
    let arguments: Value = serde_json::from_str(examples::of(name)).unwrap_or_default();
    let call = json!({"name": format!("sonarr_{group}"), "arguments": {"operation": name, "arguments": arguments}});
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}).to_string().into_bytes()
}

/// A short answer to the operation, that may fit or not.
fn answer(name: &str) -> Vec<u8> {
    format!("{name} 200 application/json small\n\n[{{\"id\":1,\"name\":\"x\"}}]").into_bytes()
}
