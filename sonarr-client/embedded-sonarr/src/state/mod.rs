//! Everything the server remembers.

pub(crate) mod episode;
pub(crate) mod library;
pub(crate) mod series;
pub(crate) mod table;

use std::collections::BTreeMap;

use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Map, Value, json};

use crate::Planted;
use crate::commands::Commands;
use crate::disk::Disk;
use crate::downloads::Downloads;
use crate::seed::Rng;
use crate::types::Types;
pub(crate) use library::{Entry, Library};
pub(crate) use table::Table;

/// A stored object.
pub(crate) type Row = Map<String, Value>;

/// The version that the released server announces.
pub(crate) const VERSION: &str = "4.0.19.2979";
/// The version that a coming server announces.
pub(crate) const NEXT_VERSION: &str = "5.0.0.41";

/// The server's memory. One request at a time works on it.
#[derive(Debug)]
pub(crate) struct State {
    pub api_key: String,
    pub url_base: String,
    pub next_version: bool,
    pub types: &'static Types,
    /// The time of the request at hand.
    pub now: DateTime<Utc>,
    pub started: DateTime<Utc>,
    /// Until when authenticated requests get 503.
    pub starting_until: DateTime<Utc>,
    /// Whether the server was told to shut down.
    pub stopped: bool,
    pub library: Library,
    /// Series that were removed, by TheTVDB id: they can be looked up and added again.
    pub removed: BTreeMap<i64, Entry>,
    /// Rows of every plain resource by its path, such as `tag` or `config/host`.
    pub tables: BTreeMap<&'static str, Table>,
    pub commands: Commands,
    pub downloads: Downloads,
    pub disk: Disk,
    pub rng: Rng,
    /// Whether the library began as one in which nothing is wrong.
    pub clean: bool,
    /// What the scenarios planted.
    pub planted: Vec<Planted>,
    /// What would have killed a real server.
    pub fatal: Vec<String>,
    /// Canaries: every secret that the library was made with.
    pub secrets: Vec<String>,
}

impl State {
    pub(crate) fn version(&self) -> &'static str {
        if self.next_version { NEXT_VERSION } else { VERSION }
    }

    /// The rows of a resource.
    pub(crate) fn table(&self, path: &str) -> &Table {
        static NONE: Table = Table::new();
        self.tables.get(path).unwrap_or(&NONE)
    }

    /// The rows of a resource, to be changed.
    pub(crate) fn table_mut(&mut self, path: &'static str) -> &mut Table {
        self.tables.entry(path).or_default()
    }

    /// A row of a resource.
    pub(crate) fn row(&self, path: &str, id: i64) -> Option<&Row> {
        self.table(path).get(id)
    }

    /// The one row of a settings resource such as `config/naming`.
    pub(crate) fn setting(&self, path: &str, member: &str) -> &Value {
        self.row(path, 1).and_then(|row| row.get(member)).unwrap_or(&Value::Null)
    }

    /// Writes a line to the log table.
    pub(crate) fn log(&mut self, level: &str, logger: &str, message: impl Into<String>) {
        let row = object(json!({
            "time": iso(self.now), "level": level, "logger": logger, "message": message.into(),
        }));
        self.table_mut("log").insert(row);
    }
}

/// The object in a `json!` literal.
pub(crate) fn object(value: Value) -> Row {
    match value {
        Value::Object(object) => object,
        _ => Row::new(),
    }
}

/// A date as the server writes it: UTC, whole seconds.
pub(crate) fn iso(date: DateTime<Utc>) -> String {
    date.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// A time span as .NET writes it: `[d.]hh:mm:ss[.fffffff]`.
pub(crate) fn span(delta: chrono::TimeDelta) -> String {
    let ticks = delta.num_microseconds().unwrap_or(0).max(0);
    let (micros, seconds) = (ticks % 1_000_000, ticks / 1_000_000);
    let (days, seconds) = (seconds / 86_400, seconds % 86_400);
    let (hours, minutes, seconds) = (seconds / 3600, seconds % 3600 / 60, seconds % 60);
    let mut text = String::new();
    if days > 0 {
        text.push_str(&format!("{days}."));
    }
    text.push_str(&format!("{hours:02}:{minutes:02}:{seconds:02}"));
    if micros > 0 {
        text.push_str(&format!(".{:07}", micros * 10));
    }
    text
}

/// A member as text, empty when it is no text.
pub(crate) fn text<'a>(row: &'a Row, member: &str) -> &'a str {
    row.get(member).and_then(Value::as_str).unwrap_or_default()
}

/// A member as integer, 0 when it is none.
pub(crate) fn int(row: &Row, member: &str) -> i64 {
    row.get(member).and_then(Value::as_i64).unwrap_or(0)
}

/// A member as flag, false when it is none.
pub(crate) fn flag(row: &Row, member: &str) -> bool {
    row.get(member).and_then(Value::as_bool).unwrap_or(false)
}

/// A member as list of integers, empty when it is none.
pub(crate) fn ints(row: &Row, member: &str) -> Vec<i64> {
    int_list(row.get(member).unwrap_or(&Value::Null))
}

/// A list of integers.
pub(crate) fn int_list(value: &Value) -> Vec<i64> {
    value.as_array().map(|items| items.iter().filter_map(Value::as_i64).collect()).unwrap_or_default()
}

/// The 31-bit hash that stands for the id of things that are not rows.
pub(crate) fn hash_id(text: &str) -> i64 {
    let hash = text.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    i64::from(hash & 0x7fff_ffff).max(1)
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    #[test]
    fn spans_are_in_net_form() {
        assert_eq!(span(TimeDelta::seconds(754)), "00:12:34");
        assert_eq!(span(TimeDelta::seconds(86_400)), "1.00:00:00");
        assert_eq!(span(TimeDelta::milliseconds(167)), "00:00:00.1670000");
    }

    #[test]
    fn hashes_are_positive_and_stable() {
        assert_eq!(hash_id("a"), hash_id("a"));
        assert!(hash_id("") > 0 && hash_id("/tv/x.mkv") <= i64::from(i32::MAX));
    }
}
