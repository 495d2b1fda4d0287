//! The paged operations: which they are, and what their pages hold.

use crate::document::{Document, content, parameters, reference, success};
use anyhow::{Context, Result, ensure};
use quote::{format_ident, quote};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use syn::{File, ImplItemFn, parse_quote};

/// What Sonarr calls the types of its pages.
const SUFFIX: &str = "PagingResource";

/// The type of a page, and that of its records.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Paged {
    page: String,
    record: String,
}

/// The paged operations by their place.
pub fn paged(document: &Document) -> Result<BTreeMap<String, Paged>> {
    let mut found = BTreeMap::new();
    for (at, operation) in document.operations() {
        let (_, response) = success(operation)?;
        let schema = content(response).and_then(|content| content.get("application/json")?.get("schema"));
        let Some(page) = schema.and_then(reference).filter(|name| name.ends_with(SUFFIX)) else { continue };
        for wanted in ["page", "pageSize"] {
            let takes = parameters(operation).any(|parameter| parameter.get("name").is_some_and(|name| name == wanted));
            ensure!(takes, "{at} answers with {page} and does not take `{wanted}`");
        }
        let records = document.schemas()?.get(page).and_then(|schema| schema.pointer("/properties/records/items"));
        let record = records.and_then(reference).with_context(|| format!("{page} has no list of records"))?;
        let ids = document.schemas()?.get(record).and_then(|schema| schema.pointer("/properties/id/type"));
        ensure!(ids.and_then(Value::as_str) == Some("integer"), "the records of {page} have no id");
        found.insert(at, Paged { page: page.to_owned(), record: record.to_owned() });
    }
    Ok(found)
}

/// How the walk reads each type of a page.
pub fn implementations(paged: &BTreeMap<String, Paged>) -> File {
    let types: BTreeSet<&Paged> = paged.values().collect();
    let items = types.into_iter().map(|Paged { page, record }| {
        let (page, record) = (format_ident!("{page}"), format_ident!("{record}"));
        quote! {
            impl Page for types::#page {
                type Record = types::#record;

                fn extent(&self) -> (Option<i32>, Option<i32>) {
                    (self.page_size, self.total_records)
                }

                fn into_records(self) -> Vec<Self::Record> {
                    self.records.unwrap_or_default()
                }

                fn id(record: &Self::Record) -> Option<i32> {
                    record.id
                }
            }
        }
    });
    parse_quote! {
        use super::types;
        use crate::pages::Page;
        #(#items)*
    }
}

/// The method that walks over all pages.
pub fn stream(Paged { record, .. }: &Paged) -> ImplItemFn {
    let record = format_ident!("{record}");
    parse_quote! {
        /// The records of all pages from `page` on, each once; `page_size` records, 100 unless it is set,
        /// come with each request.
        ///
        /// # Errors
        ///
        /// An item of it, the last one: see [`Error`](crate::Error).
        #[cfg(feature = "stream")]
        pub fn stream(self) -> crate::Records<'a, types::#record> {
            let (page, page_size) = (self.page.clone(), self.page_size.clone());
            crate::pages::walk(&page, &page_size, move |page, page_size| {
                self.clone().page(page).page_size(page_size).send()
            })
        }
    }
}
