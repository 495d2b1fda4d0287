//! `help`, and what is added to a failure so that the next call succeeds.

use serde_json::{Map, Value};

use super::Dispatcher;
use crate::answer::{Answer, Content};
use crate::arguments::{ArgumentError, Envelope};
use crate::catalogue::PREFIX;
use crate::failure::{Code, Failure};
use crate::generated::examples;
use crate::help::{self, TOPIC};
use crate::operation::Operation;
use crate::workflows;

impl Dispatcher {
    /// Answers a call of `help`, which asks nothing of Sonarr; nothing where it is another call.
    ///
    /// # Errors
    /// When the tool or the operation asked about does not exist, or it is not asked that way.
    pub(super) fn help(&self, tool: &str, call: &Map<String, Value>) -> Option<Result<Answer, Failure>> {
        let asked = call.get("operation")?.as_str()?;
        let asked = asked.strip_prefix(PREFIX).unwrap_or(asked);
        (asked == help::NAME).then(|| self.tell(tool, call.clone()))
    }

    fn tell(&self, tool: &str, call: Map<String, Value>) -> Result<Answer, Failure> {
        let offer = self.catalogue.tool(tool)?;
        let help = match topic(Envelope::read(call)?.arguments)? {
            None => help::group(offer.tool(), offer.group().summary, offer.operations()),
            Some(name) => {
                let operation = self.catalogue.operation(offer, &name).map_err(|mut failure| {
                    failure.path = Some(format!("arguments.{TOPIC}"));
                    failure
                })?;
                help::operation(offer.tool(), operation, example(operation))
            }
        };
        Ok(Answer::new(Content::Json(help)))
    }

    /// The failure of a call with what helps to get it right: the argument that Sonarr means, what
    /// there is, and a call that works. `call` is what was called.
    pub(super) async fn taught(&self, tool: &str, call: &Map<String, Value>, failure: Failure) -> Failure {
        let Some(operation) = self.called(tool, call) else {
            return failure;
        };
        match failure.code {
            Code::InvalidArguments => exemplified(failure, operation),
            Code::Rejected | Code::NotFound | Code::Conflict | Code::SonarrFailed if failure.status.is_some() => {
                let Ok(client) = self.connection.client() else {
                    return failure;
                };
                let arguments = Envelope::read(call.clone()).map(|envelope| envelope.arguments).unwrap_or_default();
                let failure = help::teach(failure, operation, &arguments, client).await;
                if failure.fields.is_empty() { failure } else { exemplified(failure, operation) }
            }
            _ => failure,
        }
    }

    /// The operation that a call is of.
    pub(super) fn called(&self, tool: &str, call: &Map<String, Value>) -> Option<&'static Operation> {
        let offer = self.catalogue.tool(tool).ok()?;
        self.catalogue.operation(offer, call.get("operation")?.as_str()?).ok()
    }
}

fn example(operation: &Operation) -> &'static str {
    workflows::of(operation).map_or_else(|| examples::of(operation.name), |workflow| workflow.example)
}

fn exemplified(mut failure: Failure, operation: &Operation) -> Failure {
    failure.example = help::call(operation, example(operation));
    failure
}

/// The operation that help is asked about; nothing where it is asked about the tool.
fn topic(arguments: Map<String, Value>) -> Result<Option<String>, ArgumentError> {
    let mut topic = None;
    for (name, value) in arguments {
        match value {
            Value::Null if name == TOPIC => {}
            Value::String(operation) if name == TOPIC => topic = Some(operation),
            _ if name == TOPIC => {
                return Err(ArgumentError::new("arguments.operation", "expected the name of an operation"));
            }
            _ => {
                return Err(ArgumentError::new(
                    format!("arguments.{name}"),
                    format!("`{}` takes only `{TOPIC}`, the name of an operation", help::NAME),
                )
                .resembling(&name, [TOPIC]));
            }
        }
    }
    Ok(topic)
}
