//! Decoding an answer into its type and encoding it again keeps every member.
//!
//! The answers are the embedded Sonarr's, for every operation that reads JSON. Each is changed at
//! random as a newer Sonarr or a damaged library could: unknown members, nulls, other numbers,
//! other words.

use std::sync::LazyLock;

use embedded_sonarr::{Clock, EmbeddedSonarr, Options};
use proptest::prelude::*;
use serde_json::{Map, Number, Value};
use sonarr_client::{RoundTrip, round_trip};
use sonarr_mcp::generated::{GROUPS, examples};
use sonarr_mcp::operation::{Operation, Place};

/// Its answer is a map of lists: there is no member that could be unknown.
const MAP: &str = "get_duplicate_system_routes";

/// An operation and what the embedded Sonarr answers to it.
type Answered = (&'static str, Value);

static ANSWERS: LazyLock<Vec<Answered>> = LazyLock::new(|| {
    let _ = rustls::crypto::ring::default_provider().install_default();
    tokio::runtime::Runtime::new().unwrap().block_on(answers())
});

async fn answers() -> Vec<Answered> {
    let sonarr = EmbeddedSonarr::start(Options { clock: Clock::fixed(), ..Options::default() }).await.unwrap();
    let http = reqwest::Client::new();
    let mut answers = Vec::new();
    let operations = GROUPS.iter().flat_map(|group| group.operations);
    for operation in operations.filter(|operation| operation.method == "GET" && operation.name != MAP) {
        let request = http.get(address(&sonarr.url(), operation)).header("X-Api-Key", sonarr.api_key());
        let answer = request.send().await.unwrap();
        if !answer.status().is_success() {
            continue;
        }
        if let Ok(value) = serde_json::from_slice(&answer.bytes().await.unwrap()) {
            answers.push((operation.name, value));
        }
    }
    answers
}

/// Where the operation's example goes to.
fn address(base: &str, operation: &Operation) -> reqwest::Url {
    let arguments: Map<String, Value> = serde_json::from_str(examples::of(operation.name)).unwrap();
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut path = operation.path.to_owned();
    let mut query = Vec::new();
    for (name, value) in &arguments {
        let parameter = operation.parameters.iter().find(|parameter| parameter.name == name).unwrap();
        match parameter.place {
            Place::Path => path = path.replace(&format!("{{{name}}}"), &text(value)),
            Place::Query => query.extend(each(value).map(|value| (name.clone(), text(value)))),
            Place::Body | Place::Form => {}
        }
    }
    let mut url = reqwest::Url::parse(&format!("{base}{path}")).unwrap();
    if !query.is_empty() {
        url.query_pairs_mut().extend_pairs(query);
    }
    url
}

fn each(value: &Value) -> impl Iterator<Item = &Value> {
    let (items, one) = match value {
        Value::Array(items) => (items.as_slice(), None),
        one => (&[][..], Some(one)),
    };
    items.iter().chain(one)
}

/// One change of an answer; the number says where, counted through all places of its kind.
#[derive(Debug, Clone)]
enum Change {
    Add(usize, String, Value),
    Null(usize),
    Whole(usize, i32),
    Fraction(usize, f64),
    Word(usize, String),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        (any::<usize>(), "[a-zA-Z_é]{1,12}", json(3)).prop_map(|(at, name, value)| Change::Add(at, name, value)),
        any::<usize>().prop_map(Change::Null),
        (any::<usize>(), any::<i32>()).prop_map(|(at, number)| Change::Whole(at, number)),
        (any::<usize>(), proptest::num::f64::NORMAL).prop_map(|(at, number)| Change::Fraction(at, number)),
        (any::<usize>(), "\\PC{0,12}").prop_map(|(at, word)| Change::Word(at, word)),
    ]
}

