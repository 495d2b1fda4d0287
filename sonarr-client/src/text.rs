//! Text written by strangers, made fit for one line of an error.

use std::borrow::Cow;

/// Characters that draw nothing themselves but change how their neighbours
/// look: text direction, zero width, invisible tags.
pub(crate) fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// One line of at most `limit` characters: white space and control characters
/// become single spaces, invisible characters go, a cut is marked with `…`.
pub(crate) fn one_line(text: &str, limit: usize) -> String {
    let mut line = String::new();
    let mut gap = false;
    let mut length = 0;
    for character in text.chars() {
        if character.is_whitespace() || character.is_control() {
            gap = !line.is_empty();
            continue;
        }
        if is_invisible(character) {
            continue;
        }
        let needed = if gap { 2 } else { 1 };
        if length + needed > limit {
            line.push('…');
            return line;
        }
        if gap {
            line.push(' ');
            gap = false;
        }
        line.push(character);
        length += needed;
    }
    line
}

/// Below this length a key is a slip of the pen that any text may hold by
/// chance; Sonarr's own have 32 characters.
const SHORTEST_SECRET: usize = 8;

/// `text` without the secret, should it hold it.
pub(crate) fn without_secret<'a>(text: &'a str, secret: Option<&str>) -> Cow<'a, str> {
    match secret {
        Some(secret) if secret.len() >= SHORTEST_SECRET && text.contains(secret) => {
            Cow::Owned(text.replace(secret, "********"))
        }
        _ => Cow::Borrowed(text),
    }
}

/// The text of the first `<title>` of a page of HTML.
pub(crate) fn html_title(page: &str) -> Option<String> {
    // Lower-casing ASCII keeps every byte position.
    let lower = page.to_ascii_lowercase();
    let start = lower.find("<title")?;
    let start = start + lower.get(start..)?.find('>')? + 1;
    let end = start + lower.get(start..)?.find("</title")?;
    let title = one_line(page.get(start..end)?, 80);
    (!title.is_empty()).then_some(title)
}

/// Whether a body is markup, going by its declared type and its first character.
pub(crate) fn is_markup(content_type: Option<&str>, body: &[u8]) -> bool {
    content_type.is_some_and(is_html_type) || without_bom(body).trim_ascii_start().starts_with(b"<")
}

/// Whether a declared content type is that of a page.
pub(crate) fn is_html_type(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("text/html") || essence.eq_ignore_ascii_case("application/xhtml+xml")
}

/// The body without a UTF-8 byte order mark, which JSON must not have but proxies add.
pub(crate) fn without_bom(body: &[u8]) -> &[u8] {
    body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_clean_and_short() {
        assert_eq!(one_line("  a\r\n\tb\u{202e}\u{200b}c \n", 10), "a bc");
        assert_eq!(one_line("abcdef", 6), "abcdef");
        assert_eq!(one_line("abcdefg", 6), "abcdef…");
        assert_eq!(one_line("ab cd", 3), "ab…");
        assert_eq!(one_line("\u{1b}[31mred", 20), "[31mred");
    }

    #[test]
    fn a_secret_is_replaced_wherever_it_stands() {
        let shown = without_secret("k=abcdefgh, abcdefgh", Some("abcdefgh"));
        assert_eq!(shown, "k=********, ********");
        for secret in [None, Some(""), Some("a")] {
            assert_eq!(without_secret("k=abcdefgh", secret), "k=abcdefgh");
        }
    }

    #[test]
    fn the_title_of_a_page_is_found() {
        assert_eq!(html_title("<HTML><Title lang=en>\n Sign in </TITLE>").as_deref(), Some("Sign in"));
        assert_eq!(html_title("<title></title>"), None);
        assert_eq!(html_title("<title>open"), None);
        assert_eq!(html_title("İ<title>ß</title>").as_deref(), Some("ß"));
    }

    #[test]
    fn markup_is_told_from_json() {
        assert!(is_markup(Some("text/html; charset=utf-8"), b""));
        assert!(is_markup(None, b"\xef\xbb\xbf \n<!doctype html>"));
        assert!(!is_markup(Some("application/json"), b"{\"a\":\"<b>\"}"));
    }
}
