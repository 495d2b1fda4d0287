//! Reading the address of a Sonarr server the way people write it.

use std::net::{IpAddr, Ipv6Addr};

use reqwest::Url;

use super::ConnectError;

/// The forms named in errors.
pub(super) const ACCEPTED: &str =
    "`http://192.168.1.10:8989`, `http://nas:8989/sonarr`, `https://sonarr.example.org`, `[::1]:8989`";

/// What every generated path begins with; people copy it along.
const API_PATH: [&str; 2] = ["api", "v3"];

/// The base URL in the one form the client uses: `http` or `https`, no
/// credentials, query or fragment, a path without empty segments and without
/// the API's own prefix. A refusal never shows what was between scheme and
/// host or after the path, since secrets stand there.
pub(super) fn read(text: &str) -> Result<Url, ConnectError> {
    let refuse = |reason: String| Err(ConnectError::InvalidUrl { reason });
    let text = text.trim();
    if text.is_empty() {
        return refuse("is empty".to_owned());
    }
    let parsed = match text.split_once("://") {
        Some((scheme, _)) if !is_http(scheme) => {
            return refuse(if is_scheme(scheme) {
                format!("begins with `{scheme}://`, not with `http://` or `https://`")
            } else {
                "does not begin with a scheme".to_owned()
            });
        }
        Some(_) => Url::parse(text),
        // Without this, `http:/nas` would be the host `http`.
        None if text.split_once(':').is_some_and(|(scheme, _)| is_http(scheme)) => {
            return refuse("begins with a scheme without the `//` that belongs to it".to_owned());
        }
        None if text.parse::<Ipv6Addr>().is_ok() => Url::parse(&format!("http://[{text}]")),
        None => Url::parse(&format!("http://{}", text.trim_start_matches('/'))),
    };
    let mut url = match parsed {
        Ok(url) => url,
        Err(error) => return refuse(format!("cannot be read ({error})")),
    };
    if !url.username().is_empty() || url.password().is_some() {
        return refuse("holds a user name or a password, which this client does not send".to_owned());
    }
    if url.query().is_some() {
        return refuse("has a query (the part from `?` on); the API key is given separately".to_owned());
    }
    if url.fragment().is_some() {
        return refuse("has a fragment (the part from `#` on)".to_owned());
    }
    let mut segments: Vec<&str> = url.path().split('/').filter(|s| !s.is_empty()).collect();
    if let Some(rest) = segments.len().checked_sub(API_PATH.len()) {
        let is_api =
            segments.iter().skip(rest).zip(API_PATH).all(|(segment, expected)| segment.eq_ignore_ascii_case(expected));
        if is_api {
            segments.truncate(rest);
        }
    }
    let path = segments.join("/");
    url.set_path(&path);
    Ok(url)
}

fn is_http(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
}

fn is_scheme(text: &str) -> bool {
    text.len() <= 20
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

/// Whether the server runs on this machine.
pub(super) fn is_loopback(url: &Url) -> bool {
    let Some(host) = url.host_str() else {
        return false;
    };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.ends_with(".localhost") || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// A URL for people: without credentials, query and fragment, which may hold secrets.
pub(crate) fn display_url(url: &Url) -> String {
    let mut shown = url.clone();
    shown.set_query(None);
    shown.set_fragment(None);
    // These fail for URLs that cannot have credentials, which then have none.
    let _ = shown.set_username("");
    let _ = shown.set_password(None);
    let shown = shown.as_str();
    if url.path() == "/" { shown.trim_end_matches('/').to_owned() } else { shown.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_people_use_are_put_right() {
        for (given, expected) in [
            ("http://h:8989", "http://h:8989/"),
            ("http://h:8989/", "http://h:8989/"),
            ("http://h:8989/sonarr", "http://h:8989/sonarr"),
            ("http://h:8989//sonarr//", "http://h:8989/sonarr"),
            ("http://h:8989/a/b/", "http://h:8989/a/b"),
            ("http://h:8989/api/v3", "http://h:8989/"),
            ("http://h:8989/sonarr/api/v3/", "http://h:8989/sonarr"),
            ("http://h:8989/sonarr/API/V3", "http://h:8989/sonarr"),
            ("http://h/v3", "http://h/v3"),
            ("http://h/api", "http://h/api"),
            ("https://h", "https://h/"),
            ("HTTPS://Sonarr.Example.org:443/", "https://sonarr.example.org/"),
            ("h", "http://h/"),
            ("http://my_sonarr:8989", "http://my_sonarr:8989/"),
            ("h:8989", "http://h:8989/"),
            ("h:8989/sonarr/", "http://h:8989/sonarr"),
            ("//h:8989", "http://h:8989/"),
            ("  h:8989\n", "http://h:8989/"),
            ("192.168.1.10:8989", "http://192.168.1.10:8989/"),
            ("[::1]:8989", "http://[::1]:8989/"),
            ("http://[fd00::1]:8989/x", "http://[fd00::1]:8989/x"),
            ("::1", "http://[::1]/"),
        ] {
            assert_eq!(read(given).unwrap().as_str(), expected, "{given}");
        }
    }

    #[test]
    fn what_cannot_be_a_server_is_refused_with_the_reason() {
        for (given, reason) in [
            ("", "is empty"),
            ("  ", "is empty"),
            ("http://", "cannot be read"),
            ("http://h:port", "cannot be read"),
            ("http://h:99999", "cannot be read"),
            ("http://h h", "cannot be read"),
            ("http:/h", "without the `//`"),
            ("https:\\\\h", "without the `//`"),
            ("ftp://h", "begins with `ftp://`"),
            ("unix:///var/run", "begins with `unix://`"),
            ("http://user:pass@h", "user name or a password"),
            ("user@h:8989", "user name or a password"),
            ("http://:pass@h", "user name or a password"),
            ("http://h/?apikey=secret", "has a query"),
            ("http://h?", "has a query"),
            ("h#/secret", "has a fragment"),
        ] {
            let error = read(given).unwrap_err().to_string();
            assert!(error.contains(reason), "{given}: {error}");
            assert!(error.contains("accepted are forms like"), "{error}");
            for secret in ["pass@", "user:", "secret"] {
                assert!(!error.contains(secret), "{given}: {error}");
            }
        }
    }

    #[test]
    fn loopback_addresses_are_told_from_others() {
        for (url, expected) in [
            ("http://localhost:1", true),
            ("http://127.8.0.1", true),
            ("http://[::1]:1", true),
            ("http://x.localhost", true),
            ("http://nas", false),
            ("http://localhost.example.org", false),
            ("http://10.0.0.1", false),
        ] {
            assert_eq!(is_loopback(&Url::parse(url).unwrap()), expected, "{url}");
        }
    }

    #[test]
    fn a_shown_url_holds_no_secret() {
        let url = Url::parse("http://user:pass@h:1/a%20b?apikey=x#y").unwrap();
        assert_eq!(display_url(&url), "http://h:1/a%20b");
        assert_eq!(display_url(&Url::parse("http://h:1/").unwrap()), "http://h:1");
    }
}
