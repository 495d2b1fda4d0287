//! Settings that do nothing, or contradict each other.

use serde_json::{Value, json};

use super::{Ground, Scenario};
use crate::state::object;

pub(super) const SCENARIOS: &[Scenario] = &[Scenario::new("tag_unused", "A tag that nothing carries.", tag_unused)];

fn tag_unused(ground: &mut Ground<'_>) -> Vec<Value> {
    let id = ground.state.table_mut("tag").insert(object(json!({"label": "forgotten"})));
    vec![json!({"tagId": id, "label": "forgotten"})]
}
