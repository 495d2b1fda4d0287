//! Secrets inside URLs: who logs in, keys in the query, and keys among the segments of the path.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::MASK;
use super::names::{is_called, is_key_like, is_secret_query};

/// What a value within a query may hold unescaped; the mask stays readable.
const QUERY_VALUE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b'*');

/// Segments after which whatever is no number is a token.
const HOOKS: &[&str] = &["webhook", "webhooks", "hook", "hooks", "workflows"];

/// Segments after which what looks like a key is one.
const BEFORE_KEYS: &[&str] = &[
    "api",
    "apikey",
    "auth",
    "feed",
    "feeds",
    "key",
    "notification",
    "passkey",
    "rss",
    "rssfeed",
    "token",
    "torznab",
    "newznab",
];

/// Segments after which what looks like a key is one, unless it ends the path: there it names
/// what is downloaded.
const BEFORE_KEYS_AND_NAMES: &[&str] = &["dl", "download", "getnzb", "nzb", "torrent", "torrents"];

/// How deep URLs within URLs are looked at.
const DEPTH: usize = 3;

/// A URL with its secrets masked; `None` when it has none.
pub fn mask(url: &str) -> Option<String> {
    mask_within(url, DEPTH)
}

fn mask_within(url: &str, depth: usize) -> Option<String> {
    let parts = Parts::of(url)?;
    let userinfo = parts.userinfo.filter(|userinfo| !userinfo.is_empty() && !userinfo.starts_with(MASK)).map(|_| MASK);
    let path = mask_path(parts.host, parts.path);
    let query = parts.query.and_then(|query| mask_query(query, depth));
    let fragment = parts.fragment.filter(|fragment| fragment.contains('=')).and_then(|it| mask_query(it, depth));
    if userinfo.is_none() && path.is_none() && query.is_none() && fragment.is_none() {
        return None;
    }
    let mut masked = parts.scheme.to_owned();
    if let Some(userinfo) = userinfo.or(parts.userinfo) {
        masked.push_str(userinfo);
        masked.push('@');
    }
    masked.push_str(parts.host);
    masked.push_str(path.as_deref().unwrap_or(parts.path));
    if let Some(old) = parts.query {
        masked.push(parts.query_mark);
        masked.push_str(query.as_deref().unwrap_or(old));
    }
    if let Some(old) = parts.fragment {
        masked.push('#');
        masked.push_str(fragment.as_deref().unwrap_or(old));
    }
    Some(masked)
}

/// A URL taken apart; joined in this order the parts are the URL.
struct Parts<'a> {
    /// With what follows it, `://` or `:`.
    scheme: &'a str,
    userinfo: Option<&'a str>,
    host: &'a str,
    path: &'a str,
    query_mark: char,
    query: Option<&'a str>,
    fragment: Option<&'a str>,
}

impl<'a> Parts<'a> {
    fn of(url: &'a str) -> Option<Self> {
        let (scheme, rest) = match url.find("://") {
            Some(end) => url.split_at_checked(end + 3)?,
            None if url.starts_with("magnet:") => url.split_at_checked("magnet:".len())?,
            None => return None,
        };
        let (rest, fragment) = match rest.split_once('#') {
            Some((rest, fragment)) => (rest, Some(fragment)),
            None => (rest, None),
        };
        // Old indexers go on with `&` after the path, as in `/getnzb/….nzb&i=1&r=…`.
        let (rest, query_mark, query) = match rest.find(['?', '&']) {
            Some(at) => {
                let mark = if rest.as_bytes().get(at) == Some(&b'?') { '?' } else { '&' };
                (rest.get(..at)?, mark, rest.get(at + 1..))
            }
            None => (rest, '?', None),
        };
        let (authority, path) = rest.split_at_checked(rest.find('/').unwrap_or(rest.len()))?;
        let (userinfo, host) = match authority.rsplit_once('@') {
            Some((userinfo, host)) => (Some(userinfo), host),
            None => (None, authority),
        };
        Some(Parts { scheme, userinfo, host, path, query_mark, query, fragment })
    }
}

fn mask_path(host: &str, path: &str) -> Option<String> {
    let slack = host.contains("hooks.slack.");
    let mut after_hook = false;
    let mut after_key_word = false;
    let mut after_name_word = false;
    let mut secret: Vec<usize> = Vec::new();
    let mut segments = path.split('/').enumerate().peekable();
    while let Some((at, segment)) = segments.next() {
        let next = segments.peek().map(|(_, next)| *next);
        let number = segment.bytes().all(|b| b.is_ascii_digit());
        let before_announce = next.is_some_and(|next| next.starts_with("announce"));
        let is_secret = (after_hook && !number)
            || (after_key_word && is_key_like(segment))
            || (after_name_word && next.is_some() && is_key_like(segment))
            || (before_announce && segment.len() >= 8)
            || is_bot(segment);
        if is_secret && !segment.starts_with(MASK) {
            secret.push(at);
            continue;
        }
        let is_one_of = |words: &[&str]| words.iter().any(|word| is_called(segment, word));
        after_hook |= is_one_of(HOOKS) || (slack && is_called(segment, "services"));
        after_key_word |= is_one_of(BEFORE_KEYS);
        after_name_word |= is_one_of(BEFORE_KEYS_AND_NAMES);
    }
    if secret.is_empty() {
        return None;
    }
    let masked = path.split('/').enumerate().map(|(at, segment)| if secret.contains(&at) { MASK } else { segment });
    Some(masked.collect::<Vec<&str>>().join("/"))
}

