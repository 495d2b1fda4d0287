//! What the targets read their bytes with, and hold what comes out against.

use serde_json::Value;

/// The first line, and everything after its newline.
pub fn first_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    match bytes.iter().position(|byte| *byte == b'\n') {
        Some(end) => (bytes.get(..end).unwrap_or_default(), bytes.get(end + 1..).unwrap_or_default()),
        None => (bytes, &[]),
    }
}

/// Calls `visit` with every text within a value, the names of members included.
pub fn texts<'v>(value: &'v Value, visit: &mut dyn FnMut(&'v str)) {
    match value {
        Value::String(text) => visit(text),
        Value::Array(items) => items.iter().for_each(|item| texts(item, visit)),
        Value::Object(members) => {
            for (name, value) in members {
                visit(name);
                texts(value, visit);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A character that orders or hides others, by an own short list.
pub fn hidden(text: &str) -> Option<char> {
    text.chars().find(|character| {
        matches!(character, '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}')
            || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}' | '\u{feff}')
    })
}
