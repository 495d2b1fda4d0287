//! Providers: indexers, download clients, import lists, notifications and metadata consumers.
//!
//! A provider is an implementation with settings fields. Fields that hold secrets are written as `********`, and that
//! text in a request keeps what is stored.

mod implementations;
mod probe;

use serde_json::{Value, json};

pub(crate) use implementations::{implementation, of_resource, specification, specifications};
pub(crate) use probe::{probe, settings_rules};

use crate::http::{Failure, Rule, rule};
use crate::state::{Row, State, flag, int, text};

/// What stands for a secret.
pub(crate) const MASK: &str = "********";

/// The five kinds of providers.
pub(crate) fn is_provider(path: &str) -> bool {
    matches!(path, "indexer" | "downloadclient" | "importlist" | "notification" | "metadata")
}

/// Masks the secrets of a row's fields.
pub(crate) fn mask(row: &mut Row) {
    let Some(fields) = row.get_mut("fields").and_then(Value::as_array_mut) else { return };
    for field in fields.iter_mut().filter_map(Value::as_object_mut) {
        let secret = matches!(text(field, "privacy"), "password" | "apiKey");
        if secret && field.get("value").and_then(Value::as_str).is_some_and(|value| !value.is_empty()) {
            field.insert("value".into(), MASK.into());
        }
    }
}

/// Whether a provider does anything.
pub(crate) fn is_enabled(path: &str, row: &Row) -> bool {
    match path {
        "indexer" => {
            ["enableRss", "enableAutomaticSearch", "enableInteractiveSearch"].iter().any(|name| flag(row, name))
        }
        "importlist" => flag(row, "enableAutomaticAdd"),
        "notification" => row.iter().any(|(name, value)| name.starts_with("on") && value == &Value::Bool(true)),
        _ => flag(row, "enable"),
    }
}

/// The value of a settings field.
pub(crate) fn field<'a>(row: &'a Row, name: &str) -> Option<&'a Value> {
    let fields = row.get("fields").and_then(Value::as_array)?;
    let field = fields.iter().find(|field| {
        field.get("name").and_then(Value::as_str).is_some_and(|known| known.eq_ignore_ascii_case(name))
    })?;
    field.get("value").filter(|value| !value.is_null())
}

/// Sets the value of a settings field.
pub(crate) fn set_field(row: &mut Row, name: &str, value: Value) {
    let fields = row.get_mut("fields").and_then(Value::as_array_mut).into_iter().flatten();
    for field in fields.filter_map(Value::as_object_mut).filter(|field| text(field, "name").eq_ignore_ascii_case(name))
    {
        field.insert("value".into(), value.clone());
    }
}

/// The row to store: the body's members, the implementation's own, and every settings field, absent ones at their
/// defaults and masked ones as they are stored.
pub(crate) fn complete(path: &str, body: &Row, known: Option<&Row>) -> Result<Row, Failure> {
    let kind = text(body, "implementation");
    let contract = text(body, "configContract");
    let Some(implementation) = implementation(path, kind).filter(|found| found.contract == contract) else {
        return Err(Failure::internal("System.InvalidOperationException", "Sequence contains no matching element"));
    };
    let mut row = body.clone();
    let given = body.get("fields").and_then(Value::as_array).cloned().unwrap_or_default();
    let fields = implementation.fields.iter().map(|template| {
        let sent = given
            .iter()
            .filter_map(Value::as_object)
            .find(|field| text(field, "name").eq_ignore_ascii_case(&template.name));
        let mut out = template.json();
        let Some(sent) = sent else { return Value::Object(out) };
        out.shift_remove("value");
        let value = match sent.get("value") {
            Some(Value::String(value)) if value == MASK => known.and_then(|known| field(known, &template.name)),
            value => value,
        };
        if let Some(value) = value.filter(|value| !value.is_null()) {
            out.insert("value".into(), value.clone());
        }
        // Members of a coming version stay with their field.
        for name in [crate::types::NEXT_LEVEL, crate::types::NEXT_DATA] {
            if let Some(value) = sent.get(name) {
                out.insert(name.into(), value.clone());
            }
        }
        Value::Object(out)
    });
    row.insert("fields".into(), fields.collect());
    for (name, value) in implementation.members() {
        row.insert(name.clone(), value.clone());
    }
    row.shift_remove("presets");
    row.entry("tags").or_insert_with(|| json!([]));
    row.retain(|_, value| !value.is_null());
    Ok(row)
}

