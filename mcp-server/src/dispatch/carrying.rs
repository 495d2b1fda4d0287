//! Workflows: planned, and their one write made like any other.

use serde_json::{Map, Value, json};

use super::{Asking, Dispatcher, Outcome, reading};
use crate::answer::{Answer, Content, Source};
use crate::arguments::{self, Envelope};
use crate::failure::Failure;
use crate::names::NewTags;
use crate::operation::Operation;
use crate::workflows::{Call, Plan, Workflow};

impl Dispatcher {
    /// Makes the call of a workflow.
    pub(super) async fn carry_out(
        &self,
        workflow: &'static Workflow,
        envelope: Envelope,
        new_tags: NewTags,
        asking: &Asking,
    ) -> Result<Outcome, Failure> {
        let arguments = arguments::settle(&workflow.operation, envelope.arguments)?;
        let call = match (workflow.plan)(self, arguments).await? {
            Plan::Answer(answer) => {
                let list = answer.source.and_then(|source| source.list);
                let answer = answer.composed(workflow.operation.effect.writes(), list);
                return Ok(Outcome::Answer(answer));
            }
            Plan::Call(call) => call,
        };
        let operation: &'static Operation = reading::named(call.operation)?;
        let dry_run = envelope.dry_run || call.dry_run;
        let inner = Envelope { arguments: call.arguments.clone(), dry_run, ..envelope };
        match self.write(operation, inner, new_tags, asking).await? {
            Outcome::Answer(answer) => Ok(Outcome::Answer(told(call, answer))),
            asked @ Outcome::Ask(_) => Ok(asked),
        }
    }
}

/// The answer to the write, with what the workflow has to tell.
fn told(call: Call, answer: Answer) -> Answer {
    let Answer { content, note, extent, source } = answer;
    let source = source.map(|source| Source { columns: &[], ..source });
    let content = match content {
        // A preview is shown whole.
        Content::Json(Value::Object(answered)) if answered.contains_key("request") => {
            Content::Json(Value::Object(with(call.told, answered)))
        }
        Content::Json(Value::Object(mut answered)) => {
            if !call.keep.is_empty() {
                answered.retain(|name, _| call.keep.contains(&name.as_str()));
            }
            Content::Json(Value::Object(with(call.told, answered)))
        }
        Content::Json(Value::Null) if !call.told.is_empty() => {
            Content::Json(Value::Object(with(call.told, Map::from_iter([("done".to_owned(), json!(true))]))))
        }
        other => other,
    };
    let answer = Answer { content, note, extent, source };
    match call.note {
        Some(note) => answer.noting(note),
        None => answer,
    }
}

fn with(mut told: Map<String, Value>, answered: Map<String, Value>) -> Map<String, Value> {
    told.extend(answered);
    told
}
