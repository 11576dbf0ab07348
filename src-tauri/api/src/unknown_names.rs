//! Finds agents, teams, and tools that a plan file uses but that don't exist here, before anything
//! is stored.
//!
//! Whether an agent is installed is a separate question for the preflight check.

use baton_formats::plan_file::{KeyLocations, SourceLocation};
use baton_model::arbiter::{closest_agent_name, team_name};
use baton_model::{Node, NodeId, Plan};
use baton_tools::CallFault;

use baton_planning::named_tools;

use crate::{ApiError, App, Code};

/// A name that doesn't exist.
struct UnknownName {
    node: Option<NodeId>,
    key: &'static str,
    sentence: String,
}

/// Rejects `plan`, parsed from `file_name`, if it uses something that doesn't exist.
pub(crate) fn refuse(
    app: &App,
    plan: &Plan,
    keys: &KeyLocations,
    file_name: &str,
) -> Result<(), ApiError> {
    let unknown = find_all(app, plan)
        .into_iter()
        .map(|unknown| (keys.get(unknown.node, unknown.key), unknown));
    let mut unknown: Vec<_> = unknown.collect();
    if unknown.is_empty() {
        return Ok(());
    }
    unknown.sort_by_key(|(at, _)| *at);
    let line = |(at, unknown): &(Option<SourceLocation>, UnknownName)| match at {
        Some(at) => format!("{file_name}:{at}: {}", unknown.sentence),
        None => format!("{file_name}: {}", unknown.sentence),
    };
    let faults = unknown.iter().map(line).collect();
    Err(ApiError::from_faults(Code::Invalid, "", faults))
}

fn find_all(app: &App, plan: &Plan) -> Vec<UnknownName> {
    let mut found = check_plan(app, plan);
    for node in plan
        .nodes
        .iter()
        .filter(|node| node.is_executable() && !node.disabled)
    {
        found.extend(check_node(app, plan, node));
    }
    found
}

fn check_plan(app: &App, plan: &Plan) -> Vec<UnknownName> {
    let settings = &plan.settings;
    let review = settings
        .review
        .as_ref()
        .and_then(|review| review.agent.as_deref());
    let limited = settings
        .agent_concurrency
        .keys()
        .map(|agent| ("agentConcurrency", agent.as_str()));
    let named = settings.agent.as_deref().map(|agent| ("agent", agent));
    let named = named
        .into_iter()
        .chain(review.map(|agent| ("review", agent)))
        .chain(limited);
    let sentence = |(key, name)| {
        let sentence = format!("\"{key}\" of the plan names {}", unknown_agent(app, name)?);
        Some(UnknownName {
            node: None,
            key,
            sentence,
        })
    };
    named.filter_map(sentence).collect()
}

fn check_node(app: &App, plan: &Plan, node: &Node) -> Vec<UnknownName> {
    let slug = &node.slug;
    let mut found = Vec::new();
    // An agent that is only suggested is ignored if it doesn't exist.
    if let Some(agent) = node
        .kind
        .agent()
        .flatten()
        .and_then(|name| unknown_agent(app, name))
    {
        let sentence = format!("\"agent\" of node \"{slug}\" names {agent}");
        found.push(UnknownName {
            node: Some(node.id),
            key: "agent",
            sentence,
        });
    }
    let servers = app.engine.tools().servers();
    let calls = node.kind.tool_calls();
    let mistakes = calls
        .iter()
        .flat_map(|call| baton_tools::check(call, &servers));
    let is_name = |mistake: &CallFault| {
        matches!(
            mistake,
            CallFault::UnknownTool { .. } | CallFault::UnknownServer { .. }
        )
    };
    let key = if matches!(node.kind, baton_model::NodeKind::Parallel(_)) {
        "steps"
    } else {
        "toolName"
    };
    found.extend(mistakes.filter(is_name).map(|mistake| {
        let sentence = format!("node \"{slug}\" can't make its call: {mistake}");
        UnknownName {
            node: Some(node.id),
            key,
            sentence,
        }
    }));
    let listed = named_tools::unknown_tools(
        app.context(),
        plan.settings.agent.as_deref(),
        &plan.with_node_defaults(node),
    );
    found.extend(listed.into_iter().map(|fault| {
        let sentence = format!("node \"{slug}\" {fault}");
        UnknownName {
            node: Some(node.id),
            key: "toolsRequired",
            sentence,
        }
    }));
    found
}

/// The problem with an agent's or team's name; `None` if it exists.
fn unknown_agent(app: &App, name: &str) -> Option<String> {
    let agents = app.engine.agents();
    let advice = |nearest: Option<&str>, what: &str| match nearest {
        Some(nearest) => {
            format!("did you mean \"{nearest}\"? Otherwise, add it in Settings → {what}")
        }
        None => format!("use another one, or add it in Settings → {what}"),
    };
    if name.trim().is_empty() {
        return None;
    }
    if let Some(team) = team_name(name) {
        let teams = agents.teams();
        if teams.iter().any(|known| known.name == team) {
            return None;
        }
        let nearest = closest_agent_name(team, teams.iter().map(|known| known.name.as_str()));
        return Some(format!(
            "the team '{team}', which doesn't exist: {}",
            advice(nearest, "Teams")
        ));
    }
    if agents.find(Some(name)).is_some() {
        return None;
    }
    let known = agents.all();
    let nearest = closest_agent_name(name, known.iter().map(|agent| agent.id()));
    Some(format!(
        "the agent '{name}', which doesn't exist: {}",
        advice(nearest, "Agents")
    ))
}
