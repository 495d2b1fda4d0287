//! What is known of each operation beyond its document: how it says no (`openapi/errors.toml`), and what differs, from
//! the document (`openapi/corrections.toml`) and between versions (`openapi/versions.toml`).

use crate::document::{Document, content, reference, success};
use crate::table::Table;
use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

pub const ERRORS: &str = "openapi/errors.toml";
pub const VERSIONS: &str = "openapi/versions.toml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ErrorsFile {
    error: Vec<Refused>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Refused {
    status: u16,
    when: String,
    at: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VersionsFile {
    difference: Vec<Difference>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Difference {
    since: String,
    text: String,
    at: Vec<String>,
}

/// The notes on one operation.
#[derive(Default)]
pub struct Note {
    /// Statuses, and what leads to each.
    pub errors: Vec<(u16, String)>,
    /// Where the document is wrong.
    pub document: Vec<String>,
    /// What differs from a version on.
    pub versions: Vec<(String, String)>,
}

/// The notes by the name of their operation.
pub type Notes = BTreeMap<String, Note>;

/// Reads all three tables; `reasons` are those of the corrections, by the operation they are about.
pub fn read(
    errors: &str,
    versions: &str,
    reasons: &[(String, String)],
    document: &Document,
    table: &Table,
) -> Result<Notes> {
    let mut notes: Notes = table.rows.iter().map(|row| (row.name.clone(), Note::default())).collect();
    let errors: ErrorsFile = toml::from_str(errors).context(ERRORS)?;
    for Refused { status, when, at } in errors.error {
        ensure!((400..600).contains(&status), "{ERRORS}: {status} is no status of a refusal");
        for name in at {
            let note = notes.get_mut(&name).with_context(|| format!("{ERRORS}: there is no operation `{name}`"))?;
            note.errors.push((status, when.clone()));
        }
    }
    let versions: VersionsFile = toml::from_str(versions).context(VERSIONS)?;
    for Difference { since, text, at } in versions.difference {
        for target in at {
            let names = match target.strip_prefix("schema ") {
                Some(schema) => with_schema(document, table, schema)?,
                None => vec![target.clone()],
            };
            ensure!(!names.is_empty(), "{VERSIONS}: no operation takes or answers with {target}");
            for name in names {
                let note =
                    notes.get_mut(&name).with_context(|| format!("{VERSIONS}: there is no operation `{name}`"))?;
                note.versions.push((since.clone(), text.clone()));
            }
        }
    }
    for row in &table.rows {
        let about = reasons.iter().filter(|(at, _)| *at == row.at).map(|(_, reason)| reason.clone());
        if let Some(note) = notes.get_mut(&row.name) {
            note.document.extend(about);
            note.errors.sort();
        }
    }
    Ok(notes)
}

/// The operations whose body or answer is of the type, or a list of it.
fn with_schema(document: &Document, table: &Table, schema: &str) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for row in &table.rows {
        let operation = document.operation(&row.at)?;
        let answer = success(operation)?.1;
        let body = operation.get("requestBody");
        if [Some(answer), body].into_iter().flatten().filter_map(type_of).any(|name| name == schema) {
            names.push(row.name.clone());
        }
    }
    Ok(names)
}

fn type_of(place: &Value) -> Option<&str> {
    let json: &Map<String, Value> = content(place)?;
    let schema = json.get("application/json")?.get("schema")?;
    reference(schema.get("items").unwrap_or(schema))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_with(errors: &str, versions: &str) -> Result<Notes> {
        let operations = std::fs::read_to_string(crate::document::root()?.join(crate::table::OPERATIONS))?;
        let parameters = std::fs::read_to_string(crate::document::root()?.join(crate::table::PARAMETERS))?;
        let document = std::fs::read_to_string(crate::document::root()?.join(crate::document::VENDORED))?;
        let table = Table::parse(&operations, &parameters)?;
        read(errors, versions, &[], &Document(serde_json::from_str(&document)?), &table)
    }

    #[test]
    fn what_is_said_of_nothing_is_named() {
        let error = |errors: &str, versions: &str| format!("{:#}", read_with(errors, versions).err().unwrap());
        let refused = "[[error]]\nstatus = 404\nwhen = \"x\"\nat = [\"get_tagg\"]\n";
        assert!(error(refused, "difference = []").contains("get_tagg"));
        let success = "[[error]]\nstatus = 204\nwhen = \"x\"\nat = [\"get_tag\"]\n";
        assert!(error(success, "difference = []").contains("204"));
        let difference = "[[difference]]\nsince = \"5\"\ntext = \"x\"\nat = [\"schema Nothing\"]\n";
        assert!(error("error = []", difference).contains("schema Nothing"));
    }

    #[test]
    fn a_type_stands_for_all_that_take_or_answer_with_it() {
        let difference = "[[difference]]\nsince = \"5\"\ntext = \"x\"\nat = [\"schema TagDetailsResource\"]\n";
        let notes = read_with("error = []", difference).unwrap();
        let of: Vec<&str> =
            notes.iter().filter(|(_, n)| !n.versions.is_empty()).map(|(name, _)| name.as_str()).collect();
        assert_eq!(of, ["get_tag_details", "list_tag_details"]);
    }
}
