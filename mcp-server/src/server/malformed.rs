//! Requests that are JSON-RPC but not what the protocol says.
#![expect(deprecated, reason = "newer revisions deprecate logging, and all of them still have it")]

use rmcp::model::{
    CallToolRequestParams, CompleteRequestParams, CustomRequest, ErrorCode, ErrorData, GetPromptRequestParams,
    InitializeRequestParams, PaginatedRequestParams, ReadResourceRequestParams, SetLevelRequestParams,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::arguments::plain;

/// What revision 2026-07-28 and later ones do without.
const REMOVED: [&str; 2] = ["initialize", "logging/setLevel"];

/// The error that answers a request of which the SDK could make nothing. `newest` is whether it is
/// of a revision without handshake.
pub fn explain(request: &CustomRequest, newest: bool) -> ErrorData {
    let problem = match request.method.as_str() {
        removed if newest && REMOVED.contains(&removed) => None,
        "tools/call" => check::<CallToolRequestParams>(request),
        "tools/list" | "resources/list" | "resources/templates/list" | "prompts/list" => {
            check::<PaginatedRequestParams>(request)
        }
        "resources/read" => check::<ReadResourceRequestParams>(request),
        "prompts/get" => check::<GetPromptRequestParams>(request),
        "completion/complete" => check::<CompleteRequestParams>(request),
        "logging/setLevel" => check::<SetLevelRequestParams>(request),
        "initialize" => check::<InitializeRequestParams>(request),
        _ => None,
    };
    match problem {
        Some(problem) => ErrorData::invalid_params(problem, None),
        None => ErrorData::new(
            ErrorCode::METHOD_NOT_FOUND,
            format!("there is no method `{}`", shortened(&request.method)),
            None,
        ),
    }
}

/// What keeps the parameters of a known method from being read.
fn check<T: DeserializeOwned>(request: &CustomRequest) -> Option<String> {
    let method = &request.method;
    let parameters = request.params.clone().unwrap_or(Value::Null);
    if parameters.is_null() {
        return Some(format!("{method}: `params` is missing"));
    }
    let error = serde_path_to_error::deserialize::<_, T>(parameters).err()?;
    let path = match error.path().to_string().as_str() {
        "." => "params".to_owned(),
        inner => format!("params.{inner}"),
    };
    Some(format!("{method}: {path}: {}", plain(&error.inner().to_string())))
}

fn shortened(method: &str) -> String {
    method.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::{REMOVED, explain};
    use rmcp::model::CustomRequest;
    use serde_json::{Value, json};

    fn explained(method: &str, parameters: Option<Value>) -> (i32, String) {
        let error = explain(&CustomRequest::new(method, parameters), false);
        (error.code.0, error.message.into_owned())
    }

    #[test]
    fn a_call_that_is_none_is_told_what_is_wrong() {
        for (parameters, says) in [
            (None, "`params` is missing"),
            (Some(json!({})), "missing field `name`"),
            (Some(json!({"name": 3})), "params.name"),
            (Some(json!({"name": "x", "arguments": [1]})), "params.arguments"),
            (Some(json!([])), "params"),
        ] {
            let (code, message) = explained("tools/call", parameters);
            assert_eq!(code, -32602);
            assert!(message.contains(says), "{message}");
        }
    }

    #[test]
    fn so_is_every_other_request_that_is_none() {
        for (method, says) in [
            ("resources/read", "`uri`"),
            ("prompts/get", "`name`"),
            ("completion/complete", "`ref`"),
            ("logging/setLevel", "`level`"),
        ] {
            let (code, message) = explained(method, Some(json!({})));
            assert_eq!(code, -32602);
            assert!(message.contains(says), "{message}");
        }
        let (code, message) = explained("logging/setLevel", Some(json!({"level": "loud"})));
        assert_eq!(code, -32602);
        assert!(message.contains("params.level"), "{message}");
    }

    #[test]
    fn what_a_revision_does_without_is_unknown_to_it() {
        for method in REMOVED {
            let request = CustomRequest::new(method, Some(json!({})));
            assert_eq!(explain(&request, true).code.0, -32601, "{method}");
            assert_eq!(explain(&request, false).code.0, -32602, "{method}");
        }
    }

    #[test]
    fn an_unknown_method_is_named() {
        let (code, message) = explained("tools/cal", Some(json!({})));
        assert_eq!(code, -32601);
        assert!(message.contains("`tools/cal`"), "{message}");
    }
}
