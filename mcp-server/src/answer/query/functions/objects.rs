//! Functions of objects.

use std::collections::HashMap;
use std::rc::Rc;

use serde_json::Value;

use super::{Call, text_of};
use crate::answer::query::QueryError;
use crate::answer::query::item::{Item, Name};

impl<'a> Call<'_, '_, 'a> {
    /// An object as a list of pairs of name and value, so that it can be filtered, sorted and cut.
    pub(super) fn items_of_object(&mut self) -> Result<Item<'a>, QueryError> {
        let members = self.only_object()?;
        let mut pairs = Vec::new();
        for (name, item) in members {
            pairs.push(self.evaluation.list(vec![text_of(name), item])?);
        }
        self.evaluation.list(pairs)
    }

    /// The inverse of `items`.
    pub(super) fn object_of_items(&mut self) -> Result<Item<'a>, QueryError> {
        let pairs = self.only_list()?;
        let mut members = Members::default();
        for pair in pairs.iter() {
            self.evaluation.budget.step(1)?;
            let (Some(name), Some(value), 2) = (
                pair.items().and_then(|pair| pair.get(0)),
                pair.items().and_then(|pair| pair.get(1)),
                pair.items().map_or(0, |pair| pair.len()),
            ) else {
                return Err(self.wrong(1, "a list of pairs of name and value", &pair));
            };
            let name = match name {
                Item::Text(text) => Name::Known(text),
                Item::Part(Value::String(text)) => Name::Known(text),
                Item::Made(text) => Name::Made(text),
                other => return Err(self.wrong(1, "a list of pairs whose first is a text", &other)),
            };
            members.put(name, value);
        }
        self.evaluation.object(members.list)
    }

    pub(super) fn merge(&mut self) -> Result<Item<'a>, QueryError> {
        if self.arguments.is_empty() {
            return Err(self.error("`merge` takes at least one argument"));
        }
        let mut all = Members::default();
        for (index, argument) in self.arguments.iter().enumerate() {
            let Some(members) = argument.members() else {
                return Err(self.wrong(index + 1, "an object", argument));
            };
            self.evaluation.budget.step(members.len() * 2)?;
            for (name, item) in members {
                all.put(name, item);
            }
        }
        self.evaluation.object(all.list)
    }
}

/// Members in order, the last value of a name in the place of its first.
#[derive(Default)]
struct Members<'a> {
    list: Vec<(Name<'a>, Item<'a>)>,
    places: HashMap<Rc<str>, usize>,
}

impl<'a> Members<'a> {
    fn put(&mut self, name: Name<'a>, item: Item<'a>) {
        match self.places.get(name.as_str()).and_then(|place| self.list.get_mut(*place)) {
            Some((_, earlier)) => *earlier = item,
            None => {
                self.places.insert(Rc::from(name.as_str()), self.list.len());
                self.list.push((name, item));
            }
        }
    }
}
