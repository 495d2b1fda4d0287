//! Secrets within running text, such as a line of a log or an error's message.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::MASK;
use super::names::{is_key_like, is_secret};
use super::url;

/// A URL ends where a quote, a bracket or white space begins.
static URL: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?i)(?:[a-z][a-z0-9+.-]{1,30}://|magnet:\?)[^\s"'<>`\\^{}|]+"#).ok());

/// A name, what follows it, and a value without spaces: `apikey=…`, `"password": "…"`.
static PAIR: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r#"(?i)([a-z0-9_.-]*(?:api[_-]?key|passw|passphrase|pass[_-]?key|secret|token|cookie|credential|auth[_-]?key"#,
        r#"|private[_-]?key|rss[_-]?key|torrent[_-]?pass|web[_-]?hook[_-]?url|authorization)[a-z0-9_.-]*)"#,
        r#"(["']?\s{0,2}[:=]\s{0,2}["']?)((?:bearer |basic |digest )?)([^\s"'&;,<>(){}\[\]]+)"#
    ))
    .ok()
});

/// What every name of [`PAIR`] has, found much faster: most texts have none.
static HINT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new("(?i)key|passw|passphrase|secret|token|cookie|credential|torrent[_-]?pass|hook[_-]?url|authorization")
        .ok()
});

/// The text with its secrets masked.
pub fn mask(text: &str) -> Cow<'_, str> {
    /// The shortest name with the shortest value.
    const SHORTEST: usize = 8;
    if text.len() < SHORTEST {
        return Cow::Borrowed(text);
    }
    let masked = match (&*URL, text.contains("://") || text.contains("magnet:?")) {
        _ if is_url(text) => url::mask(text).map_or(Cow::Borrowed(text), Cow::Owned),
        (Some(pattern), true) => {
            let masked = pattern.replace_all(text, |found: &Captures<'_>| {
                let whole = found.get(0).map_or("", |it| it.as_str());
                url::mask(whole).unwrap_or_else(|| whole.to_owned())
            });
            // What is found is replaced, if only by itself.
            if masked == text { Cow::Borrowed(text) } else { masked }
        }
        _ => Cow::Borrowed(text),
    };
    let hinted = masked.contains([':', '=']) && HINT.as_ref().is_none_or(|hint| hint.is_match(&masked));
    match (&*PAIR, hinted) {
        (Some(pattern), true) => match pattern.replace_all(&masked, mask_pair) {
            Cow::Owned(new) if new != *masked => Cow::Owned(new),
            _ => masked,
        },
        _ => masked,
    }
}

/// Whether the whole text is what [`URL`] finds: most URLs stand alone, and so they need not be looked for.
fn is_url(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let ends = |byte: u8| !byte.is_ascii_graphic() || b"\"'<>`\\^{}|".contains(&byte);
    rest.is_some_and(|rest| !rest.is_empty() && !rest.bytes().any(ends))
}

fn mask_pair(found: &Captures<'_>) -> String {
    let part = |at: usize| found.get(at).map_or("", |it| it.as_str());
    let (whole, name, separator, scheme, value) = (part(0), part(1), part(2), part(3), part(4));
    if !is_secret(name) || value.starts_with(MASK) || !is_value(separator, scheme, value) {
        return whole.to_owned();
    }
    format!("{name}{separator}{scheme}{MASK}")
}

/// Whether what follows is a value and no prose, such as `The secret: nobody knows`.
fn is_value(separator: &str, scheme: &str, value: &str) -> bool {
    let assigned = separator.contains(['=', '"', '\'']) || !separator.contains(' ');
    let word = value.trim_end_matches(['.', ':', '!', '?']);
    (assigned && !word.is_empty())
        || !scheme.is_empty()
        || is_key_like(word)
        || word.bytes().any(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::mask;
    use std::borrow::Cow;

    #[test]
    fn secrets_are_masked_where_a_name_says_so() {
        for (text, masked) in [
            (
                "GET https://host/api?t=tvsearch&apikey=abc&season=1 took 3 s",
                "GET https://host/api?t=tvsearch&apikey=********&season=1 took 3 s",
            ),
            ("[v4.0] (https://u:p@host/x)", "[v4.0] (https://********@host/x)"),
            ("apikey=abc&t=caps", "apikey=********&t=caps"),
            ("&passkey=abc&x=1", "&passkey=********&x=1"),
            ("{\"apiKey\": \"abc\", \"port\": 8989}", "{\"apiKey\": \"********\", \"port\": 8989}"),
            ("X-Api-Key: 0a1b2c3d", "X-Api-Key: ********"),
            ("Authorization: Bearer abc.def", "Authorization: Bearer ********"),
            ("password='hunter'", "password='********'"),
            ("Cookie: uid=77", "Cookie: ********"),
        ] {
            assert_eq!(mask(text), masked);
            assert_eq!(mask(masked), masked, "masked text stays as it is");
        }
    }

    #[test]
    fn a_url_alone_is_masked_as_one_within_a_text() {
        for url in [
            "https://host/rss?passkey=abc&x=1",
            "http://u:p@host/x",
            "https://host/a.jpg",
            "https://host/a|b?apikey=abc",
            "https://",
            "https://host/\u{e9}?apikey=abc",
        ] {
            assert_eq!(mask(&format!("see {url} there")), format!("see {} there", mask(url)), "{url}");
        }
    }

    #[test]
    fn prose_stays() {
        for text in [
            "The secret: nobody knows.",
            "A token of love: the story of a lighthouse",
            "Password required",
            "See https://wiki.invalid/sonarr/settings#security",
            "ApiKey is missing: set it first",
            "https://wiki.invalid/sonarr",
        ] {
            assert!(matches!(mask(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }
}
