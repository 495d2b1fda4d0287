//! What an expression makes of a value.
//!
//! The parser is the `jmespath` crate's. Its evaluation has no bounds, sorts the members of objects
//! and counts in floating point; this one stops at its [`Budget`], keeps the order Sonarr answered
//! in and keeps whole numbers whole.
//!
//! Where JMESPath answers null, some things a caller plainly means are taken as meant: two texts
//! are compared by their characters (so dates can be), a slice of a text is a part of it, and
//! `true`, `false` and `null` are the values unless the object has a member of that name.

use std::cmp::Ordering;
use std::rc::Rc;

use jmespath::ast::{Ast, Comparator};
use serde_json::Value;

use super::QueryError;
use super::budget::Budget;
use super::functions;
use super::item::{Item, Name, compare_numbers};

/// What one kept item weighs, in bytes.
pub const ITEM: usize = size_of::<Item<'static>>();

/// What one kept member weighs, in bytes.
pub const MEMBER: usize = ITEM + size_of::<Name<'static>>();

/// An evaluation under way.
pub struct Evaluation<'e> {
    /// The expression's text, to say where in it something is wrong.
    pub expression: &'e str,
    /// What is left of the bounds.
    pub budget: Budget<'e>,
}

impl Evaluation<'_> {
    /// A problem at a place in the expression.
    pub fn error(&self, problem: impl Into<String>, offset: usize) -> QueryError {
        QueryError::new(problem).at(self.expression, offset)
    }

    /// What `ast` makes of `data`.
    pub fn value<'a>(&mut self, data: &Item<'a>, ast: &'a Ast) -> Result<Item<'a>, QueryError> {
        self.budget.step(1)?;
        match ast {
            Ast::Identity { .. } => Ok(data.clone()),
            Ast::Literal { value, .. } => Ok(Item::literal(value)),
            Ast::Expref { ast, .. } => Ok(Item::Expression(ast)),
            Ast::Field { name, .. } => {
                if let Item::Object(members) = data {
                    self.budget.step(members.len())?;
                }
                Ok(data.member(name).unwrap_or_else(|| named_value(name)))
            }
            Ast::Subexpr { lhs, rhs, .. } => {
                let left = self.value(data, lhs)?;
                self.value(&left, rhs)
            }
            Ast::Index { idx, .. } => Ok(index(data, *idx)),
            Ast::Slice { offset, start, stop, step } => self.slice(data, *start, *stop, *step, *offset),
            Ast::Or { lhs, rhs, .. } => {
                let left = self.value(data, lhs)?;
                if left.is_true() { Ok(left) } else { self.value(data, rhs) }
            }
            Ast::And { lhs, rhs, .. } => {
                let left = self.value(data, lhs)?;
                if left.is_true() { self.value(data, rhs) } else { Ok(left) }
            }
            Ast::Not { node, .. } => Ok(Item::Bool(!self.value(data, node)?.is_true())),
            Ast::Condition { predicate, then, .. } => {
                if self.value(data, predicate)?.is_true() {
                    self.value(data, then)
                } else {
                    Ok(Item::Null)
                }
            }
            Ast::Comparison { comparator, lhs, rhs, .. } => self.comparison(data, comparator, lhs, rhs),
            Ast::ObjectValues { node, .. } => match self.value(data, node)?.members() {
                Some(members) => self.list(members.into_iter().map(|(_, item)| item).collect()),
                None => Ok(Item::Null),
            },
            Ast::Projection { lhs, rhs, .. } => self.projection(data, lhs, rhs),
            Ast::Flatten { node, .. } => self.flatten(data, node),
            Ast::MultiList { elements, .. } => {
                if data.is_null() {
                    return Ok(Item::Null);
                }
                let mut items = Vec::new();
                for element in elements {
                    items.push(self.value(data, element)?);
                }
                self.list(items)
            }
            Ast::MultiHash { elements, .. } => {
                if data.is_null() {
                    return Ok(Item::Null);
                }
                let mut members: Vec<(Name<'a>, Item<'a>)> = Vec::new();
                for element in elements {
                    let value = self.value(data, &element.value)?;
                    match members.iter_mut().find(|(name, _)| name.as_str() == element.key) {
                        Some((_, earlier)) => *earlier = value,
                        None => members.push((Name::Known(&element.key), value)),
                    }
                }
                self.object(members)
            }
            Ast::Function { name, args, offset } => {
                let mut arguments = Vec::new();
                for argument in args {
                    arguments.push(self.value(data, argument)?);
                }
                functions::call(self, name, &arguments, *offset)
            }
        }
    }

    /// A made list, counted.
    pub fn list<'a>(&mut self, items: Vec<Item<'a>>) -> Result<Item<'a>, QueryError> {
        self.budget.step(items.len())?;
        self.budget.keep(items.len() * ITEM)?;
        Ok(Item::list(items))
    }

    /// A made object, counted; its names have to be different.
    pub fn object<'a>(&mut self, members: Vec<(Name<'a>, Item<'a>)>) -> Result<Item<'a>, QueryError> {
        self.budget.step(members.len())?;
        self.budget.keep(members.len() * MEMBER)?;
        Ok(Item::Object(Rc::new(members)))
    }

    /// A made text, counted.
    pub fn text<'a>(&mut self, text: String) -> Result<Item<'a>, QueryError> {
        self.budget.step(text.len() / 16)?;
        self.budget.keep(text.len())?;
        Ok(Item::made(text))
    }

    fn projection<'a>(&mut self, data: &Item<'a>, lhs: &'a Ast, rhs: &'a Ast) -> Result<Item<'a>, QueryError> {
        let left = self.value(data, lhs)?;
        let Some(items) = left.items() else {
            // A slice of a text is a text, and goes on as one.
            return if matches!(lhs, Ast::Slice { .. }) && left.text().is_some() {
                self.value(&left, rhs)
            } else {
                Ok(Item::Null)
            };
        };
        let mut kept = Vec::new();
        for item in items.iter() {
            let value = self.value(&item, rhs)?;
            if !value.is_null() {
                self.budget.keep(ITEM)?;
                kept.push(value);
            }
        }
        Ok(Item::list(kept))
    }

    fn flatten<'a>(&mut self, data: &Item<'a>, node: &'a Ast) -> Result<Item<'a>, QueryError> {
        let Some(items) = self.value(data, node)?.items() else {
            return Ok(Item::Null);
        };
        let mut flat = Vec::new();
        for item in items.iter() {
            let within = item.items();
            let count = within.as_ref().map_or(1, super::item::List::len);
            self.budget.step(count + 1)?;
            self.budget.keep(count * ITEM)?;
            match within {
                Some(within) => flat.extend(within.iter()),
                None => flat.push(item),
            }
        }
        Ok(Item::list(flat))
    }

    fn comparison<'a>(
        &mut self,
        data: &Item<'a>,
        comparator: &Comparator,
        lhs: &'a Ast,
        rhs: &'a Ast,
    ) -> Result<Item<'a>, QueryError> {
        let left = self.value(data, lhs)?;
        let right = self.value(data, rhs)?;
        let holds = match comparator {
            Comparator::Equal => Some(left.same(&right, &mut self.budget)?),
            Comparator::NotEqual => Some(!left.same(&right, &mut self.budget)?),
            Comparator::LessThan => order(&left, &right).map(Ordering::is_lt),
            Comparator::LessThanEqual => order(&left, &right).map(Ordering::is_le),
            Comparator::GreaterThan => order(&left, &right).map(Ordering::is_gt),
            Comparator::GreaterThanEqual => order(&left, &right).map(Ordering::is_ge),
        };
        Ok(holds.map_or(Item::Null, Item::Bool))
    }

    fn slice<'a>(
        &mut self,
        data: &Item<'a>,
        start: Option<i32>,
        stop: Option<i32>,
        step: i32,
        offset: usize,
    ) -> Result<Item<'a>, QueryError> {
        if step == 0 {
            return Err(self.error("the step of a slice cannot be 0", offset));
        }
        if let Some(items) = data.items() {
            let picked = indices(items.len(), start, stop, step).filter_map(|index| items.get(index)).collect();
            return self.list(picked);
        }
        let Some(text) = data.text() else {
            return Ok(Item::Null);
        };
        self.budget.step(text.len() / 4)?;
        self.budget.keep(text.len() * 4)?;
        let characters: Vec<char> = text.chars().collect();
        let picked: String =
            indices(characters.len(), start, stop, step).filter_map(|index| characters.get(index)).collect();
        self.text(picked)
    }
}

