use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{nearest, read, settle};
use crate::operation::{Effect, Kind, Operation, Parameter, Place};

const LIST: Operation = Operation {
    name: "list_things",
    group: "things",
    method: "GET",
    path: "/api/v3/thing/{name}",
    effect: Effect::Read,
    destructive: None,
    idempotent: true,
    long_running: false,
    summary: "Lists things.",
    details: "",
    requires: &[],
    parameters: &[
        Parameter { name: "name", place: Place::Path, kind: Kind::String, required: true, summary: "", values: &[] },
        Parameter {
            name: "seriesId",
            place: Place::Query,
            kind: Kind::Integer,
            required: false,
            summary: "",
            values: &[],
        },
        Parameter {
            name: "protocols",
            place: Place::Query,
            kind: Kind::Array(&Kind::String),
            required: false,
            summary: "",
            values: &["usenet", "torrent"],
        },
    ],
    arguments: || schemars::json_schema!({"type": "object"}),
    call: |_, _| unreachable!("no request is made here"),
};

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        other => panic!("{other} is no object"),
    }
}

fn settled(arguments: Value) -> Result<Value, super::ArgumentError> {
    settle(&LIST, object(arguments)).map(Value::Object)
}

#[test]
fn both_spellings_of_a_name_are_one() {
    assert_eq!(settled(json!({"name": "x", "series_id": 3})).unwrap(), json!({"name": "x", "seriesId": 3}));
    let error = settled(json!({"name": "x", "series_id": 3, "seriesId": 4})).unwrap_err();
    assert!(error.problem.contains("twice"), "{error}");
}

#[test]
fn an_unknown_name_is_refused_with_the_nearest_and_the_accepted() {
    let error = settled(json!({"name": "x", "seriesID": 3})).unwrap_err();
    assert_eq!(error.path, "arguments.seriesID");
    assert_eq!(error.nearest.as_deref(), Some("seriesId"));
    assert_eq!(error.accepted, ["name (string, required)", "seriesId (integer)", "protocols (list of string)"]);
}

#[test]
fn a_missing_name_is_told_and_null_counts_as_left_out() {
    let error = settled(json!({"seriesId": null})).unwrap_err();
    assert_eq!(error.path, "arguments.name");
    assert!(error.problem.contains("needs `name`"), "{error}");
    assert_eq!(settled(json!({"name": "x", "seriesId": null})).unwrap(), json!({"name": "x"}));
}

#[test]
fn values_are_held_against_the_known_ones() {
    assert_eq!(
        settled(json!({"name": "x", "protocols": ["Usenet", "torrent"]})).unwrap(),
        json!({"name": "x", "protocols": ["usenet", "torrent"]})
    );
    let error = settled(json!({"name": "x", "protocols": ["usnet"]})).unwrap_err();
    assert_eq!(error.path, "arguments.protocols");
    assert_eq!(error.nearest.as_deref(), Some("usenet"));
    assert_eq!(error.accepted, ["usenet", "torrent"]);
}

#[test]
fn a_path_argument_stays_in_its_segment() {
    let error = settled(json!({"name": "../series/1?x=1"})).unwrap_err();
    assert_eq!(error.path, "arguments.name");
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "only errors are looked at")]
struct Season {
    monitored: Option<bool>,
    #[serde(flatten)]
    extra: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "only errors are looked at")]
struct Body {
    seasons: Option<Vec<Season>>,
    #[serde(flatten)]
    extra: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only errors are looked at")]
struct Arguments {
    id: i32,
    body: Body,
}

#[test]
fn a_wrong_type_is_told_by_its_path_at_any_depth() {
    let error = read::<Arguments>(object(json!({
        "id": 1,
        "body": {"seasons": [{"monitored": true}, {"monitored": "maybe"}]}
    })))
    .unwrap_err();
    assert_eq!(error.path, "arguments.body.seasons[1].monitored");
    assert_eq!(error.problem, "expected a boolean, got the string \"maybe\"");
}

#[test]
fn a_missing_or_unknown_member_is_told() {
    let error = read::<Arguments>(object(json!({"id": 1}))).unwrap_err();
    assert_eq!((error.path.as_str(), error.problem.as_str()), ("arguments", "missing field `body`"));
    let error = read::<Arguments>(object(json!({"id": 1, "body": {}, "x": 1}))).unwrap_err();
    assert!(error.problem.contains("unknown field `x`"), "{error}");
}

#[test]
fn the_nearest_name_is_near() {
    let names = ["list_series", "get_series", "delete_series", "list_episodes"];
    assert_eq!(nearest("list_serie", names), Some("list_series"));
    assert_eq!(nearest("listSeries", names), Some("list_series"));
    assert_eq!(nearest("make_coffee", names), None);
}
