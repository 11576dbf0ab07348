//! Operations on tools that nodes may call: Baton's own, and those of configured tool servers.

use baton_tools::{McpServer, ServerTool, ToolInfo, catalog};

use crate::wire::*;
use crate::{ApiError, App, Code};
use baton_planning::settings::StoredSettings;

/// Lists Baton's own tools with the schema of their arguments.
pub(crate) fn list(_: &App, _: Nothing) -> Result<Vec<ToolInfo>, ApiError> {
    Ok(catalog())
}

/// Lists the configured tool servers.
pub(crate) fn servers(app: &App, _: Nothing) -> Result<Vec<McpServer>, ApiError> {
    Ok(StoredSettings::read(&app.store)?.mcp_servers)
}

/// Saves a tool server, replacing the one with the same name.
pub(crate) fn save_server(app: &App, input: McpServer) -> Result<Vec<McpServer>, ApiError> {
    let name = input.name.trim().to_owned();
    if name.is_empty() || name.contains(['/', '\n']) {
        return Err(ApiError::new(
            Code::BadInput,
            "enter a server name without '/'",
        ));
    }
    let mut stored = StoredSettings::read(&app.store)?;
    stored.mcp_servers.retain(|server| server.name != name);
    stored.mcp_servers.push(McpServer { name, ..input });
    stored
        .mcp_servers
        .sort_by(|one, other| one.name.cmp(&other.name));
    app.store_settings(&stored)?;
    Ok(stored.mcp_servers)
}

/// Deletes a tool server.
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
    app.store_settings(&stored)?;
    Ok(stored.mcp_servers)
}

/// Asks every server for its tools. Takes as long as the slowest server, up to the timeout.
pub(crate) fn list_server_tools(app: &App, _: Nothing) -> Result<Vec<ServerTool>, ApiError> {
    Ok(baton_planning::server_tools(app.context())?)
}

#[cfg(test)]
mod tests;