/// The value a name stands for where no member has it.
fn named_value<'a>(name: &str) -> Item<'a> {
    match name {
        "true" => Item::Bool(true),
        "false" => Item::Bool(false),
        _ => Item::Null,
    }
}

/// Which of two numbers or texts comes first; other values have no order.
pub fn order(one: &Item<'_>, two: &Item<'_>) -> Option<Ordering> {
    match (one.number(), two.number()) {
        (Some(one), Some(two)) => compare_numbers(one, two),
        _ => Some(one.text()?.cmp(two.text()?)),
    }
}

fn index<'a>(data: &Item<'a>, index: i32) -> Item<'a> {
    let Some(items) = data.items() else {
        return Item::Null;
    };
    let from_end = usize::try_from(index.unsigned_abs()).ok();
    let place = if index < 0 { from_end.and_then(|back| items.len().checked_sub(back)) } else { from_end };
    place.and_then(|place| items.get(place)).unwrap_or(Item::Part(&Value::Null))
}

/// The indices a slice picks, in its order.
fn indices(length: usize, start: Option<i32>, stop: Option<i32>, step: i32) -> impl Iterator<Item = usize> {
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    let step = i64::from(step);
    let (least, most) = if step > 0 { (0, length) } else { (-1, length - 1) };
    let place = |end: i32| {
        let end = i64::from(end);
        (if end < 0 { end + length } else { end }).clamp(least, most)
    };
    let first = start.map_or(if step > 0 { least } else { most }, place);
    let end = stop.map_or(if step > 0 { most } else { least }, place);
    let mut next = first;
    std::iter::from_fn(move || {
        let inside = if step > 0 { next < end } else { next > end };
        let index = inside.then_some(next)?;
        next += step;
        usize::try_from(index).ok()
    })
}
