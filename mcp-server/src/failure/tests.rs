use serde_json::json;

use super::{Code, Failure, Field};
use crate::arguments::ArgumentError;

#[test]
fn text_and_structure_say_the_same() {
    let mut failure = Failure::new(Code::Rejected, "Sonarr found the request wrong").cure("do x");
    failure.path = Some("arguments.body".to_owned());
    failure.status = Some(400);
    failure.nearest = Some("near".to_owned());
    failure.accepted = vec!["one".to_owned(), "two".to_owned()];
    failure.fields = vec![
        Field {
            name: "Path".to_owned(),
            message: "is missing".to_owned(),
            warning: false,
            rule: None,
            accepted: Vec::new(),
        },
        Field { name: String::new(), message: "is odd".to_owned(), warning: true, rule: None, accepted: Vec::new() },
    ];
    assert_eq!(
        failure.text(),
        "rejected: arguments.body: Sonarr found the request wrong\n  Path: is missing\n  -: is odd \
         (a warning)\nDid you mean `near`?\nAccepted: one, two\nWhat to do: do x"
    );
    assert_eq!(
        failure.structured(),
        json!({"error": {
            "code": "rejected",
            "message": "Sonarr found the request wrong",
            "path": "arguments.body",
            "status": 400,
            "nearest": "near",
            "accepted": ["one", "two"],
            "fields": [
                {"field": "Path", "message": "is missing"},
                {"field": "", "message": "is odd", "warning": true}
            ],
            "cure": "do x"
        }})
    );
}

#[test]
fn an_unknown_name_comes_with_the_valid_ones() {
    let failure = Failure::unknown_tool("sonarr_tag", &["sonarr_tags", "sonarr_queue"]);
    assert_eq!(failure.nearest.as_deref(), Some("sonarr_tags"));
    assert_eq!(failure.accepted, ["sonarr_tags", "sonarr_queue"]);
    let failure = Failure::unknown_operation("list_tag", "sonarr_tags", &["list_tags"], None);
    assert_eq!(failure.nearest.as_deref(), Some("list_tags"));
    let failure = Failure::unknown_operation("list_tags", "sonarr_queue", &["list_queue"], Some("sonarr_tags"));
    assert!(failure.text().contains("call `sonarr_tags`"), "{failure}");
}

#[test]
fn an_argument_error_keeps_what_it_knows() {
    let error = ArgumentError::new("arguments.x", "is wrong")
        .resembling("idd", ["id"])
        .accepting(vec!["id (integer)".to_owned()]);
    let failure = Failure::from(error);
    assert_eq!(failure.code, Code::InvalidArguments);
    assert_eq!(failure.path.as_deref(), Some("arguments.x"));
    assert_eq!(failure.nearest.as_deref(), Some("id"));
    assert_eq!(failure.accepted, ["id (integer)"]);
}

#[test]
fn a_name_from_outside_is_not_repeated_at_any_length() {
    let failure = Failure::unknown_tool(&"x".repeat(10_000), &[]);
    assert!(failure.text().len() < 200, "{failure}");
}

#[test]
fn a_failure_is_no_longer_than_an_answer() {
    const CAP: usize = 4_000;
    let field = |n: usize| Field {
        name: format!("P{n}"),
        message: "ö".repeat(if n == 3 { 9_000 } else { 50 }),
        warning: false,
        rule: None,
        accepted: vec!["value".to_owned(); 300],
    };
    let whole = Failure::new(Code::Rejected, "short");
    for (fields, accepted, message) in [(0, 0, 90_000), (4_000, 0, 5), (5, 9_000, 5), (0, 9_000, 9_000), (1, 1, 1)] {
        let mut failure = Failure::new(Code::Rejected, "é".repeat(message)).cure("c".repeat(message));
        failure.path = Some("p".repeat(message));
        failure.nearest = Some("n".repeat(message));
        failure.fields = (0..fields).map(field).collect();
        failure.accepted = vec!["name".to_owned(); accepted];
        failure.fit(CAP);
        assert!(failure.text().len() <= CAP, "{} bytes of {fields} fields", failure.text().len());
        assert!(fields == 0 || !failure.fields.is_empty());
        assert_eq!(failure.message.contains("shown)"), fields > 1 || accepted > 1, "{}", failure.message);
    }
    let mut fitting = whole.clone();
    fitting.fit(CAP);
    assert_eq!(fitting, whole);
}
