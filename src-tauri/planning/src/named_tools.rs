//! Tools that nodes list for their agents, and those among them that no agent has.

use baton_agents::tool_name::is_known_tool;
use baton_model::Node;
use baton_tools::{ToolName, nearest};

use crate::Context;

/// The unknown tools that `node` lists, a sentence each without its subject. `default_agent` is the
/// plan's default agent, if it has one.
///
/// Agents whose tools Baton does not know are skipped, and so are names of servers that an agent
/// may have in its own settings.
#[must_use]
pub fn unknown_tools(context: &Context, default_agent: Option<&str>, node: &Node) -> Vec<String> {
    let Some(named) = node.kind.agent() else {
        return Vec::new();
    };
    let agent = context.engine.agents().find(named.or(default_agent));
    // Teams, unknown agents and custom agents have no list of tools.
    let Some(agent) = agent.filter(|agent| !agent.tools().is_empty()) else {
        return Vec::new();
    };
    let servers = context.engine.tools().servers();
    let is_unknown = |name: &&String| {
        let of_a_server = matches!(ToolName::parse(name, &servers), ToolName::Mcp { .. });
        !is_known_tool(name)
            && !of_a_server
            && !is_of_an_agents_server(agent.mcp_tool_separator(), name)
    };
    let all: Vec<&str> = context
        .engine
        .agents()
        .all()
        .iter()
        .flat_map(|agent| agent.tools().iter().copied())
        .collect();
    let sentence = |name: &String| match nearest(name, all.iter().copied()).first() {
        Some(nearest) => {
            format!("lists the tool '{name}', which no agent has; did you mean \"{nearest}\"?")
        }
        None => format!("lists the tool '{name}', which no agent has"),
    };
    node.tools_required
        .iter()
        .filter(is_unknown)
        .map(sentence)
        .collect()
}

/// Whether `name` is a tool of a server in the agent's own settings: `mcp__server__tool`,
/// `server__tool`, or `server_tool` for opencode.
fn is_of_an_agents_server(separator: &str, name: &str) -> bool {
    name.split_once(separator)
        .is_some_and(|(server, tool)| !server.is_empty() && !tool.is_empty())
}
