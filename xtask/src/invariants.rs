//! What holds for every operation once the document is corrected.
//!
//! A new operation shows the faults of its elders. Where they have been corrected, it has to be as well.

use crate::corrections;
use crate::document::{Document, content, parameters, success, text};
use crate::problems::{Kind, Problem};
use crate::table::{OPERATIONS, Table};
use anyhow::Result;
use serde_json::Value;
use std::collections::BTreeMap;

/// The operations for which one of the rules does not hold; those without a row are passed over.
pub fn check(document: &Document, table: &Table) -> Result<Vec<Problem>> {
    let types = types_of_path_parameters(document)?;
    let mut problems = Vec::new();
    for row in &table.rows {
        let Ok(operation) = document.operation(&row.at) else { continue };
        let mut fault = |file, text: String| {
            problems.push(Problem::new(file, Kind::Uncorrected { at: row.at.clone() }, format!("{}: {text}", row.at)));
        };
        match success(operation) {
            Err(error) => fault(corrections::FILE, error.to_string()),
            Ok((status, answer)) => {
                if status != row.status.to_string() {
                    let text = format!(
                        "the row of `{}` says status {}, the corrected document {status}",
                        row.name, row.status
                    );
                    fault(OPERATIONS, text);
                }
                if row.method() == "GET" && content(answer).is_none() {
                    fault(corrections::FILE, "the document does not say what is answered".into());
                }
            }
        }
        if let Some(body) = operation.get("requestBody") {
            if body.get("required") != Some(&Value::Bool(true)) {
                fault(corrections::FILE, "the document calls the body optional".into());
            }
            let media: Vec<&str> =
                content(body).into_iter().flat_map(|content| content.keys()).map(String::as_str).collect();
            if !matches!(media.as_slice(), ["application/json" | "multipart/form-data"]) {
                fault(corrections::FILE, format!("the body has the media types {}", media.join(", ")));
            }
        }
        for parameter in parameters(operation).filter(|parameter| is_in_path(parameter)) {
            let name = text(parameter, "name")?;
            if let (Some(schema), Some(usual)) = (parameter.get("schema"), types.get(name).filter(|usual| usual.0 > 1))
                && *schema != usual.1
            {
                fault(corrections::FILE, format!("`{name}` is {schema}, elsewhere {}", usual.1));
            }
        }
    }
    Ok(problems)
}

fn is_in_path(parameter: &Value) -> bool {
    parameter.get("in").and_then(Value::as_str) == Some("path")
}

/// The type most parameters of a name have, and how many have it.
fn types_of_path_parameters(document: &Document) -> Result<BTreeMap<String, (usize, Value)>> {
    let mut counts: BTreeMap<(String, String), (usize, Value)> = BTreeMap::new();
    for (_, operation) in document.operations() {
        for parameter in parameters(operation).filter(|parameter| is_in_path(parameter)) {
            let Some(schema) = parameter.get("schema") else { continue };
            let key = (text(parameter, "name")?.to_owned(), schema.to_string());
            counts.entry(key).or_insert_with(|| (0, schema.clone())).0 += 1;
        }
    }
    let mut usual: BTreeMap<String, (usize, Value)> = BTreeMap::new();
    for ((name, _), (count, schema)) in counts {
        if usual.get(&name).is_none_or(|(most, _)| *most < count) {
            usual.insert(name, (count, schema));
        }
    }
    Ok(usual)
}
