//! What a body says that its operation does not know: a misspelt member, an unknown name of an enum.
//!
//! The types of bodies are open, so that an object can be read from a newer Sonarr and written back
//! as it was. A body that is written by hand is another matter: Sonarr passes over a member it does
//! not know, and whoever sent it would never learn.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::schema;
use crate::arguments::ArgumentError;
use crate::operation::Operation;
use crate::write::pairs;

/// From this likeness on, an unknown member is a known one misspelt. A newer Sonarr's members are
/// further off.
const MISSPELT: f64 = 0.85;

/// Refuses a body that names what `operation` does not know.
///
/// A whole object on its way back is let through: it may be a newer Sonarr's.
///
/// # Errors
/// The first unknown name of an enum, with the known ones; the first member that is a known one
/// misspelt.
pub fn check(operation: &Operation, arguments: &Map<String, Value>) -> Result<(), ArgumentError> {
    let Some(body) = arguments.get("body") else {
        return Ok(());
    };
    if pairs::takes_patch(operation) {
        return Ok(());
    }
    let short = schema::arguments(operation);
    let Some(schema) = short.pointer("/properties/body") else {
        return Ok(());
    };
    let mut names = BTreeSet::new();
    let whole = (operation.arguments)().to_value();
    collect(&whole, &mut names);
    Check { names: &names }.visit(schema, body, "arguments.body")
}

/// Every name of a member anywhere in a schema.
fn collect<'a>(schema: &'a Value, names: &mut BTreeSet<&'a str>) {
    match schema {
        Value::Object(keywords) => {
            if let Some(Value::Object(properties)) = keywords.get("properties") {
                names.extend(properties.keys().map(String::as_str));
            }
            keywords.values().for_each(|value| collect(value, names));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, names)),
        _ => {}
    }
}

struct Check<'a> {
    /// The names the type and all within it have, settable or not.
    names: &'a BTreeSet<&'a str>,
}

impl Check<'_> {
    fn visit(&self, schema: &Value, value: &Value, path: &str) -> Result<(), ArgumentError> {
        match value {
            Value::String(text) => one_of(schema, text, path),
            Value::Array(items) => match schema.get("items") {
                Some(item) => items
                    .iter()
                    .enumerate()
                    .try_for_each(|(index, value)| self.visit(item, value, &format!("{path}[{index}]"))),
                None => Ok(()),
            },
            Value::Object(members) => self.members(schema, members, path),
            _ => Ok(()),
        }
    }

    fn members(&self, schema: &Value, members: &Map<String, Value>, path: &str) -> Result<(), ArgumentError> {
        let Some(Value::Object(properties)) = schema.get("properties") else {
            return Ok(());
        };
        for (name, value) in members {
            let path = format!("{path}.{name}");
            match properties.get(name) {
                Some(schema) => self.visit(schema, value, &path)?,
                None if self.names.contains(name.as_str()) => {}
                None => {
                    if let Some(meant) = meant(name, properties) {
                        let mut error = ArgumentError::new(path, format!("there is no member `{name}`"))
                            .accepting(properties.keys().cloned().collect());
                        error.nearest = Some(meant.to_owned());
                        return Err(error);
                    }
                }
            }
        }
        Ok(())
    }
}

/// The member that `name` is meant to be.
fn meant<'a>(name: &str, properties: &'a Map<String, Value>) -> Option<&'a str> {
    let given = name.to_lowercase();
    properties
        .keys()
        .map(|known| (known, strsim::normalized_damerau_levenshtein(&given, &known.to_lowercase())))
        // Sonarr reads names in any case.
        .filter(|(_, likeness)| (MISSPELT..1.0).contains(likeness))
        .max_by(|(_, a), (_, b)| a.total_cmp(b))
        .map(|(known, _)| known.as_str())
}

fn one_of(schema: &Value, text: &str, path: &str) -> Result<(), ArgumentError> {
    let Some(Value::Array(names)) = schema.get("enum") else {
        return Ok(());
    };
    let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
    // Sonarr reads names in any case, and the number behind a name; `unknown` is one of them, too.
    let known =
        names.iter().any(|name| name.eq_ignore_ascii_case(text)) || text.parse::<i64>().is_ok() || text == "unknown";
    if known {
        return Ok(());
    }
    let shown: String = text.chars().take(60).collect();
    Err(ArgumentError::new(path, format!("`{shown}` is not a known value"))
        .resembling(text, names.iter().copied())
        .accepting(names.iter().map(|name| (*name).to_owned()).collect()))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::check;
    use crate::arguments::ArgumentError;
    use crate::generated::GROUPS;

    fn checked(operation: &str, arguments: Value) -> Result<(), ArgumentError> {
        let operation = GROUPS.iter().flat_map(|group| group.operations).find(|one| one.name == operation).unwrap();
        check(operation, arguments.as_object().unwrap())
    }

    #[test]
    fn an_unknown_name_of_an_enum_is_refused_with_the_known_ones() {
        let error = checked("add_series", json!({"body": {"addOptions": {"monitor": "first"}}})).unwrap_err();
        assert_eq!(error.path, "arguments.body.addOptions.monitor");
        assert!(error.accepted.contains(&"firstSeason".to_owned()), "{error}");
        assert!(!error.accepted.contains(&"unknown".to_owned()), "{error}");
        let body = json!({"series": [{"id": 1}], "monitoringOptions": {"monitor": "Pilot"}});
        assert!(checked("set_season_pass", json!({"body": body})).is_ok());
        assert!(checked("push_release", json!({"body": {"protocol": 1}})).is_ok());
    }

    #[test]
    fn a_misspelt_member_is_refused_at_any_depth() {
        for (operation, body, path, nearest) in [
            ("add_series", json!({"qualityProfilId": 1}), "arguments.body.qualityProfilId", "qualityProfileId"),
            ("update_many_series", json!({"monitred": true}), "arguments.body.monitred", "monitored"),
            (
                "import_series",
                json!([{}, {"addOptions": {"searchForMissingEpisode": true}}]),
                "arguments.body[1].addOptions.searchForMissingEpisode",
                "searchForMissingEpisodes",
            ),
        ] {
            let error = checked(operation, json!({"body": body})).unwrap_err();
            assert_eq!((error.path.as_str(), error.nearest.as_deref()), (path, Some(nearest)));
        }
    }

    #[test]
    fn what_another_sonarr_may_know_is_let_through() {
        // Members that are answered only, and ones of a newer Sonarr.
        let body = json!({"status": "paused", "images": [{"coverType": "hologram"}], "newerMember": 1, "TITLE": "x"});
        assert!(checked("add_series", json!({"body": body})).is_ok());
        // A whole object on its way back.
        let body = json!({"seriesType": "serial", "monitred": true});
        assert!(checked("update_series", json!({"id": 1, "body": body})).is_ok());
        assert!(checked("list_tags", json!({})).is_ok());
    }
}
