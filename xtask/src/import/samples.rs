//! First versions of what a table says of something new, for a person to better.

use crate::document::{Document, reference};
use crate::facade::Operation;
use crate::table::Table;
use anyhow::{Context, Result};
use heck::ToSnakeCase;
use serde_json::{Map, Value};

/// A summary where the name says enough; else empty, which regen refuses.
pub fn parameter(name: &str) -> String {
    match name.strip_prefix("include") {
        Some(what) if !what.is_empty() => {
            format!("Put the {} into each record.", what.to_snake_case().replace('_', " "))
        }
        _ => String::new(),
    }
}

/// Columns that are likely to tell a record from another: plain members, ids and names first.
pub fn columns(document: &Document, schema: &str) -> Result<Vec<String>> {
    let schema = document.schemas()?.get(schema).with_context(|| format!("there is no schema {schema}"))?;
    let members = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let plain = |schema: &Value| {
        reference(schema).is_none()
            && !matches!(schema.get("type").and_then(Value::as_str), Some("array" | "object") | None)
    };
    let mut names: Vec<&str> = members.filter(|(_, schema)| plain(schema)).map(|(name, _)| name.as_str()).collect();
    let telling = ["id", "title", "name", "label"];
    names.sort_by_key(|name| telling.iter().position(|known| known == name).unwrap_or(telling.len()));
    Ok(names.into_iter().take(8).map(|name| format!("\"{name}\"")).collect())
}

/// A call with the arguments it cannot do without.
pub fn example(document: &Document, table: &Table, operation: &str) -> Result<String> {
    let row =
        table.rows.iter().find(|row| row.name == operation).with_context(|| format!("there is no {operation}"))?;
    let needed = Operation::read(document, row)?;
    let mut arguments = Vec::new();
    for argument in needed.arguments.iter().filter(|argument| argument.required) {
        arguments.push(format!("{} = {}", argument.name, value(document, &argument.schema, 0)?));
    }
    Ok(if arguments.is_empty() {
        format!("[{operation}]")
    } else {
        format!("[{operation}]\narguments = {{ {} }}", arguments.join(", "))
    })
}

/// A small value of the schema, as TOML.
fn value(document: &Document, schema: &Value, depth: usize) -> Result<String> {
    let schema = document.resolve(schema)?;
    if let Some(first) = schema.get("enum").and_then(Value::as_array).and_then(|values| values.first()) {
        return Ok(first.to_string());
    }
    Ok(match schema.get("type").and_then(Value::as_str) {
        Some("integer") => "1".into(),
        Some("number") => "1.0".into(),
        Some("boolean") => "true".into(),
        Some("array") => match schema.get("items") {
            Some(items) if depth < 2 => format!("[{}]", value(document, items, depth + 1)?),
            _ => "[]".into(),
        },
        Some("object") if depth < 2 => {
            let none = Map::new();
            let members = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
            let mut given = Vec::new();
            for (name, member) in members.iter().filter(|(name, _)| *name != "id").take(3) {
                given.push(format!("{name} = {}", value(document, member, depth + 1)?));
            }
            if given.is_empty() { "{}".into() } else { format!("{{ {} }}", given.join(", ")) }
        }
        Some("string") => "\"text\"".into(),
        _ => "{}".into(),
    })
}
