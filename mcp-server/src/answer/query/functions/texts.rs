//! Functions of texts, some of which take lists as well.

use super::Call;
use crate::answer::query::QueryError;
use crate::answer::query::item::Item;

impl<'a> Call<'_, '_, 'a> {
    pub(super) fn contains(&mut self) -> Result<Item<'a>, QueryError> {
        let (within, sought) = self.two()?;
        if let Some(text) = within.text() {
            self.evaluation.budget.step(text.len() / 16)?;
            return Ok(Item::Bool(sought.text().is_some_and(|part| text.contains(part))));
        }
        let Some(items) = within.items() else {
            return Err(self.wrong(1, "a text or a list", &within));
        };
        for item in items.iter() {
            if item.same(&sought, &mut self.evaluation.budget)? {
                return Ok(Item::Bool(true));
            }
        }
        Ok(Item::Bool(false))
    }

    pub(super) fn two_texts(&mut self, holds: impl Fn(&str, &str) -> bool) -> Result<Item<'a>, QueryError> {
        let (one, two) = self.two()?;
        match (one.text(), two.text()) {
            (Some(text), Some(part)) => Ok(Item::Bool(holds(text, part))),
            (None, _) => Err(self.wrong(1, "a text", &one)),
            (_, None) => Err(self.wrong(2, "a text", &two)),
        }
    }

    pub(super) fn one_text(&mut self, change: impl Fn(&str) -> String) -> Result<Item<'a>, QueryError> {
        let item = self.only()?;
        match item.text() {
            Some(text) => self.evaluation.text(change(text)),
            None => Err(self.wrong(1, "a text", &item)),
        }
    }

    pub(super) fn join(&mut self) -> Result<Item<'a>, QueryError> {
        let (glue, list) = self.two()?;
        let Some(glue) = glue.text() else {
            return Err(self.wrong(1, "a text", &glue));
        };
        let Some(items) = list.items() else {
            return Err(self.wrong(2, "a list of texts", &list));
        };
        let mut joined = String::new();
        for (index, item) in items.iter().enumerate() {
            let Some(text) = item.text() else {
                return Err(self.wrong(2, "a list of texts", &item));
            };
            self.evaluation.budget.step(1)?;
            self.evaluation.budget.keep(glue.len() + text.len())?;
            if index > 0 {
                joined.push_str(glue);
            }
            joined.push_str(text);
        }
        Ok(Item::made(joined))
    }

    pub(super) fn length(&mut self) -> Result<Item<'a>, QueryError> {
        let item = self.only()?;
        if let Some(text) = item.text() {
            self.evaluation.budget.step(text.len() / 16)?;
            return Ok(Item::count(text.chars().count()));
        }
        match item.items().map(|items| items.len()).or_else(|| item.size()) {
            Some(length) => Ok(Item::count(length)),
            None => Err(self.wrong(1, "a text, a list or an object", &item)),
        }
    }

    pub(super) fn reverse(&mut self) -> Result<Item<'a>, QueryError> {
        let item = self.only()?;
        if let Some(text) = item.text() {
            return self.evaluation.text(text.chars().rev().collect());
        }
        let Some(items) = item.items() else {
            return Err(self.wrong(1, "a text or a list", &item));
        };
        let mut reversed: Vec<Item<'a>> = items.iter().collect();
        reversed.reverse();
        self.evaluation.list(reversed)
    }

    pub(super) fn text_of_value(&mut self) -> Result<Item<'a>, QueryError> {
        let item = self.only()?;
        if item.text().is_some() {
            return Ok(item);
        }
        let text = item.into_value(&mut self.evaluation.budget)?.to_string();
        self.evaluation.text(text)
    }
}
