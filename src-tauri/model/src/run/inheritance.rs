//! What a run inherits from an earlier one after its plan was changed: finished nodes stay done.

use serde::{Deserialize, Serialize};

use super::Run;
use crate::{ArtifactId, NodeId, RunId};

/// The results that a run inherits when it starts. The caller decides which nodes qualify: those
/// that have not changed and depend on nothing that has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Inheritance {
    /// The earlier run of the plan.
    pub run: RunId,
    /// The nodes that it finished.
    pub nodes: Vec<Inherited>,
}

/// A node that an earlier run finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct Inherited {
    pub node: NodeId,
    /// The ID of its handoff.
    pub artifact: Option<ArtifactId>,
    /// The branch that a condition took.
    pub taken: Option<bool>,
}

impl Run {
    /// The finished conditions, each with the branch that it took.
    pub fn taken_branches(&self) -> impl Iterator<Item = (NodeId, bool)> {
        let nodes = self.nodes.iter().enumerate();
        nodes.filter_map(|(number, node)| Some((self.graph.id(number), node.taken?)))
    }
}
