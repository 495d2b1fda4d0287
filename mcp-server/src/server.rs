//! The protocol's side: lists tools, takes calls, and answers each of them, whatever happens.

mod ask;
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

use crate::answer::{Answer, Content};
use crate::dispatch::{Asking, Dispatcher, Outcome};
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

    /// Answers one call: with a result, a failure, a question, or the news that it was cancelled or
    /// that this server has a bug. When it is cancelled its HTTP request stops.
    async fn answer(&self, request: CallToolRequestParams, context: &RequestContext<RoleServer>) -> CallToolResponse {
        let call = AssertUnwindSafe(self.converse(request, context)).catch_unwind();
        let outcome = tokio::select! {
            outcome = call => outcome.unwrap_or_else(|_| Err(Failure::internal())),
            () = context.ct.cancelled() => Err(Failure::cancelled()),
        };
        outcome.unwrap_or_else(|failure| refusal(&failure).into())
    }

    /// Makes the call; where a person has to be asked, asks and makes it again.
    async fn converse(
        &self,
        mut request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, Failure> {
        let asking = ask::asking(context, &request)?;
        let arguments = request.arguments.take().unwrap_or_default();
        let question = match self.call(&request.name, arguments.clone(), &asking).await? {
            Outcome::Answer(answer) => return Ok(success(&answer).into()),
            Outcome::Ask(question) => question,
        };
        if ask::by_answer(context) {
            return Ok(ask::as_answer(question)?.into());
        }
        ask::ask(context, question.text).await?;
        let agreed = Asking { answer: Some(question.token), ..asking };
        match self.call(&request.name, arguments, &agreed).await? {
            Outcome::Answer(answer) => Ok(success(&answer).into()),
            // With an answer, good or not, nothing is asked again.
            Outcome::Ask(_) => Err(Failure::internal()),
        }
    }

    /// Makes the call when there is room for one more; while a person thinks there is.
    async fn call(&self, tool: &str, arguments: JsonObject, asking: &Asking) -> Result<Outcome, Failure> {
        let _place = self.places.acquire().await.map_err(|_| Failure::cancelled())?;
        self.dispatcher.attempt(tool, arguments, asking).await
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
        Ok(self.answer(request, &context).await)
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
