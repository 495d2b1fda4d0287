//! What a caller gets of an answer: all of it within the cap, or the way to the rest.

use std::collections::BTreeSet;

use embedded_sonarr::{Clock, EmbeddedSonarr, Options};
use serde_json::{Value, json};
use sonarr_mcp::answer::{Answer, query};
use sonarr_mcp::config::{ApiKey, MAX_RESULT_BYTES, Target};
use sonarr_mcp::connection::Connection;
use sonarr_mcp::dispatch::Dispatcher;
use sonarr_mcp::failure::Failure;
use sonarr_mcp::generated::GROUPS;

use crate::session::Session;

struct House {
    dispatcher: Dispatcher,
    sonarr: EmbeddedSonarr,
    cap: usize,
}

impl House {
    async fn of(series: usize, cap: usize) -> Self {
        let options = Options { series, clock: Clock::fixed(), ..Options::default() };
        let sonarr = EmbeddedSonarr::start(options).await.unwrap();
        let target = Target { url: Some(sonarr.url()), api_key: ApiKey::new(sonarr.api_key()), ..Target::default() };
        let dispatcher = Dispatcher::new(GROUPS, Connection::new(target), false).with_max_result_bytes(cap);
        House { dispatcher, sonarr, cap }
    }

    async fn call(&self, tool: &str, call: Value) -> Result<Answer, Failure> {
        let Value::Object(call) = call else { panic!("a call is an object") };
        self.dispatcher.call(tool, call).await
    }

    /// The answer as both copies tell it, within the cap.
    async fn ask(&self, tool: &str, call: Value) -> Value {
        let answer = self.call(tool, call.clone()).await.unwrap_or_else(|failure| panic!("{call}: {failure}"));
        let text = answer.text();
        assert!(text.len() <= self.cap, "{} bytes for {call}", text.len());
        let structured = answer.structured().unwrap();
        let told: Value = serde_json::from_str(&text).unwrap_or(Value::String(text));
        assert!(told == structured || json!({"result": told}) == structured, "{call}");
        structured
    }

    /// The rows of a list and those of all the answers its hints lead to.
    async fn rows(&self, tool: &str, mut call: Value, list: &str) -> (Vec<Value>, usize) {
        let mut rows = Vec::new();
        for calls in 1..200 {
            let answer = self.ask(tool, call.clone()).await;
            let shown = answer.pointer(list).or_else(|| answer.get("result")).and_then(Value::as_array);
            rows.extend(shown.unwrap_or_else(|| panic!("no rows for {call}: {answer:.300}")).iter().cloned());
            let Some(next) = answer.get("next") else { return (rows, calls) };
            if let Some(query) = next.get("query") {
                call["query"] = query.clone();
            }
            for (name, value) in next.get("arguments").and_then(Value::as_object).into_iter().flatten() {
                call["arguments"][name] = value.clone();
            }
        }
        panic!("the hints have no end");
    }
}

