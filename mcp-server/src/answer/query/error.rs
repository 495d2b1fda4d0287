//! What is wrong with a query, where, and what a right one looks like.

use std::fmt;

use jmespath::{ErrorReason, JmespathError};

/// How many characters before the position are shown.
const SHOWN: usize = 24;

/// A refused query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryError {
    /// What is wrong.
    pub problem: String,
    /// Which character of the expression it is about, counted from 1.
    pub position: Option<usize>,
    /// The expression up to that character, or the end of that.
    pub before: Option<String>,
    /// An expression that works on the answer at hand.
    pub example: Option<String>,
}

impl QueryError {
    /// A problem of the whole expression.
    pub fn new(problem: impl Into<String>) -> Self {
        QueryError { problem: problem.into(), position: None, before: None, example: None }
    }

    /// Says where, by a place in the expression in bytes.
    #[must_use]
    pub fn at(mut self, expression: &str, byte: usize) -> Self {
        let before: Vec<char> = expression.char_indices().take_while(|(at, _)| *at < byte).map(|(_, c)| c).collect();
        let shown = before.len().saturating_sub(SHOWN);
        self.position = Some(before.len() + 1);
        self.before = Some(before.iter().skip(shown).collect());
        self
    }

    /// Adds a right expression.
    #[must_use]
    pub fn with_example(mut self, example: Option<String>) -> Self {
        self.example = example;
        self
    }

    /// What the parser says, in words that do not need its source.
    pub fn syntax(expression: &str, error: &JmespathError) -> Self {
        let said = match &error.reason {
            ErrorReason::Parse(said) => said.as_str(),
            ErrorReason::Runtime(_) => "",
        };
        let byte = error.offset.min(expression.len());
        let rest = expression.get(byte..).unwrap_or_default().trim_start();
        let problem = match rest.chars().next() {
            _ if said.starts_with("Unclosed") => "the quote opened here is not closed".to_owned(),
            _ if said.starts_with("Unable to parse literal") => {
                "what stands in backticks is no JSON; a text is written in single quotes, as in 'abc'".to_owned()
            }
            None => "the expression ends too early".to_owned(),
            Some('=') => "`=` is no operator; `==` compares".to_owned(),
            Some(digit) if digit == '-' || digit.is_ascii_digit() => {
                "a number is written in backticks, as in `5`".to_owned()
            }
            Some(_) if said.starts_with("Quoted strings can't be a function name") => {
                "the name of a function is written without quotes".to_owned()
            }
            Some(found) => format!("`{found}` cannot stand here"),
        };
        QueryError::new(problem).at(expression, byte)
    }
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)?;
        match (self.position, &self.before) {
            (Some(position), Some(before)) if !before.is_empty() => {
                write!(f, " (at character {position}, after `{before}`)")?;
            }
            (Some(position), _) => write!(f, " (at character {position})")?,
            _ => {}
        }
        if let Some(example) = &self.example {
            write!(f, "; on this answer works, for example: {example}")?;
        }
        Ok(())
    }
}

impl std::error::Error for QueryError {}
