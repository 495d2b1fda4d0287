//! What a change changed, as a short list.

use serde::Serialize;
use serde_json::Value;

use super::keys::by_key;

/// One value that differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// Where, as in `seasons[3].monitored` or `fields[baseUrl].value`.
    pub path: String,
    /// The value before; null when there was none.
    pub before: Value,
    /// The value after; null when there is none.
    pub after: Value,
}

/// What differs between two objects, in the order of the first.
///
/// Lists are compared by key where their items have one, else as a whole. `shown` brings a whole
/// object to the form that may be seen: with secrets masked. A secret that changed is in the list
/// although both its values look the same.
pub fn difference(before: &Value, after: &Value, shown: impl Fn(&mut Value)) -> Vec<Change> {
    let seen = |value: &Value| {
        let mut value = value.clone();
        shown(&mut value);
        value
    };
    let mut changes = Vec::new();
    compare(
        &Side { real: before, seen: &seen(before) },
        &Side { real: after, seen: &seen(after) },
        String::new(),
        &mut changes,
    );
    changes
}

/// A value, and the same as it may be seen.
#[derive(Clone, Copy)]
struct Side<'a> {
    real: &'a Value,
    seen: &'a Value,
}

const NOTHING: Side<'static> = Side { real: &Value::Null, seen: &Value::Null };

fn compare(before: &Side<'_>, after: &Side<'_>, path: String, changes: &mut Vec<Change>) {
    if before.real == after.real || same_number(before.real, after.real) {
        return;
    }
    match (before.real, after.real) {
        (Value::Object(old), Value::Object(new)) => {
            let added = new.keys().filter(|name| !old.contains_key(*name));
            for name in old.keys().chain(added) {
                let inner = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                compare(&before.member(name), &after.member(name), inner, changes);
            }
        }
        (Value::Array(old), Value::Array(new)) => match (by_key(old), by_key(new)) {
            (Some(old_keys), Some(new_keys)) if same_order(&old_keys, &new_keys) => {
                let added = new_keys.keys().filter(|key| !old_keys.contains_key(*key));
                for key in old_keys.keys().chain(added) {
                    let place = |keys: &serde_json::Map<String, Value>| keys.keys().position(|other| other == key);
                    compare(
                        &before.item(place(&old_keys)),
                        &after.item(place(&new_keys)),
                        format!("{path}[{key}]"),
                        changes,
                    );
                }
            }
            _ => changes.push(change(before, after, path)),
        },
        _ => changes.push(change(before, after, path)),
    }
}

/// Whether the items that both have stand in the same order: in a quality profile the order counts.
fn same_order(old: &serde_json::Map<String, Value>, new: &serde_json::Map<String, Value>) -> bool {
    old.keys().filter(|key| new.contains_key(*key)).eq(new.keys().filter(|key| old.contains_key(*key)))
}

/// 1 and 1.0 are the same to Sonarr.
fn same_number(before: &Value, after: &Value) -> bool {
    before.is_number() && after.is_number() && before.as_f64() == after.as_f64()
}

fn change(before: &Side<'_>, after: &Side<'_>, path: String) -> Change {
    Change { path, before: before.seen.clone(), after: after.seen.clone() }
}

impl<'a> Side<'a> {
    fn member(&self, name: &str) -> Side<'a> {
        match (self.real.get(name), self.seen.get(name)) {
            (Some(real), Some(seen)) => Side { real, seen },
            _ => NOTHING,
        }
    }

    fn item(&self, at: Option<usize>) -> Side<'a> {
        let item = |list: &'a Value| list.as_array().and_then(|items| items.get(at?));
        match (item(self.real), item(self.seen)) {
            (Some(real), Some(seen)) => Side { real, seen },
            _ => NOTHING,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::difference;
    use serde_json::{Value, json};

    fn paths(before: &Value, after: &Value) -> Value {
        let changes = difference(before, after, |_| {});
        changes.into_iter().map(|it| json!([it.path, it.before, it.after])).collect()
    }

    #[test]
    fn equal_objects_have_none() {
        let object = json!({"a": 1, "b": [{"id": 1}], "c": 100.0});
        assert_eq!(paths(&object, &json!({"c": 100, "b": [{"id": 1}], "a": 1})), json!([]));
    }

    #[test]
    fn paths_go_by_key() {
        let before = json!({
            "title": "A", "tags": [1], "gone": true,
            "seasons": [{"seasonNumber": 0, "monitored": false}, {"seasonNumber": 3, "monitored": true}],
            "items": [{"name": "WEB", "allowed": true, "items": [{"quality": {"id": 5, "name": "WEB-1"}, "allowed": true}]}]
        });
        let after = json!({
            "title": "B", "tags": [1, 2], "new": null,
            "seasons": [{"seasonNumber": 0, "monitored": false}, {"seasonNumber": 3, "monitored": false}],
            "items": [{"name": "WEB", "allowed": true, "items": [{"quality": {"id": 5, "name": "WEB-1"}, "allowed": false}]}]
        });
        assert_eq!(
            paths(&before, &after),
            json!([
                ["title", "A", "B"],
                ["tags", [1], [1, 2]],
                ["gone", true, null],
                ["seasons[3].monitored", true, false],
                ["items[WEB].items[WEB-1].allowed", true, false]
            ])
        );
    }

    #[test]
    fn a_new_order_is_shown_whole_and_a_new_item_alone() {
        let one = json!({"name": "a"});
        let two = json!({"name": "b"});
        assert_eq!(paths(&json!([one, two]), &json!([two, one])), json!([["", [one, two], [two, one]]]));
        assert_eq!(paths(&json!([one]), &json!([one, two])), json!([["[b]", null, two]]));
    }

    #[test]
    fn a_changed_secret_is_listed_but_not_shown() {
        let before = json!({"password": "old", "port": 1});
        let after = json!({"password": "new", "port": 1});
        let changes = difference(&before, &after, |value| value["password"] = json!("********"));
        assert_eq!(
            serde_json::to_value(changes).unwrap(),
            json!([
                {"path": "password", "before": "********", "after": "********"}
            ])
        );
    }
}
