//! A handler with tools that tell the transport's work, served on a free port.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParam, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::json;
use sonarr_mcp::transport::limits::Limits;
use sonarr_mcp::transport::network::{Listener, Network, Protocol};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Calls of `wait` that are running, over all handlers.
#[derive(Debug, Clone, Default)]
pub struct Waiting(Arc<AtomicUsize>);

impl Waiting {
    /// Waits until so many are running.
    pub async fn until(&self, count: usize) {
        let reached = async {
            while self.0.load(Ordering::SeqCst) != count {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), reached)
            .await
            .unwrap_or_else(|_| panic!("{count} calls are due, {} are running", self.0.load(Ordering::SeqCst)));
    }
}

struct Running(Waiting);

impl Running {
    fn new(waiting: &Waiting) -> Self {
        waiting.0.fetch_add(1, Ordering::SeqCst);
        Running(waiting.clone())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// `echo` answers its argument `text`; `wait` takes `ms` milliseconds, with a progress
/// notification first where a token came.
#[derive(Debug, Clone, Default)]
pub struct Handler {
    waiting: Waiting,
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let schema = json!({"type": "object"}).as_object().unwrap().clone();
        Ok(ListToolsResult::with_all_items(vec![
            Tool::new("echo", "Answers its text", schema.clone()),
            Tool::new("wait", "Takes a while", schema),
        ]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        if request.name == "wait" {
            let _running = Running::new(&self.waiting);
            if let Some(token) = context.meta.get_progress_token() {
                context.peer.notify_progress(ProgressNotificationParam::new(token, 1.0)).await.unwrap();
            }
            let time = Duration::from_millis(arguments["ms"].as_u64().unwrap());
            tokio::select! {
                () = tokio::time::sleep(time) => {}
                () = context.ct.cancelled() => return Err(ErrorData::internal_error("cancelled", None)),
            }
        }
        let text = arguments.get("text").and_then(|text| text.as_str()).unwrap_or_default().to_owned();
        Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
    }
}

/// A listener at work.
pub struct Served {
    pub url: String,
    pub waiting: Waiting,
    pub stop: CancellationToken,
    pub task: JoinHandle<()>,
}

/// The settings the tests start from: a free loopback port.
pub fn network() -> Network {
    Network {
        host: "127.0.0.1".to_owned(),
        port: 0,
        token: None,
        allow_unauthenticated: false,
        allowed_hosts: Vec::new(),
        allowed_origins: Vec::new(),
        limits: Limits::default(),
    }
}

pub async fn serve(protocol: Protocol, network: Network) -> Served {
    let listener = Listener::open(network).await.unwrap();
    let url = format!("http://127.0.0.1:{}", listener.address().port());
    let stop = CancellationToken::new();
    let handler = Handler::default();
    let waiting = handler.waiting.clone();
    let task = tokio::spawn(listener.serve(protocol, move || handler.clone(), stop.clone()));
    Served { url, waiting, stop, task }
}

pub async fn http() -> Served {
    serve(Protocol::Http, network()).await
}

pub async fn sse() -> Served {
    serve(Protocol::Sse, network()).await
}
