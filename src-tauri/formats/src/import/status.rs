//! The progress of a task in its source.

use std::fmt;

/// What the status of a task means for its node. Runs have states of their own, so nothing of it
/// becomes one: work that is finished is disabled, and everything else starts from the beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TaskStatus {
    Open,
    Started,
    Done,
    /// It will not be done.
    Dropped,
}

impl TaskStatus {
    /// `None` for words that no known format uses.
    pub(super) fn from_word(word: &str) -> Option<Self> {
        let plain: String = word
            .chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect();
        Some(match plain.as_str() {
            "pending" | "todo" | "open" | "notstarted" | "blocked" | "deferred" | "waiting"
            | "pinned" | "hooked" | "draft" | "failed" | "backlog" | "replanning" => Self::Open,
            "inprogress" | "running" | "active" | "started" | "review" | "inreview" | "paused" => {
                Self::Started
            }
            "done" | "complete" | "completed" | "closed" => Self::Done,
            "cancelled" | "canceled" | "skipped" | "notplanned" | "duplicate" | "wontfix" => {
                Self::Dropped
            }
            _ => return None,
        })
    }

    pub(super) fn is_finished(self) -> bool {
        matches!(self, Self::Done | Self::Dropped)
    }
}

/// The status of a task, as far as its source says one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum SourceStatus {
    #[default]
    Missing,
    Known {
        status: TaskStatus,
        /// As the source writes it.
        word: String,
    },
    Unknown(UnknownStatus),
}

/// The word for a status that no known format uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownStatus(String);

impl fmt::Display for UnknownStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl SourceStatus {
    /// The status with this word; an empty one is no status.
    pub(super) fn from_word(word: &str) -> Self {
        let owned = word.to_owned();
        match TaskStatus::from_word(word) {
            Some(status) => Self::Known {
                status,
                word: owned,
            },
            None if word.is_empty() => Self::Missing,
            None => Self::Unknown(UnknownStatus(owned)),
        }
    }

    /// As the source writes it.
    pub(super) fn word(&self) -> Option<&str> {
        match self {
            Self::Missing => None,
            Self::Known { word, .. } | Self::Unknown(UnknownStatus(word)) => Some(word),
        }
    }

    pub(super) fn is_finished(&self) -> bool {
        matches!(self, Self::Known { status, .. } if status.is_finished())
    }
}
