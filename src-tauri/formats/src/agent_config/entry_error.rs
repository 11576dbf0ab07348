//! Why a configuration can't be changed.

/// The configuration can't be read, or has something else where the servers belong.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct EntryError {
    /// From 1.
    pub line: usize,
    /// What is there, without a period.
    pub reason: String,
}

impl EntryError {
    /// An error about what begins at byte `offset` of `text`.
    pub(super) fn at(text: &str, offset: usize, reason: impl Into<String>) -> Self {
        let before = text.as_bytes().iter().take(offset);
        Self {
            line: 1 + before.filter(|byte| **byte == b'\n').count(),
            reason: reason.into(),
        }
    }
}
