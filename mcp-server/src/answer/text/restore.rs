//! From a cleaned text back to the text it was made from.

use std::borrow::Cow;

use serde_json::Value;

use super::renamed;

/// What stands before a code point.
const OPEN: &str = "<U+";

/// Replaces every code point as cleaning writes it by its character; any other text stays.
pub fn restore(text: &str) -> Cow<'_, str> {
    if !text.contains(OPEN) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, _)) = rest.split_once(OPEN) {
        out.push_str(before);
        let code = rest.get(before.len()..).unwrap_or_default();
        let (character, length) = reads_as_code(code).unwrap_or(('<', 1));
        out.push(character);
        rest = code.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Restores every text and every member's name within a value.
pub fn restore_value(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(restored) = restore(text) {
                *text = restored;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(restore_value),
        Value::Object(members) => {
            if members.keys().any(|name| name.contains(OPEN)) {
                renamed(members, |name| restore(name).into_owned());
            }
            members.values_mut().for_each(restore_value);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The character and the length of the code point a text begins with.
pub fn reads_as_code(text: &str) -> Option<(char, usize)> {
    let (digits, _) = text.strip_prefix(OPEN)?.split_once('>')?;
    let well_formed =
        (4..=6).contains(&digits.len()) && digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'A'..=b'F'));
    if !well_formed {
        return None;
    }
    let character = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)?;
    Some((character, OPEN.len() + digits.len() + 1))
}
