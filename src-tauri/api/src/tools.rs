//! Operations on the tools that nodes may call: Baton's own, and those of the servers that a person has named.

use baton_tools::{McpServer, ServerTool, ToolInfo, catalogue};

use crate::wire::*;
use crate::{ApiError, App, Code};
use baton_planning::settings::StoredSettings;

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
    app.store_settings(&stored)?;
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
    app.store_settings(&stored)?;
    Ok(stored.mcp_servers)
}

/// Asks every server what it offers. Takes as long as the slowest of them, and its program limits that.
pub(crate) fn of_servers(app: &App, _: Nothing) -> Result<Vec<ServerTool>, ApiError> {
    Ok(baton_planning::server_tools(app.context())?)
}

#[cfg(test)]
mod tests;
