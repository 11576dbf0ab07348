//! Makes one call.

use std::path::Path;
use std::sync::Arc;

use baton_tools::{BuiltIn, McpServer, ToolCall, ToolName, Work, check, fit};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::baton::Baton;
use crate::call_error::CallError;
use crate::mcp::{Connections, ServerCall};
use crate::network::Network;
use crate::plans::Plans;
use crate::stop::Stop;
use crate::{files, finder, http, shell};

/// What calls are made with.
#[derive(Debug)]
pub(crate) struct Caller<'a> {
    work: &'a Work,
    stop: &'a Arc<Stop>,
    network: Network,
    connections: Connections,
}

impl<'a> Caller<'a> {
    pub(crate) fn new(work: &'a Work, stop: &'a Arc<Stop>) -> Self {
        Self {
            work,
            stop,
            network: Network::default(),
            connections: Connections::default(),
        }
    }

    /// Where the work is done.
    pub(crate) fn directory(&self) -> &Path {
        &self.work.directory
    }

    /// What is known to be wrong with a call before it is made.
    pub(crate) fn check(&self, call: &ToolCall) -> Result<(), CallError> {
        let mistakes = check(call, &self.work.servers);
        if mistakes.is_empty() {
            Ok(())
        } else {
            Err(CallError::Mistaken(mistakes))
        }
    }

    /// Makes a call and waits for its end.
    pub(crate) fn call(&self, call: &ToolCall, iteration: Option<u32>) -> Result<Value, CallError> {
        match ToolName::parse(&call.tool_name, &self.work.servers) {
            ToolName::BuiltIn(tool) => {
                let arguments = fit(tool, &call.tool_args).map_err(CallError::Mistaken)?;
                self.built_in(tool, arguments, iteration)
            }
            ToolName::Mcp { server, tool } => self.server(server, tool, call, iteration),
            ToolName::NoServer { .. } | ToolName::Unknown => {
                Err(CallError::Mistaken(check(call, &self.work.servers)))
            }
        }
    }

    fn built_in(
        &self,
        tool: BuiltIn,
        arguments: Map<String, Value>,
        iteration: Option<u32>,
    ) -> Result<Value, CallError> {
        let directory = &self.work.directory;
        let plans = || {
            let baton = Baton {
                program: &self.work.baton,
                data_directory: &self.work.data_directory,
                stop: self.stop,
            };
            Plans { baton, directory }
        };
        match tool {
            BuiltIn::Shell => shell::run(read(arguments)?, directory, iteration, self.stop),
            BuiltIn::Read => files::read(read(arguments)?, directory),
            BuiltIn::Write => files::write(&read(arguments)?, directory),
            BuiltIn::Glob => finder::find(&read(arguments)?, directory, self.stop),
            BuiltIn::Http => http::send(read(arguments)?, &self.network, self.stop),
            BuiltIn::ListPlans => plans().list(&read(arguments)?),
            BuiltIn::CreatePlan => plans().create(&read(arguments)?),
            BuiltIn::AddPlanStep => plans().add_step(&read(arguments)?),
            BuiltIn::GetPlanDetails => plans().details(&read(arguments)?),
            BuiltIn::ExecutePlan => plans().execute(&read(arguments)?),
            BuiltIn::PausePlan => plans().pause(&read(arguments)?),
            BuiltIn::DeletePlan => plans().delete(&read(arguments)?),
        }
    }

    fn server(
        &self,
        server: &McpServer,
        tool: &str,
        call: &ToolCall,
        iteration: Option<u32>,
    ) -> Result<Value, CallError> {
        let directory = self.work.directory.clone();
        let call = ServerCall {
            server,
            tool,
            arguments: call.tool_args.clone(),
            iteration,
            directory,
        };
        self.connections.call(call, &self.network, self.stop)
    }

    /// Lets go of the servers.
    pub(crate) fn close(&self) {
        self.connections.close(&self.network);
    }
}

fn read<T: DeserializeOwned>(arguments: Map<String, Value>) -> Result<T, CallError> {
    Ok(serde_json::from_value(Value::Object(arguments))?)
}
