//! Writes against the embedded Sonarr: what is kept, what is asked about, what is never shown.

mod consent;
mod faults;
mod patch;
mod secrets;

use std::sync::Arc;

use embedded_sonarr::{Clock, EmbeddedSonarr, Options, RecordedRequest};
use serde_json::{Map, Value, json};
use sonarr_mcp::answer::Answer;
use sonarr_mcp::config::{ApiKey, Target};
use sonarr_mcp::connection::Connection;
use sonarr_mcp::dispatch::{Dispatcher, Policy};
use sonarr_mcp::failure::Failure;
use sonarr_mcp::generated::{GROUPS, examples};
use sonarr_mcp::instances::Instances;
use sonarr_mcp::operation::Operation;
use sonarr_mcp::write::consent::Mode;

/// An embedded Sonarr and a server before it.
pub struct Pair {
    pub sonarr: EmbeddedSonarr,
    pub server: Arc<Instances>,
}

pub fn operations() -> impl Iterator<Item = &'static Operation> {
    GROUPS.iter().flat_map(|group| group.operations)
}

/// A call of the operation that works with the library of the embedded Sonarr.
pub fn example(operation: &Operation) -> Value {
    let mut arguments: Value = serde_json::from_str(examples::of(operation.name)).unwrap();
    if operation.name == "grab_release" {
        // The example shows a guid as a search shows it, masked; this one needs no search before.
        arguments["body"]["guid"] = json!("https://meadow.example/details/1");
    }
    json!({"operation": operation.name, "arguments": arguments})
}

impl Pair {
    pub async fn start(mode: Mode) -> Self {
        Pair::with(Policy { mode, ..Policy::default() }, false).await
    }

    pub async fn with(policy: Policy, next_version: bool) -> Self {
        let options = Options { next_version, clock: Clock::fixed(), ..Options::default() };
        let sonarr = EmbeddedSonarr::start(options).await.unwrap();
        let target = Target { url: Some(sonarr.url()), api_key: ApiKey::new(sonarr.api_key()), ..Target::default() };
        let server = Dispatcher::new(GROUPS, Connection::new(target), false).with_policy(policy);
        Pair { sonarr, server: Arc::new(Instances::one(server)) }
    }

    pub async fn call(&self, operation: &Operation, call: Value) -> Result<Answer, Failure> {
        let Value::Object(call) = call else { panic!("a call is an object") };
        self.server.call(operation.group, call).await
    }

    /// The object of an answer to a call by name.
    pub async fn answer(&self, name: &str, arguments: Value) -> Value {
        self.answer_to(json!({"operation": name, "arguments": arguments})).await
    }

    pub async fn answer_to(&self, call: Value) -> Value {
        let operation = named(call["operation"].as_str().unwrap());
        let answer = self.call(operation, call).await.unwrap_or_else(|failure| panic!("{failure}"));
        answer.structured().unwrap()
    }

    pub async fn failure(&self, call: Value) -> Failure {
        let operation = named(call["operation"].as_str().unwrap());
        match self.call(operation, call).await {
            Ok(answer) => panic!("{}", answer.text()),
            Err(failure) => failure,
        }
    }

    /// The requests so far that change something.
    pub fn writes(&self) -> Vec<RecordedRequest> {
        self.sonarr.requests().into_iter().filter(|request| request.method != "GET").collect()
    }
}

pub fn named(name: &str) -> &'static Operation {
    operations().find(|operation| operation.name == name).unwrap()
}

/// Each plain value of a JSON value by its pointer.
pub fn leaves(value: &Value) -> Map<String, Value> {
    fn collect(value: &Value, pointer: String, found: &mut Map<String, Value>) {
        match value {
            Value::Object(members) if !members.is_empty() => {
                members.iter().for_each(|(name, value)| collect(value, format!("{pointer}/{name}"), found));
            }
            Value::Array(items) if !items.is_empty() => {
                items.iter().enumerate().for_each(|(at, item)| collect(item, format!("{pointer}/{at}"), found));
            }
            plain => {
                found.insert(pointer, plain.clone());
            }
        }
    }
    let mut found = Map::new();
    collect(value, String::new(), &mut found);
    found
}
