//! List, read, create, replace and delete: one way for every plain resource.

use serde_json::Value;

use super::Call;
use crate::http::{Failure, Reply, rule, rules};
use crate::providers;
use crate::resources::{self, Resource};
use crate::state::{Row, int};

/// The resource of a call; the table of routes names only those that exist.
pub(crate) fn resource(call: &Call<'_>) -> Result<&'static Resource, Failure> {
    resources::by_path(call.route.resource())
        .ok_or_else(|| Failure::internal("System.InvalidOperationException", "the route belongs to no resource"))
}

pub(super) fn list(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let resource = resource(call)?;
    let mut rows: Vec<&Row> = call.state.table(resource.path).rows().collect();
    match resource.path {
        "delayprofile" => rows.sort_by_key(|row| int(row, "order")),
        "qualitydefinition" => rows.sort_by_key(|row| (int(row, "weight"), int(row, "id"))),
        _ => {}
    }
    let reply = Reply::ok(rows.into_iter().map(present).collect());
    Ok(if resource.path == "importlistexclusion" { reply.with("Deprecation", "true") } else { reply })
}

pub(super) fn get(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let resource = resource(call)?;
    let id = call.id();
    match call.state.row(resource.path, id) {
        Some(row) => Ok(Reply::ok(present(row))),
        None if resource.path == "qualitydefinition" => {
            Err(call.invalid_operation("Sequence contains no matching element"))
        }
        None if resource.unknown_is_500 => Err(Failure::internal(
            "System.Collections.Generic.KeyNotFoundException",
            format!("The given key '{id}' was not present in the dictionary."),
        )),
        None => Err(call.not_found()),
    }
}

pub(super) fn create(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let resource = resource(call)?;
    let mut row = call.object();
    crate::rules::check(call.state, resource.path, &row, None)?;
    let given = int(&row, "id");
    if given != 0 {
        return Err(call.invalid_operation(format!("Can't insert model with existing ID {given}")));
    }
    call.state.complete(resource.path, &mut row, None);
    let id = call.state.table_mut(resource.path).insert(row);
    call.state.stored_row(resource.path, id);
    stored(call, resource, id, true)
}

pub(super) fn update(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let resource = resource(call)?;
    let mut row = call.object();
    let id = body_or_path_id(call, &row)?;
    crate::rules::check(call.state, resource.path, &row, Some(id))?;
    if !call.state.table(resource.path).contains(id) {
        return Err(Failure::model(resource.name, id));
    }
    call.state.complete(resource.path, &mut row, Some(id));
    call.state.table_mut(resource.path).put(id, row);
    call.state.stored_row(resource.path, id);
    stored(call, resource, id, false)
}

pub(super) fn delete(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let resource = resource(call)?;
    let id = call.positive_id()?;
    call.state.delete_row(resource.path, id)?;
    Ok(Reply::empty())
}

/// The body's id; the path's when the body has none. One of them must be above zero.
pub(super) fn body_or_path_id(call: &Call<'_>, row: &Row) -> Result<i64, Failure> {
    let id = match int(row, "id") {
        0 => call.id(),
        id => id,
    };
    above_zero(&[id])?;
    Ok(id)
}

/// The ids of what is replaced must be above zero.
pub(super) fn above_zero(ids: &[i64]) -> Result<(), Failure> {
    let low = ids.iter().filter(|id| **id <= 0);
    rules(
        low.map(|id| rule("Id", "GreaterThanValidator", "'Id' must be greater than '0'.", Value::from(*id))).collect(),
    )
}

/// The answer to a create (201) or to an update (202).
pub(super) fn stored(call: &Call<'_>, resource: &Resource, id: i64, created: bool) -> Result<Reply, Failure> {
    let row = call.state.row(resource.path, id).ok_or_else(|| Failure::model(resource.name, id))?;
    let location = format!("{}/api/v3/{}/{id}", call.state.url_base, resource.path);
    let value = present(row);
    Ok(if created { Reply::created(value, location) } else { Reply::accepted(value).with("Location", location) })
}

/// A row as the API writes it: secrets of providers are masked.
pub(super) fn present(row: &Row) -> Value {
    let mut row = row.clone();
    providers::mask(&mut row);
    Value::Object(row)
}
