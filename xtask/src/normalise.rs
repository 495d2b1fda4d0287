//! The corrected, described document → the shape progenitor makes an open client of.
//!
//! Nothing here is a fact about Sonarr: each step is about what progenitor reads and what it makes of it.

use crate::document::{Document, content};
use anyhow::{Context, Result};
use openapiv3::OpenAPI;
use serde_json::{Map, Value, json};

/// Operations progenitor cannot express; the SDK has them by hand.
pub const BY_HAND: [&str; 1] = ["restore_backup_upload"];

/// The document as progenitor reads it.
pub fn normalise(document: &Document) -> Result<OpenAPI> {
    let mut document = document.clone();
    drop_by_hand(&mut document)?;
    for (_, operation) in document.operations_mut() {
        any_success(operation)?;
        plain_parameters(operation);
        // progenitor prints both; one of them is enough in the generated docs.
        let summary = operation.shift_remove("summary").and_then(|s| s.as_str().map(str::to_owned)).unwrap_or_default();
        let details = operation.get("description").and_then(Value::as_str).unwrap_or_default();
        let description = if details.is_empty() { summary } else { format!("{summary}\n\n{details}") };
        operation.insert("description".into(), description.into());
    }
    for (_, schema) in document.schemas_mut()? {
        open(schema);
    }
    serde_json::from_value(document.0).context("the normalised document is not OpenAPI 3.0")
}

fn drop_by_hand(document: &mut Document) -> Result<()> {
    let paths = document.0.get_mut("paths").and_then(Value::as_object_mut).context("no paths")?;
    for (_, item) in paths.iter_mut() {
        if let Some(item) = item.as_object_mut() {
            item.retain(|_, operation| {
                !operation.get("operationId").and_then(Value::as_str).is_some_and(|name| BY_HAND.contains(&name))
            });
        }
    }
    paths.retain(|_, item| item.as_object().is_some_and(|item| !item.is_empty()));
    Ok(())
}

/// Any 2xx is success: servers of another version answer 200 where this one says 201 or 202.
fn any_success(operation: &mut Map<String, Value>) -> Result<()> {
    let (_, answer) = crate::document::success(operation)?;
    let mut answer = answer.clone();
    if let Some(json) = content(&answer).and_then(|content| content.get("application/json")).cloned() {
        let members = answer.as_object_mut().context("a response is an object")?;
        members.insert("content".into(), json!({ "application/json": json }));
    }
    operation.insert("responses".into(), json!({ "2XX": answer }));
    Ok(())
}

/// Defaults are the server's business: an argument left out stays out.
fn plain_parameters(operation: &mut Map<String, Value>) {
    let declared = operation.get_mut("parameters").and_then(Value::as_array_mut);
    for schema in declared.into_iter().flatten().filter_map(|parameter| parameter.get_mut("schema")) {
        if let Some(schema) = schema.as_object_mut() {
            schema.shift_remove("default");
        }
    }
}

/// Every member optional, every object open: `{}` (not `true`, not absent) makes typify keep unknown members.
fn open(schema: &mut Value) {
    let Some(schema) = schema.as_object_mut() else { return };
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (_, property) in properties.iter_mut() {
        // Beside a $ref OpenAPI 3.0 ignores it, and there optional is enough.
        if let Some(property) = property.as_object_mut().filter(|property| !property.contains_key("$ref")) {
            property.insert("nullable".into(), true.into());
            property.shift_remove("default");
        }
    }
    schema.insert("additionalProperties".into(), json!({}));
    schema.shift_remove("required");
}
