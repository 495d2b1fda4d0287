//! One sample call an operation, with the request it has to become: the table of the request tests.
//!
//! It is made from the document alone, so that a fault of the generated code cannot hide in it.

use crate::document::{Document, reference};
use crate::facade::{Argument, Operation, Place};
use crate::normalise::BY_HAND;
use crate::output::{self, Files};
use crate::table::{GROUPS, Table};
use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

const FILE: &str = "mcp-server/tests/it/requests.json";

/// Writes the table.
pub fn generate(document: &Document, table: &Table, files: &mut Files) -> Result<()> {
    let mut rows = Vec::new();
    for group in GROUPS {
        for row in table.in_group(group) {
            let operation = Operation::read(document, row).with_context(|| row.name.clone())?;
            let mut sample = Sample {
                document,
                arguments: Map::new(),
                path: row.path().to_owned(),
                query: Vec::new(),
                body: Value::Null,
            };
            for argument in &operation.arguments {
                sample.add(argument).with_context(|| format!("`{}` of {}", argument.name, row.name))?;
            }
            rows.push(json!({
                "tool": format!("sonarr_{group}"),
                "operation": row.name,
                "arguments": sample.arguments,
                "method": row.method(),
                "path": sample.path,
                "query": sample.query,
                "body": sample.body,
                "status": row.status,
                "multipart": BY_HAND.contains(&row.name.as_str()),
            }));
        }
    }
    files.add(FILE, output::json(&rows.into())?);
    Ok(())
}

struct Sample<'a> {
    document: &'a Document,
    arguments: Map<String, Value>,
    path: String,
    query: Vec<[String; 2]>,
    body: Value,
}

impl Sample<'_> {
    fn add(&mut self, argument: &Argument) -> Result<()> {
        let name = &argument.name;
        let value = match argument.place {
            Place::Form if name == "content" => json!("UEsDBA=="),
            Place::Form => json!("backup.zip"),
            _ => self.value(name, &argument.schema, 0)?,
        };
        match argument.place {
            Place::Path => self.path = self.path.replace(&format!("{{{name}}}"), &wire(&value)),
            Place::Query => match &value {
                Value::Array(items) => self.query.extend(items.iter().map(|item| [name.clone(), wire(item)])),
                other => self.query.push([name.clone(), wire(other)]),
            },
            Place::Body => self.body = value.clone(),
            Place::Form => {}
        }
        self.arguments.insert(name.clone(), value);
        Ok(())
    }

    /// A value of the schema; two items a list, every member of a body, down to a few levels.
    fn value(&self, name: &str, schema: &Value, depth: usize) -> Result<Value> {
        if reference(schema) == Some("PathSegment") {
            return Ok(json!("sample-1.txt"));
        }
        let schema = self.document.resolve(schema)?;
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            return values.last().cloned().context("an enum without values");
        }
        let format = schema.get("format").and_then(Value::as_str);
        Ok(match (schema.get("type").and_then(Value::as_str), format) {
            (Some("integer"), _) => json!(name.len() + 3),
            (Some("number"), _) => json!(1.5),
            (Some("boolean"), _) => json!(true),
            (Some("string"), Some("date-time")) => json!("2026-03-04T05:06:07Z"),
            (Some("string"), Some("date-span")) => json!("1.02:03:04"),
            (Some("string"), _) if name == "tags" => json!("1,anime"),
            (Some("string"), _) => json!(format!("{name} of Ünïcode & co?/#")),
            (Some("array"), _) if depth > 4 => json!([]),
            (Some("array"), _) => {
                let items = schema.get("items").context("an array without items")?;
                let one = self.value(name, items, depth + 1)?;
                let two = self.value(&format!("{name}2"), items, depth + 1)?;
                json!([one, two])
            }
            (Some("object"), _) => self.object(schema, depth)?,
            _ => json!({ "any": [1, null, "value"] }),
        })
    }

    fn object(&self, schema: &Value, depth: usize) -> Result<Value> {
        let mut members = Map::new();
        if depth <= 4 {
            for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
                members.insert(name.clone(), self.value(name, property, depth + 1)?);
            }
        }
        // A member no document knows must arrive as well.
        members.insert("memberOfTomorrow".into(), json!({ "depth": depth, "nothing": null }));
        Ok(members.into())
    }
}

/// A value as it stands in a path or a query, before percent-encoding.
fn wire(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
