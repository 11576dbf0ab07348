//! What the MCP servers offer, asked through the program that calls them.

use std::io::Read as _;
use std::process::{Command, Stdio};

use baton_keeper::umask;
use baton_tools::{McpServer, ServerTool};

use crate::settings::StoredSettings;
use crate::{Context, PlanningError, Reason};

/// The most that is read of what servers offer.
const LIST_LIMIT: u64 = 16 * 1024 * 1024;

/// Asks every server what it offers. Takes as long as the slowest of them, and its program limits that.
pub fn server_tools(context: &Context) -> Result<Vec<ServerTool>, PlanningError> {
    let servers = StoredSettings::read(&context.store)?.mcp_servers;
    if servers.is_empty() {
        return Ok(Vec::new());
    }
    ask(context, &servers).map_err(|error| {
        let program = context.engine.tools().program().display().to_string();
        PlanningError::new(
            Reason::Internal,
            format!("the servers could not be asked: {error}"),
        )
        .with_fix(format!("check that {program} exists"))
    })
}

fn ask(context: &Context, servers: &[McpServer]) -> std::io::Result<Vec<ServerTool>> {
    // Its headers and variables may hold keys: nobody else reads it, and it is gone afterwards.
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
