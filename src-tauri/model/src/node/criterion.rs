//! Acceptance criteria: what must be true after a node's work, and who checks it.

use serde::{Deserialize, Serialize};

/// One acceptance criterion. The working agent sees all of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(untagged)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Criterion {
    /// A sentence. Only checked if the plan has a review.
    Sentence(String),
    /// A command. Met if it ends with exit code 0.
    Run {
        /// A shell command line, run in the node's directory.
        run: String,
        /// Whether it may be run again after a takeover to verify that it still holds.
        #[serde(
            rename = "verifyOnTakeover",
            default = "is_verified",
            skip_serializing_if = "Clone::clone"
        )]
        #[cfg_attr(
            feature = "bindings",
            ts(rename = "verifyOnTakeover", optional, as = "Option<bool>")
        )]
        verify_on_takeover: bool,
    },
    /// A sentence, written as a question to the reviewer.
    Ask { ask: String },
}

impl Criterion {
    /// A command that ends with exit code 0 if the criterion is met.
    #[must_use]
    pub fn run(line: impl Into<String>) -> Self {
        Self::Run {
            run: line.into(),
            verify_on_takeover: true,
        }
    }

    /// The command line or sentence.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Sentence(words) | Self::Run { run: words, .. } | Self::Ask { ask: words } => {
                words
            }
        }
    }

    /// The same kind of criterion with another text.
    #[must_use]
    pub fn with_text(&self, words: String) -> Self {
        match self {
            Self::Sentence(_) => Self::Sentence(words),
            Self::Run {
                verify_on_takeover, ..
            } => Self::Run {
                run: words,
                verify_on_takeover: *verify_on_takeover,
            },
            Self::Ask { .. } => Self::Ask { ask: words },
        }
    }

    /// The criterion as it appears in the agent's prompt.
    #[must_use]
    pub fn prompt_text(&self) -> String {
        match self {
            Self::Sentence(words) | Self::Ask { ask: words } => words.clone(),
            Self::Run { run, .. } => format!("`{run}` ends with exit code 0"),
        }
    }

    #[must_use]
    #[expect(missing_docs, reason = "the name says it")]
    pub fn is_empty(&self) -> bool {
        self.text().trim().is_empty()
    }
}

fn is_verified() -> bool {
    true
}

impl From<&str> for Criterion {
    fn from(words: &str) -> Self {
        Self::Sentence(words.to_owned())
    }
}

impl From<String> for Criterion {
    fn from(words: String) -> Self {
        Self::Sentence(words)
    }
}

/// Who reviews the work of the plan's nodes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Review {
    /// `None` uses the agent that did the work.
    pub agent: Option<String>,
    /// The model to request; `None` uses the agent's default.
    pub model: Option<String>,
}

/// What happens when a command among the acceptance criteria fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OnFailedCriterion {
    /// The attempt fails: it may be retried, and `onFailure` applies.
    #[default]
    Fail,
    /// The node succeeds, but is unverified.
    Continue,
}

/// What happens when a node's work is unverified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OnUnverified {
    /// The node succeeds, and is marked until a person accepts it.
    #[default]
    Continue,
    /// The attempt fails, and may be retried.
    Fail,
}