/// The rules on what every provider has.
pub(crate) fn shared_rules(state: &State, path: &str, row: &Row, id: i64, needs_fields: bool) -> Vec<Rule> {
    let mut failed = Vec::new();
    let name = text(row, "name");
    let mut present = |member: &str, property: &str| {
        if text(row, member).trim().is_empty() {
            failed.push(rule(
                property,
                "NotEmptyValidator",
                format!("'{property}' must not be empty."),
                text(row, member).into(),
            ));
        }
    };
    present("name", "Name");
    present("implementation", "Implementation");
    present("configContract", "ConfigContract");
    let taken =
        state.table(path).rows().any(|other| int(other, "id") != id && text(other, "name").eq_ignore_ascii_case(name));
    if taken {
        failed.push(rule("Name", "PredicateValidator", "Should be unique", name.into()));
    }
    if needs_fields && !row.get("fields").is_some_and(Value::is_array) {
        failed.push(rule("Fields", "NotNullValidator", "'Fields' must not be empty.", Value::Null));
    }
    match path {
        "indexer" => {
            let client = int(row, "downloadClientId");
            if client != 0 && !state.table("downloadclient").contains(client) {
                failed.push(rule(
                    "DownloadClientId",
                    "DownloadClientExistsValidator",
                    "Download client does not exist",
                    client.into(),
                ));
            }
        }
        "importlist" => {
            let root = text(row, "rootFolderPath");
            let plain = root.trim_end_matches('/');
            let known =
                state.table("rootfolder").rows().any(|folder| text(folder, "path").trim_end_matches('/') == plain);
            if !root.starts_with('/') {
                failed.push(rule("RootFolderPath", "PathValidator", format!("Invalid Path: '{root}'"), root.into()));
            } else if !known {
                failed.push(rule(
                    "RootFolderPath",
                    "RootFolderExistsValidator",
                    format!("Root folder '{root}' does not exist"),
                    root.into(),
                ));
            }
            let profile = int(row, "qualityProfileId");
            if !state.table("qualityprofile").contains(profile) {
                failed.push(rule(
                    "QualityProfileId",
                    "QualityProfileExistsValidator",
                    "Quality profile does not exist",
                    profile.into(),
                ));
            }
        }
        _ => {}
    }
    if state.next_version && matches!(path, "indexer" | "downloadclient") {
        let priority = int(row, "priority");
        if !(1..=50).contains(&priority) {
            failed.push(rule(
                "Priority",
                "InclusiveBetweenValidator",
                format!("'Priority' must be between 1 and 50. You entered {priority}."),
                priority.into(),
            ));
        }
    }
    failed
}

/// Completes the conditions of a custom format or an auto tagging rule: fields whole, names of their kinds.
pub(crate) fn complete_specifications(path: &str, row: &mut Row) {
    let Some(conditions) = row.get_mut("specifications").and_then(Value::as_array_mut) else { return };
    for condition in conditions.iter_mut().filter_map(Value::as_object_mut) {
        let Some(kind) = specification(path, text(condition, "implementation")) else { continue };
        let given = condition.get("fields").and_then(Value::as_array).cloned().unwrap_or_default();
        let fields = kind.fields.iter().map(|template| {
            let sent = given.iter().filter_map(Value::as_object).find(|field| text(field, "name") == template.name);
            let mut out = template.json();
            if let Some(sent) = sent {
                for name in ["value", crate::types::NEXT_LEVEL, crate::types::NEXT_DATA] {
                    match sent.get(name).filter(|value| !value.is_null()) {
                        Some(value) => out.insert(name.into(), value.clone()),
                        None => out.shift_remove(name),
                    };
                }
            }
            Value::Object(out)
        });
        let fields: Value = fields.collect();
        condition.insert("fields".into(), fields);
        condition.insert("implementationName".into(), kind.display.as_str().into());
        if path == "customformat" {
            condition.insert("infoLink".into(), "https://docs.example/custom-formats".into());
        }
        condition.retain(|name, value| !value.is_null() && name != "presets");
    }
}
