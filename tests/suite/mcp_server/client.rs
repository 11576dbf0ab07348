//! An MCP client of the real `baton mcp`.

use baton_tests::{Shell, TestEnvironment};
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientConfig, ReadResourceRequestParams,
    ResourceContents, Tool,
};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt as _, RunningService};
use rmcp::transport::TokioChildProcess;
use rmcp::{RoleClient, ServiceError};
use serde_json::Value;
use tokio::runtime::Runtime;

/// The size of a default answer, in bytes: 2,000 tokens.
pub(super) const DEFAULT_ANSWER_BYTES: usize = 8_000;

/// The names of the tools that are offered by default.
pub(super) const DEFAULT_TOOLS: [&str; 9] = [
    "guide",
    "plan_find",
    "plan_get",
    "plan_check",
    "plan_propose",
    "proposal_get",
    "proposal_revise",
    "run_request",
    "run_get",
];

/// A connected client.
pub(super) struct McpClient {
    runtime: Runtime,
    service: RunningService<RoleClient, ClientConfig>,
}

impl McpClient {
    /// Connects to `baton mcp` with these options.
    pub(super) fn connect(env: &TestEnvironment, options: &[&str]) -> Self {
        Self::connect_with(env, options, ClientLifecycleMode::Initialize)
    }

    /// Connects in one of the ways of the protocol.
    pub(super) fn connect_with(
        env: &TestEnvironment,
        options: &[&str],
        mode: ClientLifecycleMode,
    ) -> Self {
        let runtime = Runtime::new().expect("threads");
        let arguments: Vec<_> = ["mcp"].iter().chain(options).copied().collect();
        let command = Shell::new(env).baton(&arguments);
        let service = runtime.block_on(async {
            let transport = TokioChildProcess::new(tokio::process::Command::from(command))
                .expect("baton starts");
            ClientConfig::default()
                .serve_with_lifecycle(transport, mode)
                .await
                .expect("baton speaks MCP")
        });
        Self { runtime, service }
    }

    /// The version of the protocol that was agreed on.
    pub(super) fn protocol(&self) -> String {
        let info = self.service.peer_info().expect("connected");
        info.protocol_version.to_string()
    }

    pub(super) fn tools(&self) -> Vec<Tool> {
        let tools = self.runtime.block_on(self.service.list_all_tools());
        tools.expect("a list")
    }

    pub(super) fn tool_names(&self) -> Vec<String> {
        let tools = self.tools();
        tools.iter().map(|tool| tool.name.to_string()).collect()
    }

    /// Reads a resource as text.
    pub(super) fn read(&self, address: &str) -> Result<String, ServiceError> {
        let request = ReadResourceRequestParams::new(address);
        let read = self.runtime.block_on(self.service.read_resource(request));
        let contents = read?.contents;
        Ok(contents
            .into_iter()
            .filter_map(|content| match content {
                ResourceContents::TextResourceContents { text, .. } => Some(text),
                _ => None,
            })
            .collect())
    }

    /// The names of the prompts.
    pub(super) fn prompt_names(&self) -> Vec<String> {
        let prompts = self.runtime.block_on(self.service.list_all_prompts());
        let prompts = prompts.expect("a list").into_iter();
        prompts.map(|prompt| prompt.name).collect()
    }

    /// Calls a tool; the error is one of the protocol.
    pub(super) fn try_call(
        &self,
        name: &str,
        arguments: Value,
    ) -> Result<CallToolResult, ServiceError> {
        let Value::Object(arguments) = arguments else {
            panic!("arguments are an object")
        };
        let call = CallToolRequestParams::new(name.to_owned()).with_arguments(arguments);
        self.runtime.block_on(self.service.call_tool(call))
    }

    /// Calls a tool that answers, and returns the structured content.
    pub(super) fn call(&self, name: &str, arguments: Value) -> Value {
        let result = self.try_call(name, arguments).expect("a result");
        let content = result.structured_content.clone().expect("structured");
        assert_ne!(result.is_error, Some(true), "{content:#}");
        assert!(!text(&result).is_empty(), "{content:#}");
        content
    }

    /// Calls a tool that fails, and returns the error.
    pub(super) fn refused(&self, name: &str, arguments: Value) -> Value {
        let result = self.try_call(name, arguments).expect("a result");
        let error = result.structured_content.clone().expect("structured");
        assert_eq!(result.is_error, Some(true), "{error:#}");
        for key in ["code", "message", "fix", "retryable"] {
            assert!(error.get(key).is_some(), "{error:#}");
        }
        error
    }
}

/// The text of a result.
pub(super) fn text(result: &CallToolResult) -> String {
    let blocks = result.content.iter().filter_map(|block| block.as_text());
    blocks.map(|block| block.text.as_str()).collect()
}

/// Fails unless both forms of a result are at most `limit` bytes.
pub(super) fn assert_size(result: &CallToolResult, limit: usize) {
    let structured = result.structured_content.as_ref().expect("structured");
    let sizes = (structured.to_string().len(), text(result).len());
    assert!(sizes.0 <= limit && sizes.1 <= limit, "{sizes:?}");
}
