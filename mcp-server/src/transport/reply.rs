//! What a listener answers by itself, before a message gets to the handler.

use axum::Json;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use rmcp::model::ErrorCode;
use serde_json::{Value, json};

/// A refusal that belongs to no request in particular.
pub fn error(status: StatusCode, message: &str) -> Response {
    let error = json!({"code": ErrorCode::INVALID_REQUEST.0, "message": message});
    rejection(status, &json!({"jsonrpc": "2.0", "id": null, "error": error}))
}

/// A JSON-RPC error as the answer.
pub fn rejection(status: StatusCode, answer: &Value) -> Response {
    (status, Json(answer)).into_response()
}

/// The answer to what is too much at the moment.
pub fn busy(message: &str) -> Response {
    let mut response = error(StatusCode::SERVICE_UNAVAILABLE, message);
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    response
}
