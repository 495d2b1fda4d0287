//! A Sonarr within the process, which writes down what it is asked.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Method, Response, StatusCode, Uri};
use embedded_sonarr::{Clock, EmbeddedSonarr, Options};
use serde_json::{Value, json};
use sonarr_mcp::config::{ApiKey, Target};
use sonarr_mcp::connection::Connection;
use tokio::net::TcpListener;

/// The API key, which has to stay in the header it travels in.
pub const KEY: &str = "5ec2e70f5ec2e70f5ec2e70f5ec2e70f";

/// How many reads of the library are kept; more are asked for again.
const KEPT: usize = 4_096;

/// A request as it arrived.
#[derive(Debug)]
pub struct Request {
    /// The method, upper case.
    pub method: Method,
    /// The path and query.
    pub uri: Uri,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

/// What a request is answered with.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The HTTP status.
    pub status: StatusCode,
    /// The declared type, where one is.
    pub content_type: Option<String>,
    /// The bytes.
    pub body: Bytes,
}

/// The server; it lives as long as the runtime it was started in.
#[derive(Debug, Clone)]
pub struct Sonarr {
    shared: Arc<Shared>,
    /// Where it is.
    pub url: String,
}

#[derive(Debug)]
struct Shared {
    requests: Mutex<Vec<Request>>,
    answers: Answers,
}

#[derive(Debug)]
enum Answers {
    /// One for everything.
    Fixed(Mutex<Reply>),
    /// Reads come from a library that no write changes: what a write sends comes back.
    Library { library: EmbeddedSonarr, http: reqwest::Client, known: Mutex<HashMap<String, Reply>> },
}

impl Sonarr {
    /// Answers everything with what is set by [`Sonarr::answer`].
    pub async fn fixed() -> Self {
        let reply = Reply { status: StatusCode::OK, content_type: None, body: Bytes::new() };
        Sonarr::start(Answers::Fixed(Mutex::new(reply))).await
    }

    /// Answers from the embedded Sonarr's library.
    pub async fn library() -> Self {
        let options = Options { clock: Clock::fixed(), ..Options::default() };
        let library = EmbeddedSonarr::start(options).await.expect("a port is free");
        // The HTTP library wants one, though nothing here is encrypted; another test may have been first.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder().no_proxy().build().expect("plain HTTP can be set up");
        Sonarr::start(Answers::Library { library, http, known: Mutex::default() }).await
    }

    async fn start(answers: Answers) -> Self {
        let shared = Arc::new(Shared { requests: Mutex::default(), answers });
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let url = format!("http://{}", listener.local_addr().expect("it has an address"));
        let router = Router::new()
            .fallback(serve)
            .layer(axum::extract::DefaultBodyLimit::disable())
            .with_state(Arc::clone(&shared));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Sonarr { shared, url }
    }

    /// The way to it.
    pub fn connection(&self) -> Connection {
        Connection::new(Target { url: Some(self.url.clone()), api_key: ApiKey::new(KEY), ..Target::default() })
    }

    /// Answers everything with `reply` from now on.
    pub fn answer(&self, reply: Reply) {
        if let Answers::Fixed(now) = &self.shared.answers {
            *now.lock().unwrap_or_else(PoisonError::into_inner) = reply;
        }
    }

    /// The requests since the last look.
    pub fn take(&self) -> Vec<Request> {
        std::mem::take(&mut self.shared.requests.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Everything that must not come out.
    pub fn secrets(&self) -> Vec<String> {
        let mut secrets = vec![KEY.to_owned()];
        if let Answers::Library { library, .. } = &self.shared.answers {
            secrets.extend(library.secrets());
        }
        secrets
    }
}

async fn serve(
    State(shared): State<Arc<Shared>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    let request = Request { method, uri, headers, body };
    let reply = match &shared.answers {
        Answers::Fixed(reply) => reply.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        Answers::Library { library, http, known } => match request.method {
            Method::GET => read(library, http, known, &request.uri).await,
            _ => written(&request),
        },
    };
    shared.requests.lock().unwrap_or_else(PoisonError::into_inner).push(request);
    let mut response = Response::new(Body::from(reply.body));
    *response.status_mut() = reply.status;
    if let Some(content_type) = reply.content_type.and_then(|text| text.parse().ok()) {
        response.headers_mut().insert("content-type", content_type);
    }
    response
}

/// What the library answers to a read, asked once.
async fn read(
    library: &EmbeddedSonarr,
    http: &reqwest::Client,
    known: &Mutex<HashMap<String, Reply>>,
    uri: &Uri,
) -> Reply {
    let uri = uri.to_string();
    if let Some(reply) = known.lock().unwrap_or_else(PoisonError::into_inner).get(&uri) {
        return reply.clone();
    }
    let request = http.get(format!("{}{uri}", library.url())).header("X-Api-Key", library.api_key());
    let answer = request.send().await.expect("the embedded Sonarr answers");
    let status = StatusCode::from_u16(answer.status().as_u16()).expect("it is a status");
    let content_type = answer.headers().get("content-type").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let reply = Reply { status, content_type, body: answer.bytes().await.expect("the embedded Sonarr answers") };
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    if known.len() < KEPT {
        known.insert(uri, reply.clone());
    }
    reply
}

/// What was written, as an object that is there; a command has ended.
fn written(request: &Request) -> Reply {
    let mut body = serde_json::from_slice(&request.body).unwrap_or_else(|_| json!({}));
    if let Value::Object(members) = &mut body {
        members.entry("id").or_insert_with(|| json!(1));
        if request.uri.path() == "/api/v3/command" {
            members.insert("status".to_owned(), json!("completed"));
        }
    }
    Reply {
        status: StatusCode::OK,
        content_type: Some("application/json".to_owned()),
        body: Bytes::from(body.to_string()),
    }
}
