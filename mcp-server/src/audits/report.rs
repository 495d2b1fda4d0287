//! The answer to an audit.

use serde_json::{Map, Value, json};

use super::{Audit, Finding, Library, Worklist};
use crate::answer::{Answer, Content};
use crate::generated::GROUPS;
use crate::operation::Operation;
use crate::workflows;

/// A worklist as an answer: how many of each kind, and the findings, each with the call that mends it.
pub fn answer(audit: &Audit, library: &Library<'_>, worklist: Worklist) -> Answer {
    let Worklist { findings, examined, unseen } = worklist;
    let mut told = Map::new();
    told.insert("total".to_owned(), json!(findings.len()));
    let kinds: Vec<Value> = audit
        .kinds
        .iter()
        .filter_map(|kind| {
            let count = findings.iter().filter(|finding| finding.kind == kind.name).count();
            (count > 0).then(|| json!({"kind": kind.name, "count": count, "meaning": kind.meaning}))
        })
        .collect();
    told.insert("kinds".to_owned(), Value::Array(kinds));
    told.insert("examined".to_owned(), Value::Object(examined));
    told.insert("requests".to_owned(), json!(library.requests()));
    if !unseen.is_empty() {
        told.insert("unseen".to_owned(), json!(unseen));
    }
    told.insert("findings".to_owned(), findings.into_iter().map(row).collect());
    Answer::new(Content::Json(Value::Object(told)))
}

fn row(finding: Finding) -> Value {
    let mut row = Map::from_iter([("kind".to_owned(), json!(finding.kind))]);
    row.extend(finding.subject);
    row.insert("reason".to_owned(), json!(finding.reason));
    if let Some(mend) = finding.mend {
        let tool = tool(mend.operation);
        row.insert("mend".to_owned(), json!({"tool": tool, "operation": mend.operation, "arguments": mend.arguments}));
    }
    Value::Object(row)
}

/// The tool that has an operation.
fn tool(operation: &str) -> Option<String> {
    let named = |one: &&'static Operation| one.name == operation;
    let rows = GROUPS.iter().flat_map(|group| group.operations);
    let found = rows
        .into_iter()
        .find(named)
        .or_else(|| workflows::WORKFLOWS.iter().map(|workflow| &workflow.operation).find(named));
    found.map(|operation| format!("sonarr_{}", operation.group))
}
