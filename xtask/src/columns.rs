//! The columns a long answer is reduced to, from `openapi/columns.toml`.

use crate::document::{Document, content, reference, success};
use crate::output::Files;
use crate::table::Table;
use anyhow::{Context, Result, bail, ensure};
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

/// Writes the lookup of columns by operation.
pub fn generate(text: &str, document: &Document, table: &Table, files: &mut Files) -> Result<()> {
    let resources: BTreeMap<String, Resource> = toml::from_str(text).context(FILE)?;
    for (name, resource) in &resources {
        let schema = document.schemas()?.get(name).with_context(|| format!("{FILE}: there is no schema {name}"))?;
        for column in &resource.columns {
            ensure!(leads_somewhere(document, schema, column)?, "{FILE}: {name} has no member `{column}`");
        }
    }
    let mut used = BTreeSet::new();
    let mut arms = Vec::new();
    for row in &table.rows {
        let operation = document.operation(&row.at)?;
        let (_, response) = success(operation)?;
        let schema = content(response).and_then(|content| content.get("application/json")?.get("schema"));
        let Some(name) = schema.map(|schema| record(document, schema)).transpose()?.flatten() else { continue };
        match resources.get(&name) {
            Some(resource) => {
                let (operation, columns) = (&row.name, &resource.columns);
                used.insert(name);
                arms.push(quote!(#operation => &[#(#columns),*]));
            }
            None => bail!("{FILE} has no columns for {name}, which {} lists", row.name),
        }
    }
    if let Some(stray) = resources.keys().find(|name| !used.contains(*name)) {
        bail!("{FILE}: no operation lists {stray}");
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
    Ok(())
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
