//! A server with a client for it.

use embedded_sonarr::{Clock, EmbeddedSonarr, Options};
use reqwest::Method;
use reqwest::header::HeaderMap;
use serde_json::Value;

/// An answer, read whole.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
}

impl Answer {
    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        match serde_json::from_slice(&self.bytes) {
            Ok(value) => value,
            Err(error) => panic!("{error}: {}", self.text()),
        }
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// The body as JSON, once the status is the expected one.
    #[track_caller]
    pub fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text());
        if self.bytes.is_empty() { Value::Null } else { self.json() }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}

/// A server on a clock that stands still, and a client that sends its key.
pub struct Served {
    pub sonarr: EmbeddedSonarr,
    client: reqwest::Client,
}

/// A server with default options on a fixed clock.
pub async fn serve() -> Served {
    serve_with(Options { clock: Clock::fixed(), ..Options::default() }).await
}

pub async fn serve_with(options: Options) -> Served {
    let sonarr = EmbeddedSonarr::start(options).await.unwrap();
    Served { sonarr, client: client() }
}

/// A client that follows no redirect.
pub fn client() -> reqwest::Client {
    // No test speaks TLS, but built beside the SDK reqwest makes no client without a provider of it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().unwrap()
}

impl Served {
    /// A request with the key; `path` below the URL of the server.
    pub fn request(&self, method: &str, path: &str) -> reqwest::RequestBuilder {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        self.client.request(method, format!("{}{path}", self.sonarr.url())).header("X-Api-Key", self.sonarr.api_key())
    }

    /// A request without a key.
    pub fn bare(&self, method: &str, path: &str) -> reqwest::RequestBuilder {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        self.client.request(method, format!("{}{path}", self.sonarr.url()))
    }

    pub async fn send(&self, request: reqwest::RequestBuilder) -> Answer {
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Answer { status, headers, bytes: response.bytes().await.unwrap().to_vec() }
    }

    /// `path` is below `/api/v3`.
    pub async fn call(&self, method: &str, path: &str, body: Option<&Value>) -> Answer {
        let request = self.request(method, &format!("/api/v3{path}"));
        let request = match body {
            Some(body) => request.json(body),
            None => request,
        };
        self.send(request).await
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.call("GET", path, None).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.call("POST", path, Some(body)).await
    }

    pub async fn put(&self, path: &str, body: &Value) -> Answer {
        self.call("PUT", path, Some(body)).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.call("DELETE", path, None).await
    }

    /// Queues a command, lets it end and returns it.
    pub async fn run(&self, body: &Value) -> Value {
        let id = self.post("/command", body).await.expect(201)["id"].as_i64().unwrap();
        self.sonarr.advance(std::time::Duration::from_secs(30));
        self.get(&format!("/command/{id}")).await.expect(200)
    }
}
