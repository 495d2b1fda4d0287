//! One example call an operation, from `openapi/examples.toml`.

use crate::document::Document;
use crate::facade::Operation;
use crate::output::Files;
use crate::problems::{Kind, Problem};
use crate::table::{Effect, GROUPS, Table};
use anyhow::{Context, Result};
use quote::quote;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use syn::parse_quote;

pub const FILE: &str = "openapi/examples.toml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    #[serde(default)]
    arguments: Map<String, Value>,
}

/// Writes the lookup of examples by operation, and says which are missing or wrong.
pub fn generate(text: &str, document: &Document, table: &Table, files: &mut Files) -> Result<Vec<Problem>> {
    let mut examples: BTreeMap<String, Example> = toml::from_str(text).context(FILE)?;
    let mut problems = Vec::new();
    let mut arms = Vec::new();
    for row in GROUPS.iter().flat_map(|group| table.in_group(group)) {
        let name = &row.name;
        let Some(example) = examples.remove(name) else {
            let kind = Kind::NoExample { operation: name.clone() };
            problems.push(Problem::new(FILE, kind, format!("there is no example of {name}")));
            continue;
        };
        let operation = Operation::read(document, row)?;
        let has = |argument: &str| operation.arguments.iter().any(|known| known.name == argument);
        // The server makes the body of a patch where one object is put.
        let takes_patch = row.effect == Effect::Update && row.method() == "PUT" && has("id") && has("body");
        let wrong = |text: String| Problem::new(FILE, Kind::Mend, text);
        for argument in example.arguments.keys() {
            if !(has(argument) || (takes_patch && argument == "patch")) {
                problems.push(wrong(format!("{name} has no argument `{argument}`")));
            }
        }
        for argument in operation.arguments.iter().filter(|argument| argument.required) {
            let given = example.arguments.contains_key(&argument.name);
            let patched = takes_patch && argument.name == "body" && example.arguments.contains_key("patch");
            if !(given || patched) {
                problems.push(wrong(format!("{name} needs `{}`", argument.name)));
            }
        }
        let json = serde_json::to_string(&example.arguments)?;
        arms.push(quote!(#name => #json));
    }
    for stray in examples.keys() {
        let kind = Kind::StrayExample { operation: stray.clone() };
        problems.push(Problem::new(FILE, kind, format!("there is no operation {stray}")));
    }
    files.rust(
        "mcp-server/src/generated/examples.rs",
        &parse_quote! {
            //! One example call an operation.

            /// The arguments of a call that works, as compact JSON; empty for a name that is no operation.
            pub fn of(operation: &str) -> &'static str {
                match operation {
                    #(#arms,)*
                    _ => "",
                }
            }
        },
    );
    Ok(problems)
}
