//! Rules of small resources.

use serde_json::{Value, json};

use super::{must, not_empty};
use crate::http::{Failure, Rule, rule};
use crate::providers;
use crate::state::{Row, State, flag, int, ints, text};

/// Custom formats and auto tagging rules: a unique name and at least one condition of a known kind.
pub(super) fn specifications(state: &State, path: &str, row: &Row, id: Option<i64>) -> Result<Vec<Rule>, Failure> {
    let mut failed = Vec::new();
    not_empty(&mut failed, "Name", row.get("name"));
    let name = text(row, "name");
    let taken = state.table(path).rows().any(|other| text(other, "name") == name && Some(int(other, "id")) != id);
    must(&mut failed, !taken, "Name", "PredicateValidator", "Must be unique.", name.into());
    if path == "autotagging" {
        not_empty(&mut failed, "Tags", row.get("tags"));
    }
    not_empty(&mut failed, "Specifications", row.get("specifications"));
    let conditions = row.get("specifications").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for condition in conditions.iter().filter_map(Value::as_object) {
        let kind = text(condition, "implementation");
        if providers::specification(path, kind).is_none() {
            return Err(Failure::internal(
                "System.ArgumentException",
                format!("{kind} is not a valid specification implementation"),
            ));
        }
        if text(condition, "name").trim().is_empty() {
            failed.push(rule(
                "",
                "PredicateValidator",
                "Condition name(s) cannot be empty or consist of only spaces",
                Value::Null,
            ));
        }
        let fields = condition.get("fields").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let value =
            fields.iter().find(|field| field.get("name") == Some(&json!("value"))).and_then(|field| field.get("value"));
        let textual = matches!(
            kind,
            "ReleaseTitleSpecification"
                | "ReleaseGroupSpecification"
                | "RootFolderSpecification"
                | "GenreSpecification"
        );
        if textual {
            let mut own = Vec::new();
            not_empty(&mut own, "Value", value);
            failed.append(&mut own);
        }
    }
    Ok(failed)
}

pub(super) fn delay_profile(state: &State, row: &Row, id: Option<i64>) -> Vec<Rule> {
    let mut failed = Vec::new();
    let tags = ints(row, "tags");
    if id == Some(1) {
        must(&mut failed, tags.is_empty(), "Tags", "EmptyValidator", "'Tags' must be empty.", json!(tags));
    } else {
        not_empty(&mut failed, "Tags", Some(&json!(tags)));
        let taken = state
            .table("delayprofile")
            .rows()
            .any(|other| Some(int(other, "id")) != id && ints(other, "tags").iter().any(|tag| tags.contains(tag)));
        must(
            &mut failed,
            !taken,
            "Tags",
            "DelayProfileTagInUseValidator",
            "One or more tags is used in another profile",
            json!(tags),
        );
    }
    for (member, property) in [("usenetDelay", "UsenetDelay"), ("torrentDelay", "TorrentDelay")] {
        let delay = int(row, member);
        must(
            &mut failed,
            delay >= 0,
            property,
            "GreaterThanOrEqualValidator",
            format!("'{}' must be greater than or equal to '0'.", super::words(property)),
            delay.into(),
        );
    }
    let any = flag(row, "enableUsenet") || flag(row, "enableTorrent");
    must(&mut failed, any, "", "PredicateValidator", "Either Usenet or Torrent should be enabled", Value::Null);
    failed
}

pub(super) fn exclusion(state: &State, row: &Row, id: Option<i64>) -> Vec<Rule> {
    let mut failed = Vec::new();
    let tvdb = int(row, "tvdbId");
    must(&mut failed, tvdb != 0, "TvdbId", "NotEmptyValidator", "'Tvdb Id' must not be empty.", tvdb.into());
    let taken = state
        .table("importlistexclusion")
        .rows()
        .any(|other| int(other, "tvdbId") == tvdb && Some(int(other, "id")) != id);
    must(
        &mut failed,
        !taken,
        "TvdbId",
        "ImportListExclusionExistsValidator",
        "This exclusion has already been added.",
        tvdb.into(),
    );
    not_empty(&mut failed, "Title", row.get("title"));
    failed
}

