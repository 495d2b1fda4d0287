//! Query parameters, read as ASP.NET reads them.

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::Failure;
use crate::types::{Types, canonical_enum};

/// The pairs of a query, in the order of sending.
#[derive(Clone, Debug, Default)]
pub(crate) struct Query(pub Vec<(String, String)>);

impl Query {
    pub(crate) fn parse(raw: &str) -> Query {
        let pairs = form_urlencoded::parse(raw.as_bytes());
        Query(pairs.map(|(key, value)| (key.into_owned(), value.into_owned())).collect())
    }

    /// The first value of a parameter, whose name matches in any case; an empty one counts as absent.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.present(name).filter(|value| !value.is_empty())
    }

    /// The first value of a parameter, even an empty one.
    pub(crate) fn present(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0
            .iter()
            .filter(move |(key, value)| key.eq_ignore_ascii_case(name) && !value.is_empty())
            .map(|(_, value)| value.as_str())
    }

    pub(crate) fn int(&self, name: &str) -> Result<Option<i64>, Failure> {
        self.text(name).map(|value| read_int(name, value)).transpose()
    }

    pub(crate) fn ints(&self, name: &str) -> Result<Vec<i64>, Failure> {
        self.all(name).map(|value| read_int(name, value)).collect()
    }

    /// `true` or `false` in any case; anything else is refused.
    pub(crate) fn flag(&self, name: &str, default: bool) -> Result<bool, Failure> {
        match self.text(name) {
            None => Ok(default),
            Some(value) if value.eq_ignore_ascii_case("true") => Ok(true),
            Some(value) if value.eq_ignore_ascii_case("false") => Ok(false),
            Some(value) => Err(invalid(name, value)),
        }
    }

    pub(crate) fn date(&self, name: &str) -> Result<Option<DateTime<Utc>>, Failure> {
        self.text(name).map(|value| crate::types::read_date(value).ok_or_else(|| invalid(name, value))).transpose()
    }

    /// One value of an enum, in the server's spelling.
    pub(crate) fn enumeration(&self, name: &str, kind: &str) -> Result<Option<String>, Failure> {
        self.text(name).map(|value| read_enum(name, value, kind)).transpose()
    }

    pub(crate) fn enumerations(&self, name: &str, kind: &str) -> Result<Vec<String>, Failure> {
        self.all(name).map(|value| read_enum(name, value, kind)).collect()
    }
}

fn read_int(name: &str, value: &str) -> Result<i64, Failure> {
    value.trim().parse::<i32>().map(i64::from).map_err(|_| invalid(name, value))
}

fn read_enum(name: &str, value: &str, kind: &str) -> Result<String, Failure> {
    let values = Types::of(false).enumeration(kind).unwrap_or_default();
    match canonical_enum(values, &Value::from(value), false) {
        Some(Value::String(known)) => Ok(known),
        _ => Err(invalid(name, value)),
    }
}

fn invalid(name: &str, value: &str) -> Failure {
    Failure::Problem { path: name.to_owned(), message: format!("The value '{value}' is not valid.") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_repeat_and_comma_lists_are_refused() {
        let query = Query::parse("seriesIds=1&SERIESIDS=2&empty=");
        assert_eq!(query.ints("seriesIds").unwrap(), [1, 2]);
        assert!(Query::parse("seriesIds=1,2").ints("seriesIds").is_err());
        assert_eq!(query.text("empty"), None);
        assert_eq!(query.present("empty"), Some(""));
    }

    #[test]
    fn flags_are_words() {
        assert!(Query::parse("a=TRUE").flag("a", false).unwrap());
        assert!(Query::parse("").flag("a", true).unwrap());
        assert!(Query::parse("a=1").flag("a", true).is_err());
    }

    #[test]
    fn enums_take_names_and_numbers() {
        assert_eq!(Query::parse("p=Torrent").enumeration("p", "DownloadProtocol").unwrap().as_deref(), Some("torrent"));
        assert_eq!(Query::parse("p=1").enumeration("p", "DownloadProtocol").unwrap().as_deref(), Some("usenet"));
        assert!(Query::parse("p=x").enumeration("p", "DownloadProtocol").is_err());
    }
}
