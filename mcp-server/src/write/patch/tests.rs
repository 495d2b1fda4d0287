use serde_json::{Value, json};

use super::apply;
use crate::generated::GROUPS;

fn schema(operation: &str) -> Value {
    let operations = GROUPS.iter().flat_map(|group| group.operations);
    let operation = operations.into_iter().find(|it| it.name == operation).unwrap();
    (operation.arguments)().to_value()
}

fn series() -> Value {
    json!({
        "id": 5, "title": "The Lighthouse Keepers", "monitored": true, "qualityProfileId": 1, "tags": [1, 2],
        "seasons": [
            {"seasonNumber": 0, "monitored": false},
            {"seasonNumber": 3, "monitored": true, "statistics": {"episodeCount": 8}, "fromTheFuture": 1}
        ],
        "fromTheFuture": {"kept": [null, 1]}
    })
}

fn patched(operation: &str, current: &Value, patch: Value) -> Value {
    apply(current, &patch, &schema(operation)).unwrap()
}

#[test]
fn what_is_not_named_stays() {
    let mut due = series();
    due["monitored"] = json!(false);
    assert_eq!(patched("update_series", &series(), json!({"monitored": false})), due);
    assert_eq!(patched("update_series", &series(), json!({})), series());
}

#[test]
fn a_null_removes_and_names_are_taken_as_meant() {
    let mut due = series();
    due.as_object_mut().unwrap().shift_remove("qualityProfileId");
    for name in ["qualityProfileId", "quality_profile_id", "QualityProfileID"] {
        assert_eq!(patched("update_series", &series(), json!({name: null})), due);
    }
    due["fromTheFuture"] = json!({"kept": [null, 1]});
    due["qualityProfileId"] = json!(7);
    assert_eq!(patched("update_series", &series(), json!({"qualityProfileId": 7})), due);
}

#[test]
fn a_season_is_patched_by_its_number_in_any_form() {
    let mut due = series();
    due["seasons"][1]["monitored"] = json!(false);
    for seasons in [
        json!({"3": {"monitored": false}}),
        json!({"3": false}),
        json!([{"seasonNumber": 3, "monitored": false}]),
        json!([{"seasonNumber": 0}, {"seasonNumber": 3, "monitored": false}]),
    ] {
        assert_eq!(patched("update_series", &series(), json!({"seasons": seasons})), due);
    }
}

#[test]
fn plain_lists_are_replaced_or_added_to() {
    let tags = |patch: Value| patched("update_series", &series(), json!({"tags": patch}))["tags"].clone();
    assert_eq!(tags(json!([9])), json!([9]));
    assert_eq!(tags(json!([])), json!([]));
    assert_eq!(tags(json!({"add": [3, 2], "remove": [1]})), json!([2, 3]));
    assert_eq!(tags(json!({"remove": 2})), json!([1]));
}

#[test]
fn a_setting_is_patched_by_its_name() {
    let indexer = json!({"id": 2, "name": "N", "fields": [
        {"order": 0, "name": "baseUrl", "label": "URL", "value": "http://a"},
        {"order": 1, "name": "apiKey", "value": "********", "privacy": "apiKey"},
        {"order": 2, "name": "categories", "value": [1, 2]}
    ]});
    let mut due = indexer.clone();
    due["fields"][0]["value"] = json!("http://b");
    due["fields"][2]["value"] = json!([5]);
    for fields in [
        json!({"baseUrl": "http://b", "categories": [5]}),
        json!({"baseUrl": {"value": "http://b"}, "categories": {"value": [5]}}),
        json!([{"name": "baseUrl", "value": "http://b"}, {"name": "categories", "value": [5]}]),
    ] {
        assert_eq!(patched("update_indexer", &indexer, json!({"fields": fields})), due);
    }
    due["fields"][0].as_object_mut().unwrap().shift_remove("value");
    due["fields"][2]["value"] = json!([1, 2]);
    assert_eq!(patched("update_indexer", &indexer, json!({"fields": {"baseUrl": null}})), due);
}

fn profile() -> Value {
    json!({
        "id": 1, "name": "HD", "cutoff": 1001,
        "formatItems": [{"format": 4, "name": "x265", "score": 0}, {"format": 5, "name": "Proper", "score": 1}],
        "items": [
            {"quality": {"id": 4, "name": "HDTV-720p"}, "items": [], "allowed": false},
            {"id": 1001, "name": "WEB", "allowed": true, "items": [
                {"quality": {"id": 5, "name": "WEBDL-720p"}, "items": [], "allowed": true},
                {"quality": {"id": 14, "name": "WEBRip-720p"}, "items": [], "allowed": true}
            ]}
        ]
    })
}

