//! The tools of MCP servers.
//!
//! The first call of a server connects to it; later calls share the connection. Requests from a
//! server to its client (for a model or a person) are refused.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use baton_tools::{ITERATION, McpServer, ServerTool, Transport, nearest};
use nix::unistd::Pid;
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, Implementation, Tool,
};
use rmcp::service::RunningService;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{RoleClient, ServiceExt as _};
use serde_json::{Map, Value};
use tokio::sync::OnceCell;
use tokio::time::timeout;

use crate::call_error::{CallError, error_chain};
use crate::http;
use crate::network::HttpClient;
use crate::stop::{ProcessGroup, Stop};

/// The time limit for connecting and listing the tools.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);
/// The time limit for disconnecting.
const DISCONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// The connections so far.
#[derive(Debug, Default)]
pub(crate) struct Connections {
    open: Mutex<HashMap<String, Arc<OnceCell<Connection>>>>,
}

/// A connected server and its tools.
#[derive(Debug)]
struct Connection {
    service: RunningService<RoleClient, ClientConfig>,
    tools: Vec<Tool>,
    /// The server's process group, if it is a program.
    _processes: Option<ProcessGroup>,
}

/// Everything needed to connect to a server.
#[derive(Debug, Clone)]
struct ConnectOptions {
    server: McpServer,
    client: reqwest::Client,
    directory: PathBuf,
    stop: Arc<Stop>,
}

/// A call of an MCP server's tool.
#[derive(Debug)]
pub(crate) struct ServerCall<'a> {
    pub(crate) server: &'a McpServer,
    pub(crate) tool: &'a str,
    pub(crate) arguments: Map<String, Value>,
    pub(crate) iteration: Option<u32>,
    pub(crate) directory: PathBuf,
}

impl Connections {
    /// Makes a call and waits for its result.
    pub(crate) fn call(
        &self,
        call: ServerCall<'_>,
        network: &HttpClient,
        stop: &Arc<Stop>,
    ) -> Result<Value, CallError> {
        let http = network.http()?;
        let options = ConnectOptions {
            server: call.server.clone(),
            client: http.client.clone(),
            directory: call.directory.clone(),
            stop: Arc::clone(stop),
        };
        http.runtime.block_on(async {
            tokio::select! {
                answer = self.exchange(options, call) => answer,
                () = stop.stopped() => Err(CallError::Stopped),
            }
        })
    }

    async fn exchange(
        &self,
        options: ConnectOptions,
        call: ServerCall<'_>,
    ) -> Result<Value, CallError> {
        let name = &call.server.name;
        let cell = Arc::clone(
            self.open
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .entry(name.clone())
                .or_default(),
        );
        let connection = cell
            .get_or_try_init(|| connect_with_timeout(options))
            .await?;
        let Some(tool) = connection.tools.iter().find(|tool| tool.name == call.tool) else {
            let nearest = nearest(call.tool, connection.tools.iter().map(|tool| &*tool.name));
            return Err(CallError::NoTool {
                server: name.clone(),
                tool: call.tool.to_owned(),
                nearest,
            });
        };
        let mut arguments = call.arguments;
        if let Some(iteration) = call.iteration.filter(|_| accepts_iteration(tool)) {
            arguments.insert(ITERATION.to_owned(), iteration.into());
        }
        let request = CallToolRequestParams::new(call.tool.to_owned()).with_arguments(arguments);
        let result = connection.service.call_tool(request).await;
        let failed = |error| CallError::Server {
            server: name.clone(),
            reason: format!("didn't respond: {}", error_chain(&error)),
        };
        result_value(result.map_err(failed)?)
    }

    /// Disconnects from all servers.
    pub(crate) fn close(&self, network: &HttpClient) {
        let Some(http) = network.used() else { return };
        let open = std::mem::take(&mut *self.open.lock().unwrap_or_else(PoisonError::into_inner));
        http.runtime.block_on(async {
            for connection in open
                .into_values()
                .filter_map(Arc::into_inner)
                .filter_map(OnceCell::into_inner)
            {
                connection.disconnect().await;
            }
        });
    }
}

impl Connection {
    async fn disconnect(self) {
        // A server that doesn't exit is killed at the end of this program.
        let _ = timeout(DISCONNECT_TIMEOUT, self.service.cancel()).await;
    }
}

/// Returns whether a tool accepts the iteration's number: some reject unknown arguments.
fn accepts_iteration(tool: &Tool) -> bool {
    let named = tool
        .input_schema
        .get("properties")
        .is_some_and(|properties| properties.get(ITERATION).is_some());
    named || tool.input_schema.get("additionalProperties") != Some(&Value::Bool(false))
}

async fn connect_with_timeout(options: ConnectOptions) -> Result<Connection, CallError> {
    let server = options.server.name.clone();
    let failed = |reason: String| CallError::Server {
        server: server.clone(),
        reason,
    };
    match timeout(CONNECT_TIMEOUT, connect(options)).await {
        Ok(connection) => connection.map_err(|ServerFault(reason)| failed(reason)),
        Err(_) => Err(failed(format!(
            "didn't respond within {} s",
            CONNECT_TIMEOUT.as_secs()
        ))),
    }
}

