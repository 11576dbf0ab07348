//! Comments on proposals.

use serde::{Deserialize, Serialize};

use crate::{Edge, NodeId, Timestamp};

/// A comment at a place in a draft. It stays when the place is gone from a later draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct Comment {
    /// Counts the comments of a proposal from 1.
    pub id: u32,
    pub place: CommentPlace,
    /// Plain text or Markdown.
    pub text: String,
    /// Who wrote it, as the store writes actors.
    pub author: String,
    pub at: Timestamp,
    /// The round of the draft that it is about, from 1.
    pub round: u32,
    /// What the proposer answered; `None` as long as it is open.
    pub answer: Option<CommentAnswer>,
}

/// What a comment is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "on", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum CommentPlace {
    /// The whole plan.
    Plan,
    Node {
        node: NodeId,
    },
    /// One field of a node, by its key in plan files.
    Field {
        node: NodeId,
        field: String,
    },
    Edge {
        edge: Edge,
    },
}

/// The answer to a comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct CommentAnswer {
    /// What was changed, or why not.
    pub text: String,
    /// Who answered, as the store writes actors.
    pub author: String,
    pub at: Timestamp,
    /// The round of the draft that came with the answer, from 1.
    pub round: u32,
}

impl CommentPlace {
    /// The node that it is about, or in which the edge ends.
    #[must_use]
    pub fn node(&self) -> Option<NodeId> {
        match self {
            Self::Plan => None,
            Self::Node { node } | Self::Field { node, .. } => Some(*node),
            Self::Edge { edge } => Some(edge.child),
        }
    }
}
