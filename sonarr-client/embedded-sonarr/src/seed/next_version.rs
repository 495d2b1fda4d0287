//! A coming version's members and values in the stored rows.

use serde_json::{Value, json};

use crate::resources::RESOURCES;
use crate::state::State;
use crate::types::NEXT_ENUM;

/// Gives every stored row the members of a coming version, and some of them values that no document knows.
pub(super) fn build(state: &mut State) {
    let types = state.types;
    for resource in RESOURCES {
        let Some(table) = state.tables.get_mut(resource.path) else { continue };
        for row in table.rows_mut() {
            let mut value = Value::Object(std::mem::take(row));
            types.decorate(resource.kind, &mut value);
            if let Value::Object(decorated) = value {
                *row = decorated;
            }
        }
    }
    for (_, entry) in state.library.iter_mut() {
        let mut value = Value::Object(std::mem::take(&mut entry.row));
        types.decorate("SeriesResource", &mut value);
        if let Value::Object(decorated) = value {
            entry.row = decorated;
        }
    }
    added_members(state);
    added_values(state);
}

/// Members that the coming version's code has and the published document lacks.
fn added_members(state: &mut State) {
    // A tag that the library has.
    let tag = state.table("tag").ids().into_iter().filter(|id| *id <= 4).max();
    let members = [
        ("config/host", json!({"sslKeyPath": "/config/server.key"})),
        (
            "config/mediamanagement",
            json!({"userRejectedExtensions": ".scr,.exe", "seasonPackUpgrade": "threshold", "seasonPackUpgradeThreshold": 75.5}),
        ),
        ("config/ui", json!({"timeZone": "Etc/UTC"})),
        (
            "releaseprofile",
            json!({"airDateRestriction": true, "airDateGracePeriod": 3, "excludedTags": tag.into_iter().collect::<Vec<_>>()}),
        ),
    ];
    for (path, added) in members {
        for row in state.table_mut(path).rows_mut() {
            row.extend(crate::state::object(added.clone()));
        }
    }
    for profile in state.table_mut("qualityprofile").rows_mut() {
        for item in profile.get_mut("items").and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(item) = item.as_object_mut() {
                item.insert("minSize".into(), json!(2.5));
                item.insert("preferredSize".into(), json!(95));
            }
        }
    }
}

/// Enum values without a name in the published document, as names and as numbers.
fn added_values(state: &mut State) {
    let values = [
        ("delayprofile", 2, "preferredProtocol", json!(NEXT_ENUM)),
        ("delayprofile", 3, "preferredProtocol", json!(99)),
        ("importlist", 1, "shouldMonitor", json!(NEXT_ENUM)),
        ("importlist", 2, "seriesType", json!(99)),
        ("config/host", 1, "authenticationRequired", json!("disabledForLocalhost")),
        ("config/mediamanagement", 1, "fileDate", json!(NEXT_ENUM)),
        ("config/importlist", 1, "listSyncLevel", json!(99)),
    ];
    for (path, id, member, value) in values {
        if let Some(row) = state.table_mut(path).get_mut(id) {
            row.insert(member.to_owned(), value);
        }
    }
    let series =
        [(2, "status", json!("paused")), (2, "seriesType", json!(NEXT_ENUM)), (3, "monitorNewItems", json!(99))];
    for (id, member, value) in series {
        if let Some(entry) = state.library.get_mut(id) {
            entry.row.insert(member.to_owned(), value);
        }
    }
}
