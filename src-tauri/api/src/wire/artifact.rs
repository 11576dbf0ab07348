//! Handoffs.

use baton_model::{Artifact, ArtifactId, Attempt, NodeId, RunId, Timestamp};

use super::wire;

wire! {
    /// Names a handoff.
    pub struct ArtifactRef {
        /// The handoff.
        pub artifact: ArtifactId,
    }
    /// A handoff and where it comes from.
    pub struct ArtifactView {
        /// The handoff.
        pub id: ArtifactId,
        /// The run.
        pub run: RunId,
        /// The node.
        pub node: NodeId,
        /// The attempt.
        pub attempt: Attempt,
        /// When it was written.
        pub created_at: Timestamp,
        /// The document.
        pub content: Artifact,
    }
}
