//! When a node may start, and what happens to the run when it fails.

use serde::{Deserialize, Serialize};

use crate::NodeId;

/// When a node's parents let it start. The table in the README says which outcomes of parents count
/// for each rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TriggerRule {
    /// All parents succeeded, were skipped by a person, or failed and were tolerated.
    #[default]
    AllSuccess,
    /// All parents have ended, with any outcome.
    AllDone,
    /// At least one parent succeeded or was skipped by a person. Does not wait for the others.
    OneSuccess,
    /// At least one parent failed, even if that was tolerated or handled. Does not wait for the
    /// others.
    OneFailed,
    /// All parents have ended and none has failed, not even if that was tolerated or handled.
    NoneFailed,
    /// Like `NoneFailed`, and at least one parent succeeded or was skipped by a person.
    NoneFailedMinOneSuccess,
}

/// What happens to the run when a node's last attempt has failed. A node whose failure the plan
/// handles has still failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OnFailure {
    /// Nothing new starts, running nodes may finish, and the run fails.
    #[default]
    Abort,
    /// The node counts as skipped, and the run continues without it.
    Skip,
    /// The run continues at this node, and nodes between the two in the plan's order are skipped.
    /// If this node can no longer start because of the failure, the run fails.
    Node(NodeId),
}

/// What happens to an attempt that was lost in a crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AfterCrash {
    /// A person decides, because its progress is unknown.
    #[default]
    Ask,
    /// The agent's session is resumed. What can't be resumed is restarted.
    Resume,
    /// It starts again. Files are rolled back to the checkpoint before the lost attempt, if there
    /// is one.
    Restart,
}

/// Limits on usage after which work is stopped. Time is limited by `timeout_ms`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Budget {
    /// Input and output tokens, including cached ones.
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub tokens: Option<u64>,
    /// The cost limit in US dollars.
    pub cost_usd: Option<f64>,
}

impl Budget {
    /// Whether neither limit is set.
    #[must_use]
    pub fn is_unlimited(&self) -> bool {
        self.tokens.is_none() && self.cost_usd.is_none()
    }
}
