//! From Sonarr's answer to what a caller gets: clean, selected and short enough.

use std::borrow::Cow;

use serde_json::Value;

use super::fit::{self, Fitted, Frame};
use super::query::{self, QueryError};
use super::text::{clean, cleaned};
use super::{Answer, Content};
use crate::failure::{Facts, Failure};

/// What the members around the result take where there is a note, in bytes.
const AROUND: usize = "{\"result\":,\"note\":\"\"} ".len();

/// Cleans an answer, applies the query to it and makes it fit into `cap` bytes of text.
///
/// A query is about an answer; a preview, a question and help stay whole, and say so.
///
/// # Errors
/// A query that does not work on this answer, and any on an image. An answer to a write never
/// fails here, for the write is done: it tells what is wrong in its note.
pub fn shape(mut answer: Answer, query: Option<&str>, cap: usize) -> Result<Answer, QueryError> {
    match &mut answer.content {
        Content::Json(value) => clean(value),
        Content::Text(text) => {
            if let Cow::Owned(clean) = cleaned(text) {
                *text = clean;
            }
        }
        Content::Image { .. } => {}
    }
    if let Some(note) = &mut answer.note
        && let Cow::Owned(clean) = cleaned(note)
    {
        *note = clean;
    }
    let (mut columns, mut writes, mut list, mut reduced) = (&[][..], true, None, false);
    if let Some(source) = answer.source {
        (columns, writes, list, reduced) = (source.columns, source.writes, source.list, source.reduced);
    }
    let (mut applied, mut of_lines) = (None, false);
    match query {
        Some(_) if answer.source.is_none() => {
            answer = answer.noting("`query` was not applied: it selects from what Sonarr answers to the operation");
        }
        Some(expression) => match select(&answer.content, expression, columns) {
            Ok(selected) => {
                of_lines = matches!(answer.content, Content::Text(_));
                answer.content = Content::Json(selected);
                applied = Some(expression);
            }
            Err(error) if writes => {
                answer =
                    answer.noting(format!("the operation is done; its answer is whole, for the query failed: {error}"));
            }
            Err(error) => return Err(error),
        },
        None => {}
    }
    let note = answer.note.as_ref().map_or(0, |note| fit::size::of(note) + AROUND);
    let frame =
        Frame { cap: cap.saturating_sub(note), columns, query: applied, list: list.filter(|_| applied.is_none()) };
    let is_text = of_lines || matches!(answer.content, Content::Text(_));
    let Fitted { value, extent } = match answer.content {
        Content::Json(Value::Array(lines)) if of_lines => fit::fit_lines(lines, &frame),
        Content::Json(Value::Array(records)) if reduced => fit::fit_records(records, &frame),
        Content::Json(value) => fit::fit(value, &frame),
        Content::Text(text) => fit::fit_text(text, &frame),
        Content::Image { .. } => return Ok(answer),
    };
    answer.content = match value {
        Value::String(text) if is_text => Content::Text(text),
        value => Content::Json(value),
    };
    answer.extent = extent;
    Ok(answer)
}

/// Cleans what a failure repeats of Sonarr's words, and of a caller's.
pub fn clean_failure(failure: &mut Failure) {
    let Facts { message, cure, path, nearest, accepted, fields, code: _, status: _, example: _ } = &mut **failure;
    let fields = fields
        .iter_mut()
        .flat_map(|field| [&mut field.name, &mut field.message].into_iter().chain(&mut field.accepted));
    let texts = [cure, path, nearest].into_iter().flatten().chain(accepted).chain(fields);
    for text in texts.chain([message]) {
        if let Cow::Owned(clean) = cleaned(text) {
            *text = clean;
        }
    }
}

fn select(content: &Content, expression: &str, columns: &[&str]) -> Result<Value, QueryError> {
    match content {
        Content::Json(value) => query::apply_for(expression, value, columns),
        Content::Text(text) => query::apply_to_lines(expression, text),
        Content::Image { .. } => Err(QueryError::new("an image has nothing that a query could select")),
    }
}

#[cfg(test)]
mod tests {
    use super::{clean_failure, shape};
    use crate::answer::{Answer, Content, Source};
    use crate::failure::{Code, Failure, Field};
    use serde_json::{Value, json};

    const CAP: usize = 4_000;

    fn sonarr(content: Content) -> Answer {
        answered(content, false)
    }

    fn answered(content: Content, writes: bool) -> Answer {
        Answer {
            source: Some(Source { columns: &["id", "title"], writes, list: None, reduced: false }),
            ..Answer::new(content)
        }
    }

    fn rows(count: usize) -> Value {
        (0..count).map(|id| json!({"id": id, "title": format!("T{id}\u{202e}"), "more": "m".repeat(90)})).collect()
    }

