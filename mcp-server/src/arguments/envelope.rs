//! The members around an operation's arguments.

use serde_json::{Map, Value};

use super::ArgumentError;

/// The members a call may have.
const MEMBERS: &[&str] = &["operation", "arguments", "query", "dry_run", "confirm"];

/// A call of a tool, taken apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Envelope {
    /// The operation asked for, as it was written.
    pub operation: String,
    /// Its arguments.
    pub arguments: Map<String, Value>,
    /// Whether the request is only shown.
    pub dry_run: bool,
    /// The token that a preview of the same call gave.
    pub confirm: Option<String>,
}

impl Envelope {
    /// Takes a call apart.
    ///
    /// Arguments that come as a string of JSON are parsed; null and nothing are no arguments.
    ///
    /// # Errors
    /// A member that is none of a call's, an operation that is no string, and arguments that are
    /// no object. A missing operation is an error at the path `operation`.
    pub fn read(mut call: Map<String, Value>) -> Result<Self, ArgumentError> {
        let operation = match call.shift_remove("operation") {
            Some(Value::String(operation)) => operation,
            Some(other) => {
                return Err(ArgumentError::new(
                    "operation",
                    format!("expected the name of an operation, got {}", kind(&other)),
                ));
            }
            None => {
                return Err(ArgumentError::new("operation", "the name of an operation is required"));
            }
        };
        let arguments = object(call.shift_remove("arguments"))?;
        Envelope::query(&call)?;
        call.shift_remove("query");
        let dry_run = switch(call.shift_remove("dry_run"))?;
        let confirm = token(call.shift_remove("confirm"))?;
        if let Some(stray) = call.keys().next() {
            return Err(ArgumentError::new(
                stray,
                format!("is no member of a call; an argument of the operation belongs inside `arguments`, as in {{\"operation\": \"{operation}\", \"arguments\": {{…}}}}"),
            )
            .resembling(stray, MEMBERS.iter().copied())
            .accepting(MEMBERS.iter().map(|member| (*member).to_owned()).collect()));
        }
        Ok(Envelope { operation, arguments, dry_run, confirm })
    }

    /// What a call selects from its answer, if it does.
    ///
    /// # Errors
    /// Anything but a text.
    pub fn query(call: &Map<String, Value>) -> Result<Option<String>, ArgumentError> {
        match call.get("query") {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(query)) => Ok(Some(query.clone()).filter(|query| !query.trim().is_empty())),
            Some(other) => Err(ArgumentError::new(
                "query",
                format!(
                    "expected a JMESPath expression as text, as in \"[*].{{id: id, title: title}}\", got {}",
                    kind(other)
                ),
            )),
        }
    }
}

/// Reads an arguments object, also from a string of JSON.
fn object(arguments: Option<Value>) -> Result<Map<String, Value>, ArgumentError> {
    match arguments {
        None | Some(Value::Null) => Ok(Map::new()),
        Some(Value::Object(arguments)) => Ok(arguments),
        Some(Value::String(text)) if text.trim().is_empty() => Ok(Map::new()),
        Some(Value::String(text)) => match serde_json::from_str(&text) {
            Ok(Value::Object(arguments)) => Ok(arguments),
            Ok(other) => Err(ArgumentError::new(
                "arguments",
                format!("expected an object by name, got a string that holds {}", kind(&other)),
            )),
            Err(error) => Err(ArgumentError::new(
                "arguments",
                format!("expected an object by name, got a string that is no JSON ({error})"),
            )),
        },
        Some(other) => Err(ArgumentError::new(
            "arguments",
            format!("expected an object by name, as in {{\"id\": 1}}, got {}", kind(&other)),
        )),
    }
}

/// Reads `dry_run`.
fn switch(value: Option<Value>) -> Result<bool, ArgumentError> {
    match value {
        None | Some(Value::Null) => Ok(false),
        Some(Value::Bool(switch)) => Ok(switch),
        Some(Value::String(text)) if text.eq_ignore_ascii_case("true") => Ok(true),
        Some(Value::String(text)) if text.eq_ignore_ascii_case("false") => Ok(false),
        Some(other) => Err(ArgumentError::new("dry_run", format!("expected true or false, got {}", kind(&other)))),
    }
}

/// Reads `confirm`. Only a token says that the preview of this very call was seen.
fn token(value: Option<Value>) -> Result<Option<String>, ArgumentError> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text).filter(|text| !text.trim().is_empty())),
        Some(other) => Err(ArgumentError::new(
            "confirm",
            format!("expected the token that a preview of this call gave, got {}", kind(&other)),
        )),
    }
}

/// What a JSON value is, for a message.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::Envelope;
    use serde_json::{Value, json};

    fn read(call: Value) -> Result<Envelope, super::ArgumentError> {
        let Value::Object(call) = call else { panic!("a call is an object") };
        Envelope::read(call)
    }

    #[test]
    fn arguments_come_as_an_object_as_json_in_a_string_or_not_at_all() {
        for call in [
            json!({"operation": "get_tag", "arguments": {"id": 1}}),
            json!({"operation": "get_tag", "arguments": "{\"id\": 1}"}),
        ] {
            assert_eq!(Value::Object(read(call).unwrap().arguments), json!({"id": 1}));
        }
        for call in [
            json!({"operation": "list_tags"}),
            json!({"operation": "list_tags", "arguments": null}),
            json!({"operation": "list_tags", "arguments": ""}),
        ] {
            assert!(read(call).unwrap().arguments.is_empty());
        }
    }

    #[test]
    fn what_is_no_call_is_told_by_path() {
        for (call, path, says) in [
            (json!({}), "operation", "required"),
            (json!({"operation": 3}), "operation", "a number"),
            (json!({"operation": "x", "arguments": [1]}), "arguments", "got a list"),
            (json!({"operation": "x", "arguments": "[1]"}), "arguments", "holds a list"),
            (json!({"operation": "x", "arguments": "{id:1}"}), "arguments", "no JSON"),
            (json!({"operation": "x", "id": 1}), "id", "inside `arguments`"),
            (json!({"operation": "x", "query": ["id"]}), "query", "JMESPath expression as text"),
        ] {
            let error = read(call).unwrap_err();
            assert_eq!(error.path, path);
            assert!(error.problem.contains(says), "{error}");
        }
    }

    #[test]
    fn a_misspelt_member_is_named() {
        let error = read(json!({"operation": "x", "argument": {}})).unwrap_err();
        assert_eq!(error.nearest.as_deref(), Some("arguments"));
    }
}
