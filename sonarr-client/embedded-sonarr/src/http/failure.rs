//! The server's error bodies, each in its own shape.

use serde_json::{Map, Value, json};

use super::Reply;

/// How grave a failed rule is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Severity {
    Error,
    Warning,
}

/// One failed rule.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    /// Property in PascalCase; empty for the object as a whole.
    pub property: String,
    pub message: String,
    pub attempted: Value,
    pub severity: Severity,
    /// The validator's class; `None` for failures made by hand.
    pub code: Option<&'static str>,
    /// Failures of provider settings and tests carry more members.
    pub provider: bool,
    pub info_link: Option<String>,
}

/// A failed rule with the validator's class.
pub(crate) fn rule(property: &str, code: &'static str, message: impl Into<String>, attempted: Value) -> Rule {
    Rule {
        property: property.to_owned(),
        message: message.into(),
        attempted,
        severity: Severity::Error,
        code: Some(code),
        provider: false,
        info_link: None,
    }
}

/// Fails when there is any failed rule.
pub(crate) fn rules(failed: Vec<Rule>) -> Result<(), Failure> {
    if failed.is_empty() { Ok(()) } else { Err(Failure::Rules(failed)) }
}

/// Everything that is not a success.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    /// 400, a list of failed rules.
    Rules(Vec<Rule>),
    /// 400, problem details with the path or parameter that could not be read.
    Problem { path: String, message: String },
    /// 400 `{message, content}`.
    BadRequest(String),
    /// 404 `{message: "NotFound"}`.
    NotFound,
    /// 404, problem details.
    NotFoundProblem,
    /// 405 `{message, content}`.
    NotAllowed(String),
    /// 415 `{message, content}`.
    UnsupportedMedia(String),
    /// Any status with `{message, description}`: the exception's class and text.
    Exception { status: u16, class: &'static str, message: String },
    /// A status with an empty body.
    Bare(u16),
}

impl Failure {
    /// 404 of a record that an action loaded: `{message, description}`.
    pub(crate) fn model(what: &str, id: i64) -> Failure {
        Failure::Exception {
            status: 404,
            class: "NzbDrone.Core.Datastore.ModelNotFoundException",
            message: format!("{what} with ID {id} does not exist"),
        }
    }

    /// 500 with an exception.
    pub(crate) fn internal(class: &'static str, message: impl Into<String>) -> Failure {
        Failure::Exception { status: 500, class, message: message.into() }
    }

    /// 500 of a query that found fewer rows than ids.
    pub(crate) fn rows(expected: usize, found: usize) -> Failure {
        Failure::internal(
            "System.ApplicationException",
            format!("Expected query to return {expected} rows but returned {found}"),
        )
    }

    /// An `InvalidOperationException`: 500 now, 400 in a coming version.
    pub(crate) fn invalid_operation(next_version: bool, message: impl Into<String>) -> Failure {
        Failure::Exception {
            status: if next_version { 400 } else { 500 },
            class: "System.InvalidOperationException",
            message: message.into(),
        }
    }

    /// What `.NET` throws where a list that must be there is null.
    pub(crate) fn null(parameter: &str) -> Failure {
        Failure::internal("System.ArgumentNullException", format!("Value cannot be null. (Parameter '{parameter}')"))
    }

    pub(crate) fn into_reply(self) -> Reply {
        match self {
            Failure::Rules(failed) => Reply::json(400, failure_list(&failed, true)),
            Failure::Problem { path, message } => {
                let mut errors = Map::new();
                errors.insert(path, json!([message]));
                problem(json!({
                    "type": "https://tools.ietf.org/html/rfc7231#section-6.5.1",
                    "title": "One or more validation errors occurred.",
                    "status": 400,
                    "traceId": TRACE_ID,
                    "errors": errors,
                }))
            }
            Failure::BadRequest(content) => own(400, "BadRequest", content),
            Failure::NotFound => Reply::json(404, json!({"message": "NotFound"})),
            Failure::NotFoundProblem => problem(json!({
                "type": "https://tools.ietf.org/html/rfc7231#section-6.5.4",
                "title": "Not Found",
                "status": 404,
                "traceId": TRACE_ID,
            })),
            Failure::NotAllowed(content) => own(405, "MethodNotAllowed", content),
            Failure::UnsupportedMedia(content) => own(415, "UnsupportedMediaType", content),
            Failure::Exception { status, class, message } => {
                let description = format!(
                    "{class}: {message}\n   at NzbDrone.Embedded.Controller.Handle(Request request)\n   at lambda_method(Closure , Object , Object[] )"
                );
                Reply::json(status, json!({"message": message, "description": description}))
            }
            Failure::Bare(status) => Reply::status(status),
        }
    }
}

