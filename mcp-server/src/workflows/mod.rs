//! Operations made of operations: what takes several calls of Sonarr's API, in one.
//!
//! A workflow looks around and then either answers, or names one write. That write takes the way
//! of every other: it can be a dry run, it is consented to, and secrets are masked in it.

mod add_series;
pub(crate) mod audits;
mod clean_queue;
mod diagnose_episode;
mod import_files;
mod set_season_monitoring;

use futures::future::BoxFuture;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::answer::Answer;
use crate::arguments::{ArgumentError, coerce, read, schema};
use crate::failure::Failure;
use crate::operation::{Effect, Kind, Operation, Parameter, Place};
use crate::write::Reader;

/// An operation that is no single one of Sonarr's.
#[derive(Debug)]
pub struct Workflow {
    /// What is offered; its path is empty.
    pub operation: Operation,
    /// The arguments of a call that works, as JSON.
    pub example: &'static str,
    /// Looks around, and says what is to be done.
    pub plan: PlanFn,
}

/// See [`Workflow::plan`].
pub type PlanFn = for<'a> fn(&'a dyn Reader, Map<String, Value>) -> BoxFuture<'a, Result<Plan, Failure>>;

/// What a workflow comes to.
#[derive(Debug)]
pub enum Plan {
    /// There is nothing to write.
    Answer(Answer),
    /// A write.
    Call(Call),
}

/// The write that a workflow comes to.
#[derive(Debug)]
pub struct Call {
    /// The operation that is called.
    pub operation: &'static str,
    /// Its arguments.
    pub arguments: Map<String, Value>,
    /// Whether it is only shown, whatever the caller says.
    pub dry_run: bool,
    /// The members of the answer that are passed on; all of them where none are named.
    pub keep: &'static [&'static str],
    /// What is told beside the answer, or the preview.
    pub told: Map<String, Value>,
    /// What a caller should know once it is done.
    pub note: Option<String>,
}

impl Call {
    /// A write, of which all is told.
    pub fn new(operation: &'static str, arguments: Map<String, Value>) -> Self {
        Call { operation, arguments, dry_run: false, keep: &[], told: Map::new(), note: None }
    }
}

/// Those that are no audits.
static JOBS: &[Workflow] = &[
    add_series::WORKFLOW,
    set_season_monitoring::WORKFLOW,
    diagnose_episode::WORKFLOW,
    import_files::WORKFLOW,
    clean_queue::WORKFLOW,
    crate::audits::FORECAST,
];

/// All of them.
pub fn all() -> impl Iterator<Item = &'static Workflow> {
    JOBS.iter().chain(crate::audits::WORKFLOWS)
}

/// The workflow behind an operation, if it is one.
pub fn of(operation: &Operation) -> Option<&'static Workflow> {
    if !operation.is_workflow() {
        return None;
    }
    all().find(|workflow| workflow.operation.name == operation.name)
}

/// The workflows offered with a group.
pub fn of_group(group: &str) -> impl Iterator<Item = &'static Operation> {
    all().map(|workflow| &workflow.operation).filter(move |operation| operation.group == group)
}

/// A row of the table, for what all workflows have in common.
const fn row(name: &'static str, group: &'static str, effect: Effect, parameters: &'static [Parameter]) -> Operation {
    Operation {
        name,
        group,
        method: "",
        path: "",
        effect,
        destructive: None,
        idempotent: false,
        long_running: false,
        summary: "",
        details: "",
        requires: &[],
        parameters,
        arguments: schema::<Nothing>,
        call: |_, _| Err(ArgumentError::new("operation", "is made of several requests")),
    }
}

/// What no workflow takes.
#[derive(serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

const fn parameter(name: &'static str, kind: Kind, required: bool, summary: &'static str) -> Parameter {
    Parameter { name, place: Place::Query, kind, required, summary, values: &[] }
}

/// Reads the arguments of a workflow into its type, with every plain meaning put right.
pub(crate) fn given<T: DeserializeOwned + JsonSchema>(arguments: Map<String, Value>) -> Result<T, ArgumentError> {
    let mut arguments = Value::Object(arguments);
    coerce(&schema::<T>().to_value(), &mut arguments);
    match arguments {
        Value::Object(arguments) => read(arguments),
        _ => read(Map::new()),
    }
}

/// The members of a JSON object.
fn members(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// The items of a list, or of the page of one.
fn items(value: Value) -> Vec<Value> {
    match value {
        Value::Array(items) => items,
        Value::Object(mut page) => page.remove("records").map(items).unwrap_or_default(),
        _ => Vec::new(),
    }
}

fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    value.get(member).and_then(Value::as_str).unwrap_or_default()
}

fn flag(value: &Value, member: &str) -> Option<bool> {
    value.get(member).and_then(Value::as_bool)
}

fn whole(value: &Value, member: &str) -> Option<i64> {
    value.get(member).and_then(Value::as_i64)
}

#[cfg(test)]
mod tests {
    use super::all;
    use crate::generated::GROUPS;
    use crate::operation::Effect;
    use serde_json::Value;

    /// The rows and the types they are read into say the same.
    #[test]
    fn rows_and_types_agree() {
        for workflow in all() {
            let operation = &workflow.operation;
            let schema = (operation.arguments)().to_value();
            let members = schema["properties"].as_object().cloned().unwrap_or_default();
            let names: Vec<&str> = operation.parameters.iter().map(|one| one.name).collect();
            let mut typed: Vec<&str> = members.keys().map(String::as_str).collect();
            let mut listed = names.clone();
            typed.sort_unstable();
            listed.sort_unstable();
            assert_eq!(typed, listed, "{}", operation.name);
            let required: Vec<&str> =
                schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            for parameter in operation.parameters {
                assert_eq!(parameter.required, required.contains(&parameter.name), "{}", parameter.name);
            }
            assert_eq!(schema["additionalProperties"], false, "{}", operation.name);
        }
    }

    #[test]
    fn each_has_a_name_of_its_own_a_group_and_an_example() {
        for workflow in all() {
            let operation = &workflow.operation;
            let group = GROUPS.iter().find(|group| group.name == operation.group).unwrap();
            assert!(group.operations.iter().all(|one| one.name != operation.name));
            assert!(!operation.summary.is_empty() && !operation.details.is_empty(), "{}", operation.name);
            let example: Value = serde_json::from_str(workflow.example).unwrap();
            for name in example.as_object().unwrap().keys() {
                assert!(operation.parameters.iter().any(|one| one.name == name), "{name}");
            }
            assert_eq!(
                operation.destructive.is_some(),
                operation.name == "clean_queue" || operation.name == "import_files"
            );
            assert!(operation.destructive.is_none() || operation.effect != Effect::Read);
        }
    }
}
