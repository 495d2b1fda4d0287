//! What the server validates before it stores anything.

mod config;
mod host;
mod plain;
mod profile;
mod series;

use serde_json::Value;

use crate::http::{Failure, Rule, rule, rules};
use crate::state::{Row, State};

pub(crate) use series::{check_editor, check_series};

/// Checks a row of a plain resource before it is stored; `id` is that of the row it replaces.
pub(crate) fn check(state: &State, path: &str, row: &Row, id: Option<i64>) -> Result<(), Failure> {
    let failed = match path {
        "autotagging" | "customformat" => plain::specifications(state, path, row, id)?,
        "delayprofile" => plain::delay_profile(state, row, id),
        "importlistexclusion" => plain::exclusion(state, row, id),
        "releaseprofile" => plain::release_profile(state, row)?,
        "remotepathmapping" => plain::remote_path(state, row),
        "tag" => plain::tag(state, row)?,
        "qualitydefinition" => plain::quality_definition(row, ""),
        "qualityprofile" => profile::quality_profile(state, row)?,
        "config/host" => host::check(state, row),
        path if path.starts_with("config/") => config::check(state, path, row),
        _ => Vec::new(),
    };
    rules(failed)
}

/// The rules of several quality definitions, each named by its place.
pub(crate) fn check_definitions(rows: &[Row]) -> Result<(), Failure> {
    let failed =
        rows.iter().enumerate().flat_map(|(index, row)| plain::quality_definition(row, &format!("[{index}].")));
    rules(failed.collect())
}

/// A rule of a member that must not be empty.
fn not_empty(failed: &mut Vec<Rule>, property: &str, value: Option<&Value>) {
    let empty = match value {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => text.trim().is_empty(),
        Some(Value::Array(items)) => items.is_empty(),
        Some(_) => false,
    };
    if empty {
        let attempted = value.cloned().unwrap_or_default();
        failed.push(rule(
            property,
            "NotEmptyValidator",
            format!("'{}' must not be empty.", words(property)),
            attempted,
        ));
    }
}

/// A rule that a condition must hold.
fn must(
    failed: &mut Vec<Rule>,
    holds: bool,
    property: &str,
    code: &'static str,
    message: impl Into<String>,
    value: Value,
) {
    if !holds {
        failed.push(rule(property, code, message, value));
    }
}

/// `StandardEpisodeFormat` as `Standard Episode Format`.
fn words(property: &str) -> String {
    let mut out = String::new();
    for (index, letter) in property.chars().enumerate() {
        if index > 0 && letter.is_ascii_uppercase() {
            out.push(' ');
        }
        out.push(letter);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_words() {
        assert_eq!(words("StandardEpisodeFormat"), "Standard Episode Format");
    }
}
