//! Following `next` from the first part leads to each row exactly once, in order: for a list, a
//! list made by a query, and the pages of Sonarr, at any cap.
//!
//! The caller here knows nothing but the answer's text: `result`, `next` and `omitted`.

use proptest::prelude::*;
use serde_json::{Value, json};
use sonarr_mcp::answer::{Answer, Content, Source, query, shape};

/// The summary columns of the rows.
const COLUMNS: &[&str] = &["id", "title", "size", "extra.more"];

/// The smallest cap the settings accept, and one beyond which every random list fits.
const CAPS: std::ops::Range<usize> = 4_000..24_000;

/// A row with an id of its own.
#[derive(Debug, Clone)]
struct Row {
    title: String,
    length: usize,
    shape: u8,
}

impl Row {
    fn value(&self, id: usize) -> Value {
        let long = "ä\"".repeat(self.length);
        match self.shape {
            0 => json!({"id": id, "title": self.title, "overview": long}),
            1 => json!({"id": id, "title": long, "size": null}),
            2 => json!({"id": id, "extra": {"more": [long, self.title]}}),
            _ => json!({"id": id, "title": self.title, "size": self.length, "extra": {"more": null}}),
        }
    }
}

fn rows() -> impl Strategy<Value = Vec<Value>> {
    let length = prop_oneof![9 => 0_usize..200, 1 => 200_usize..4_000];
    let row = ("\\PC{0,30}", length, 0_u8..4).prop_map(|(title, length, shape)| Row { title, length, shape });
    proptest::collection::vec(row, 0..120)
        .prop_map(|rows| rows.iter().enumerate().map(|(id, row)| row.value(id)).collect())
}

fn columns() -> impl Strategy<Value = &'static [&'static str]> {
    prop_oneof![Just(COLUMNS), Just(&COLUMNS[..1]), Just(&[][..])]
}

/// A query, and the ids of the rows it makes of so many.
type Query = (Option<&'static str>, fn(usize) -> Vec<usize>);

fn asked() -> impl Strategy<Value = Query> {
    let all: fn(usize) -> Vec<usize> = |count| (0..count).collect();
    prop_oneof![
        Just::<Query>((None, all)),
        Just::<Query>((Some("[*]"), all)),
        Just::<Query>((Some("[*].{id: id, title: title, overview: overview}"), all)),
        Just::<Query>((Some("reverse(@)"), |count| (0..count).rev().collect())),
        Just::<Query>((Some("[?id >= `7`] | [3:]"), |count| (10..count).collect())),
        Just::<Query>((Some("sort_by(@, &id)[::2]"), |count| (0..count).step_by(2).collect())),
    ]
}

/// The text of a call's answer.
fn text(value: &Value, asked: Option<&str>, columns: &'static [&'static str], cap: usize) -> String {
    let source = Some(Source { columns, writes: false, list: None, reduced: false });
    let answer = Answer { source, ..Answer::new(Content::Json(value.clone())) };
    let text = shape(answer, asked, cap).unwrap().text();
    assert!(text.len() <= cap, "{} bytes with a cap of {cap}", text.len());
    text
}

/// An answer as its caller reads it.
struct Part {
    result: Value,
    next: Value,
    omitted: Vec<Value>,
}

fn part(text: &str) -> Part {
    let mut whole: Value = serde_json::from_str(text).unwrap();
    if whole.get("result").is_none() {
        return Part { result: whole, next: Value::Null, omitted: Vec::new() };
    }
    let omitted = whole["omitted"].as_array().cloned().unwrap_or_default();
    Part { result: whole["result"].take(), next: whole["next"].take(), omitted }
}

/// The query a hint tells to use.
fn followed(asked: Option<&str>, hint: &Value) -> String {
    if let Some(query) = hint["query"].as_str() {
        return query.to_owned();
    }
    let end = hint["queryEnd"].as_str().unwrap_or_else(|| panic!("no hint: {hint}"));
    let asked = asked.unwrap_or("@");
    let (start, last) = asked.rsplit_once(" | ").unwrap_or((asked, ""));
    let replaced = last.starts_with('[') && last.ends_with(":]");
    format!("{}{end}", if replaced { start } else { asked })
}

