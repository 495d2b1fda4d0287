//! An operation or a schema as a list of facts a person can read: two lists compared name every difference.

use crate::document::{content, reference};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// What is said, by the thing it is said of.
pub type Facts = BTreeMap<String, String>;

/// Parameters, body and answers of an operation, and whatever else the document says of it.
pub fn of_operation(operation: &Map<String, Value>) -> Facts {
    let mut facts = Facts::new();
    for (key, value) in operation {
        match (key.as_str(), value) {
            ("parameters", Value::Array(parameters)) => {
                for parameter in parameters {
                    let text = |member: &str| parameter.get(member).and_then(Value::as_str).unwrap_or("?");
                    let rest = without(parameter, &["name", "in", "schema", "required"]);
                    let mut fact = parameter.get("schema").map_or_else(|| "any".into(), shorthand);
                    if parameter.get("required") == Some(&Value::Bool(true)) && text("in") != "path" {
                        fact.push_str(", required");
                    }
                    facts.insert(format!("{} parameter `{}`", text("in"), text("name")), fact + &extras(&rest));
                }
            }
            ("requestBody", body) => {
                let mut fact = media(body);
                if body.get("required") == Some(&Value::Bool(true)) {
                    fact.push_str(", required");
                }
                facts.insert("body".into(), fact + &extras(&without(body, &["content", "required", "description"])));
            }
            ("responses", Value::Object(responses)) => {
                for (status, response) in responses {
                    let rest = extras(&without(response, &["content", "description"]));
                    facts.insert(format!("answer {status}"), media(response) + &rest);
                }
            }
            (key, value) => {
                facts.insert(format!("`{key}`"), value.to_string());
            }
        }
    }
    facts
}

/// Members and values of a schema, and whatever else the document says of it.
pub fn of_schema(schema: &Value) -> Facts {
    let mut facts = Facts::new();
    let required: BTreeSet<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    for (name, member) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let needed = if required.contains(name.as_str()) { ", required" } else { "" };
        facts.insert(format!("member `{name}`"), shorthand(member) + needed);
    }
    for value in schema.get("enum").and_then(Value::as_array).into_iter().flatten() {
        facts.insert(
            format!("value `{}`", value.as_str().map_or_else(|| value.to_string(), str::to_owned)),
            String::new(),
        );
    }
    facts.insert("type".into(), shorthand(&without(schema, &["properties", "enum", "required"]).into()));
    facts
}

/// A schema in a few words: `SeriesResource[]`, `integer (int32) or null`.
pub fn shorthand(schema: &Value) -> String {
    if let Some(name) = reference(schema) {
        return name.to_owned() + &extras(&without(schema, &["$ref"]));
    }
    let text = |member: &str| schema.get(member).and_then(Value::as_str);
    let mut short = match (text("type"), schema.get("items")) {
        (Some("array"), Some(items)) => format!("{}[]", shorthand(items)),
        (Some(name), _) => name.to_owned(),
        (None, _) => "any".to_owned(),
    };
    if let Some(format) = text("format") {
        short = format!("{short} ({format})");
    }
    if schema.get("nullable") == Some(&Value::Bool(true)) {
        short.push_str(" or null");
    }
    let known: &[&str] = if text("type") == Some("array") { &["type", "items", "format"] } else { &["type", "format"] };
    let mut rest = without(schema, known);
    if rest.get("nullable") == Some(&Value::Bool(true)) {
        rest.shift_remove("nullable");
    }
    short + &extras(&rest)
}

/// The content of a body or an answer: what comes in which media types.
fn media(value: &Value) -> String {
    let mut by_schema: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (media, of) in content(value).into_iter().flatten() {
        let rest = extras(&without(of, &["schema"]));
        let short = of.get("schema").map_or_else(|| "anything".into(), shorthand) + &rest;
        by_schema.entry(short).or_default().push(media);
    }
    if by_schema.is_empty() {
        return "nothing declared".into();
    }
    let parts: Vec<String> =
        by_schema.into_iter().map(|(short, media)| format!("{short} as {}", media.join(", "))).collect();
    parts.join("; ")
}

fn without(value: &Value, known: &[&str]) -> Map<String, Value> {
    let members = value.as_object().into_iter().flatten();
    let rest = members.filter(|(key, _)| !known.contains(&key.as_str()));
    rest.map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// What there is no word for, as it stands; nothing may be left out of a comparison.
fn extras(rest: &Map<String, Value>) -> String {
    let mut sorted: Vec<_> = rest.iter().collect();
    sorted.sort_by_key(|(key, _)| *key);
    sorted.into_iter().map(|(key, value)| format!(", {key}: {value}")).collect()
}