fn ids(rows: &[Value]) -> Vec<i64> {
    rows.iter().map(|row| row["id"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn five_hundred_series_are_all_told_by_default() {
    let house = House::of(500, MAX_RESULT_BYTES).await;
    let answer = house.ask("media_library", json!({"operation": "list_series"})).await;
    assert_eq!((&answer["total"], &answer["returned"]), (&json!(500), &json!(500)));
    let rows = answer["result"].as_array().unwrap();
    let there: BTreeSet<i64> = house.sonarr.ids("series").into_iter().collect();
    assert_eq!(ids(rows).into_iter().collect::<BTreeSet<_>>(), there);
    assert_eq!(there.len(), 500);
    assert!(rows.iter().all(|row| row["title"].as_str().is_some_and(|title| !title.is_empty())));
    // The note's own advice: one of them in full.
    let note = answer["note"].as_str().unwrap();
    let query = note.split("query \"").nth(1).unwrap().split('"').next().unwrap();
    let one = house.ask("media_library", json!({"operation": "list_series", "query": query})).await;
    assert_eq!(one["result"][0]["id"], rows[0]["id"]);
    assert!(one["result"][0]["overview"].is_string());
}

#[tokio::test]
async fn hints_lead_through_lists_and_pages() {
    let house = House::of(60, 4_000).await;
    let (rows, calls) = house.rows("media_library", json!({"operation": "list_series"}), "/result").await;
    assert!(calls <= 3, "{calls}");
    assert_eq!(ids(&rows).into_iter().collect::<BTreeSet<_>>(), house.sonarr.ids("series").into_iter().collect());
    assert_eq!(rows.len(), 60);

    let call = json!({"operation": "list_history", "arguments": {"pageSize": 1000}});
    let tool = "history_blocklist";
    let (rows, calls) = house.rows(tool, call, "/result/records").await;
    let all = House::of(60, 8_000_000).await;
    let whole = all.ask(tool, json!({"operation": "list_history", "arguments": {"pageSize": 10000}})).await;
    let expected = whole["records"].as_array().unwrap();
    assert!(calls > 1, "{calls}");
    assert_eq!(ids(&rows), ids(expected));
}

#[tokio::test]
async fn a_query_selects_and_a_wrong_one_is_told_before_anything_is_written() {
    let house = House::of(12, MAX_RESULT_BYTES).await;
    let answer = house
        .ask("media_library", json!({"operation": "list_series", "query": "[?monitored == true] | length(@)"}))
        .await;
    assert!(answer["result"].as_i64().unwrap() > 0, "{answer}");

    let call = json!({"operation": "list_series", "query": "[*].{id}"});
    let failure = house.call("media_library", call).await.unwrap_err();
    assert_eq!(failure.path.as_deref(), Some("query"));
    assert!(failure.message.contains("at character 8"), "{failure}");
    let example = failure.cure.as_deref().unwrap().rsplit("the query ").next().unwrap();
    let answer = house.ask("media_library", json!({"operation": "list_series", "query": example})).await;
    assert_eq!(answer["result"].as_array().unwrap().len(), 10);

    let create = |label: &str, query: &str| json!({"operation": "create_tag", "arguments": {"body": {"label": label}}, "query": query});
    house.sonarr.clear_requests();
    house.call("tags", create("one", "{id")).await.unwrap_err();
    assert!(house.sonarr.requests().is_empty());
    let answer = house.ask("tags", create("two", "label")).await;
    assert_eq!(answer, json!({"result": "two"}));
    // What fails only on the answer comes too late to undo the write.
    let answer = house.ask("tags", create("three", "length(id)")).await;
    assert_eq!(answer["result"]["label"], "three");
    assert!(answer["note"].as_str().unwrap().contains("the operation is done"), "{answer}");
}

#[tokio::test]
async fn hidden_characters_are_shown_and_can_be_sent_back() {
    let house = House::of(12, MAX_RESULT_BYTES).await;
    let raw = "a\u{202e}b\u{200b}c";
    let create = json!({"operation": "create_tag", "arguments": {"body": {"label": raw}}});
    let answer = house.ask("tags", create).await;
    assert_eq!(answer["label"], "a<U+202E>b<U+200B>c");
    let list = json!({"operation": "list_tags", "query": "[?label == 'a<U+202E>b<U+200B>c'].id"});
    assert_eq!(house.ask("tags", list).await["result"], json!([answer["id"]]));
    // Sent back as it was shown it is the same label, which Sonarr knows already.
    let again = json!({"operation": "create_tag", "arguments": {"body": {"label": answer["label"]}}});
    assert_eq!(house.ask("tags", again).await["id"], answer["id"]);
    let stored = house.sonarr.object("tag", answer["id"].as_i64().unwrap()).unwrap();
    assert_eq!(stored["label"], raw);
}

#[tokio::test]
async fn a_text_is_told_by_lines() {
    let house = House::of(12, 4_000).await;
    let files = house.ask("system_commands", json!({"operation": "list_log_files"})).await;
    let arguments = json!({"filename": files["result"][0]["filename"]});
    let call = |query: Value| json!({"operation": "get_log_file", "arguments": arguments, "query": query});
    let count = house.ask("system_commands", call(json!("length(@)"))).await["result"].as_u64().unwrap();
    let last = house.ask("system_commands", call(json!("[-1:]"))).await;
    let whole = house.ask("system_commands", call(Value::Null)).await;
    let shown = whole["result"].as_str().unwrap().lines().count() as u64;
    assert!(shown <= count && shown > 0);
    match whole.get("total") {
        Some(total) => assert_eq!(total, count),
        None => assert_eq!(whole["result"].as_str().unwrap().lines().last(), last["result"].as_str()),
    }
}

#[tokio::test]
async fn both_copies_are_there_unless_text_alone_is_wanted() {
    for (text_only, copies) in [("false", true), ("true", false)] {
        let mut session = Session::spawn(&[("SONARR_MCP_DEMO", "true"), ("SONARR_MCP_TEXT_ONLY", text_only)]).await;
        let list = session.request("tools/list", json!({})).await;
        for tool in list["result"]["tools"].as_array().unwrap() {
            let schema = copies.then(|| json!({"type": "object"}));
            assert_eq!(tool.get("outputSchema"), schema.as_ref(), "{tool}");
        }
        let call = json!({"operation": "list_tags", "query": "length(@)"});
        let answer = session.call("sonarr_tags", call).await;
        assert_eq!(answer["structuredContent"].is_object(), copies, "{answer}");
        assert!(answer["content"][0]["text"].as_str().unwrap().parse::<usize>().is_ok(), "{answer}");
        let failure = session.call("sonarr_tags", json!({"operation": "list_tags", "query": "["})).await;
        assert_eq!(failure["isError"], true);
        assert_eq!(failure["structuredContent"].is_object(), copies, "{failure}");
        assert!(failure["content"][0]["text"].as_str().unwrap().contains("ends too early"), "{failure}");
    }
}

/// The page on answers shows expressions that can be read, and the bounds there are.
#[test]
fn the_page_on_answers_is_right() {
    let page = include_str!("../../../docs/answers.md");
    let rows = page.lines().filter(|line| line.starts_with("| ") && line.ends_with(" |"));
    let cells = rows.filter_map(|line| line.trim_end_matches(" |").rsplit(" | `").next());
    let shown: Vec<String> = cells
        .filter(|cell| cell.ends_with('`') && !cell.starts_with('|'))
        .map(|cell| cell.trim_matches('`').replace("\\|", "|"))
        .collect();
    assert!(shown.len() >= 8, "{shown:?}");
    for expression in &shown {
        assert_eq!(query::check(expression), Ok(()), "{expression}");
    }
    for bound in ["4,096 bytes", "64 operators", "60,000", "two seconds"] {
        assert!(page.contains(bound), "{bound}");
    }
    assert_eq!((query::MAX_LENGTH, query::MAX_NESTING, MAX_RESULT_BYTES), (4_096, 64, 60_000));
}
