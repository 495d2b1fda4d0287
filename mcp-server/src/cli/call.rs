//! `sonarr-mcp call`: one call through the same dispatch as a model's.

use std::io::{IsTerminal, Write};

use serde_json::{Map, Value, json};

use super::{CallArgs, CommandError, print};
use crate::answer::{Answer, Content};
use crate::instances::{Instances, MEMBER};

/// Makes the call and prints its answer.
pub async fn call(instances: &Instances, arguments: &CallArgs) -> Result<(), CommandError> {
    let answer = instances
        .call(&arguments.tool, envelope(arguments)?)
        .await
        .map_err(|failure| CommandError::Failed(failure.text()))?;
    show(&answer)
}

fn envelope(arguments: &CallArgs) -> Result<Map<String, Value>, CommandError> {
    let mut call = Map::new();
    call.insert("operation".to_owned(), json!(arguments.operation));
    if let Some(name) = arguments.on.as_deref().filter(|name| !name.trim().is_empty()) {
        call.insert(MEMBER.to_owned(), json!(name));
    }
    if let Some(query) = &arguments.query {
        call.insert("query".to_owned(), json!(query));
    }
    if let Some(text) = &arguments.arguments {
        let value: Value = serde_json::from_str(text).map_err(|error| {
            CommandError::Usage(format!(
                "the arguments are no JSON: {error}; an object is expected, such as '{{\"id\": 1}}'"
            ))
        })?;
        call.insert("arguments".to_owned(), value);
    }
    Ok(call)
}

/// For a person with lines and indentation, for a program as a model gets it. An image goes into
/// a file or a pipe as it is.
fn show(answer: &Answer) -> Result<(), CommandError> {
    let terminal = std::io::stdout().is_terminal();
    match &answer.content {
        Content::Image { bytes, .. } if !terminal => {
            let mut output = std::io::stdout().lock();
            output.write_all(bytes)?;
            output.flush()?;
        }
        Content::Json(_) if terminal => {
            let text = answer.text();
            let value: Value = serde_json::from_str(&text).unwrap_or(Value::String(text));
            print(&format!("{value:#}"))?;
        }
        _ => print(&answer.text())?,
    }
    Ok(())
}
