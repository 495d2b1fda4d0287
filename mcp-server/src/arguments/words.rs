//! Serde's messages in the words of JSON.

/// Rust's names of types and what JSON calls them.
const TYPES: &[(&str, &str)] = &[
    ("i8", "an integer"),
    ("i16", "an integer"),
    ("i32", "an integer"),
    ("i64", "an integer"),
    ("u8", "an integer from 0"),
    ("u16", "an integer from 0"),
    ("u32", "an integer from 0"),
    ("u64", "an integer from 0"),
    ("usize", "an integer from 0"),
    ("f32", "a number"),
    ("f64", "a number"),
    ("a sequence", "a list"),
    ("a map", "an object"),
    ("unit", "null"),
];

/// The integers Rust's types hold, where a number is too large or too small for one.
const RANGES: &[(&str, &str)] =
    &[("i32", "an integer from -2147483648 to 2147483647"), ("u32", "an integer from 0 to 4294967295")];

/// Turns a message such as `invalid type: string "x", expected i32` into
/// `expected an integer, got the string "x"`.
pub fn plain(message: &str) -> String {
    let out_of_range = message.strip_prefix("invalid value: ");
    let Some((got, expected)) = out_of_range
        .or_else(|| message.strip_prefix("invalid type: "))
        .and_then(|rest| rest.rsplit_once(", expected "))
    else {
        return match message.strip_prefix("data did not match any variant of ") {
            Some(_) => "the value does not fit".to_owned(),
            None => message.to_owned(),
        };
    };
    let names = if out_of_range.is_some() { [RANGES, TYPES] } else { [TYPES, &[]] };
    let expected = names
        .into_iter()
        .flatten()
        .find(|(rust, _)| *rust == expected)
        .map(|(_, json)| (*json).to_owned())
        .or_else(|| (expected.starts_with("struct ") || expected.ends_with(" map")).then(|| "an object".to_owned()))
        .unwrap_or_else(|| expected.to_owned());
    format!("expected {expected}, got {}", got_words(got))
}

/// What was sent, shortened where it is long.
fn got_words(got: &str) -> String {
    /// More of a wrong value than this tells a caller nothing.
    const SHOWN: usize = 60;
    let got = match got {
        "null" | "unit" | "unit value" => return "null".to_owned(),
        "map" => return "an object".to_owned(),
        "sequence" => return "a list".to_owned(),
        other => other,
    };
    let got = got
        .strip_prefix("integer ")
        .or_else(|| got.strip_prefix("floating point "))
        .or_else(|| got.strip_prefix("boolean "))
        .map(|value| value.trim_matches('`'))
        .unwrap_or(got);
    let shown = if got.chars().count() > SHOWN {
        let head: String = got.chars().take(SHOWN).collect();
        format!("{head}…")
    } else {
        got.to_owned()
    };
    if shown.starts_with("string ") { format!("the {shown}") } else { shown }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn types_are_named_as_json_names_them() {
        assert_eq!(plain("invalid type: string \"x\", expected i32"), "expected an integer, got the string \"x\"");
        assert_eq!(plain("invalid type: map, expected a sequence"), "expected a list, got an object");
        assert_eq!(plain("invalid type: null, expected struct SeriesResource"), "expected an object, got null");
        assert_eq!(
            plain("invalid value: integer `-1`, expected u32"),
            "expected an integer from 0 to 4294967295, got -1"
        );
    }

    #[test]
    fn a_long_value_is_not_repeated_whole() {
        let message = format!("invalid type: string \"{}\", expected i32", "y".repeat(500));
        assert!(plain(&message).len() < 130, "{}", plain(&message));
    }

    #[test]
    fn other_messages_stay() {
        assert_eq!(plain("missing field `id`"), "missing field `id`");
    }
}
