//! Functions of lists.

use std::cmp::Ordering;

use jmespath::ast::Ast;

use super::Call;
use crate::answer::query::QueryError;
use crate::answer::query::evaluate::{ITEM, order};
use crate::answer::query::item::{Item, List};

impl<'a> Call<'_, '_, 'a> {
    pub(super) fn map(&mut self) -> Result<Item<'a>, QueryError> {
        let (items, ast) = self.list_and_expression(false)?;
        let mut mapped = Vec::new();
        for item in items.iter() {
            mapped.push(self.evaluation.value(&item, ast)?);
        }
        self.evaluation.list(mapped)
    }

    /// The items of a list, each with what it is ordered by; all of these are numbers, or texts.
    pub(super) fn keyed(
        &mut self,
        items: &List<'a>,
        by: Option<&'a Ast>,
    ) -> Result<Vec<(Item<'a>, Item<'a>)>, QueryError> {
        let mut keyed: Vec<(Item<'a>, Item<'a>)> = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let key = match by {
                Some(ast) => self.evaluation.value(&item, ast)?,
                None => item.clone(),
            };
            let first = keyed.first().map_or(&key, |(first, _)| first);
            if order(&key, first).is_none() {
                let (one, two) = (first.kind(), key.kind());
                return Err(self.error(format!(
                    "`{}` orders numbers or texts of one kind, but item {index} gives {two}{}; leave such items out \
                     first, as in `[?nextAiring] | sort_by(@, &nextAiring)`",
                    self.name,
                    if one == two { String::new() } else { format!(" and the first {one}") }
                )));
            }
            keyed.push((key, item));
        }
        // Sorting looks at each item some twenty times.
        self.evaluation.budget.step(keyed.len() * 20)?;
        self.evaluation.budget.keep(keyed.len() * 2 * ITEM)?;
        Ok(keyed)
    }

    pub(super) fn sort(&mut self) -> Result<Item<'a>, QueryError> {
        let items = self.only_list()?;
        self.sorted(&items, None)
    }

    pub(super) fn sort_by(&mut self) -> Result<Item<'a>, QueryError> {
        let (items, ast) = self.list_and_expression(true)?;
        self.sorted(&items, Some(ast))
    }

    pub(super) fn sorted(&mut self, items: &List<'a>, by: Option<&'a Ast>) -> Result<Item<'a>, QueryError> {
        let mut keyed = self.keyed(items, by)?;
        keyed.sort_by(|(one, _), (two, _)| order(one, two).unwrap_or(Ordering::Equal));
        self.evaluation.list(keyed.into_iter().map(|(_, item)| item).collect())
    }

    pub(super) fn extreme(&mut self, wanted: Ordering) -> Result<Item<'a>, QueryError> {
        let items = self.only_list()?;
        self.outermost(&items, None, wanted)
    }

    pub(super) fn extreme_by(&mut self, wanted: Ordering) -> Result<Item<'a>, QueryError> {
        let (items, ast) = self.list_and_expression(true)?;
        self.outermost(&items, Some(ast), wanted)
    }

    pub(super) fn outermost(
        &mut self,
        items: &List<'a>,
        by: Option<&'a Ast>,
        wanted: Ordering,
    ) -> Result<Item<'a>, QueryError> {
        let mut best: Option<(Item<'a>, Item<'a>)> = None;
        for (key, item) in self.keyed(items, by)? {
            let better = best.as_ref().is_none_or(|(so_far, _)| order(&key, so_far) == Some(wanted));
            if better {
                best = Some((key, item));
            }
        }
        Ok(best.map_or(Item::Null, |(_, item)| item))
    }
}