/// Any JSON.
pub fn json(depth: u32) -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        proptest::num::f64::NORMAL.prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(depth, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map("[a-zA-Z]{1,8}", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Calls `touch` with every value within, the members of objects marked as such.
fn walk(value: &mut Value, is_member: bool, touch: &mut dyn FnMut(&mut Value, bool)) {
    touch(value, is_member);
    match value {
        Value::Object(members) => members.values_mut().for_each(|value| walk(value, true, touch)),
        Value::Array(items) => items.iter_mut().for_each(|value| walk(value, false, touch)),
        _ => {}
    }
}

/// Changes the value of a number among all that `fits`.
fn change_at(answer: &mut Value, at: usize, fits: impl Fn(&Value, bool) -> bool, mut change: impl FnMut(&mut Value)) {
    let mut count = 0;
    walk(answer, false, &mut |value, is_member| count += usize::from(fits(value, is_member)));
    if count == 0 {
        return;
    }
    let mut left = at % count + 1;
    walk(answer, false, &mut |value, is_member| {
        if left > 0 && fits(value, is_member) {
            left -= 1;
            if left == 0 {
                change(value);
            }
        }
    });
}

fn apply(answer: &mut Value, given: &Change) {
    /// A date and time, or an amount of time: text with a form of its own.
    fn has_form(text: &str) -> bool {
        text.starts_with(|first: char| first.is_ascii_digit() || first == '-')
    }
    match given {
        Change::Add(at, name, new) => change_at(
            answer,
            *at,
            |value, _| value.is_object(),
            |value| {
                let members = value.as_object_mut().unwrap();
                // It may be a map of texts, whose new entries are texts, too.
                let of_texts =
                    !members.is_empty() && members.values().all(|value| value.is_string() || value.is_null());
                let new = if of_texts { Value::from(new.to_string()) } else { new.clone() };
                members.entry(format!("{name}New")).or_insert(new);
            },
        ),
        Change::Null(at) => change_at(answer, *at, |_, is_member| is_member, |value| *value = Value::Null),
        Change::Whole(at, number) => {
            change_at(answer, *at, |value, _| value.is_i64(), |value| *value = Value::from(*number));
        }
        Change::Fraction(at, number) => {
            change_at(
                answer,
                *at,
                |value, _| value.is_f64(),
                |value| *value = Number::from_f64(*number).unwrap().into(),
            );
        }
        Change::Word(at, word) => {
            let fits = |value: &Value, _| value.as_str().is_some_and(|text| !has_form(text));
            change_at(answer, *at, fits, |value| *value = Value::from(word.as_str()));
        }
    }
}

#[test]
fn the_answers_are_many() {
    assert!(ANSWERS.len() >= 90, "{}", ANSWERS.len());
    for (operation, answer) in ANSWERS.iter() {
        assert_same(operation, answer);
    }
}

fn assert_same(operation: &str, answer: &Value) {
    match round_trip(operation, answer.to_string().as_bytes()) {
        RoundTrip::Json(again) => {
            let differs = difference(answer, &again, operation.to_owned());
            assert_eq!(differs, None);
        }
        other => panic!("{operation}: {other:?}"),
    }
}

/// The first place where two values differ; 1 and 1.0 are one number.
fn difference(one: &Value, two: &Value, path: String) -> Option<String> {
    match (one, two) {
        (Value::Object(one), Value::Object(two)) => {
            let mut names: Vec<&String> = one.keys().chain(two.keys()).collect();
            names.sort_unstable();
            names.dedup();
            names.into_iter().find_map(|name| match (one.get(name), two.get(name)) {
                (Some(one), Some(two)) => difference(one, two, format!("{path}.{name}")),
                (one, two) => Some(format!("{path}.{name}: {one:?} became {two:?}")),
            })
        }
        (Value::Array(one), Value::Array(two)) if one.len() == two.len() => {
            let mut pairs = one.iter().zip(two).enumerate();
            pairs.find_map(|(at, (one, two))| difference(one, two, format!("{path}[{at}]")))
        }
        (Value::Number(one), Value::Number(two)) if one.is_f64() != two.is_f64() && one.as_f64() == two.as_f64() => {
            None
        }
        (one, two) => (one != two).then(|| format!("{path}: {one} became {two}")),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn decoding_and_encoding_keeps_every_member(
        which in any::<prop::sample::Index>(),
        changes in proptest::collection::vec(change(), 1..12),
    ) {
        let (operation, answer) = which.get(&ANSWERS);
        let mut answer = answer.clone();
        changes.iter().for_each(|change| apply(&mut answer, change));
        assert_same(operation, &answer);
    }
}
