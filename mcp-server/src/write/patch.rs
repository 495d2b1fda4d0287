//! A merge patch, put on an object as it is now.
//!
//! The patch is one of RFC 7396: members named change, a null removes, everything else stays.
//! On top of that a list whose items have a key can be patched item by item, as in
//! `{"seasons": {"3": {"monitored": true}}}`, and no member can be made up: it must be one that
//! the object or its type has.

mod list;

use serde_json::{Map, Value};

use crate::arguments::ArgumentError;

/// Puts `patch` on `current`, whose type `schema` describes.
///
/// `schema` is the schema of the operation's arguments; its property `body` is the object's.
///
/// # Errors
/// The path below `arguments.patch` of a member or item that neither the object nor its type has,
/// with the nearest one; a null or a list where it cannot be meant; another `id`.
pub fn apply(current: &Value, patch: &Value, schema: &Value) -> Result<Value, ArgumentError> {
    let path = "arguments.patch";
    if !patch.is_object() {
        return Err(ArgumentError::new(
            path,
            "expected an object with the members to change, as in {\"monitored\": true}",
        ));
    }
    let types = Types { root: schema };
    let body = types.member(Some(schema), "body");
    let settled = types.settle(body, "", Some(current), patch, path)?;
    if let (Some(new), Some(old)) = (settled.get("id"), current.get("id"))
        && new != old
    {
        return Err(ArgumentError::new(
            format!("{path}.id"),
            format!("the object's id is {old} and cannot be changed"),
        ));
    }
    let mut patched = current.clone();
    json_patch::merge(&mut patched, &settled);
    Ok(patched)
}

/// The types of the object and of what is in it.
struct Types<'s> {
    root: &'s Value,
}

impl<'s> Types<'s> {
    /// Brings a patch of the value `current` to the form of RFC 7396, in which a list is whole.
    ///
    /// `member` is the name under which the value stands.
    fn settle(
        &self,
        schema: Option<&'s Value>,
        member: &str,
        current: Option<&Value>,
        patch: &Value,
        path: &str,
    ) -> Result<Value, ArgumentError> {
        match (patch, current) {
            (_, Some(Value::Array(items))) if patch.is_object() || patch.is_array() => {
                self.settle_list(schema, member, items, patch, path)
            }
            (Value::Object(members), _) => self.settle_members(schema, current, members, path).map(Value::Object),
            (Value::Array(items), _) => self.new_items(schema, items, path).map(Value::Array),
            (plain, _) => Ok(plain.clone()),
        }
    }

    fn settle_members(
        &self,
        schema: Option<&'s Value>,
        current: Option<&Value>,
        members: &Map<String, Value>,
        path: &str,
    ) -> Result<Map<String, Value>, ArgumentError> {
        let properties = self.properties(schema);
        let own = current.and_then(Value::as_object);
        let mut settled = Map::new();
        for (given, change) in members {
            let known = || {
                let typed = properties.into_iter().flat_map(|it| it.keys());
                typed.chain(own.into_iter().flat_map(|it| it.keys())).map(String::as_str)
            };
            let inner = format!("{path}.{given}");
            let name = match find(known, given) {
                Some(name) => name,
                // Of an object without a known type anything may be a member.
                None if properties.is_none() && own.is_none_or(Map::is_empty) => given.as_str(),
                None => return Err(unknown_member(&inner, given, known)),
            };
            let value =
                self.settle(self.member(schema, name), name, own.and_then(|own| own.get(name)), change, &inner)?;
            if settled.insert(name.to_owned(), value).is_some() {
                return Err(ArgumentError::new(inner, format!("`{name}` is given twice")));
            }
        }
        Ok(settled)
    }

    /// The items of a list that has none to be merged with.
    fn new_items(&self, schema: Option<&'s Value>, items: &[Value], path: &str) -> Result<Vec<Value>, ArgumentError> {
        let schema = self.item(schema);
        let settle = |(at, item): (usize, &Value)| self.settle(schema, "", None, item, &format!("{path}[{at}]"));
        items.iter().enumerate().map(settle).collect()
    }

    fn properties(&self, schema: Option<&'s Value>) -> Option<&'s Map<String, Value>> {
        self.keyword(schema, "properties")?.as_object()
    }

    fn member(&self, schema: Option<&'s Value>, name: &str) -> Option<&'s Value> {
        self.properties(schema)?.get(name)
    }

    fn item(&self, schema: Option<&'s Value>) -> Option<&'s Value> {
        self.keyword(schema, "items")
    }

    /// A keyword of a schema, of what it refers to, or of its only alternative that has it.
    fn keyword(&self, schema: Option<&'s Value>, keyword: &str) -> Option<&'s Value> {
        let schema = schema?;
        let schema = match schema.get("$ref").and_then(Value::as_str) {
            Some(reference) => self.root.pointer(reference.strip_prefix('#')?)?,
            None => schema,
        };
        schema.get(keyword).or_else(|| {
            ["anyOf", "oneOf", "allOf"]
                .iter()
                .filter_map(|combinator| schema.get(combinator)?.as_array())
                .flatten()
                .find_map(|alternative| self.keyword(Some(alternative), keyword))
        })
    }
}

/// The known name that `given` is, also in another case or with underscores.
fn find<'n, I: Iterator<Item = &'n str>>(known: impl Fn() -> I, given: &str) -> Option<&'n str> {
    let plain = |name: &str| name.replace('_', "").to_lowercase();
    known().find(|name| *name == given).or_else(|| {
        let given = plain(given);
        known().find(|name| plain(name) == given)
    })
}

fn unknown_member<'n, I: Iterator<Item = &'n str>>(path: &str, given: &str, known: impl Fn() -> I) -> ArgumentError {
    let mut accepted: Vec<String> = Vec::new();
    for name in known() {
        if !accepted.iter().any(|other| other == name) {
            accepted.push(name.to_owned());
        }
    }
    ArgumentError::new(path, "neither the object nor its type has this member")
        .resembling(given, known())
        .accepting(accepted)
}

#[cfg(test)]
mod tests;
