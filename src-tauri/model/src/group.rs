//! Groups of nodes on the canvas, with a title and a color.
//!
//! A group is only drawn. It affects neither when its members run nor what they receive, so
//! changing groups keeps an approval. Groups can't be nested. Whether a group is collapsed is a
//! setting of the window, not part of the plan.

use serde::{Deserialize, Serialize};

use crate::color::Color;
use crate::ids::{GroupId, NodeId};

/// A frame around some nodes of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct Group {
    /// The same in all versions of the plan.
    pub id: GroupId,
    /// One line for people.
    pub title: String,
    #[serde(default)]
    pub colour: Color,
    /// The member nodes and notes. A node can be in at most one group.
    #[serde(default)]
    pub nodes: Vec<NodeId>,
}
