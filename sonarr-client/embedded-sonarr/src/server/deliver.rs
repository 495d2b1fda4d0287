//! Replies as HTTP responses, whole or struck by a fault.

use std::io;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use futures::{StreamExt, stream};
use serde_json::json;

use super::pipeline;
use crate::faults::FaultKind;
use crate::http::{Content, Reply};

/// The answer that a fault gives instead of the server's, if it is of that kind.
pub(crate) fn replaced(fault: &FaultKind) -> Option<Reply> {
    match fault {
        FaultKind::HtmlPage => Some(Reply::bytes("text/html; charset=utf-8", pipeline::LOGIN_PAGE)),
        FaultKind::LoginRedirect => Some(Reply::status(302).with("Location", "/login?returnUrl=/")),
        FaultKind::ServerError => Some(Reply::json(
            500,
            json!({
                "message": "Object reference not set to an instance of an object.",
                "description": "System.NullReferenceException: Object reference not set to an instance of an object.\n   at NzbDrone.Core.Embedded.Fault.Strike() in /src/Embedded/Fault.cs:line 42\n   at lambda_method(Closure , Object , Object[] )",
            }),
        )),
        FaultKind::Starting | FaultKind::StartingFor(_) => Some(pipeline::starting()),
        FaultKind::HugeAnswer(bytes) => Some(Reply::bytes("application/json; charset=utf-8", huge(*bytes))),
        FaultKind::EmptyAnswer => Some(Reply::empty()),
        FaultKind::Latency(_) | FaultKind::SlowBody(_) | FaultKind::Reset | FaultKind::TruncatedJson => None,
    }
}

/// A JSON array of about that many bytes.
fn huge(bytes: usize) -> Vec<u8> {
    const ITEM: &str = "{\"id\":1,\"label\":\"a label that is repeated until the answer is as long as was asked for\"}";
    let mut body = Vec::with_capacity(bytes + ITEM.len());
    body.push(b'[');
    while body.len() < bytes {
        if body.len() > 1 {
            body.push(b',');
        }
        body.extend_from_slice(ITEM.as_bytes());
    }
    body.push(b']');
    body
}

/// The response of a reply.
pub(crate) fn respond(reply: Reply, fault: Option<FaultKind>) -> Response {
    let (kind, bytes) = match reply.content {
        Content::Empty => (None, Vec::new()),
        // The server indents everything it sends.
        Content::Json(value) => {
            (Some("application/json; charset=utf-8"), serde_json::to_vec_pretty(&value).unwrap_or_default())
        }
        Content::Bytes(kind, bytes) => (Some(kind), bytes),
    };
    let mut response = Response::new(struck(bytes, fault));
    *response.status_mut() = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    if let Some(kind) = kind {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    }
    for (name, value) in reply.headers {
        if let (Ok(name), Ok(value)) = (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(&value)) {
            headers.insert(name, value);
        }
    }
    response
}

fn struck(mut bytes: Vec<u8>, fault: Option<FaultKind>) -> Body {
    match fault {
        Some(FaultKind::TruncatedJson) => {
            bytes.truncate(bytes.len() / 2);
            Body::from(bytes)
        }
        Some(FaultKind::Reset) => {
            bytes.truncate(bytes.len() / 2);
            let broken = Err(io::Error::new(io::ErrorKind::ConnectionReset, "the connection breaks here"));
            // The pause lets the first half leave before the connection breaks.
            let end = stream::once(async {
                tokio::time::sleep(Duration::from_millis(20)).await;
                broken
            });
            Body::from_stream(stream::iter([Ok(Bytes::from(bytes))]).chain(end))
        }
        Some(FaultKind::SlowBody(pause)) => {
            let size = (bytes.len() / 8).max(1);
            let pieces: Vec<Bytes> = bytes.chunks(size).map(Bytes::copy_from_slice).collect();
            Body::from_stream(stream::iter(pieces).then(move |piece| async move {
                tokio::time::sleep(pause).await;
                Ok::<_, io::Error>(piece)
            }))
        }
        _ => Body::from(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_huge_answer_is_json_of_that_size() {
        let body = huge(10_000);
        assert!(body.len() >= 10_000 && body.len() < 10_200);
        let items: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert!(items.as_array().unwrap().len() > 100);
    }
}
