use super::*;

fn apply(text: &str, document: Document) -> Result<Document> {
    let (document, problems) = super::apply(text, document)?;
    crate::problems::none(&problems)?;
    Ok(document)
}

fn document() -> Document {
    Document(json!({
        "paths": {
            "/api/v3/tag": {
                "post": {
                    "requestBody": { "content": { "application/json": {}, "text/json": {} } },
                    "responses": { "200": { "description": "Success", "content": {
                        "application/json": { "schema": { "$ref": "#/components/schemas/Tag" } }
                    } } }
                },
                "delete": { "responses": { "200": { "description": "Success" } } }
            }
        },
        "components": { "schemas": { "Tag": { "type": "object", "properties": { "url": { "type": "object" } } } } }
    }))
}

fn cured(correction: &str) -> Value {
    apply(&format!("[[correction]]\nname = \"x\"\nreason = \"R\"\n{correction}"), document()).unwrap().0
}

fn refused(correction: &str) -> String {
    let text = format!("[[correction]]\nname = \"the-name\"\nreason = \"R\"\n{correction}");
    format!("{:#}", apply(&text, document()).err().unwrap())
}

/// Applies a correction, and shows that it refuses the document it has already cured.
fn once(correction: &str, pointer: &str) -> Value {
    let after = cured(correction);
    let text = format!("[[correction]]\nname = \"the-name\"\nreason = \"R\"\n{correction}");
    let again = format!("{:#}", apply(&text, Document(after.clone())).err().unwrap());
    assert!(again.contains("the-name"), "{again}");
    after.pointer(pointer).cloned().unwrap_or(Value::Null)
}

#[test]
fn a_status_moves() {
    let at = "at = [\"POST /api/v3/tag\"]\n";
    let responses = once(&format!("{at}status = {{ was = 200, now = 201 }}"), "/paths/~1api~1v3~1tag/post/responses");
    assert!(responses.get("200").is_none() && responses["201"]["content"].is_object(), "{responses}");
    assert!(refused(&format!("{at}status = {{ was = 202, now = 201 }}")).contains("POST /api/v3/tag"));
}

#[test]
fn an_answer_is_replaced_in_shorthand() {
    let content = |now: &str, was: &str, method: &str| {
        let correction = format!(
            "at = [\"{} /api/v3/tag\"]\nresponse = {{ was = \"{was}\", now = \"{now}\" }}",
            method.to_uppercase()
        );
        once(&correction, &format!("/paths/~1api~1v3~1tag/{method}/responses/200/content"))
    };
    let list = content("Tag[]", "Tag", "post");
    assert_eq!(list["application/json"]["schema"]["items"]["$ref"], "#/components/schemas/Tag");
    assert_eq!(content("text/plain", "none", "delete"), json!({ "text/plain": {} }));
    assert_eq!(content("string", "none", "delete")["application/json"]["schema"]["type"], "string");
    assert_eq!(content("none", "Tag", "post"), Value::Null);
}

#[test]
fn a_place_is_set_added_and_removed() {
    let schema = "at = [\"schema Tag\"]\npointer = \"/properties/url\"\n";
    let set = once(
        &format!("{schema}was = {{ type = \"object\" }}\nnow = {{ type = \"string\" }}"),
        "/components/schemas/Tag/properties/url",
    );
    assert_eq!(set, json!({ "type": "string" }));
    assert_eq!(
        once(&format!("{schema}was = {{ type = \"object\" }}"), "/components/schemas/Tag/properties"),
        json!({})
    );
    let added = once("at = [\"schema New\"]\npointer = \"\"\nnow = { type = \"object\" }", "/components/schemas/New");
    assert_eq!(added, json!({ "type": "object" }));
    assert!(refused(&format!("{schema}now = {{ type = \"string\" }}")).contains("expected nothing"));
}

#[test]
fn a_parameter_is_added_where_there_was_no_list() {
    let added = once(
        "at = [\"parameter DELETE /api/v3/tag force\"]\npointer = \"\"\nnow = { name = \"force\", in = \"query\", schema = { type = \"boolean\" } }",
        "/paths/~1api~1v3~1tag/delete/parameters",
    );
    assert_eq!(added[0]["name"], "force");
}

#[test]
fn media_types_are_dropped_and_never_invented() {
    let at = "at = [\"POST /api/v3/tag\"]\n";
    let was = "was = [\"application/json\", \"text/json\"]";
    let kept = once(
        &format!("{at}media_types = {{ in = \"request\", {was}, now = [\"application/json\"] }}"),
        "/paths/~1api~1v3~1tag/post/requestBody/content",
    );
    assert_eq!(kept, json!({ "application/json": {} }));
    let message = refused(&format!("{at}media_types = {{ in = \"request\", {was}, now = [\"text/xml\"] }}"));
    assert!(message.contains("only be dropped"), "{message}");
}

#[test]
fn every_refusal_names_the_correction_and_the_target() {
    for (correction, part) in [
        ("at = [\"GET /api/v3/ghost\"]\nstatus = { was = 200, now = 201 }", "GET /api/v3/ghost"),
        ("at = [\"somewhere\"]\npointer = \"\"\nnow = 1", "a target is"),
        ("at = [\"schema Tag\"]", "exactly one of"),
        ("status = { was = 200, now = 201 }", "`at` names the targets"),
    ] {
        let message = refused(correction);
        assert!(message.contains("the-name") && message.contains(part), "{part} in {message}");
    }
}

#[test]
fn names_are_unique_and_reasons_given() {
    let twice =
        "[[correction]]\nname = \"a\"\nreason = \"R\"\nat = [\"schema Tag\"]\npointer = \"/x\"\nnow = 1\n".repeat(2);
    assert!(format!("{:#}", apply(&twice, document()).err().unwrap()).contains("`a`"));
    let silent = "[[correction]]\nname = \"a\"\nreason = \" \"\nat = [\"schema Tag\"]\npointer = \"/x\"\nnow = 1\n";
    assert!(format!("{:#}", apply(silent, document()).err().unwrap()).contains("reason"));
}
