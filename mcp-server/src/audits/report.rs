//! The answer to an audit, and to all of them.

use serde_json::{Map, Value, json};

use super::overview::Made;
use super::{Audit, Finding, Kind, Library, Worklist};
use crate::answer::{Answer, Content};
use crate::generated::GROUPS;
use crate::operation::Operation;
use crate::workflows;

/// How many findings of each kind an overview shows.
const WORST: usize = 2;

/// The member that is the list to go through.
const LIST: &str = "findings";

/// A worklist as an answer: how many of each kind, and the findings, each with the call that mends it.
pub fn answer(audit: &Audit, library: &Library<'_>, worklist: Worklist) -> Answer {
    let Worklist { findings, examined, mut unseen } = worklist;
    unseen.extend(library.unseen());
    let mut told = Map::new();
    told.insert("total".to_owned(), json!(findings.len()));
    let kinds = counts(audit, &findings).map(|(kind, count)| counted(kind, count)).collect();
    told.insert("kinds".to_owned(), Value::Array(kinds));
    told.insert("examined".to_owned(), Value::Object(examined));
    told.insert("requests".to_owned(), json!(library.requests()));
    if !unseen.is_empty() {
        told.insert("unseen".to_owned(), json!(unseen));
    }
    told.insert(LIST.to_owned(), findings.into_iter().map(row).collect());
    Answer::new(Content::Json(Value::Object(told))).composed(false, Some(LIST))
}

/// What came of all audits as an answer: the counts of each, and the worst of each kind.
pub fn overview(library: &Library<'_>, made: Made) -> Answer {
    let (mut total, mut audits, mut worst, mut unseen) = (0, Vec::new(), Vec::new(), library.unseen());
    for (audit, outcome) in made {
        let Worklist { findings, unseen: own, .. } = match outcome {
            Ok(worklist) => worklist,
            Err(failure) => {
                unseen.push(format!("{}: {}", audit.name, failure.message));
                continue;
            }
        };
        unseen.extend(own.into_iter().map(|what| format!("{}: {what}", audit.name)));
        total += findings.len();
        let kinds: Map<String, Value> =
            counts(audit, &findings).map(|(kind, count)| (kind.name.to_owned(), json!(count))).collect();
        audits.push(json!({
            "tool": tool_of(audit.group), "operation": audit.name, "total": findings.len(), "kinds": kinds,
        }));
        worst.extend(worst_of(audit, findings).map(row));
    }
    let mut told = Map::new();
    told.insert("total".to_owned(), json!(total));
    told.insert("audits".to_owned(), Value::Array(audits));
    told.insert("requests".to_owned(), json!(library.requests()));
    if !unseen.is_empty() {
        told.insert("unseen".to_owned(), json!(unseen));
    }
    told.insert("worst".to_owned(), Value::Array(worst));
    Answer::new(Content::Json(Value::Object(told))).composed(false, Some("worst"))
}

/// What came of several audits as an answer: all of their findings, by audit. An audit that could not be made has an
/// `error` in their place.
pub fn survey(library: &Library<'_>, made: Made) -> Answer {
    let (mut total, mut unseen) = (0, library.unseen());
    let mut audits = Vec::new();
    for (audit, outcome) in made {
        let mut told = Map::new();
        told.insert("tool".to_owned(), json!(tool_of(audit.group)));
        told.insert("operation".to_owned(), json!(audit.name));
        match outcome {
            Ok(Worklist { findings, unseen: own, examined }) => {
                total += findings.len();
                unseen.extend(own.into_iter().map(|what| format!("{}: {what}", audit.name)));
                let kinds = counts(audit, &findings).map(|(kind, count)| counted(kind, count)).collect();
                told.insert("total".to_owned(), json!(findings.len()));
                told.insert("kinds".to_owned(), Value::Array(kinds));
                told.insert("examined".to_owned(), Value::Object(examined));
                told.insert(LIST.to_owned(), findings.into_iter().map(row).collect());
            }
            Err(failure) => drop(told.insert("error".to_owned(), json!(failure.message))),
        }
        audits.push(Value::Object(told));
    }
    let requests = library.requests();
    let told = json!({"total": total, "audits": audits, "requests": requests, "unseen": unseen});
    Answer::new(Content::Json(told)).composed(false, None)
}

/// The kinds that were found, and how often.
fn counts(audit: &Audit, findings: &[Finding]) -> impl Iterator<Item = (&'static Kind, usize)> {
    let count = |kind: &'static Kind| (kind, findings.iter().filter(|finding| finding.kind == kind.name).count());
    let found: Vec<_> = audit.kinds.iter().map(count).filter(|(_, count)| *count > 0).collect();
    found.into_iter()
}

fn counted(kind: &Kind, count: usize) -> Value {
    json!({"kind": kind.name, "count": count, "meaning": kind.meaning})
}

/// The first findings of each kind: an audit puts the worst first.
fn worst_of(audit: &Audit, findings: Vec<Finding>) -> impl Iterator<Item = Finding> {
    let mut left: Vec<(&str, usize)> = audit.kinds.iter().map(|kind| (kind.name, WORST)).collect();
    findings.into_iter().filter(move |finding| {
        let room = left.iter_mut().find(|(kind, room)| *kind == finding.kind && *room > 0);
        room.map(|(_, room)| *room -= 1).is_some()
    })
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
    let found = rows.into_iter().find(named).or_else(|| workflows::all().map(|one| &one.operation).find(named));
    found.map(|operation| tool_of(operation.group))
}

fn tool_of(group: &str) -> String {
    format!("sonarr_{group}")
}
