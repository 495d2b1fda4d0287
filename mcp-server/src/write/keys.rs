//! Lists that are really maps: which member of their items is the key.

use serde_json::{Map, Value};

/// A member whose list can be patched by key.
#[derive(Debug)]
pub struct Keyed {
    /// The list's name.
    pub member: &'static str,
    /// What its items' key is called, in words.
    pub key: &'static str,
    /// The member of an item that a plain value stands for, as in `{"seasons": {"3": true}}`.
    pub short: Option<&'static str>,
    /// What a null for an item does.
    pub null: Null,
    /// Whether items may be added.
    pub grows: bool,
}

/// What a null in the place of an item means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Null {
    /// The item goes.
    Removes,
    /// The member of the item that a plain value stands for goes, and so has its default.
    Clears,
    /// Sonarr needs the item, so it is refused.
    Refused,
}

/// All of them.
pub const KEYED: &[Keyed] = &[
    Keyed { member: "fields", key: "name", short: Some("value"), null: Null::Clears, grows: false },
    Keyed { member: "seasons", key: "seasonNumber", short: Some("monitored"), null: Null::Refused, grows: false },
    Keyed { member: "formatItems", key: "format name or id", short: Some("score"), null: Null::Refused, grows: false },
    Keyed {
        member: "items",
        key: "name of the quality or group",
        short: Some("allowed"),
        null: Null::Refused,
        grows: false,
    },
    Keyed { member: "specifications", key: "name", short: None, null: Null::Removes, grows: true },
];

/// How the list of this name is keyed, if it is.
pub fn keyed(member: &str) -> Option<&'static Keyed> {
    KEYED.iter().find(|keyed| keyed.member == member)
}

/// What tells an item of a list from its siblings: its name, its number or its id.
pub fn key_of(item: &Value) -> Option<String> {
    let item = item.as_object()?;
    let text = |value: &Value| value.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let number = |name: &str| item.get(name).and_then(Value::as_i64).map(|number| number.to_string());
    let quality = item.get("quality").and_then(|quality| quality.get("name"));
    quality
        .filter(|_| item.contains_key("allowed"))
        .and_then(text)
        .or_else(|| item.get("name").and_then(text))
        .or_else(|| item.get("id").and_then(Value::as_i64).filter(|id| *id != 0).map(|id| id.to_string()))
        .or_else(|| number("seasonNumber"))
        .or_else(|| number("format"))
        .or_else(|| item.get("key").and_then(text))
}

/// Whether a caller may mean `item` by `key`: by name in any case, by number or by id.
pub fn is_called(item: &Value, key: &str) -> bool {
    let own = key_of(item);
    if own.as_ref().is_some_and(|own| own.eq_ignore_ascii_case(key)) {
        return true;
    }
    let Ok(number) = key.parse::<i64>() else {
        return false;
    };
    let has = |value: Option<&Value>| value.and_then(Value::as_i64) == Some(number);
    let member = |name: &str| has(item.get(name));
    member("seasonNumber")
        || member("format")
        || (item.get("allowed").is_some() && (member("id") || has(item.get("quality").and_then(|it| it.get("id")))))
}

/// The items of a list by key; nothing when one has no key or two have the same.
pub fn by_key(items: &[Value]) -> Option<Map<String, Value>> {
    let mut map = Map::new();
    for item in items {
        if map.insert(key_of(item)?, item.clone()).is_some() {
            return None;
        }
    }
    Some(map)
}

#[cfg(test)]
mod tests {
    use super::{KEYED, is_called, key_of};
    use crate::generated::GROUPS;
    use crate::operation::Effect;
    use serde_json::{Value, json};

    #[test]
    fn an_item_is_called_by_name_number_or_id() {
        for (item, key, also) in [
            (json!({"order": 0, "name": "apiKey", "value": "x"}), "apiKey", "apikey"),
            (json!({"seasonNumber": 3, "monitored": true}), "3", "3"),
            (json!({"format": 7, "name": "x265", "score": 0}), "x265", "7"),
            (json!({"quality": {"id": 4, "name": "HDTV-720p"}, "items": [], "allowed": true}), "HDTV-720p", "4"),
            (json!({"id": 1001, "name": "WEB 720p", "items": [], "allowed": true}), "WEB 720p", "1001"),
        ] {
            assert_eq!(key_of(&item).as_deref(), Some(key));
            assert!(is_called(&item, key) && is_called(&item, also), "{item}");
            assert!(!is_called(&item, "99"), "{item}");
        }
    }

    /// Every object schema at or below `schema`.
    fn objects<'a>(schema: &'a Value, found: &mut Vec<&'a Value>) {
        if schema.get("properties").is_some() {
            found.push(schema);
        }
        match schema {
            Value::Object(members) => members.values().for_each(|value| objects(value, found)),
            Value::Array(items) => items.iter().for_each(|value| objects(value, found)),
            _ => {}
        }
    }

    /// The keys and short members exist in the types of the bodies they are for.
    #[test]
    fn the_table_is_true_to_the_types() {
        let schemas: Vec<Value> = GROUPS
            .iter()
            .flat_map(|group| group.operations)
            .filter(|operation| operation.effect == Effect::Update)
            .map(|operation| (operation.arguments)().to_value())
            .collect();
        let mut found = Vec::new();
        schemas.iter().for_each(|schema| objects(schema, &mut found));
        for keyed in KEYED {
            let items: Vec<&Value> = found
                .iter()
                .filter_map(|object| object["properties"].get(keyed.member))
                .map(|list| &list["items"])
                .collect();
            assert!(!items.is_empty(), "{}", keyed.member);
            let has = |name: &str| {
                items.iter().any(|item| {
                    let own = item["properties"].get(name).is_some();
                    let by_reference = item["$ref"].as_str().and_then(|reference| {
                        schemas.iter().find_map(|schema| schema.pointer(reference.strip_prefix('#')?))
                    });
                    own || by_reference.is_some_and(|item| item["properties"].get(name).is_some())
                })
            };
            let key = match keyed.member {
                "formatItems" => "format",
                "items" => "quality",
                _ => keyed.key,
            };
            assert!(has(key), "{}: {key}", keyed.member);
            assert!(keyed.short.is_none_or(has), "{}: {:?}", keyed.member, keyed.short);
        }
    }
}
