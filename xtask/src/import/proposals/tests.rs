use super::*;
use crate::regen::Sources;

fn described() -> (Table, Document) {
    let sources = Sources::load(&crate::document::root().unwrap()).unwrap();
    crate::regen::described(&sources).unwrap()
}

#[test]
fn the_rules_give_most_of_what_people_chose() {
    let (table, document) = described();
    let score = score(&table, &document).unwrap();
    let percent = |hits: usize| hits * 100 / score.rows;
    assert!(percent(score.names) >= 80, "{score:?}");
    assert!(percent(score.groups) >= 95, "{score:?}");
    assert!(percent(score.effects) >= 95, "{score:?}");
    assert!(percent(score.statuses) >= 95, "{score:?}");
}

/// What is proposed for a place of a document that has it beside all the others.
fn proposal(at: &str, response: serde_json::Value) -> Proposal {
    let (table, mut document) = described();
    let (method, path) = at.split_once(' ').unwrap();
    let operation =
        serde_json::json!({ "responses": { "200": { "content": { "application/json": { "schema": response } } } } });
    document.0["paths"][path] = serde_json::json!({ method.to_lowercase(): operation });
    propose(&table, &document, at).unwrap()
}

#[test]
fn a_place_of_a_kind_that_is_known_gets_the_name_of_its_kind() {
    let one = serde_json::json!({ "$ref": "#/components/schemas/SeriesResource" });
    let many = serde_json::json!({ "type": "array", "items": one });
    let list = proposal("GET /api/v3/seriesprofile", many.clone());
    assert_eq!((list.name.as_str(), list.effect, list.status), ("list_series_profiles", Effect::Read, 200));
    assert_eq!(list.group, "media_library", "it deals in series");
    let update = proposal("PUT /api/v3/seriesprofile/{id}", one.clone());
    assert_eq!((update.name.as_str(), update.effect, update.status), ("update_series_profile", Effect::Update, 202));
    assert!(update.idempotent);
    let delete = proposal("DELETE /api/v3/indexer/profile/{id}", one.clone());
    assert_eq!((delete.name.as_str(), delete.group.as_str()), ("delete_indexer_profile", "indexers"));
    assert_eq!(delete.destructive.as_deref(), Some("the indexer profile is lost"));
    assert_eq!(proposal("POST /api/v3/queue/retry/{id}", one.clone()).name, "retry_queue_item");
    assert_eq!(proposal("GET /api/v3/config/theme", one).name, "get_theme_config");
    assert_eq!(proposal("GET /api/v3/tag/orphan", many).name, "list_tag_orphans");
}

#[test]
fn a_name_that_is_taken_is_not_proposed_again() {
    let many = serde_json::json!({ "type": "array", "items": { "$ref": "#/components/schemas/TagResource" } });
    let (table, _) = described();
    let name = proposal("GET /api/v3/tags", many).name;
    assert!(!table.rows.iter().any(|row| row.name == name), "{name}");
}
