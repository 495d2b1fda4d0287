//! The names of the arguments: each known, each given once, none missing.

use serde_json::{Map, Value};
use sonarr_client::PathSegment;

use super::ArgumentError;
use crate::operation::{Kind, Operation, Parameter, Place};

/// Brings the names of `arguments` to the ones Sonarr uses, and checks what can be checked
/// without the operation's own type.
///
/// `series_id` and `seriesId` are the same name. A null for an argument that may be left out, or
/// that belongs to another operation, counts as left out.
///
/// # Errors
/// An unknown name with the nearest one, a name given twice, a missing one, a value that is not
/// among the known ones, or a path argument that would leave its segment.
pub fn settle(operation: &Operation, arguments: Map<String, Value>) -> Result<Map<String, Value>, ArgumentError> {
    let mut settled = Map::new();
    for (given, value) in arguments {
        let Some(parameter) = find(operation.parameters, &given) else {
            // A strict host makes a model send every argument of the tool, null where it has nothing to say.
            if value.is_null() {
                continue;
            }
            return Err(unknown(operation, &given));
        };
        if value.is_null() && !parameter.required {
            continue;
        }
        let value = known_value(parameter, value)?;
        if settled.insert(parameter.name.to_owned(), value).is_some() {
            return Err(ArgumentError::new(
                format!("arguments.{given}"),
                format!("`{}` is given twice", parameter.name),
            ));
        }
    }
    let missing: Vec<&str> = operation
        .parameters
        .iter()
        .filter(|parameter| parameter.required && !settled.contains_key(parameter.name))
        .map(|parameter| parameter.name)
        .collect();
    if let [first, ..] = missing.as_slice() {
        return Err(ArgumentError::new(
            format!("arguments.{first}"),
            format!("`{}` needs {}", operation.name, list_names(&missing)),
        )
        .accepting(signature(operation)));
    }
    Ok(settled)
}

/// What an operation accepts: one entry an argument, with its type and whether it is required.
pub fn signature(operation: &Operation) -> Vec<String> {
    operation
        .takes()
        .map(|parameter| {
            let required = if parameter.required { ", required" } else { "" };
            format!("{} ({}{required})", parameter.name, kind_words(&parameter.kind))
        })
        .collect()
}

fn unknown(operation: &Operation, given: &str) -> ArgumentError {
    let names = operation.takes().map(|parameter| parameter.name);
    let problem = if operation.parameters.is_empty() {
        format!("`{}` takes no arguments", operation.name)
    } else {
        format!("`{}` has no argument of this name", operation.name)
    };
    ArgumentError::new(format!("arguments.{given}"), problem).resembling(given, names).accepting(signature(operation))
}

fn find<'a>(parameters: &'a [Parameter], given: &str) -> Option<&'a Parameter> {
    parameters
        .iter()
        .find(|parameter| parameter.name == given)
        .or_else(|| parameters.iter().find(|parameter| snake_case(parameter.name) == given))
}

/// Holds a value against the known ones and puts its case right.
fn known_value(parameter: &Parameter, value: Value) -> Result<Value, ArgumentError> {
    if let (Place::Path, Value::String(text)) = (parameter.place, &value) {
        PathSegment::try_from(text)
            .map_err(|error| ArgumentError::new(format!("arguments.{}", parameter.name), error.to_string()))?;
    }
    if parameter.values.is_empty() {
        return Ok(value);
    }
    match value {
        Value::String(text) => one_known(parameter, &text).map(Value::String),
        Value::Array(members) => members
            .into_iter()
            .map(|member| match member {
                Value::String(text) => one_known(parameter, &text).map(Value::String),
                other => Ok(other),
            })
            .collect::<Result<Vec<_>, _>>()
            .map(Value::Array),
        other => Ok(other),
    }
}

fn one_known(parameter: &Parameter, text: &str) -> Result<String, ArgumentError> {
    // Sonarr also takes the number behind a name, and a newer one may know more of them.
    if text.parse::<i64>().is_ok() {
        return Ok(text.to_owned());
    }
    let values = parameter.values.iter().copied();
    match values.clone().find(|value| value.eq_ignore_ascii_case(text)) {
        Some(value) => Ok(value.to_owned()),
        None => Err(ArgumentError::new(
            format!("arguments.{}", parameter.name),
            format!("`{}` is not a known value", shortened(text)),
        )
        .resembling(text, values.clone())
        .accepting(values.map(str::to_owned).collect())),
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}

fn list_names(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and ")
}

fn kind_words(kind: &Kind) -> String {
    match kind {
        Kind::Integer => "integer".to_owned(),
        Kind::Number => "number".to_owned(),
        Kind::Boolean => "boolean".to_owned(),
        Kind::String => "string".to_owned(),
        Kind::DateTime => "date and time".to_owned(),
        Kind::Object => "object".to_owned(),
        Kind::Array(inner) => format!("list of {}", kind_words(inner)),
        Kind::Any => "any value".to_owned(),
    }
}

/// `seriesId` → `series_id`.
pub fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            snake.push('_');
            snake.push(c.to_ascii_lowercase());
        } else {
            snake.push(c);
        }
    }
    snake
}

/// `series_id` → `seriesId`.
pub fn camel_case(name: &str) -> String {
    let mut camel = String::with_capacity(name.len());
    let mut raise = false;
    for c in name.chars() {
        if c == '_' && !camel.is_empty() {
            raise = true;
        } else if raise {
            camel.push(c.to_ascii_uppercase());
            raise = false;
        } else {
            camel.push(c);
        }
    }
    camel
}
