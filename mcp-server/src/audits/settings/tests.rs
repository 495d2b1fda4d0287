use serde_json::{Value, json};
use sonarr_client::types::{
    AutoTaggingResource, CustomFormatResource, NamingConfigResource, QualityProfileResource, TagDetailsResource,
};

use super::profiles::{contradictions, cutoff_unreachable, looked_for, names_files};
use super::tags::is_unused;

fn profile(cutoff: i32, upgrades: bool) -> QualityProfileResource {
    let single = |id: i32, name: &str, allowed: bool| json!({"quality": {"id": id, "name": name}, "items": [], "allowed": allowed});
    let row = json!({
        "id": 3, "name": "HD", "upgradeAllowed": upgrades, "cutoff": cutoff,
        "items": [
            single(1, "SDTV", false),
            {"id": 1001, "name": "WEB 720p", "allowed": true, "items": [single(5, "WEBDL-720p", true), single(14, "WEBRip-720p", true)]},
            single(6, "Bluray-720p", true),
            single(7, "Bluray-1080p", false),
        ],
        "formatItems": [{"format": 1, "score": 10}, {"format": 2, "score": -10}, {"format": 3, "score": 0}],
    });
    serde_json::from_value(row).unwrap()
}

#[test]
fn a_cutoff_is_reached_by_itself_or_by_anything_better() {
    for (cutoff, upgrades, due) in [
        (6, true, None),
        (1001, true, None),
        // A quality within a group stands where its group stands.
        (5, true, None),
        // Not allowed, but better ones are.
        (1, true, None),
        (7, true, Some(6)),
        (99, true, Some(6)),
        (7, false, None),
    ] {
        let found = cutoff_unreachable(&profile(cutoff, upgrades));
        let patched = found.map(|finding| finding.mend.unwrap().arguments);
        assert_eq!(patched, due.map(|due| json!({"id": 3, "patch": {"cutoff": due}})), "{cutoff}");
    }
    let mut nothing = profile(7, true);
    nothing.items.iter_mut().flatten().for_each(|item| item.allowed = Some(false));
    assert_eq!(cutoff_unreachable(&nothing), None);
}

fn format(id: i32, pattern: &str, negate: bool, required: bool) -> CustomFormatResource {
    let row = json!({"id": id, "name": format!("Format {id}"), "specifications": [{
        "name": format!("condition of {id}"), "implementation": "ReleaseTitleSpecification", "negate": negate,
        "required": required, "fields": [{"name": "value", "value": pattern, "helpText": format!("{id}")}],
    }]});
    serde_json::from_value(row).unwrap()
}

#[test]
fn formats_contradict_when_they_match_the_same_and_are_scored_apart() {
    let against = |formats: &[CustomFormatResource]| contradictions(&profile(6, true), formats);
    let found = against(&[format(1, "x265", false, false), format(2, "x265", false, true)]);
    let [finding] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(finding.subject["customFormatIds"], json!([1, 2]));
    assert_eq!(finding.mend.as_ref().unwrap().arguments, json!({"id": 3, "patch": {"formatItems": {"2": 0}}}));
    assert!(finding.reason.contains("Format 1 scores 10 and Format 2 scores -10"), "{}", finding.reason);
    // Another pattern, the opposite, or no score: none of them is certain.
    assert!(against(&[format(1, "x265", false, false), format(2, "x264", false, false)]).is_empty());
    assert!(against(&[format(1, "x265", false, false), format(2, "x265", true, false)]).is_empty());
    assert!(against(&[format(1, "x265", false, false), format(3, "x265", false, false)]).is_empty());
    let bare = |id: i32| CustomFormatResource { id: Some(id), ..Default::default() };
    assert!(against(&[bare(1), bare(2)]).is_empty());
}

#[test]
fn a_format_may_be_there_for_the_names_of_files() {
    let named =
        |pattern: &str| NamingConfigResource { daily_episode_format: Some(pattern.to_owned()), ..Default::default() };
    let mut own = format(1, "x", false, false);
    assert!(!names_files(&named("{Series Title} {Custom Formats}"), &own));
    assert!(names_files(&named("{Series Title} {Custom Format:FORMAT 1}"), &own));
    own.include_custom_format_when_renaming = Some(true);
    assert!(names_files(&named("{Series Title} {[Custom Formats]}"), &own));
    assert!(!names_files(&named("{Series Title}"), &own));
}

#[test]
fn a_tag_is_used_by_whatever_has_it() {
    let tag = |row: Value| is_unused(&serde_json::from_value::<TagDetailsResource>(row).unwrap());
    assert!(tag(json!({"id": 1, "label": "a", "seriesIds": [], "indexerIds": []})));
    assert!(tag(json!({"id": 1, "label": "a", "nextVersionData": {"nothing": null}})));
    assert!(!tag(json!({"id": 1, "label": "a", "importListIds": [1]})));
    // A server of tomorrow may have more that carries tags.
    assert!(!tag(json!({"id": 1, "label": "a", "excludedReleaseProfileIds": [2]})));
}

#[test]
fn tagging_rules_may_look_for_a_tag_or_a_profile() {
    let rules: Vec<AutoTaggingResource> = serde_json::from_value(json!([{"id": 1, "specifications": [
        {"implementation": "TagSpecification", "fields": [{"name": "value", "value": 4}]},
        {"implementation": "QualityProfileSpecification", "fields": [{"name": "value", "value": [5, 6]}]},
        {"implementation": "YearSpecification", "fields": [{"name": "min", "value": 7}]},
    ]}]))
    .unwrap();
    assert!(looked_for(&rules, "Tag", 4) && looked_for(&rules, "QualityProfile", 6));
    assert!(!looked_for(&rules, "Tag", 5) && !looked_for(&rules, "Tag", 7));
}
