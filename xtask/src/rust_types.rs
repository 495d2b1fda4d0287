//! Schemas of the document → the Rust types progenitor makes of them.

use crate::document::{Document, reference};
use anyhow::{Context, Result, bail};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use serde_json::Value;

/// The JSON type of an argument.
pub enum Kind {
    Plain(&'static str),
    Array(Box<Kind>),
}

impl Kind {
    /// The `Kind` of the facade's table.
    pub fn tokens(&self) -> TokenStream {
        match self {
            Self::Plain(name) => {
                let name = format_ident!("{name}");
                quote!(Kind::#name)
            }
            Self::Array(inner) => {
                let inner = inner.tokens();
                quote!(Kind::Array(&#inner))
            }
        }
    }
}

/// The JSON kind, the Rust type and the known values of a schema.
pub fn shape(document: &Document, schema: &Value) -> Result<(Kind, TokenStream, Vec<String>)> {
    if let Some(name) = reference(schema) {
        if name == "PathSegment" {
            return Ok((Kind::Plain("String"), quote!(sonarr_client::PathSegment), Vec::new()));
        }
        let target = document.resolve(schema)?;
        let ident = format_ident!("{name}");
        let values: Vec<String> = target
            .get("enum")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect();
        let kind = if values.is_empty() { "Object" } else { "String" };
        return Ok((Kind::Plain(kind), quote!(types::#ident), values));
    }
    let format = schema.get("format").and_then(Value::as_str);
    let plain = |kind, rust| Ok((Kind::Plain(kind), rust, Vec::new()));
    match (schema.get("type").and_then(Value::as_str), format) {
        (Some("integer"), Some("int32")) => plain("Integer", quote!(i32)),
        (Some("integer"), _) => plain("Integer", quote!(i64)),
        (Some("number"), _) => plain("Number", quote!(f64)),
        (Some("boolean"), _) => plain("Boolean", quote!(bool)),
        (Some("string"), Some("date-time")) => plain("DateTime", quote!(chrono::DateTime<chrono::Utc>)),
        (Some("string"), _) => plain("String", quote!(String)),
        (Some("array"), _) => {
            let (kind, rust, values) = shape(document, schema.get("items").context("an array without items")?)?;
            Ok((Kind::Array(Box::new(kind)), quote!(Vec<#rust>), values))
        }
        (None, _) => plain("Any", quote!(serde_json::Value)),
        (Some(other), _) => bail!("the generator does not know the type {other}"),
    }
}
