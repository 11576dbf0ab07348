//! One thing that was looked at before a run, and what came of it.

use baton_model::NodeId;
use serde::{Deserialize, Serialize};

/// One thing that was looked at before a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Check {
    /// How it went.
    pub verdict: CheckVerdict,
    /// What was found.
    pub sentence: String,
    /// What to do about it, when something is to be done.
    pub mend: Option<String>,
    /// The node concerned, if one is.
    pub node: Option<NodeId>,
}

/// How a check went. Failures come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum CheckVerdict {
    /// The run cannot start.
    Failed,
    /// The run can start; a person should know.
    Warning,
    /// All is well.
    Passed,
}

impl Check {
    /// A check that found `sentence`, a fragment.
    #[must_use]
    pub fn new(verdict: CheckVerdict, sentence: impl Into<String>) -> Self {
        Self {
            verdict,
            sentence: sentence.into(),
            mend: None,
            node: None,
        }
    }

    /// The same with what to do about it, a fragment.
    #[must_use]
    pub fn mended_by(mut self, mend: impl Into<String>) -> Self {
        self.mend = Some(mend.into());
        self
    }

    /// The same about a node.
    #[must_use]
    pub(crate) fn at(mut self, node: NodeId) -> Self {
        self.node = Some(node);
        self
    }

    /// What was found and what to do about it, in one sentence.
    #[must_use]
    pub fn in_full(&self) -> String {
        self.mend.as_ref().map_or_else(
            || self.sentence.clone(),
            |mend| format!("{}: {mend}", self.sentence),
        )
    }
}
