//! Evidence beside handoffs, and what passes over an edge.

use baton_model::{ArtifactId, Attempt, Evidence, NodeId, RunId, Timestamp};
use serde::{Deserialize, Serialize};

use super::wire;

wire! {
    /// Names an attempt of a node.
    pub struct AttemptRef {
        /// The run.
        pub run: RunId,
        /// The node.
        pub node: NodeId,
        /// The attempt; none: the latest.
        pub attempt: Option<Attempt>,
    }
    /// What is known of an attempt, whatever its handoff says.
    pub struct EvidenceView {
        /// The attempt.
        pub attempt: Attempt,
        /// What is known; none when nothing was gathered.
        pub evidence: Option<Evidence>,
        /// When it was gathered.
        pub gathered_at: Option<Timestamp>,
        /// Why the work is not verified, as a fragment; none when nothing speaks against it.
        pub doubt: Option<String>,
        /// What came of its criteria after a takeover, then and now, a line each; empty when none was looked at again.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<String>>"))]
        pub after_takeover: Vec<String>,
        /// Which of its changes of what git runs were put back; empty when none was.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<GitRestoredView>>"))]
        pub git_restored: Vec<GitRestoredView>,
    }
    /// That a change of what git runs was put back.
    pub struct GitRestoredView {
        /// Its place in the evidence, from 0.
        pub change: u32,
        /// When.
        pub at: Timestamp,
        /// By whom.
        pub by: String,
    }
    /// What came of putting back what git runs. Changes are named by their places in the evidence, from 0.
    pub struct GitRestored {
        /// Those that are as before now.
        pub restored: Vec<u32>,
        /// The others.
        pub left: Vec<GitLeft>,
    }
    /// A change that was left as it is.
    pub struct GitLeft {
        /// Its place in the evidence, from 0.
        pub change: u32,
        /// Why.
        pub reason: GitLeftReason,
        /// The same for people, with what to do.
        pub message: String,
    }
    /// Names an edge of a run.
    pub struct EdgeRef {
        /// The run.
        pub run: RunId,
        /// The parent.
        pub parent: NodeId,
        /// The child.
        pub child: NodeId,
    }
    /// Settles what a child receives over an edge.
    pub struct HandoffPin {
        /// The run.
        pub run: RunId,
        /// The parent.
        pub parent: NodeId,
        /// The child.
        pub child: NodeId,
        /// The text, Markdown.
        pub text: String,
        /// The handoff from which the person started.
        pub artifact: Option<ArtifactId>,
    }
    /// What the next attempt of a child receives over one edge.
    pub struct EdgeView {
        /// The section of its prompt or context file, word for word.
        pub text: String,
        /// Its size in tokens, estimated.
        pub tokens: u32,
        /// The text without its heading: what a person may change.
        pub body: String,
        /// The parent's latest handoff.
        pub artifact: Option<ArtifactId>,
        /// What a person settled.
        pub pin: Option<PinView>,
    }
    /// What a person settled for an edge.
    pub struct PinView {
        /// When.
        pub pinned_at: Timestamp,
        /// The parent has left another handoff since.
        pub stale: bool,
    }
}

/// Why a change was left as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum GitLeftReason {
    /// It is no longer as the attempt left it.
    ChangedSince,
    /// Another git is changing its file.
    Locked,
    /// What was there before was not kept.
    NotKept,
    /// The system or git refused.
    Refused,
}
