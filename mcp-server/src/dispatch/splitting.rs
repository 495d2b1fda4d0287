//! Long lists of ids: a request whose URL would be too long for a server is sent in parts.

use serde_json::{Map, Value};

use crate::answer::{Answer, Content};
use crate::arguments::ArgumentError;
use crate::operation::{Kind, Operation, Place};

/// So many ids go into one request. A URL of some thousand characters is refused with 431 or 414.
const IDS: usize = 100;

/// So many ids a page can be asked for: their URL stays below 8 kB.
const IDS_OF_A_PAGE: usize = 300;

/// The arguments of each request, in the order of the ids; the call's own where one is enough.
///
/// # Errors
/// An answer in pages cannot be put together again, so there too many ids are refused.
pub fn parts(operation: &Operation, arguments: Map<String, Value>) -> Result<Vec<Map<String, Value>>, ArgumentError> {
    let lists: Vec<(&'static str, &Vec<Value>)> = operation
        .parameters
        .iter()
        .filter(|parameter| parameter.place == Place::Query && parameter.kind == Kind::Array(&Kind::Integer))
        .filter_map(|parameter| Some((parameter.name, arguments.get(parameter.name)?.as_array()?)))
        .collect();
    let paged = operation.parameters.iter().any(|parameter| parameter.name == "page");
    let Some((name, ids)) = lists.iter().copied().max_by_key(|(_, ids)| ids.len()) else {
        return Ok(vec![arguments]);
    };
    if paged && lists.iter().map(|(_, ids)| ids.len()).sum::<usize>() > IDS_OF_A_PAGE {
        return Err(ArgumentError::new(
            format!("arguments.{name}"),
            format!(
                "{} ids make too long a request, and pages of several requests cannot be joined: give at most \
                 {IDS_OF_A_PAGE} in all, and make several calls",
                ids.len()
            ),
        ));
    }
    if paged || ids.len() <= IDS {
        return Ok(vec![arguments]);
    }
    let part_of = |part: &[Value]| {
        let mut arguments = arguments.clone();
        arguments.insert(name.to_owned(), Value::from(part.to_vec()));
        arguments
    };
    Ok(ids.chunks(IDS).map(part_of).collect())
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
    use super::{IDS, IDS_OF_A_PAGE, parts};
    use crate::generated::GROUPS;
    use serde_json::{Value, json};

    fn sizes(operation: &str, name: &str, count: usize) -> Vec<usize> {
        let operation = GROUPS.iter().flat_map(|group| group.operations).find(|it| it.name == operation).unwrap();
        let ids: Vec<usize> = (1..=count).collect();
        let arguments = json!({name: ids, "includeSeries": true}).as_object().unwrap().clone();
        let parts = parts(operation, arguments).unwrap();
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

    #[test]
    fn too_many_ids_for_a_page_are_refused_with_the_limit() {
        let operation = GROUPS.iter().flat_map(|group| group.operations).find(|it| it.name == "list_history").unwrap();
        let ids: Vec<usize> = (1..=IDS_OF_A_PAGE + 1).collect();
        let error = parts(operation, json!({"seriesIds": ids}).as_object().unwrap().clone()).unwrap_err();
        assert_eq!(error.path, "arguments.seriesIds");
        assert!(error.to_string().contains("at most 300"), "{error}");
    }
}
