//! What a run of a plan would do, computed without running anything.
//!
//! [`Simulation::of`] derives the order, the agents, the questions to people, and the expected time
//! and cost from a plan and from measurements of earlier runs. Durations of people's answers, failures,
//! retries and limits per agent are not considered.

mod estimate;
mod node_occasion;
mod questions;
mod schedule;

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

pub use estimate::{Estimate, EstimateSource, Measurement};
pub use node_occasion::NodeOccasion;
pub use questions::ExpectedQuestion;

use crate::critical_path::widest_antichain;
use crate::graph::Cycle;
use crate::{Graph, Node, NodeId, Plan, Slug};

/// What is known beside the plan itself.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SimulationFacts {
    /// The agents of the nodes that an agent works on.
    pub agents: HashMap<NodeId, NodeAgents>,
    /// Successful attempts of each node in earlier runs of the plan.
    pub of_nodes: HashMap<NodeId, Vec<Measurement>>,
    /// Successful attempts of each agent, in any plan.
    pub of_agents: HashMap<String, Vec<Measurement>>,
    /// The tools that the settings guard, in addition to those of the plan.
    pub guarded_tools: Vec<String>,
}

/// The agents that may work on a node.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct NodeAgents {
    /// The team that chooses among them; `None` for a single agent.
    pub team: Option<String>,
    /// In order of preference.
    pub candidates: Vec<AgentCandidate>,
}

/// An agent that may work on a node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AgentCandidate {
    /// Its name in plan files.
    pub agent: String,
    /// It is not defined, or its program is not installed.
    pub missing: bool,
    /// It can ask a person before it uses a tool.
    pub asks: bool,
}

/// What a run would do.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Simulation {
    /// The nodes that no failure brings about, in order: the nodes of a wave only need nodes of
    /// earlier waves.
    pub waves: Vec<Vec<NodeId>>,
    /// The maximum number of nodes that no other one of them depends on.
    pub width: u32,
    /// The maximum number of nodes that run at once.
    pub limit: u32,
    /// All executable nodes, in plan order.
    pub nodes: Vec<SimulatedNode>,
    /// The expected duration in milliseconds, with all branches; `None` if nothing is known.
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub time_ms: Option<u64>,
    /// The number of nodes whose time is unknown. They count as taking no time.
    pub unknown_times: u32,
    /// The expected cost in US dollars, with all branches; `None` if nothing is known.
    pub usd: Option<f64>,
    /// The number of nodes that may cost money and whose cost is unknown.
    pub unknown_costs: u32,
}

/// What a run would do at one node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct SimulatedNode {
    pub node: NodeId,
    pub slug: Slug,
    pub title: String,
    /// The kind's name in plan files, such as `agent`.
    pub kind: String,
    pub occasion: NodeOccasion,
    /// The agents of a node that an agent works on.
    pub agents: Option<NodeAgents>,
    /// The tools that its agent may use; empty for any.
    pub tools: Vec<String>,
    /// The tool calls that the node itself makes.
    pub calls: Vec<SimulatedCall>,
    /// The plan that it runs, as it names it. The nodes of that plan are not simulated.
    pub sub_plan: Option<String>,
    /// What a person may be asked.
    pub questions: Vec<ExpectedQuestion>,
    pub estimate: Estimate,
}

/// A tool call that a node makes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct SimulatedCall {
    pub tool: String,
    /// It could change something outside the run.
    pub guarded: bool,
}

