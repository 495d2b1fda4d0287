//! A list: fewer columns, then fewer rows.

use serde_json::Value;

use super::hint::{Next, Origin, literal};
use super::{Extent, Fitted, Frame, MOST_OMITTED, OMITTED, Omitted, size};
use crate::answer::columns::{self, Columns};

/// With so many columns or more all rows are shown, if they fit.
const LEAST_COLUMNS: usize = 2;

/// With so many columns a list is shown that has to be cut.
const COLUMNS_OF_A_PART: usize = 3;

/// Makes a list fit.
pub fn fit(mut rows: Vec<Value>, frame: &Frame<'_>) -> Fitted {
    let mut origin = Origin::of_list(frame.query, frame.cap);
    if let Some(summary) = Summary::of(&rows, frame, "[") {
        let room = frame.cap.saturating_sub(summary.extent(rows.len(), None).length());
        if let Some(columns) = summary.all_rows_within(&rows, room) {
            let total = rows.len();
            return Fitted {
                value: Value::Array(rows.iter().map(|row| columns.of(row)).collect()),
                extent: Some(summary.extent(total, None)),
            };
        }
        let columns = summary.first(COLUMNS_OF_A_PART);
        origin = origin.then(&format!("[*].{}", columns.projection()));
        let mut extent = summary.extent(rows.len(), Some(origin.after(rows.len())));
        let room = frame.cap.saturating_sub(extent.length());
        let part = part(&rows, room, |row| columns.length_of(row), |index| origin.item(index));
        extent.next = (part.passed < rows.len()).then(|| origin.after(part.passed));
        extent.returned = part.shown.len() as u64;
        if !part.omitted.is_empty() {
            extent.say(OMITTED);
        }
        extent.omitted = part.omitted;
        let value = part.shown.iter().filter_map(|index| rows.get(*index)).map(|row| columns.of(row)).collect();
        return Fitted { value: Value::Array(value), extent: Some(extent) };
    }
    if rows.iter().any(Value::is_null) {
        // A query passes over null where it goes through a list, so the places would shift.
        rows.retain(|row| !row.is_null());
        origin = origin.then("[*]");
    }
    let mut extent = Extent {
        total: (origin.passed() + rows.len()) as u64,
        returned: 0,
        next: Some(origin.after(rows.len())),
        omitted: Vec::new(),
        note: format!("More than {} bytes; the same call with what `next` says goes on.", frame.cap),
    };
    let room = frame.cap.saturating_sub(extent.length());
    let part = part(&rows, room, size::of, |index| origin.item(index));
    extent.returned = part.shown.len() as u64;
    extent.next = (part.passed < rows.len()).then(|| origin.after(part.passed));
    if !part.omitted.is_empty() {
        extent.say(OMITTED);
    }
    extent.omitted = part.omitted;
    let mut index = 0;
    rows.truncate(part.passed);
    rows.retain(|_| {
        index += 1;
        part.shown.binary_search(&(index - 1)).is_ok()
    });
    Fitted { value: Value::Array(rows), extent: Some(extent) }
}

/// The rows a list begins with.
pub struct Part {
    /// The indices of those that are shown.
    pub shown: Vec<usize>,
    /// Those that are too long themselves.
    pub omitted: Vec<Omitted>,
    /// How many these are together.
    pub passed: usize,
}

/// As many rows as fit into `room` bytes.
pub fn part(rows: &[Value], room: usize, length_of: impl Fn(&Value) -> usize, get: impl Fn(usize) -> Next) -> Part {
    let mut part = Part { shown: Vec::new(), omitted: Vec::new(), passed: 0 };
    // The list's brackets, and what an omission adds to the note.
    let room = room.saturating_sub(2 + 1 + OMITTED.len());
    let mut left = room;
    for (index, row) in rows.iter().enumerate() {
        let length = length_of(row) + 1;
        if length > room.saturating_sub(room / 4) {
            let omitted = Omitted::new(index.into(), row, size::of(row), get(index));
            let length = size::of(&omitted.to_value()) + 1;
            if part.omitted.len() == MOST_OMITTED || length > left && index > 0 {
                break;
            }
            left = left.saturating_sub(length);
            part.omitted.push(omitted);
        } else {
            let Some(rest) = left.checked_sub(length) else {
                break;
            };
            left = rest;
            part.shown.push(index);
        }
        part.passed = index + 1;
    }
    part
}

/// How the records of a list are summarised.
pub struct Summary<'a> {
    paths: Vec<&'a str>,
    cap: usize,
    whole_record: String,
}

impl<'a> Summary<'a> {
    /// The summary of these rows; nothing where a query chose their shape, or they are no records
    /// with such columns. `list` is the query that leads to them and begins a filter.
    pub fn of(rows: &[Value], frame: &Frame<'a>, list: &str) -> Option<Self> {
        if frame.query.is_some() || !rows.iter().all(Value::is_object) {
            return None;
        }
        // The kinds of things that can be added have no id yet, and no name.
        let says_something = |path: &&str| {
            rows.iter().filter_map(|row| columns::at(row, path)).any(|value| !value.is_null() && value != "")
        };
        let paths: Vec<&str> = frame.columns.iter().copied().filter(says_something).collect();
        if paths.is_empty() {
            return None;
        }
        let first = paths.first().and_then(|path| {
            rows.iter().find_map(|row| Some(format!("?{path}=={}", literal(columns::at(row, path)?)?)))
        });
        let whole_record = format!("{list}{}]", first.as_deref().unwrap_or("0"));
        Some(Summary { paths, cap: frame.cap, whole_record })
    }

    /// The first columns.
    pub fn first(&self, count: usize) -> Columns<'a> {
        Columns::new(self.paths.get(..count).unwrap_or(&self.paths))
    }

    /// As many columns as all rows can have within `room` bytes, if that is enough of them.
    pub fn all_rows_within(&self, rows: &[Value], room: usize) -> Option<Columns<'a>> {
        let fits = |columns: &Columns<'a>| {
            let mut length = 2;
            rows.iter().all(|row| {
                length += columns.length_of(row) + 1;
                length <= room
            })
        };
        // Each further column makes a row longer, so that the most are found by halving.
        let (mut most, mut too_many) = (0, self.paths.len() + 1);
        while too_many - most > 1 {
            let middle = most + (too_many - most) / 2;
            if fits(&self.first(middle)) {
                most = middle;
            } else {
                too_many = middle;
            }
        }
        (most >= LEAST_COLUMNS.min(self.paths.len())).then(|| self.first(most))
    }

    /// What is said about rows that are shown reduced.
    pub fn extent(&self, total: usize, next: Option<Next>) -> Extent {
        let goes_on = if next.is_some() { " The same call with what `next` says goes on." } else { "" };
        Extent {
            total: total as u64,
            returned: total as u64,
            next,
            omitted: Vec::new(),
            note: format!(
                "More than {} bytes in full, so each record shows some members only; a record in full: query \
                 \"{}\".{goes_on}",
                self.cap, self.whole_record
            ),
        }
    }
}
