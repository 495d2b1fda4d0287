//! The functions of expressions: those of JMESPath, and some that its community added.

mod lists;
mod numbers;
mod objects;
mod texts;

use std::cmp::Ordering;

use jmespath::ast::Ast;

use super::QueryError;
use super::evaluate::Evaluation;
use super::item::{Item, List, Name};

/// The names, for a misspelt one. `items`, `from_items`, `lower` and `upper` are the community's.
pub const NAMES: &[&str] = &[
    "abs",
    "avg",
    "ceil",
    "contains",
    "ends_with",
    "floor",
    "from_items",
    "items",
    "join",
    "keys",
    "length",
    "lower",
    "map",
    "max",
    "max_by",
    "merge",
    "min",
    "min_by",
    "not_null",
    "reverse",
    "sort",
    "sort_by",
    "starts_with",
    "sum",
    "to_array",
    "to_number",
    "to_string",
    "type",
    "upper",
    "values",
];

/// Calls a function.
pub fn call<'a>(
    evaluation: &mut Evaluation<'_>,
    name: &str,
    arguments: &[Item<'a>],
    offset: usize,
) -> Result<Item<'a>, QueryError> {
    let mut call = Call { evaluation, name, arguments, offset };
    match name {
        "abs" => call.rounded(f64::abs, i128::abs),
        "ceil" => call.rounded(f64::ceil, |whole| whole),
        "floor" => call.rounded(f64::floor, |whole| whole),
        "avg" => call.average(),
        "sum" => call.sum(),
        "contains" => call.contains(),
        "starts_with" => call.two_texts(|text, part| text.starts_with(part)),
        "ends_with" => call.two_texts(|text, part| text.ends_with(part)),
        "lower" => call.one_text(str::to_lowercase),
        "upper" => call.one_text(str::to_uppercase),
        "join" => call.join(),
        "keys" => {
            let members = call.only_object()?;
            call.evaluation.list(members.into_iter().map(|(name, _)| text_of(name)).collect())
        }
        "values" => {
            let members = call.only_object()?;
            call.evaluation.list(members.into_iter().map(|(_, item)| item).collect())
        }
        "items" => call.items_of_object(),
        "from_items" => call.object_of_items(),
        "merge" => call.merge(),
        "length" => call.length(),
        "map" => call.map(),
        "max" => call.extreme(Ordering::Greater),
        "min" => call.extreme(Ordering::Less),
        "max_by" => call.extreme_by(Ordering::Greater),
        "min_by" => call.extreme_by(Ordering::Less),
        "not_null" => call.not_null(),
        "reverse" => call.reverse(),
        "sort" => call.sort(),
        "sort_by" => call.sort_by(),
        "to_array" => {
            let item = call.only()?;
            if item.items().is_some() { Ok(item) } else { call.evaluation.list(vec![item]) }
        }
        "to_number" => call.number_of(),
        "to_string" => call.text_of_value(),
        "type" => Ok(Item::Text(call.only()?.kind())),
        _ => Err(unknown(call.evaluation, name, offset)),
    }
}

fn unknown(evaluation: &Evaluation<'_>, name: &str, offset: usize) -> QueryError {
    let likely = NAMES
        .iter()
        .map(|known| (known, strsim::jaro_winkler(name, known)))
        .filter(|(_, likeness)| *likeness > 0.8)
        .max_by(|(_, one), (_, two)| one.total_cmp(two));
    let meant = match likely {
        Some((known, _)) => format!("; did you mean `{known}`?"),
        None => format!("; there are {}", NAMES.join(", ")),
    };
    // The parser puts the place of a function at its parenthesis.
    evaluation.error(format!("there is no function `{name}`{meant}"), offset.saturating_sub(name.len()))
}

/// A call under way.
struct Call<'c, 'e, 'a> {
    evaluation: &'c mut Evaluation<'e>,
    name: &'c str,
    arguments: &'c [Item<'a>],
    offset: usize,
}

impl<'a> Call<'_, '_, 'a> {
    fn error(&self, problem: impl Into<String>) -> QueryError {
        self.evaluation.error(problem, self.offset.saturating_sub(self.name.len()))
    }

    fn wrong(&self, place: usize, expected: &str, got: &Item<'_>) -> QueryError {
        let guard = if got.is_null() {
            "; where a member can be missing, ask for it first, as in `[?title && contains(title, 'x')]`"
        } else {
            ""
        };
        self.error(format!("argument {place} of `{}` has to be {expected}, but is {}{guard}", self.name, got.kind()))
    }

    fn only(&self) -> Result<Item<'a>, QueryError> {
        match self.arguments {
            [one] => Ok(one.clone()),
            other => Err(self.error(format!("`{}` takes one argument, not {}", self.name, other.len()))),
        }
    }

    fn two(&self) -> Result<(Item<'a>, Item<'a>), QueryError> {
        match self.arguments {
            [one, two] => Ok((one.clone(), two.clone())),
            other => Err(self.error(format!("`{}` takes two arguments, not {}", self.name, other.len()))),
        }
    }

    fn only_object(&mut self) -> Result<Vec<(Name<'a>, Item<'a>)>, QueryError> {
        let item = self.only()?;
        self.evaluation.budget.step(item.size().unwrap_or_default())?;
        item.members().ok_or_else(|| self.wrong(1, "an object", &item))
    }

    fn only_list(&self) -> Result<List<'a>, QueryError> {
        let item = self.only()?;
        item.items().ok_or_else(|| self.wrong(1, "a list", &item))
    }

    /// A list and what to take of each of its items, in either order of the two.
    fn list_and_expression(&self, list_first: bool) -> Result<(List<'a>, &'a Ast), QueryError> {
        let (one, two) = self.two()?;
        let (list, expression, at) = if list_first { (one, two, (1, 2)) } else { (two, one, (2, 1)) };
        let Item::Expression(ast) = expression else {
            return Err(self.wrong(at.1, "an expression with `&` before it, as in `&title`", &expression));
        };
        match list.items() {
            Some(items) => Ok((items, ast)),
            None => Err(self.wrong(at.0, "a list", &list)),
        }
    }

    fn not_null(&mut self) -> Result<Item<'a>, QueryError> {
        if self.arguments.is_empty() {
            return Err(self.error("`not_null` takes at least one argument"));
        }
        Ok(self.arguments.iter().find(|item| !item.is_null()).cloned().unwrap_or(Item::Null))
    }
}

fn text_of<'a>(name: Name<'a>) -> Item<'a> {
    match name {
        Name::Known(name) => Item::Text(name),
        Name::Made(name) => Item::Made(name),
    }
}
