//! Makes a single tool call.

use std::path::Path;
use std::sync::Arc;

use baton_tools::{BuiltInTool, McpServer, ToolCall, ToolJob, ToolName, check, coerce_arguments};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::baton_client::BatonClient;
use crate::call_error::CallError;
use crate::mcp::{Connections, ServerCall};
use crate::network::HttpClient;
use crate::plans::PlanTools;
use crate::stop::Stop;
use crate::{files, glob_files, http, shell};

/// The context of tool calls.
#[derive(Debug)]
pub(crate) struct ToolCaller<'a> {
    job: &'a ToolJob,
    stop: &'a Arc<Stop>,
    network: HttpClient,
    connections: Connections,
}

impl<'a> ToolCaller<'a> {
    pub(crate) fn new(job: &'a ToolJob, stop: &'a Arc<Stop>) -> Self {
        Self {
            job,
            stop,
            network: HttpClient::default(),
            connections: Connections::default(),
        }
    }

    /// The job's working directory.
    pub(crate) fn directory(&self) -> &Path {
        &self.job.directory
    }

    /// Checks a call before any call is made.
    pub(crate) fn check(&self, call: &ToolCall) -> Result<(), CallError> {
        let faults = check(call, &self.job.servers);
        if faults.is_empty() {
            Ok(())
        } else {
            Err(CallError::InvalidCall(faults))
        }
    }

    /// Makes a call and waits for its result.
    pub(crate) fn call(&self, call: &ToolCall, iteration: Option<u32>) -> Result<Value, CallError> {
        match ToolName::parse(&call.tool_name, &self.job.servers) {
            ToolName::BuiltIn(tool) => {
                let arguments =
                    coerce_arguments(tool, &call.tool_args).map_err(CallError::InvalidCall)?;
                self.built_in(tool, arguments, iteration)
            }
            ToolName::Mcp { server, tool } => self.server(server, tool, call, iteration),
            ToolName::NoServer { .. } | ToolName::Unknown => {
                Err(CallError::InvalidCall(check(call, &self.job.servers)))
            }
        }
    }

    fn built_in(
        &self,
        tool: BuiltInTool,
        arguments: Map<String, Value>,
        iteration: Option<u32>,
    ) -> Result<Value, CallError> {
        let directory = &self.job.directory;
        let plans = || {
            let baton = BatonClient {
                program: &self.job.baton,
                data_directory: &self.job.data_directory,
                stop: self.stop,
            };
            PlanTools { baton, directory }
        };
        match tool {
            BuiltInTool::Shell => shell::run(read(arguments)?, directory, iteration, self.stop),
            BuiltInTool::Read => files::read(read(arguments)?, directory),
            BuiltInTool::Write => files::write(&read(arguments)?, directory),
            BuiltInTool::Glob => glob_files::find(&read(arguments)?, directory, self.stop),
            BuiltInTool::Http => http::send(read(arguments)?, &self.network, self.stop),
            BuiltInTool::ListPlans => plans().list(&read(arguments)?),
            BuiltInTool::CreatePlan => plans().create(&read(arguments)?),
            BuiltInTool::AddPlanStep => plans().add_step(&read(arguments)?),
            BuiltInTool::GetPlanDetails => plans().details(&read(arguments)?),
            BuiltInTool::ExecutePlan => plans().execute(&read(arguments)?),
            BuiltInTool::PausePlan => plans().pause(&read(arguments)?),
            BuiltInTool::DeletePlan => plans().delete(&read(arguments)?),
        }
    }

    fn server(
        &self,
        server: &McpServer,
        tool: &str,
        call: &ToolCall,
        iteration: Option<u32>,
    ) -> Result<Value, CallError> {
        let directory = self.job.directory.clone();
        let call = ServerCall {
            server,
            tool,
            arguments: call.tool_args.clone(),
            iteration,
            directory,
        };
        self.connections.call(call, &self.network, self.stop)
    }

    /// Disconnects from all servers.
    pub(crate) fn close(&self) {
        self.connections.close(&self.network);
    }
}

fn read<T: DeserializeOwned>(arguments: Map<String, Value>) -> Result<T, CallError> {
    Ok(serde_json::from_value(Value::Object(arguments))?)
}
