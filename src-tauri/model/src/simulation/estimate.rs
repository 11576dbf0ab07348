//! The expected time and cost of a node.

use serde::{Deserialize, Serialize};

use super::{SimulatedNode, SimulationFacts};
use crate::Node;
use crate::node::NodeKind;

/// What one successful attempt took.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Measurement {
    /// In milliseconds; `None` if it is unknown.
    pub ms: Option<u64>,
    /// In US dollars, as the agent estimated it; `None` if it did not.
    pub usd: Option<f64>,
}

/// The expected time and cost of a node: medians of earlier attempts.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct Estimate {
    /// In milliseconds; `None` if it is unknown.
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub ms: Option<u64>,
    /// In US dollars; `None` if it is unknown.
    pub usd: Option<f64>,
    pub source: EstimateSource,
    /// The number of attempts that it comes from.
    pub attempts: u32,
}

/// Where an estimate comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum EstimateSource {
    /// Earlier runs of the same node.
    Node,
    /// Other work of the node's agent.
    Agent,
    /// There is nothing to estimate from.
    #[default]
    Unknown,
}

impl Estimate {
    /// The estimate for `node`: by its own attempts, or else by those of the first of its agents
    /// that has any.
    pub(super) fn of(node: &Node, facts: &SimulationFacts) -> Self {
        // How long a person takes says nothing about the next time.
        if !takes_time(node) {
            return Self::default();
        }
        if let Some(found) = facts.of_nodes.get(&node.id).filter(|all| !all.is_empty()) {
            return Self::from_measurements(found, EstimateSource::Node);
        }
        let agents = facts.agents.get(&node.id).into_iter();
        let of_agent = agents
            .flat_map(|agents| &agents.candidates)
            .filter_map(|candidate| facts.of_agents.get(&candidate.agent))
            .find(|all| !all.is_empty());
        of_agent.map_or_else(Self::default, |found| {
            Self::from_measurements(found, EstimateSource::Agent)
        })
    }

    fn from_measurements(all: &[Measurement], source: EstimateSource) -> Self {
        let mut times: Vec<u64> = all.iter().filter_map(|one| one.ms).collect();
        times.sort_unstable();
        let mut costs: Vec<f64> = all.iter().filter_map(|one| one.usd).collect();
        costs.sort_by(f64::total_cmp);
        Self {
            ms: lower_median(&times),
            usd: lower_median(&costs),
            source,
            attempts: u32::try_from(all.len()).unwrap_or(u32::MAX),
        }
    }
}

/// For an even number, the lower of the middle two.
fn lower_median<T: Copy>(sorted: &[T]) -> Option<T> {
    sorted.get(sorted.len().saturating_sub(1) / 2).copied()
}

/// The sum of the known costs; `None` if none is known.
pub(super) fn sum_of_costs<'n>(nodes: impl Iterator<Item = &'n SimulatedNode>) -> Option<f64> {
    nodes
        .filter_map(|node| node.estimate.usd)
        .reduce(|a, b| a + b)
}

/// Whether the work of the node takes time. Questions to people and conditions don't.
pub(super) fn takes_time(node: &Node) -> bool {
    !matches!(
        node.kind,
        NodeKind::UserInput(_) | NodeKind::Condition(_) | NodeKind::Note(_)
    )
}

/// Whether the node may cost money: it starts an agent, or a plan that may do so.
pub(super) fn may_cost(node: &Node) -> bool {
    node.kind.agent().is_some() || node.kind.sub_plan().is_some()
}
