//! `ids`: one read for each of several ids, in one call.

use futures::StreamExt;
use serde_json::{Map, Value, json};

use super::Dispatcher;
use crate::answer::{Answer, Content};
use crate::arguments::ArgumentError;
use crate::failure::{Code, Failure};
use crate::names;
use crate::operation::{Effect, Kind, Operation, Parameter, Place};
use crate::write::pairs;

/// The argument: a list in the place of the one id.
pub const NAME: &str = "ids";

/// The argument it takes the place of.
const ID: &str = "id";

/// So many ids go into one call.
const MOST: usize = 500;

/// So many reads run at once.
const AT_ONCE: usize = 8;

/// So many failed ids are named in the note.
const NAMED: usize = 10;

static PARAMETERS: &[Parameter] = &[Parameter {
    name: NAME,
    place: Place::Query,
    kind: Kind::Array(&Kind::Integer),
    required: false,
    summary: "In the place of `id`: one answer with all of them, in this order; one that fails is an `error` there.",
    values: &[],
}];

/// What an operation takes beside Sonarr's own: a read of one object by its id, but not of a page
/// of settings, of which there is one.
pub fn parameters(operation: &Operation) -> &'static [Parameter] {
    let one = operation.path.ends_with("/{id}") && operation.path.matches('{').count() == 1;
    let settings = operation.path.starts_with("/api/v3/config/");
    if operation.effect == Effect::Read && one && !settings { PARAMETERS } else { &[] }
}

/// Takes the ids out of the arguments of a call, where it has any.
///
/// # Errors
/// `id` beside them, anything but a list, an empty list and one that is too long.
pub fn take(operation: &Operation, arguments: &mut Map<String, Value>) -> Result<Option<Vec<Value>>, ArgumentError> {
    if parameters(operation).is_empty() {
        return Ok(None);
    }
    let refused = |problem: String| Err(ArgumentError::new(format!("arguments.{NAME}"), problem));
    let mut given = match arguments.shift_remove(NAME) {
        None | Some(Value::Null) => return Ok(None),
        Some(given) => given,
    };
    if let Value::String(text) = &given
        && let Ok(parsed @ Value::Array(_)) = serde_json::from_str(text)
    {
        given = parsed;
    }
    if arguments.get(ID).is_some_and(|id| !id.is_null()) {
        return refused(format!("takes the place of `{ID}`: give one of them"));
    }
    arguments.shift_remove(ID);
    match given {
        Value::Array(ids) if (1..=MOST).contains(&ids.len()) => Ok(Some(ids)),
        _ => refused(format!("expected a list of 1 to {MOST} ids, as in [1, 2]")),
    }
}

impl Dispatcher {
    /// Reads each of `ids`. One that fails is told in its place; only when none can be read, for a
    /// reason that has nothing to do with them, the call fails.
    pub(super) async fn each(
        &self,
        operation: &'static Operation,
        ids: Vec<Value>,
        rest: &Map<String, Value>,
    ) -> Result<Answer, Failure> {
        let reads = ids.into_iter().map(|id| async move {
            let mut arguments = rest.clone();
            arguments.insert(ID.to_owned(), id.clone());
            (id, self.each_one(operation, arguments).await)
        });
        let read: Vec<(Value, Result<Answer, Failure>)> =
            futures::stream::iter(reads).buffered(AT_ONCE).collect().await;
        let about_ids = |failure: &Failure| {
            matches!(failure.code, Code::NotFound | Code::InvalidArguments | Code::Rejected | Code::SonarrFailed)
        };
        if read.iter().all(|(_, read)| read.as_ref().is_err_and(|failure| !about_ids(failure)))
            && let Some((_, Err(failure))) = read.first()
        {
            return Err(failure.clone());
        }
        let (mut rows, mut failed, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        for (id, read) in read {
            match read {
                Ok(Answer { content: Content::Json(row), note, .. }) => {
                    rows.push(row);
                    notes.extend(note.filter(|note| !notes.contains(note)));
                }
                Ok(_) => rows.push(Value::Null),
                Err(failure) => {
                    let error = failure.structured().get_mut("error").map(Value::take).unwrap_or_default();
                    failed.push(id.to_string());
                    rows.push(json!({ID: id, "error": error}));
                }
            }
        }
        if !failed.is_empty() {
            let named = failed.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
            let more = if failed.len() > NAMED { ", …" } else { "" };
            notes.push(format!("{} of {} ids could not be read: {named}{more}", failed.len(), rows.len()));
        }
        // Several of them are what a list of them is, also when it has to be shortened.
        let list = operation.path.strip_suffix("/{id}").and_then(pairs::reads).unwrap_or(operation);
        let answer = Answer::new(Content::Json(Value::Array(rows))).answering(list);
        Ok(notes.into_iter().fold(answer, |answer, note| answer.noting(note)))
    }

    async fn each_one(&self, operation: &'static Operation, arguments: Map<String, Value>) -> Result<Answer, Failure> {
        let (arguments, _) = names::resolve(self, operation, arguments).await?;
        self.plain(operation, arguments, true).await
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, parameters, take};
    use crate::operation::Operation;
    use crate::write::pairs;
    use serde_json::{Value, json};

    fn operation(path: &str) -> &'static Operation {
        pairs::reads(path).unwrap()
    }

    #[test]
    fn reads_of_one_object_take_several_ids() {
        for (path, due) in [
            ("/api/v3/series/{id}", 1),
            ("/api/v3/tag/{id}", 1),
            ("/api/v3/series", 0),
            ("/api/v3/config/host/{id}", 0),
            ("/api/v3/mediacover/{seriesId}/{filename}", 0),
        ] {
            assert_eq!(parameters(operation(path)).len(), due, "{path}");
        }
    }

    #[test]
    fn ids_are_a_list_in_the_place_of_the_id() {
        let given = |arguments: Value| {
            let mut arguments = arguments.as_object().unwrap().clone();
            take(operation("/api/v3/series/{id}"), &mut arguments)
        };
        assert_eq!(given(json!({"id": 1})), Ok(None));
        assert_eq!(given(json!({"ids": [2, "Title"]})), Ok(Some(vec![json!(2), json!("Title")])));
        assert_eq!(given(json!({"ids": "[2]", "id": null})), Ok(Some(vec![json!(2)])));
        for wrong in
            [json!({"ids": []}), json!({"ids": 3}), json!({"ids": [1], "id": 1}), json!({"ids": vec![1; MOST + 1]})]
        {
            assert_eq!(given(wrong).unwrap_err().path, "arguments.ids");
        }
    }
}
