//! Patches of lists: by key, by adding and removing, or whole.

use serde_json::{Map, Value, json};

use super::Types;
use crate::arguments::ArgumentError;
use crate::write::keys::{Keyed, Null, is_called, key_of, keyed};

impl<'s> Types<'s> {
    /// The whole list that a patch of the list `current` makes.
    pub(super) fn settle_list(
        &self,
        schema: Option<&'s Value>,
        member: &str,
        current: &[Value],
        patch: &Value,
        path: &str,
    ) -> Result<Value, ArgumentError> {
        let keyed = keyed(member).filter(|_| current.iter().all(Value::is_object));
        let list = match (patch, keyed) {
            (Value::Object(changes), Some(keyed)) => self.by_key(schema, keyed, current, changes, path)?,
            (Value::Array(items), Some(keyed)) => self.items(schema, keyed, current, items, path)?,
            (Value::Object(changes), None) => add_and_remove(current, changes, path)?,
            (Value::Array(items), None) => self.new_items(schema, items, path)?,
            (other, _) => return Ok(other.clone()),
        };
        Ok(Value::Array(list))
    }

    /// `{"3": {"monitored": true}}`.
    fn by_key(
        &self,
        schema: Option<&'s Value>,
        keyed: &Keyed,
        current: &[Value],
        changes: &Map<String, Value>,
        path: &str,
    ) -> Result<Vec<Value>, ArgumentError> {
        let item_type = self.item(schema);
        let mut list = current.to_vec();
        for (key, change) in changes {
            let inner = format!("{path}[{key}]");
            let Some(place) = locate(&list, key) else {
                if !(keyed.grows && change.is_object()) {
                    return Err(unknown_item(keyed, current, key, inner));
                }
                let mut item = self.settle(item_type, "", None, change, &inner)?;
                if let Some(members) = item.as_object_mut() {
                    members.entry(keyed.key).or_insert_with(|| json!(key));
                }
                list.push(item);
                continue;
            };
            let change = match (change, keyed.null, keyed.short) {
                (Value::Object(_), ..) => change.clone(),
                (Value::Null, Null::Removes, _) => {
                    take(&mut list, &place);
                    continue;
                }
                (Value::Null, Null::Refused, _) => {
                    return Err(ArgumentError::new(
                        inner,
                        "Sonarr needs this item; it can be changed, but not removed",
                    ));
                }
                (plain, _, Some(short)) => json!({short: plain}),
                (_, _, None) => return Err(ArgumentError::new(inner, "expected an object with the members to change")),
            };
            if let Some(item) = at_mut(&mut list, &place) {
                let settled = self.settle(item_type, "", Some(item), &change, &inner)?;
                json_patch::merge(item, &settled);
            }
        }
        Ok(list)
    }

    /// `[{"seasonNumber": 3, "monitored": true}]`: a list of all items is the new list, in its
    /// order; a list of some changes these, for no caller means to lose the others.
    fn items(
        &self,
        schema: Option<&'s Value>,
        keyed: &Keyed,
        current: &[Value],
        items: &[Value],
        path: &str,
    ) -> Result<Vec<Value>, ArgumentError> {
        if keyed.grows {
            return self.new_items(schema, items, path);
        }
        let mut changes = Map::new();
        for (at, item) in items.iter().enumerate() {
            let Some(key) = key_of(item) else {
                return Err(ArgumentError::new(
                    format!("{path}[{at}]"),
                    format!("expected an object with its key (the {})", keyed.key),
                ));
            };
            changes.insert(key, item.clone());
        }
        let all_there = leaves(current).iter().all(|leaf| leaves(items).contains(leaf));
        if !all_there {
            return self.by_key(schema, keyed, current, &changes, path);
        }
        items.iter().map(|item| self.rebuilt(schema, keyed, current, item, path)).collect()
    }

