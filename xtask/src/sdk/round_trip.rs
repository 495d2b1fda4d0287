//! A table that decodes an answer by its operation: what `cargo xtask decode` and the tests compare with.

use crate::document::{Document, content, success};
use crate::rust_types::shape;
use crate::table::Table;
use anyhow::{Context, Result};
use quote::quote;
use syn::{File, parse_quote};

/// `round_trip.rs`: a function from the operation to its answer's type.
pub fn table(document: &Document, table: &Table) -> Result<File> {
    let mut arms = Vec::new();
    for row in &table.rows {
        let operation = document.operation(&row.at)?;
        let (_, response) = success(operation)?;
        let at = &row.at;
        let name = &row.name;
        arms.push(match content(response) {
            None => quote!(#at | #name => None),
            Some(content) => match content.get("application/json") {
                None => quote!(#at | #name => None),
                Some(json) => {
                    let schema = json.get("schema").context("a JSON answer without a schema")?;
                    let (_, rust, _) = shape(document, schema).with_context(|| at.clone())?;
                    quote!(#at | #name => Some(again::<#rust>))
                }
            },
        });
    }
    Ok(parse_quote! {
        use super::types;
        use crate::round_trip::{Again, again};

        /// How to decode and encode the answer of an operation: the outer `None` where there is no such
        /// operation, the inner one where its answer is not JSON.
        pub fn of(at: &str) -> Option<Option<Again>> {
            Some(match at {
                #(#arms,)*
                _ => return None,
            })
        }
    })
}
