//! The transport of revision 2024-11-05: answers on a stream of server-sent events at `/sse`,
//! messages posted to `/messages/` with the id of the stream's session.

mod session;

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::{Query, Request, State};
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures::StreamExt;
use rmcp::ServerHandler;
use rmcp::model::ServerJsonRpcMessage;
use serde::Deserialize;
use tokio::sync::mpsc;
use uuid::Uuid;

use self::session::{Inbox, Pending, Refused};
use super::limits::{Calls, Limits};
use super::listen::Ending;
use super::{body, reply};

/// Where the stream is opened.
pub const STREAM_PATH: &str = "/sse";

/// Where messages are posted.
pub const MESSAGES_PATH: &str = "/messages/";

/// Messages that wait to be sent or handled in one session, at most.
const QUEUE: usize = 64;

/// How often a silent stream gets a comment, so that nobody in between takes it for dead.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// What all requests share.
struct Shared<F> {
    new_handler: F,
    limits: Limits,
    ending: Ending,
    sessions: Mutex<HashMap<Uuid, Inbox>>,
}

/// Makes the routes. Each session gets a handler of its own.
pub fn routes<H, F>(new_handler: F, limits: &Limits, ending: &Ending) -> Router
where
    H: ServerHandler,
    F: Fn() -> H + Send + Sync + 'static,
{
    let shared =
        Arc::new(Shared { new_handler, limits: limits.clone(), ending: ending.clone(), sessions: Mutex::default() });
    Router::new()
        .route(STREAM_PATH, get(open::<H, F>))
        .route(MESSAGES_PATH, post(take::<H, F>))
        .route(MESSAGES_PATH.trim_end_matches('/'), post(take::<H, F>))
        .with_state(shared)
}

/// Opens a session, which lives as long as the stream.
async fn open<H, F>(State(shared): State<Arc<Shared<F>>>) -> Response
where
    H: ServerHandler,
    F: Fn() -> H + Send + Sync + 'static,
{
    let id = Uuid::new_v4();
    let (inbox, messages) = mpsc::channel(QUEUE);
    let (outbox, answers) = mpsc::channel(QUEUE);
    let pending = Pending::default();
    {
        let mut sessions = shared.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        if sessions.len() >= shared.limits.sessions {
            return reply::busy("too many sessions are open");
        }
        sessions.insert(id, Inbox::new(inbox, pending.clone()));
    }
    let stop = shared.ending.streams.child_token();
    let gone = stop.clone().drop_guard();
    let handler = (shared.new_handler)();
    tokio::spawn(async move {
        let wait = shared.limits.first_message_wait;
        session::run(handler, messages, outbox, pending, wait, stop).await;
        shared.sessions.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
    });
    let endpoint = Event::default().event("endpoint").data(format!("{MESSAGES_PATH}?session_id={}", id.simple()));
    let first = futures::stream::once(async { Ok::<Event, Infallible>(endpoint) });
    // The stream ends when the session drops its sender, after the last answer; when the client
    // leaves, the guard ends the session.
    let rest = futures::stream::unfold((answers, gone), |(mut answers, gone)| async move {
        let message = answers.recv().await?;
        Some((Ok(event(&message)), (answers, gone)))
    });
    Sse::new(first.chain(rest)).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response()
}

fn event(message: &ServerJsonRpcMessage) -> Event {
    match serde_json::to_string(message) {
        Ok(text) => Event::default().event("message").data(text),
        Err(error) => {
            tracing::error!(%error, "an answer could not be written");
            Event::default().comment("an answer could not be written")
        }
    }
}

/// Whose message it is.
#[derive(Deserialize)]
struct Addressee {
    session_id: Option<String>,
}

/// Takes a message for a session.
async fn take<H, F>(
    State(shared): State<Arc<Shared<F>>>,
    Query(addressee): Query<Addressee>,
    request: Request,
) -> Response
where
    H: ServerHandler,
    F: Fn() -> H + Send + Sync + 'static,
{
    let Some(id) = addressee.session_id else {
        return reply::error(StatusCode::BAD_REQUEST, "`session_id` is missing: post to the address `/sse` gave");
    };
    let inbox = Uuid::parse_str(&id)
        .ok()
        .and_then(|id| shared.sessions.lock().unwrap_or_else(PoisonError::into_inner).get(&id).cloned());
    let Some(inbox) = inbox else {
        return reply::error(StatusCode::NOT_FOUND, "there is no such session: open one at `/sse`");
    };
    let message = match body::read(request.into_body(), &shared.limits).await {
        Ok((_, message)) => message,
        Err(response) => return *response,
    };
    match inbox.take(message, &shared.ending.calls, shared.limits.call_wait).await {
        Ok(()) => (StatusCode::ACCEPTED, "Accepted").into_response(),
        Err(Refused::Busy) => reply::busy("too many calls are in flight"),
        Err(Refused::Gone) => reply::error(StatusCode::NOT_FOUND, "the session has ended: open one at `/sse`"),
    }
}
