//! The schema of an operation's arguments, short: what can be set and nothing else.

use serde_json::{Map, Value, json};

use super::settable;
use crate::operation::Operation;
use crate::write::keys::keyed;
use crate::write::pairs;

/// How often a type may stand inside itself before it is left out: a group of qualities holds
/// qualities, which are written the same way.
const NESTED: usize = 2;

/// The schema of the arguments of `operation`, with bodies down to what Sonarr takes from them.
pub fn arguments(operation: &Operation) -> Value {
    let schema = (operation.arguments)().to_value();
    let trimmer = Trimmer { operation: operation.name, definitions: schema.get("$defs").unwrap_or(&Value::Null) };
    let mut trimmed = trimmer.trim(&schema, &mut Vec::new()).unwrap_or_else(|| json!({"type": "object"}));
    if let Some(root) = trimmed.as_object_mut() {
        // The name of the operation, which the help has said already.
        root.shift_remove("description");
        if let Some(Value::Object(properties)) = root.get_mut("properties") {
            for own in crate::wait::parameters(operation) {
                properties.insert(own.name.to_owned(), json!({"type": "integer", "description": own.summary}));
            }
        }
        if let Some(Value::Object(properties)) = root.get_mut("properties") {
            for own in crate::dispatch::several::parameters(operation) {
                let items = json!({"type": "integer"});
                properties
                    .insert(own.name.to_owned(), json!({"type": "array", "items": items, "description": own.summary}));
            }
        }
        if pairs::takes_patch(operation) {
            patched(operation, root);
        }
    }
    trimmed
}

/// The form in which an update is called: with what changes, in the place of the whole object.
fn patched(operation: &Operation, root: &mut Map<String, Value>) {
    let required: Vec<&str> = operation
        .parameters
        .iter()
        .filter(|parameter| pairs::is_required(operation, parameter))
        .map(|parameter| pairs::argument(operation, parameter))
        .collect();
    root.insert("required".to_owned(), json!(required));
    let Some(Value::Object(properties)) = root.get_mut("properties") else {
        return;
    };
    let Some(Value::Object(mut body)) = properties.shift_remove("body") else {
        return;
    };
    let keyed: Vec<String> = body
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flat_map(Map::keys)
        .filter_map(|member| keyed(member))
        .map(|list| format!("`{}` also by {}", list.member, list.key))
        .collect();
    let mut description =
        "Only the members to change; the rest stays. null removes, a list replaces the list".to_owned();
    if !keyed.is_empty() {
        description.push_str(&format!(" ({})", keyed.join(", ")));
    }
    body.insert("description".to_owned(), json!(description));
    properties.insert(pairs::PATCH.to_owned(), Value::Object(body));
}

struct Trimmer<'a> {
    operation: &'static str,
    definitions: &'a Value,
}

impl<'a> Trimmer<'a> {
    /// The short form of a schema; nothing where a type would go on for ever.
    fn trim(&self, schema: &'a Value, above: &mut Vec<&'a str>) -> Option<Value> {
        if let Some(name) = reference(schema) {
            return self.trim(self.definitions.get(name)?, above);
        }
        let kind = kind(schema);
        if let Some(kind) = kind {
            if above.iter().filter(|other| **other == kind).count() >= NESTED {
                return None;
            }
            above.push(kind);
        }
        let trimmed = self.members(schema, kind, above);
        if kind.is_some() {
            above.pop();
        }
        trimmed
    }

    fn members(&self, schema: &'a Value, kind: Option<&'a str>, above: &mut Vec<&'a str>) -> Option<Value> {
        let Value::Object(keywords) = schema else {
            // `true`: any value.
            return Some(json!({}));
        };
        let mut short = Map::new();
        for (keyword, value) in keywords {
            match keyword.as_str() {
                "type" => {
                    let open_enum = keywords.contains_key("examples");
                    let value = if open_enum { json!("string") } else { value.clone() };
                    short.insert("type".to_owned(), value);
                }
                "examples" => {
                    short.insert("enum".to_owned(), wanted(value));
                }
                "properties" => {
                    let properties = self.properties(value, kind, above);
                    if !properties.is_empty() {
                        short.insert("properties".to_owned(), Value::Object(properties));
                    }
                }
                "items" => {
                    short.insert("items".to_owned(), self.trim(value, above)?);
                }
                "required" | "format" | "enum" | "description" => {
                    short.insert(keyword.clone(), value.clone());
                }
                _ => {}
            }
        }
        Some(Value::Object(short))
    }

    /// The members that can be set, the most telling first.
    fn properties(&self, properties: &'a Value, kind: Option<&'a str>, above: &mut Vec<&'a str>) -> Map<String, Value> {
        let mut short = Map::new();
        let Some(properties) = properties.as_object() else {
            return short;
        };
        let kept = kind.and_then(|kind| settable::members(self.operation, kind));
        let names: Vec<&str> = match kept {
            Some(kept) => kept.to_vec(),
            None => properties.keys().map(String::as_str).collect(),
        };
        for name in names {
            if let Some(schema) = properties.get(name)
                && let Some(trimmed) = self.trim(schema, above)
            {
                short.insert(name.to_owned(), trimmed);
            }
        }
        short
    }
}

/// The names of an open enum without `unknown`, which Sonarr answers and nobody asks for.
fn wanted(names: &Value) -> Value {
    let names = names.as_array().into_iter().flatten();
    names.filter(|name| *name != "unknown").cloned().collect()
}

/// The name of the type a schema refers to.
fn reference(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix("#/$defs/")
}

/// The type a schema is of.
pub(super) fn kind(schema: &Value) -> Option<&str> {
    schema.get("title")?.as_str()
}
