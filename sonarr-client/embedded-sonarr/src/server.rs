//! The server: a port, and the way of a request through it.

mod deliver;
mod pipeline;

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest, Multipart, Request, State as Shared};
use axum::response::Response;
use bytes::Bytes;
use chrono::TimeDelta;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::clock::Timekeeper;
use crate::faults::{Fault, FaultKind, Faults};
use crate::http::{Incoming, Query, Reply};
use crate::state::State;
use crate::{Options, Planted, RecordedRequest, lock, seed};

/// How many requests are kept: more than any test sends, and little enough for a demonstration that runs for days.
const KEPT_REQUESTS: usize = 10_000;

/// What the requests of one server share.
#[derive(Debug)]
struct Inner {
    state: Mutex<State>,
    clock: Timekeeper,
    faults: Mutex<Faults>,
    requests: Mutex<Vec<RecordedRequest>>,
    api_key: String,
    url_base: String,
    stop: watch::Sender<bool>,
}

/// A running embedded Sonarr. Dropping it stops the server.
#[derive(Debug)]
pub struct EmbeddedSonarr {
    inner: Arc<Inner>,
    address: SocketAddr,
}

impl EmbeddedSonarr {
    /// Makes the library and starts to listen on 127.0.0.1. Must be called inside a tokio runtime.
    ///
    /// # Errors
    /// When the port cannot be bound.
    pub async fn start(options: Options) -> std::io::Result<EmbeddedSonarr> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).await?;
        let address = listener.local_addr()?;
        let clock = Timekeeper::new(options.clock);
        let (stop, mut stopped) = watch::channel(false);
        let inner = Arc::new(Inner {
            state: Mutex::new(seed::build(&options, clock.now(), address.port())),
            clock,
            faults: Mutex::default(),
            requests: Mutex::new(Vec::new()),
            api_key: options.api_key.clone(),
            url_base: options.normal_url_base(),
            stop,
        });
        let router = Router::new().fallback(answer).with_state(Arc::clone(&inner));
        tokio::spawn(async move {
            let serving = axum::serve(listener, router);
            tokio::select! {
                result = serving.into_future() => {
                    if let Err(error) = result {
                        tracing::error!(%error, "the embedded Sonarr stopped");
                    }
                }
                // An error means that the handle is gone, which stops the server as well.
                _ = stopped.wait_for(|stop| *stop) => {}
            }
        });
        let sonarr = EmbeddedSonarr { inner, address };
        for fault in options.faults {
            sonarr.inject(fault);
        }
        Ok(sonarr)
    }

    /// `http://127.0.0.1:PORT` and the URL base, without a trailing slash.
    pub fn url(&self) -> String {
        format!("http://{}{}", self.address, self.inner.url_base)
    }

    /// The key that requests must carry. The `ResetApiKey` command changes what the server accepts, not this.
    pub fn api_key(&self) -> &str {
        &self.inner.api_key
    }

    /// The last 10,000 requests, in the order of their answers.
    pub fn requests(&self) -> Vec<RecordedRequest> {
        lock(&self.inner.requests).clone()
    }

    /// Forgets the requests so far.
    pub fn clear_requests(&self) {
        lock(&self.inner.requests).clear();
    }

    /// Moves the clock ahead; commands and downloads then progress as if the time had passed.
    pub fn advance(&self, by: Duration) {
        self.inner.clock.advance(by);
    }

    /// Adds a fault; it strikes from the next request on.
    pub fn inject(&self, fault: Fault) {
        if let FaultKind::StartingFor(time) = fault.kind {
            let end = self.inner.clock.now() + TimeDelta::from_std(time).unwrap_or(TimeDelta::zero());
            lock(&self.inner.state).starting_until = end;
        } else {
            lock(&self.inner.faults).add(fault);
        }
    }

    /// Removes every fault; a server that was starting has started.
    pub fn clear_faults(&self) {
        lock(&self.inner.faults).clear();
        let mut state = lock(&self.inner.state);
        state.starting_until = state.starting_until.min(self.inner.clock.now());
    }

    /// What is stored of one object: `resource` is its path below `/api/v3`, such as `series`, `tag`, `episode`,
    /// `episodefile` or `config/naming`. Secrets are not masked. `None` when there is no such object.
    pub fn object(&self, resource: &str, id: i64) -> Option<Value> {
        let mut state = lock(&self.inner.state);
        state.catch_up(self.inner.clock.now());
        state.stored(resource, id)
    }

    /// The ids of the stored objects of a resource.
    pub fn ids(&self, resource: &str) -> Vec<i64> {
        let mut state = lock(&self.inner.state);
        state.catch_up(self.inner.clock.now());
        state.stored_ids(resource)
    }

    /// What each of the scenarios of [`Options::scenarios`] planted, in the order of [`Scenario::all`](crate::Scenario::all).
    pub fn planted(&self) -> Vec<Planted> {
        lock(&self.inner.state).planted.clone()
    }

    /// What requests did that would have killed a real server, such as a `body` member in `POST /command`.
    pub fn fatal_reports(&self) -> Vec<String> {
        lock(&self.inner.state).fatal.clone()
    }

    /// Every secret that the library holds: provider keys and tokens, webhook URLs, the password hash, the indexer keys
    /// in download URLs, and the API key. Each but the API key contains `canary`.
    pub fn secrets(&self) -> Vec<String> {
        let state = lock(&self.inner.state);
        let mut secrets = state.secrets.clone();
        secrets.push(state.api_key.clone());
        secrets
    }
}