/// Why a server can't be used, as a fragment that follows its name.
struct ServerFault(String);

impl From<String> for ServerFault {
    fn from(reason: String) -> Self {
        Self(reason)
    }
}

/// Connects to a server and lists its tools.
async fn connect(options: ConnectOptions) -> Result<Connection, ServerFault> {
    let own = ClientConfig::new(
        ClientCapabilities::default(),
        Implementation::new("baton", env!("CARGO_PKG_VERSION")),
    );
    let unreachable =
        |error: &dyn std::error::Error| format!("can't be reached: {}", error_chain(error));
    let (service, processes) = match &options.server.transport {
        Transport::Stdio { command, args, env } => {
            let mut program = tokio::process::Command::new(command);
            program
                .args(args)
                .envs(env)
                .current_dir(&options.directory)
                .process_group(0);
            let started = TokioChildProcess::new(program);
            let transport =
                started.map_err(|error| format!("couldn't be started: {command}: {error}"))?;
            let group = transport.id().map(|id| Pid::from_raw(id.cast_signed()));
            let processes = group.map(|group| options.stop.register(group));
            (
                own.serve(transport)
                    .await
                    .map_err(|error| unreachable(&error))?,
                processes,
            )
        }
        Transport::Http { url, headers } => {
            let headers =
                http::headers(headers).map_err(|error| format!("can't be reached: {error}"))?;
            let headers = headers
                .into_iter()
                .filter_map(|(name, value)| Some((name?, value)))
                .collect();
            let config =
                StreamableHttpClientTransportConfig::with_uri(url.as_str()).custom_headers(headers);
            let transport = StreamableHttpClientTransport::with_client(options.client, config);
            (
                own.serve(transport)
                    .await
                    .map_err(|error| unreachable(&error))?,
                None,
            )
        }
    };
    let tools = service.list_all_tools().await;
    let tools =
        tools.map_err(|error| format!("couldn't list its tools: {}", error_chain(&error)))?;
    Ok(Connection {
        service,
        tools,
        _processes: processes,
    })
}

/// Returns a result's structured content, else its texts, else all of its content.
fn result_value(result: CallToolResult) -> Result<Value, CallError> {
    let is_error = result.is_error == Some(true);
    let structured = result.structured_content.clone();
    let texts: Option<Vec<&str>> = result
        .content
        .iter()
        .map(|block| block.as_text().map(|text| &*text.text))
        .collect();
    let value = match (structured, texts) {
        (Some(structured), _) if !is_error => structured,
        (_, Some(texts)) => texts.join("\n").into(),
        (_, None) => serde_json::to_value(&result.content)?,
    };
    if !is_error {
        return Ok(value);
    }
    let message = value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned);
    Err(CallError::ToolFailed(if message.trim().is_empty() {
        "failed without a message".to_owned()
    } else {
        message
    }))
}

/// Lists the tools of all servers in order, or the error of each that can't be reached. Connects to
/// all of them concurrently.
pub(crate) fn list(
    servers: &[McpServer],
    network: &HttpClient,
    stop: &Arc<Stop>,
) -> Vec<ServerTool> {
    let unreachable = |server: &McpServer, error: &CallError| ServerTool::Unreachable {
        server: server.name.clone(),
        error: error_chain(error),
    };
    let http = match network.http() {
        Ok(http) => http,
        Err(error) => {
            return servers
                .iter()
                .map(|server| unreachable(server, &error))
                .collect();
        }
    };
    let directory = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
    let asked: Vec<_> = servers
        .iter()
        .map(|server| {
            let client = http.client.clone();
            let options = ConnectOptions {
                server: server.clone(),
                client,
                directory: directory.clone(),
                stop: Arc::clone(stop),
            };
            http.runtime.spawn(async move {
                let connection = connect_with_timeout(options).await?;
                let tools = connection.tools.clone();
                connection.disconnect().await;
                Ok::<_, CallError>(tools)
            })
        })
        .collect();
    let rows =
        servers
            .iter()
            .zip(asked)
            .flat_map(|(server, asked)| match http.runtime.block_on(asked) {
                Ok(Ok(tools)) => tools
                    .into_iter()
                    .map(|tool| tool_info(server, tool))
                    .collect(),
                Ok(Err(error)) => vec![unreachable(server, &error)],
                Err(_) => vec![unreachable(server, &CallError::Stopped)],
            });
    rows.collect()
}

fn tool_info(server: &McpServer, tool: Tool) -> ServerTool {
    let hints = tool.annotations.unwrap_or_default();
    let read_only = hints.read_only_hint.unwrap_or(false);
    ServerTool::Tool {
        server: server.name.clone(),
        name: tool.name.into_owned(),
        description: tool.description.unwrap_or_default().into_owned(),
        input_schema: Value::Object((*tool.input_schema).clone()),
        read_only,
        destructive: !read_only && hints.destructive_hint.unwrap_or(true),
    }
}
