//! Our own decisions: `openapi/operations.toml` and `openapi/parameters.toml`.

use crate::document::{Document, text};
use crate::problems::{Kind, Problem};
use anyhow::{Context, Result, bail};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

pub const OPERATIONS: &str = "openapi/operations.toml";
pub const PARAMETERS: &str = "openapi/parameters.toml";

/// The fifteen groups, in the order in which they are listed everywhere.
pub const GROUPS: [&str; 15] = [
    "profiles_formats",
    "config",
    "media_library",
    "system_commands",
    "import_lists",
    "notifications_metadata",
    "download_clients",
    "indexers",
    "storage",
    "history_blocklist",
    "queue",
    "tags",
    "release_search",
    "wanted",
    "calendar",
];

/// What an operation does to the server.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    Read,
    Create,
    Update,
    Delete,
    Action,
}

impl Effect {
    /// The facade's word for it.
    pub fn tokens(self) -> TokenStream {
        let name = format_ident!("{}", format!("{self:?}"));
        quote!(Effect::#name)
    }
}

/// A row of operations.toml.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Row {
    pub name: String,
    pub at: String,
    pub group: String,
    pub effect: Effect,
    pub status: u16,
    pub summary: String,
    /// What is lost; absent where nothing is.
    pub destructive: Option<String>,
    pub(crate) idempotent: Option<bool>,
    #[serde(default)]
    pub long_running: bool,
    /// Statuses beside 2xx that carry the success body.
    #[serde(default)]
    pub accepts: Vec<u16>,
    pub deprecated: Option<String>,
    #[serde(default)]
    pub details: String,
    /// What the server validates.
    #[serde(default)]
    pub requires: Vec<String>,
}

impl Row {
    /// Whether sending it twice leaves the server as sending it once does.
    pub fn idempotent(&self) -> bool {
        self.idempotent.unwrap_or(self.effect == Effect::Read)
    }

    /// `GET` of `GET /api/v3/tag`.
    pub fn method(&self) -> &str {
        self.at.split_once(' ').map_or("", |(method, _)| method)
    }

    /// `/api/v3/tag` of `GET /api/v3/tag`.
    pub fn path(&self) -> &str {
        self.at.split_once(' ').map_or("", |(_, path)| path)
    }
}

/// What a group is called and for.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Group {
    pub title: String,
    pub summary: String,
}

/// What we say of a parameter.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    pub summary: String,
    /// The server's default, where the document is silent about it.
    pub default: Option<toml::Value>,
    /// Said again where the document had to be corrected, and compared with it.
    pub required: Option<bool>,
}

/// Both files.
pub struct Table {
    pub groups: BTreeMap<String, Group>,
    pub rows: Vec<Row>,
    common: BTreeMap<String, Parameter>,
    special: BTreeMap<String, BTreeMap<String, Parameter>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OperationsFile {
    group: BTreeMap<String, Group>,
    operation: Vec<Row>,
}

#[derive(Deserialize)]
struct ParametersFile {
    parameter: BTreeMap<String, Parameter>,
    #[serde(flatten)]
    special: BTreeMap<String, BTreeMap<String, Parameter>>,
}

impl Table {
    /// Reads the text of both files and checks what can be checked without the document.
    pub fn parse(operations: &str, parameters: &str) -> Result<Self> {
        let operations: OperationsFile = toml::from_str(operations).context(OPERATIONS)?;
        let parameters: ParametersFile = toml::from_str(parameters).context(PARAMETERS)?;
        let table = Self {
            groups: operations.group,
            rows: operations.operation,
            common: parameters.parameter,
            special: parameters.special,
        };
        table.consistent()?;
        Ok(table)
    }

    fn consistent(&self) -> Result<()> {
        for group in GROUPS {
            if !self.groups.contains_key(group) {
                bail!("{OPERATIONS}: [group.{group}] is missing");
            }
        }
        let mut names = BTreeSet::new();
        let mut places = BTreeSet::new();
        for row in &self.rows {
            if !names.insert(&row.name) {
                bail!("{OPERATIONS}: the name `{}` is taken twice", row.name);
            }
            if !places.insert(&row.at) {
                bail!("{OPERATIONS}: `{}` has two rows", row.at);
            }
            if !GROUPS.contains(&row.group.as_str()) {
                bail!(
                    "{OPERATIONS}: `{}` is in group `{}`, which is none of {}",
                    row.name,
                    row.group,
                    GROUPS.join(", ")
                );
            }
            let word = |name: &str| name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
            if !word(&row.name) || !(row.name.contains('_') || row.name == "ping") {
                bail!("{OPERATIONS}: `{}` is not of the form verb_noun", row.name);
            }
            if row.effect != Effect::Read && row.idempotent.is_none() {
                bail!("{OPERATIONS}: `{}` changes something and does not say whether it is idempotent", row.name);
            }
            if row.summary.trim().is_empty() {
                bail!("{OPERATIONS}: `{}` has no summary", row.name);
            }
            if row.effect == Effect::Read && row.destructive.is_some() {
                bail!("{OPERATIONS}: `{}` reads and is said to destroy", row.name);
            }
        }
        Ok(())
    }

