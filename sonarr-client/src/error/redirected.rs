//! A redirect, read for what it tells about the base URL.

use std::fmt;

use reqwest::{StatusCode, Url};

use crate::connect::display_url;
use crate::text::one_line;

/// A redirect in place of an answer. It is not followed: the key would go
/// with it, and a write would become a read of some page.
#[derive(Debug)]
pub struct Redirected {
    operation: &'static str,
    status: StatusCode,
    base_url: String,
    location: Option<String>,
    leads_to_login: bool,
    suggested_base_url: Option<String>,
}

impl Redirected {
    pub(crate) fn new(
        operation: &'static str,
        status: StatusCode,
        base_url: &str,
        requested: &Url,
        location: Option<&str>,
    ) -> Self {
        let target = location.and_then(|location| requested.join(location).ok());
        let path = target.as_ref().map_or("", Url::path);
        let leads_to_login = path.trim_end_matches('/').ends_with("/login");
        let suggested_base_url = target
            .as_ref()
            .and_then(|target| base_for(base_url, requested, target))
            .filter(|suggestion| suggestion != base_url);
        Self {
            operation,
            status,
            base_url: base_url.to_owned(),
            location: target.map(|target| one_line(&display_url(&target), 200)),
            leads_to_login,
            suggested_base_url,
        }
    }

    /// The operation that was called.
    pub fn operation(&self) -> &'static str {
        self.operation
    }

    /// The status of the answer.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Where the redirect leads, without its query.
    pub fn location(&self) -> Option<&str> {
        self.location.as_deref()
    }

    /// Whether it leads to a login page.
    pub fn leads_to_login(&self) -> bool {
        self.leads_to_login
    }

    /// The base URL under which the same call would have arrived, when the
    /// redirect tells: with Sonarr's URL base, or with `https`.
    pub fn suggested_base_url(&self) -> Option<&str> {
        self.suggested_base_url.as_deref()
    }
}

/// The base URL that turns the requested path into the redirect's.
fn base_for(base_url: &str, requested: &Url, target: &Url) -> Option<String> {
    let base_path = Url::parse(base_url).ok()?.path().trim_end_matches('/').to_owned();
    let api_path = requested.path().strip_prefix(&base_path)?;
    let target_path = target.path();
    let path = match target_path.strip_suffix(requested.path()) {
        // Only the origin differs: the base stays.
        Some("") => base_path,
        // Sonarr puts its own base before whatever path lacks it.
        Some(missing) => missing.to_owned(),
        None => target_path.strip_suffix(api_path)?.to_owned(),
    };
    let mut base = target.clone();
    base.set_path(&path);
    Some(display_url(&base).trim_end_matches('/').to_owned())
}

impl fmt::Display for Redirected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (operation, status) = (self.operation, self.status.as_u16());
        write!(f, "`{operation}` was answered with a redirect ({status})")?;
        if let Some(location) = &self.location {
            write!(f, " to {location}")?;
        }
        if let Some(suggestion) = &self.suggested_base_url {
            return write!(f, ": set the base URL to {suggestion}");
        }
        if self.leads_to_login {
            f.write_str(", a login page")?;
        }
        write!(
            f,
            ": the base URL {} is probably wrong (Sonarr shows its URL base under Settings > General), \
             or a proxy that wants a login stands before Sonarr",
            self.base_url
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redirected(base: &str, path: &str, location: Option<&str>) -> Redirected {
        let requested = Url::parse(&format!("{base}{path}")).unwrap();
        Redirected::new("list_series", StatusCode::TEMPORARY_REDIRECT, base, &requested, location)
    }

    #[test]
    fn the_base_that_would_have_worked_is_named() {
        for (base, location, suggestion) in [
            ("http://h:8989", "/sonarr/api/v3/series?x=1", Some("http://h:8989/sonarr")),
            ("http://h:8989", "/a/b/api/v3/series", Some("http://h:8989/a/b")),
            ("http://h:8989/old", "/sonarr/old/api/v3/series", Some("http://h:8989/sonarr")),
            ("http://h:8989/old", "/new/api/v3/series", Some("http://h:8989/new")),
            ("http://h:8989/old", "/api/v3/series", Some("http://h:8989")),
            ("http://h", "https://h/api/v3/series", Some("https://h")),
            ("http://h/sonarr", "https://h/sonarr/api/v3/series", Some("https://h/sonarr")),
            ("http://h", "https://user:pass@h/api/v3/series", Some("https://h")),
            ("http://h", "/api/v3/series", None),
            ("http://h", "/login?returnUrl=x", None),
            ("http://h", "http://[", None),
        ] {
            let redirected = redirected(base, "/api/v3/series", Some(location));
            assert_eq!(redirected.suggested_base_url(), suggestion, "{base} {location}");
            let text = redirected.to_string();
            assert!(!text.contains("pass") && !text.contains("x=1"), "{text}");
            if let Some(suggestion) = suggestion {
                assert!(text.ends_with(&format!("set the base URL to {suggestion}")), "{text}");
            }
        }
    }

    #[test]
    fn a_login_page_is_told_from_other_places() {
        let login = redirected("http://h", "/api/v3/series", Some("/sonarr/login?returnUrl=%2fapi"));
        assert!(login.leads_to_login());
        let text = login.to_string();
        assert!(text.contains("to http://h/sonarr/login, a login page"), "{text}");
        assert!(text.contains("the base URL http://h is probably wrong"), "{text}");
        assert!(!redirected("http://h", "/x", Some("/other")).leads_to_login());
        let nowhere = redirected("http://h", "/x", None);
        assert_eq!(nowhere.location(), None);
        assert!(nowhere.to_string().contains("is probably wrong"));
    }
}
