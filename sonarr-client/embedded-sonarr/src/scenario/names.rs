//! Files that are not named to the format.

use serde_json::{Value, json};

use super::{Ground, Scenario};
use crate::state::text;

pub(super) const SCENARIOS: &[Scenario] =
    &[Scenario::new("file_name_off_format", "Files of a series are not named to the format.", file_name_off_format)];

fn file_name_off_format(ground: &mut Ground<'_>) -> Vec<Value> {
    let Some(id) = ground.series(|entry| entry.files.len() > 2) else { return Vec::new() };
    let Some(entry) = ground.state.library.get_mut(id) else { return Vec::new() };
    let mut files = Vec::new();
    for (file, number) in entry.files.iter_mut().take(2).zip(1..) {
        file.relative = Some(format!("Season 01/old name {number}.mkv").into());
        files.push(file.id);
    }
    vec![json!({"seriesId": id, "title": text(&entry.row, "title"), "episodeFileIds": files})]
}
