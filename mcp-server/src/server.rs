//! The protocol's side: lists tools, takes calls, and answers each of them, whatever happens.

mod instructions;
mod malformed;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures::FutureExt;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult, ErrorData,
    Implementation, JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::answer::{Answer, Content};
use crate::dispatch::Dispatcher;
use crate::failure::Failure;

/// The handler of all transports. A copy serves the same tools and shares the same bounds.
#[derive(Debug, Clone)]
pub struct Server {
    dispatcher: Arc<Dispatcher>,
    places: Arc<Semaphore>,
}

impl Server {
    /// Serves what `dispatcher` offers, `concurrency` calls at once; more have to wait.
    pub fn new(dispatcher: Arc<Dispatcher>, concurrency: usize) -> Self {
        Server { dispatcher, places: Arc::new(Semaphore::new(concurrency)) }
    }

    /// Answers one call: with a result, a failure, or the news that it was cancelled or that this
    /// server has a bug. When it is cancelled its HTTP request stops.
    async fn answer(&self, tool: &str, arguments: JsonObject, cancelled: &CancellationToken) -> CallToolResult {
        let call = AssertUnwindSafe(self.call(tool, arguments)).catch_unwind();
        let outcome = tokio::select! {
            outcome = call => outcome.unwrap_or_else(|_| Err(Failure::internal())),
            () = cancelled.cancelled() => Err(Failure::cancelled()),
        };
        match outcome {
            Ok(answer) => success(&answer),
            Err(failure) => refusal(&failure),
        }
    }

    async fn call(&self, tool: &str, arguments: JsonObject) -> Result<Answer, Failure> {
        let _place = self.places.acquire().await.map_err(|_| Failure::cancelled())?;
        self.dispatcher.call(tool, arguments).await
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(
                Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")).with_title("Sonarr"),
            )
            .with_instructions(instructions::compose(self.dispatcher.catalogue()))
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if request.is_some_and(|page| page.cursor.is_some()) {
            // All tools come in one page, so no cursor was ever given out.
            return Err(ErrorData::invalid_params("unknown cursor", None));
        }
        Ok(ListToolsResult::with_all_items(self.dispatcher.catalogue().tools().to_vec()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        let tools = self.dispatcher.catalogue().tools();
        tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let result = self.answer(&request.name, arguments, &context.ct).await;
        Ok(result.into())
    }

    /// A request the SDK found no type for: a method it does not know, or one whose parameters
    /// it could not read.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(malformed::explain(&request))
    }
}

fn success(answer: &Answer) -> CallToolResult {
    let mut content = vec![ContentBlock::text(answer.text())];
    if let Content::Image { mime_type, bytes } = &answer.content {
        content.insert(0, ContentBlock::image(STANDARD.encode(bytes), mime_type));
    }
    result(CallToolResult::success(content), answer.structured())
}

fn refusal(failure: &Failure) -> CallToolResult {
    let content = vec![ContentBlock::text(failure.text())];
    result(CallToolResult::error(content), Some(failure.structured()))
}

fn result(mut result: CallToolResult, structured: Option<Value>) -> CallToolResult {
    result.structured_content = structured;
    result
}
