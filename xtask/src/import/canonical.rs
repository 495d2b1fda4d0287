//! Upstream's document → our canonical form of its facts.
//!
//! Descriptive text, tags and ids stay out: those are ours and come from the table. What remains is in
//! a fixed order, so that a newer document shows as its differences and nothing else.

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

/// Members that only describe.
const PROSE: [&str; 8] =
    ["description", "summary", "tags", "operationId", "externalDocs", "example", "examples", "title"];

/// Everything below `/api/v3`, `GET /api`, `GET /ping` and the iCalendar feed; the rest is the web UI.
fn wanted(method: &str, path: &str) -> bool {
    path.starts_with("/api/v3/")
        || path == "/api"
        || path.starts_with("/feed/v3/")
        || (path == "/ping" && method == "get")
}

/// The canonical form; it does not depend on the order or the prose of `upstream`.
pub fn canonical(upstream: &Value) -> Result<Value> {
    let source = upstream.get("paths").and_then(Value::as_object).context("the document has no `paths`")?;
    let mut paths = Map::new();
    let mut sorted: Vec<_> = source.iter().collect();
    sorted.sort_by_key(|(path, _)| *path);
    for (path, item) in sorted {
        let item = item.as_object().with_context(|| format!("paths/{path} is not an object"))?;
        let mut operations = Map::new();
        for method in ["get", "post", "put", "patch", "delete", "head", "options"] {
            if let Some(operation) = item.get(method).filter(|_| wanted(method, path)) {
                operations.insert(method.into(), facts(operation)?);
            }
        }
        if !operations.is_empty() {
            paths.insert(path.clone(), operations.into());
        }
    }
    let schemas =
        upstream.pointer("/components/schemas").and_then(Value::as_object).context("no `components/schemas`")?;
    let mut names: Vec<_> = schemas.iter().collect();
    names.sort_by_key(|(name, _)| *name);
    let schemas: Map<String, Value> =
        names.into_iter().map(|(name, schema)| Ok((name.clone(), facts(schema)?))).collect::<Result<_>>()?;
    Ok(json!({
        "openapi": upstream.get("openapi").context("the document has no `openapi` version")?,
        "info": {
            "title": "Sonarr v3 API",
            "version": upstream.pointer("/info/version").context("the document has no `info/version`")?,
        },
        "paths": paths,
        "components": { "schemas": schemas },
    }))
}

/// A value without prose and with sorted keys; names of properties are data and keep their order.
fn facts(value: &Value) -> Result<Value> {
    Ok(match value {
        Value::Object(members) => {
            let mut sorted: Vec<_> = members.iter().filter(|(key, _)| !PROSE.contains(&key.as_str())).collect();
            sorted.sort_by_key(|(key, _)| *key);
            let mut out = Map::new();
            for (key, member) in sorted {
                let fact = match (key.as_str(), member) {
                    ("properties", Value::Object(properties)) => properties
                        .iter()
                        .map(|(name, schema)| Ok((name.clone(), facts(schema)?)))
                        .collect::<Result<Map<_, _>>>()?
                        .into(),
                    ("responses", Value::Object(responses)) => responses_of(responses)?,
                    _ => facts(member)?,
                };
                out.insert(key.clone(), fact);
            }
            out.into()
        }
        Value::Array(items) => items.iter().map(facts).collect::<Result<Vec<_>>>()?.into(),
        other => other.clone(),
    })
}

/// OpenAPI demands a description of each response; ours is the same word for all.
fn responses_of(responses: &Map<String, Value>) -> Result<Value> {
    let mut out = Map::new();
    for (status, response) in responses {
        let mut response = facts(response)?;
        let members = response.as_object_mut().with_context(|| format!("responses/{status} is not an object"))?;
        members.shift_insert(0, "description".into(), "Success".into());
        out.insert(status.clone(), response);
    }
    Ok(out.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;

    fn upstream() -> Value {
        json!({
            "openapi": "3.0.1",
            "info": { "title": "Upstream", "description": "prose", "version": "3.0.0" },
            "paths": {
                "/login": { "get": { "responses": { "200": { "description": "OK" } } } },
                "/ping": {
                    "head": { "responses": { "200": { "description": "OK" } } },
                    "get": { "tags": ["Ping"], "responses": { "200": { "description": "OK" } } }
                },
                "/api/v3/tag": { "get": { "tags": ["Tag"], "summary": "prose", "responses": { "200": { "description": "OK" } } } }
            },
            "components": { "schemas": {
                "Tag": { "type": "object", "properties": { "tags": { "type": "string", "description": "prose" }, "description": { "type": "string" } } }
            } }
        })
    }

    #[test]
    fn keeps_facts_and_drops_prose_and_the_web_ui() {
        let out = canonical(&upstream()).unwrap();
        let operations: Vec<_> = Document(out.clone()).operations().map(|(at, _)| at).collect();
        assert_eq!(operations, ["GET /api/v3/tag", "GET /ping"]);
        let text = out.to_string();
        assert!(!text.contains("prose") && !text.contains("\"OK\""), "{text}");
        let properties = out.pointer("/components/schemas/Tag/properties").unwrap();
        assert!(properties.get("tags").is_some() && properties.get("description").is_some());
    }

    #[test]
    fn the_canonical_form_is_a_fixed_point() {
        let once = canonical(&upstream()).unwrap();
        assert_eq!(canonical(&once).unwrap(), once);
    }

    #[test]
    fn a_document_without_paths_is_refused_by_name() {
        let error = canonical(&json!({ "openapi": "3.0.1" })).unwrap_err();
        assert!(error.to_string().contains("paths"), "{error}");
    }
}
