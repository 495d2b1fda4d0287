//! The values a query works on: parts of the answer as they lie, and what is made of them.
//!
//! A list of parts holds references, so taking half of a large answer copies nothing until the
//! result is written down.

use std::cmp::Ordering;
use std::rc::Rc;

use jmespath::Variable;
use jmespath::ast::Ast;
use serde_json::{Map, Number, Value};

use super::QueryError;
use super::budget::Budget;

/// How deep a result may be; readers of JSON refuse more.
const MAX_DEPTH: usize = 120;

/// What a value beside its text or members weighs, in bytes.
const WEIGHT: usize = 16;

/// A value on the way to the result.
#[derive(Debug, Clone)]
pub enum Item<'a> {
    /// A part of the answer.
    Part(&'a Value),
    /// A value of the expression, or none.
    Null,
    /// A truth value.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A text of the answer or the expression.
    Text(&'a str),
    /// A text that was made.
    Made(Rc<str>),
    /// A list that was made.
    List(Rc<Vec<Item<'a>>>),
    /// An object that was made, its names once each.
    Object(Rc<Vec<(Name<'a>, Item<'a>)>>),
    /// An expression as an argument of a function.
    Expression(&'a Ast),
}

/// The name of a member.
#[derive(Debug, Clone)]
pub enum Name<'a> {
    /// One of the answer or the expression.
    Known(&'a str),
    /// One that was made.
    Made(Rc<str>),
}

impl Name<'_> {
    /// The name's text.
    pub fn as_str(&self) -> &str {
        match self {
            Name::Known(name) => name,
            Name::Made(name) => name,
        }
    }
}

/// A list, of either origin.
#[derive(Debug, Clone)]
pub enum List<'a> {
    /// One of the answer.
    Part(&'a [Value]),
    /// One that was made.
    Made(Rc<Vec<Item<'a>>>),
}

impl<'a> List<'a> {
    /// How many items it has.
    pub fn len(&self) -> usize {
        match self {
            List::Part(items) => items.len(),
            List::Made(items) => items.len(),
        }
    }

    /// The item of an index.
    pub fn get(&self, index: usize) -> Option<Item<'a>> {
        match self {
            List::Part(items) => items.get(index).map(Item::Part),
            List::Made(items) => items.get(index).cloned(),
        }
    }

    /// The items in order.
    pub fn iter(&self) -> impl Iterator<Item = Item<'a>> {
        (0..self.len()).filter_map(|index| self.get(index))
    }
}

impl<'a> Item<'a> {
    /// A made list.
    pub fn list(items: Vec<Item<'a>>) -> Self {
        Item::List(Rc::new(items))
    }

    /// A made text.
    pub fn made(text: impl Into<Rc<str>>) -> Self {
        Item::Made(text.into())
    }

    /// A whole number.
    pub fn count(count: usize) -> Self {
        Item::Number(Number::from(count))
    }

    /// A literal of the expression.
    pub fn literal(value: &'a Variable) -> Self {
        match value {
            Variable::Null => Item::Null,
            Variable::Bool(value) => Item::Bool(*value),
            Variable::Number(value) => Item::Number(value.clone()),
            Variable::String(text) => Item::Text(text),
            Variable::Array(items) => Item::list(items.iter().map(|item| Item::literal(item)).collect()),
            Variable::Object(members) => Item::Object(Rc::new(
                members.iter().map(|(name, value)| (Name::Known(name.as_str()), Item::literal(value))).collect(),
            )),
            Variable::Expref(ast) => Item::Expression(ast),
        }
    }

    /// What JMESPath calls its type.
    pub fn kind(&self) -> &'static str {
        match self {
            Item::Null | Item::Part(Value::Null) => "null",
            Item::Bool(_) | Item::Part(Value::Bool(_)) => "boolean",
            Item::Number(_) | Item::Part(Value::Number(_)) => "number",
            Item::Text(_) | Item::Made(_) | Item::Part(Value::String(_)) => "string",
            Item::List(_) | Item::Part(Value::Array(_)) => "array",
            Item::Object(_) | Item::Part(Value::Object(_)) => "object",
            Item::Expression(_) => "expression",
        }
    }

    /// Whether it is null.
    pub fn is_null(&self) -> bool {
        matches!(self, Item::Null | Item::Part(Value::Null))
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Item::Text(text) => Some(text),
            Item::Made(text) => Some(text),
            Item::Part(Value::String(text)) => Some(text),
            _ => None,
        }
    }

    /// The number, if it is one.
    pub fn number(&self) -> Option<&Number> {
        match self {
            Item::Number(number) | Item::Part(Value::Number(number)) => Some(number),
            _ => None,
        }
    }

    /// The list, if it is one.
    pub fn items(&self) -> Option<List<'a>> {
        match self {
            Item::Part(Value::Array(items)) => Some(List::Part(items)),
            Item::List(items) => Some(List::Made(Rc::clone(items))),
            _ => None,
        }
    }

    /// The members, if it is an object.
    pub fn members(&self) -> Option<Vec<(Name<'a>, Item<'a>)>> {
        match self {
            Item::Part(Value::Object(members)) => {
                Some(members.iter().map(|(name, value)| (Name::Known(name.as_str()), Item::Part(value))).collect())
            }
            Item::Object(members) => Some(members.as_ref().clone()),
            _ => None,
        }
    }

    /// How many members it has, if it is an object.
    pub fn size(&self) -> Option<usize> {
        match self {
            Item::Part(Value::Object(members)) => Some(members.len()),
            Item::Object(members) => Some(members.len()),
            _ => None,
        }
    }

    /// The member of a name, if there is one.
    pub fn member(&self, name: &str) -> Option<Item<'a>> {
        match self {
            Item::Part(Value::Object(members)) => members.get(name).map(Item::Part),
            Item::Object(members) => {
                members.iter().find(|(known, _)| known.as_str() == name).map(|(_, item)| item.clone())
            }
            _ => None,
        }
    }

    /// False for null, false and anything empty.
    pub fn is_true(&self) -> bool {
        match self {
            Item::Null | Item::Part(Value::Null) | Item::Expression(_) => false,
            Item::Bool(value) | Item::Part(Value::Bool(value)) => *value,
            Item::Number(_) | Item::Part(Value::Number(_)) => true,
            Item::Text(text) => !text.is_empty(),
            Item::Made(text) => !text.is_empty(),
            Item::Part(Value::String(text)) => !text.is_empty(),
            Item::List(items) => !items.is_empty(),
            Item::Part(Value::Array(items)) => !items.is_empty(),
            Item::Object(members) => !members.is_empty(),
            Item::Part(Value::Object(members)) => !members.is_empty(),
        }
    }

    /// Whether two values are the same.
    pub fn same(&self, other: &Item<'a>, budget: &mut Budget<'_>) -> Result<bool, QueryError> {
        budget.step(1)?;
        if let (Some(one), Some(two)) = (self.number(), other.number()) {
            return Ok(compare_numbers(one, two) == Some(Ordering::Equal));
        }
        if let (Some(one), Some(two)) = (self.text(), other.text()) {
            return Ok(one == two);
        }
        if let (Some(one), Some(two)) = (self.items(), other.items()) {
            if one.len() != two.len() {
                return Ok(false);
            }
            for (one, two) in one.iter().zip(two.iter()) {
                if !one.same(&two, budget)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        if let (Some(one), Some(two)) = (self.size(), other.size()) {
            if one != two {
                return Ok(false);
            }
            budget.step(one)?;
            for (name, one) in self.members().unwrap_or_default() {
                budget.step(two)?;
                match other.member(name.as_str()) {
                    Some(two) if one.same(&two, budget)? => {}
                    _ => return Ok(false),
                }
            }
            return Ok(true);
        }
        Ok(match (self, other) {
            (Item::Bool(one) | Item::Part(Value::Bool(one)), Item::Bool(two) | Item::Part(Value::Bool(two))) => {
                one == two
            }
            _ => self.is_null() && other.is_null(),
        })
    }

    /// Writes the value down.
    pub fn into_value(self, budget: &mut Budget<'_>) -> Result<Value, QueryError> {
        self.written(budget, 0)
    }

    fn written(&self, budget: &mut Budget<'_>, depth: usize) -> Result<Value, QueryError> {
        if depth > MAX_DEPTH {
            return Err(QueryError::new(format!("the result is more than {MAX_DEPTH} lists and objects deep")));
        }
        if let Item::Part(value) = self {
            let weight = weigh(value);
            budget.step(weight / WEIGHT)?;
            budget.give(weight)?;
            return Ok((*value).clone());
        }
        budget.step(1)?;
        budget.give(WEIGHT)?;
        Ok(match self {
            Item::Part(value) => (*value).clone(),
            Item::Null | Item::Expression(_) => Value::Null,
            Item::Bool(value) => Value::Bool(*value),
            Item::Number(number) => Value::Number(number.clone()),
            Item::Text(text) => {
                budget.give(text.len())?;
                Value::from(*text)
            }
            Item::Made(text) => {
                budget.give(text.len())?;
                Value::from(text.as_ref())
            }
            Item::List(items) => {
                let mut list = Vec::new();
                for item in items.iter() {
                    list.push(item.written(budget, depth + 1)?);
                }
                Value::Array(list)
            }
            Item::Object(members) => {
                let mut object = Map::new();
                for (name, item) in members.iter() {
                    budget.give(name.as_str().len() + WEIGHT)?;
                    object.insert(name.as_str().to_owned(), item.written(budget, depth + 1)?);
                }
                Value::Object(object)
            }
        })
    }
}

/// About what a value takes, in bytes.
pub fn weigh(value: &Value) -> usize {
    WEIGHT
        + match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => 0,
            Value::String(text) => text.len(),
            Value::Array(items) => items.iter().map(weigh).sum(),
            Value::Object(members) => members.iter().map(|(name, value)| WEIGHT + name.len() + weigh(value)).sum(),
        }
}

/// Compares two numbers; whole ones exactly, however large.
pub fn compare_numbers(one: &Number, two: &Number) -> Option<Ordering> {
    if let (Some(one), Some(two)) = (whole(one), whole(two)) {
        return Some(one.cmp(&two));
    }
    one.as_f64()?.partial_cmp(&two.as_f64()?)
}

/// A whole number, exactly.
pub fn whole(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}
