//! Tools that answer by themselves.

use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorCode, ErrorData, LoggingLevel,
    LoggingMessageNotificationParam, ProgressNotificationParam, ProtocolVersion, Tool,
};
use rmcp::service::RequestContext;
use serde_json::{Map, Value, json};

use super::{asking, content, rounds, typed};

/// The tools without arguments of their own.
const PLAIN: [&str; 12] = [
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_tool_with_logging",
    "test_logging_tool",
    "test_error_handling",
    "test_tool_with_progress",
    "test_missing_capability",
    "test_streaming_elicitation",
    "json_schema_2020_12_tool",
];

pub fn all() -> Vec<Tool> {
    let mut tools: Vec<Tool> =
        PLAIN.into_iter().chain(rounds::TOOLS).map(|name| tool(name, json!({"type": "object"}))).collect();
    for tool in &mut tools {
        if tool.name == "json_schema_2020_12_tool" {
            tool.input_schema = schema(full_schema());
        }
    }
    tools.extend(asking::TOOLS.into_iter().map(|(name, arguments)| {
        let properties: Map<String, Value> =
            arguments.iter().map(|argument| ((*argument).to_owned(), json!({"type": "string"}))).collect();
        tool(name, json!({"type": "object", "properties": properties, "required": arguments}))
    }));
    let region = json!({"type": "string", "x-mcp-header": "Region"});
    tools.push(tool("test_header", json!({"type": "object", "properties": {"region": region}})));
    tools
}

fn tool(name: &'static str, input: Value) -> Tool {
    Tool::new(name, "A fixture of the conformance suite", schema(input))
}

fn schema(schema: Value) -> Arc<Map<String, Value>> {
    match schema {
        Value::Object(schema) => Arc::new(schema),
        _ => Arc::default(),
    }
}

/// A schema with what JSON Schema 2020-12 brought.
fn full_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}}
            }
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"}
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false
    })
}

/// Whether the request is of a revision without handshake.
pub fn is_newest(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

pub async fn call(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let result = match request.name.as_ref() {
        "test_simple_text" => success(&[content::text("This is a simple text response for testing.")]),
        "test_image_content" => success(&[content::image()]),
        "test_audio_content" => success(&[content::audio()]),
        "test_embedded_resource" => success(&[content::resource(
            "test://embedded-resource",
            "text/plain",
            "This is an embedded resource content.",
        )]),
        "test_multiple_content_types" => success(&[
            content::text("Multiple content types test:"),
            content::image(),
            content::resource("test://mixed-content-resource", "application/json", "{\"test\":\"data\",\"value\":123}"),
        ]),
        "test_error_handling" => {
            let mut result = success(&[content::text("This tool intentionally returns an error for testing")]);
            if let Some(members) = result.as_object_mut() {
                members.insert("isError".to_owned(), json!(true));
            }
            result
        }
        "test_tool_with_logging" | "test_logging_tool" => {
            for message in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
                log(context, message).await?;
                pause().await;
            }
            success(&[content::text("Three messages were logged")])
        }
        "test_tool_with_progress" => {
            for progress in [0.0, 50.0, 100.0] {
                tell(context, progress).await?;
                pause().await;
            }
            success(&[content::text("Done")])
        }
        "test_missing_capability" => {
            let sampling = context.client_capabilities().and_then(|capabilities| capabilities.sampling);
            if sampling.is_none() {
                return Err(ErrorData::missing_required_client_capability(typed(json!({"sampling": {}}))?));
            }
            success(&[content::text("The capability is there")])
        }
        "test_streaming_elicitation" | "json_schema_2020_12_tool" | "test_header" => success(&[content::text("Done")]),
        other => return Err(ErrorData::new(ErrorCode::INVALID_PARAMS, format!("there is no tool `{other}`"), None)),
    };
    Ok(typed::<CallToolResult>(result)?.into())
}

/// A result with this content.
pub fn success(content: &[Value]) -> Value {
    json!({"resultType": "complete", "content": content})
}

async fn log(context: &RequestContext<RoleServer>, message: &str) -> Result<(), ErrorData> {
    if is_newest(context) && context.meta.log_level().is_none() {
        return Ok(());
    }
    let message = LoggingMessageNotificationParam::new(LoggingLevel::Info, json!(message));
    context.peer.notify_logging_message(message).await.map_err(gone)
}

async fn tell(context: &RequestContext<RoleServer>, progress: f64) -> Result<(), ErrorData> {
    let Some(token) = context.meta.get_progress_token() else { return Ok(()) };
    let progress = ProgressNotificationParam::new(token, progress).with_total(100.0);
    context.peer.notify_progress(progress).await.map_err(gone)
}

fn gone(error: rmcp::ServiceError) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

async fn pause() {
    tokio::time::sleep(Duration::from_millis(50)).await;
}
