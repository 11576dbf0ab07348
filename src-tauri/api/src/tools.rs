//! Operations on the tools that nodes may call: Baton's own, and those of the servers that a person has named.

use std::io::Read as _;
use std::process::{Command, Stdio};

use baton_keeper::umask;
use baton_tools::{McpServer, ServerTool, ToolInfo, catalogue};

use crate::settings::StoredSettings;
use crate::wire::*;
use crate::{ApiError, App, Code};

/// The most that is read of what servers offer.
const LIST_LIMIT: u64 = 16 * 1024 * 1024;

/// Lists Baton's own tools, each with the form of its arguments.
pub(crate) fn list(_: &App, _: Nothing) -> Result<Vec<ToolInfo>, ApiError> {
    Ok(catalogue())
}

/// Lists the servers that a person has named.
pub(crate) fn servers(app: &App, _: Nothing) -> Result<Vec<McpServer>, ApiError> {
    Ok(StoredSettings::read(&app.store)?.mcp_servers)
}

/// Keeps a server under its name; one that is there already is replaced.
pub(crate) fn save_server(app: &App, input: McpServer) -> Result<Vec<McpServer>, ApiError> {
    let name = input.name.trim().to_owned();
    if name.is_empty() || name.contains(['/', '\n']) {
        return Err(ApiError::new(
            Code::BadInput,
            "a server needs a name without '/'",
        ));
    }
    let mut stored = StoredSettings::read(&app.store)?;
    stored.mcp_servers.retain(|server| server.name != name);
    stored.mcp_servers.push(McpServer { name, ..input });
    stored
        .mcp_servers
        .sort_by(|one, other| one.name.cmp(&other.name));
    stored.write(app)?;
    Ok(stored.mcp_servers)
}

/// Forgets a server.
pub(crate) fn delete_server(app: &App, input: ServerRef) -> Result<Vec<McpServer>, ApiError> {
    let mut stored = StoredSettings::read(&app.store)?;
    let before = stored.mcp_servers.len();
    stored
        .mcp_servers
        .retain(|server| server.name != input.name);
    if stored.mcp_servers.len() == before {
        return Err(ApiError::new(
            Code::NotFound,
            format!("there is no server '{}'", input.name),
        ));
    }
    stored.write(app)?;
    Ok(stored.mcp_servers)
}

/// Asks every server what it offers. Takes as long as the slowest of them, and its program limits that.
pub(crate) fn of_servers(app: &App, _: Nothing) -> Result<Vec<ServerTool>, ApiError> {
    let servers = StoredSettings::read(&app.store)?.mcp_servers;
    if servers.is_empty() {
        return Ok(Vec::new());
    }
    ask(app, &servers).map_err(|error| {
        let program = app.engine.tools().program().display().to_string();
        ApiError::new(
            Code::Internal,
            format!("the servers could not be asked: {error}"),
        )
        .with_fix(format!("check that {program} exists"))
    })
}

fn ask(app: &App, servers: &[McpServer]) -> std::io::Result<Vec<ServerTool>> {
    // Its headers and variables may hold keys: nobody else reads it, and it is gone afterwards.
    let file = tempfile::NamedTempFile::new()?;
    serde_json::to_writer(&file, servers)?;
    let mut command = Command::new(app.engine.tools().program());
    command
        .arg("list")
        .arg(file.path())
        .env_clear()
        .envs(app.engine.environment())
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

#[cfg(test)]
mod tests;
