//! Rules of quality profiles.

use std::collections::HashSet;

use serde_json::Value;

use super::{must, not_empty};
use crate::http::{Failure, Rule, rule};
use crate::quality::QUALITIES;
use crate::state::{Row, State, flag, int, text};

pub(super) fn quality_profile(state: &State, row: &Row) -> Result<Vec<Rule>, Failure> {
    let mut failed = Vec::new();
    not_empty(&mut failed, "Name", row.get("name"));
    let upgrade = int(row, "minUpgradeFormatScore");
    must(
        &mut failed,
        upgrade >= 1,
        "MinUpgradeFormatScore",
        "GreaterThanOrEqualValidator",
        "'Min Upgrade Format Score' must be greater than or equal to '1'.",
        upgrade.into(),
    );
    let items: Vec<&Row> = list(row, "items").iter().filter_map(Value::as_object).collect();
    cutoff(&mut failed, row, &items);
    groups(&mut failed, &items);
    formats(state, &mut failed, row)?;
    Ok(failed)
}

fn list<'a>(row: &'a Row, member: &str) -> &'a [Value] {
    row.get(member).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// The id that a cutoff may name: the group's own, or the quality's.
fn own_id(item: &Row) -> i64 {
    match item.get("quality").and_then(Value::as_object) {
        Some(quality) => int(quality, "id"),
        None => int(item, "id"),
    }
}

fn cutoff(failed: &mut Vec<Rule>, row: &Row, items: &[&Row]) {
    let cutoff = int(row, "cutoff");
    let holds = items.iter().any(|item| own_id(item) == cutoff && flag(item, "allowed"));
    must(failed, holds, "Cutoff", "ValidCutoffValidator", "Cutoff must be an allowed quality or group", cutoff.into());
}

fn groups(failed: &mut Vec<Rule>, items: &[&Row]) {
    let fail =
        |failed: &mut Vec<Rule>, message: &str| failed.push(rule("Items", "ItemsValidator", message, Value::Null));
    if !items.iter().any(|item| flag(item, "allowed")) {
        fail(failed, "Must contain at least one allowed quality");
    }
    let mut seen: Vec<i64> = Vec::new();
    let mut group_ids = HashSet::new();
    for item in items {
        let inner: Vec<&Row> = list(item, "items").iter().filter_map(Value::as_object).collect();
        match item.get("quality").and_then(Value::as_object) {
            Some(quality) => {
                seen.push(int(quality, "id"));
                if !text(item, "name").is_empty() {
                    fail(failed, "Single qualities must not have a name");
                }
            }
            None => {
                if text(item, "name").is_empty() {
                    fail(failed, "Groups must have a name");
                }
                if int(item, "id") <= 0 || !group_ids.insert(int(item, "id")) {
                    fail(failed, "Groups must have a unique id above 0");
                }
                if inner.len() < 2 {
                    fail(failed, "Groups must contain multiple qualities");
                }
                seen.extend(inner.iter().map(|item| own_id(item)));
            }
        }
    }
    let distinct: HashSet<i64> = seen.iter().copied().collect();
    if distinct.len() != seen.len() || QUALITIES.iter().any(|quality| !distinct.contains(&quality.id)) {
        fail(failed, "Must contain all qualities exactly once");
    }
}

fn formats(state: &State, failed: &mut Vec<Rule>, row: &Row) -> Result<(), Failure> {
    let Some(items) = row.get("formatItems").and_then(Value::as_array) else {
        return Err(Failure::null("source"));
    };
    let scores: Vec<(i64, i64)> =
        items.iter().filter_map(Value::as_object).map(|item| (int(item, "format"), int(item, "score"))).collect();
    let all = state.table("customformat").ids().into_iter().all(|id| scores.iter().any(|(format, _)| *format == id));
    must(
        failed,
        all,
        "FormatItems",
        "PredicateValidator",
        "All Custom Formats and no extra ones need to be present inside your Profile! Try refreshing your browser.",
        Value::Null,
    );
    let reachable: i64 = scores.iter().map(|(_, score)| score.max(&0)).sum();
    let wanted = int(row, "minFormatScore");
    must(
        failed,
        wanted <= reachable,
        "MinFormatScore",
        "PredicateValidator",
        "Minimum Custom Format Score can never be satisfied",
        wanted.into(),
    );
    Ok(())
}
