//! Profiles, formats and definitions: what goes beyond rows.

use serde_json::{Value, json};

use super::{Call, crud};
use crate::http::{Failure, Reply};
use crate::providers;
use crate::quality;
use crate::state::{Row, State, int, text};

/// Kinds of conditions with their blank fields; those of custom formats come with presets of the formats that exist.
fn condition_schema(state: &State, path: &str) -> Value {
    let kinds = providers::specifications(path).map(|kind| {
        let mut row = Row::new();
        row.insert("implementation".into(), kind.name.as_str().into());
        row.insert("implementationName".into(), kind.display.as_str().into());
        if path == "customformat" {
            row.insert("infoLink".into(), "https://docs.example/custom-formats".into());
        }
        row.insert("negate".into(), false.into());
        row.insert("required".into(), false.into());
        row.insert("fields".into(), kind.fields.iter().map(|field| Value::Object(field.json())).collect());
        if path == "customformat" {
            let presets = state.table(path).rows().flat_map(|format| {
                let conditions = format.get("specifications").and_then(Value::as_array).into_iter().flatten();
                conditions
                    .filter(|condition| condition.get("implementation").and_then(Value::as_str) == Some(&kind.name))
                    .map(|condition| {
                        let mut preset = condition.clone();
                        if let Some(preset) = preset.as_object_mut() {
                            preset.insert(
                                "name".into(),
                                format!("{}: {}", text(format, "name"), text(preset, "name")).into(),
                            );
                        }
                        preset
                    })
            });
            row.insert("presets".into(), presets.collect());
        }
        Value::Object(row)
    });
    kinds.collect()
}

pub(super) fn format_schema(call: &mut Call<'_>) -> Result<Reply, Failure> {
    Ok(Reply::ok(condition_schema(call.state, "customformat")))
}

pub(super) fn auto_tagging_schema(call: &mut Call<'_>) -> Result<Reply, Failure> {
    Ok(Reply::ok(condition_schema(call.state, "autotagging")))
}

pub(super) fn profile_schema(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let formats: Vec<Value> = call
        .state
        .table("customformat")
        .rows()
        .map(|format| json!({"format": int(format, "id"), "name": text(format, "name"), "score": 0}))
        .collect();
    Ok(Reply::ok(json!({
        "name": "",
        "upgradeAllowed": false,
        "cutoff": 0,
        "items": quality::profile_items(|_| false),
        "minFormatScore": 0,
        "cutoffFormatScore": 0,
        "minUpgradeFormatScore": 1,
        "formatItems": formats,
    })))
}

/// Moves a delay profile after another one, or to the top.
pub(super) fn reorder(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let id = call.positive_id()?;
    let after = call.query().int("after")?;
    let order = |row: &Row| int(row, "order");
    let mut ids: Vec<(i64, i64)> = call
        .state
        .table("delayprofile")
        .rows()
        .filter(|row| int(row, "id") != 1)
        .map(|row| (order(row), int(row, "id")))
        .collect();
    ids.sort_unstable();
    let mut ids: Vec<i64> = ids.into_iter().map(|(_, id)| id).collect();
    if ids.contains(&id) {
        ids.retain(|other| *other != id);
        let place = after.and_then(|after| ids.iter().position(|other| *other == after)).map_or(0, |place| place + 1);
        ids.insert(place, id);
        for (place, id) in ids.into_iter().enumerate() {
            if let Some(row) = call.state.table_mut("delayprofile").get_mut(id) {
                row.insert("order".into(), (place + 1).into());
            }
        }
    }
    let mut rows: Vec<&Row> = call.state.table("delayprofile").rows().collect();
    rows.sort_by_key(|row| order(row));
    Ok(Reply::ok(rows.into_iter().map(crud::present).collect()))
}

pub(super) fn definition(call: &mut Call<'_>) -> Result<Reply, Failure> {
    crud::get(call)
}

pub(super) fn update_definition(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let row = call.object();
    let id = crud::body_or_path_id(call, &row)?;
    crate::rules::check(call.state, "qualitydefinition", &row, Some(id))?;
    store_definition(call.state, id, row)?;
    crud::stored(call, crud::resource(call)?, id, false)
}

/// Title and sizes are the request's; weight and quality are the server's.
fn store_definition(state: &mut State, id: i64, mut row: Row) -> Result<(), Failure> {
    let Some(old) = state.row("qualitydefinition", id).cloned() else {
        return Err(Failure::model("QualityDefinition", id));
    };
    row.insert("weight".into(), old.get("weight").cloned().unwrap_or_default());
    state.table_mut("qualitydefinition").put(id, row);
    Ok(())
}

pub(super) fn update_definitions(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let rows: Vec<Row> = call.body.as_array().into_iter().flatten().filter_map(Value::as_object).cloned().collect();
    if !call.state.next_version {
        let ids: Vec<i64> = rows.iter().map(|row| int(row, "id")).collect();
        crud::above_zero(&ids)?;
    }
    crate::rules::check_definitions(&rows)?;
    for row in rows {
        store_definition(call.state, int(&row, "id"), row)?;
    }
    let reply = crud::list(call)?;
    Ok(Reply { status: 202, ..reply })
}

pub(super) fn definition_limits(_call: &mut Call<'_>) -> Result<Reply, Failure> {
    Ok(Reply::ok(json!({"min": 0, "max": 1000})))
}
