//! Dependencies between nodes.

use serde::{Deserialize, Serialize};

use crate::NodeId;

/// `child` depends on `parent`: it waits for the parent and receives its handoff.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct Edge {
    pub parent: NodeId,
    pub child: NodeId,
    /// A soft edge passes on the handoff if there is one, but the child never waits for it.
    #[serde(default)]
    pub soft: bool,
    /// An import derived it from the order of tasks. It must be confirmed or removed before the
    /// plan can be approved.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
    pub inferred: bool,
}