    /// Operations without a row, and rows without an operation.
    pub fn coverage(&self, document: &Document) -> Vec<Problem> {
        let rows: BTreeSet<&str> = self.rows.iter().map(|row| row.at.as_str()).collect();
        let operations: BTreeSet<String> = document.operations().map(|(at, _)| at).collect();
        let missing = operations
            .iter()
            .filter(|at| !rows.contains(at.as_str()))
            .map(|at| Problem::new(OPERATIONS, Kind::NoRow { at: at.clone() }, format!("there is no row for {at}")));
        let stray = self.rows.iter().filter(|row| !operations.contains(&row.at)).map(|Row { name, at, .. }| {
            let text = format!("`{name}` is {at}, which the document does not have");
            Problem::new(OPERATIONS, Kind::StrayRow { name: name.clone() }, text)
        });
        missing.chain(stray).collect()
    }

    /// Rows of a group, in the table's order.
    pub fn in_group<'a>(&'a self, group: &'a str) -> impl Iterator<Item = &'a Row> {
        self.rows.iter().filter(move |row| row.group == group)
    }

    /// Puts our names, groups and descriptions into the document, and says which parameters it cannot describe.
    ///
    /// An operation without a row is left as it is.
    pub fn describe(&self, mut document: Document) -> Result<(Document, Vec<Problem>)> {
        let mut used: BTreeSet<(&str, &str)> = BTreeSet::new();
        let mut problems = Vec::new();
        for (at, operation) in document.operations_mut() {
            let Some(row) = self.rows.iter().find(|row| row.at == at) else { continue };
            operation.insert("operationId".into(), row.name.clone().into());
            operation.insert("tags".into(), vec![row.group.clone()].into());
            operation.insert("summary".into(), row.summary.clone().into());
            if !row.details.trim().is_empty() {
                operation.insert("description".into(), row.details.trim().into());
            }
            let declared = operation.get_mut("parameters").and_then(Value::as_array_mut);
            for parameter in declared.into_iter().flatten() {
                let name = text(parameter, "name")?.to_owned();
                let description = match self.parameter(&row.name, &name) {
                    Some((key, ours)) => {
                        used.insert(key);
                        ours.describe(parameter).unwrap_or_else(|fault| {
                            let text = format!("`{name}` of {}: {fault}", row.name);
                            problems.push(Problem::new(PARAMETERS, Kind::Mend, text));
                            String::new()
                        })
                    }
                    None => {
                        let text = format!("nothing is said of `{name}` of {}", row.name);
                        let kind = Kind::NoParameter { operation: row.name.clone(), name };
                        problems.push(Problem::new(PARAMETERS, kind, text));
                        String::new()
                    }
                };
                if let Some(members) = parameter.as_object_mut() {
                    members.insert("description".into(), description.into());
                }
            }
        }
        problems.extend(self.unused(&used));
        Ok((document, problems))
    }

    fn parameter<'a>(&'a self, operation: &str, name: &str) -> Option<((&'a str, &'a str), &'a Parameter)> {
        let special = self.special.get_key_value(operation).and_then(|(key, entries)| {
            entries.get_key_value(name).map(|(name, entry)| ((key.as_str(), name.as_str()), entry))
        });
        special.or_else(|| self.common.get_key_value(name).map(|(name, entry)| (("", name.as_str()), entry)))
    }

    fn unused(&self, used: &BTreeSet<(&str, &str)>) -> Vec<Problem> {
        let common = self.common.keys().map(|name| ("", name.as_str()));
        let special = self
            .special
            .iter()
            .flat_map(|(operation, entries)| entries.keys().map(move |name| (operation.as_str(), name.as_str())));
        let unused = common.chain(special).filter(|entry| !used.contains(entry));
        unused
            .map(|(operation, name)| {
                let table = if operation.is_empty() { "parameter" } else { operation };
                let kind = Kind::StrayParameter { operation: operation.into(), name: name.into() };
                Problem::new(PARAMETERS, kind, format!("[{table}.{name}] describes nothing"))
            })
            .collect()
    }
}

impl Parameter {
    /// Our sentence, and the server's default: ours and the document's must agree where both speak.
    fn describe(&self, declared: &Value) -> Result<String> {
        let required = declared.get("required").and_then(Value::as_bool).unwrap_or(false);
        if let Some(ours) = self.required.filter(|ours| *ours != required) {
            bail!("the table says required = {ours}, the corrected document {required}");
        }
        if self.summary.trim().is_empty() {
            bail!("the summary is empty");
        }
        let ours = self.default.as_ref().map(plain);
        let theirs = declared.pointer("/schema/default").map(|value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        let default = match (ours, theirs) {
            (Some(ours), Some(theirs)) if ours != theirs => {
                bail!("the table says the default is {ours}, the document {theirs}")
            }
            (ours, theirs) => ours.or(theirs).filter(|default| !default.is_empty()),
        };
        let summary = self.summary.trim();
        Ok(match default {
            Some(default) if !summary.to_lowercase().contains("default") => format!("{summary} Default: {default}."),
            _ => summary.to_owned(),
        })
    }
}

/// A default as it is written: a text without its quotes.
pub fn plain(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests;
