//! A string that fills one segment of a request path and can never leave it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A value for one segment of a URL path, such as the file name of a log.
///
/// The server's paths are made by putting values between slashes. A value that
/// is itself a piece of a path (`..`, `a/b`), that ends the path (`?`, `#`) or
/// that hides one of these (`%2f`) would reach another operation than the one
/// called, so such values are refused when they are made. Every other
/// character is percent-encoded on its way out.
///
/// ```
/// use sonarr_client::PathSegment;
///
/// let file: PathSegment = "sonarr.trace.0.txt".parse()?;
/// assert_eq!(file.as_str(), "sonarr.trace.0.txt");
/// assert!("../config.xml".parse::<PathSegment>().is_err());
/// # Ok::<(), sonarr_client::InvalidPathSegment>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct PathSegment(String);

/// Why a text cannot be a [`PathSegment`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidPathSegment {
    /// There is no text at all.
    #[error("a part of a path cannot be empty; {ACCEPTED}")]
    Empty,
    /// The text is `.` or `..`, which name other places in the path.
    #[error("`{0}` would leave its place in the path; {ACCEPTED}")]
    Dots(&'static str),
    /// The text holds a character that separates or ends parts of a URL.
    #[error("{character:?} (character {position}) would leave its place in the path; {ACCEPTED}")]
    Character {
        /// The character.
        character: char,
        /// Its place in the text, counted from 1.
        position: usize,
    },
}

const ACCEPTED: &str = "accepted is one plain name without `/`, `\\`, `?`, `#`, `%` and control characters";

impl PathSegment {
    /// The text as it was given, not percent-encoded.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text as it was given, not percent-encoded.
    pub fn into_string(self) -> String {
        self.0
    }

    fn check(text: &str) -> Result<(), InvalidPathSegment> {
        match text {
            "" => return Err(InvalidPathSegment::Empty),
            "." => return Err(InvalidPathSegment::Dots(".")),
            ".." => return Err(InvalidPathSegment::Dots("..")),
            _ => {}
        }
        let leaves = |c: char| matches!(c, '/' | '\\' | '?' | '#' | '%') || c.is_control();
        match text.chars().enumerate().find(|(_, c)| leaves(*c)) {
            Some((index, character)) => Err(InvalidPathSegment::Character { character, position: index + 1 }),
            None => Ok(()),
        }
    }
}

impl TryFrom<String> for PathSegment {
    type Error = InvalidPathSegment;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::check(&text)?;
        Ok(Self(text))
    }
}

impl TryFrom<&str> for PathSegment {
    type Error = InvalidPathSegment;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        Self::check(text)?;
        Ok(Self(text.to_owned()))
    }
}

impl TryFrom<&String> for PathSegment {
    type Error = InvalidPathSegment;

    fn try_from(text: &String) -> Result<Self, Self::Error> {
        Self::try_from(text.as_str())
    }
}

impl FromStr for PathSegment {
    type Err = InvalidPathSegment;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::try_from(text)
    }
}

impl From<PathSegment> for String {
    fn from(segment: PathSegment) -> Self {
        segment.0
    }
}

impl AsRef<str> for PathSegment {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PathSegment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for PathSegment {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

#[cfg(feature = "json-schema")]
impl schemars::JsonSchema for PathSegment {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PathSegment".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "minLength": 1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_pass_unchanged() {
        for name in ["sonarr.txt", "a b", "ä…", "...", "..a", "name&x=1", "a:b", "\u{202e}x"] {
            let segment = PathSegment::try_from(name).unwrap();
            assert_eq!(segment.to_string(), name);
            let json = serde_json::to_string(&segment).unwrap();
            assert_eq!(serde_json::from_str::<PathSegment>(&json).unwrap(), segment);
        }
    }

    #[test]
    fn whatever_leaves_the_segment_is_refused_with_what_is_accepted() {
        for name in ["", ".", "..", "/", "a/b", "..\\a", "1?x=1", "a#b", "%2e%2e", "a%2fb", "a\nb", "\u{0}", "\u{7f}"] {
            let error = PathSegment::try_from(name).unwrap_err();
            assert!(error.to_string().contains("accepted is one plain name"), "{name:?}: {error}");
            let json = serde_json::to_string(name).unwrap();
            let error = serde_json::from_str::<PathSegment>(&json).unwrap_err();
            assert!(error.to_string().contains("accepted is"), "{name:?}: {error}");
        }
        assert_eq!(
            PathSegment::try_from("ab\n").unwrap_err(),
            InvalidPathSegment::Character { character: '\n', position: 3 }
        );
    }

    #[test]
    fn an_accepted_value_stays_one_segment_of_the_url() {
        for name in ["a b", "...", "x&y=1", "a:b", "ü", "\"<>`{}", "@", ";", "[]", "^|"] {
            let segment = PathSegment::try_from(name).unwrap();
            let encoded = progenitor_client::encode_path(segment.as_str());
            let url = reqwest::Url::parse(&format!("http://h/log/file/{encoded}")).unwrap();
            assert_eq!(url.path_segments().unwrap().count(), 3, "{name}");
            assert!(url.path().starts_with("/log/file/"), "{name}");
            assert_eq!(url.query(), None, "{name}");
        }
    }
}
