//! What an operation needs, and what a caller has.

use serde::{Deserialize, Serialize};

/// A right. Each includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Right {
    /// To look.
    Read,
    /// To change what no person has to decide: to create, save, propose, start what is approved, pause, cancel, retry.
    Write,
    /// To decide: to approve, answer, grant, accept, skip, delete, bring work home, change settings.
    Decide,
}

impl Right {
    /// All of them, the smallest first.
    pub const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Decide];

    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Decide => "decide",
        }
    }
}
