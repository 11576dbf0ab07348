//! When a node may start, and what becomes of the run when it fails.

use serde::{Deserialize, Serialize};

use crate::NodeId;

/// When a node's parents let it start. The README's table says which outcomes of parents count for each rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum TriggerRule {
    /// All parents are done, were skipped by a person, or failed and were tolerated.
    #[default]
    AllSuccess,
    /// All parents have ended, however.
    AllDone,
    /// At least one parent is done or was skipped by a person; does not wait for the others.
    OneSuccess,
    /// At least one parent has failed, also if that was tolerated or handled; does not wait for the others.
    OneFailed,
    /// All parents have ended and none has failed, not even if that was tolerated or handled.
    NoneFailed,
    /// As `NoneFailed`, and at least one parent is done or was skipped by a person.
    NoneFailedMinOneSuccess,
}

/// What becomes of the run when a node's last attempt has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum OnFailure {
    /// Nothing new starts; what runs may finish; the run fails.
    #[default]
    Abort,
    /// The node counts as skipped and the run goes on without it.
    Skip,
    /// The run goes on at this node; what lies between the two, in the order of the plan, is skipped. The run fails if
    /// this node can no longer start because of the failure.
    Node(NodeId),
}

/// What becomes of an attempt that was lost to a crash (research: workflow engines §1.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum AfterCrash {
    /// The person decides: nobody knows how far it came.
    #[default]
    Ask,
    /// The agent's session goes on where it was; what cannot be resumed is restarted.
    Resume,
    /// It starts again. Files are taken back to the checkpoint before the lost attempt where there is one.
    Restart,
}

/// What may be used before the work is stopped. Time is limited by `timeout_ms`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct Budget {
    /// Tokens in and out, cached ones included.
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub tokens: Option<u64>,
    /// United States dollars.
    pub cost_usd: Option<f64>,
}

impl Budget {
    /// Whether nothing is limited.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.tokens.is_none() && self.cost_usd.is_none()
    }
}
