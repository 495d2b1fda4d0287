//! The SDK's generated code: progenitor's output, made open and laid out by group.

mod docs;
mod mock;
mod operations;
mod pages;
mod round_trip;
mod types;

use crate::document::Document;
use crate::normalise;
use crate::notes::Notes;
use crate::output::Files;
use crate::table::{GROUPS, Group, Table};
use anyhow::{Context, Result, anyhow, bail};
use progenitor::{GenerationSettings, Generator, InterfaceStyle, TagStyle};
use quote::{format_ident, quote};
use std::collections::BTreeMap;
use syn::{File, Item, ItemMod, parse_quote};

/// Where the SDK's generated code lies.
pub const FOLDER: &str = "sonarr-client/src/generated";

/// Writes `sonarr-client/src/generated/`.
pub fn generate(document: &Document, table: &Table, notes: &Notes, files: &mut Files) -> Result<()> {
    let spec = normalise::normalise(document)?;
    let tokens = Generator::new(&settings()).generate_tokens(&spec).map_err(|error| anyhow!("progenitor: {error}"))?;
    let output: File = syn::parse2(tokens).context("progenitor's output is not Rust")?;
    files.rust(format!("{FOLDER}/types.rs"), &types::open(module(&output, "types")?)?);
    let paged = pages::paged(document)?;
    for group in GROUPS {
        let mut docs = BTreeMap::new();
        for row in table.in_group(group) {
            docs.insert(row.name.clone(), docs::of(row, document, notes, paged.contains_key(&row.at))?);
        }
        files.rust(format!("{FOLDER}/{group}.rs"), &operations::group(&output, group, table, &docs, &paged)?);
    }
    files.rust(format!("{FOLDER}/pages.rs"), &pages::implementations(&paged));
    files.rust(format!("{FOLDER}/round_trip.rs"), &round_trip::table(document, table)?);
    files.rust(format!("{FOLDER}/mod.rs"), &root(table));
    mock::generate(document, table, files)
}

fn settings() -> GenerationSettings {
    let mut settings = GenerationSettings::default();
    settings
        .with_interface(InterfaceStyle::Builder)
        .with_tag(TagStyle::Separate)
        // A hash map would write dictionaries in another order each time.
        .with_map_type("::std::collections::BTreeMap")
        .with_replacement(
            "PathSegment",
            "crate::PathSegment",
            [progenitor::TypeImpl::Display, progenitor::TypeImpl::FromStr].into_iter(),
        );
    settings
}

/// The items of a top-level module of progenitor's output.
fn module<'a>(output: &'a File, name: &str) -> Result<&'a [Item]> {
    for item in &output.items {
        if let Item::Mod(ItemMod { ident, content: Some((_, items)), .. }) = item
            && ident == name
        {
            return Ok(items);
        }
    }
    bail!("progenitor's output has no module `{name}`")
}

/// `mod.rs`: the client, the modules and the prelude.
fn root(table: &Table) -> File {
    let modules = GROUPS.map(|group| {
        let ident = format_ident!("{group}");
        let doc = table
            .groups
            .get(group)
            .map(|Group { title, summary }| format!(" {title}.\n\n {summary}{}", docs::contents(group, table)));
        quote! { #[doc = #doc] pub mod #ident; }
    });
    let traits = GROUPS.map(|group| {
        let (module, ident) = (format_ident!("{group}"), format_ident!("{}", crate::names::group_trait(group)));
        quote! { pub use super::#module::#ident; }
    });
    parse_quote! {
        #![allow(missing_docs, unused_qualifications, clippy::all, reason = "progenitor writes for machines")]
        /// Types of requests and answers.
        pub mod types;
        #(#modules)*
        /// The commands of `run_command`, each a struct of its parameters.
        pub mod commands;
        #[cfg(feature = "stream")]
        mod pages;
        pub(crate) mod round_trip;

        /// A connection to one Sonarr.
        ///
        /// Cheap to clone: clones share the connection pool.
        #[derive(Clone, Debug)]
        pub struct Client {
            pub(crate) baseurl: String,
            pub(crate) client: reqwest::Client,
            pub(crate) inner: crate::connect::Settings,
        }

        impl Client {
            pub(crate) fn assemble(baseurl: String, client: reqwest::Client, inner: crate::connect::Settings) -> Self {
                Self { baseurl, client, inner }
            }
        }

        /// The client, the traits that give it its operations, one a group, and the methods of commands and
        /// answers.
        ///
        /// Types, commands and errors are named where they are used: [`types`], [`commands`], [`Error`](crate::Error).
        pub mod prelude {
            pub use super::Client;
            pub use crate::Answer as _;
            pub use crate::Command as _;
            #(#traits)*
        }
    }
}