#[test]
fn scores_and_qualities_are_patched_by_name_or_id() {
    let mut due = profile();
    due["formatItems"][0]["score"] = json!(100);
    due["items"][0]["allowed"] = json!(true);
    due["items"][1]["items"][1]["allowed"] = json!(false);
    for patch in [
        json!({"formatItems": {"x265": 100}, "items": {"HDTV-720p": true, "WEBRip-720p": {"allowed": false}}}),
        json!({"formatItems": {"4": {"score": 100}}, "items": {"hdtv-720p": {"allowed": true}, "14": false}}),
        json!({"formatItems": [{"format": 4, "name": "x265", "score": 100}],
            "items": {"HDTV-720p": true, "WEB": {"items": {"WEBRip-720p": false}}}}),
    ] {
        assert_eq!(patched("update_quality_profile", &profile(), patch), due);
    }
}

#[test]
fn a_complete_list_of_qualities_gives_order_and_groups() {
    let patch = json!({"items": [
        {"id": 1002, "name": "Any", "allowed": true, "items": [
            {"quality": {"id": 14, "name": "WEBRip-720p"}, "allowed": true},
            {"quality": {"id": 4, "name": "HDTV-720p"}, "allowed": true}
        ]},
        {"quality": {"id": 5, "name": "WEBDL-720p"}, "allowed": true}
    ]});
    let due = json!([
        {"id": 1002, "name": "Any", "allowed": true, "items": [
            {"quality": {"id": 14, "name": "WEBRip-720p"}, "items": [], "allowed": true},
            {"quality": {"id": 4, "name": "HDTV-720p"}, "items": [], "allowed": true}
        ]},
        {"quality": {"id": 5, "name": "WEBDL-720p"}, "items": [], "allowed": true}
    ]);
    assert_eq!(patched("update_quality_profile", &profile(), patch)["items"], due);
}

#[test]
fn conditions_are_added_changed_and_removed_by_name() {
    let format = json!({"id": 1, "name": "F", "specifications": [
        {"name": "A", "implementation": "ReleaseTitleSpecification", "negate": false,
            "fields": [{"name": "value", "value": "x"}]},
        {"name": "B", "implementation": "ReleaseTitleSpecification"}
    ]});
    let patch = json!({"specifications": {
        "A": {"negate": true, "fields": {"value": "y"}}, "B": null, "C": {"implementation": "SourceSpecification"}
    }});
    assert_eq!(
        patched("update_custom_format", &format, patch)["specifications"],
        json!([
            {"name": "A", "implementation": "ReleaseTitleSpecification", "negate": true,
                "fields": [{"name": "value", "value": "y"}]},
            {"implementation": "SourceSpecification", "name": "C"}
        ])
    );
    let whole = json!({"specifications": [{"name": "D", "implementation": "SourceSpecification"}]});
    assert_eq!(patched("update_custom_format", &format, whole.clone())["specifications"], whole["specifications"]);
}

#[test]
fn what_neither_object_nor_type_has_is_refused() {
    for (operation, current, patch, path, nearest) in [
        ("update_series", series(), json!({"monitord": true}), "arguments.patch.monitord", Some("monitored")),
        (
            "update_series",
            series(),
            json!({"addOptions": {"monitr": "all"}}),
            "arguments.patch.addOptions.monitr",
            Some("monitor"),
        ),
        ("update_series", series(), json!({"seasons": {"9": true}}), "arguments.patch.seasons[9]", None),
        (
            "update_series",
            series(),
            json!({"seasons": {"3": {"monitord": 1}}}),
            "arguments.patch.seasons[3].monitord",
            Some("monitored"),
        ),
        ("update_series", series(), json!({"seasons": {"3": null}}), "arguments.patch.seasons[3]", None),
        ("update_series", series(), json!({"seasons": [{"monitored": true}]}), "arguments.patch.seasons[0]", None),
        ("update_series", series(), json!({"id": 6}), "arguments.patch.id", None),
        ("update_series", series(), json!({"tags": {"1": true}}), "arguments.patch.tags", None),
        ("update_series", series(), json!([1]), "arguments.patch", None),
        (
            "update_quality_profile",
            profile(),
            json!({"formatItems": {"x256": 1}}),
            "arguments.patch.formatItems[x256]",
            Some("x265"),
        ),
        (
            "update_quality_profile",
            profile(),
            json!({"items": {"WEBDL720p": true}}),
            "arguments.patch.items[WEBDL720p]",
            Some("WEBDL-720p"),
        ),
    ] {
        let error = apply(&current, &patch, &schema(operation)).unwrap_err();
        assert_eq!((error.path.as_str(), error.nearest.as_deref()), (path, nearest), "{error}");
    }
}