/// A Telegram bot's segment, `bot` and its number, a colon and its token.
fn is_bot(segment: &str) -> bool {
    segment
        .strip_prefix("bot")
        .and_then(|rest| rest.split_once(':'))
        .is_some_and(|(number, token)| number.bytes().all(|b| b.is_ascii_digit()) && !token.is_empty())
}

/// A query, or what stands like one, with its secrets masked; `None` when it has none.
pub fn mask_query(query: &str, depth: usize) -> Option<String> {
    let mut masked = String::with_capacity(query.len());
    let mut changed = false;
    for (pair, separator) in pairs(query) {
        match pair.split_once('=').and_then(|(name, value)| mask_pair(name, value, depth)) {
            Some(new) => {
                masked.push_str(&new);
                changed = true;
            }
            None => masked.push_str(pair),
        }
        masked.extend(separator);
    }
    changed.then_some(masked)
}

/// The pairs, each with what separates it from the next.
fn pairs(query: &str) -> impl Iterator<Item = (&str, Option<char>)> {
    query.split_inclusive(['&', ';']).map(|pair| match pair.strip_suffix(['&', ';']) {
        Some(bare) => (bare, pair.chars().next_back()),
        None => (pair, None),
    })
}

fn mask_pair(name: &str, value: &str, depth: usize) -> Option<String> {
    if value.is_empty() || value.starts_with(MASK) {
        return None;
    }
    if is_secret_query(&decoded(name), value) {
        return Some(format!("{name}={MASK}"));
    }
    let inner = decoded(value);
    if depth == 0 || !(inner.contains("://") || inner.starts_with("magnet:")) {
        return None;
    }
    let inner = mask_within(&inner, depth - 1)?;
    Some(format!("{name}={}", utf8_percent_encode(&inner, QUERY_VALUE)))
}

fn decoded(text: &str) -> Cow<'_, str> {
    percent_decode_str(text).decode_utf8_lossy()
}

#[cfg(test)]
mod tests {
    use super::mask;

    #[test]
    fn secrets_are_found_wherever_a_url_can_hold_one() {
        for (url, masked) in [
            ("https://u:p@host/x", "https://********@host/x"),
            (
                "http://host:9117/dl/some/?jackett_apikey=abc&path=def",
                "http://host:9117/dl/some/?jackett_apikey=********&path=def",
            ),
            ("https://host/api?t=get&id=77&apikey=abc", "https://host/api?t=get&id=77&apikey=********"),
            ("https://host/getnzb/0f1e.nzb&i=7&r=0123456789abcdef01", "https://host/getnzb/0f1e.nzb&i=7&r=********"),
            ("https://host/t.rss?u=12;tp=abc;tv", "https://host/t.rss?u=12;tp=********;tv"),
            ("https://host/rss/0123456789abcdef0123456789abcdef", "https://host/rss/********"),
            (
                "https://host/download/77/0123456789abcdef0123456789abcdef/A.Show.torrent",
                "https://host/download/77/********/A.Show.torrent",
            ),
            ("https://tracker/0123456789abcdef/announce", "https://tracker/********/announce"),
            ("https://discord.com/api/webhooks/123456/AbC-dEf_1", "https://discord.com/api/webhooks/123456/********"),
            (
                "https://hooks.slack.com/services/T00/B00/xyz",
                "https://hooks.slack.com/services/********/********/********",
            ),
            ("https://api.telegram.org/bot123:AbC/sendMessage", "https://api.telegram.org/********/sendMessage"),
            ("https://host/cb#access_token=abc", "https://host/cb#access_token=********"),
        ] {
            assert_eq!(mask(url).as_deref(), Some(masked), "{url}");
            assert_eq!(mask(masked), None, "a masked URL stays as it is");
        }
    }

    #[test]
    fn a_url_within_a_url_is_looked_at() {
        assert_eq!(
            mask("magnet:?xt=urn:btih:0f1e&tr=https%3A%2F%2Ftracker%2F0123456789abcdef%2Fannounce").as_deref(),
            Some("magnet:?xt=urn:btih:0f1e&tr=https%3A%2F%2Ftracker%2F********%2Fannounce")
        );
        assert_eq!(
            mask("http://host/1/download?link=http%3A%2F%2Fother%2F%3Fapikey%3Dabc&file=a").as_deref(),
            Some("http://host/1/download?link=http%3A%2F%2Fother%2F%3Fapikey%3D********&file=a")
        );
    }

    #[test]
    fn what_has_no_secret_stays() {
        for url in [
            "https://host/details/0123456789abcdef0123456789abcdef",
            "https://host/download/0123456789abcdef0123456789abcdef",
            "https://artworks.invalid/banners/posters/81189-10.jpg",
            "http://localhost:8989/sonarr/series/the-lighthouse-keepers?page=2#top",
            "magnet:?xt=urn:btih:0123456789abcdef0123456789abcdef01234567&dn=A.Show&tr=udp%3A%2F%2Ft%3A80%2Fannounce",
            "https://host/api/webhooks/12345",
            "no url",
            "://",
        ] {
            assert_eq!(mask(url), None, "{url}");
        }
    }
}