pub(super) fn release_profile(state: &State, row: &Row) -> Result<Vec<Rule>, Failure> {
    let mut failed = Vec::new();
    let mut terms: Vec<&str> = Vec::new();
    for member in ["required", "ignored"] {
        match row.get(member) {
            None | Some(Value::Null) => {}
            Some(Value::Array(items)) if items.iter().all(Value::is_string) => {
                terms.extend(items.iter().filter_map(Value::as_str))
            }
            Some(_) => {
                return Err(Failure::BadRequest(format!("Invalid field {member}, should be string or string array")));
            }
        }
    }
    if terms.is_empty() {
        failed.push(rule("", "PredicateValidator", "'Must contain' or 'Must not contain' is required", Value::Null));
    }
    if terms.iter().any(|term| term.trim().is_empty()) {
        failed.push(rule(
            "",
            "PredicateValidator",
            "'Must contain' and 'Must not contain' should not contain whitespaces or an empty string",
            Value::Null,
        ));
    }
    let indexer = int(row, "indexerId");
    if flag(row, "enabled") && indexer != 0 && !state.table("indexer").contains(indexer) {
        failed.push(rule("", "PredicateValidator", "Indexer does not exist", Value::Null));
    }
    if state.next_version {
        let tags = ints(row, "tags");
        let both = ints(row, "excludedTags").iter().any(|tag| tags.contains(tag));
        must(
            &mut failed,
            !both,
            "",
            "PredicateValidator",
            "A tag cannot be included and excluded at once",
            Value::Null,
        );
    }
    Ok(failed)
}

pub(super) fn remote_path(state: &State, row: &Row) -> Vec<Rule> {
    let mut failed = Vec::new();
    not_empty(&mut failed, "Host", row.get("host"));
    not_empty(&mut failed, "RemotePath", row.get("remotePath"));
    path_exists(state, &mut failed, "LocalPath", text(row, "localPath"));
    failed
}

/// A path must be absolute and there.
pub(super) fn path_exists(state: &State, failed: &mut Vec<Rule>, property: &str, path: &str) {
    if !path.starts_with('/') {
        failed.push(rule(property, "PathValidator", format!("Invalid Path: '{path}'"), path.into()));
    } else if !state.disk.folder_exists(path) {
        failed.push(rule(property, "PathExistsValidator", format!("Path '{path}' does not exist"), path.into()));
    }
}

pub(super) fn tag(state: &State, row: &Row) -> Result<Vec<Rule>, Failure> {
    let mut failed = Vec::new();
    let label = row.get("label").and_then(Value::as_str);
    if state.next_version {
        let good = label.is_some_and(|label| {
            !label.is_empty()
                && label.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-')
        });
        must(
            &mut failed,
            good,
            "Label",
            "RegularExpressionValidator",
            "Allowed characters a-z, 0-9 and -",
            label.unwrap_or_default().into(),
        );
        return Ok(failed);
    }
    match label {
        Some(_) => Ok(failed),
        None => Err(Failure::internal(
            "System.NullReferenceException",
            "Object reference not set to an instance of an object.",
        )),
    }
}

/// The size limits of a quality definition; `prefix` names its place in a list.
pub(super) fn quality_definition(row: &Row, prefix: &str) -> Vec<Rule> {
    let mut failed = Vec::new();
    let size = |member: &str| row.get(member).and_then(Value::as_f64);
    let (min, preferred, max) = (size("minSize"), size("preferredSize"), size("maxSize"));
    let mut range = |property: &str, value: Option<f64>, low: f64, high: f64| {
        if let Some(value) = value {
            let holds = value >= low && value <= high;
            let message =
                format!("'{}' must be between {low} and {high}. You entered {value}.", super::words(property));
            must(
                &mut failed,
                holds,
                &format!("{prefix}{property}"),
                "InclusiveBetweenValidator",
                message,
                json!(value),
            );
        }
    };
    range("MinSize", min, 0.0, preferred.unwrap_or(1000.0));
    range("PreferredSize", preferred, min.unwrap_or(0.0), max.unwrap_or(1000.0));
    range("MaxSize", max, preferred.unwrap_or(0.0), 1000.0);
    failed
}
