//! Long lists of ids: a request whose URL would be too long for a server is sent in parts.

use serde_json::{Map, Value};

use crate::answer::{Answer, Content};
use crate::operation::{Kind, Operation, Place};

/// So many ids go into one request. A URL of some thousand characters is refused with 431 or 414.
const IDS: usize = 100;

/// The arguments of each request, in the order of the ids; the call's own where one is enough.
///
/// An answer in pages cannot be put together again, so such a call stays whole.
pub fn parts(operation: &Operation, arguments: Map<String, Value>) -> Vec<Map<String, Value>> {
    let paged = operation.parameters.iter().any(|parameter| parameter.name == "page");
    let long = operation.parameters.iter().find_map(|parameter| {
        let ids = arguments.get(parameter.name)?.as_array()?;
        let listed = parameter.place == Place::Query && parameter.kind == Kind::Array(&Kind::Integer);
        (listed && ids.len() > IDS).then(|| (parameter.name, ids.clone()))
    });
    match long {
        Some((name, ids)) if !paged => ids
            .chunks(IDS)
            .map(|part| {
                let mut arguments = arguments.clone();
                arguments.insert(name.to_owned(), Value::from(part.to_vec()));
                arguments
            })
            .collect(),
        _ => vec![arguments],
    }
}

/// The answers to the parts as one: a list of all that they list.
pub fn join(whole: Option<Answer>, part: Answer) -> Answer {
    let Some(mut whole) = whole else {
        return part;
    };
    if let (Content::Json(Value::Array(all)), Content::Json(Value::Array(more))) = (&mut whole.content, part.content) {
        all.extend(more);
    }
    match part.note {
        Some(note) if whole.note.as_ref() != Some(&note) => whole.noting(note),
        _ => whole,
    }
}

#[cfg(test)]
mod tests {
    use super::{IDS, parts};
    use crate::generated::GROUPS;
    use serde_json::{Value, json};

    fn sizes(operation: &str, name: &str, count: usize) -> Vec<usize> {
        let operation = GROUPS.iter().flat_map(|group| group.operations).find(|it| it.name == operation).unwrap();
        let ids: Vec<usize> = (1..=count).collect();
        let arguments = json!({name: ids, "includeSeries": true}).as_object().unwrap().clone();
        let parts = parts(operation, arguments);
        assert!(parts.iter().all(|part| part["includeSeries"] == true));
        let ids_of = |part: &serde_json::Map<String, Value>| part[name].as_array().unwrap().clone();
        assert_eq!(parts.iter().flat_map(ids_of).collect::<Vec<_>>(), ids);
        parts.iter().map(|part| ids_of(part).len()).collect()
    }

    #[test]
    fn only_long_lists_are_split_and_only_where_lists_are_answered() {
        assert_eq!(sizes("list_episodes", "episodeIds", IDS), [IDS]);
        assert_eq!(sizes("list_episodes", "episodeIds", 2 * IDS + 5), [IDS, IDS, 5]);
        assert_eq!(sizes("list_queue_details", "episodeIds", IDS + 1), [IDS, 1]);
        assert_eq!(sizes("list_history", "seriesIds", IDS + 1), [IDS + 1]);
    }
}
