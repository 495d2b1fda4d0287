//! Which operation reads the object that another one changes.
//!
//! Sonarr reads an object at the path it is changed at, so the pairs are found, not listed.

use serde_json::{Map, Value};

use crate::generated::GROUPS;
use crate::operation::{Effect, Kind, Operation, Parameter, Place};

/// The argument of an update: what changes.
pub const PATCH: &str = "patch";

/// The argument that names an object.
const ID: &str = "id";

/// The id of the one object that each page of settings is.
const SETTINGS_ID: i64 = 1;

/// An object in Sonarr, and how it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Target {
    /// The operation that reads it.
    pub read: &'static str,
    /// Its id.
    pub id: i64,
}

impl Target {
    /// The arguments of the operation that reads it.
    pub fn arguments(&self) -> Map<String, Value> {
        Map::from_iter([(ID.to_owned(), Value::from(self.id))])
    }
}

/// Whether a patch can take the place of the operation's `body`: it puts one whole object that
/// can be read.
pub fn takes_patch(operation: &Operation) -> bool {
    operation.effect == Effect::Update
        && operation.method == "PUT"
        && has(operation, ID, Place::Path)
        && operation.parameters.iter().any(|it| it.place == Place::Body && it.kind == Kind::Object)
        && reads(operation.path).is_some()
}

/// The name under which a caller gives a parameter: an update takes a patch for the body.
pub fn argument(operation: &Operation, parameter: &Parameter) -> &'static str {
    if parameter.place == Place::Body && takes_patch(operation) { PATCH } else { parameter.name }
}

/// Whether a call without the parameter is refused. Of settings there is one object, so that its
/// id says nothing.
pub fn is_required(operation: &Operation, parameter: &Parameter) -> bool {
    parameter.required && !(parameter.name == ID && is_settings(operation))
}

/// The object that a call is about, when there is one and it can be read: of an update or a
/// delete the one with its `id`, of a test or another action of a provider the one in its `body`.
pub fn target(operation: &Operation, arguments: &Map<String, Value>) -> Option<Target> {
    if has(operation, ID, Place::Path) {
        let read = reads(operation.path)?;
        return Some(Target { read: read.name, id: whole(arguments.get(ID)?)? });
    }
    let provider = operation.path.strip_suffix("/test").or_else(|| operation.path.strip_suffix("/action/{name}"))?;
    let read = reads(&format!("{provider}/{{id}}"))?;
    let id = whole(arguments.get("body")?.get(ID)?)?;
    (id > 0).then_some(Target { read: read.name, id })
}

/// Names the settings' only object where a call leaves its id out.
pub fn complete(operation: &Operation, arguments: &mut Map<String, Value>) {
    if is_settings(operation) {
        arguments.entry(ID).or_insert_with(|| Value::from(SETTINGS_ID));
    }
}

fn is_settings(operation: &Operation) -> bool {
    takes_patch(operation) && operation.path.starts_with("/api/v3/config/")
}

/// The operation that reads at a path.
pub fn reads(path: &str) -> Option<&'static Operation> {
    GROUPS
        .iter()
        .flat_map(|group| group.operations)
        .find(|operation| operation.method == "GET" && operation.path == path)
}

fn has(operation: &Operation, name: &str, place: Place) -> bool {
    operation.parameters.iter().any(|parameter| parameter.name == name && parameter.place == place)
}

/// A whole number, also one written as a text.
pub fn whole(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::{Target, complete, takes_patch, target};
    use crate::generated::GROUPS;
    use crate::operation::{Effect, Operation};
    use serde_json::{Map, Value, json};

    fn operations() -> impl Iterator<Item = &'static Operation> {
        GROUPS.iter().flat_map(|group| group.operations)
    }

    fn named(name: &str) -> &'static Operation {
        operations().find(|operation| operation.name == name).unwrap()
    }

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    /// Updates of several objects at once, or of none that has a body.
    const OTHERS: &[&str] = &[
        "update_indexers",
        "update_download_clients",
        "update_import_lists",
        "update_custom_formats",
        "update_quality_definitions",
        "update_many_series",
        "update_episode_files",
        "edit_episode_files",
        "set_episodes_monitored",
        "set_season_pass",
        "reorder_delay_profile",
    ];

    #[test]
    fn every_update_takes_a_patch_or_is_of_several_objects() {
        for operation in operations().filter(|operation| operation.effect == Effect::Update) {
            assert_ne!(takes_patch(operation), OTHERS.contains(&operation.name), "{}", operation.name);
        }
        assert!(operations().filter(|it| it.effect != Effect::Update).all(|it| !takes_patch(it)));
    }

    /// What is read has the type of what is put: every member of the body is one of the answer's.
    #[test]
    fn a_pair_reads_what_it_writes() {
        for operation in operations().filter(|operation| takes_patch(operation)) {
            let target = target(operation, &object(json!({"id": 3, "body": {}}))).unwrap();
            let reader = named(target.read);
            assert_eq!((reader.path, reader.effect, target.id), (operation.path, Effect::Read, 3));
            assert!(reader.parameters.iter().filter(|it| it.required).map(|it| it.name).eq(["id"]));
        }
    }

    #[test]
    fn an_action_of_a_provider_is_about_the_object_in_its_body() {
        for name in ["test_indexer", "run_notification_action"] {
            let found = target(named(name), &object(json!({"name": "x", "body": {"id": 4}})));
            assert_eq!(found.map(|it| it.id), Some(4), "{name}");
        }
        assert_eq!(target(named("test_indexer"), &object(json!({"body": {"name": "new"}}))), None);
        assert_eq!(target(named("create_tag"), &object(json!({"body": {"label": "x"}}))), None);
        assert_eq!(
            target(named("delete_series"), &object(json!({"id": "7"}))),
            Some(Target { read: "get_series", id: 7 })
        );
    }

    #[test]
    fn settings_need_no_id() {
        let mut arguments = Map::new();
        complete(named("update_host_config"), &mut arguments);
        assert_eq!(Value::Object(arguments), json!({"id": 1}));
        let mut arguments = Map::new();
        complete(named("update_series"), &mut arguments);
        assert!(arguments.is_empty());
    }
}