impl Drop for EmbeddedSonarr {
    fn drop(&mut self) {
        self.inner.stop.send_replace(true);
    }
}

async fn answer(Shared(inner): Shared<Arc<Inner>>, request: Request) -> Result<Response, Infallible> {
    let incoming = read(request, &inner.url_base).await;
    let fault = lock(&inner.faults).take(&incoming.method, &incoming.path);
    if let Some(FaultKind::Latency(wait)) = fault {
        tokio::time::sleep(wait).await;
    }
    // A library of thousands takes a moment to be written: that moment must not stop the caller's executor.
    let worked = tokio::task::spawn_blocking(move || {
        let reply = match fault.as_ref().and_then(deliver::replaced) {
            Some(reply) => reply,
            None => {
                let mut state = lock(&inner.state);
                state.catch_up(inner.clock.now());
                pipeline::process(&mut state, &incoming)
            }
        };
        record(&inner, incoming, reply.status);
        if lock(&inner.state).stopped {
            inner.stop.send_replace(true);
        }
        deliver::respond(reply, fault)
    });
    Ok(worked.await.unwrap_or_else(|error| {
        tracing::error!(%error, "a request to the embedded Sonarr was not answered");
        deliver::respond(Reply::status(500), None)
    }))
}

/// Keeps a request for tests; the oldest go when there are too many.
fn record(inner: &Inner, incoming: Incoming, status: u16) {
    let mut requests = lock(&inner.requests);
    if requests.len() >= KEPT_REQUESTS {
        requests.drain(..KEPT_REQUESTS / 10);
    }
    requests.push(RecordedRequest {
        method: incoming.method,
        path: incoming.raw_path,
        query: incoming.query.0,
        headers: incoming.headers,
        body: incoming.body.to_vec(),
        status,
    });
}

/// Reads a request whole.
async fn read(request: Request, url_base: &str) -> Incoming {
    let (parts, body) = request.into_parts();
    let raw_path = parts.uri.path().to_owned();
    let raw_query = parts.uri.query().unwrap_or_default().to_owned();
    let headers: Vec<(String, String)> = parts
        .headers
        .iter()
        .map(|(name, value)| (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
        .collect();
    let decoded = percent_encoding::percent_decode_str(&raw_path).decode_utf8_lossy().into_owned();
    let path = below_base(&decoded, url_base).unwrap_or(&decoded).to_owned();
    let bytes = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let mut incoming = Incoming {
        method: parts.method.as_str().to_owned(),
        raw_path,
        path,
        query: Query::parse(&raw_query),
        raw_query,
        headers,
        body: bytes.clone(),
        upload: None,
    };
    if incoming.header("content-type").is_some_and(|kind| kind.starts_with("multipart/form-data")) {
        incoming.upload = Some(file_names(parts, bytes).await);
    }
    incoming
}

/// The names of the files in a form.
async fn file_names(parts: axum::http::request::Parts, bytes: Bytes) -> Vec<String> {
    let request = Request::from_parts(parts, Body::from(bytes));
    let mut names = Vec::new();
    if let Ok(mut form) = Multipart::from_request(request, &()).await {
        while let Ok(Some(field)) = form.next_field().await {
            if let Some(name) = field.file_name() {
                names.push(name.to_owned());
            }
        }
    }
    names
}

/// The path below the URL base, or `None` when it does not start with it.
fn below_base<'a>(path: &'a str, url_base: &str) -> Option<&'a str> {
    let head = path.get(..url_base.len())?;
    let tail = path.get(url_base.len()..)?;
    (head.eq_ignore_ascii_case(url_base) && (tail.is_empty() || tail.starts_with('/'))).then_some(tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_url_base_is_taken_off_in_any_case() {
        assert_eq!(below_base("/Sonarr/api/v3/tag", "/sonarr"), Some("/api/v3/tag"));
        assert_eq!(below_base("/sonarrx/api", "/sonarr"), None);
        assert_eq!(below_base("/api", ""), Some("/api"));
        assert_eq!(below_base("/a", "/sonarr"), None);
    }
}
