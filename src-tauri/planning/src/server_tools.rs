//! The tools that MCP servers offer, listed through `baton-tool`.

use std::io::Read as _;
use std::process::{Command, Stdio};

use baton_keeper::umask;
use baton_tools::{McpServer, ServerTool};

use crate::settings::StoredSettings;
use crate::{Context, PlanningError, RefusalReason};

/// The maximum size of the list, in bytes.
const LIST_LIMIT: u64 = 16 * 1024 * 1024;

/// Lists the tools of all servers. Takes as long as the slowest server; `baton-tool` has a timeout.
pub fn server_tools(context: &Context) -> Result<Vec<ServerTool>, PlanningError> {
    let servers = StoredSettings::read(&context.store)?.mcp_servers;
    if servers.is_empty() {
        return Ok(Vec::new());
    }
    ask(context, &servers).map_err(|error| {
        let program = context.engine.tools().program().display().to_string();
        PlanningError::new(
            RefusalReason::Internal,
            format!("couldn't query the MCP servers: {error}"),
        )
        .with_fix(format!("check that {program} exists"))
    })
}

fn ask(context: &Context, servers: &[McpServer]) -> std::io::Result<Vec<ServerTool>> {
    // Headers and variables may contain secrets: the file is private to this user and deleted
    // afterwards.
    let file = tempfile::NamedTempFile::new()?;
    serde_json::to_writer(&file, servers)?;
    let mut command = Command::new(context.engine.tools().program());
    command
        .arg("list")
        .arg(file.path())
        .env_clear()
        .envs(context.engine.environment())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = umask::with_original(|| command.spawn())?;
    let mut text = Vec::new();
    if let Some(output) = child.stdout.take() {
        output.take(LIST_LIMIT).read_to_end(&mut text)?;
    }
    child.wait()?;
    Ok(serde_json::from_slice(&text)?)
}
