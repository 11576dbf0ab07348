//! A check before a run and its verdict.

use baton_model::NodeId;
use serde::{Deserialize, Serialize};

/// The result of one check before a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Check {
    /// How severe the finding is.
    pub verdict: CheckVerdict,
    /// The finding, a fragment without a period.
    pub sentence: String,
    /// How to fix it, a fragment; `None` when nothing has to be done.
    pub mend: Option<String>,
    /// The node that the finding is about.
    pub node: Option<NodeId>,
}

/// The outcome of a check. Sorts failures first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CheckVerdict {
    /// The run cannot start until this is fixed.
    Failed,
    /// The run can start, but a person should know.
    Warning,
    /// Nothing to report beyond the finding itself.
    Passed,
}

impl Check {
    /// A check with the finding `sentence`, a fragment.
    #[must_use]
    pub fn new(verdict: CheckVerdict, sentence: impl Into<String>) -> Self {
        Self {
            verdict,
            sentence: sentence.into(),
            mend: None,
            node: None,
        }
    }

    /// Adds how to fix it, a fragment.
    #[must_use]
    pub fn with_fix(mut self, fix: impl Into<String>) -> Self {
        self.mend = Some(fix.into());
        self
    }

    /// Sets the node that the finding is about.
    #[must_use]
    pub(crate) fn at(mut self, node: NodeId) -> Self {
        self.node = Some(node);
        self
    }

    /// The finding and its fix in one sentence.
    #[must_use]
    pub fn full_message(&self) -> String {
        self.mend.as_ref().map_or_else(
            || self.sentence.clone(),
            |fix| format!("{}: {fix}", self.sentence),
        )
    }
}
