//! Monitoring that misses episodes, or goes on for nothing.

use serde_json::{Value, json};

use super::{Ground, Scenario};
use crate::state::{flag, text};

pub(super) const SCENARIOS: &[Scenario] = &[Scenario::new(
    "new_seasons_ignored",
    "A monitored series that goes on will not get its new seasons monitored.",
    new_seasons_ignored,
)];

fn new_seasons_ignored(ground: &mut Ground<'_>) -> Vec<Value> {
    let goes_on = ground.series(|entry| text(&entry.row, "status") == "continuing" && flag(&entry.row, "monitored"));
    let Some(id) = goes_on else { return Vec::new() };
    let Some(entry) = ground.state.library.get_mut(id) else { return Vec::new() };
    entry.row.insert("monitorNewItems".into(), "none".into());
    vec![json!({"seriesId": id, "title": text(&entry.row, "title")})]
}
