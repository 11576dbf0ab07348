//! The copies of pinned outputs that a new run keeps, so that later changes of a pin don't affect it.

use std::sync::Arc;

use baton_model::run::{PinnedNode, PinnedSelection};
use baton_model::{Artifact, ArtifactId, Attempt, NodeId, Run};
use baton_store::{NewArtifact, PinnedOutputRow};
use uuid::Uuid;

/// Pinned outputs, each with the ID of its copy.
pub(crate) struct CopiedOutputs(Vec<(ArtifactId, PinnedOutputRow)>);

impl CopiedOutputs {
    /// Copies of those outputs that `run` uses.
    pub(crate) fn new(pinned: Vec<PinnedOutputRow>, run: &Run) -> Self {
        let nodes: Vec<NodeId> = pinned.iter().map(|row| row.node).collect();
        let used = PinnedSelection::of(run.plan(), run.graph(), &nodes).pinned;
        let copies = pinned
            .into_iter()
            .filter(|row| used.contains(&row.node))
            .map(|row| (ArtifactId(Uuid::now_v7()), row));
        Self(copies.collect())
    }

    /// What the store keeps, in the transaction that creates the run. No attempt made them.
    pub(crate) fn artifacts(&self) -> Vec<NewArtifact> {
        let copy = |(id, row): &(ArtifactId, PinnedOutputRow)| NewArtifact {
            id: *id,
            node: row.node,
            attempt: Attempt(0),
            content: row.content.clone(),
            created_at: row.origin.at,
        };
        self.0.iter().map(copy).collect()
    }

    /// What the children of each node receive.
    pub(crate) fn by_node(&self) -> impl Iterator<Item = (NodeId, Arc<Artifact>)> {
        self.0
            .iter()
            .map(|(_, row)| (row.node, Arc::new(row.content.clone())))
    }

    /// What the run is started with.
    pub(crate) fn into_nodes(self) -> Vec<PinnedNode> {
        let node = |(artifact, row): (ArtifactId, PinnedOutputRow)| PinnedNode {
            node: row.node,
            artifact,
            origin: row.origin,
        };
        self.0.into_iter().map(node).collect()
    }
}
