//! What a planner may use: the agents that are there, their tools, Baton's own tools, those of servers, other plans.

use baton_model::{Node, PlanId, ReviewState};
use baton_store::PlanRow;
use baton_tools::{BuiltIn, ServerTool};

use crate::{Context, programs, server_tools};

/// The most tools of servers, and the most plans, that a planner is told of.
const LIMIT: usize = 100;
/// The most of a description, in characters.
const DESCRIPTION: usize = 200;

/// The inventory as a list. A plan that is changed cannot run itself, and is left out.
pub(super) fn text(context: &Context, without: Option<PlanId>) -> String {
    let own = BuiltIn::ALL
        .into_iter()
        .map(|tool| format!("- tool `{}`: {}\n", tool.name(), tool.description()));
    [
        agents(context),
        own.collect(),
        servers(context),
        plans(context, without),
    ]
    .concat()
}

fn agents(context: &Context) -> String {
    let default = context.engine.agents().default_name();
    let installed = programs::installed(context);
    let agents = context
        .engine
        .agents()
        .all()
        .into_iter()
        .filter(|agent| installed.iter().any(|id| id == agent.id()));
    let line = |agent: std::sync::Arc<dyn baton_agents::Adapter>| {
        let mark = if agent.id() == default {
            ", the default"
        } else {
            ""
        };
        let tools = match agent.tools() {
            [] => String::new(),
            tools => format!("; its tools: {}", tools.join(", ")),
        };
        format!(
            "- agent `{}` ({}{mark}){tools}\n",
            agent.id(),
            agent.title()
        )
    };
    agents.map(line).collect()
}

/// What the servers offer now. One that does not answer is named without its tools.
fn servers(context: &Context) -> String {
    let offered = server_tools(context).unwrap_or_else(|error| {
        tracing::warn!(%error, "a planner is not told of the tools of servers");
        Vec::new()
    });
    let more = offered.len().saturating_sub(LIMIT);
    let line = |offered: ServerTool| match offered {
        ServerTool::Tool {
            server,
            name,
            description,
            ..
        } => {
            let description: String = description
                .replace('\n', " ")
                .chars()
                .take(DESCRIPTION)
                .collect();
            format!("- tool `{server}/{name}` of an MCP server: {description}\n")
        }
        ServerTool::Unreachable { server, .. } => {
            format!("- the MCP server `{server}` does not answer now\n")
        }
    };
    let lines: String = offered.into_iter().take(LIMIT).map(line).collect();
    if more > 0 {
        format!("{lines}- {more} more tools of MCP servers\n")
    } else {
        lines
    }
}

fn plans(context: &Context, without: Option<PlanId>) -> String {
    let known = approved(context)
        .into_iter()
        .filter(|row| Some(row.record.plan) != without)
        .take(LIMIT);
    let line = |row: PlanRow| {
        format!(
            "- plan `{}` (id {})\n",
            row.title.replace(['\n', '`'], " "),
            row.record.plan
        )
    };
    known.map(line).collect()
}

/// The plans that a node may run.
fn approved(context: &Context) -> Vec<PlanRow> {
    let rows = context
        .store
        .plans()
        .list()
        .map(|listing| listing.rows)
        .unwrap_or_default();
    rows.into_iter()
        .filter(|row| row.record.review == ReviewState::Approved)
        .collect()
}

/// Why the plan that `node` runs cannot be run, without the subject of the sentence.
pub(super) fn missing_plan(context: &Context, node: &Node) -> Option<String> {
    let name = node.kind.sub_plan()?.sub_plan_id.trim();
    let fits = |row: &PlanRow| row.title == name || row.record.plan.to_string() == name;
    match approved(context).iter().filter(|row| fits(row)).count() {
        1 => None,
        0 => Some(format!(
            "runs the plan '{name}', and no approved plan is called that"
        )),
        count => Some(format!(
            "runs the plan '{name}', and {count} plans have that title; name it by its id"
        )),
    }
}
