//! Text from strangers: release titles, file names and messages of indexers may hold characters
//! that nobody sees, or that turn around what is seen.
//!
//! Each of these is replaced by its code point as one writes it, `<U+202E>`: control characters
//! other than line feed and tab, everything that orders text against its own direction, everything
//! without width, and the tags and selectors by which a hidden text can ride on a visible one. A
//! carriage return before a line feed is dropped.
//!
//! What writing needs stays. Arabic, Hebrew and all other scripts are untouched. One joiner stays
//! between two letters of a script that is written with joiners (Arabic and its kin, the scripts
//! of India and its neighbours, Mongolian), and between two emoji; one variation selector for text
//! or emoji stays behind a symbol. The rest of the emoji flags' tags is shown as code points.
//!
//! Nothing is lost: [`restore`] makes of a cleaned text the text it was made from, so that a path
//! or a title which a caller sends back is found again. For this the `<` of a text that itself
//! reads `<U+202E>` is replaced, too.

mod characters;
mod restore;

use std::borrow::Cow;
use std::fmt::Write;

use serde_json::{Map, Value};

use characters::{is_hidden, is_needed};
pub use restore::{restore, restore_value};

/// Cleans every text and every member's name within a value.
pub fn clean(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(cleaned) = cleaned(text) {
                *text = cleaned;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(clean),
        Value::Object(members) => {
            if members.keys().any(|name| matches!(cleaned_name(name), Cow::Owned(_))) {
                renamed(members, |name| cleaned_name(name).into_owned());
            }
            members.values_mut().for_each(clean);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Cleans a text; borrowed where there is nothing to clean.
pub fn cleaned(text: &str) -> Cow<'_, str> {
    if is_plain(text) { Cow::Borrowed(text) } else { escape(text, true) }
}

/// Cleans a name. Its carriage returns stay visible, so that two names never become one.
fn cleaned_name(name: &str) -> Cow<'_, str> {
    if is_plain(name) { Cow::Borrowed(name) } else { escape(name, false) }
}

/// Whether a text can be told to be clean from its bytes alone.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b';' | b'='..=b'~' | b'\n' | b'\t'))
}

fn escape(text: &str, drop_returns: bool) -> Cow<'_, str> {
    let mut out = String::new();
    // Everything before this place is in `out`, once there is anything to replace.
    let mut copied = 0;
    let mut before = None;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let after = characters.peek().map(|(_, after)| *after);
        let replaced = match character {
            '<' => restore::reads_as_code(text.get(at..).unwrap_or_default()).is_some(),
            '\n' | '\t' => false,
            _ => is_hidden(character) && !is_needed(before, character, after),
        };
        if replaced {
            out.push_str(text.get(copied..at).unwrap_or_default());
            copied = at + character.len_utf8();
            if !(drop_returns && character == '\r' && after == Some('\n')) {
                // Writing to a text cannot fail.
                let _ = write!(out, "<U+{:04X}>", u32::from(character));
            }
        }
        before = Some(character);
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(out)
}

/// Rebuilds an object's members with other names.
fn renamed(members: &mut Map<String, Value>, name_of: impl Fn(&str) -> String) {
    let raw = std::mem::take(members);
    *members = raw.into_iter().map(|(name, value)| (name_of(&name), value)).collect();
}

#[cfg(test)]
mod tests {
    use super::{clean, cleaned, restore, restore_value};
    use serde_json::{Value, json};

    #[test]
    fn what_cannot_be_seen_is_shown_by_its_code() {
        for (raw, shown) in [
            ("Show.\u{202e}gpj.mkv", "Show.<U+202E>gpj.mkv"),
            ("a\u{200b}b\u{feff}c\u{2060}d", "a<U+200B>b<U+FEFF>c<U+2060>d"),
            ("\u{2066}x\u{2069}", "<U+2066>x<U+2069>"),
            ("\u{200f}a\u{200e}\u{61c}", "<U+200F>a<U+200E><U+061C>"),
            ("a\u{0}b\u{1b}[31m\u{7f}\u{85}", "a<U+0000>b<U+001B>[31m<U+007F><U+0085>"),
            ("so\u{ad}ft", "so<U+00AD>ft"),
            ("x\u{e0041}\u{e0042}", "x<U+E0041><U+E0042>"),
            ("a\u{fe0f}b\u{e0100}", "a<U+FE0F>b<U+E0100>"),
            ("a\u{2028}b\u{2029}c", "a<U+2028>b<U+2029>c"),
            ("a\u{200d}b\u{200c}c", "a<U+200D>b<U+200C>c"),
            ("\u{3164}\u{ffa0}\u{115f}\u{1160}", "<U+3164><U+FFA0><U+115F><U+1160>"),
            ("one\rtwo", "one<U+000D>two"),
            ("<U+202E>", "<U+003C>U+202E>"),
        ] {
            assert_eq!(cleaned(raw), shown);
            assert_eq!(restore(shown), raw);
        }
    }

