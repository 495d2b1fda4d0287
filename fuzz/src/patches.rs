//! What a patch may change: an own reading of a patch, to hold the server's against.

use serde_json::{Map, Value};
use sonarr_mcp::generated::GROUPS;
use sonarr_mcp::write::keys::is_called;

/// The schema of an operation's arguments.
pub fn schema(operation: &str) -> Option<Value> {
    let mut operations = GROUPS.iter().flat_map(|group| group.operations);
    let operation = operations.find(|one| one.name == operation)?;
    Some((operation.arguments)().to_value())
}

/// The first place where `patched` differs from `current` without being named in `patch`.
pub fn unnamed(current: &Value, patch: &Value, patched: &Value) -> Option<String> {
    changed(current, patch, patched, "")
}

fn changed(current: &Value, patch: &Value, patched: &Value, path: &str) -> Option<String> {
    match (current, patch, patched) {
        (Value::Object(current), Value::Object(patch), Value::Object(patched)) => {
            members(current, patch, patched, path)
        }
        (Value::Array(current), Value::Object(patch), Value::Array(patched)) => items(current, patch, patched, path),
        // Anything else was named itself, and is replaced.
        _ => None,
    }
}

fn members(
    current: &Map<String, Value>,
    patch: &Map<String, Value>,
    patched: &Map<String, Value>,
    path: &str,
) -> Option<String> {
    let kept = current.iter().find_map(|(name, value)| {
        let path = format!("{path}.{name}");
        match (named(patch, name), patched.get(name)) {
            (None, Some(after)) => (after != value).then(|| format!("{path} was {value} and became {after}")),
            (None, None) => Some(format!("{path} is gone")),
            (Some(change), Some(after)) => changed(value, change, after, &path),
            (Some(_), None) => None,
        }
    });
    kept.or_else(|| {
        let made_up = |name: &&String| !current.contains_key(*name) && named(patch, name).is_none();
        patched.keys().find(made_up).map(|name| format!("{path}.{name} was made up"))
    })
}

/// A member's change, by any spelling of its name.
fn named<'p>(patch: &'p Map<String, Value>, name: &str) -> Option<&'p Value> {
    let plain = |name: &str| name.replace('_', "").to_lowercase();
    patch.get(name).or_else(|| patch.iter().find(|(given, _)| plain(given) == plain(name)).map(|(_, change)| change))
}

/// The items of a list that no key names are all there, in their order.
fn items(current: &[Value], patch: &Map<String, Value>, patched: &[Value], path: &str) -> Option<String> {
    if patch.keys().any(|name| name == "add" || name == "remove") {
        let untouched = current.iter().find(|item| {
            let removed = patch.get("remove").is_some_and(|removed| match removed {
                Value::Array(removed) => removed.contains(item),
                removed => removed == *item,
            });
            !removed && !patched.contains(item)
        });
        return untouched.map(|item| format!("{path}: {item} is gone"));
    }
    let called = |item: &Value| {
        let within = item.get("items").and_then(Value::as_array).into_iter().flatten();
        std::iter::once(item).chain(within).any(|item| patch.keys().any(|key| is_called(item, key)))
    };
    let mut after = patched.iter();
    current
        .iter()
        .filter(|item| !called(item))
        .find(|item| !after.any(|patched| patched == *item))
        .map(|item| format!("{path}: {item} is changed, gone or moved"))
}

#[cfg(test)]
mod tests {
    use super::unnamed;
    use serde_json::json;

    #[test]
    fn what_a_patch_does_not_name_is_told() {
        let current = json!({"a": 1, "b": {"c": 2, "d": 3}, "seasons": [{"seasonNumber": 1}, {"seasonNumber": 2}]});
        let patch = json!({"b": {"c": 5}, "seasons": {"2": {"monitored": true}}});
        let with = |pointer: &str, value: serde_json::Value| {
            let mut patched = current.clone();
            *patched.pointer_mut(pointer).unwrap() = value;
            unnamed(&current, &patch, &patched)
        };
        assert_eq!(with("/b/c", json!(5)), None);
        assert_eq!(with("/seasons/1", json!({"seasonNumber": 2, "monitored": true})), None);
        for (pointer, value) in [("/a", json!(2)), ("/b/d", json!(null)), ("/seasons/0", json!({})), ("", json!({}))] {
            assert!(with(pointer, value).is_some(), "{pointer}");
        }
        assert!(with("/b", json!({"c": 5, "d": 3, "e": 1})).is_some());
    }
}
