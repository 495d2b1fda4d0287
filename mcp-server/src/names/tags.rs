//! A tag by its label, and one that is to be created.

use serde_json::{Map, Value, json};

use super::{Resolver, choose, same};
use crate::arguments::ArgumentError;
use crate::failure::{Code, Failure};

/// What before a label asks for the tag to be created where there is none; no label begins with it.
const CREATE: char = '+';

/// The labels of tags that have to be created before the call.
///
/// Until then a negative number stands in the place of each one's id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewTags(Vec<String>);

impl NewTags {
    /// The labels.
    pub fn labels(&self) -> &[String] {
        &self.0
    }

    /// Whether none has to be created.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number that stands for a label.
    fn stand_in(&mut self, label: String) -> i64 {
        let index = self.0.iter().position(|known| *known == label).unwrap_or_else(|| {
            self.0.push(label);
            self.0.len() - 1
        });
        -(i64::try_from(index).unwrap_or_default() + 1)
    }

    /// Puts the ids in their places, in every member `tags` of `value`.
    pub fn fill(&self, ids: &[i64], value: &mut Value) {
        match value {
            Value::Object(members) => {
                for (name, value) in members {
                    match value {
                        Value::Array(items) if name == "tags" => items.iter_mut().for_each(|item| fill_one(ids, item)),
                        other => self.fill(ids, other),
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.fill(ids, item)),
            _ => {}
        }
    }
}

fn fill_one(ids: &[i64], item: &mut Value) {
    let place = item.as_i64().filter(|number| *number < 0).and_then(|number| usize::try_from(-number - 1).ok());
    if let Some(id) = place.and_then(|place| ids.get(place)) {
        *item = Value::from(*id);
    }
}

impl Resolver<'_> {
    /// The id of the tag that is meant.
    ///
    /// # Errors
    /// There is none and it is not asked for, or the label cannot be one.
    pub(super) async fn tag(&mut self, text: &str, path: &str) -> Result<Option<i64>, Failure> {
        let text = text.trim();
        let (label, create) = match text.strip_prefix(CREATE) {
            Some(label) => (label.trim(), true),
            None => (text, false),
        };
        let list = self.list("list_tags", json!({})).await?;
        let told = |it: &Value| it.get("label").and_then(Value::as_str).unwrap_or_default().to_owned();
        let found: Vec<&Value> = list.iter().filter(|it| same(&told(it), label)).collect();
        if !found.is_empty() || !create {
            let chosen = choose(&list, found, label, path, "tag", told);
            return chosen.map_err(|mut failure| {
                if failure.code == Code::InvalidArguments && failure.message.starts_with("there is no") {
                    failure.message.push_str(&format!(". `{CREATE}{label}` creates it"));
                }
                failure
            });
        }
        let label = label.to_lowercase();
        if label.is_empty() || !label.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-') {
            let problem = format!("`{label}` cannot be a tag: its label has the letters a to z, digits and `-`");
            return Err(ArgumentError::new(path, problem).into());
        }
        if !self.operation.effect.writes() {
            return Err(ArgumentError::new(path, format!("there is no tag `{label}`, and reading creates none")).into());
        }
        Ok(Some(self.new_tags.stand_in(label)))
    }
}

/// The arguments that create a tag.
pub fn create(label: &str) -> Map<String, Value> {
    Map::from_iter([("body".to_owned(), json!({"label": label}))])
}

#[cfg(test)]
mod tests {
    use super::NewTags;
    use serde_json::json;

    #[test]
    fn ids_take_the_places_of_their_stand_ins() {
        let mut new = NewTags::default();
        assert_eq!((new.stand_in("a".to_owned()), new.stand_in("b".to_owned())), (-1, -2));
        assert_eq!(new.stand_in("a".to_owned()), -1);
        let mut value = json!({"tags": [3, -2], "inner": [{"tags": [-1]}], "offset": -1});
        new.fill(&[8, 9], &mut value);
        assert_eq!(value, json!({"tags": [3, 9], "inner": [{"tags": [8]}], "offset": -1}));
    }
}
