//! A patch keeps what it does not name.
//!
//! The objects are the embedded Sonarr's. A patch is made at random from an object: some of its
//! members, at any depth, with other values; items of keyed lists by their keys.

use std::sync::LazyLock;

use embedded_sonarr::{Clock, EmbeddedSonarr, Options};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use sonarr_fuzz::patches::{self, unnamed};
use sonarr_mcp::write::{keys, patch};

use super::decode;

/// A resource and the operation that updates it.
const RESOURCES: &[(&str, &str)] = &[
    ("series", "update_series"),
    ("episode", "update_episode"),
    ("episodefile", "update_episode_file"),
    ("qualityprofile", "update_quality_profile"),
    ("customformat", "update_custom_format"),
    ("indexer", "update_indexer"),
    ("downloadclient", "update_download_client"),
    ("notification", "update_notification"),
    ("importlist", "update_import_list"),
    ("delayprofile", "update_delay_profile"),
    ("releaseprofile", "update_release_profile"),
    ("autotagging", "update_auto_tagging_rule"),
    ("tag", "update_tag"),
];

/// The stored objects, each with the schema of the arguments of its update.
static OBJECTS: LazyLock<Vec<(Value, Value)>> = LazyLock::new(|| {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let options = Options { clock: Clock::fixed(), next_version: true, ..Options::default() };
    let sonarr = runtime.block_on(EmbeddedSonarr::start(options)).unwrap();
    let mut objects = Vec::new();
    for (resource, update) in RESOURCES {
        let schema = patches::schema(update).unwrap_or_else(|| panic!("there is no {update}"));
        let ids = sonarr.ids(resource);
        assert!(!ids.is_empty(), "there is no {resource}");
        let stored = ids.into_iter().take(6).map(|id| (sonarr.object(resource, id).unwrap(), schema.clone()));
        objects.extend(stored);
    }
    objects
});

/// How to make a patch of an object: a number for every decision.
#[derive(Debug, Clone)]
struct Dice(Vec<u8>, Value);

impl Dice {
    fn roll(&mut self, bound: u8) -> u8 {
        self.0.pop().unwrap_or(1) % bound
    }

    /// Changes of some of the members.
    fn members(&mut self, of: &Map<String, Value>) -> Map<String, Value> {
        let mut changes = Map::new();
        for (name, value) in of {
            if name != "id" && self.roll(4) == 0 {
                changes.insert(name.clone(), self.change(name, value));
            }
        }
        changes
    }

    fn change(&mut self, name: &str, value: &Value) -> Value {
        match value {
            Value::Object(members) if self.roll(3) > 0 => Value::Object(self.members(members)),
            Value::Array(items) if keys::keyed(name).is_some() && self.roll(3) > 0 => self.items(items),
            Value::Array(_) if self.roll(2) == 0 => json!({"add": [self.roll(200)], "remove": [self.roll(3)]}),
            Value::Array(items) => json!(items.iter().take(usize::from(self.roll(3))).collect::<Vec<_>>()),
            Value::Bool(is) => json!(!is),
            _ => self.1.clone(),
        }
    }

    fn items(&mut self, items: &[Value]) -> Value {
        let mut changes = Map::new();
        for item in items {
            if let (Some(key), Some(members)) = (keys::key_of(item), item.as_object())
                && self.roll(3) == 0
            {
                changes.insert(key, Value::Object(self.members(members)));
            }
        }
        Value::Object(changes)
    }
}

fn dice() -> impl Strategy<Value = Dice> {
    (proptest::collection::vec(any::<u8>(), 0..200), decode::json(2)).prop_map(|(numbers, value)| Dice(numbers, value))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_patch_keeps_what_it_does_not_name(which in any::<prop::sample::Index>(), mut dice in dice()) {
        let (object, schema) = which.get(&OBJECTS);
        let given = Value::Object(dice.members(object.as_object().unwrap()));
        match patch::apply(object, &given, schema) {
            Ok(patched) => prop_assert_eq!(unnamed(object, &given, &patched), None, "{}", given),
            // It may be no patch for this object; then it says which part is not.
            Err(error) => prop_assert!(error.path.starts_with("arguments.patch"), "{error}"),
        }
    }
}

/// Most random patches can be applied, so the property is about something.
#[test]
fn most_patches_can_be_applied() {
    let mut applied = 0;
    for round in 0..1_000_u32 {
        let numbers = (0..200_u32).map(|at| (at.wrapping_mul(2_654_435_761).wrapping_add(round * 97) >> 13) as u8);
        let mut dice = Dice(numbers.collect(), json!("changed"));
        let (object, schema) = &OBJECTS[round as usize % OBJECTS.len()];
        let given = Value::Object(dice.members(object.as_object().unwrap()));
        applied += usize::from(patch::apply(object, &given, schema).is_ok_and(|patched| patched != *object));
    }
    assert!(applied > 500, "{applied} of 1000");
}
