//! Dependencies between nodes.

use serde::{Deserialize, Serialize};

use crate::NodeId;

/// "`child` depends on `parent`": the child waits for the parent and receives its artifact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Edge {
    /// The node that goes first.
    pub parent: NodeId,
    /// The node that waits.
    pub child: NodeId,
    /// A soft edge hands the artifact on when there is one, and never makes the child wait.
    #[serde(default)]
    pub soft: bool,
}
