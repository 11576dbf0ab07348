//! What must be true after a node's work, and who finds out.

use serde::{Deserialize, Serialize};

/// One acceptance criterion. The agent that does the work is told all of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum Criterion {
    /// A sentence. It is checked where the plan asks for a review, and by nobody elsewhere.
    Sentence(String),
    /// A command. Met when it ends with exit code 0.
    Run {
        /// A line for the shell, run in the node's directory.
        run: String,
        /// Whether it may run again after a takeover, to see whether it still holds.
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
    /// The same, written as a question to the reviewer.
    Ask {
        /// The sentence.
        ask: String,
    },
}

impl Criterion {
    /// A command that ends with exit code 0 when the criterion is met.
    #[must_use]
    pub fn run(line: impl Into<String>) -> Self {
        Self::Run {
            run: line.into(),
            verify_on_takeover: true,
        }
    }

    /// The words of the criterion.
    #[must_use]
    pub fn words(&self) -> &str {
        match self {
            Self::Sentence(words) | Self::Run { run: words, .. } | Self::Ask { ask: words } => {
                words
            }
        }
    }

    /// The same kind of criterion in other words.
    #[must_use]
    pub fn with_words(&self, words: String) -> Self {
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

    /// The criterion as the agent is told of it.
    #[must_use]
    pub fn told(&self) -> String {
        match self {
            Self::Sentence(words) | Self::Ask { ask: words } => words.clone(),
            Self::Run { run, .. } => format!("`{run}` ends with exit code 0"),
        }
    }

    /// Whether nothing is said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words().trim().is_empty()
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

/// Who reviews the work of the plan's nodes, beside those who do it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct Review {
    /// The agent; `None` takes the one that did the work.
    pub agent: Option<String>,
    /// The model to ask for; `None` leaves it to the agent.
    pub model: Option<String>,
}

/// What becomes of a node when a command among its acceptance criteria fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum OnFailedCriterion {
    /// The attempt has failed: it may be tried again, and `onFailure` applies.
    #[default]
    Fail,
    /// The node is done and unverified.
    Continue,
}

/// What becomes of a node whose work is not verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum OnUnverified {
    /// It is done, and marked until a person accepts it.
    #[default]
    Continue,
    /// The attempt has failed, and may be tried again.
    Fail,
}
