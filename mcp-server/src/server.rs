//! The protocol's side: lists what there is, takes calls, and answers each of them, whatever
//! happens.
#![expect(deprecated, reason = "newer revisions deprecate logging, and all of them still have it")]

mod ask;
mod copies;
mod instructions;
mod log;
mod malformed;
mod progress;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures::FutureExt;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult, ContentBlock,
    CustomRequest, CustomResult, ErrorData, GetPromptRequestParams, GetPromptResponse, Implementation,
    InitializeRequestParams, InitializeResult, JsonObject, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams,
    ReadResourceResponse, ServerCapabilities, ServerConfig, SetLevelRequestMethod, SetLevelRequestParams, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::Value;
use tokio::sync::Semaphore;

use crate::answer::{Answer, Content};
use crate::completions::{self, Cache};
use crate::dispatch::{Asking, Outcome};
use crate::failure::Failure;
use crate::instances::Instances;
use crate::{prompts, resources};

use log::{Ended, Log};

/// The handler of all transports. A copy serves the same tools and shares the same bounds.
#[derive(Debug, Clone)]
pub struct Server {
    instances: Arc<Instances>,
    places: Arc<Semaphore>,
    completions: Arc<Cache>,
    log: Arc<Log>,
    text_only: bool,
}

impl Server {
    /// Serves what `instances` offer, `concurrency` calls at once; more have to wait.
    pub fn new(instances: Arc<Instances>, concurrency: usize) -> Self {
        Server {
            instances,
            places: Arc::new(Semaphore::new(concurrency)),
            completions: Arc::default(),
            log: Arc::default(),
            text_only: false,
        }
    }

    /// Answers with text alone where `text_only`, and promises no structured content.
    #[must_use]
    pub fn with_text_only(mut self, text_only: bool) -> Self {
        self.text_only = text_only;
        self
    }

    fn tools(&self) -> impl Iterator<Item = Tool> {
        self.instances.tools().iter().map(|tool| self.shown(tool))
    }

    fn shown(&self, tool: &Tool) -> Tool {
        if self.text_only { copies::without_schema(tool.clone()) } else { tool.clone() }
    }

    /// A copy for one more session, which has a level of the log of its own.
    #[must_use]
    pub fn for_session(&self) -> Self {
        Server { log: Arc::default(), ..self.clone() }
    }

    fn instructions(&self) -> String {
        let mut text = instructions::compose(self.instances.catalogue());
        if !self.instances.names().is_empty() {
            text.push_str("\nThere are several Sonarr instances: `instance` says which one a call is for.");
        }
        text
    }

    /// Answers one call: with a result, a failure, a question, or the news that it was cancelled or
    /// that this server has a bug. When it is cancelled its HTTP request stops.
    async fn answer(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, Failure> {
        let call = AssertUnwindSafe(self.converse(request, context)).catch_unwind();
        tokio::select! {
            outcome = call => outcome.unwrap_or_else(|_| Err(Failure::internal())),
            () = context.ct.cancelled() => Err(Failure::cancelled()),
        }
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
        self.instances.attempt(tool, arguments, asking).await
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .enable_completions()
            .enable_logging()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(
                Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")).with_title("Sonarr"),
            )
            .with_instructions(self.instructions())
    }

    /// Keeps of a client the revision that was agreed upon, where the SDK's own keeps the one asked
    /// for: after a second handshake with a revision that is yet to come, later requests would be
    /// taken for that one's.
    async fn initialize(
        &self,
        mut request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let agreed = self.negotiate_initialize(&request)?;
        request.protocol_version = agreed.protocol_version.clone();
        context.peer.set_peer_info(request);
        Ok(agreed)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        only_page(request)?;
        Ok(ListToolsResult::with_all_items(self.tools().collect()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        let tool = self.instances.tools().iter().find(|tool| tool.name == name)?;
        Some(self.shown(tool))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let begun = Instant::now();
        let tool = request.name.clone();
        let operation = request.arguments.as_ref().and_then(|call| call.get("operation")?.as_str()).map(str::to_owned);
        let outcome = progress::during(&context, self.answer(request, &context)).await;
        let call = Ended {
            tool: &tool,
            operation: operation.as_deref(),
            failure: outcome.as_ref().err().map(|failure| failure.code),
            took: begun.elapsed(),
        };
        self.log.ended(&context, call).await;
        let response = outcome.unwrap_or_else(|failure| refusal(&failure).into());
        Ok(if self.text_only { copies::text_alone(response) } else { response })
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        only_page(request)?;
        Ok(ListResourcesResult::with_all_items(resources::list(&self.instances)))
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        only_page(request)?;
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates(&self.instances)))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let reading = async {
            let _place = self.places.acquire().await;
            resources::read(&self.instances, &request.uri).await
        };
        answered(reading, &context).await.map(ReadResourceResponse::from)
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        only_page(request)?;
        Ok(ListPromptsResult::with_all_items(prompts::list(&self.instances)))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        prompts::get(&self.instances, &request.name, request.arguments).map(GetPromptResponse::from)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let completing = completions::complete(&self.instances, &self.completions, &request);
        answered(completing, &context).await.map(CompleteResult::new)
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if is_newest(&context) {
            return Err(ErrorData::method_not_found::<SetLevelRequestMethod>());
        }
        self.log.set(request.level);
        Ok(())
    }

    /// A request the SDK found no type for: a method it does not know, or one whose parameters
    /// it could not read.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(malformed::explain(&request, is_newest(&context)))
    }
}

/// Whether a request is of a revision without handshake, in which it says all about itself.
fn is_newest(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

/// Everything comes in one page, so no cursor was ever given out.
fn only_page(request: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match request.and_then(|page| page.cursor) {
        Some(_) => Err(ErrorData::invalid_params("unknown cursor: everything is in the one page", None)),
        None => Ok(()),
    }
}

/// Runs `work` unless the request is cancelled; a panic in it is an error like others.
async fn answered<T>(
    work: impl Future<Output = Result<T, ErrorData>>,
    context: &RequestContext<RoleServer>,
) -> Result<T, ErrorData> {
    let failed = |failure: Failure| ErrorData::internal_error(failure.text(), None);
    tokio::select! {
        outcome = AssertUnwindSafe(work).catch_unwind() => outcome.unwrap_or_else(|_| Err(failed(Failure::internal()))),
        () = context.ct.cancelled() => Err(failed(Failure::cancelled())),
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
