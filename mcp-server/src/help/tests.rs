use serde_json::{Map, Value, json};

use super::{TOPIC, group, operation};
use crate::generated::commands::COMMANDS;
use crate::generated::{GROUPS, examples};
use crate::operation::Operation;

/// What one help answer may take, in bytes: a model reads it whole.
const MAX_BYTES: usize = 15_000;

/// What help answers usually take, in bytes.
const USUAL_BYTES: usize = 4_000;

fn operations() -> impl Iterator<Item = &'static Operation> {
    GROUPS.iter().flat_map(|group| group.operations)
}

fn help(name: &str) -> Value {
    let asked = operations().find(|operation| operation.name == name).unwrap();
    operation("sonarr_x", asked, examples::of(name))
}

/// The members of `value` that `schema` does not show.
fn unknown(schema: &Value, value: &Value, path: &str, found: &mut Vec<String>) {
    match (value, schema.get("items"), schema.get("properties")) {
        (Value::Array(items), Some(item), _) => {
            items.iter().for_each(|value| unknown(item, value, &format!("{path}[]"), found));
        }
        (Value::Object(members), _, Some(properties)) => {
            for (name, value) in members {
                match properties.get(name) {
                    Some(schema) => unknown(schema, value, &format!("{path}.{name}"), found),
                    None => found.push(format!("{path}.{name}")),
                }
            }
        }
        // A list that is patched by key.
        (Value::Object(members), Some(item), _) => {
            members.values().for_each(|value| unknown(item, value, &format!("{path}{{}}"), found));
        }
        _ => {}
    }
}

#[test]
fn every_operation_is_told_shortly() {
    let mut sizes: Vec<(usize, &str)> = Vec::new();
    for asked in operations() {
        let help = help(asked.name);
        assert!(help["arguments"].is_object() && help["example"].is_object(), "{}: {help}", asked.name);
        sizes.push((help.to_string().len(), asked.name));
    }
    for of in GROUPS {
        let shown: Vec<&'static Operation> = of.operations.iter().collect();
        sizes.push((group("sonarr_x", of.summary, &shown).to_string().len(), of.name));
    }
    sizes.sort_unstable();
    for (bytes, name) in &sizes {
        eprintln!("{bytes:6} {name}");
    }
    assert!(sizes.iter().all(|(bytes, _)| *bytes <= MAX_BYTES), "{:?}", sizes.last());
    let long = sizes.iter().filter(|(bytes, _)| *bytes > USUAL_BYTES).count();
    assert!(long * 20 < sizes.len(), "{long} of {} are long", sizes.len());
}

#[test]
fn an_example_sets_only_what_can_be_set() {
    for asked in operations() {
        let help = help(asked.name);
        let arguments = help["example"].get("arguments").cloned().unwrap_or_else(|| json!({}));
        let mut found = Vec::new();
        unknown(&help["arguments"], &arguments, asked.name, &mut found);
        // The parameters of a command stand beside its name.
        let due: &[&str] = match asked.name {
            "run_command" => &["run_command.body.seriesId", "run_command.body.seasonNumber"],
            _ => &[],
        };
        assert_eq!(found, due);
        for required in help["arguments"]["required"].as_array().into_iter().flatten() {
            assert!(arguments.get(required.as_str().unwrap()).is_some(), "{}: {required}", asked.name);
        }
    }
}

#[test]
fn a_schema_has_no_noise_in_it() {
    for asked in operations() {
        let text = help(asked.name)["arguments"].to_string();
        for noise in
            ["$ref", "$defs", "\"title\":\"", "additionalProperties", "statistics", "implementationName", "presets"]
        {
            assert!(!text.contains(noise), "{}: {noise} in {text}", asked.name);
        }
    }
}

#[test]
fn an_update_is_told_as_a_patch() {
    let arguments = &help("update_quality_profile")["arguments"];
    assert_eq!(arguments["required"], json!(["id", "patch"]));
    assert!(arguments["properties"].get("body").is_none(), "{arguments}");
    let patch = &arguments["properties"]["patch"];
    assert!(patch["description"].as_str().unwrap().contains("`formatItems` also by format name or id"), "{patch}");
    // A group of qualities holds qualities, and these nothing.
    let items = &patch["properties"]["items"]["items"]["properties"];
    assert!(items["items"]["items"]["properties"]["quality"].is_object(), "{items}");
    assert!(items["items"]["items"]["properties"].get("items").is_none(), "{items}");
    assert_eq!(help("update_host_config")["arguments"]["required"], json!(["patch"]));
}

#[test]
fn what_a_call_takes_away_is_said() {
    let help = help("delete_series");
    assert!(help["destroys"].as_str().unwrap().contains("deleteFiles"), "{help}");
    assert_eq!((&help["effect"], &help["idempotent"]), (&json!("delete"), &json!(false)));
    let read = self::help("list_tags");
    assert!(
        ["destroys", "idempotent", "long_running", "checked"].iter().all(|name| read.get(name).is_none()),
        "{read}"
    );
    assert_eq!(read["example"], json!({"operation": "list_tags"}));
}

#[test]
fn what_to_use_instead_is_said() {
    let help = help("edit_episode_files");
    assert!(help["details"].as_str().unwrap().starts_with("Deprecated: use update_episode_files"), "{help}");
}

#[test]
fn the_commands_are_told_with_run_command() {
    let commands = &help("run_command")["commands"];
    assert_eq!(commands.as_object().map(Map::len), Some(COMMANDS.len()));
    assert!(commands["ClearBlocklist"]["destroys"].is_string(), "{commands}");
    assert_eq!(commands["SeasonSearch"]["may_download"], true);
    assert_eq!(commands["DeleteSeriesFiles"]["since_sonarr"], "5");
    let import = &commands["ManualImport"]["parameters"];
    assert_eq!(
        import["importMode"],
        "auto | move | copy, default auto: Move the files or copy (hardlink) them; auto moves unless the download must stay, as a seeding torrent must."
    );
    assert!(import["files"]["members"]["quality"].as_str().unwrap().starts_with("QualityModel, required"), "{import}");
}

#[test]
fn a_group_is_told_in_a_line_each() {
    let tags = GROUPS.iter().find(|group| group.name == "tags").unwrap();
    let shown: Vec<&'static Operation> = tags.operations.iter().collect();
    let help = group("sonarr_tags", tags.summary, &shown);
    let lines = help["operations"].as_array().unwrap();
    assert_eq!(lines.len(), tags.operations.len());
    assert!(lines.contains(&json!("delete_tag(id)!: Removes a tag that nothing carries.")), "{help}");
    assert!(lines.contains(&json!("update_tag(id, patch)*: Renames a tag.")), "{help}");
    assert!(help["more"].as_str().unwrap().contains(TOPIC), "{help}");
}