const TRACE_ID: &str = "00-5a5a0d0e0d0e4d4d8c8c1b1b2a2a3c3c-6f6f7e7e8d8d9c9c-00";

fn problem(body: Value) -> Reply {
    let status = body.get("status").and_then(Value::as_u64).and_then(|status| u16::try_from(status).ok());
    Reply::json(status.unwrap_or(400), body).with("Content-Type", "application/problem+json; charset=utf-8")
}

fn own(status: u16, name: &str, content: String) -> Reply {
    if content.is_empty() {
        Reply::json(status, json!({"message": name}))
    } else {
        Reply::json(status, json!({"message": format!("{name}: {content}"), "content": content}))
    }
}

/// The list of failed rules: errors first, then warnings. `full` adds the members of provider failures.
pub(crate) fn failure_list(failed: &[Rule], full: bool) -> Value {
    let of = |severity| failed.iter().filter(move |rule| rule.severity == severity);
    of(Severity::Error).chain(of(Severity::Warning)).map(|rule| rule_json(rule, full)).collect()
}

fn rule_json(rule: &Rule, full: bool) -> Value {
    let mut object = Map::new();
    if rule.provider && full {
        object.insert("isWarning".into(), Value::Bool(rule.severity == Severity::Warning));
        if let Some(link) = &rule.info_link {
            object.insert("infoLink".into(), Value::from(link.as_str()));
        }
    }
    object.insert("propertyName".into(), Value::from(rule.property.as_str()));
    object.insert("errorMessage".into(), Value::from(rule.message.as_str()));
    if !rule.attempted.is_null() {
        object.insert("attemptedValue".into(), rule.attempted.clone());
    }
    let severity = if rule.severity == Severity::Warning { "warning" } else { "error" };
    object.insert("severity".into(), Value::from(severity));
    if let Some(code) = rule.code {
        object.insert("errorCode".into(), Value::from(code));
        object.insert("formattedMessageArguments".into(), json!([]));
        object.insert(
            "formattedMessagePlaceholderValues".into(),
            json!({"propertyName": rule.property, "propertyValue": rule.attempted}),
        );
    }
    Value::Object(object)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::Content;

    fn body(failure: Failure) -> (u16, Value) {
        let reply = failure.into_reply();
        match reply.content {
            Content::Json(value) => (reply.status, value),
            _ => (reply.status, Value::Null),
        }
    }

    #[test]
    fn each_failure_has_its_shape() {
        let (status, list) =
            body(Failure::Rules(vec![rule("Name", "NotEmptyValidator", "must not be empty", json!(""))]));
        assert_eq!(status, 400);
        assert_eq!(list[0]["propertyName"], "Name");
        assert_eq!(list[0]["errorCode"], "NotEmptyValidator");
        let (status, problem) = body(Failure::Problem { path: "$.a".into(), message: "no".into() });
        assert_eq!((status, &problem["errors"]["$.a"][0]), (400, &json!("no")));
        assert_eq!(body(Failure::NotFound), (404, json!({"message": "NotFound"})));
        let (status, model) = body(Failure::model("Tag", 9));
        assert_eq!((status, &model["message"]), (404, &json!("Tag with ID 9 does not exist")));
        assert!(model["description"].as_str().unwrap().contains("   at "));
        assert_eq!(body(Failure::Bare(401)), (401, Value::Null));
        assert_eq!(body(Failure::BadRequest("x".into())).1, json!({"message": "BadRequest: x", "content": "x"}));
    }

    #[test]
    fn errors_come_before_warnings() {
        let warning = Rule { severity: Severity::Warning, provider: true, ..rule("A", "X", "a", Value::Null) };
        let error = rule("B", "X", "b", Value::Null);
        let list = failure_list(&[warning, error], true);
        assert_eq!(list[0]["propertyName"], "B");
        assert_eq!(list[1]["isWarning"], true);
    }
}
