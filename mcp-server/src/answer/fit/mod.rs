//! Answers that fit into a model's context, and say how to get the rest.
//!
//! An answer under the cap stays as it is. A longer list is reduced to its summary columns, then
//! to fewer of them, and only then cut after some row; a page of Sonarr's keeps its members
//! around the records, and a list of findings what counts them; any other object leaves out its largest members, or is cut after some member; a
//! text is cut after some line. Each says how much there is, how much of it is shown, and with
//! which query or page to go on; following that leads through everything once.

mod around;
mod hint;
mod list;
mod object;
mod page;
pub mod size;
#[cfg(test)]
mod tests;
mod text;

use serde_json::{Map, Value, json};

pub use hint::Next;

/// What has to be known to shape an answer.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    /// The most bytes that the answer's text may take.
    pub cap: usize,
    /// The summary columns of the records, as dotted paths, the most telling first; empty where
    /// there are none.
    pub columns: &'a [&'a str],
    /// The query the value was made by. Its result is not reduced to columns, for its shape is
    /// the caller's choice.
    pub query: Option<&'a str>,
    /// The member of an object that is a list to go through; what is around it stays.
    pub list: Option<&'a str>,
}

/// A value that fits, and what it is a part of.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// What is shown.
    pub value: Value,
    /// How it was shortened; nothing where it is whole.
    pub extent: Option<Extent>,
}

/// How an answer was shortened.
#[derive(Debug, Clone, PartialEq)]
pub struct Extent {
    /// How many rows, members, lines or characters there are.
    pub total: u64,
    /// How many of them are shown.
    pub returned: u64,
    /// How to go on; nothing where all that is not in `omitted` was shown.
    pub next: Option<Next>,
    /// What was passed over for its size.
    pub omitted: Vec<Omitted>,
    /// What else to know.
    pub note: String,
}

/// Something passed over for its size.
#[derive(Debug, Clone, PartialEq)]
pub struct Omitted {
    /// What it is: the name of a member, or the number of a row or line from 0.
    pub what: Value,
    /// What JSON calls its type.
    pub kind: &'static str,
    /// How many items or members it has, or characters.
    pub length: usize,
    /// How long it is as JSON.
    pub bytes: usize,
    /// How to get it.
    pub get: Next,
}

impl Omitted {
    fn new(what: Value, value: &Value, bytes: usize, get: Next) -> Self {
        let (kind, length) = match value {
            Value::Null => ("null", 0),
            Value::Bool(_) => ("boolean", 0),
            Value::Number(_) => ("number", 0),
            Value::String(text) => ("string", text.chars().count()),
            Value::Array(items) => ("array", items.len()),
            Value::Object(members) => ("object", members.len()),
        };
        Omitted { what, kind, length, bytes, get }
    }

    fn to_value(&self) -> Value {
        let mut value = json!({"what": self.what, "type": self.kind, "length": self.length, "bytes": self.bytes});
        if let (Some(members), Value::Object(get)) = (value.as_object_mut(), self.get.to_value()) {
            members.extend(get);
        }
        value
    }
}

impl Extent {
    /// The members that stand beside `result`.
    pub fn members(&self) -> Map<String, Value> {
        let mut members = Map::new();
        members.insert("total".to_owned(), json!(self.total));
        members.insert("returned".to_owned(), json!(self.returned));
        if let Some(next) = &self.next {
            members.insert("next".to_owned(), next.to_value());
        }
        if !self.omitted.is_empty() {
            let omitted = self.omitted.iter().map(Omitted::to_value).collect();
            members.insert("omitted".to_owned(), Value::Array(omitted));
        }
        if !self.note.is_empty() {
            members.insert("note".to_owned(), json!(self.note));
        }
        members
    }

    /// Says how to read a hint that gives only the end of a query.
    fn explain_ends(mut self) -> Self {
        let ends = |next: &Next| matches!(next, Next::End(_));
        if self.next.iter().chain(self.omitted.iter().map(|omitted| &omitted.get)).any(ends) {
            self.say(ENDS);
        }
        self
    }

    /// Adds to the note.
    fn say(&mut self, more: &str) {
        if !self.note.is_empty() {
            self.note.push(' ');
        }
        self.note.push_str(more);
    }

    /// How long the answer's text is apart from the result, in bytes.
    fn length(&self) -> usize {
        // The numbers grow by what is counted later, and the note by what is found.
        const NUMBERS: usize = 60;
        "{\"result\":}".len() + size::of(&self.members()) + NUMBERS + ENDS.len() + 1
    }
}

/// Makes a value fit.
pub fn fit(value: Value, frame: &Frame<'_>) -> Fitted {
    if size::within(&value, frame.cap) {
        return Fitted { value, extent: None };
    }
    let Fitted { value, extent } = match value {
        Value::Array(rows) => list::fit(rows, frame),
        Value::Object(members) => match page::Page::of(members, frame) {
            Ok(page) => page.fit(frame),
            Err(members) => around::fit(members, frame),
        },
        Value::String(text) => text::fit_characters(&text, frame),
        // A null, a boolean or a number is never long.
        value => Fitted { value, extent: None },
    };
    Fitted { value, extent: extent.map(Extent::explain_ends) }
}

/// Makes a list fit that is known to be too long, of which the records have what their summary needs.
pub fn fit_records(records: Vec<Value>, frame: &Frame<'_>) -> Fitted {
    let Fitted { value, extent } = list::fit(records, frame);
    Fitted { value, extent: extent.map(Extent::explain_ends) }
}

pub use text::{fit_lines, fit_text};

/// How many things of one answer are passed over for their size at most.
const MOST_OMITTED: usize = 16;

/// What an omission says.
const OMITTED: &str = "`omitted` names what is too long to be shown here, and how to get it.";

/// What a hint means that gives only the end of a query.
const ENDS: &str = "`queryEnd` goes to the end of the same query, in place of such an end if it has one.";
