//! Values whose meaning is plain, brought to the JSON type that is asked for.
//!
//! A model writes `"5"` for 5, `"true"` for true, a string of JSON for an object, a date for a
//! point in time and `quality_profile_id` for `qualityProfileId`. The operation's own schema tells
//! what is due, at any depth; what is not plain is left as it is, for the reader to refuse.

use serde_json::{Map, Value};

use super::ArgumentError;
use super::names::camel_case;

/// Brings `value` to what `schema` asks for, wherever its meaning is plain.
///
/// Returns whether anything was changed.
pub fn coerce(schema: &Value, value: &mut Value) -> bool {
    Coercion { root: schema }.visit(schema, value)
}

/// Adds to an error what `schema` says about its path: the names or members accepted there, or
/// else what the value means.
pub fn explain(mut error: ArgumentError, schema: &Value) -> ArgumentError {
    let schema = Coercion { root: schema };
    let Some(place) = schema.at(&error.path) else {
        return error;
    };
    if Due::of(place).date_time {
        error.problem = "expected a date or a point in time, such as 2026-11-30 or 2026-11-30T18:00:00Z".to_owned();
    }
    if !error.accepted.is_empty() {
        return error;
    }
    let names = part(place, "enum").or_else(|| part(place, "examples"));
    if let Some(Value::Array(names)) = names {
        let names = names.iter().filter_map(Value::as_str).map(str::to_owned);
        return error.accepting(names.collect());
    }
    if let Some(Value::Object(properties)) = part(place, "properties") {
        return error.accepting(properties.keys().cloned().collect());
    }
    if let Some(meaning) = place.get("description").and_then(Value::as_str) {
        error.problem = format!("{}. What it is: {meaning}", error.problem);
    }
    error
}

struct Coercion<'a> {
    root: &'a Value,
}

impl Coercion<'_> {
    fn visit(&self, schema: &Value, value: &mut Value) -> bool {
        let Some(schema) = self.resolve(schema) else {
            return false;
        };
        let due = Due::of(schema);
        let mut changed = retype(&due, value) || self.enlist(&due, schema, value);
        match value {
            Value::Object(members) => changed |= self.members(schema, members),
            Value::Array(items) => {
                if let Some(item) = part(schema, "items") {
                    for value in items {
                        changed |= self.visit(item, value);
                    }
                }
            }
            _ => {}
        }
        changed
    }

    /// One value where a list of such is due becomes a list of one.
    fn enlist(&self, due: &Due, schema: &Value, value: &mut Value) -> bool {
        if !due.array || due.accepts(value) {
            return false;
        }
        let Some(item) = part(schema, "items").and_then(|item| self.resolve(item)) else {
            return false;
        };
        let item = Due::of(item);
        let mut only = value.clone();
        retype(&item, &mut only);
        if only.is_object() || !item.accepts(&only) {
            return false;
        }
        *value = Value::Array(vec![only]);
        true
    }

    fn members(&self, schema: &Value, members: &mut Map<String, Value>) -> bool {
        let Some(Value::Object(properties)) = part(schema, "properties") else {
            return false;
        };
        let mut changed = false;
        let misnamed: Vec<(String, String)> = members
            .keys()
            .filter(|key| !properties.contains_key(*key))
            .map(|key| (key.clone(), camel_case(key)))
            .filter(|(_, camel)| properties.contains_key(camel) && !members.contains_key(camel))
            .collect();
        for (given, name) in misnamed {
            if let Some(value) = members.shift_remove(&given) {
                members.insert(name, value);
                changed = true;
            }
        }
        for (name, value) in members.iter_mut() {
            if let Some(property) = properties.get(name) {
                changed |= self.visit(property, value);
            }
        }
        changed
    }

    /// The part of the schema that a path such as `arguments.body.seasons[1].monitored` is about.
    fn at<'s>(&'s self, path: &str) -> Option<&'s Value> {
        let mut schema = self.resolve(self.root)?;
        let steps = path.split(['.', '[']).skip(1);
        for step in steps {
            let next =
                if step.ends_with(']') { part(schema, "items")? } else { part(schema, "properties")?.get(step)? };
            schema = self.resolve(next)?;
        }
        Some(schema)
    }

    /// Follows a reference within the schema; only types that contain themselves have one.
    fn resolve<'s>(&'s self, schema: &'s Value) -> Option<&'s Value> {
        match schema.get("$ref").and_then(Value::as_str) {
            Some("#") => Some(self.root),
            Some(reference) => self.root.pointer(reference.strip_prefix('#')?),
            None => Some(schema),
        }
    }
}

