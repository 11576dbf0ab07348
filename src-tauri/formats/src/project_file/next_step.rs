//! What is to be done about a plan and its file.

use super::Stamp;

/// A plan's file as it is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileState {
    /// There is none.
    Missing,
    /// A file with a stamp.
    Stamped(Stamp),
    /// Something that doesn't say which plan and version it is. It is never overwritten.
    Unknown,
}

/// Whether a proposal has the text of an edited file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    /// No proposal has it.
    None,
    /// A proposal that waits for a decision.
    Waiting,
    /// A proposal that was decided on.
    Decided,
}

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextStep {
    /// Nothing.
    Nothing,
    /// Write the plan's version into the file.
    Write,
    /// Make a proposal of the file.
    Propose,
    /// The edit that waits as a proposal was undone in the file, so the proposal is withdrawn.
    Withdraw,
}

/// The next step for a plan at `version`. `is_due` says that the plan was saved, or that Baton
/// starts to keep the file; otherwise only the file has changed, and it may be of another branch.
#[must_use]
pub fn next_step(file: FileState, version: u32, coverage: Coverage, is_due: bool) -> NextStep {
    let writes = match is_due {
        true => NextStep::Write,
        false => NextStep::Nothing,
    };
    match (file, coverage) {
        (FileState::Unknown, _) => NextStep::Nothing,
        (FileState::Missing, Coverage::Waiting) => NextStep::Nothing,
        (FileState::Missing, _) => writes,
        (FileState::Stamped(stamp), _) if stamp.version > version => NextStep::Nothing,
        (FileState::Stamped(stamp), Coverage::Waiting) if stamp.is_untouched => NextStep::Withdraw,
        (FileState::Stamped(stamp), _) if stamp.is_untouched => writes,
        (FileState::Stamped(_), Coverage::None) => NextStep::Propose,
        (FileState::Stamped(_), Coverage::Waiting) => NextStep::Nothing,
        // Nothing is lost: the proposal has the text.
        (FileState::Stamped(stamp), Coverage::Decided) if stamp.version < version => writes,
        (FileState::Stamped(_), Coverage::Decided) => NextStep::Nothing,
    }
}
