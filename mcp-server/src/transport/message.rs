//! From a line or a body to a message, or to the error that answers it.

use rmcp::model::{ClientJsonRpcMessage, ErrorCode, ErrorData};
use serde::Deserializer;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::{Value, json};

/// What a line turned out to be.
#[derive(Debug)]
pub enum Incoming {
    /// A message for the service.
    Message(Box<ClientJsonRpcMessage>),
    /// Nothing anybody waits for an answer to.
    Nothing,
    /// No message; this is the answer.
    Rejected(Value),
}

/// Reads one line.
pub fn read(line: &[u8]) -> Incoming {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    let text = match std::str::from_utf8(line) {
        Ok(text) => text.trim(),
        Err(error) => {
            return parse_error(&format!("the message is not valid UTF-8 at byte {}", error.valid_up_to()));
        }
    };
    if text.is_empty() {
        return Incoming::Nothing;
    }
    match serde_json::from_str::<ClientJsonRpcMessage>(text) {
        Ok(message) => Incoming::Message(Box::new(message)),
        Err(_) => match serde_json::from_str::<Value>(text) {
            Ok(value) => no_message(&value),
            Err(error) => parse_error(&format!("the message is no JSON: {error}")),
        },
    }
}

/// Answers a line that is longer than `limit`, by its beginning.
pub fn too_long(head: &[u8], limit: usize) -> Incoming {
    let id = find_id(head).unwrap_or(Value::Null);
    rejected(id, ErrorCode::INVALID_REQUEST, &format!("the message is longer than {limit} bytes"))
}

/// Tells why valid JSON is no message.
fn no_message(value: &Value) -> Incoming {
    let invalid = |id, reason: &str| rejected(id, ErrorCode::INVALID_REQUEST, reason);
    let Value::Object(members) = value else {
        return invalid(
            Value::Null,
            if value.is_array() {
                "batches are not part of the protocol: send one message after the other"
            } else {
                "a message is an object"
            },
        );
    };
    if !members.contains_key("method") {
        // A malformed response is nobody's request: answering it could go on for ever.
        return if members.contains_key("result") || members.contains_key("error") {
            Incoming::Nothing
        } else {
            invalid(usable_id(members.get("id")), "`method` is missing")
        };
    }
    let Some(id) = members.get("id") else {
        return Incoming::Nothing;
    };
    let id = usable_id(Some(id));
    if id.is_null() {
        return invalid(id, "`id` must be a string or an integer");
    }
    if members.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return invalid(id, "`jsonrpc` must be \"2.0\"");
    }
    if !members.get("method").is_some_and(Value::is_string) {
        return invalid(id, "`method` must be a string");
    }
    let reason = match members.get("params") {
        Some(params) if !params.is_object() => "`params` must be an object",
        _ => "`params` cannot be read: `_meta` must be an object, and its members what the protocol says",
    };
    rejected(id, ErrorCode::INVALID_PARAMS, reason)
}

/// The id as it may stand in an answer; null for anything else.
fn usable_id(id: Option<&Value>) -> Value {
    match id {
        Some(id) if id.is_string() || id.is_i64() => id.clone(),
        _ => Value::Null,
    }
}

fn parse_error(reason: &str) -> Incoming {
    rejected(Value::Null, ErrorCode::PARSE_ERROR, reason)
}

fn rejected(id: Value, code: ErrorCode, reason: &str) -> Incoming {
    let error = ErrorData::new(code, reason.to_owned(), None);
    Incoming::Rejected(json!({"jsonrpc": "2.0", "id": id, "error": error}))
}

/// The `id` of a message of which only the beginning is at hand.
fn find_id(head: &[u8]) -> Option<Value> {
    struct Finder<'a>(&'a mut Option<Value>);

    impl<'de> Visitor<'de> for Finder<'_> {
        type Value = ();

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a message")
        }

        fn visit_map<M: MapAccess<'de>>(self, mut members: M) -> Result<(), M::Error> {
            while let Some(name) = members.next_key::<String>()? {
                if name == "id" {
                    *self.0 = Some(members.next_value()?);
                    return Ok(());
                }
                members.next_value::<IgnoredAny>()?;
            }
            Ok(())
        }
    }

    let mut id = None;
    // The end of the message is missing, so this always fails somewhere; what counts is whether
    // the id came before.
    let _ = serde_json::Deserializer::from_slice(head).deserialize_map(Finder(&mut id));
    Some(usable_id(id.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::{Incoming, read, too_long};
    use serde_json::{Value, json};

    fn answer(incoming: Incoming) -> (i64, Value) {
        match incoming {
            Incoming::Rejected(answer) => (answer["error"]["code"].as_i64().unwrap(), answer["id"].clone()),
            other => panic!("a rejection is due, got {other:?}"),
        }
    }

    #[test]
    fn messages_pass() {
        for line in [
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":"a","method":"tools/list"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r",
        ] {
            assert!(matches!(read(line.as_bytes()), Incoming::Message(_)), "{line}");
        }
    }

    #[test]
    fn what_cannot_be_parsed_is_a_parse_error() {
        for line in [&b"{\"jsonrpc\":"[..], b"nonsense", b"{\"id\":1,\"method\":\"\xff\"}", b"{} {}"] {
            assert_eq!(answer(read(line)), (-32700, Value::Null));
        }
        let deep = "[".repeat(5000);
        assert_eq!(answer(read(deep.as_bytes())), (-32700, Value::Null));
    }

    #[test]
    fn json_that_is_no_message_is_an_invalid_request() {
        for (line, id) in [
            ("[]", json!(null)),
            ("3", json!(null)),
            ("{}", json!(null)),
            (r#"{"jsonrpc":"2.0","id":7}"#, json!(7)),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, json!(null)),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, json!(null)),
            (r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#, json!(7)),
            (r#"{"id":"x","method":"ping"}"#, json!("x")),
            (r#"{"jsonrpc":"2.0","id":7,"method":3}"#, json!(7)),
        ] {
            assert_eq!(answer(read(line.as_bytes())), (-32600, id), "{line}");
        }
    }

    #[test]
    fn parameters_of_the_wrong_kind_are_invalid() {
        for params in ["[]", "3", r#"{"_meta":3}"#] {
            let line = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"ping","params":{params}}}"#);
            assert_eq!(answer(read(line.as_bytes())), (-32602, json!(7)), "{line}");
        }
    }

    #[test]
    fn nobody_waits_for_an_answer_to_these() {
        for line in [
            "",
            "  \r",
            r#"{"jsonrpc":"1.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","id":1.5,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}"#,
        ] {
            assert!(!matches!(read(line.as_bytes()), Incoming::Rejected(_)), "{line}");
        }
    }

    #[test]
    fn a_long_message_is_answered_by_its_id_where_that_came_first() {
        let head = br#"{"jsonrpc":"2.0","id":42,"method":"tools/call","params":{"name":"xxxx"#;
        assert_eq!(answer(too_long(head, 9)), (-32600, json!(42)));
        let head = br#"{"jsonrpc":"2.0","method":"tools/call","params":{"id":3,"name":"xxxx"#;
        assert_eq!(answer(too_long(head, 9)), (-32600, Value::Null));
        assert_eq!(answer(too_long(b"xxxx", 9)), (-32600, Value::Null));
    }
}
