use super::*;
use serde_json::json;

/// A table of one row, and the fifteen groups it needs.
fn operations(rows: &str) -> String {
    let groups: String =
        GROUPS.iter().map(|group| format!("[group.{group}]\ntitle = \"T\"\nsummary = \"S\"\n")).collect();
    format!("{groups}\n{rows}")
}

fn row(name: &str, at: &str) -> String {
    format!(
        "[[operation]]\nname = \"{name}\"\nat = \"{at}\"\ngroup = \"tags\"\neffect = \"read\"\nstatus = 200\nsummary = \"S.\"\n"
    )
}

const PARAMETERS: &str = "[parameter.id]\nsummary = \"The id.\"\n";

fn document() -> Document {
    Document(json!({
        "paths": {
            "/api/v3/tag": { "get": { "responses": { "200": {} } } },
            "/api/v3/tag/{id}": { "get": {
                "parameters": [{ "name": "id", "in": "path", "required": true, "schema": { "type": "integer", "default": 3 } }],
                "responses": { "200": {} }
            } }
        },
        "components": { "schemas": {} }
    }))
}

fn both() -> String {
    row("list_tags", "GET /api/v3/tag") + &row("get_tag", "GET /api/v3/tag/{id}")
}

fn refusal(rows: &str) -> String {
    match Table::parse(&operations(rows), PARAMETERS) {
        Err(error) => format!("{error:#}"),
        Ok(table) => format!("{:#}", crate::problems::none(&table.coverage(&document())).unwrap_err()),
    }
}

#[test]
fn a_complete_table_covers_and_describes_the_document() {
    let table = Table::parse(&operations(&both()), PARAMETERS).unwrap();
    assert_eq!(table.coverage(&document()), []);
    let (described, problems) = table.describe(document()).unwrap();
    assert_eq!(problems, []);
    let operation = described.0.pointer("/paths/~1api~1v3~1tag~1{id}/get").unwrap();
    assert_eq!(operation["operationId"], "get_tag");
    assert_eq!(operation["tags"], json!(["tags"]));
    assert_eq!(operation["parameters"][0]["description"], "The id. Default: 3.");
}

#[test]
fn a_row_without_an_operation_and_the_reverse_are_named() {
    assert!(refusal(&row("list_tags", "GET /api/v3/tag")).contains("GET /api/v3/tag/{id}"));
    let message = refusal(&(both() + &row("list_ghosts", "GET /api/v3/ghost")));
    assert!(message.contains("list_ghosts") && message.contains("GET /api/v3/ghost"), "{message}");
}

#[test]
fn names_are_unique_well_formed_and_in_a_group() {
    assert!(refusal(&(both() + &row("list_tags", "PUT /api/v3/tag"))).contains("`list_tags` is taken twice"));
    assert!(refusal(&row("ListTags", "GET /api/v3/tag")).contains("`ListTags` is not of the form"));
    let elsewhere = both().replacen("group = \"tags\"", "group = \"labels\"", 1);
    assert!(refusal(&elsewhere).contains("labels"));
}

#[test]
fn a_write_says_whether_it_is_idempotent() {
    let silent = both().replacen("effect = \"read\"", "effect = \"delete\"", 1);
    assert!(refusal(&silent).contains("`list_tags`"), "{}", refusal(&silent));
}

#[test]
fn a_misspelt_key_is_refused() {
    assert!(refusal(&(both() + "destructiv = \"x\"\n")).contains("destructiv"));
}

#[test]
fn parameters_are_described_once_and_truly() {
    let table = |parameters: &str| Table::parse(&operations(&both()), parameters).unwrap();
    let wrong = |parameters: &str| {
        let (_, problems) = table(parameters).describe(document()).unwrap();
        format!("{:#}", crate::problems::none(&problems).unwrap_err())
    };
    assert!(wrong("[parameter.other]\nsummary = \"S\"\n").contains("nothing is said of `id` of get_tag"));
    assert!(wrong(&format!("{PARAMETERS}\n[parameter.ghost]\nsummary = \"S\"\n")).contains("ghost"));
    assert!(wrong("[parameter.id]\nsummary = \"S\"\ndefault = 4\n").contains("default is 4"));
    assert!(wrong("[parameter.id]\nsummary = \"S\"\nrequired = false\n").contains("required"));
    let special = format!("{PARAMETERS}\n[get_tag.id]\nsummary = \"Mine.\"\n");
    // The special entry leaves the common one without use, which is as wrong as a missing one.
    assert!(wrong(&special).contains("[parameter.id]"), "{}", wrong(&special));
}
