//! Settings that do nothing, or contradict each other.

use serde_json::{Value, json};

use super::{Ground, Scenario};
use crate::quality::profile_items;
use crate::state::{State, int, object, text};

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario::new(
        "cutoff_unreachable",
        "A profile upgrades until a quality that it does not allow.",
        cutoff_unreachable,
    ),
    Scenario::new(
        "formats_contradict",
        "A custom format undoes another one with the same condition.",
        formats_contradict,
    ),
    Scenario::new(
        "scoped_to_unused_tag",
        "Settings of every kind that is confined by tags, confined to one that no series has.",
        scoped_to_unused_tag,
    ),
    Scenario::new("format_without_score", "A custom format that no profile scores.", format_without_score),
    Scenario::new("quality_profile_unused", "A quality profile that nothing has.", quality_profile_unused),
    Scenario::new("tag_unused", "A tag that nothing carries.", tag_unused),
];

/// The profile of most series.
const HD_1080P: i64 = 4;

/// A copy of the usual profile under another name, which nothing has.
fn add_profile(state: &mut State, name: &str, cutoff: i64) -> i64 {
    let mut profile = state.row("qualityprofile", HD_1080P).cloned().unwrap_or_default();
    profile.insert("name".into(), name.into());
    profile.insert("cutoff".into(), cutoff.into());
    profile.insert(
        "items".into(),
        profile_items(|quality| quality.resolution == 1080 && quality.source != "televisionRaw"),
    );
    state.table_mut("qualityprofile").insert(profile)
}

/// A custom format, which every profile then lists, without a score.
fn add_format(state: &mut State, name: &str, specifications: Value) -> i64 {
    let format =
        object(json!({"name": name, "includeCustomFormatWhenRenaming": false, "specifications": specifications}));
    let id = state.table_mut("customformat").insert(format);
    for profile in state.table_mut("qualityprofile").rows_mut() {
        if let Some(items) = profile.get_mut("formatItems").and_then(Value::as_array_mut) {
            items.push(json!({"format": id, "name": name, "score": 0}));
        }
    }
    id
}

/// The profile is that of a series without files: those of another one would all be below its cutoff.
fn cutoff_unreachable(ground: &mut Ground<'_>) -> Vec<Value> {
    let Some(series) = ground.series(|entry| entry.files.is_empty()) else { return Vec::new() };
    let cutoff = 1003;
    let id = add_profile(ground.state, "Never enough", cutoff);
    if let Some(entry) = ground.state.library.get_mut(series) {
        entry.row.insert("qualityProfileId".into(), id.into());
    }
    vec![json!({"qualityProfileId": id, "name": "Never enough", "cutoff": cutoff})]
}

fn formats_contradict(ground: &mut Ground<'_>) -> Vec<Value> {
    let state = &mut *ground.state;
    let Some(known) = state.table("customformat").rows().find(|format| text(format, "name") == "x265") else {
        return Vec::new();
    };
    let (bad, specifications) = (int(known, "id"), known.get("specifications").cloned().unwrap_or_default());
    let good = add_format(state, "HEVC, at last", specifications);
    let Some(profile) = state.table_mut("qualityprofile").get_mut(HD_1080P) else { return Vec::new() };
    for item in profile.get_mut("formatItems").and_then(Value::as_array_mut).into_iter().flatten() {
        if item.get("format").and_then(Value::as_i64) == Some(good)
            && let Some(item) = item.as_object_mut()
        {
            item.insert("score".into(), 40.into());
        }
    }
    vec![json!({"qualityProfileId": HD_1080P, "name": text(profile, "name"), "customFormatIds": [good, bad]})]
}

/// A notification of Sonarr's health is sent whatever its tags are: it has the tag too, and is not counted.
fn scoped_to_unused_tag(ground: &mut Ground<'_>) -> Vec<Value> {
    let state = &mut *ground.state;
    let tag = state.table_mut("tag").insert(object(json!({"label": "spare-room"})));
    let mut client = state.row("downloadclient", 1).cloned().unwrap_or_default();
    client.insert("name".into(), "Spare Box".into());
    let client = state.table_mut("downloadclient").insert(client);
    let confined = [
        ("releaseprofile", 2, Some("releaseProfileId")),
        ("delayprofile", 2, Some("delayProfileId")),
        ("indexer", 3, Some("indexerId")),
        ("downloadclient", client, Some("downloadClientId")),
        ("notification", 3, Some("notificationId")),
        ("notification", 1, None),
    ];
    let mut rows = Vec::new();
    for (path, id, member) in confined {
        let Some(row) = state.table_mut(path).get_mut(id) else { continue };
        row.insert("tags".into(), json!([tag]));
        if let Some(member) = member {
            rows.push(json!({member: id, "tags": ["spare-room"]}));
        }
    }
    rows
}

fn format_without_score(ground: &mut Ground<'_>) -> Vec<Value> {
    let specifications = json!([{
        "name": "word", "implementation": "ReleaseTitleSpecification", "implementationName": "Release Title",
        "negate": false, "required": true, "fields": [{"name": "value", "value": "\\bINTERNAL\\b"}],
    }]);
    let id = add_format(ground.state, "Internal", specifications);
    vec![json!({"customFormatId": id, "name": "Internal"})]
}

fn quality_profile_unused(ground: &mut Ground<'_>) -> Vec<Value> {
    let id = add_profile(ground.state, "For the attic", 1002);
    vec![json!({"qualityProfileId": id, "name": "For the attic"})]
}

fn tag_unused(ground: &mut Ground<'_>) -> Vec<Value> {
    let id = ground.state.table_mut("tag").insert(object(json!({"label": "forgotten"})));
    vec![json!({"tagId": id, "label": "forgotten"})]
}
