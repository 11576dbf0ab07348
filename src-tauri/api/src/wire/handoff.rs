//! Evidence for handoffs, and what is passed over an edge.

use baton_model::{ArtifactId, Attempt, Evidence, NodeId, RunId, Timestamp};
use serde::{Deserialize, Serialize};

use super::wire;

wire! {
    /// References an attempt of a node.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct AttemptRef {
        pub run: RunId,
        pub node: NodeId,
        /// `None` for the latest.
        pub attempt: Option<Attempt>,
    }
    /// The evidence of an attempt, independent of its handoff.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct EvidenceView {
        pub attempt: Attempt,
        /// `None` if none was collected.
        pub evidence: Option<Evidence>,
        /// When the evidence was collected.
        pub gathered_at: Option<Timestamp>,
        /// Why the work is unverified, as a fragment; `None` if nothing contradicts it.
        pub doubt: Option<String>,
        /// Results of its criteria before and after a takeover, one per line; empty if none were
        /// checked again.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<String>>"))]
        pub after_takeover: Vec<String>,
        /// Changes to git's configuration or hooks that were reverted; empty if none were.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<GitRestoredView>>"))]
        pub git_restored: Vec<GitRestoredView>,
    }
    /// Reverted change to something that git executes.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct GitRestoredView {
        /// Index in the evidence, from 0.
        pub change: u32,
        pub at: Timestamp,
        pub by: String,
    }
    /// Result of reverting what git executes. Changes are given by their index in the evidence,
    /// from 0.
    pub struct GitRestored {
        /// Changes that are now reverted.
        pub restored: Vec<u32>,
        /// Changes that were not reverted.
        pub left: Vec<GitNotRestored>,
    }
    /// A change that was not reverted.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct GitNotRestored {
        /// Index in the evidence, from 0.
        pub change: u32,
        pub reason: GitNotRestoredReason,
        /// The reason and what to do, in a form to show to people.
        pub message: String,
    }
    /// References an edge of a run.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct EdgeRef {
        pub run: RunId,
        pub parent: NodeId,
        pub child: NodeId,
    }
    /// Pins what a child receives over an edge.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct HandoffPin {
        pub run: RunId,
        pub parent: NodeId,
        pub child: NodeId,
        /// Markdown that replaces the handoff.
        pub text: String,
        /// The handoff that the person edited.
        pub artifact: Option<ArtifactId>,
    }
    /// What the child's next attempt receives over one edge.
    pub struct EdgeView {
        /// The exact section in its prompt or context file.
        pub text: String,
        /// Estimated size in tokens.
        pub tokens: u32,
        /// The text without its heading, which a person may edit.
        pub body: String,
        /// The parent's latest handoff.
        pub artifact: Option<ArtifactId>,
        /// Set if a person pinned the content.
        pub pin: Option<PinView>,
    }
    /// Content that a person pinned for an edge.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PinView {
        pub pinned_at: Timestamp,
        /// The parent has produced another handoff since.
        pub stale: bool,
    }
}

/// Why a change was not reverted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GitNotRestoredReason {
    /// The content changed again after the attempt.
    ChangedSince,
    /// Another git process is changing the file.
    Locked,
    /// The previous content wasn't saved.
    NotKept,
    /// The operating system or git reported an error.
    Refused,
}
