//! The input schema of a tool.

use std::sync::Arc;

use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};

use crate::help;
use crate::names;
use crate::operation::{Kind, Operation, Parameter, Place};
use crate::write::pairs;

/// The known values of a parameter are listed when they take no more characters than this; the
/// refusal of a wrong one lists them all.
const VALUES_SHOWN: usize = 72;

/// Its values are the words that everybody uses.
const ORDER: &str = "sortDirection";

/// An `operation` by name and its `arguments`: every parameter any of the operations takes, and
/// no other, for strict converters empty an object without members.
pub fn input(operations: &[&'static Operation]) -> Arc<JsonObject> {
    let mut names: Vec<&str> = operations.iter().map(|operation| operation.name).collect();
    names.push(help::NAME);
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    let mut properties = Map::new();
    properties.insert("operation".to_owned(), json!({"type": "string", "enum": names}));
    let mut arguments = union(operations);
    arguments.insert(help::TOPIC.to_owned(), json!({"type": "string"}));
    properties.insert(
        "arguments".to_owned(),
        json!({"type": "object", "properties": arguments, "additionalProperties": false}),
    );
    let writes = operations.iter().any(|operation| operation.effect.writes());
    // The server's instructions say what it is.
    properties.insert("query".to_owned(), json!({"type": "string"}));
    if writes {
        properties.insert("dry_run".to_owned(), json!({"type": "boolean"}));
        properties.insert("confirm".to_owned(), json!({"type": "string"}));
    }
    schema.insert("properties".to_owned(), Value::Object(properties));
    schema.insert("required".to_owned(), json!(["operation"]));
    Arc::new(schema)
}

/// The same without the arguments, which `help` tells: any are let through, and checked when
/// called.
pub fn lean(operations: &[&'static Operation]) -> Arc<JsonObject> {
    let mut schema = Map::clone(&input(operations));
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.insert("arguments".to_owned(), json!({"type": "object", "additionalProperties": true}));
    }
    Arc::new(schema)
}

/// What every answer is. Its members differ by operation, and by how much of it is shown.
pub fn output() -> Arc<JsonObject> {
    Arc::new(Map::from_iter([("type".to_owned(), json!("object"))]))
}

/// Every parameter once, in the order of their first appearance.
///
/// A parameter is explained where a wrong guess would cost something: where an operation needs it,
/// and where one that writes takes it. Names of records, filters of what is read and what comes
/// along with it say enough themselves. A tool that only reads explains none: a wrong guess is
/// refused with what is due, and nothing is lost by it.
fn union(operations: &[&'static Operation]) -> Map<String, Value> {
    let writes = operations.iter().any(|operation| operation.effect.writes());
    let mut union: Vec<(&str, Vec<&'static Parameter>, bool, bool)> = Vec::new();
    for operation in operations {
        for parameter in operation.takes() {
            let names_record = parameter.name.to_ascii_lowercase().ends_with("id");
            let says_enough = names_record || parameter.name.starts_with("include");
            let explain = !says_enough && (operation.effect.writes() || parameter.required && writes);
            let name = pairs::argument(operation, parameter);
            let by_name = names::takes_name(operation, parameter);
            match union.iter_mut().find(|(known, ..)| *known == name) {
                Some((_, same, explained, named)) => {
                    same.push(parameter);
                    *explained |= explain;
                    *named |= by_name;
                }
                None => union.push((name, vec![parameter], explain, by_name)),
            }
        }
    }
    let schema =
        |(name, same, explained, named): (&str, Vec<_>, _, _)| (name.to_owned(), parameter(&same, explained, named));
    union.into_iter().map(schema).collect()
}

/// One parameter, as it is in all the operations that have it; `named` where it also takes a name.
fn parameter(same: &[&'static Parameter], explained: bool, named: bool) -> Value {
    let mut kinds: Vec<Kind> = Vec::new();
    for parameter in same {
        let kind = match (parameter.place, parameter.kind) {
            // The one open member: its schema is the operation's.
            (Place::Body, Kind::Array(_)) => Kind::Array(&Kind::Object),
            (_, kind) => kind,
        };
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    if named && !kinds.contains(&Kind::String) {
        kinds.push(Kind::String);
    }
    let mut schema = match kinds.as_slice() {
        [one] => kind(one),
        several => {
            let alternatives: Vec<Value> = several.iter().map(|one| kind(one).into()).collect();
            let mut schema = Map::new();
            schema.insert("anyOf".to_owned(), Value::Array(alternatives));
            schema
        }
    };
    if let Some(first) = same.first()
        && same.iter().all(|one| one.values == first.values)
        && !first.values.is_empty()
        && first.name != ORDER
        && first.values.iter().map(|value| value.len() + 1).sum::<usize>() <= VALUES_SHOWN
    {
        let values = json!(first.values);
        match schema.get_mut("items").and_then(Value::as_object_mut) {
            Some(items) => items.insert("enum".to_owned(), values),
            None => schema.insert("enum".to_owned(), values),
        };
    }
    if explained && let Some(summary) = common_summary(same) {
        // What is left out is off.
        let summary = summary.strip_suffix(" Default: false.").unwrap_or(summary);
        schema.insert("description".to_owned(), json!(summary));
    }
    Value::Object(schema)
}

/// What the parameter means, when it means the same wherever it appears.
fn common_summary(same: &[&'static Parameter]) -> Option<&'static str> {
    let first = same.first()?;
    (!first.summary.is_empty() && same.iter().all(|one| one.summary == first.summary)).then_some(first.summary)
}

fn kind(kind_: &Kind) -> Map<String, Value> {
    let mut schema = Map::new();
    let name = match kind_ {
        Kind::Integer => "integer",
        Kind::Number => "number",
        Kind::Boolean => "boolean",
        Kind::String | Kind::DateTime => "string",
        Kind::Object => "object",
        Kind::Array(_) => "array",
        Kind::Any => return schema,
    };
    schema.insert("type".to_owned(), json!(name));
    match kind_ {
        Kind::DateTime => {
            schema.insert("format".to_owned(), json!("date-time"));
        }
        Kind::Object => {
            schema.insert("additionalProperties".to_owned(), json!(true));
        }
        Kind::Array(item) => {
            schema.insert("items".to_owned(), Value::Object(kind(item)));
        }
        _ => {}
    }
    schema
}
