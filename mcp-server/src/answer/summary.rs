//! A list far beyond the cap: only what its summary needs becomes JSON.

use serde_json::Value;

use super::columns::{self, Columns};
use super::{Answer, Content, Source};
use crate::generated::columns::of as columns_of;
use crate::operation::{Operation, Reply};

/// A list counts as far beyond the cap from so many times the cap on: what is masked or cleaned
/// does not change its length by that much.
const FAR: usize = 16;

/// Below so many bytes the whole list costs nothing worth saving.
const LEAST: usize = 1 << 20;

/// The answer of a list that is far beyond `cap`, with what its summary needs of each record;
/// nothing where the whole is needed.
pub fn summary(operation: &Operation, reply: &Reply, cap: usize) -> Option<Answer> {
    let Reply::Json { document, .. } = reply else {
        return None;
    };
    let paths = columns_of(operation.name);
    if paths.is_empty() || document.is_within(cap.saturating_mul(FAR).max(LEAST)) {
        return None;
    }
    let columns = Columns::new(paths);
    let rows = document.records(&columns).ok()?;
    let says_something = |row: &Value| {
        let told = |path: &&str| columns::at(row, path).is_some_and(|value| !value.is_null() && value != "");
        paths.iter().any(told)
    };
    // A record that is too long itself is told with its own length.
    let too_long = |row: &Value| columns.length_of(row) > cap / 4;
    if !rows.iter().any(says_something) || rows.iter().any(too_long) {
        return None;
    }
    let source = Source { columns: paths, writes: operation.effect.writes(), list: None, reduced: true };
    Some(Answer { source: Some(source), ..Answer::new(Content::Json(Value::Array(rows))) })
}

#[cfg(test)]
mod tests {
    use super::summary;
    use crate::answer::{Answer, Content, gather, shape};
    use crate::operation::{Document, Reply};
    use crate::write::pairs;
    use serde_json::{Value, json};

    const CAP: usize = 20_000;

    fn reply(rows: &Value) -> Reply {
        Reply::Json { status: 200, document: Document::new(rows.clone()) }
    }

    fn series(count: usize) -> Value {
        let more = "m".repeat(2_000);
        (0..count)
            .map(|id| json!({"id": id, "title": format!("T{id}\u{202e}"), "overview": more, "path": "/tv/?apikey=1a2b3c4d5e", "statistics": {"sizeOnDisk": 5, "other": 1}}))
            .collect()
    }

    #[tokio::test]
    async fn the_answer_is_that_of_the_whole_list() {
        let operation = pairs::reads("/api/v3/series").unwrap();
        let rows = series(600);
        let reduced = summary(operation, &reply(&rows), CAP).unwrap();
        let Content::Json(Value::Array(records)) = &reduced.content else { panic!("a list is due") };
        assert!(records.iter().all(|record| record.get("overview").is_none()));
        let whole = gather(reply(&rows)).await.unwrap().answering(operation);
        let shaped = |answer: Answer| shape(answer, None, CAP).unwrap();
        let (reduced, whole) = (shaped(reduced), shaped(whole));
        assert_eq!(reduced.text(), whole.text());
        assert!(reduced.extent.is_some_and(|extent| extent.total == 600));
    }

    #[test]
    fn the_whole_is_needed_of_what_is_short_or_has_no_summary() {
        let operation = pairs::reads("/api/v3/series").unwrap();
        assert!(summary(operation, &reply(&series(100)), CAP).is_none(), "it is not far beyond the cap");
        let nameless: Value = (0..1_000).map(|_| json!({"overview": "m".repeat(2_000)})).collect();
        assert!(summary(operation, &reply(&nameless), CAP).is_none(), "no column says anything");
        let mut long = series(600);
        long[3]["title"] = json!("t".repeat(CAP));
        assert!(summary(operation, &reply(&long), CAP).is_none(), "a record is too long itself");
        let object = json!({"text": "m".repeat(2_000_000)});
        assert!(summary(operation, &reply(&object), CAP).is_none(), "it is no list");
    }
}