/// A keyword of the schema, or of its only alternative that has it.
fn part<'s>(schema: &'s Value, keyword: &str) -> Option<&'s Value> {
    if let Some(found) = schema.get(keyword) {
        return Some(found);
    }
    ["anyOf", "oneOf", "allOf"]
        .iter()
        .filter_map(|combinator| schema.get(combinator)?.as_array())
        .flatten()
        .find_map(|alternative| alternative.get(keyword))
}

/// The JSON types a schema accepts.
#[derive(Default)]
struct Due {
    string: bool,
    integer: bool,
    number: bool,
    boolean: bool,
    object: bool,
    array: bool,
    date_time: bool,
    names: bool,
}

impl Due {
    fn of(schema: &Value) -> Self {
        let mut due = Due::default();
        due.add(schema);
        for combinator in ["anyOf", "oneOf", "allOf"] {
            if let Some(Value::Array(alternatives)) = schema.get(combinator) {
                alternatives.iter().for_each(|schema| due.add(schema));
            }
        }
        due
    }

    fn add(&mut self, schema: &Value) {
        match schema.get("type") {
            Some(Value::String(name)) => self.add_type(name),
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).for_each(|name| self.add_type(name)),
            _ => {}
        }
        self.date_time |= schema.get("format").and_then(Value::as_str) == Some("date-time");
        self.names |= schema.get("enum").is_some() || schema.get("examples").is_some();
    }

    /// Whether the value is of one of the types.
    fn accepts(&self, value: &Value) -> bool {
        match value {
            Value::Null => false,
            Value::Bool(_) => self.boolean,
            Value::Number(number) => self.number || (self.integer && !number.is_f64()),
            Value::String(_) => self.string,
            Value::Array(_) => self.array,
            Value::Object(_) => self.object,
        }
    }

    fn add_type(&mut self, name: &str) {
        match name {
            "string" => self.string = true,
            "integer" => self.integer = true,
            "number" => self.number = true,
            "boolean" => self.boolean = true,
            "object" => self.object = true,
            "array" => self.array = true,
            _ => {}
        }
    }
}

/// Changes the type of one value, if its meaning is plain.
fn retype(due: &Due, value: &mut Value) -> bool {
    let new = match &*value {
        Value::String(text) if due.date_time => date_time(text),
        Value::String(text) if !due.string => from_text(due, text.trim()),
        Value::Number(number) if due.string && !due.integer && !due.number && !due.names => {
            number.as_i64().map(|number| Value::String(number.to_string()))
        }
        Value::Number(number) if due.integer && !due.number && number.is_f64() => {
            number.as_f64().and_then(whole).map(Value::from)
        }
        _ => None,
    };
    match new {
        Some(new) => {
            *value = new;
            true
        }
        None => false,
    }
}

fn from_text(due: &Due, text: &str) -> Option<Value> {
    if due.integer
        && let Ok(number) = text.parse::<i64>()
    {
        return Some(Value::from(number));
    }
    if due.number
        && let Ok(number) = text.parse::<f64>()
        && number.is_finite()
    {
        return Some(Value::from(number));
    }
    if due.boolean && text.eq_ignore_ascii_case("true") {
        return Some(Value::Bool(true));
    }
    if due.boolean && text.eq_ignore_ascii_case("false") {
        return Some(Value::Bool(false));
    }
    if due.object || due.array {
        let parsed = serde_json::from_str::<Value>(text).ok()?;
        if (due.object && parsed.is_object()) || (due.array && parsed.is_array()) {
            return Some(parsed);
        }
    }
    None
}

/// 5.0 as 5; a fraction is no integer.
fn whole(number: f64) -> Option<i64> {
    /// Above this a double no longer tells neighbouring integers apart.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    #[expect(clippy::cast_possible_truncation, reason = "the bound and the fraction are checked")]
    (number.fract() == 0.0 && number.abs() < EXACT).then_some(number as i64)
}

/// A date, or a point in time without a zone, as the point in time in UTC.
fn date_time(text: &str) -> Option<Value> {
    let text = text.trim();
    if chrono::DateTime::parse_from_rfc3339(text).is_ok() {
        return None;
    }
    let at = chrono::NaiveDate::parse_from_str(text, "%Y-%m-%d")
        .ok()
        .and_then(|date| date.and_hms_opt(0, 0, 0))
        .or_else(|| {
            ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M"]
                .iter()
                .find_map(|format| chrono::NaiveDateTime::parse_from_str(text, format).ok())
        })?;
    Some(Value::String(at.and_utc().to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true)))
}

#[cfg(test)]
mod tests {
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
}
