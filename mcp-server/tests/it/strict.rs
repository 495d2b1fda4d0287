//! What libraries rely on that make a tool's schema strict: they close every object and require every member, so an
//! object without members would take nothing any more. `checks/` converts the tools with two such libraries.

use serde_json::{Value, json};

use crate::session::Session;

/// Arguments that are open by nature: what is in them depends on the operation.
const OPEN: [&str; 2] = ["body", "patch"];

/// What no converter can follow.
const UNKNOWN: [&str; 7] = ["$ref", "$defs", "allOf", "oneOf", "not", "if", "patternProperties"];

/// Closes every object and requires every member, as these libraries do.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            members.values_mut().for_each(close);
            if members.get("type") == Some(&json!("object")) {
                let names: Vec<String> = members
                    .get("properties")
                    .and_then(Value::as_object)
                    .into_iter()
                    .flatten()
                    .map(|(name, _)| name.clone())
                    .collect();
                members.insert("additionalProperties".to_owned(), json!(false));
                members.insert("required".to_owned(), json!(names));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

/// Where in a schema an object is that has no members, and what no converter knows.
fn trouble(path: &str, schema: &Value, found: &mut Vec<String>) {
    let Value::Object(members) = schema else { return };
    found.extend(UNKNOWN.iter().filter(|word| members.contains_key(**word)).map(|word| format!("{path}: {word}")));
    let properties = members.get("properties").and_then(Value::as_object);
    if members.get("type") == Some(&json!("object")) && properties.is_none_or(serde_json::Map::is_empty) {
        found.push(format!("{path}: no members"));
    }
    for (name, schema) in properties.into_iter().flatten() {
        trouble(&format!("{path}.{name}"), schema, found);
    }
    for schema in members.get("anyOf").and_then(Value::as_array).into_iter().flatten().chain(members.get("items")) {
        trouble(path, schema, found);
    }
}

#[tokio::test]
async fn arguments_stay_usable_where_objects_are_closed() {
    for read_only in ["false", "true"] {
        let variables = [("SONARR_MCP_DEMO", "true"), ("SONARR_MCP_READ_ONLY", read_only)];
        let list = Session::spawn(&variables).await.request("tools/list", json!({})).await;
        let tools = list["result"]["tools"].as_array().unwrap();
        assert_eq!(tools.len(), 15);
        for tool in tools {
            let schema = &tool["inputSchema"];
            let arguments = &schema["properties"]["arguments"];
            assert_eq!(schema["type"], "object", "{tool}");
            assert_eq!(arguments["type"], "object", "{tool}");
            assert_eq!(arguments["additionalProperties"], false, "{tool}");
            let members = arguments["properties"].as_object().unwrap();
            // Beside the topic of the help there is something that operations take.
            assert!(members.len() > 1, "{tool}");

            let mut found = Vec::new();
            trouble("", schema, &mut found);
            found.retain(|place| !OPEN.iter().any(|open| place == &format!(".arguments.{open}: no members")));
            assert_eq!(found, Vec::<String>::new(), "{}", tool["name"]);

            let mut closed = schema.clone();
            close(&mut closed);
            let left = &closed["properties"]["arguments"];
            let names: Vec<&str> = members.keys().map(String::as_str).collect();
            assert_eq!(left["required"], json!(names), "{}", tool["name"]);
            assert_eq!(left["properties"].as_object().map(serde_json::Map::len), Some(names.len()));
        }
    }
}

#[test]
fn an_object_that_would_be_emptied_is_found() {
    let emptied = json!({"type": "object", "properties": {
        "arguments": {"type": "object"}, "list": {"type": "array", "items": {"$ref": "#/x"}}
    }});
    let mut found = Vec::new();
    trouble("", &emptied, &mut found);
    assert_eq!(found, [".arguments: no members", ".list: $ref"]);
}

/// A model under a strict schema sends every member, null where it has nothing to say.
#[tokio::test]
async fn a_call_with_null_for_everything_else_is_answered() {
    let mut session = Session::spawn(&[("SONARR_MCP_DEMO", "true")]).await;
    let list = session.request("tools/list", json!({})).await;
    for (tool, operation) in [
        ("sonarr_wanted", "list_missing_episodes"),
        ("sonarr_calendar", "list_calendar"),
        ("sonarr_media_library", "list_series"),
        ("sonarr_tags", "list_tags"),
    ] {
        let schema = list["result"]["tools"].as_array().unwrap().iter().find(|listed| listed["name"] == tool).unwrap();
        let nulls = |members: &Value| -> serde_json::Map<String, Value> {
            members.as_object().unwrap().keys().map(|name| (name.clone(), Value::Null)).collect()
        };
        let mut call = nulls(&schema["inputSchema"]["properties"]);
        call.insert("operation".to_owned(), json!(operation));
        call.insert(
            "arguments".to_owned(),
            nulls(&schema["inputSchema"]["properties"]["arguments"]["properties"]).into(),
        );
        let answer = session.request("tools/call", json!({ "name": tool, "arguments": call })).await;
        assert_eq!(answer["result"]["isError"], json!(false), "{tool}: {answer}");
    }
}
