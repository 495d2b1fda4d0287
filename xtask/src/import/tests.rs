//! The report on documents made of the vendored one.

use super::*;
use crate::problems::Kind;
use serde_json::json;

fn root() -> std::path::PathBuf {
    crate::document::root().unwrap()
}

fn sources() -> Sources {
    Sources::load(&root()).unwrap()
}

fn vendored() -> Document {
    sources().vendored().unwrap()
}

fn report(sources: &Sources, document: &Document) -> Report {
    Report::make(sources, document, &generated(&root()).unwrap()).unwrap()
}

/// The vendored document with five inventions: an operation, a parameter less, a value more, another type, and an
/// answer mended.
fn invented() -> Document {
    let mut document = vendored();
    let changes: Value = serde_json::from_str(include_str!("../../tests/invented.json")).unwrap();
    json_patch(&mut document.0, &changes);
    document
}

/// Puts in what has a value and takes out what has none, by pointer.
fn json_patch(document: &mut Value, changes: &Value) {
    for (pointer, now) in changes.as_object().unwrap() {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let key = key.replace("~1", "/");
        match document.pointer_mut(parent).unwrap() {
            Value::Array(items) if key == "-" => items.push(now.clone()),
            Value::Array(items) => items.retain(|item| item["name"] != *key),
            members => members[key] = now.clone(),
        }
    }
}

#[test]
fn a_document_that_says_the_same_is_passed_over() {
    let report = report(&sources(), &vendored());
    assert_eq!((report.text.as_str(), report.left), ("", 0));
}

/// The copy on upstream's v5 branch differs in one schema.
#[test]
fn three_more_members_need_nothing_of_the_tables() {
    let mut document = vendored();
    let item = &mut document.0["components"]["schemas"]["QualityProfileQualityItemResource"]["properties"];
    for member in ["minSize", "maxSize", "preferredSize"] {
        item[member] = json!({ "type": "number", "format": "double", "nullable": true });
    }
    let report = report(&sources(), &document);
    assert_eq!(report.left, 0);
    insta::assert_snapshot!("three_members", report.text);
}

#[test]
fn five_inventions_are_all_told() {
    let report = report(&sources(), &invented());
    insta::assert_snapshot!("five_inventions", report.text);
}

#[test]
fn a_gone_operation_leaves_rows_behind() {
    let mut document = vendored();
    document.0["paths"]["/api/v3/queue/grab/bulk"] = json!(null);
    let paths = document.0["paths"].as_object_mut().unwrap();
    paths.retain(|_, item| !item.is_null());
    let report = report(&sources(), &document);
    for part in [
        "Take the row of `grab_queue_items` out",
        "take `[grab_queue_items]` out",
        "is gone: take `POST /api/v3/queue/grab/bulk` out of the correction",
        "removed: `queue::ClientQueueExt::grab_queue_items`",
        "- removed: **POST /api/v3/queue/grab/bulk**",
    ] {
        assert!(report.text.contains(part), "{part} in\n{}", report.text);
    }
}

#[test]
fn a_moved_operation_is_recognised() {
    let mut document = vendored();
    let paths = document.0["paths"].as_object_mut().unwrap();
    let moved = paths.shift_remove("/api/v3/diskspace").unwrap();
    paths.insert("/api/v3/disk/space".into(), moved);
    let report = report(&sources(), &document);
    assert!(report.text.contains("If it is GET /api/v3/disk/space now, keep the row"), "{}", report.text);
}

/// A new write has the faults of its elders, and is offered their cures.
#[test]
fn a_new_write_joins_the_corrections_of_its_kind() {
    let mut document = vendored();
    let mut elder = document.0["paths"]["/api/v3/tag/{id}"]["put"].clone();
    let body = elder["requestBody"]["content"]["application/json"].clone();
    elder["requestBody"]["content"] =
        json!({ "application/json": body, "application/*+json": body, "text/json": body });
    document.0["paths"]["/api/v3/tag/detail/{id}"]["put"] = elder;
    let report = report(&sources(), &document);
    for (target, correction) in [
        ("PUT /api/v3/tag/detail/{id}", "updates-answer-202"),
        ("PUT /api/v3/tag/detail/{id}", "json-requests-are-json-alone"),
        ("PUT /api/v3/tag/detail/{id}", "bodies-are-required"),
        ("parameter PUT /api/v3/tag/detail/{id} id", "path-ids-are-integers"),
    ] {
        let line = format!("add `\"{target}\",` to `at` of `{correction}`");
        assert!(report.text.contains(&line), "{line} in\n{}", report.text);
    }
    assert!(report.text.contains("`tags::ClientTagsExt::update_tag_detail`"), "{}", report.text);
}

/// Nothing hints at a group: the row cannot be pasted without a thought.
#[test]
fn a_stranger_gets_no_group() {
    let mut document = vendored();
    document.0["paths"]["/api/v3/zeppelin"] =
        json!({ "delete": { "responses": { "200": { "description": "Success" } } } });
    let report = report(&sources(), &document);
    assert!(
        report.text.contains("Nothing hints at its group") && report.text.contains("group = \"\""),
        "{}",
        report.text
    );
}

#[test]
fn a_fault_that_became_another_fault_is_told_with_what_stands_there() {
    let mut document = vendored();
    document.0["components"]["schemas"]["HealthResource"]["properties"]["wikiUrl"] = json!({ "type": "integer" });
    let report = report(&sources(), &document);
    assert!(report.text.contains("the document says `{ type = \"integer\" }` now"), "{}", report.text);
    assert!(report.text.contains("set its `was` to that"), "{}", report.text);
}

#[test]
fn every_single_difference_of_the_vendored_document_is_seen() {
    let old = vendored();
    for (at, _) in old.operations().step_by(7) {
        let mut new = vendored();
        new.operation_mut(&at).unwrap()["x-anything"] = json!(1);
        let found = differences::Differences::between(&old, &new).unwrap();
        assert_eq!(found.operations.changed.keys().collect::<Vec<_>>(), [&at]);
    }
    for name in old.schemas().unwrap().keys().step_by(5) {
        let mut new = vendored();
        new.schemas_mut().unwrap()[name]["x-anything"] = json!(1);
        let found = differences::Differences::between(&old, &new).unwrap();
        assert_eq!(found.schemas.changed.keys().collect::<Vec<_>>(), [name]);
    }
}

#[test]
fn problems_of_two_kinds_are_found_in_one_look() {
    let fit = fit::Fit::of(&sources(), &invented()).unwrap();
    let has = |wanted: fn(&Kind) -> bool| fit.problems.iter().any(|problem| wanted(&problem.kind));
    assert!(has(|kind| matches!(kind, Kind::NoRow { .. })) && has(|kind| matches!(kind, Kind::Misfit(_))));
}
