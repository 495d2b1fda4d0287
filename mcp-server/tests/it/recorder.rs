//! An HTTP server that writes down what it is asked.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Method, Response, StatusCode, Uri};
use tokio::sync::watch;

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct Recorded {
    pub method: Method,
    pub uri: Uri,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// What is answered.
#[derive(Debug, Clone)]
pub struct Reply {
    pub status: u16,
    pub content_type: &'static str,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn json(status: u16, body: &str) -> Self {
        Reply { status, content_type: "application/json", body: body.as_bytes().to_vec() }
    }
}

#[derive(Debug)]
struct Shared {
    requests: Mutex<Vec<Recorded>>,
    reply: Mutex<Reply>,
    turns: Mutex<Vec<Reply>>,
    hanging: Mutex<bool>,
    open: watch::Sender<usize>,
}

/// The server; it lives as long as the test's runtime.
#[derive(Debug, Clone)]
pub struct Recorder {
    shared: Arc<Shared>,
    pub url: String,
}

impl Recorder {
    /// Answers everything with 200 and an empty list.
    pub async fn start() -> Self {
        let shared = Arc::new(Shared {
            requests: Mutex::default(),
            reply: Mutex::new(Reply::json(200, "[]")),
            turns: Mutex::default(),
            hanging: Mutex::new(false),
            open: watch::Sender::new(0),
        });
        let router = Router::new()
            .fallback(record)
            .layer(axum::extract::DefaultBodyLimit::disable())
            .with_state(Arc::clone(&shared));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Recorder { shared, url }
    }

    /// Answers everything with `reply` from now on.
    pub fn reply(&self, reply: Reply) {
        *self.shared.reply.lock().unwrap() = reply;
    }

    /// Answers with one after the other, and then on with the last.
    pub fn reply_in_turn(&self, mut replies: Vec<Reply>) {
        replies.reverse();
        if let Some(last) = replies.first() {
            self.reply(last.clone());
        }
        *self.shared.turns.lock().unwrap() = replies;
    }

    /// Answers nothing from now on.
    pub fn hang(&self) {
        *self.shared.hanging.lock().unwrap() = true;
    }

    /// The requests so far.
    pub fn take(&self) -> Vec<Recorded> {
        std::mem::take(&mut self.shared.requests.lock().unwrap())
    }

    /// Waits until this many requests wait for an answer.
    pub async fn until_open(&self, count: usize) {
        let mut open = self.shared.open.subscribe();
        let reached = open.wait_for(|open| *open == count);
        tokio::time::timeout(std::time::Duration::from_secs(10), reached)
            .await
            .unwrap_or_else(|_| panic!("{count} open requests are due, there are {}", *self.shared.open.borrow()))
            .unwrap();
    }
}

/// Counts a request as open until it is answered or given up.
struct Open(Arc<Shared>);

impl Open {
    fn new(shared: &Arc<Shared>) -> Self {
        shared.open.send_modify(|open| *open += 1);
        Open(Arc::clone(shared))
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.open.send_modify(|open| *open -= 1);
    }
}

async fn record(
    State(shared): State<Arc<Shared>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    let _open = Open::new(&shared);
    shared.requests.lock().unwrap().push(Recorded { method, uri, headers, body });
    let hanging = *shared.hanging.lock().unwrap();
    if hanging {
        std::future::pending::<()>().await;
    }
    let turn = shared.turns.lock().unwrap().pop();
    let reply = turn.unwrap_or_else(|| shared.reply.lock().unwrap().clone());
    Response::builder()
        .status(StatusCode::from_u16(reply.status).unwrap())
        .header("content-type", reply.content_type)
        .body(Body::from(reply.body))
        .unwrap()
}
