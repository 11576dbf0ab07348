//! The MCP server over any transport.

use std::path::PathBuf;
use std::sync::Arc;

use baton_api::ApiError;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ErrorData, GetPromptRequestParams, GetPromptResponse,
    Implementation, ListPromptsResult, ListResourceTemplatesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};

use crate::attempt::Attempt;
use crate::operations::Operations;
use crate::tool::{ToolContext, ToolDefinition};
use crate::tool_list::{self, ToolSet};
use crate::tools::run_get;
use crate::{answer, caller_error, prompts, resources};

const INSTRUCTIONS: &str = "Baton runs long work as a plan: a graph of agent sessions and commands \
that survives crashes. You may read, check and propose plans, ask for runs and follow them. Only a \
person approves. An answer with state waits_for_person means that a person decides in Baton: tell \
them, and don't try another way. Call guide first.";

const SESSION_INSTRUCTIONS: &str = "This session works on one node of a Baton plan. Read what the \
node received, set its outputs, report, and propose changes to the plan. Only a person decides about \
them. Your final answer still becomes the handoff.";

/// How a server is set up.
#[derive(Clone, Default)]
pub struct Options {
    /// Which tools it offers.
    pub tools: ToolSet,
    /// Offer only tools that change nothing.
    pub is_read_only: bool,
    /// The project of calls that name none: an absolute directory.
    pub project: Option<PathBuf>,
    /// The attempt that the tools of a session are about.
    pub attempt: Option<Arc<Attempt>>,
}

/// Baton's tools as an MCP server, without a transport. Clones share everything.
#[derive(Clone)]
pub struct McpServer {
    set: ToolSet,
    tools: Arc<[ToolDefinition]>,
    context: ToolContext,
}

impl McpServer {
    /// Creates a server over `operations`.
    #[must_use]
    pub fn new(operations: Arc<dyn Operations>, options: Options) -> Self {
        Self {
            set: options.tools,
            tools: tool_list::tools(options.tools, options.is_read_only),
            context: ToolContext {
                operations,
                project: options.project,
                attempt: options.attempt,
            },
        }
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.tools.iter().position(|tool| tool.tool.name == name)
    }
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools();
        let (capabilities, instructions) = match self.set {
            ToolSet::Session => (capabilities.build(), SESSION_INSTRUCTIONS),
            ToolSet::Plan | ToolSet::All => {
                let capabilities = capabilities.enable_prompts().enable_resources();
                (capabilities.build(), INSTRUCTIONS)
            }
        };
        ServerConfig::new(capabilities)
            .with_server_info(
                Implementation::new("baton", env!("CARGO_PKG_VERSION")).with_title("Baton"),
            )
            .with_instructions(instructions)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.tools.iter().map(|tool| tool.tool.clone());
        Ok(ListToolsResult::with_all_items(tools.collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(at) = self.position(&request.name) else {
            let message = format!("there is no tool '{}' here", request.name);
            return Err(ErrorData::invalid_params(message, None));
        };
        let (tools, context) = (Arc::clone(&self.tools), self.context.clone());
        let mut arguments = request.arguments.unwrap_or_default();
        if let Some(wait) = run_get::requested_wait(&request.name, &arguments)
            && let Some(waiting) = self.context.operations.wait_without_thread(wait)
        {
            if let Err(error) = waiting.await {
                return Ok(answer::error_result(&error).into());
            }
            arguments.remove(run_get::WAIT_ARGUMENT);
        }
        // Operations block: on the disk, on another process, and run_get on purpose.
        let called = tokio::task::spawn_blocking(move || tools[at].call(&context, arguments));
        Ok(called.await.map_err(stopped)?.into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::list()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let prompt = prompts::get(&request.name, &arguments);
        Ok(prompt.map_err(|error| protocol_error(&error))?.into())
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let templates = resources::templates();
        Ok(ListResourceTemplatesResult::with_all_items(templates))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let operations = Arc::clone(&self.context.operations);
        let read = move || resources::read(&*operations, &request.uri);
        let document = tokio::task::spawn_blocking(read).await.map_err(stopped)?;
        let document = document.map_err(|error| protocol_error(&error))?;
        Ok(ReadResourceResult::new(vec![document]).into())
    }
}

/// An error where the protocol has no results that are errors.
fn protocol_error(error: &ApiError) -> ErrorData {
    let error = &caller_error::shortened(error);
    let data = Some(caller_error::to_json(error));
    if resources::is_missing(error) {
        ErrorData::invalid_params(error.full_message(), data)
    } else {
        ErrorData::internal_error(error.full_message(), data)
    }
}

/// A bug: the thread of a call stopped.
fn stopped(error: tokio::task::JoinError) -> ErrorData {
    ErrorData::internal_error(format!("the call stopped: {error}"), None)
}
