//! A series by its title, its title and year, or its TheTVDB id.

use serde_json::{Value, json};

use super::likeness::squeezed;
use super::{Resolver, choose};
use crate::arguments::ArgumentError;
use crate::failure::Failure;

/// The operation that lists all series.
pub(super) const LIST: &str = "list_series";

/// The members of a series that it can be found by, and its id.
pub(super) const MEMBERS: [&str; 6] = ["id", "title", "year", "titleSlug", "tvdbId", "alternateTitles"];

impl Resolver<'_> {
    /// The id of the series that is meant.
    ///
    /// # Errors
    /// None or several have the title; the failure lists the likest or the ones meant.
    pub(super) async fn series(&mut self, text: &str, path: &str) -> Result<Option<i64>, Failure> {
        let text = text.trim();
        if let Some(tvdb) = tvdb_id(text) {
            let list = self.list(LIST, json!({"tvdbId": tvdb})).await?;
            let found = list.iter().find(|it| it.get("tvdbId").and_then(Value::as_i64) == Some(tvdb));
            return match found.and_then(|it| it.get("id")).and_then(Value::as_i64) {
                Some(id) => Ok(Some(id)),
                None => Err(ArgumentError::new(
                    path,
                    format!("no series of the library has the TheTVDB id {tvdb}; a title or Sonarr's own id is accepted, too"),
                )
                .into()),
            };
        }
        let list = self.list(LIST, json!({})).await?;
        let mut found: Vec<&Value> = list.iter().filter(|it| is_titled(it, text)).collect();
        if found.is_empty() {
            found = list.iter().filter(|it| is_also_called(it, text)).collect();
        }
        choose(&list, found, text, path, "series", titled)
    }
}

/// The number in `tvdb:81189`.
pub fn tvdb_id(text: &str) -> Option<i64> {
    let (prefix, number) = text.split_once(':')?;
    if !prefix.trim().eq_ignore_ascii_case("tvdb") {
        return None;
    }
    number.trim().parse().ok()
}

/// `Title (2019)`; a title that ends with its year already is left as it is.
pub fn titled(series: &Value) -> String {
    let title = series.get("title").and_then(Value::as_str).unwrap_or_default();
    match series.get("year").and_then(Value::as_i64) {
        Some(year) if year > 0 && !title.ends_with(&format!("({year})")) => format!("{title} ({year})"),
        _ => title.to_owned(),
    }
}

/// Whether this is the title, or title and year.
pub fn is_titled(series: &Value, text: &str) -> bool {
    let Some(title) = series.get("title").and_then(Value::as_str) else {
        return false;
    };
    squeezed(title) == squeezed(text) || squeezed(&titled(series)) == squeezed(text)
}

fn is_also_called(series: &Value, text: &str) -> bool {
    let text = squeezed(text);
    let alternate = series.get("alternateTitles").and_then(Value::as_array).into_iter().flatten();
    let names = alternate.filter_map(|title| title.get("title"));
    names.chain(series.get("titleSlug")).filter_map(Value::as_str).any(|name| squeezed(name) == text)
}