    #[test]
    fn what_writing_needs_stays() {
        for text in [
            "",
            "plain, with <tags> and a < b",
            "tab\tand\nline",
            "Größe · Привет · 日本語 · 한국어 · ไทย",
            "مسلسل عربي",
            "سلسلة: الجزء ٢",
            "עברית",
            "می\u{200c}خواهم",
            "क्\u{200d}ष",
            "👩\u{200d}👩\u{200d}👧",
            "🏳\u{fe0f}\u{200d}🌈",
            "👩🏽\u{200d}🚀",
            "1\u{fe0f}\u{20e3}",
            "❤\u{fe0f}",
            "<U+ZZZZ> <U+> <U+110000> <U+202E",
        ] {
            assert_eq!(cleaned(text), text);
        }
    }

    #[test]
    fn a_needed_character_is_needed_once() {
        assert_eq!(cleaned("می\u{200c}\u{200c}خ"), "می<U+200C><U+200C>خ");
        assert_eq!(cleaned("👩\u{200d}\u{200d}👧"), "👩<U+200D><U+200D>👧");
        assert_eq!(cleaned("❤\u{fe0f}\u{fe0f}"), "❤\u{fe0f}<U+FE0F>");
        assert_eq!(cleaned("👩\u{200d}a"), "👩<U+200D>a");
        assert_eq!(cleaned("👩\u{200d}"), "👩<U+200D>");
    }

    #[test]
    fn lines_of_another_system_end_as_usual() {
        assert_eq!(cleaned("one\r\ntwo\r\n"), "one\ntwo\n");
    }

    #[test]
    fn texts_and_names_anywhere_are_cleaned_in_place() {
        let mut value = json!({
            "plain": 1,
            "na\u{200b}me": ["x\u{202e}", {"deep": "\u{200b}"}, null, true],
            "na\r\nme": "z",
            "last": "ok",
        });
        let raw = value.clone();
        clean(&mut value);
        assert_eq!(
            value.to_string(),
            r#"{"plain":1,"na<U+200B>me":["x<U+202E>",{"deep":"<U+200B>"},null,true],"na<U+000D>\nme":"z","last":"ok"}"#
        );
        restore_value(&mut value);
        assert_eq!(value, raw);
    }

    /// Whatever the text, nothing hidden is left, it can be cleaned again without a change that
    /// matters, and it comes back as it was.
    #[test]
    fn every_text_comes_back() {
        let parts = [
            "a",
            "<",
            "U+",
            "202E",
            ">",
            "<U+202E>",
            "\u{202e}",
            "\u{200d}",
            "\u{200c}",
            "م",
            "👩",
            "\u{fe0f}",
            "\n",
            "\t",
            "\u{0}",
            "क",
            "<U+003C>",
            "é",
            " ",
            "\u{e0061}",
            "\u{1b}",
            "\u{feff}",
        ];
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = move |bound: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state % bound as u64).unwrap()
        };
        for _ in 0..20_000 {
            let length = next(9);
            let raw: String = (0..length).map(|_| parts[next(parts.len())]).collect();
            let shown = cleaned(&raw);
            assert_eq!(restore(&shown), raw, "{shown}");
            for hidden in ['\u{202e}', '\u{0}', '\u{1b}', '\u{feff}', '\u{e0061}'] {
                assert!(!shown.contains(hidden), "{raw:?}");
            }
        }
    }

    #[test]
    fn a_clean_value_is_left_alone() {
        let mut value: Value = json!([{"title": "A < B", "path": "/tv/Größe"}]);
        let before = value.clone();
        clean(&mut value);
        assert_eq!(value, before);
    }
}