    /// The text, which both copies have to agree with.
    fn text(answer: &Answer) -> String {
        let text = answer.text();
        assert!(text.len() <= CAP, "{} bytes", text.len());
        match (serde_json::from_str::<Value>(&text), answer.structured().unwrap()) {
            (Ok(parsed @ Value::Object(_)), structured) => assert_eq!(parsed, structured),
            (Ok(parsed), structured) => assert_eq!(json!({"result": parsed}), structured),
            (Err(_), structured) => assert_eq!(json!({"result": text}), structured),
        }
        text
    }

    #[test]
    fn text_from_strangers_is_cleaned_before_a_query_sees_it() {
        let answer = shape(sonarr(Content::Json(rows(2))), Some("[?title == 'T1<U+202E>'].title"), CAP).unwrap();
        assert_eq!(text(&answer), r#"["T1<U+202E>"]"#);
        let answer = shape(sonarr(Content::Text("a\u{200b}\r\nb".to_owned())).noting("c\u{0}"), None, CAP).unwrap();
        assert_eq!(text(&answer), r#"{"result":"a<U+200B>\nb","note":"c<U+0000>"}"#);
    }

    #[test]
    fn a_failure_is_cleaned_as_well() {
        let mut failure = Failure::new(Code::Rejected, "a\u{202e}").cure("b\u{200b}");
        failure.accepted = vec!["c\u{feff}".to_owned()];
        failure.fields = vec![Field {
            name: "d\u{0}".to_owned(),
            message: "e\u{2066}".to_owned(),
            warning: false,
            rule: None,
            accepted: Vec::new(),
        }];
        clean_failure(&mut failure);
        let text = failure.text();
        for shown in ["a<U+202E>", "b<U+200B>", "c<U+FEFF>", "d<U+0000>", "e<U+2066>"] {
            assert!(text.contains(shown), "{text}");
        }
    }

    #[test]
    fn a_long_answer_says_in_both_copies_how_to_go_on() {
        let answer = shape(sonarr(Content::Json(rows(500))).noting("why"), None, CAP).unwrap();
        let parsed: Value = serde_json::from_str(&text(&answer)).unwrap();
        assert_eq!(parsed["total"], 500);
        assert!(parsed["note"].as_str().unwrap().starts_with("why. More than"), "{parsed}");
        let next = parsed["next"]["query"].as_str().unwrap();
        let second = shape(sonarr(Content::Json(rows(500))), Some(next), CAP).unwrap();
        let second: Value = serde_json::from_str(&text(&second)).unwrap();
        assert_eq!(second["result"][0]["id"], parsed["returned"]);
    }

    #[test]
    fn a_text_is_selected_by_lines_and_stays_one() {
        let log: String = (0..1_000).map(|n| format!("line {n}\n")).collect();
        let answer = shape(sonarr(Content::Text(log.clone())), Some("[-2:]"), CAP).unwrap();
        assert_eq!(text(&answer), "line 998\nline 999");
        let answer = shape(sonarr(Content::Text(log.clone())), Some("length(@)"), CAP).unwrap();
        assert_eq!(text(&answer), "1000");
        let answer = shape(sonarr(Content::Text(log)), None, CAP).unwrap();
        let parsed: Value = serde_json::from_str(&text(&answer)).unwrap();
        assert!(parsed["result"].as_str().unwrap().starts_with("line 0\nline 1\n"));
        assert_eq!(parsed["total"], 1_000);
    }

    #[test]
    fn a_wrong_query_fails_a_read_and_never_a_write_that_is_done() {
        let error = shape(sonarr(Content::Json(rows(2))), Some("[*].{id}"), CAP).unwrap_err();
        assert_eq!(error.example.as_deref(), Some("[:10].{id: id, title: title, more: more}"));
        let answer = shape(answered(Content::Json(json!({"id": 1})), true), Some("length(id)"), CAP).unwrap();
        assert_eq!(answer.content, Content::Json(json!({"id": 1})));
        assert!(text(&answer).contains("the operation is done"));
        let image = || Content::Image { mime_type: "image/png".to_owned(), bytes: vec![1] };
        assert!(shape(sonarr(image()), Some("@"), CAP).is_err());
        assert_eq!(shape(sonarr(image()), None, CAP).unwrap(), sonarr(image()));
    }

    #[test]
    fn what_this_server_says_itself_is_not_selected_from() {
        let preview = Answer::new(Content::Json(json!({"question": "sure?"})));
        let answer = shape(preview, Some("id"), CAP).unwrap();
        assert_eq!(answer.content, Content::Json(json!({"question": "sure?"})));
        assert!(text(&answer).contains("was not applied"));
    }
}
