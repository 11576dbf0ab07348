//! Handoffs, called artifacts in the API.

use baton_model::{Artifact, ArtifactId, Attempt, NodeId, RunId, Timestamp};

use super::wire;

wire! {
    #[expect(missing_docs, reason = "the names say it")]
    pub struct ArtifactRef {
        pub artifact: ArtifactId,
    }
    /// Two runs whose handoffs to compare.
    pub struct HandoffsCompare {
        /// One run.
        pub a: RunId,
        /// The other one.
        pub b: RunId,
    }
    /// What differs between the handoffs of two runs.
    pub struct HandoffsCompared {
        /// Nodes whose handoffs have different texts or named outputs. How long a command took
        /// doesn't count. Nodes that have a handoff in only one of the runs are left out.
        pub different: Vec<NodeId>,
    }
    /// A handoff and where it comes from.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct ArtifactView {
        pub id: ArtifactId,
        pub run: RunId,
        pub node: NodeId,
        pub attempt: Attempt,
        pub created_at: Timestamp,
        pub content: Artifact,
    }
}
