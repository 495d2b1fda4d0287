//! The write of a patched object, and what came of it.

use serde_json::{Map, Value, json};

use super::{Asked, BODY, Draft};
use crate::answer::{Answer, Content};
use crate::dispatch::Dispatcher;
use crate::failure::{Code, Failure};
use crate::write::difference::{Change, difference};

impl Dispatcher {
    /// Writes the patched object, and says what that changed.
    pub(super) async fn put(&self, asked: &Asked, draft: Draft) -> Result<Answer, Failure> {
        let sent = draft.arguments.get(BODY).cloned().unwrap_or(Value::Null);
        match self.exchange(asked.operation, draft.arguments).await {
            Ok(answer) => {
                let stored = match answer.content {
                    Content::Json(stored @ Value::Object(_)) if stored.get("id").is_some() => Some(stored),
                    // An answer that does not tell what is stored, or was cut off.
                    _ => self.current(asked).await.ok(),
                };
                let changed = self.changed(asked, &sent, stored.as_ref(), &draft.changes);
                let answer = Answer::new(Content::Json(changed));
                Ok(match stored {
                    Some(stored) if self.misses(&sent, &stored, &draft.changes).is_empty() => answer,
                    Some(_) => answer.noting("Sonarr did not store all of it as it was sent: see `stored`"),
                    None => answer.noting("Sonarr took the change, but what it stored could not be read"),
                })
            }
            Err(failure) if is_uncertain(failure.code) => {
                match self.current(asked).await {
                    Ok(now) if self.misses(&sent, &now, &draft.changes).is_empty() => {
                        let changed = self.changed(asked, &sent, Some(&now), &draft.changes);
                        Ok(Answer::new(Content::Json(changed)).noting(format!(
                            "the answer of Sonarr was lost ({}), but reading the object again shows the change",
                            failure.message
                        )))
                    }
                    Ok(now) if draft.before.as_ref() == Some(&now) => Err(failure
                        .cure("reading the object again shows that it was not changed: the call can be repeated")),
                    _ => Err(failure),
                }
            }
            Err(failure) => Err(failure),
        }
    }

    /// The object in short, and each change; with what Sonarr stored instead, where it did.
    fn changed(&self, asked: &Asked, sent: &Value, stored: Option<&Value>, changes: &[Change]) -> Value {
        let mut summary = Map::new();
        if let Some(target) = asked.target {
            summary.insert("id".to_owned(), json!(target.id));
        }
        if let Some((name, value)) = ["title", "name", "label"].iter().find_map(|name| Some((*name, sent.get(name)?))) {
            summary.insert(name.to_owned(), value.clone());
        }
        let misses = stored.map(|stored| self.misses(sent, stored, changes)).unwrap_or_default();
        let list = changes.iter().map(|change| {
            let mut shown = json!(change);
            if let Some(miss) = misses.iter().find(|miss| miss.path == change.path)
                && let Some(shown) = shown.as_object_mut()
            {
                shown.insert("stored".to_owned(), miss.after.clone());
            }
            shown
        });
        summary.insert("changed".to_owned(), list.collect());
        Value::Object(summary)
    }

    /// The changes that are not stored as they were sent.
    fn misses(&self, sent: &Value, stored: &Value, changes: &[Change]) -> Vec<Change> {
        let mut differences = difference(sent, stored, |value| self.secrets.mask(value));
        // Sonarr keeps secrets back: one that looks the same is taken for the same.
        differences.retain(|it| it.before != it.after && changes.iter().any(|change| change.path == it.path));
        differences
    }
}

/// Whether Sonarr may have done what it did not confirm.
fn is_uncertain(code: Code) -> bool {
    matches!(code, Code::Unreachable | Code::Timeout | Code::UnreadableAnswer | Code::AnswerTooLarge)
}
