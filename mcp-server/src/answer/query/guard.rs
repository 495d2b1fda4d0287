//! What an expression may look like before it is read.
//!
//! The parser and the evaluation call themselves for every step inwards, so an expression that
//! goes too deep would end the process. How deep it goes can be told from its text.

use super::QueryError;

/// The longest expression, in bytes.
pub const MAX_LENGTH: usize = 4096;

/// How many operators may stand around, before or behind one another within one part of an
/// expression; parts between commas count by themselves.
pub const MAX_NESTING: usize = 64;

/// Refuses what is too long or goes too deep.
pub fn check(expression: &str) -> Result<(), QueryError> {
    if expression.len() > MAX_LENGTH {
        return Err(QueryError::new(format!(
            "the expression is {} bytes long; at most {MAX_LENGTH} are accepted",
            expression.len()
        )));
    }
    match too_deep(expression) {
        Some(at) => Err(QueryError::new(format!(
            "the expression goes too deep; at most {MAX_NESTING} operators may follow or enclose one another"
        ))
        .at(expression, at)),
        None => Ok(()),
    }
}

/// Where the nesting first exceeds the bound, in bytes.
///
/// Every operator of a part counts, for `a.b.c` is read as `(a.b).c`; a comma begins a new part,
/// and a closing bracket forgets the parts within.
fn too_deep(expression: &str) -> Option<usize> {
    let mut levels: Vec<usize> = Vec::new();
    let mut operators = 0;
    let mut depth = 0;
    let mut characters = expression.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            quote @ ('\'' | '"' | '`') => {
                while let Some((_, inner)) = characters.next() {
                    if inner == '\\' {
                        characters.next();
                    } else if inner == quote {
                        break;
                    }
                }
            }
            '(' | '[' | '{' => {
                operators += 1;
                depth += 1;
                levels.push(operators);
                operators = 0;
            }
            ')' | ']' | '}' => {
                depth -= operators;
                operators = levels.pop().unwrap_or_default();
            }
            ',' => {
                depth -= operators;
                operators = 0;
            }
            '.' | '|' | '&' | '!' | '<' | '>' | '=' | '*' => {
                operators += 1;
                depth += 1;
            }
            _ => {}
        }
        if depth > MAX_NESTING {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{MAX_LENGTH, MAX_NESTING, check};

    #[test]
    fn usual_expressions_pass() {
        let columns: Vec<String> = (0..200).map(|n| format!("c{n}: a.b.c{n}")).collect();
        for expression in [
            "@".to_owned(),
            format!("[?a == 'x' && (b || !c)].{{{}}} | sort_by(@, &c1)[-5:]", columns.join(", ")),
            format!("'{}'", "[".repeat(3000)),
            format!("\"\\\"{}\"", "(".repeat(3000)),
        ] {
            assert_eq!(check(&expression), Ok(()), "{expression}");
        }
    }

    #[test]
    fn depth_counts_before_around_and_behind() {
        for part in ["(", "[", "{a:", "!", "&", "a.", "a|", "a||", "a==", "[?", "[*].", "f(", "a[0]"] {
            let deep = part.repeat(MAX_NESTING + 1);
            let error = check(&deep).expect_err(part);
            assert!(error.position.is_some(), "{part}");
        }
    }

    #[test]
    fn length_is_bounded() {
        let error = check(&"a".repeat(MAX_LENGTH + 1)).unwrap_err();
        assert!(error.to_string().contains("4097 bytes"), "{error}");
    }
}
