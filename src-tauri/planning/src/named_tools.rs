//! The tools that nodes list as the only ones for their agents, and those of them that nobody has.

use baton_agents::tool_name::is_any_agents;
use baton_model::Node;
use baton_tools::{ToolName, nearest};

use crate::Context;

/// What is wrong with the tools that `node` lists, a sentence each without its subject. `default_agent` is the agent
/// of nodes without an agent, if the plan names a default.
///
/// Agents whose tools Baton does not know are not judged, nor are names of servers that an agent may know by itself.
#[must_use]
pub fn faults(context: &Context, default_agent: Option<&str>, node: &Node) -> Vec<String> {
    let Some(named) = node.kind.agent() else {
        return Vec::new();
    };
    let agent = context.engine.agents().find(named.or(default_agent));
    // A team, an agent that is not known, or one that a person has defined.
    let Some(agent) = agent.filter(|agent| !agent.tools().is_empty()) else {
        return Vec::new();
    };
    let servers = context.engine.tools().servers();
    let is_unknown = |name: &&String| {
        let of_a_server = matches!(ToolName::parse(name, &servers), ToolName::Mcp { .. });
        !is_any_agents(name) && !of_a_server && !is_of_an_agents_server(agent.id(), name)
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

/// `mcp__server__tool`, `server__tool`, and `server_tool` of opencode: how agents name tools of servers in their own
/// settings.
fn is_of_an_agents_server(agent: &str, name: &str) -> bool {
    let separator = if agent == "opencode" { "_" } else { "__" };
    name.split_once(separator)
        .is_some_and(|(server, tool)| !server.is_empty() && !tool.is_empty())
}
