//! Operations on providers.

use serde_json::{Value, json};

use super::{Call, crud};
use crate::http::{Failure, Reply, Rule, Severity, failure_list, rules};
use crate::providers::{self, is_enabled};
use crate::state::{Row, int, text};

pub(super) fn list(call: &mut Call<'_>) -> Result<Reply, Failure> {
    crud::list(call)
}

pub(super) fn get(call: &mut Call<'_>) -> Result<Reply, Failure> {
    crud::get(call)
}

/// Which failures count at a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counts {
    All,
    ErrorsOnly,
}

fn judge(failed: Vec<Rule>, counts: Counts) -> Result<(), Failure> {
    let kept = failed.into_iter().filter(|rule| counts == Counts::All || rule.severity == Severity::Error);
    rules(kept.collect())
}

fn lenient(flag: bool) -> Counts {
    if flag { Counts::ErrorsOnly } else { Counts::All }
}

pub(super) fn create(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let resource = crud::resource(call)?;
    let force = call.query().flag("forceSave", false)?;
    let body = call.object();
    rules(providers::shared_rules(call.state, resource.path, &body, 0, true))?;
    let given = int(&body, "id");
    if given != 0 {
        return Err(call.invalid_operation(format!("Can't insert model with existing ID {given}")));
    }
    let row = providers::complete(resource.path, &body, None)?;
    if is_enabled(resource.path, &row) {
        judge(providers::settings_rules(resource.path, &row), lenient(force))?;
        judge(providers::probe(resource.path, &row), lenient(force))?;
    }
    let id = call.state.table_mut(resource.path).insert(row);
    crud::stored(call, resource, id, true)
}

pub(super) fn update(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let resource = crud::resource(call)?;
    let force = call.query().flag("forceSave", false)?;
    let body = call.object();
    let known = |id: i64| call.state.table(resource.path).contains(id).then_some(id);
    let Some(id) = known(call.id()).or_else(|| known(int(&body, "id"))) else {
        return Err(Failure::NotFoundProblem);
    };
    rules(providers::shared_rules(call.state, resource.path, &body, id, false))?;
    let old = call.state.row(resource.path, id).cloned();
    let mut row = providers::complete(resource.path, &body, old.as_ref())?;
    row.shift_remove("id");
    row.insert("id".into(), id.into());
    let changed = old.as_ref() != Some(&row);
    if is_enabled(resource.path, &row) {
        judge(providers::settings_rules(resource.path, &row), lenient(force))?;
        if changed && !force {
            judge(providers::probe(resource.path, &row), Counts::All)?;
        }
    }
    call.state.table_mut(resource.path).put(id, row);
    crud::stored(call, resource, id, false)
}

pub(super) fn delete(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let resource = crud::resource(call)?;
    let id = call.positive_id()?;
    call.state.table_mut(resource.path).remove(id);
    Ok(Reply::empty_object())
}

/// Blank providers of every kind. Indexers come with presets.
pub(super) fn schema(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let path = call.route.resource();
    let templates = providers::of_resource(path).map(|implementation| {
        let mut row = implementation.template();
        let presets = if implementation.name == "Newznab" {
            let mut preset = implementation.template();
            preset.insert("name".into(), "Meadow Index".into());
            json!([preset])
        } else {
            json!([])
        };
        row.insert("presets".into(), presets);
        Value::Object(row)
    });
    Ok(Reply::ok(templates.collect()))
}

pub(super) fn test(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let resource = crud::resource(call)?;
    let force = call.query().flag("forceTest", false)?;
    let body = call.object();
    let id = int(&body, "id");
    rules(providers::shared_rules(call.state, resource.path, &body, id, false))?;
    let row = providers::complete(resource.path, &body, call.state.row(resource.path, id))?;
    judge(providers::settings_rules(resource.path, &row), lenient(force))?;
    judge(providers::probe(resource.path, &row), Counts::All)?;
    // The action returns the text `{}`: JSON writes it as a string.
    Ok(if call.incoming.names_json() {
        Reply::ok(Value::from("{}"))
    } else {
        Reply::bytes("text/plain; charset=utf-8", "{}")
    })
}

pub(super) fn test_all(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let path = call.route.resource();
    let mut good = true;
    let tested = call
        .state
        .table(path)
        .rows()
        .filter(|row| is_enabled(path, row) && providers::settings_rules(path, row).iter().all(|rule| rule.severity != Severity::Error))
        .map(|row| {
            let failed = providers::probe(path, row);
            good &= failed.is_empty();
            json!({"id": int(row, "id"), "isValid": failed.is_empty(), "validationFailures": failure_list(&failed, false)})
        });
    let tested: Value = tested.collect();
    Ok(Reply::json(if good { 200 } else { 400 }, tested))
}

/// What implementations offer besides: categories, remote lists, signing in.
pub(super) fn action(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let resource = crud::resource(call)?;
    let body = call.object();
    providers::complete(resource.path, &body, call.state.row(resource.path, int(&body, "id")))?;
    let options = |items: Vec<Value>| json!({"options": items});
    let kind = text(&body, "implementation");
    let value = match (kind, call.parameter("name").to_ascii_lowercase().as_str()) {
        ("Newznab" | "Torznab", "newznabcategories") => options(vec![
            json!({"value": 5000, "name": "TV", "order": 0, "hint": "(5000)"}),
            json!({"value": 5030, "name": "SD", "order": 1, "hint": "(5030)", "parentValue": 5000}),
            json!({"value": 5040, "name": "HD", "order": 2, "hint": "(5040)", "parentValue": 5000}),
            json!({"value": 5070, "name": "Anime", "order": 3, "hint": "(5070)", "parentValue": 5000}),
        ]),
        ("SonarrImport", "getprofiles") => options(named(call.state.table("qualityprofile").rows(), "name")),
        ("SonarrImport", "gettags") => options(named(call.state.table("tag").rows(), "label")),
        ("SonarrImport", "getrootfolders") => {
            let folders = call.state.table("rootfolder").rows();
            options(folders.map(|row| json!({"value": text(row, "path"), "name": text(row, "path")})).collect())
        }
        ("SonarrImport", "getlanguageprofiles") => options(vec![json!({"value": 1, "name": "Deprecated"})]),
        ("TraktPopularImport" | "PlexServer", "startoauth") => {
            json!({"oauthUrl": "https://sign-in.example/authorize?client_id=embedded&response_type=code"})
        }
        ("TraktPopularImport", "getoauthtoken") => {
            json!({"accessToken": "", "expires": crate::state::iso(call.state.now), "refreshToken": "", "authUser": ""})
        }
        ("PlexServer", "servers") => options(vec![json!({
            "value": "living-room", "name": "Living Room (plex.example)", "isDisabled": false,
            "additionalProperties": {"host": "plex.example", "port": 32400},
        })]),
        _ => json!({}),
    };
    Ok(Reply::ok(value))
}

fn named<'a>(rows: impl Iterator<Item = &'a Row>, member: &str) -> Vec<Value> {
    rows.map(|row| json!({"value": int(row, "id"), "name": text(row, member)})).collect()
}
