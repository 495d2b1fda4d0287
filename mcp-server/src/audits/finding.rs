//! What an audit found, and the call that would mend it.

use serde_json::{Map, Value, json};

use crate::failure::Failure;

/// One kind of thing that an audit can find.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// Lower case with underscores, unique over all audits.
    pub name: &'static str,
    /// What it means for the library, in one sentence.
    pub meaning: &'static str,
}

/// One thing that needs a person.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The name of its [`Kind`].
    pub kind: &'static str,
    /// What it is about: ids and names, in Sonarr's own words for the members (`seriesId`, `title`, `episodeIds`, …).
    pub subject: Map<String, Value>,
    /// Why it was found, with the figures or names that show it.
    pub reason: String,
    /// The call that would mend it; nothing where no call of Sonarr's can.
    pub mend: Option<Mend>,
}

/// A call, ready to be sent as it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Mend {
    /// The operation.
    pub operation: &'static str,
    /// Its arguments.
    pub arguments: Value,
}

impl Finding {
    /// A finding about `subject`, an object.
    pub fn new(kind: &'static Kind, subject: Value, reason: impl Into<String>) -> Self {
        let subject = match subject {
            Value::Object(members) => members,
            other => Map::from_iter([("subject".to_owned(), other)]),
        };
        Finding { kind: kind.name, subject, reason: reason.into(), mend: None }
    }

    /// Names the call that would mend it.
    #[must_use]
    pub fn mended_by(mut self, operation: &'static str, arguments: Value) -> Self {
        self.mend = Some(Mend { operation, arguments });
        self
    }
}

/// What came of one audit.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Worklist {
    /// What it found, in the order in which it should be gone through.
    pub findings: Vec<Finding>,
    /// How much was looked at, by what it is (`series`, `episodes`, …).
    pub examined: Map<String, Value>,
    /// What could not be looked at, each with the reason.
    pub unseen: Vec<String>,
}

impl Worklist {
    /// What was read. A part that could not be read is told as unseen, and the rest goes on.
    pub fn read<T>(&mut self, what: &str, outcome: Result<T, Failure>) -> Option<T> {
        outcome.map_err(|failure| self.unseen.push(format!("{what}: {}", failure.message))).ok()
    }

    /// Says that `count` of `what` were looked at.
    pub fn examined(&mut self, what: &str, count: usize) {
        self.examined.insert(what.to_owned(), json!(count));
    }
}
