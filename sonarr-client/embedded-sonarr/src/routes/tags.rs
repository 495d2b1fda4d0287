//! Tags and what carries them.

use serde_json::{Value, json};

use super::{Call, crud};
use crate::http::{Failure, Reply};
use crate::state::{Row, State, int, text};

/// Creates a tag; a label that exists gives the tag that has it.
pub(super) fn create(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let label = text(&call.object(), "label").to_lowercase();
    let known = call.state.table("tag").rows().find(|tag| text(tag, "label") == label).map(|tag| int(tag, "id"));
    match known {
        Some(id) if !label.is_empty() => crud::stored(call, crud::resource(call)?, id, true),
        _ => crud::create(call),
    }
}

pub(super) fn details(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let state = &*call.state;
    Ok(Reply::ok(state.table("tag").rows().map(|tag| detail_json(state, tag)).collect()))
}

pub(super) fn detail(call: &mut Call<'_>) -> Result<Reply, Failure> {
    match call.state.row("tag", call.id()) {
        Some(tag) => Ok(Reply::ok(detail_json(call.state, tag))),
        None => Err(call.not_found()),
    }
}

fn detail_json(state: &State, tag: &Row) -> Value {
    let id = int(tag, "id");
    let mut out = Row::new();
    out.insert("label".into(), text(tag, "label").into());
    for (name, users) in state.tag_users(id) {
        out.insert(name.into(), json!(users));
    }
    out.insert("id".into(), id.into());
    Value::Object(out)
}
