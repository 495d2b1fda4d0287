//! A caller's own selection from an answer: a JMESPath expression.
//!
//! Whatever the expression, the process survives it: what would go too deep is refused before it
//! is read, and the evaluation is bounded in steps, time and size.

mod budget;
mod error;
mod evaluate;
mod example;
mod functions;
mod guard;
mod item;
#[cfg(test)]
mod tests;

use jmespath::ast::{Ast, KeyValuePair};
use serde_json::Value;

pub use error::QueryError;
pub use example::example;
pub use guard::{MAX_LENGTH, MAX_NESTING};

use budget::Budget;
use evaluate::Evaluation;
use item::Item;

/// Applies an expression to a value.
///
/// Numbers stay as exact and members in the order as they are in `value`.
///
/// # Errors
/// An expression that is too long or too deep, that cannot be read, that calls a function with
/// what it does not take, or that takes too long or makes too much of the value.
pub fn apply(expression: &str, value: &Value) -> Result<Value, QueryError> {
    apply_for(expression, value, &[])
}

/// Applies an expression; an error's example names these columns where the value has them.
///
/// # Errors
/// As [`apply`].
pub fn apply_for(expression: &str, value: &Value, columns: &[&str]) -> Result<Value, QueryError> {
    run(expression, value).map_err(|error| error.with_example(example(value, columns)))
}

/// Applies an expression to the list of a text's lines.
///
/// # Errors
/// As [`apply`].
pub fn apply_to_lines(expression: &str, text: &str) -> Result<Value, QueryError> {
    let lines = Value::Array(text.lines().map(Value::from).collect());
    run(expression, &lines).map_err(|error| error.with_example(Some("[?contains(@, 'Error')] | [-20:]".to_owned())))
}

/// Whether an expression can be read, whatever it will be applied to.
///
/// # Errors
/// An expression that is too long or too deep, or that cannot be read.
pub fn check(expression: &str) -> Result<(), QueryError> {
    parse(expression).map(|_| ())
}

fn parse(expression: &str) -> Result<Ast, QueryError> {
    guard::check(expression)?;
    let ast = jmespath::parse(expression).map_err(|error| QueryError::syntax(expression, &error))?;
    quotes(expression, &ast)?;
    Ok(ast)
}

fn run(expression: &str, value: &Value) -> Result<Value, QueryError> {
    let ast = parse(expression)?;
    let mut evaluation = Evaluation { expression, budget: Budget::new(value) };
    let result = evaluation.value(&Item::Part(value), &ast)?;
    result.into_value(&mut evaluation.budget)
}

/// Refuses a comparison with a name in double quotes that needs none: a text was meant, and the
/// member of that name would be compared instead, or nothing.
fn quotes(expression: &str, ast: &Ast) -> Result<(), QueryError> {
    let meant = |ast: &Ast| match ast {
        Ast::Field { name, offset } => {
            let quoted = expression.as_bytes().get(*offset) == Some(&b'"');
            let plain = name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
            (quoted && (plain || name.contains(' '))).then_some((name.clone(), *offset))
        }
        _ => None,
    };
    let refuse = |(name, offset): (String, usize)| {
        Err(QueryError::new(format!("double quotes name a member; a text is written in single quotes, as in '{name}'"))
            .at(expression, offset))
    };
    match ast {
        Ast::Comparison { rhs, .. } => {
            if let Some(found) = meant(rhs) {
                return refuse(found);
            }
        }
        Ast::Function { name, args, .. } if ["contains", "starts_with", "ends_with"].contains(&name.as_str()) => {
            if let Some(found) = args.get(1).and_then(meant) {
                return refuse(found);
            }
        }
        _ => {}
    }
    match ast {
        Ast::Identity { .. } | Ast::Field { .. } | Ast::Index { .. } | Ast::Literal { .. } | Ast::Slice { .. } => {
            Ok(())
        }
        Ast::Expref { ast: inner, .. }
        | Ast::Flatten { node: inner, .. }
        | Ast::Not { node: inner, .. }
        | Ast::ObjectValues { node: inner, .. } => quotes(expression, inner),
        Ast::Comparison { lhs, rhs, .. }
        | Ast::Condition { predicate: lhs, then: rhs, .. }
        | Ast::Projection { lhs, rhs, .. }
        | Ast::And { lhs, rhs, .. }
        | Ast::Or { lhs, rhs, .. }
        | Ast::Subexpr { lhs, rhs, .. } => {
            quotes(expression, lhs)?;
            quotes(expression, rhs)
        }
        Ast::Function { args: inner, .. } | Ast::MultiList { elements: inner, .. } => {
            inner.iter().try_for_each(|ast| quotes(expression, ast))
        }
        Ast::MultiHash { elements, .. } => {
            elements.iter().try_for_each(|KeyValuePair { value, .. }| quotes(expression, value))
        }
    }
}
