//! Row ids that both [`Change`](crate::Change) and the tables themselves use.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Identifies a request to an executor; see [`Requests`](crate::Requests).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(transparent)]
pub struct RequestId(#[cfg_attr(feature = "bindings", ts(type = "number"))] pub i64);

/// Identifies a call that waits for a person; see [`HeldCalls`](crate::HeldCalls).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(transparent)]
pub struct HeldCallId(#[cfg_attr(feature = "bindings", ts(type = "string"))] pub Uuid);

impl std::fmt::Display for HeldCallId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}
