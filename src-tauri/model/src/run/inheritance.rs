//! What a run takes over from an earlier one, after its plan was changed: nodes that are done stay done.

use serde::{Deserialize, Serialize};

use super::Run;
use crate::{ArtifactId, NodeId, RunId};

/// What a run takes over when it begins. Which nodes may be is for the caller to judge: those that neither changed nor
/// build on what did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Inheritance {
    /// The earlier run.
    pub run: RunId,
    /// The nodes that it finished.
    pub nodes: Vec<Inherited>,
}

/// A node that an earlier run finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Inherited {
    /// The node.
    pub node: NodeId,
    /// What it handed on.
    pub artifact: Option<ArtifactId>,
    /// Which branch a condition took.
    pub taken: Option<bool>,
}

impl Run {
    /// The conditions that are done, each with the branch that it took.
    pub fn taken_branches(&self) -> impl Iterator<Item = (NodeId, bool)> {
        let nodes = self.nodes.iter().enumerate();
        nodes.filter_map(|(number, node)| Some((self.graph.id(number), node.taken?)))
    }
}
