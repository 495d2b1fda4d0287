//! A query, and a patch, on any JSON.
//!
//! Invariant: neither panics; a query ends within its time and its result is bounded, whatever the
//! expression; what is made to fit is within the cap, and the hint how to go on is a query that
//! can be read; a patch changes nothing that it does not name.
//!
//! The first line of an input is the expression, the rest a JSON value. A value with `current` and
//! `patch` is a patch as well, for the type that the operation `update` takes.

use std::time::{Duration, Instant};

use serde_json::Value;
use sonarr_mcp::answer::{Answer, Content, Source, query, shape};
use sonarr_mcp::write::patch;

use crate::input::first_line;
use crate::patches::{schema, unnamed};

/// The least cap the settings accept.
const CAP: usize = 4_000;

/// Three times what a query may take, for a fuzzer's machine is busy.
const PATIENCE: Duration = Duration::from_secs(6);

/// What a result may take beside a multiple of what it is made from: the bound of its weight, each
/// byte of which is at most six as JSON.
const RESULT: usize = 6 * 8 * 1024 * 1024;

/// The columns of summaries.
const COLUMNS: &[&str] = &["id", "title", "name"];

/// Applies the expression, and the patch where there is one.
pub fn run(bytes: &[u8]) {
    let (expression, document) = first_line(bytes);
    let Ok(expression) = std::str::from_utf8(expression) else { return };
    let Ok(value) = serde_json::from_slice::<Value>(document) else {
        if let Ok(text) = std::str::from_utf8(document) {
            select(expression, Content::Text(text.to_owned()));
        }
        return;
    };
    apply(expression, &value, document.len());
    if let (Some(current), Some(patch)) = (value.get("current"), value.get("patch")) {
        patched(current, patch, value.get("update").and_then(Value::as_str));
    }
    select(expression, Content::Json(value));
}

fn apply(expression: &str, value: &Value, length: usize) {
    let started = Instant::now();
    let result = query::apply_for(expression, value, COLUMNS);
    assert!(started.elapsed() < PATIENCE, "{expression} took {:?}", started.elapsed());
    match result {
        Ok(result) => {
            let bytes = result.to_string().len();
            let most = RESULT + 60 * length;
            assert!(bytes <= most, "{expression} made {bytes} bytes of {length}");
        }
        Err(error) => assert!(error.to_string().len() < 20_000, "{error}"),
    }
}

/// Shapes the answer as a call does, and follows its hint once.
fn select(expression: &str, content: Content) {
    let source = Some(Source { columns: COLUMNS, writes: false, list: None, reduced: false });
    for asked in [None, Some(expression)] {
        let answer = Answer { source, ..Answer::new(content.clone()) };
        let Ok(answer) = shape(answer, asked, CAP) else { continue };
        let text = answer.text();
        assert!(text.len() <= CAP, "{} bytes for {asked:?}", text.len());
        let Some(structured) = answer.structured() else { continue };
        let next = structured.pointer("/next/query").and_then(Value::as_str).filter(|_| answer.extent.is_some());
        if let Some(next) = next {
            query::check(next).unwrap_or_else(|error| panic!("{next}, after {asked:?}: {error}"));
        }
    }
}

fn patched(current: &Value, given: &Value, update: Option<&str>) {
    let schema = update.and_then(schema).unwrap_or_default();
    let started = Instant::now();
    let patched = patch::apply(current, given, &schema);
    assert!(started.elapsed() < PATIENCE, "the patch took {:?}", started.elapsed());
    match patched {
        Ok(patched) => assert_eq!(unnamed(current, given, &patched), None, "{given}"),
        Err(error) => assert!(error.path.starts_with("arguments.patch"), "{error}"),
    }
}
