//! How a caller goes on: the query or the page that gives the next part.

use serde_json::{Value, json};

/// A query that takes more than this part of the cap is not repeated in a hint; only its end is
/// given.
const REPEATED: usize = 8;

/// What the next call changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// The same arguments with this query.
    Query(String),
    /// The same call with this at the end of its query, in place of such an end if it has one.
    End(String),
    /// The same call with these arguments.
    Page {
        /// The number of the page, from 1.
        page: u64,
        /// Records on a page.
        page_size: u64,
    },
}

impl Next {
    /// As the members of a call.
    pub fn to_value(&self) -> Value {
        match self {
            Next::Query(query) => json!({"query": query}),
            Next::End(end) => json!({"queryEnd": end}),
            Next::Page { page, page_size } => json!({"arguments": {"page": page, "pageSize": page_size}}),
        }
    }
}

/// The query that gave a value, from which further ones are made.
#[derive(Debug, Clone)]
pub struct Origin {
    expression: Option<String>,
    /// How many items the query passed over.
    passed: usize,
    kind: Kind,
    /// Longer queries are not repeated.
    longest: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    List,
    Members,
}

impl Origin {
    /// The origin of a list, or of a text, which is a list of characters.
    pub fn of_list(query: Option<&str>, cap: usize) -> Self {
        Origin::of(query, cap, Kind::List)
    }

    /// The origin of an object, which is cut as a list of its members.
    pub fn of_members(query: Option<&str>, cap: usize) -> Self {
        Origin::of(query, cap, Kind::Members)
    }

    /// Takes an end that this module made off the query.
    fn of(query: Option<&str>, cap: usize, kind: Kind) -> Self {
        let longest = cap / REPEATED;
        let whole = |query: Option<&str>| Origin { expression: query.map(str::to_owned), passed: 0, kind, longest };
        let Some(text) = query.map(str::trim) else {
            return whole(None);
        };
        let (before, after) = match kind {
            Kind::List => ("[", ":]"),
            Kind::Members => ("items(@) | [", ":] | from_items(@)"),
        };
        let Some((start, number)) = text.strip_suffix(after).and_then(|text| {
            let start = text.trim_end_matches(|character: char| character.is_ascii_digit());
            Some((start.strip_suffix(before)?, text.get(start.len()..)?))
        }) else {
            return whole(Some(text));
        };
        let Ok(passed) = number.parse() else {
            return whole(Some(text));
        };
        // Two bars are another operator.
        match start.trim_end().strip_suffix('|').filter(|before| !before.ends_with('|')) {
            Some(expression) => Origin { expression: Some(expression.trim_end().to_owned()), passed, kind, longest },
            None if start.is_empty() => Origin { expression: None, passed, kind, longest },
            None => whole(Some(text)),
        }
    }

    /// How many items the query passed over.
    pub fn passed(&self) -> usize {
        self.passed
    }

    /// Goes on from what `step` makes of the value.
    pub fn then(mut self, step: &str) -> Self {
        self.expression = Some(match self.expression {
            Some(expression) => format!("{expression} | {step}"),
            None => step.to_owned(),
        });
        self
    }

    /// What gives the items after the first `shown` of these.
    pub fn after(&self, shown: usize) -> Next {
        let place = self.passed + shown;
        match self.kind {
            Kind::List => self.hint(&format!("[{place}:]")),
            Kind::Members => self.hint(&format!("items(@) | [{place}:] | from_items(@)")),
        }
    }

    /// What gives the one item of an index.
    pub fn item(&self, index: usize) -> Next {
        self.hint(&format!("[{}]", self.passed + index))
    }

    /// What gives a member.
    pub fn member(&self, name: &str) -> Next {
        self.hint(&identifier(name))
    }

    /// A step behind the expression without its end.
    fn hint(&self, step: &str) -> Next {
        match &self.expression {
            None => Next::Query(step.to_owned()),
            Some(expression) if expression.len() <= self.longest => Next::Query(format!("{expression} | {step}")),
            Some(_) => Next::End(format!(" | {step}")),
        }
    }
}

/// A member's name as an expression has it.
pub fn identifier(name: &str) -> String {
    let plain = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
    // A bare `true` is the value.
    if plain && !["true", "false", "null"].contains(&name) { name.to_owned() } else { Value::from(name).to_string() }
}

/// A value as an expression has it; nothing for one that an expression had better not hold.
pub fn literal(value: &Value) -> Option<String> {
    const LONGEST: usize = 60;
    match value {
        Value::Number(number) => Some(format!("`{number}`")),
        Value::String(text) if text.len() <= LONGEST && !text.contains(['\'', '\\', '\n']) => Some(format!("'{text}'")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Next, Origin, identifier, literal};
    use crate::answer::query::apply;
    use serde_json::json;

    const CAP: usize = 60_000;

    fn query(next: Next) -> String {
        match next {
            Next::Query(query) => query,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_end_is_moved_instead_of_repeated() {
        for (before, after) in [
            (None, "[5:]"),
            (Some("[*].id"), "[*].id | [5:]"),
            (Some("[*].id | [7:]"), "[*].id | [12:]"),
            (Some("[*].id|[7:]"), "[*].id | [12:]"),
            (Some("[7:]"), "[12:]"),
            (Some("a[7:]"), "a[7:] | [5:]"),
            (Some("[:]"), "[:] | [5:]"),
            (Some("a | [2:7]"), "a | [2:7] | [5:]"),
            (Some("a || [2:]"), "a || [2:] | [5:]"),
        ] {
            let origin = Origin::of_list(before, CAP);
            assert_eq!(query(origin.after(5)), after, "{before:?}");
        }
        let origin = Origin::of_members(Some("a | items(@) | [3:] | from_items(@)"), CAP);
        assert_eq!(query(origin.after(4)), "a | items(@) | [7:] | from_items(@)");
        assert_eq!(query(Origin::of_members(None, CAP).after(4)), "items(@) | [4:] | from_items(@)");
    }

    #[test]
    fn a_long_query_is_not_repeated() {
        let origin = Origin::of_list(Some("[*].x | [3:]"), 16);
        assert_eq!(origin.after(4), Next::End(" | [7:]".to_owned()));
        assert_eq!(origin.item(4), Next::End(" | [7]".to_owned()));
    }

    #[test]
    fn names_and_values_can_be_read_back() {
        let value = json!({"plain_1": 1, "with space": 2, "1st": 3, "q\"uote": 4, "ü": 5, "true": 6, "": 7});
        for (name, number) in value.as_object().unwrap() {
            assert_eq!(&apply(&identifier(name), &value).unwrap(), number, "{name}");
        }
        for value in [json!(5), json!(-1.5), json!(u64::MAX), json!("text, \"quoted\""), json!("")] {
            assert_eq!(apply(&literal(&value).unwrap(), &json!(null)).unwrap(), value);
        }
        assert_eq!(literal(&json!("it's")), None);
    }
}
