//! Tools that ask the client while they run, as the revisions before 2026-07-28 do.

use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData};
use rmcp::service::RequestContext;
use serde_json::{Value, json};

use super::{content, tools, typed};

/// The tools with the names of their arguments.
pub const TOOLS: [(&str, &[&str]); 4] = [
    ("test_sampling", &["prompt"]),
    ("test_elicitation", &["message"]),
    ("test_elicitation_sep1034_defaults", &[]),
    ("test_elicitation_sep1330_enums", &[]),
];

pub fn knows(tool: &str) -> bool {
    TOOLS.iter().any(|(name, _)| *name == tool)
}

pub async fn call(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let argument = |name: &str| {
        let arguments = request.arguments.as_ref();
        arguments.and_then(|arguments| arguments.get(name)?.as_str()).unwrap_or_default().to_owned()
    };
    let text = match request.name.as_ref() {
        "test_sampling" => sample(context, &argument("prompt")).await?,
        "test_elicitation" => {
            let fields = json!({
                "username": {"type": "string", "description": "User's response"},
                "email": {"type": "string", "description": "User's email address"}
            });
            let schema = json!({"type": "object", "properties": fields, "required": ["username", "email"]});
            let (action, content) = ask(context, &argument("message"), schema).await?;
            format!("User response: action={action}, content={content}")
        }
        other => {
            let fields = if other == "test_elicitation_sep1330_enums" { enums() } else { defaults() };
            let schema = json!({"type": "object", "properties": fields});
            let (action, content) = ask(context, "Please fill in the form", schema).await?;
            format!("Elicitation completed: action={action}, content={content}")
        }
    };
    Ok(typed::<CallToolResult>(tools::success(&[content::text(&text)]))?.into())
}

/// A form whose fields have values already.
fn defaults() -> Value {
    json!({
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": true}
    })
}

/// A form with each way to choose from several values.
fn enums() -> Value {
    let titled = |title: &str| -> Value {
        let choice =
            |number: u8, word: &str| json!({"const": format!("value{number}"), "title": format!("{word} {title}")});
        json!([choice(1, "First"), choice(2, "Second"), choice(3, "Third")])
    };
    let options = ["option1", "option2", "option3"];
    json!({
        "untitledSingle": {"type": "string", "enum": options},
        "titledSingle": {"type": "string", "oneOf": titled("Option")},
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"]
        },
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": options}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled("Choice")}}
    })
}

async fn ask(context: &RequestContext<RoleServer>, message: &str, schema: Value) -> Result<(String, Value), ErrorData> {
    let form = typed(json!({"mode": "form", "message": message, "requestedSchema": schema}))?;
    let result = context.peer.create_elicitation(form).await.map_err(failed)?;
    let action = json!(result.action).as_str().unwrap_or_default().to_owned();
    Ok((action, result.content.unwrap_or_default()))
}

async fn sample(context: &RequestContext<RoleServer>, prompt: &str) -> Result<String, ErrorData> {
    let messages = json!([{"role": "user", "content": content::text(prompt)}]);
    let request = typed(json!({"messages": messages, "maxTokens": 100}))?;
    let answer = context.peer.create_message(request).await.map_err(failed)?;
    let answer = json!(answer);
    let text = answer.pointer("/content/text").and_then(Value::as_str).unwrap_or_default();
    Ok(format!("LLM response: {text}"))
}

fn failed(error: rmcp::ServiceError) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}
