//! Members of a coming version on objects that are made on the way out.

use serde_json::{Value, json};

use super::{Kind, NEXT_DATA, NEXT_LEVEL, Types};

impl Types {
    /// Gives every object that does not have them the members of a coming version; does nothing for the released one.
    ///
    /// Objects that the server stores always have [`NEXT_LEVEL`], because binding writes it; so what a client lost in a
    /// PUT stays lost.
    pub(crate) fn decorate(&self, name: &str, value: &mut Value) {
        if self.next_version {
            self.decorate_kind(&super::read_kind(name), value);
        }
    }

    fn decorate_kind(&self, kind: &Kind, value: &mut Value) {
        match (kind, value) {
            (Kind::List(inner), Value::Array(items)) => {
                for item in items {
                    self.decorate_kind(inner, item);
                }
            }
            (Kind::Named(name), Value::Object(object)) => {
                let Some(members) = self.object(name) else { return };
                for member in members {
                    if let Some(value) = object.get_mut(&member.name) {
                        self.decorate_kind(&member.kind, value);
                    }
                }
                if !object.contains_key(NEXT_LEVEL) {
                    object.insert(NEXT_LEVEL.to_owned(), Value::from(1));
                    object.insert(NEXT_DATA.to_owned(), json!({"origin": name, "nothing": null}));
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_nesting_level_gets_the_members() {
        let mut series = json!({"title": "A", "seasons": [{"seasonNumber": 1, "statistics": {"sizeOnDisk": 1}}]});
        Types::of(true).decorate("SeriesResource", &mut series);
        assert_eq!(series["nextVersionLevel"], 1);
        assert_eq!(series["seasons"][0]["nextVersionLevel"], 1);
        assert_eq!(series["seasons"][0]["statistics"]["nextVersionData"]["nothing"], Value::Null);
    }

    #[test]
    fn what_was_stored_stays_as_it_is() {
        let mut tag = json!({"label": "a", "nextVersionLevel": 0});
        Types::of(true).decorate("TagResource", &mut tag);
        assert_eq!(tag, json!({"label": "a", "nextVersionLevel": 0}));
        let mut released = json!({"label": "a"});
        Types::of(false).decorate("TagResource", &mut released);
        assert_eq!(released, json!({"label": "a"}));
    }
}
