use super::coerce;
use serde_json::{Value, json};

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "id": {"type": "integer"},
            "size": {"type": "number"},
            "monitored": {"type": "boolean"},
            "start": {"type": "string", "format": "date-time"},
            "term": {"type": "string"},
            "kind": {"type": "string", "enum": ["a", "b"]},
            "ids": {"type": "array", "items": {"type": "integer"}},
            "states": {"type": "array", "items": {"type": ["string", "integer"], "examples": ["queued"]}},
            "tags": {"type": "string", "description": "Labels, comma-separated."},
            "body": {
                "type": "object",
                "properties": {
                    "qualityProfileId": {"type": "integer"},
                    "seasons": {"type": "array", "items": {
                        "type": "object",
                        "properties": {"monitored": {"type": "boolean"}}
                    }}
                }
            }
        }
    })
}

fn coerced(value: Value) -> Value {
    let mut changed = value.clone();
    assert!(coerce(&schema(), &mut changed), "{value} is changed");
    changed
}

fn kept(value: Value) {
    let mut same = value.clone();
    assert!(!coerce(&schema(), &mut same));
    assert_eq!(same, value);
}

#[test]
fn scalars_written_as_text_are_read() {
    assert_eq!(coerced(json!({"id": "5"})), json!({"id": 5}));
    assert_eq!(coerced(json!({"id": 5.0})), json!({"id": 5}));
    assert_eq!(coerced(json!({"size": "1.5"})), json!({"size": 1.5}));
    assert_eq!(coerced(json!({"monitored": "True"})), json!({"monitored": true}));
    assert_eq!(coerced(json!({"ids": ["1", 2]})), json!({"ids": [1, 2]}));
    assert_eq!(coerced(json!({"ids": "[1, 2]"})), json!({"ids": [1, 2]}));
    assert_eq!(coerced(json!({"term": 1923})), json!({"term": "1923"}));
    assert_eq!(coerced(json!({"ids": "3"})), json!({"ids": [3]}));
    assert_eq!(coerced(json!({"ids": 3})), json!({"ids": [3]}));
    assert_eq!(coerced(json!({"states": "queued"})), json!({"states": ["queued"]}));
}

#[test]
fn dates_become_points_in_time() {
    for (given, read) in [
        ("2026-11-30", "2026-11-30T00:00:00Z"),
        ("2026-11-30T18:00", "2026-11-30T18:00:00Z"),
        ("2026-11-30 18:00:01", "2026-11-30T18:00:01Z"),
    ] {
        assert_eq!(coerced(json!({"start": given})), json!({"start": read}));
    }
    kept(json!({"start": "2026-11-30T18:00:00+01:00"}));
    kept(json!({"start": "tomorrow"}));
}

#[test]
fn the_body_is_read_the_same_way_at_any_depth() {
    assert_eq!(
        coerced(json!({"body": {
            "quality_profile_id": "4",
            "seasons": [{"monitored": "false", "unknown": "7"}]
        }})),
        json!({"body": {
            "seasons": [{"monitored": false, "unknown": "7"}],
            "qualityProfileId": 4
        }})
    );
    assert_eq!(coerced(json!({"body": "{\"qualityProfileId\": \"4\"}"})), json!({"body": {"qualityProfileId": 4}}));
}

#[test]
fn what_is_not_plain_stays() {
    kept(json!({"id": "five"}));
    kept(json!({"id": 5.5}));
    kept(json!({"id": true}));
    kept(json!({"monitored": 1}));
    kept(json!({"monitored": "yes"}));
    kept(json!({"kind": 3}));
    kept(json!({"body": "text"}));
    kept(json!({"unknown": "5"}));
    kept(json!({"ids": "1,2"}));
    kept(json!({"ids": {"id": 1}}));
    kept(json!({"tags": ["a"]}));
}

#[test]
fn an_error_is_told_what_is_accepted_at_its_path() {
    use super::{ArgumentError, explain};
    let accepted = |path: &str| explain(ArgumentError::new(path, "x"), &schema()).accepted;
    assert_eq!(accepted("arguments.kind"), ["a", "b"]);
    assert_eq!(accepted("arguments.body.seasons[3]"), ["monitored"]);
    assert_eq!(accepted("arguments.body"), ["qualityProfileId", "seasons"]);
    assert_eq!(accepted("arguments.states[0]"), ["queued"]);
    assert!(accepted("arguments.id").is_empty());
    assert!(accepted("arguments.nowhere[2].x").is_empty());
    let problem = |path: &str| explain(ArgumentError::new(path, "x"), &schema()).problem;
    assert_eq!(problem("arguments.tags"), "x. What it is: Labels, comma-separated.");
    assert!(problem("arguments.start").contains("2026-11-30T18:00:00Z"));
}

#[test]
fn a_type_that_contains_itself_is_followed() {
    let schema = json!({
        "$ref": "#/$defs/Node",
        "$defs": {"Node": {"type": "object", "properties": {
            "id": {"type": "integer"},
            "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}}
        }}}
    });
    let mut value = json!({"children": [{"children": [{"id": "3"}]}]});
    assert!(coerce(&schema, &mut value));
    assert_eq!(value, json!({"children": [{"children": [{"id": 3}]}]}));
}
