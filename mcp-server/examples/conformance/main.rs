//! A server with what the official conformance suite expects to find, on this crate's transport.
//!
//! The suite wants tools, prompts and resources of its own. They are here, and not in the
//! program, and test how the protocol and the network are served:
//!
//! ```sh
//! just conformance
//! ```

#![expect(deprecated, reason = "the older revisions have the log, sampling and subscriptions to single resources")]

mod asking;
mod content;
mod reading;
mod rounds;
mod tools;

use std::collections::HashSet;
use std::error::Error;
use std::sync::{Arc, Mutex};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CompletionInfo, ErrorCode,
    ErrorData, GetPromptRequestParams, GetPromptResponse, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
    ServerCapabilities, ServerConfig, SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter, Tool,
    UnsubscribeRequestParams,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde::de::DeserializeOwned;
use serde_json::Value;
use sonarr_mcp::transport::limits::Limits;
use sonarr_mcp::transport::network::{Listener, Network, Protocol};
use tokio_util::sync::CancellationToken;

/// The fixtures' handler. The states it gave out and did not get back are all it remembers.
#[derive(Debug, Clone, Default)]
pub struct Fixtures {
    states: Arc<Mutex<HashSet<String>>>,
}

/// A value of the protocol from JSON; what does not fit is a mistake in a fixture.
fn typed<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value).map_err(|error| ErrorData::internal_error(format!("a fixture: {error}"), None))
}

impl ServerHandler for Fixtures {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_prompts()
            .enable_completions()
            .enable_logging()
            .build();
        ServerConfig::new(capabilities)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::all()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::all().into_iter().find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match request.name.as_ref() {
            name if rounds::knows(name) => rounds::call(self, &request, &context),
            name if asking::knows(name) => asking::call(&request, &context).await,
            _ => tools::call(&request, &context).await,
        }
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(typed(reading::resources())?))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(typed(reading::templates())?))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        reading::read(&request.uri).map(ReadResourceResponse::Complete)
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn subscribe(&self, _: SubscribeRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(&self, _: UnsubscribeRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(typed(reading::prompts())?))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        if request.name == rounds::PROMPT {
            return rounds::prompt(&request);
        }
        reading::prompt(&request).map(GetPromptResponse::Complete)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let values = ["paris", "park", "party", "test"].map(str::to_owned);
        let values = values.into_iter().filter(|value| value.starts_with(&request.argument.value)).collect();
        let completion =
            CompletionInfo::with_all_values(values).map_err(|error| ErrorData::internal_error(error, None))?;
        Ok(CompleteResult::new(completion))
    }

    async fn set_level(&self, _: SetLevelRequestParams, context: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        if tools::is_newest(&context) {
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "logging/setLevel", None));
        }
        Ok(())
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let port = std::env::args().nth(1).map_or(Ok(0), |port| port.parse())?;
    let network = Network {
        host: "127.0.0.1".to_owned(),
        port,
        token: None,
        allow_unauthenticated: false,
        allowed_hosts: Vec::new(),
        allowed_origins: Vec::new(),
        limits: Limits::default(),
    };
    let listener = Listener::open(network).await?;
    eprintln!("listening at http://{}/mcp", listener.address());
    let fixtures = Fixtures::default();
    listener.serve(Protocol::Http, move || fixtures.clone(), CancellationToken::new()).await;
    Ok(())
}
