//! What a run of a plan would do, from the plan and from earlier runs. Nothing runs, and no agent is
//! contacted.

use std::collections::{BTreeSet, HashMap};

use baton_model::arbiter::team_name;
use baton_model::simulation::{
    AgentCandidate, Measurement, NodeAgents, Simulation, SimulationFacts,
};
use baton_model::{Node, NodeId, Plan};
use baton_store::AttemptMeasurement;

use crate::{Context, PlanningError, RefusalReason, project_rules};

/// How many ended runs of the plan are measured.
const MEASURED_RUNS: u32 = 10;
/// How many attempts of an agent are measured, if its node has none.
const MEASURED_ATTEMPTS: u32 = 50;

/// Simulates a run of `plan`, which need not be stored or approved.
pub fn simulate(context: &Context, plan: &Plan) -> Result<Simulation, PlanningError> {
    let rules = project_rules::of_directory(&context.store, plan.cwd.as_deref())?.rules;
    let plan = rules.tighten(context.engine.run_defaults().apply_to(plan));
    let facts = facts(context, &plan)?;
    Simulation::of(&plan, &facts).map_err(|cycle| {
        PlanningError::new(RefusalReason::Refused, cycle.to_string())
            .with_fix("remove one of the edges between these nodes")
    })
}

fn facts(context: &Context, plan: &Plan) -> Result<SimulationFacts, PlanningError> {
    let attempts = context.store.attempts();
    let mut of_nodes: HashMap<NodeId, Vec<Measurement>> = HashMap::new();
    for found in attempts.measurements_of_plan(plan.id, MEASURED_RUNS)? {
        of_nodes
            .entry(found.node)
            .or_default()
            .push(measurement(&found));
    }
    let agents: HashMap<NodeId, NodeAgents> = plan
        .nodes
        .iter()
        .filter_map(|node| Some((node.id, node_agents(context, plan, node)?)))
        .collect();
    let unmeasured: BTreeSet<&str> = agents
        .iter()
        .filter(|(node, _)| !of_nodes.contains_key(node))
        .flat_map(|(_, agents)| &agents.candidates)
        .map(|candidate| candidate.agent.as_str())
        .collect();
    let mut of_agents = HashMap::new();
    for agent in unmeasured {
        let found = attempts.measurements_of_agent(agent, MEASURED_ATTEMPTS)?;
        of_agents.insert(agent.to_owned(), found.iter().map(measurement).collect());
    }
    Ok(SimulationFacts {
        agents,
        of_nodes,
        of_agents,
        guarded_tools: context.engine.agents().guarded_tools(),
    })
}

fn measurement(found: &AttemptMeasurement) -> Measurement {
    Measurement {
        ms: found.worked_ms,
        usd: found.usd,
    }
}

/// The agents that may work on `node`; `None` if none does.
fn node_agents(context: &Context, plan: &Plan, node: &Node) -> Option<NodeAgents> {
    let named = node.kind.agent()?;
    let agents = context.engine.agents();
    let default = agents.default_name();
    let base = named.or(plan.settings.agent.as_deref()).unwrap_or(&default);
    let team = team_name(base);
    let suggested = node
        .suggested_agent
        .as_deref()
        .filter(|name| !name.trim().is_empty() && (named.is_none() || team.is_some()));
    let members = team.map_or_else(
        || vec![base.to_owned()],
        |name| {
            let team = agents.teams().into_iter().find(|team| team.name == name);
            team.map(|team| team.members).unwrap_or_default()
        },
    );
    let mut names: Vec<String> = suggested.map(str::to_owned).into_iter().collect();
    for member in members {
        if !names.contains(&member) {
            names.push(member);
        }
    }
    Some(NodeAgents {
        team: team.map(str::to_owned),
        candidates: names
            .into_iter()
            .map(|name| candidate(context, name))
            .collect(),
    })
}

fn candidate(context: &Context, agent: String) -> AgentCandidate {
    let agents = context.engine.agents();
    AgentCandidate {
        missing: !agents.can_start(&agent),
        asks: agents
            .find(Some(&agent))
            .is_some_and(|agent| agent.tool_control().asks_permission),
        agent,
    }
}