/// The ids of a part, those passed over fetched by their own hints from what `whole` is.
fn ids(part: &Part, shown: &Value, asked: Option<&str>, whole: &Value) -> Vec<usize> {
    let id = |row: &Value| usize::try_from(row["id"].as_u64().unwrap_or_else(|| panic!("no id: {row}"))).unwrap();
    let mut shown = shown.as_array().unwrap().iter();
    let place = |omitted: &Value| usize::try_from(omitted["what"].as_u64().unwrap()).unwrap();
    let count = shown.len() + part.omitted.len();
    (0..count)
        .map(|at| match part.omitted.iter().find(|omitted| place(omitted) == at) {
            Some(omitted) => id(&query::apply(&followed(asked, omitted), whole).unwrap()),
            None => id(shown.next().unwrap()),
        })
        .collect()
}

fn of_list(rows: &Value, first: Option<&str>, columns: &'static [&'static str], cap: usize) -> Vec<usize> {
    let mut asked = first.map(str::to_owned);
    let mut found = Vec::new();
    for _ in 0..500 {
        let part = part(&text(rows, asked.as_deref(), columns, cap));
        found.extend(ids(&part, &part.result, asked.as_deref(), rows));
        if part.next.is_null() {
            return found;
        }
        asked = Some(followed(asked.as_deref(), &part.next));
    }
    panic!("no end in sight");
}

/// Sonarr's own paging.
fn page_of(rows: &[Value], page: usize, size: usize) -> Value {
    let shown: Vec<&Value> = rows.iter().skip((page - 1) * size).take(size).collect();
    json!({"page": page, "pageSize": size, "sortKey": "time", "totalRecords": rows.len(), "records": shown})
}

fn of_pages(rows: &[Value], size: usize, columns: &'static [&'static str], cap: usize) -> Vec<usize> {
    let (mut page, mut size) = (1, size);
    let mut found = Vec::new();
    for _ in 0..500 {
        let whole = page_of(rows, page, size);
        let part = part(&text(&whole, None, columns, cap));
        found.extend(ids(&part, &part.result["records"], None, &whole));
        let number = |name: &str| part.next["arguments"][name].as_u64().map(|number| usize::try_from(number).unwrap());
        (page, size) = match (number("page"), number("pageSize")) {
            (Some(page), Some(size)) => (page, size),
            // An answer that fits is Sonarr's own, and is paged by its numbers.
            _ if part.next.is_null() && part.result["records"].as_array().unwrap().len() == size => (page + 1, size),
            _ if part.next.is_null() => return found,
            _ => panic!("no page: {}", part.next),
        };
        if (page - 1) * size >= rows.len() {
            return found;
        }
    }
    panic!("no end in sight");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_list_is_followed_row_by_row(rows in rows(), columns in columns(), (first, due) in asked(), cap in CAPS) {
        let count = rows.len();
        let found = of_list(&Value::Array(rows), first, columns, cap);
        prop_assert_eq!(found, due(count), "{:?} with a cap of {}", first, cap);
    }

    #[test]
    fn pages_are_followed_record_by_record(rows in rows(), columns in columns(), size in 1_usize..200, cap in CAPS) {
        let found = of_pages(&rows, size, columns, cap);
        prop_assert_eq!(found, (0..rows.len()).collect::<Vec<_>>(), "pages of {} with a cap of {}", size, cap);
    }

    #[test]
    fn a_query_on_a_page_is_followed_record_by_record(rows in rows(), size in 1_usize..200, cap in CAPS) {
        let page = page_of(&rows, 1, size);
        let found = of_list(&page, Some("records"), COLUMNS, cap);
        prop_assert_eq!(found, (0..rows.len().min(size)).collect::<Vec<_>>(), "a cap of {}", cap);
    }
}
