//! Resources and prompts.

use rmcp::model::{ErrorData, GetPromptRequestParams, GetPromptResult, ReadResourceResult};
use serde_json::{Value, json};

use super::{content, rounds, typed};

pub fn resources() -> Value {
    let resource = |uri: &str, name: &str| json!({"uri": uri, "name": name, "description": "A fixture"});
    json!([
        resource("test://static-text", "text"),
        resource("test://static-binary", "binary"),
        resource("test://watched-resource", "watched"),
    ])
}

pub fn templates() -> Value {
    json!([{"uriTemplate": "test://template/{id}/data", "name": "template", "description": "A fixture"}])
}

pub fn read(uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let id = uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data"));
    let contents = match (uri, id) {
        (_, Some(id)) => {
            let data = json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
            json!({"uri": uri, "mimeType": "application/json", "text": data.to_string()})
        }
        ("test://static-text", _) => {
            json!({"uri": uri, "mimeType": "text/plain", "text": "This is the content of the static text resource."})
        }
        ("test://static-binary", _) => content::blob(uri),
        ("test://watched-resource", _) => json!({"uri": uri, "mimeType": "text/plain", "text": "Nothing changes."}),
        _ => return Err(ErrorData::resource_not_found("there is no such resource", Some(json!({"uri": uri})))),
    };
    typed(json!({"resultType": "complete", "contents": [contents]}))
}

pub fn prompts() -> Value {
    let argument = |name: &str| json!({"name": name, "description": "An argument", "required": true});
    let prompt =
        |name: &str, arguments: Value| json!({"name": name, "description": "A fixture", "arguments": arguments});
    json!([
        prompt("test_simple_prompt", json!([])),
        prompt("test_prompt_with_arguments", json!([argument("arg1"), argument("arg2")])),
        prompt("test_prompt_with_embedded_resource", json!([argument("resourceUri")])),
        prompt("test_prompt_with_image", json!([])),
        prompt(rounds::PROMPT, json!([])),
    ])
}

pub fn prompt(request: &GetPromptRequestParams) -> Result<GetPromptResult, ErrorData> {
    let argument = |name: &str| {
        let arguments = request.arguments.as_ref();
        arguments
            .and_then(|arguments| arguments.get(name)?.as_str())
            .ok_or_else(|| ErrorData::invalid_params(format!("`{name}` is missing"), None))
    };
    let contents = match request.name.as_str() {
        "test_simple_prompt" => vec![content::text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments" => {
            let (first, second) = (argument("arg1")?, argument("arg2")?);
            vec![content::text(&format!("Prompt with arguments: arg1='{first}', arg2='{second}'"))]
        }
        "test_prompt_with_embedded_resource" => vec![
            content::resource(argument("resourceUri")?, "text/plain", "Embedded resource content for testing."),
            content::text("Please process the embedded resource above."),
        ],
        "test_prompt_with_image" => vec![content::image(), content::text("Please analyze the image above.")],
        other => return Err(ErrorData::invalid_params(format!("there is no prompt `{other}`"), None)),
    };
    let messages: Vec<Value> =
        contents.into_iter().map(|content| json!({"role": "user", "content": content})).collect();
    typed(json!({"resultType": "complete", "messages": messages}))
}
