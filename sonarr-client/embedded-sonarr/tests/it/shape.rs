//! The shape of JSON: member names, types, and which members may be absent.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

/// Members whose content is free: settings values, maps, the bodies of commands.
const FREE: [&str; 7] =
    ["value", "data", "strings", "body", "filters", "additionalProperties", "formattedMessagePlaceholderValues"];

/// The shape of one or several values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    pub types: BTreeSet<String>,
    pub members: BTreeMap<String, Shape>,
    /// Members that some values lack.
    pub optional: BTreeSet<String>,
    pub items: Option<Box<Shape>>,
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

impl Shape {
    pub fn of(value: &Value) -> Shape {
        let mut shape = Shape { types: BTreeSet::from([type_of(value).to_owned()]), ..Shape::default() };
        match value {
            Value::Object(object) => {
                for (name, value) in object {
                    let inner = if FREE.contains(&name.as_str()) { Shape::default() } else { Shape::of(value) };
                    shape.members.insert(name.clone(), inner);
                }
            }
            Value::Array(items) => {
                let inner = items.iter().map(Shape::of).reduce(Shape::merge);
                shape.items = inner.map(Box::new);
            }
            _ => {}
        }
        shape
    }

    pub fn merge(mut self, other: Shape) -> Shape {
        let objects = self.types.contains("object") && other.types.contains("object");
        if objects {
            for name in self.members.keys().chain(other.members.keys()) {
                if !(self.members.contains_key(name) && other.members.contains_key(name)) {
                    self.optional.insert(name.clone());
                }
            }
        }
        self.optional.extend(other.optional);
        self.types.extend(other.types);
        for (name, shape) in other.members {
            let merged = match self.members.remove(&name) {
                Some(own) => own.merge(shape),
                None => shape,
            };
            self.members.insert(name, merged);
        }
        self.items = match (self.items, other.items) {
            (Some(own), Some(other)) => Some(Box::new(own.merge(*other))),
            (own, other) => own.or(other),
        };
        self
    }

    pub fn json(&self) -> Value {
        let mut out = Map::new();
        if !self.types.is_empty() {
            out.insert("types".into(), json!(self.types));
        }
        if !self.members.is_empty() {
            out.insert(
                "members".into(),
                self.members.iter().map(|(name, shape)| (name.clone(), shape.json())).collect(),
            );
        }
        if !self.optional.is_empty() {
            out.insert("optional".into(), json!(self.optional));
        }
        if let Some(items) = &self.items {
            out.insert("items".into(), items.json());
        }
        Value::Object(out)
    }

    pub fn read(value: &Value) -> Shape {
        let words = |name: &str| -> BTreeSet<String> {
            value[name].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let members = value["members"].as_object().into_iter().flatten();
        Shape {
            types: words("types"),
            members: members.map(|(name, shape)| (name.clone(), Shape::read(shape))).collect(),
            optional: words("optional"),
            items: value.get("items").map(|items| Box::new(Shape::read(items))),
        }
    }
}

/// Names of members that are in the table of the API's types, with those that may be absent.
pub struct Names {
    known: BTreeSet<String>,
    optional: BTreeSet<String>,
}

impl Names {
    pub fn new() -> Names {
        let mut names = Names { known: BTreeSet::new(), optional: BTreeSet::new() };
        for line in include_str!("../../src/types/members.txt").lines().filter(|line| line.starts_with("  ")) {
            let mut words = line.split_whitespace();
            let (Some(name), Some(kind)) = (words.next(), words.next()) else { continue };
            names.known.insert(name.to_owned());
            if kind.ends_with('?') || name == "id" {
                names.optional.insert(name.to_owned());
            }
        }
        names
    }

    /// How answers differ from what was recorded; empty when they do not.
    pub fn differences(&self, recorded: &Shape, answered: &Shape, path: &str, out: &mut Vec<String>) {
        if recorded.types.is_empty() || answered.types.is_empty() {
            return;
        }
        for kind in answered.types.difference(&recorded.types) {
            out.push(format!("{path}: {kind} instead of {:?}", recorded.types));
        }
        for (name, shape) in &answered.members {
            match recorded.members.get(name) {
                Some(known) => self.differences(known, shape, &format!("{path}.{name}"), out),
                None if recorded.members.is_empty() || self.known.contains(name) => {}
                None => out.push(format!("{path}.{name}: no such member was recorded or documented")),
            }
        }
        for (name, shape) in &recorded.members {
            if answered.members.is_empty() && recorded.items.is_none() && answered.types.contains("array") {
                continue;
            }
            let value = shape.types.iter().all(|kind| kind == "number" || kind == "boolean") && !shape.types.is_empty();
            let always = value && !recorded.optional.contains(name) && !self.optional.contains(name);
            if !answered.members.contains_key(name) {
                out.push(format!("{path}.{name}: missing everywhere"));
            } else if always && answered.optional.contains(name) {
                out.push(format!("{path}.{name}: missing in some"));
            }
        }
        if let (Some(recorded), Some(answered)) = (&recorded.items, &answered.items) {
            self.differences(recorded, answered, &format!("{path}[]"), out);
        } else if recorded.items.is_some() && answered.items.is_none() && answered.types.contains("array") {
            out.push(format!("{path}: always empty"));
        }
    }
}

#[test]
fn shapes_merge_and_survive_json() {
    let shape = Shape::of(&json!([{"a": 1, "b": "x"}, {"a": null, "c": [1]}]));
    let items = shape.items.clone().unwrap();
    assert_eq!(items.optional, BTreeSet::from(["b".to_owned(), "c".to_owned()]));
    assert_eq!(items.members["a"].types.len(), 2);
    assert_eq!(Shape::read(&shape.json()), shape);
}

#[test]
fn a_missing_and_a_wrong_member_are_told() {
    let names = Names::new();
    let recorded = Shape::of(&json!({"title": "x", "monitored": true, "seasons": [{"seasonNumber": 1}]}));
    let mut out = Vec::new();
    names.differences(&recorded, &Shape::of(&json!({"title": 5, "seasons": [{}], "zebra": 1})), "$", &mut out);
    assert_eq!(out.len(), 4, "{out:?}");
}
