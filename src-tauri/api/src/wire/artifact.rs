//! Handoffs, called artifacts in the API.

use baton_model::{Artifact, ArtifactId, Attempt, NodeId, RunId, Timestamp};

use super::wire;

wire! {
    #[expect(missing_docs, reason = "the names say it")]
    pub struct ArtifactRef {
        pub artifact: ArtifactId,
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
