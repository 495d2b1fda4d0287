//! The columns a long answer is reduced to, from `openapi/columns.toml`.

use crate::document::{Document, content, reference, success};
use crate::output::Files;
use crate::problems::{Kind, Problem};
use crate::table::Table;
use anyhow::{Context, Result};
use quote::quote;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use syn::parse_quote;

pub const FILE: &str = "openapi/columns.toml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Resource {
    columns: Vec<String>,
}

/// Writes the lookup of columns by operation, and says which lists it has no columns for and which columns no list.
pub fn generate(text: &str, document: &Document, table: &Table, files: &mut Files) -> Result<Vec<Problem>> {
    let resources: BTreeMap<String, Resource> = toml::from_str(text).context(FILE)?;
    let mut problems = Vec::new();
    let mut used = BTreeSet::new();
    let mut arms = Vec::new();
    for row in &table.rows {
        let Some(name) = listed(document, &row.at)? else { continue };
        match resources.get(&name) {
            Some(resource) => {
                let (operation, columns) = (&row.name, &resource.columns);
                used.insert(name);
                arms.push(quote!(#operation => &[#(#columns),*]));
            }
            None => {
                let text = format!("there are no columns for {name}, which {} lists", row.name);
                problems.push(Problem::new(FILE, Kind::NoColumns { schema: name }, text));
            }
        }
    }
    for (name, resource) in &resources {
        if !used.contains(name) {
            let kind = Kind::StrayColumns { schema: name.clone() };
            problems.push(Problem::new(FILE, kind, format!("no operation lists {name}")));
            continue;
        }
        let schema = document.schemas()?.get(name).with_context(|| format!("{FILE}: there is no schema {name}"))?;
        for column in &resource.columns {
            if !leads_somewhere(document, schema, column)? {
                let kind = Kind::StrayColumn { schema: name.clone(), column: column.clone() };
                problems.push(Problem::new(FILE, kind, format!("{name} has no member `{column}`")));
            }
        }
    }
    files.rust(
        "mcp-server/src/generated/columns.rs",
        &parse_quote! {
            //! What a long list is reduced to.

            /// The summary columns of the records an operation lists, the most telling first, as dotted paths;
            /// empty where it lists none.
            pub fn of(operation: &str) -> &'static [&'static str] {
                match operation {
                    #(#arms,)*
                    _ => &[],
                }
            }
        },
    );
    Ok(problems)
}

/// The schema of the records that the operation at `at` lists.
pub fn listed(document: &Document, at: &str) -> Result<Option<String>> {
    let (_, response) = success(document.operation(at)?)?;
    let schema = content(response).and_then(|content| content.get("application/json")?.get("schema"));
    Ok(schema.map(|schema| record(document, schema)).transpose()?.flatten())
}

/// The schema of the records of a list or of a page.
fn record(document: &Document, schema: &Value) -> Result<Option<String>> {
    let items = |schema: &Value| schema.get("items").and_then(reference).map(str::to_owned);
    if let Some(name) = items(schema) {
        return Ok(Some(name));
    }
    let target = document.resolve(schema)?;
    Ok(target
        .pointer("/properties/records")
        .filter(|_| target.pointer("/properties/totalRecords").is_some())
        .and_then(items))
}

fn leads_somewhere(document: &Document, schema: &Value, column: &str) -> Result<bool> {
    let mut schema = schema;
    for part in column.split('.') {
        let target = document.resolve(schema)?;
        // A dictionary has whatever members the server puts there.
        let dictionary = || target.get("additionalProperties").filter(|values| values.is_object());
        let Some(next) = target.pointer(&format!("/properties/{part}")).or_else(dictionary) else { return Ok(false) };
        schema = next;
    }
    Ok(true)
}
