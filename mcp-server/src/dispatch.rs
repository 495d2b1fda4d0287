//! The one way a call takes: from a tool's name and JSON to an answer or a failure.
//!
//! The protocol's server, the command line and the tests all enter here.

use serde_json::{Map, Value};

use crate::answer::{self, Answer};
use crate::arguments::{self, ArgumentError, Envelope};
use crate::catalogue::Catalogue;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::operation::{Group, Operation, Reply};

/// What is offered, and the way to Sonarr.
#[derive(Debug)]
pub struct Dispatcher {
    catalogue: Catalogue,
    connection: Connection,
}

impl Dispatcher {
    /// Offers the operations of `groups`, or only those that read.
    pub fn new(groups: &'static [Group], connection: Connection, read_only: bool) -> Self {
        Dispatcher { catalogue: Catalogue::new(groups, read_only), connection }
    }

    /// What is offered.
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// Makes one call. Dropping the future stops its HTTP request.
    ///
    /// # Errors
    /// Anything that keeps the call from being answered, with what to do about it.
    pub async fn call(&self, tool: &str, call: Map<String, Value>) -> Result<Answer, Failure> {
        let group = self.catalogue.tool(tool)?;
        let envelope = match Envelope::read(call) {
            Ok(envelope) => envelope,
            Err(error) if error.path == "operation" => {
                return Err(error.accepting(self.catalogue.operation_names(group)).into());
            }
            Err(error) => return Err(error.into()),
        };
        let operation = self.catalogue.operation(group, &envelope.operation)?;
        let arguments = arguments::settle(operation, envelope.arguments)?;
        let client = self.connection.client()?;
        let request = request(operation, client, arguments)?;
        tracing::debug!(operation = operation.name, "calling");
        finish(operation, request.await).await
    }
}

type Request<'a> = futures::future::BoxFuture<'a, Result<Reply, sonarr_client::Error>>;

/// Reads the arguments into the operation's own type, as they are or else with every plain
/// meaning put right.
fn request<'a>(
    operation: &Operation,
    client: &'a sonarr_client::Client,
    mut arguments: Map<String, Value>,
) -> Result<Request<'a>, ArgumentError> {
    let misnamed = arguments.values().any(has_snake_case);
    if !misnamed {
        match (operation.call)(client, arguments.clone()) {
            Ok(request) => return Ok(request),
            Err(error) => tracing::debug!(path = error.path, "reading the arguments again"),
        }
    }
    let schema = (operation.arguments)().to_value();
    let mut whole = Value::Object(arguments);
    arguments::coerce(&schema, &mut whole);
    arguments = match whole {
        Value::Object(arguments) => arguments,
        _ => Map::new(),
    };
    (operation.call)(client, arguments).map_err(|error| arguments::explain(error, &schema))
}

/// Whether an object within has a member in snake case: the types of bodies know only Sonarr's
/// own names, and would keep such a member as one they do not know.
fn has_snake_case(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.iter().any(|(name, value)| name.contains('_') || has_snake_case(value)),
        Value::Array(items) => items.iter().any(has_snake_case),
        _ => false,
    }
}

/// Turns what the SDK returned into an answer.
async fn finish(operation: &Operation, replied: Result<Reply, sonarr_client::Error>) -> Result<Answer, Failure> {
    match replied {
        Ok(reply) => answer::gather(reply).await.map_err(Failure::from),
        Err(error) => match answer::misfit(operation, &error) {
            Some(answer) => Ok(answer),
            None => Err(Failure::from_sonarr(operation, &error)),
        },
    }
}
