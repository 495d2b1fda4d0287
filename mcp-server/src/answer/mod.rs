//! What a call answers, as text and as structured content.
//!
//! Some clients hand the model only the text, others only the structured content: each says
//! everything.

pub mod columns;
mod document;
mod encode;
pub mod fit;
mod gather;
pub mod query;
pub mod secrets;
mod shape;
mod summary;
pub mod text;

use serde_json::{Map, Value, json};

use crate::generated::columns::of as columns_of;
use crate::operation::Operation;

pub use document::Document;
pub use fit::Extent;
pub use gather::{GatherError, MAX_STREAM_BYTES, gather, misfit};
pub use shape::{clean_failure, shape};
pub use summary::summary;

/// An answer and what a caller should know about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// What Sonarr answered.
    pub content: Content,
    /// What a caller would otherwise take for something else.
    pub note: Option<String>,
    /// What it answers; nothing where it is no answer but a preview or a question.
    pub source: Option<Source>,
    /// How it was shortened; nothing where it is whole.
    pub extent: Option<Extent>,
}

/// What was answered to, as far as the answer's shape is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// The summary columns of the records it lists.
    pub columns: &'static [&'static str],
    /// Whether it changed something.
    pub writes: bool,
    /// The member that is a list to go through, where the answer is an object around one.
    pub list: Option<&'static str>,
    /// Whether the records have only what their summary needs, for the list is far too long.
    pub reduced: bool,
}

/// What Sonarr answered.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// A JSON value.
    Json(Value),
    /// Plain text.
    Text(String),
    /// An image.
    Image {
        /// Such as `image/jpeg`.
        mime_type: String,
        /// The file's bytes.
        bytes: Vec<u8>,
    },
}

impl Answer {
    /// An answer without a note.
    pub fn new(content: Content) -> Self {
        Answer { content, note: None, source: None, extent: None }
    }

    /// Adds a note, after the one that is there.
    #[must_use]
    pub fn noting(mut self, note: impl Into<String>) -> Self {
        let note = note.into();
        self.note = Some(match self.note {
            Some(earlier) => format!("{earlier}. {note}"),
            None => note,
        });
        self
    }

    /// Says which operation Sonarr answered to.
    #[must_use]
    pub fn answering(mut self, operation: &Operation) -> Self {
        let columns = columns_of(operation.name);
        self.source = Some(Source { columns, writes: operation.effect.writes(), list: None, reduced: false });
        self
    }

    /// Says that this server composed it to answer a call, so that a query selects from it, too; `list` is the member
    /// that is a list to go through.
    #[must_use]
    pub fn composed(mut self, writes: bool, list: Option<&'static str>) -> Self {
        self.source = Some(Source { columns: &[], writes, list, reduced: false });
        self
    }

    /// The answer as text: a text as it is, anything else as compact JSON. With something to say
    /// about it, it is an object of `result`, how it was shortened, and `note`.
    pub fn text(&self) -> String {
        match &self.content {
            Content::Json(value) if self.is_plain() => value.to_string(),
            Content::Text(text) if self.is_plain() => text.clone(),
            _ => self.wrapped().to_string(),
        }
    }

    /// The answer as an object: one as it is, anything else as the member `result`. An image is
    /// only described, for an object cannot show it.
    pub fn structured(&self) -> Option<Value> {
        match &self.content {
            Content::Json(value @ Value::Object(_)) if self.is_plain() => Some(value.clone()),
            _ => Some(self.wrapped()),
        }
    }

    fn is_plain(&self) -> bool {
        self.note.is_none() && self.extent.is_none()
    }

    fn wrapped(&self) -> Value {
        let result = match &self.content {
            Content::Json(value) => value.clone(),
            Content::Text(text) => Value::from(text.as_str()),
            Content::Image { mime_type, bytes } => {
                json!({"mimeType": mime_type, "bytes": bytes.len()})
            }
        };
        let mut members = Map::new();
        members.insert("result".to_owned(), result);
        if let Some(extent) = &self.extent {
            members.extend(extent.members());
        }
        if let Some(note) = &self.note {
            let note = match members.get("note").and_then(Value::as_str) {
                Some(more) => format!("{note}. {more}"),
                None => note.clone(),
            };
            members.insert("note".to_owned(), Value::from(note));
        }
        Value::Object(members)
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, Content};
    use serde_json::{Value, json};

    fn both(answer: &Answer) -> (String, Option<Value>) {
        (answer.text(), answer.structured())
    }

    #[test]
    fn an_object_is_itself_and_anything_else_is_wrapped() {
        assert_eq!(
            both(&Answer::new(Content::Json(json!({"id": 1})))),
            ("{\"id\":1}".to_owned(), Some(json!({"id": 1})))
        );
        assert_eq!(
            both(&Answer::new(Content::Json(json!([1, 2])))),
            ("[1,2]".to_owned(), Some(json!({"result": [1, 2]})))
        );
        assert_eq!(
            both(&Answer::new(Content::Text("a\nb".to_owned()))),
            ("a\nb".to_owned(), Some(json!({"result": "a\nb"})))
        );
    }

    #[test]
    fn a_note_is_in_both() {
        for content in [Content::Json(json!({"id": 1})), Content::Json(json!(null)), Content::Text("a".to_owned())] {
            let answer = Answer::new(content).noting("why");
            let text: Value = serde_json::from_str(&answer.text()).unwrap();
            assert_eq!(Some(&text), answer.structured().as_ref());
            assert_eq!(text["note"], "why");
        }
    }

    #[test]
    fn an_image_is_described_in_words() {
        let answer = Answer::new(Content::Image { mime_type: "image/png".to_owned(), bytes: vec![0; 3] });
        let described = json!({"result": {"mimeType": "image/png", "bytes": 3}});
        assert_eq!(both(&answer), (described.to_string(), Some(described)));
    }
}
