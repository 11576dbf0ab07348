//! Where a plan stands between being written and being allowed to run.

use serde::{Deserialize, Serialize};

/// The review of a plan. Not to be confused with how a run of it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ReviewState {
    /// Being written.
    #[default]
    Draft,
    /// Waits for a person's word.
    Proposed,
    /// May run.
    Approved,
    /// A person said no.
    Rejected,
    /// Rejected three times: a person has to look.
    NeedsReview,
    /// Withdrawn.
    Cancelled,
}

/// What happens to a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewEvent {
    /// A person allows this version to run.
    Approved,
    /// The content changed, more than its layout.
    Edited,
    /// A planner hands it in.
    Proposed,
    /// A person says no.
    Rejected,
    /// Somebody withdraws it.
    Cancelled,
}

/// A review event that makes no sense in the present state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a plan that is {state:?} cannot become {event:?}")]
pub struct IllegalReview {
    /// The state it is in.
    pub state: ReviewState,
    /// What was tried.
    pub event: ReviewEvent,
}

impl ReviewState {
    /// The state after `event`.
    pub fn after(self, event: ReviewEvent) -> Result<Self, IllegalReview> {
        use ReviewState::{Approved, Cancelled, Draft, NeedsReview, Proposed, Rejected};
        Ok(match (self, event) {
            // Approving what is approved changes nothing; a second window may well do it.
            (Draft | Proposed | NeedsReview | Approved, ReviewEvent::Approved) => Approved,
            (_, ReviewEvent::Edited) => Draft,
            (Draft | Rejected | NeedsReview, ReviewEvent::Proposed) => Proposed,
            (Proposed | NeedsReview, ReviewEvent::Rejected) => Rejected,
            (Draft | Proposed | Rejected | NeedsReview, ReviewEvent::Cancelled) => Cancelled,
            (state, event) => return Err(IllegalReview { state, event }),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    /// Every pair has an answer; the table is the specification.
    #[test]
    fn table_of_transitions() {
        use ReviewState::*;
        let mut table = String::new();
        for state in [Draft, Proposed, Approved, Rejected, NeedsReview, Cancelled] {
            for event in [
                ReviewEvent::Approved,
                ReviewEvent::Edited,
                ReviewEvent::Proposed,
                ReviewEvent::Rejected,
                ReviewEvent::Cancelled,
            ] {
                let after = state
                    .after(event)
                    .map_or("refused".to_owned(), |state| format!("{state:?}"));
                writeln!(table, "{state:?} + {event:?} = {after}").expect("a text grows");
            }
        }
        insta::assert_snapshot!(table);
    }
}
