//! When a node runs: in any case, on a branch, or only after a failure.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::Node;
use crate::graph::{Gate, Graph, StartRule};
use crate::node::TriggerRule;

/// When a node runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum NodeOccasion {
    /// If nothing fails.
    Always,
    /// If a condition takes its branch.
    Branch,
    /// If another node fails.
    AfterFailure,
    /// Never: it is disabled.
    Disabled,
}

/// What has to happen before a node runs.
#[derive(Debug, Clone, Default)]
struct Requirement {
    /// The answers of conditions, by node number.
    answers: BTreeSet<(usize, bool)>,
    failure: bool,
}

/// When each node runs, by node number.
pub(super) fn occasions(graph: &Graph, nodes: &[&Node]) -> Vec<NodeOccasion> {
    let mut requirements: Vec<Requirement> = vec![Requirement::default(); graph.len()];
    for number in graph.reading_order() {
        requirements[number] = requirement(graph, nodes, &requirements, number);
    }
    let occasion = |(node, requirement): (&&Node, Requirement)| match requirement {
        _ if node.disabled => NodeOccasion::Disabled,
        Requirement { failure: true, .. } => NodeOccasion::AfterFailure,
        Requirement { answers, .. } if !answers.is_empty() => NodeOccasion::Branch,
        _ => NodeOccasion::Always,
    };
    nodes.iter().zip(requirements).map(occasion).collect()
}

fn requirement(
    graph: &Graph,
    nodes: &[&Node],
    requirements: &[Requirement],
    number: usize,
) -> Requirement {
    let rule = graph.start_rule(number, nodes[number].trigger_rule);
    let of_parents = graph.gated_parents(number).map(|(parent, gate)| {
        let mut requirement = requirements[parent].clone();
        match gate {
            Gate::True => requirement.answers.extend([(parent, true)]),
            Gate::False => requirement.answers.extend([(parent, false)]),
            Gate::Failure => requirement.failure = true,
            Gate::Done | Gate::Either | Gate::DoneOrFailure => {}
        }
        requirement
    });
    let combined = match rule {
        StartRule::Written(TriggerRule::AllSuccess) => of_parents.reduce(Requirement::and),
        StartRule::Join | StartRule::Written(_) => of_parents.reduce(Requirement::or),
    };
    let needs_failure = rule == StartRule::Written(TriggerRule::OneFailed);
    let combined = combined.unwrap_or_default();
    Requirement {
        failure: combined.failure || needs_failure,
        ..combined
    }
}

impl Requirement {
    fn and(mut self, other: Self) -> Self {
        self.answers.extend(other.answers);
        self.failure |= other.failure;
        self
    }

    /// What both need. Of two ways without a failure and with one, the one without counts.
    fn or(self, other: Self) -> Self {
        match (self.failure, other.failure) {
            (true, false) => other,
            (false, true) => self,
            (failure, _) => Self {
                answers: self.answers.intersection(&other.answers).copied().collect(),
                failure,
            },
        }
    }
}
