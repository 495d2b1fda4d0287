//! Constants: languages, flags, texts, and the remains of language profiles.

use serde_json::{Value, json};

use super::Call;
use crate::http::{Failure, Reply};
use crate::seed::reference;

pub(super) fn indexer_flags(_call: &mut Call<'_>) -> Result<Reply, Failure> {
    Ok(Reply::ok(reference::INDEXER_FLAGS.iter().map(|(id, name)| named(*id, name)).collect()))
}

fn named(id: i64, name: &str) -> Value {
    json!({"id": id, "name": name, "nameLower": name.to_lowercase()})
}

pub(super) fn languages(_call: &mut Call<'_>) -> Result<Reply, Failure> {
    Ok(Reply::ok(reference::LANGUAGES.iter().map(|(id, name)| named(*id, name)).collect()))
}

pub(super) fn language(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let id = call.id();
    match reference::language(id) {
        Some(name) => Ok(Reply::ok(named(id, name))),
        None => {
            Err(Failure::internal("System.ArgumentException", "ID does not match a known language (Parameter 'id')"))
        }
    }
}

pub(super) fn localization(_call: &mut Call<'_>) -> Result<Reply, Failure> {
    Ok(Reply::ok(json!({"strings": reference::texts()})))
}

pub(super) fn ui_language(_call: &mut Call<'_>) -> Result<Reply, Failure> {
    Ok(Reply::ok(json!({"identifier": "en"})))
}

fn deprecated(reply: Reply) -> Result<Reply, Failure> {
    Ok(reply.with("Deprecation", "true"))
}

fn placeholder() -> Value {
    json!({
        "name": "Deprecated",
        "upgradeAllowed": true,
        "cutoff": {"id": 1, "name": "English"},
        "languages": [{"language": {"id": 1, "name": "English"}, "allowed": true}],
        "id": 1,
    })
}

pub(super) fn language_profiles(_call: &mut Call<'_>) -> Result<Reply, Failure> {
    deprecated(Reply::ok(json!([placeholder()])))
}

pub(super) fn language_profile(_call: &mut Call<'_>) -> Result<Reply, Failure> {
    deprecated(Reply::ok(placeholder()))
}

pub(super) fn echo_language_profile(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let mut body = call.object();
    if call.route.method == "PUT" {
        let id = super::crud::body_or_path_id(call, &body)?;
        body.shift_remove("id");
        body.insert("id".into(), id.into());
    }
    deprecated(Reply::accepted(Value::Object(body)))
}

pub(super) fn delete_language_profile(call: &mut Call<'_>) -> Result<Reply, Failure> {
    call.positive_id()?;
    deprecated(Reply::empty())
}
