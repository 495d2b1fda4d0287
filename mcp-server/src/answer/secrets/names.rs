//! Which names stand for a secret.

/// A part of a name, in lower case, and the letters it has.
struct Part {
    text: &'static str,
    letters: u32,
}

const fn part(text: &'static str) -> Part {
    Part { text, letters: letters(text) }
}

/// What makes a name a secret's, wherever it stands in the name.
static WITHIN: [Part; 13] = [
    part("apikey"),
    part("password"),
    part("passwd"),
    part("passphrase"),
    part("passkey"),
    part("secret"),
    part("cookie"),
    part("credential"),
    part("authkey"),
    part("privatekey"),
    part("rsskey"),
    part("torrentpass"),
    part("webhookurl"),
];

/// What makes a name a secret's at its end: `releaseTokens` are the words of a release's name.
static AT_END: [Part; 2] = [part("token"), part("authorization")];

/// Names of provider settings that hold a secret though nothing else of this name would.
const FIELDS: &[&str] = &["statelessurls", "authuserkey"];

/// Names in the query of a URL that hold a key at indexers and their proxies.
const QUERY: &[&str] = &["auth", "hmac", "key", "pass", "pwd", "sid", "sig", "signature", "tp"];

/// Names in the query of a URL that hold a key when the value looks like one.
const QUERY_IF_KEY_LIKE: &[&str] = &["r", "rss", "u", "user", "uid"];

/// The letters and digits of a name, in lower case.
fn plain(name: &str) -> impl DoubleEndedIterator<Item = u8> {
    name.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_lowercase())
}

/// Whether a name is this one, in any spelling; `plain_name` has letters in lower case and digits only.
pub fn is_called(name: &str, plain_name: &str) -> bool {
    plain(name).eq(plain_name.bytes())
}

/// A bit for each letter that a name has.
const fn letters(name: &str) -> u32 {
    let (mut bytes, mut letters) = (name.as_bytes(), 0);
    while let [byte, rest @ ..] = bytes {
        if byte.is_ascii_alphabetic() {
            letters |= 1 << (byte.to_ascii_lowercase() - b'a');
        }
        bytes = rest;
    }
    letters
}

/// Whether a member, header or setting of this name holds a secret.
pub fn is_secret(name: &str) -> bool {
    // Every member of every answer is asked about, and nearly all have not even the letters.
    let letters = letters(name);
    let has_letters = |part: &&Part| part.letters & letters == part.letters;
    if !WITHIN.iter().chain(&AT_END).any(|part| has_letters(&part)) {
        return false;
    }
    let name: String = plain(name).map(char::from).collect();
    WITHIN.iter().any(|part| name.contains(part.text)) || AT_END.iter().any(|end| name.ends_with(end.text))
}

/// Whether a provider's setting of this name holds a secret, whatever its privacy.
pub fn is_secret_field(name: &str) -> bool {
    is_secret(name) || plain(name).rev().take(3).eq("yek".bytes()) || FIELDS.iter().any(|field| is_called(name, field))
}

/// Whether `value` is a secret when a URL's query calls it `name`.
pub fn is_secret_query(name: &str, value: &str) -> bool {
    is_secret(name)
        || QUERY.iter().any(|known| is_called(name, known))
        || (QUERY_IF_KEY_LIKE.iter().any(|known| is_called(name, known)) && is_key_like(value))
}

/// Whether a text has the look of a key: long, without words, and neither a number nor the hash
/// of a torrent, which is public.
pub fn is_key_like(text: &str) -> bool {
    /// Keys of indexers have at least 20 characters, short ones 16.
    const SHORTEST: usize = 16;
    /// A torrent's hash.
    const INFO_HASH: usize = 40;
    let hexadecimal = text.bytes().all(|b| b.is_ascii_hexdigit());
    text.len() >= SHORTEST
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
        && text.bytes().any(|b| b.is_ascii_digit())
        && text.bytes().any(|b| b.is_ascii_alphabetic())
        && !(hexadecimal && text.len() == INFO_HASH)
        // A title joined by dashes has many of them, a key at most those of a UUID.
        && text.bytes().filter(|b| matches!(b, b'-' | b'_')).count() <= 4
}

#[cfg(test)]
mod tests {
    use super::{is_key_like, is_secret, is_secret_field, is_secret_query};

    #[test]
    fn names_of_secrets_are_known_in_any_spelling() {
        for name in [
            "apiKey",
            "ApiKey",
            "api_key",
            "X-Api-Key",
            "password",
            "passwordConfirmation",
            "proxyPassword",
            "sslCertPassword",
            "accessToken",
            "accessTokenSecret",
            "refresh_token",
            "botToken",
            "cookie",
            "passkey",
            "webHookUrl",
            "Authorization",
        ] {
            assert!(is_secret(name), "{name}");
        }
    }

    #[test]
    fn names_of_what_is_no_secret_stay() {
        for name in [
            "releaseTokens",
            "sortKey",
            "authenticationMethod",
            "username",
            "title",
            "url",
            "key",
            "tokens",
            "authorizeNotification",
        ] {
            assert!(!is_secret(name), "{name}");
        }
    }

    #[test]
    fn a_provider_has_keys_of_its_own() {
        for name in ["key", "userKey", "configurationKey", "consumerKey", "statelessUrls"] {
            assert!(is_secret_field(name), "{name}");
        }
        for name in ["baseUrl", "host", "chatId", "categories", "username", "clickUrl"] {
            assert!(!is_secret_field(name), "{name}");
        }
    }

    #[test]
    fn the_query_of_a_url_has_keys_of_its_own() {
        for (name, value) in [
            ("apikey", "x"),
            ("jackett_apikey", "x"),
            ("torrent_pass", "x"),
            ("tp", "x"),
            ("r", "0123456789abcdef0123456789abcdef"),
        ] {
            assert!(is_secret_query(name, value), "{name}");
        }
        for (name, value) in [("r", "2"), ("id", "0123456789abcdef0123456789abcdef"), ("file", "A.Show.S01E01")] {
            assert!(!is_secret_query(name, value), "{name}");
        }
    }

    #[test]
    fn keys_are_told_from_titles_numbers_and_hashes() {
        for key in ["0123456789abcdef0123456789abcdef", "b3f0c2d4-1111-4222-8333-944455566677"] {
            assert!(is_key_like(key), "{key}");
        }
        for other in [
            "12345678901234567890",
            "downloadeverything",
            "the-lighthouse-keepers-s01-1080p-web",
            "0123456789abcdef0123456789abcdef01234567",
            "short1",
        ] {
            assert!(!is_key_like(other), "{other}");
        }
    }
}
