//! The members of the API's types, and the binding of request bodies to them.
//!
//! The real server reads a body into a class: members it does not know are dropped, names and enum values match in any
//! case, absent numbers become 0, and a wrong JSON type refuses the whole request. [`Types::bind`] does the same from a
//! table, so that a stored object holds exactly what the real server would have stored.

mod bind;
mod decorate;

use std::collections::HashMap;
use std::sync::OnceLock;

pub(crate) use bind::{canonical_enum, read_date};

/// What a member holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Str,
    Date,
    Span,
    Int,
    Long,
    Double,
    Bool,
    Map,
    Any,
    Terms,
    Named(String),
    List(Box<Kind>),
}

/// A member of a type.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub name: String,
    pub kind: Kind,
    /// A value type that may be absent all the same.
    pub optional: bool,
}

/// Every type and enum of one server version.
#[derive(Debug, Default)]
pub(crate) struct Types {
    objects: HashMap<String, Vec<Member>>,
    enums: HashMap<String, Vec<(String, i64)>>,
    next_version: bool,
}

/// The member that every object has in a coming version, whose absence in a PUT resets it to 0.
pub(crate) const NEXT_LEVEL: &str = "nextVersionLevel";
/// The member that every object may have in a coming version, a map that holds an explicit null.
pub(crate) const NEXT_DATA: &str = "nextVersionData";
/// The name that every enum has besides its own in a coming version.
pub(crate) const NEXT_ENUM: &str = "fromNextVersion";

impl Types {
    /// The table of the released version, or of the coming one.
    pub(crate) fn of(next_version: bool) -> &'static Types {
        static RELEASED: OnceLock<Types> = OnceLock::new();
        static NEXT: OnceLock<Types> = OnceLock::new();
        if next_version {
            NEXT.get_or_init(|| {
                let mut types = Types::default();
                types.read(include_str!("members.txt"));
                types.read(include_str!("next_version.txt"));
                types.next_version = true;
                types
            })
        } else {
            RELEASED.get_or_init(|| {
                let mut types = Types::default();
                types.read(include_str!("members.txt"));
                types
            })
        }
    }

    fn read(&mut self, text: &str) {
        let mut current = String::new();
        for line in text.lines() {
            let mut words = line.split_whitespace();
            match (line.starts_with(' '), words.next(), words.next()) {
                (_, None, _) | (_, Some("#"), _) => {}
                (false, Some("type"), Some(name)) => {
                    current = name.to_owned();
                    self.objects.entry(current.clone()).or_default();
                }
                (false, Some("enum"), Some(name)) => {
                    let values = words.filter_map(|pair| {
                        let (value, number) = pair.split_once('=')?;
                        Some((value.to_owned(), number.parse().ok()?))
                    });
                    self.enums.entry(name.to_owned()).or_default().extend(values);
                }
                (true, Some(name), Some(kind)) => {
                    let optional = kind.ends_with('?');
                    let member =
                        Member { name: name.to_owned(), kind: read_kind(kind.trim_end_matches('?')), optional };
                    let members = self.objects.entry(current.clone()).or_default();
                    // `id` is written last, as the real server's base class does it.
                    let at = members.iter().position(|known| known.name == "id" && !members.is_empty());
                    match at {
                        Some(at) if at > 0 => members.insert(at, member),
                        _ => members.push(member),
                    }
                }
                _ => {}
            }
        }
    }

    pub(crate) fn object(&self, name: &str) -> Option<&[Member]> {
        self.objects.get(name).map(Vec::as_slice)
    }

    pub(crate) fn enumeration(&self, name: &str) -> Option<&[(String, i64)]> {
        self.enums.get(name).map(Vec::as_slice)
    }
}

fn read_kind(text: &str) -> Kind {
    if let Some(inner) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        return Kind::List(Box::new(read_kind(inner)));
    }
    match text {
        "str" => Kind::Str,
        "date" => Kind::Date,
        "span" => Kind::Span,
        "int" => Kind::Int,
        "long" => Kind::Long,
        "double" => Kind::Double,
        "bool" => Kind::Bool,
        "map" => Kind::Map,
        "any" => Kind::Any,
        "terms" => Kind::Terms,
        name => Kind::Named(name.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_the_table_is_known() {
        for next_version in [false, true] {
            let types = Types::of(next_version);
            for (name, members) in &types.objects {
                assert!(!members.is_empty(), "{name} has no members");
                for member in members {
                    let mut kind = &member.kind;
                    while let Kind::List(inner) = kind {
                        kind = inner;
                    }
                    if let Kind::Named(other) = kind {
                        assert!(
                            types.object(other).is_some() || types.enumeration(other).is_some(),
                            "{name}.{} is of the unknown type {other}",
                            member.name
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn the_coming_version_knows_more() {
        let members = |next| Types::of(next).object("ReleaseProfileResource").unwrap().len();
        assert!(members(true) >= members(false) + 3);
        assert_eq!(Types::of(true).object("TagResource").unwrap().last().unwrap().name, "id");
    }
}
