//! The body of a POST: one message of a bounded length that arrives in time.

use std::time::Duration;

use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;
use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use rmcp::model::ClientJsonRpcMessage;

use super::limits::Limits;
use super::message::{self, Incoming};
use super::reply;

/// Reads a message, and gives back its bytes with it.
///
/// # Errors
/// The response that says why there is none.
pub async fn read(body: Body, limits: &Limits) -> Result<(Bytes, ClientJsonRpcMessage), Box<Response>> {
    let bytes = collect(body, limits.message_bytes, limits.message_wait).await.map_err(Box::new)?;
    match message::read(&bytes) {
        Incoming::Message(message) => Ok((bytes, *message)),
        Incoming::Rejected(answer) => Err(Box::new(reply::rejection(StatusCode::BAD_REQUEST, &answer))),
        Incoming::Nothing => {
            Err(Box::new(reply::error(StatusCode::BAD_REQUEST, "the body is neither a request nor a notification")))
        }
    }
}

async fn collect(body: Body, limit: usize, wait: Duration) -> Result<Bytes, Response> {
    match tokio::time::timeout(wait, Limited::new(body, limit).collect()).await {
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            Err(reply::error(StatusCode::PAYLOAD_TOO_LARGE, &format!("the message is longer than {limit} bytes")))
        }
        Ok(Err(_)) => Err(reply::error(StatusCode::BAD_REQUEST, "the body broke off")),
        Err(_) => Err(reply::error(
            StatusCode::REQUEST_TIMEOUT,
            &format!("the body did not arrive within {} s", wait.as_secs_f64()),
        )),
    }
}
