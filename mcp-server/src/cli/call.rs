//! `sonarr-mcp call`: one call through the same dispatch as a model's.

use std::io::{IsTerminal, Write};

use serde_json::{Map, Value, json};

use super::{CallArgs, CommandError, print};
use crate::answer::{Answer, Content};
use crate::config::{switch, variable};
use crate::dispatch::{Asking, Outcome};
use crate::instances::{Instances, MEMBER};

/// Makes the call and prints its answer; what needs consent is asked at the terminal.
pub async fn call(instances: &Instances, arguments: &CallArgs) -> Result<(), CommandError> {
    let asking = Asking { can_ask: true, answer: None };
    let question = match attempt(instances, arguments, &asking).await? {
        Outcome::Answer(answer) => return show(&answer),
        Outcome::Ask(question) => question,
    };
    agree(&question.text)?;
    let agreed = Asking { answer: Some(question.token), ..asking };
    match attempt(instances, arguments, &agreed).await? {
        Outcome::Answer(answer) => show(&answer),
        Outcome::Ask(question) => Err(CommandError::Failed(question.text)),
    }
}

async fn attempt(instances: &Instances, arguments: &CallArgs, asking: &Asking) -> Result<Outcome, CommandError> {
    let outcome = instances.attempt(&arguments.tool, envelope(arguments)?, asking).await;
    outcome.map_err(|failure| CommandError::Failed(failure.text()))
}

/// Asks the person at the terminal. Only a clear yes is one, and nobody there is a no.
fn agree(question: &str) -> Result<(), CommandError> {
    let mut output = std::io::stderr().lock();
    if !std::io::stdin().is_terminal() {
        let hint = format!("--confirm never (or {}=never) does it without asking", variable("confirm"));
        return Err(CommandError::Failed(format!("{question}\nNothing was sent, for nobody could be asked; {hint}")));
    }
    write!(output, "{question} [y/N] ")?;
    output.flush()?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    match answer.trim().to_lowercase().as_str() {
        "y" | "yes" => Ok(()),
        _ => Err(CommandError::Failed("nothing was sent".to_owned())),
    }
}

fn envelope(arguments: &CallArgs) -> Result<Map<String, Value>, CommandError> {
    let mut call = Map::new();
    call.insert("operation".to_owned(), json!(arguments.operation));
    if let Some(name) = arguments.on.as_deref().filter(|name| !name.trim().is_empty()) {
        call.insert(MEMBER.to_owned(), json!(name));
    }
    if switch("dry-run", arguments.dry_run.as_deref())? {
        call.insert("dry_run".to_owned(), json!(true));
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
