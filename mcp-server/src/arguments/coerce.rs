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
mod tests;
