//! What a planner may use in a plan: installed agents and their tools, Baton's own tools, MCP
//! servers, other plans.

use baton_model::count::format_quantity;
use baton_model::{Node, PlanId, ReviewState};
use baton_store::PlanRow;
use baton_tools::{BuiltInTool, ServerTool};

use crate::{Context, agent_programs, server_tools};

/// The maximum number of listed server tools, and of plans.
const MAX_LISTED: usize = 100;
/// The maximum length of a description, in characters.
const DESCRIPTION_LIMIT: usize = 200;

/// The inventory as a list. `without` is the plan to be changed, which cannot run itself.
pub(super) fn describe_inventory(context: &Context, without: Option<PlanId>) -> String {
    let own = BuiltInTool::ALL
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
    let installed = agent_programs::installed_agents(context);
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

/// The tools that servers offer now. Unreachable servers are listed without tools.
fn servers(context: &Context) -> String {
    let offered = server_tools(context).unwrap_or_else(|error| {
        tracing::warn!(%error, "couldn't list the tools of MCP servers for a planner");
        Vec::new()
    });
    let more = offered.len().saturating_sub(MAX_LISTED);
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
                .take(DESCRIPTION_LIMIT)
                .collect();
            format!("- tool `{server}/{name}` of an MCP server: {description}\n")
        }
        ServerTool::Unreachable { server, .. } => {
            format!("- the MCP server `{server}` is not responding\n")
        }
    };
    let lines: String = offered.into_iter().take(MAX_LISTED).map(line).collect();
    if more > 0 {
        let more = format_quantity(more, "more tool", "more tools");
        format!("{lines}- {more} of MCP servers\n")
    } else {
        lines
    }
}

fn plans(context: &Context, without: Option<PlanId>) -> String {
    let known = approved_plans(context)
        .into_iter()
        .filter(|row| Some(row.record.plan) != without)
        .take(MAX_LISTED);
    let line = |row: PlanRow| {
        format!(
            "- plan `{}` (id {})\n",
            row.title.replace(['\n', '`'], " "),
            row.record.plan
        )
    };
    known.map(line).collect()
}

/// The plans that nodes may run.
fn approved_plans(context: &Context) -> Vec<PlanRow> {
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

/// Returns why the plan of a sub-plan node cannot be used, a sentence without its subject.
pub(super) fn missing_plan(context: &Context, node: &Node) -> Option<String> {
    let name = node.kind.sub_plan()?.sub_plan_id.trim();
    let fits = |row: &PlanRow| row.title == name || row.record.plan.to_string() == name;
    match approved_plans(context)
        .iter()
        .filter(|row| fits(row))
        .count()
    {
        1 => None,
        0 => Some(format!(
            "runs the plan '{name}', but no approved plan has that title"
        )),
        count => Some(format!(
            "runs the plan '{name}', but {count} plans have that title; refer to it by its id"
        )),
    }
}
