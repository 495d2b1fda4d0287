//! The differences between two documents, each named.

use super::facts::{self, Facts};
use crate::document::Document;
use anyhow::Result;
use std::collections::BTreeMap;

/// What two documents say differently.
#[derive(Debug, Default, PartialEq)]
pub struct Differences {
    pub operations: Changes,
    pub schemas: Changes,
    /// Differences of the document's head: version and the like.
    pub head: Vec<String>,
}

/// What was added, removed and changed, each by name and with its facts or its differences.
#[derive(Debug, Default, PartialEq)]
pub struct Changes {
    pub added: BTreeMap<String, Vec<String>>,
    pub removed: Vec<String>,
    pub changed: BTreeMap<String, Vec<String>>,
}

impl Changes {
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }

    fn between(old: &BTreeMap<String, Facts>, new: &BTreeMap<String, Facts>) -> Self {
        let mut changes = Self::default();
        for (name, facts) in new {
            match old.get(name) {
                None => {
                    let lines = facts.iter().map(|(about, fact)| said(about, fact)).collect();
                    changes.added.insert(name.clone(), lines);
                }
                Some(before) if before != facts => {
                    changes.changed.insert(name.clone(), compare(before, facts));
                }
                Some(_) => {}
            }
        }
        changes.removed = old.keys().filter(|name| !new.contains_key(*name)).cloned().collect();
        changes
    }
}

impl Differences {
    /// Compares two canonical documents.
    pub fn between(old: &Document, new: &Document) -> Result<Self> {
        let operations = |document: &Document| -> BTreeMap<String, Facts> {
            document.operations().map(|(at, operation)| (at, facts::of_operation(operation))).collect()
        };
        let schemas = |document: &Document| -> Result<BTreeMap<String, Facts>> {
            Ok(document.schemas()?.iter().map(|(name, schema)| (name.clone(), facts::of_schema(schema))).collect())
        };
        let head = |document: &Document| -> Facts {
            let members = document.0.as_object().into_iter().flatten();
            let head = members.filter(|(key, _)| !matches!(key.as_str(), "paths" | "components"));
            head.map(|(key, value)| (format!("`{key}`"), value.to_string())).collect()
        };
        Ok(Self {
            operations: Changes::between(&operations(old), &operations(new)),
            schemas: Changes::between(&schemas(old)?, &schemas(new)?),
            head: compare(&head(old), &head(new)),
        })
    }

    pub fn is_empty(&self) -> bool {
        self.operations.is_empty() && self.schemas.is_empty() && self.head.is_empty()
    }
}

/// A line a difference.
pub fn compare(old: &Facts, new: &Facts) -> Vec<String> {
    let removed = old
        .iter()
        .filter(|(about, _)| !new.contains_key(*about))
        .map(|(about, fact)| format!("removed: {}", said(about, fact)));
    let changed = old.iter().filter_map(|(about, before)| {
        let after = new.get(about).filter(|after| *after != before)?;
        Some(format!("changed: {about}: {before} → {after}"))
    });
    let added = new
        .iter()
        .filter(|(about, _)| !old.contains_key(*about))
        .map(|(about, fact)| format!("added: {}", said(about, fact)));
    removed.chain(changed).chain(added).collect()
}

fn said(about: &str, fact: &str) -> String {
    if fact.is_empty() { about.to_owned() } else { format!("{about}: {fact}") }
}
