//! A client that knows HTTP and nothing of the SDK.

use std::time::Duration;

use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};

/// How long a test waits for what has to come.
pub const PATIENCE: Duration = Duration::from_secs(20);

thread_local! {
    /// One a test, for a test has a thread and a runtime of its own.
    static CLIENT: reqwest::Client = {
        // No test speaks TLS, but no client is made without a provider of it.
        let _ = rustls::crypto::ring::default_provider().install_default();
        reqwest::Client::builder().no_proxy().build().unwrap()
    };
}

pub fn client() -> reqwest::Client {
    CLIENT.with(Clone::clone)
}

/// A POST as the protocol wants it.
pub fn post(url: &str, message: &Value) -> RequestBuilder {
    client()
        .post(url)
        .header("accept", "application/json, text/event-stream")
        .header("content-type", "application/json")
        .body(message.to_string())
}

pub fn initialize(revision: &str) -> Value {
    json!({
        "jsonrpc": "2.0",
        "id": "first",
        "method": "initialize",
        "params": {
            "protocolVersion": revision,
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}
        }
    })
}

pub fn call(id: impl Into<Value>, tool: &str, arguments: Value) -> Value {
    json!({
        "jsonrpc": "2.0",
        "id": id.into(),
        "method": "tools/call",
        "params": {"name": tool, "arguments": arguments}
    })
}

/// The same call as revision 2026-07-28 makes it, with all it has to say of itself.
pub fn stateless_call(id: i64, tool: &str, arguments: Value) -> Value {
    let mut call = call(id, tool, arguments);
    call["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    call
}

/// A POST of revision 2026-07-28.
pub fn stateless(url: &str, message: &Value) -> RequestBuilder {
    let request = post(url, message)
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", message["method"].as_str().unwrap());
    match message["params"]["name"].as_str() {
        Some(name) => request.header("mcp-name", name),
        None => request,
    }
}

/// One server-sent event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    pub name: String,
    pub data: String,
}

/// The events of a response, one after the other.
pub struct Events {
    response: Response,
    text: String,
}

impl Events {
    pub fn of(response: Response) -> Self {
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Events { response, text: String::new() }
    }

    /// The next event with data; `None` at the end of the stream.
    pub async fn next(&mut self) -> Option<Event> {
        tokio::time::timeout(PATIENCE, self.read()).await.expect("an event is due")
    }

    async fn read(&mut self) -> Option<Event> {
        loop {
            while let Some((event, rest)) = self.text.split_once("\n\n") {
                let event = parse(event);
                self.text = rest.to_owned();
                if !event.data.is_empty() {
                    return Some(event);
                }
            }
            let chunk = self.response.chunk().await.ok()??;
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    /// The next message.
    pub async fn message(&mut self) -> Value {
        let event = self.next().await.expect("the stream has ended");
        serde_json::from_str(&event.data).unwrap()
    }
}

fn parse(text: &str) -> Event {
    let mut event = Event { name: "message".to_owned(), data: String::new() };
    for line in text.lines() {
        if let Some(data) = line.strip_prefix("data:") {
            event.data.push_str(data.trim_start());
        } else if let Some(name) = line.strip_prefix("event:") {
            event.name = name.trim().to_owned();
        }
    }
    event
}

/// The message of a response that is JSON or a stream of one.
pub async fn answer(response: Response) -> Value {
    if response.headers()["content-type"] == "text/event-stream" {
        Events::of(response).message().await
    } else {
        response.json().await.unwrap()
    }
}

/// A session of streamable HTTP.
#[derive(Clone)]
pub struct Session {
    pub url: String,
    pub id: String,
    pub revision: String,
}

impl Session {
    pub async fn open(url: &str, revision: &str) -> Self {
        Session::open_with(url, &initialize(revision)).await
    }

    /// A session that begins with this message.
    pub async fn open_with(url: &str, first: &Value) -> Self {
        let url = format!("{url}/mcp");
        let revision = first["params"]["protocolVersion"].as_str().unwrap();
        let response = post(&url, first).send().await.unwrap();
        assert_eq!(response.status(), 200);
        let id = response.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        let answer = answer(response).await;
        assert_eq!(answer["result"]["protocolVersion"], revision, "{answer}");
        let session = Session { url, id, revision: revision.to_owned() };
        let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(session.send(&initialized).await.status(), 202);
        session
    }

    pub fn headers(&self, request: RequestBuilder) -> RequestBuilder {
        let request = request.header("mcp-session-id", &self.id);
        // The header came with 2025-06-18.
        if self.revision.as_str() >= "2025-06-18" {
            request.header("mcp-protocol-version", &self.revision)
        } else {
            request
        }
    }

    pub async fn send(&self, message: &Value) -> Response {
        self.headers(post(&self.url, message)).send().await.unwrap()
    }

    pub async fn ask(&self, message: &Value) -> Value {
        answer(self.send(message).await).await
    }

    /// The stream on which the server speaks unasked.
    pub async fn listen(&self) -> Events {
        let request = client().get(&self.url).header("accept", "text/event-stream");
        Events::of(self.headers(request).send().await.unwrap())
    }
}

/// A session of the older pair.
pub struct OldSession {
    pub events: Events,
    pub messages: String,
}

impl OldSession {
    pub async fn open(url: &str) -> Self {
        let response = client().get(format!("{url}/sse")).send().await.unwrap();
        let mut events = Events::of(response);
        let endpoint = events.next().await.unwrap();
        assert_eq!(endpoint.name, "endpoint");
        assert!(endpoint.data.starts_with("/messages/?session_id="), "{}", endpoint.data);
        OldSession { events, messages: format!("{url}{}", endpoint.data) }
    }

    pub async fn begin(url: &str) -> Self {
        OldSession::begin_with(url, &initialize("2024-11-05")).await
    }

    /// A session that begins with this message.
    pub async fn begin_with(url: &str, first: &Value) -> Self {
        let mut session = OldSession::open(url).await;
        let answer = session.ask(first).await;
        assert_eq!(answer["result"]["protocolVersion"], first["params"]["protocolVersion"], "{answer}");
        session.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        session
    }

    pub async fn send(&self, message: &Value) {
        let response = post(&self.messages, message).send().await.unwrap();
        assert_eq!(response.status(), 202);
    }

    pub async fn ask(&mut self, message: &Value) -> Value {
        self.send(message).await;
        self.events.message().await
    }
}
