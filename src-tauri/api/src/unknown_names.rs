//! Agents, teams and tools that a plan file names and that nobody here has: told before anything is stored.
//!
//! Whether an agent is installed is another question, which pre-flight asks.

use baton_formats::plan_file::{KeyPlaces, Place};
use baton_model::arbiter::{meant, team_name};
use baton_model::{Node, NodeId, Plan};
use baton_tools::Mistake;

use baton_planning::named_tools;

use crate::{ApiError, App, Code};

/// One name that nobody has.
struct Unknown {
    node: Option<NodeId>,
    key: &'static str,
    sentence: String,
}

/// Refuses `plan`, which was read from the file called `file_name`, when it names what is not there.
pub(crate) fn refuse(
    app: &App,
    plan: &Plan,
    keys: &KeyPlaces,
    file_name: &str,
) -> Result<(), ApiError> {
    let unknown = find(app, plan)
        .into_iter()
        .map(|unknown| (keys.get(unknown.node, unknown.key), unknown));
    let mut unknown: Vec<_> = unknown.collect();
    if unknown.is_empty() {
        return Ok(());
    }
    unknown.sort_by_key(|(at, _)| *at);
    let line = |(at, unknown): &(Option<Place>, Unknown)| match at {
        Some(at) => format!("{file_name}:{at}: {}", unknown.sentence),
        None => format!("{file_name}: {}", unknown.sentence),
    };
    let faults = unknown.iter().map(line).collect();
    Err(ApiError::of_faults(Code::Invalid, "", faults))
}

fn find(app: &App, plan: &Plan) -> Vec<Unknown> {
    let mut found = of_plan(app, plan);
    for node in plan
        .nodes
        .iter()
        .filter(|node| node.is_executable() && !node.disabled)
    {
        found.extend(of_node(app, plan, node));
    }
    found
}

fn of_plan(app: &App, plan: &Plan) -> Vec<Unknown> {
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
        let sentence = format!("\"{key}\" of the plan names {}", whoever(app, name)?);
        Some(Unknown {
            node: None,
            key,
            sentence,
        })
    };
    named.filter_map(sentence).collect()
}

fn of_node(app: &App, plan: &Plan, node: &Node) -> Vec<Unknown> {
    let slug = &node.slug;
    let mut found = Vec::new();
    // An agent that is only suggested is passed over when it is not there.
    if let Some(whoever) = node
        .kind
        .agent()
        .flatten()
        .and_then(|name| whoever(app, name))
    {
        let sentence = format!("\"agent\" of node \"{slug}\" names {whoever}");
        found.push(Unknown {
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
    let is_name = |mistake: &Mistake| {
        matches!(
            mistake,
            Mistake::UnknownTool { .. } | Mistake::UnknownServer { .. }
        )
    };
    let key = if matches!(node.kind, baton_model::NodeKind::Parallel(_)) {
        "steps"
    } else {
        "toolName"
    };
    found.extend(mistakes.filter(is_name).map(|mistake| {
        let sentence = format!("node \"{slug}\" cannot make its call: {mistake}");
        Unknown {
            node: Some(node.id),
            key,
            sentence,
        }
    }));
    let listed = named_tools::faults(app.context(), plan.settings.agent.as_deref(), node);
    found.extend(listed.into_iter().map(|fault| {
        let sentence = format!("node \"{slug}\" {fault}");
        Unknown {
            node: Some(node.id),
            key: "toolsRequired",
            sentence,
        }
    }));
    found
}

/// What is wrong with the name of an agent or a team; `None`: somebody has it.
fn whoever(app: &App, name: &str) -> Option<String> {
    let agents = app.engine.agents();
    let advice = |nearest: Option<&str>, what: &str| match nearest {
        Some(nearest) => {
            format!("did you mean \"{nearest}\"? Otherwise add it under Settings, {what}")
        }
        None => format!("use another one, or add it under Settings, {what}"),
    };
    if name.trim().is_empty() {
        return None;
    }
    if let Some(team) = team_name(name) {
        let teams = agents.teams();
        if teams.iter().any(|known| known.name == team) {
            return None;
        }
        let nearest = meant(team, teams.iter().map(|known| known.name.as_str()));
        return Some(format!(
            "the team '{team}', which is not there: {}",
            advice(nearest, "Teams")
        ));
    }
    if agents.find(Some(name)).is_some() {
        return None;
    }
    let known = agents.all();
    let nearest = meant(name, known.iter().map(|agent| agent.id()));
    Some(format!(
        "the agent '{name}', which is not there: {}",
        advice(nearest, "Agents")
    ))
}
