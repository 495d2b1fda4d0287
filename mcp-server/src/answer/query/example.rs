//! A right query for the answer at hand.

use serde_json::Value;

/// How many members an example names.
const NAMED: usize = 3;

/// An expression that selects some of an answer; `columns` come first where the answer has them.
pub fn example(value: &Value, columns: &[&str]) -> Option<String> {
    match value {
        Value::Array(rows) => Some(match rows.first() {
            Some(row @ Value::Object(_)) => format!("[:10].{}", select(row, columns)?),
            Some(_) => "[:10]".to_owned(),
            None => "@".to_owned(),
        }),
        Value::Object(members) => {
            if let Some(Value::Array(rows)) = members.get("records")
                && let Some(row @ Value::Object(_)) = rows.first()
            {
                return Some(format!("records[:10].{}", select(row, columns)?));
            }
            select(value, &[])
        }
        _ => Some("@".to_owned()),
    }
}

fn select(row: &Value, columns: &[&str]) -> Option<String> {
    let Value::Object(members) = row else {
        return None;
    };
    let plain = |name: &&str| {
        !name.is_empty()
            && !name.starts_with(|first: char| first.is_ascii_digit())
            && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
    };
    let known = columns.iter().copied().filter(|column| members.contains_key(*column));
    let mut names: Vec<&str> = Vec::new();
    for name in known.chain(members.keys().map(String::as_str)).filter(plain) {
        if names.len() < NAMED && !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        return None;
    }
    let pairs: Vec<String> = names.iter().map(|name| format!("{name}: {name}")).collect();
    Some(format!("{{{}}}", pairs.join(", ")))
}
