//! One change to several rows at once.

use serde_json::{Value, json};

use super::{Call, crud};
use crate::http::{Failure, Reply};
use crate::state::{Row, int_list, ints, text};

/// Sets what the body says on several providers; tags are added, removed or replaced.
pub(super) fn update_providers(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let resource = crud::resource(call)?;
    let change = call.object();
    let ids = ints(&change, "ids");
    if ids.is_empty() {
        return Err(Failure::BadRequest("ids must be provided".into()));
    }
    all_known(call, resource.path, &ids)?;
    let next = (crate::types::NEXT_LEVEL, crate::types::NEXT_DATA);
    for id in &ids {
        let Some(row) = call.state.table_mut(resource.path).get_mut(*id) else { continue };
        for (name, value) in &change {
            if !matches!(name.as_str(), "ids" | "tags" | "applyTags") && *name != next.0 && *name != next.1 {
                row.insert(name.clone(), value.clone());
            }
        }
        if change.contains_key("tags") {
            apply_tags(row, &ints(&change, "tags"), text(&change, "applyTags"));
        }
    }
    let rows = ids.iter().filter_map(|id| call.state.row(resource.path, *id)).map(crud::present).collect();
    Ok(Reply::accepted(rows))
}

/// Applies a list of tags to a row: `add` (also when nothing is said), `remove` or `replace`.
pub(super) fn apply_tags(row: &mut Row, tags: &[i64], how: &str) {
    let mut current = ints(row, "tags");
    match how {
        "remove" => current.retain(|tag| !tags.contains(tag)),
        "replace" => current = tags.to_vec(),
        _ => {
            for tag in tags {
                if !current.contains(tag) {
                    current.push(*tag);
                }
            }
        }
    }
    row.insert("tags".into(), json!(current));
}

pub(super) fn delete_providers(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let resource = crud::resource(call)?;
    for id in ids(call)? {
        call.state.table_mut(resource.path).remove(id);
    }
    Ok(Reply::empty_object())
}

pub(super) fn update_formats(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let change = call.object();
    let ids = ints(&change, "ids");
    if ids.is_empty() {
        return Err(Failure::BadRequest("ids must be provided".into()));
    }
    if let Some(id) = ids.iter().find(|id| !call.state.table("customformat").contains(**id)) {
        return Err(Failure::internal(
            "System.Collections.Generic.KeyNotFoundException",
            format!("The given key '{id}' was not present in the dictionary."),
        ));
    }
    if let Some(include) = change.get("includeCustomFormatWhenRenaming") {
        for id in &ids {
            if let Some(row) = call.state.table_mut("customformat").get_mut(*id) {
                row.insert("includeCustomFormatWhenRenaming".into(), include.clone());
            }
        }
    }
    let rows = ids.iter().filter_map(|id| call.state.row("customformat", *id)).map(crud::present).collect();
    Ok(Reply::accepted(rows))
}

pub(super) fn delete_formats(call: &mut Call<'_>) -> Result<Reply, Failure> {
    for id in ids(call)? {
        call.state.delete_row("customformat", id)?;
    }
    Ok(Reply::empty_object())
}

pub(super) fn delete_exclusions(call: &mut Call<'_>) -> Result<Reply, Failure> {
    for id in ids(call)? {
        call.state.table_mut("importlistexclusion").remove(id);
    }
    Ok(Reply::empty_object())
}

/// The ids of a bulk delete, which must be there.
pub(super) fn ids(call: &Call<'_>) -> Result<Vec<i64>, Failure> {
    match call.body.get("ids") {
        Some(ids @ Value::Array(_)) => Ok(int_list(ids)),
        _ => Err(Failure::null("source")),
    }
}

/// Every id must be a row of the table.
pub(super) fn all_known(call: &Call<'_>, path: &str, ids: &[i64]) -> Result<(), Failure> {
    let found = ids.iter().filter(|id| call.state.table(path).contains(**id)).count();
    if found == ids.len() { Ok(()) } else { Err(Failure::rows(ids.len(), found)) }
}
