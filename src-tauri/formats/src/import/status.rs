//! The progress of a task in its source.

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
