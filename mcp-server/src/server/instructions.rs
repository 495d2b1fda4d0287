//! What a client tells its model about this server as a whole.

use crate::catalogue::Catalogue;
use crate::help;

/// The longest instructions, in characters; hosts cut off more.
#[cfg(test)]
const MAX_INSTRUCTIONS: usize = 2000;

/// A selection that works on a list of series.
const QUERY: &str = "[?monitored].{id: id, title: title}";

/// How to call, and which tool is for what. The words are those people use, for hosts that find
/// tools by searching them.
pub fn compose(catalogue: &Catalogue) -> String {
    let mut text = String::from(
        "Manages a Sonarr instance: TV series, seasons, episodes, downloads and everything around them. \
         Each tool takes `operation` and, where it needs any, `arguments` by name, e.g. \
         {\"operation\": \"get_series\", \"arguments\": {\"id\": 1}}. Ids are Sonarr's own, not those of TVDB. \
         In the place of an id a name works, too: `Title`, `Title (2019)`, `tvdb:81189`, `Title S01E02`, a quality \
         profile's, a tag's (`+tag` creates it). ",
    );
    text.push_str(&format!(
        "`query`, a JMESPath expression such as \"{QUERY}\", selects from the answer; a long one is shortened and \
         says in `next` how to go on. "
    ));
    let mut operations = catalogue.offers().iter().flat_map(|offer| offer.operations());
    text.push_str(if operations.any(|operation| operation.effect.writes()) {
        "`body` is the JSON Sonarr takes; an update takes `patch`, only what changes: null removes a member, and lists \
         such as seasons or fields go by key ({\"seasons\": {\"3\": {\"monitored\": true}}}). `dry_run` shows what a \
         write would do. Operations under Writes* change Sonarr, those under Destroys! remove or overwrite something: \
         call them only when the user asked for it; they may answer with a question and a `confirm` to give back \
         once the user agreed. ******** stands for a secret and can be sent back."
    } else {
        "Only operations that read are offered."
    });
    text.push_str(&format!(
        " `{}` lists a tool's operations, and with `{}` in `arguments` it tells everything about one, with an example.",
        help::NAME,
        help::TOPIC
    ));
    text.push_str("\nTools:");
    for offer in catalogue.offers() {
        text.push_str(&format!("\n{}: {}", offer.tool(), offer.group().title));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{MAX_INSTRUCTIONS, QUERY, compose};
    use crate::answer::query;
    use crate::catalogue::Catalogue;
    use crate::generated::GROUPS;
    use serde_json::json;

    #[test]
    fn the_instructions_stay_within_what_hosts_show() {
        let text = compose(&Catalogue::new(GROUPS, false));
        assert!(text.chars().count() <= MAX_INSTRUCTIONS, "{}", text.chars().count());
        assert!(text.contains("sonarr_queue: Queue") && text.contains("Writes*"), "{text}");
        let text = compose(&Catalogue::new(GROUPS, true));
        assert!(!text.contains("Writes*") && !text.contains("patch"), "{text}");
    }

    #[test]
    fn the_example_is_a_call_there_is() {
        let catalogue = Catalogue::new(GROUPS, false);
        let offer = catalogue.tool("sonarr_media_library").unwrap();
        let operation = catalogue.operation(offer, "get_series").unwrap();
        let required: Vec<&str> = operation
            .parameters
            .iter()
            .filter(|parameter| parameter.required)
            .map(|parameter| parameter.name)
            .collect();
        assert_eq!(required, ["id"]);
    }

    #[test]
    fn the_query_selects_from_series() {
        let series = json!([{"id": 1, "title": "A", "monitored": true, "year": 2020}, {"id": 2, "monitored": false}]);
        assert_eq!(query::apply(QUERY, &series).unwrap(), json!([{"id": 1, "title": "A"}]));
    }
}