impl Simulation {
    /// Simulates a run of `plan`, which already has the defaults of the settings.
    ///
    /// # Errors
    ///
    /// The cycle, if nodes wait for each other.
    pub fn of(plan: &Plan, facts: &SimulationFacts) -> Result<Self, Cycle> {
        let graph = plan.graph()?;
        let by_id = plan.nodes_by_id();
        let definitions: Vec<&Node> = (0..graph.len())
            .map(|number| by_id[&graph.id(number)])
            .collect();
        let occasions = node_occasion::occasions(&graph, &definitions);
        let nodes: Vec<SimulatedNode> = definitions
            .iter()
            .zip(&occasions)
            .map(|(node, occasion)| simulate_node(plan, facts, node, *occasion))
            .collect();
        let limit = plan.settings.effective_concurrency();
        let times: Vec<Option<u64>> = nodes
            .iter()
            .map(|node| node.is_expected().then_some(node.estimate.ms).flatten())
            .collect();
        let known = times.iter().any(Option::is_some);
        Ok(Self {
            waves: waves(&graph, &nodes),
            width: count(widest_antichain(&graph).len()),
            limit,
            time_ms: known
                .then(|| schedule::duration_ms(&graph, &definitions, &times, limit as usize)),
            unknown_times: count_of(&nodes, |node| {
                node.estimate.ms.is_none() && estimate::takes_time(by_id[&node.node])
            }),
            usd: estimate::sum_of_costs(nodes.iter().filter(|node| node.is_expected())),
            unknown_costs: count_of(&nodes, |node| {
                node.estimate.usd.is_none() && estimate::may_cost(by_id[&node.node])
            }),
            nodes,
        })
    }

    /// The agents that may run, by name, with the number of nodes that each may work on.
    #[must_use]
    pub fn agents(&self) -> Vec<(&AgentCandidate, usize)> {
        let mut found: Vec<(&AgentCandidate, usize)> = Vec::new();
        let agents = self.nodes.iter().filter_map(|node| node.agents.as_ref());
        for candidate in agents.flat_map(|agents| &agents.candidates) {
            match found
                .iter_mut()
                .find(|(known, _)| known.agent == candidate.agent)
            {
                Some((_, nodes)) => *nodes += 1,
                None => found.push((candidate, 1)),
            }
        }
        found
    }
}

impl SimulatedNode {
    /// Whether it runs unless a node fails, so that time and cost count.
    #[must_use]
    pub fn is_expected(&self) -> bool {
        matches!(self.occasion, NodeOccasion::Always | NodeOccasion::Branch)
    }
}

fn simulate_node(
    plan: &Plan,
    facts: &SimulationFacts,
    node: &Node,
    occasion: NodeOccasion,
) -> SimulatedNode {
    let agents = facts.agents.get(&node.id);
    let calls = node.kind.tool_calls().iter().map(|call| SimulatedCall {
        tool: call.tool_name.clone(),
        guarded: call.is_guarded(),
    });
    let tools = match agents {
        Some(_) => plan.tools_of(node).to_vec(),
        None => Vec::new(),
    };
    let questions = match occasion {
        NodeOccasion::Disabled => Vec::new(),
        _ => questions::of_node(plan, facts, node),
    };
    SimulatedNode {
        node: node.id,
        slug: node.slug.clone(),
        title: node.title.clone(),
        kind: node.kind.as_str().to_owned(),
        occasion,
        agents: agents.cloned(),
        tools,
        calls: calls.collect(),
        sub_plan: node.kind.sub_plan().map(|task| task.sub_plan_id.clone()),
        questions,
        estimate: Estimate::of(node, facts),
    }
}

/// The expected nodes by the number of nodes that come before them. A disabled node takes no wave.
fn waves(graph: &Graph, nodes: &[SimulatedNode]) -> Vec<Vec<NodeId>> {
    let mut depths = vec![0; graph.len()];
    let mut waves: Vec<Vec<usize>> = Vec::new();
    for number in graph.reading_order() {
        let ready = |parent: usize| depths[parent] + usize::from(nodes[parent].is_expected());
        let depth = graph.parents(number).map(ready).max().unwrap_or(0);
        depths[number] = depth;
        if nodes[number].is_expected() {
            waves.resize_with(waves.len().max(depth + 1), Vec::new);
            waves[depth].push(number);
        }
    }
    let wave = |mut numbers: Vec<usize>| {
        numbers.sort_unstable();
        numbers
            .into_iter()
            .map(|number| graph.id(number))
            .collect::<Vec<_>>()
    };
    waves.into_iter().map(wave).collect()
}

fn count_of(nodes: &[SimulatedNode], fits: impl Fn(&SimulatedNode) -> bool) -> u32 {
    count(
        nodes
            .iter()
            .filter(|node| node.is_expected() && fits(node))
            .count(),
    )
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
