//! What `tools/list` says, one file a tool. A change of a word shows in a review.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};
use sonarr_mcp::generated::GROUPS;

use crate::session::Session;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../snapshots/tools");

async fn tools() -> Vec<Value> {
    let mut session = Session::within(GROUPS, "http://127.0.0.1:1", 1).await;
    let answer = session.request("tools/list", json!({})).await;
    answer["result"]["tools"].as_array().unwrap().clone()
}

fn name(tool: &Value) -> &str {
    tool["name"].as_str().unwrap()
}

#[tokio::test]
async fn each_tool_is_as_its_snapshot_says() {
    let tools = tools().await;
    insta::with_settings!({
        snapshot_path => FOLDER,
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        for tool in &tools {
            insta::assert_json_snapshot!(name(tool), tool);
        }
    });
}

#[tokio::test]
async fn each_tool_has_a_snapshot_and_each_snapshot_a_tool() {
    let due: BTreeSet<String> = tools().await.iter().map(|tool| format!("{}.snap", name(tool))).collect();
    let there: BTreeSet<String> = Path::new(FOLDER)
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.ends_with(".snap.new"))
        .collect();
    assert_eq!(there, due);
}
