//! Settings: one record each.

use serde_json::{Value, json};

use super::{Call, crud};
use crate::http::{Failure, Reply};
use crate::naming::{self, Parts};
use crate::state::{Row, text};

/// Any id reads the same record.
pub(super) fn get(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let resource = crud::resource(call)?;
    let row = call.state.row(resource.path, 1).ok_or_else(|| Failure::model(resource.name, 1))?;
    Ok(Reply::ok(Value::Object(row.clone())))
}

/// Saves every member: absent numbers and flags become 0 and false, absent texts keep what they were.
pub(super) fn update(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let resource = crud::resource(call)?;
    let mut row = call.object();
    crud::body_or_path_id(call, &row)?;
    let old = call.state.row(resource.path, 1).cloned().unwrap_or_default();
    if resource.path != "config/naming" {
        for (name, value) in &old {
            if value.is_string() && !row.contains_key(name) {
                row.insert(name.clone(), value.clone());
            }
        }
    }
    if call.state.next_version
        && resource.path == "config/mediamanagement"
        && !call.object().contains_key("userRejectedExtensions")
    {
        return Err(Failure::internal(
            "System.NullReferenceException",
            "Object reference not set to an instance of an object.",
        ));
    }
    crate::rules::check(call.state, resource.path, &row, Some(1))?;
    if resource.path == "config/host" {
        host(&old, &mut row);
    }
    call.state.table_mut(resource.path).put(1, row);
    let row = call.state.row(resource.path, 1).cloned().unwrap_or_default();
    let location = format!("{}/api/v3/{}/1", call.state.url_base, resource.path);
    Ok(Reply::accepted(Value::Object(row)).with("Location", location))
}

/// The key cannot be set here; a new password is stored as a hash.
fn host(old: &Row, row: &mut Row) {
    for name in ["apiKey"] {
        if let Some(value) = old.get(name) {
            row.insert(name.to_owned(), value.clone());
        }
    }
    let password = text(row, "password").to_owned();
    if password != text(old, "password") && !password.is_empty() {
        row.insert("password".into(), format!("canary-password-hash-{:08x}", crate::state::hash_id(&password)).into());
    }
    row.insert("passwordConfirmation".into(), "".into());
}

/// Names made by the stored formats, or by those of the request when it names an id.
pub(super) fn naming_examples(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let given = call.query().int("id")?.unwrap_or(0) != 0;
    for name in ["renameEpisodes", "replaceIllegalCharacters"] {
        call.query().flag(name, false)?;
    }
    let format = |name: &str| -> String {
        let own = call.state.setting("config/naming", name).as_str().unwrap_or_default();
        if given { call.query().text(name).unwrap_or_default().to_owned() } else { own.to_owned() }
    };
    let parts = |episodes: Vec<i64>| Parts {
        series: "The Series Title!".into(),
        year: 2010,
        season: 1,
        absolute: episodes.clone(),
        titles: if episodes.len() > 1 {
            vec!["Episode Title".into(), "Another Title".into()]
        } else {
            vec!["Episode Title".into()]
        },
        episodes,
        air_date: "2013-10-30".into(),
        quality: "HDTV-720p Proper".into(),
        tvdb_id: 9_000_001,
        imdb_id: "tt9000001".into(),
        group: "RlsGrp".into(),
    };
    let mut out = Row::new();
    let mut example = |name: &str, format: String, episodes: Vec<i64>, extension: &str| {
        if !format.is_empty() {
            out.insert(name.to_owned(), format!("{}{extension}", naming::fill(&format, &parts(episodes))).into());
        }
    };
    example("singleEpisodeExample", format("standardEpisodeFormat"), vec![1], ".mkv");
    example("multiEpisodeExample", format("standardEpisodeFormat"), vec![1, 2, 3], ".mkv");
    example("dailyEpisodeExample", format("dailyEpisodeFormat"), vec![1], ".mkv");
    example("animeEpisodeExample", format("animeEpisodeFormat"), vec![1], ".mkv");
    example("animeMultiEpisodeExample", format("animeEpisodeFormat"), vec![1, 2, 3], ".mkv");
    example("seriesFolderExample", format("seriesFolderFormat"), vec![1], "");
    example("seasonFolderExample", format("seasonFolderFormat"), vec![1], "");
    example("specialsFolderExample", format("specialsFolderFormat"), vec![1], "");
    Ok(Reply::ok(if out.is_empty() { json!({}) } else { Value::Object(out) }))
}
