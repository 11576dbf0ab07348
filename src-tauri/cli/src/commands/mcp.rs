//! `baton mcp`: Baton's tools for a coding agent, over standard input and output.

use std::path::PathBuf;
use std::sync::Arc;

use baton_mcp::{McpServer, Options, ToolSet, serve_stdio};
use clap::{Args, ValueEnum};

use crate::attempt_files::own_attempt;
use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;

/// Serve Baton's tools to a coding agent over standard input and output
///
/// For the MCP settings of an agent, which `baton agents connect` writes: command `baton`, argument
/// `mcp`. The agent can find, read, check and propose plans, ask for runs and follow them. Approving
/// stays with you, and this command never executes a run itself. It ends when the agent closes its
/// end.
#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    /// Which tools to offer. By default `session` in a session that Baton started, else `plan`
    #[arg(long, value_enum)]
    tools: Option<Tools>,
    /// Offer only tools that change nothing
    #[arg(long)]
    read_only: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Tools {
    /// Find, read, check, propose, revise, request and follow
    Plan,
    /// The same, pausing and canceling runs, and the names of other planners
    All,
    /// The input, outputs and reports of the node that the session works on
    Session,
}

/// Executes `baton mcp`. Returns when the client has closed standard input.
pub(crate) fn mcp(client: &Client<'_>, args: &McpArgs) -> Result<Exit, Failure> {
    let options = Options {
        tools: match args.tools {
            Some(Tools::Plan) => ToolSet::Plan,
            Some(Tools::All) => ToolSet::All,
            Some(Tools::Session) => ToolSet::Session,
            None if client.is_in_session() => ToolSet::Session,
            None => ToolSet::Plan,
        },
        is_read_only: args.read_only,
        project: project(),
        attempt: own_attempt().map(Arc::new),
    };
    let server = McpServer::new(client.tool_operations(), options);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .worker_threads(1)
        .build()
        .map_err(|source| Failure::System {
            doing: "start the server",
            source,
        })?;
    let served = runtime.block_on(serve_stdio(server));
    // Don't wait for calls that still wait for a run: nobody reads their answers.
    runtime.shutdown_background();
    served.map(|()| Exit::Done).map_err(Failure::from)
}

/// The project of calls that name none: `BATON_PROJECT`, or this process's directory.
fn project() -> Option<PathBuf> {
    let named = std::env::var_os("BATON_PROJECT").filter(|value| !value.is_empty());
    match named {
        Some(named) => std::path::absolute(named).ok(),
        None => std::env::current_dir().ok(),
    }
}
