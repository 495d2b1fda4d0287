//! Streamable HTTP at `/mcp`: with sessions for the revisions that have them, without for
//! 2026-07-28. The protocol's side is the SDK's; who is let in and how much is ours.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use http_body_util::BodyExt;
use rmcp::ServerHandler;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ErrorData, InitializeResultMethod, ProtocolVersion};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use serde_json::json;

use super::limits::{Calls, Limits};
use super::listen::Ending;
use super::sessions::Sessions;
use super::{body, reply};

/// Where it is served.
pub const PATH: &str = "/mcp";

/// What the middleware needs to know.
#[derive(Clone)]
struct Gate {
    limits: Limits,
    calls: Calls,
    sessions: Arc<Sessions>,
}

/// Makes the routes. Each session, and each request without one, gets a handler of its own.
pub fn routes<H: ServerHandler>(
    new_handler: impl Fn() -> H + Send + Sync + 'static,
    limits: &Limits,
    ending: &Ending,
) -> (Router, Arc<Sessions>) {
    let sessions = Arc::new(Sessions::new(limits.sessions, limits.session_idle));
    let config = StreamableHttpServerConfig::default()
        // Host and Origin have been checked, and the body has been measured.
        .disable_allowed_hosts()
        .with_max_request_body_bytes(usize::MAX)
        .with_json_response(true)
        .with_cancellation_token(ending.streams.clone());
    let service = StreamableHttpService::new(move || Ok(new_handler()), Arc::clone(&sessions), config);
    let gate = Gate { limits: limits.clone(), calls: ending.calls.clone(), sessions: Arc::clone(&sessions) };
    let router = Router::new().route_service(PATH, service).layer(from_fn_with_state(gate, take_in));
    (router, sessions)
}

/// Reads what is sent and counts what is to be answered; the answer's end ends the count.
///
/// What is not to be answered is never held up: it may be what an open call waits for.
async fn take_in(State(gate): State<Gate>, request: Request, next: Next) -> Response {
    if request.method() == Method::DELETE {
        return ended(next.run(request).await);
    }
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let (head, content) = request.into_parts();
    let (bytes, message) = match body::read(content, &gate.limits).await {
        Ok(read) => read,
        Err(response) => return *response,
    };
    let ClientJsonRpcMessage::Request(message) = message else {
        return next.run(Request::from_parts(head, Body::from(bytes))).await;
    };
    let begins = matches!(message.request, ClientRequest::InitializeRequest(_));
    if begins && has_no_handshake(&head.headers) {
        let error = ErrorData::method_not_found::<InitializeResultMethod>();
        let answer = json!({"jsonrpc": "2.0", "id": message.id, "error": error});
        return reply::rejection(StatusCode::NOT_FOUND, &answer);
    }
    if begins && gate.sessions.are_full() {
        return reply::busy("too many sessions are open");
    }
    if matches!(message.request, ClientRequest::SubscriptionsListenRequest(_)) {
        // It is answered at the very end, so it is no call that anything should wait for.
        return next.run(Request::from_parts(head, Body::from(bytes))).await;
    }
    let Some(call) = gate.calls.enter(gate.limits.call_wait).await else {
        return reply::busy("too many calls are in flight");
    };
    let response = next.run(Request::from_parts(head, Body::from(bytes))).await;
    response.map(|body| {
        Body::new(body.map_frame(move |frame| {
            let _in_flight = &call;
            frame
        }))
    })
}

/// The answer to a client that ended its session. It is done, not only accepted, and there are
/// clients that take the difference for a failure.
fn ended(mut response: Response) -> Response {
    if response.status() == StatusCode::ACCEPTED {
        *response.status_mut() = StatusCode::NO_CONTENT;
    }
    response
}

/// Whether the revision a request names has no `initialize` any more.
fn has_no_handshake(headers: &HeaderMap) -> bool {
    let revision = headers.get("mcp-protocol-version").and_then(|value| value.to_str().ok());
    revision == Some(ProtocolVersion::V_2026_07_28.as_str())
}