    /// One item of a complete list, with all its members; a group is new when there was none of
    /// its name.
    fn rebuilt(
        &self,
        schema: Option<&'s Value>,
        keyed: &Keyed,
        current: &[Value],
        item: &Value,
        path: &str,
    ) -> Result<Value, ArgumentError> {
        let key = key_of(item).unwrap_or_default();
        let inner = format!("{path}[{key}]");
        let place = locate(current, &key);
        let group = item.get("items").and_then(Value::as_array).filter(|items| !items.is_empty());
        if place.is_none() && group.is_none() {
            return Err(unknown_item(keyed, current, &key, inner));
        }
        let mut own = item.clone();
        if let (Some(own), Some(_)) = (own.as_object_mut(), group) {
            own.shift_remove("items");
        }
        let old = place.and_then(|place| at(current, &place));
        let settled = self.settle(self.item(schema), "", old, &own, &inner)?;
        let mut rebuilt = old.cloned().unwrap_or_else(|| json!({}));
        json_patch::merge(&mut rebuilt, &settled);
        if let (Some(group), Some(members)) = (group, rebuilt.as_object_mut()) {
            let inside: Result<Vec<Value>, ArgumentError> =
                group.iter().map(|item| self.rebuilt(schema, keyed, current, item, &inner)).collect();
            members.insert("items".to_owned(), Value::Array(inside?));
        }
        Ok(rebuilt)
    }
}

/// Where an item stands: in the list, or in the group that stands there.
struct Place {
    outer: usize,
    inner: Option<usize>,
}

fn locate(list: &[Value], key: &str) -> Option<Place> {
    if let Some(outer) = list.iter().position(|item| is_called(item, key)) {
        return Some(Place { outer, inner: None });
    }
    list.iter().enumerate().find_map(|(outer, item)| {
        let inner = grouped(item)?.iter().position(|item| is_called(item, key))?;
        Some(Place { outer, inner: Some(inner) })
    })
}

fn at<'v>(list: &'v [Value], place: &Place) -> Option<&'v Value> {
    let outer = list.get(place.outer)?;
    match place.inner {
        None => Some(outer),
        Some(inner) => outer.get("items")?.get(inner),
    }
}

fn at_mut<'v>(list: &'v mut [Value], place: &Place) -> Option<&'v mut Value> {
    let outer = list.get_mut(place.outer)?;
    match place.inner {
        None => Some(outer),
        Some(inner) => outer.get_mut("items")?.get_mut(inner),
    }
}

fn take(list: &mut Vec<Value>, place: &Place) {
    if place.inner.is_none() && place.outer < list.len() {
        list.remove(place.outer);
    }
}

/// What is in an item that is a group.
fn grouped(item: &Value) -> Option<&Vec<Value>> {
    item.get("items").and_then(Value::as_array).filter(|items| !items.is_empty())
}

/// The keys of the items that are no groups, at any depth.
fn leaves(list: &[Value]) -> Vec<String> {
    list.iter()
        .flat_map(|item| match grouped(item) {
            Some(inside) => leaves(inside),
            None => key_of(item).into_iter().collect(),
        })
        .collect()
}

fn unknown_item(keyed: &Keyed, current: &[Value], key: &str, path: String) -> ArgumentError {
    let mut known: Vec<String> = Vec::new();
    for item in current {
        known.extend(key_of(item));
        known.extend(grouped(item).into_iter().flatten().filter_map(key_of));
    }
    ArgumentError::new(path, format!("`{}` has no item of this key (the {})", keyed.member, keyed.key))
        .resembling(key, known.iter().map(String::as_str))
        .accepting(known.clone())
}

/// `{"add": [2], "remove": [1]}`, for a list of plain values such as tags.
fn add_and_remove(current: &[Value], changes: &Map<String, Value>, path: &str) -> Result<Vec<Value>, ArgumentError> {
    let plain = |value: &Value| !value.is_object() && !value.is_array();
    let wrong = || {
        ArgumentError::new(
            path,
            "is a list: give the whole new list, or {\"add\": […], \"remove\": […]} for one of plain values",
        )
    };
    if changes.is_empty() || changes.keys().any(|name| name != "add" && name != "remove") || !current.iter().all(plain)
    {
        return Err(wrong());
    }
    let listed = |name: &str| match changes.get(name) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(values)) if values.iter().all(plain) => Ok(values.clone()),
        Some(value) if plain(value) => Ok(vec![value.clone()]),
        Some(_) => Err(wrong()),
    };
    let (added, removed) = (listed("add")?, listed("remove")?);
    let mut list: Vec<Value> = current.iter().filter(|value| !removed.contains(value)).cloned().collect();
    for value in added {
        if !list.contains(&value) {
            list.push(value);
        }
    }
    Ok(list)
}
