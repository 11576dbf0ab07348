//! The review state of a plan: from being written to being approved to run.

use serde::{Deserialize, Serialize};

/// The review of a plan, not the state of its runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum ReviewState {
    #[default]
    Draft,
    /// A planner submitted it, and a person has not decided yet.
    Proposed,
    /// A person approved this version, so it can be run.
    Approved,
    Rejected,
    /// Rejected three times, so a person must review it.
    NeedsReview,
    Cancelled,
}

/// An event in the review of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum ReviewEvent {
    /// A person approved this version.
    Approved,
    /// The content changed, not only the layout.
    Edited,
    /// A planner submitted it.
    Proposed,
    Rejected,
    /// Like `Rejected`, after earlier rejections: a person has to look at it.
    RejectedTooOften,
    /// Who submitted it took it back.
    Withdrawn,
    Cancelled,
}

/// Why a person rejected a plan or a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RejectionReason {
    /// It doesn't do what was wanted.
    WrongGoal,
    /// It does more than was wanted, or too much at once.
    TooBig,
    /// Nothing shows that its work is right.
    MissingCheck,
    /// Its steps depend on each other in another way.
    WrongOrder,
    /// Another agent or model should do it.
    WrongAgent,
    /// It could damage something.
    Risk,
    /// None of the others.
    Other,
}

impl RejectionReason {
    /// The serialized name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::WrongGoal => "wrong_goal",
            Self::TooBig => "too_big",
            Self::MissingCheck => "missing_check",
            Self::WrongOrder => "wrong_order",
            Self::WrongAgent => "wrong_agent",
            Self::Risk => "risk",
            Self::Other => "other",
        }
    }

    /// The name in words, such as `missing check`.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::WrongGoal => "wrong goal",
            Self::TooBig => "too big",
            Self::MissingCheck => "missing check",
            Self::WrongOrder => "wrong order",
            Self::WrongAgent => "wrong agent",
            Self::Risk => "risk",
            Self::Other => "other",
        }
    }
}

/// The event is not possible in the current state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a plan that is {} can't be {}", .state.phrase(), .event.participle())]
pub struct IllegalReview {
    /// The state, which is unchanged.
    pub state: ReviewState,
    /// The event that the state does not allow.
    pub event: ReviewEvent,
}

impl ReviewEvent {
    fn participle(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Edited => "edited",
            Self::Proposed => "proposed",
            Self::Rejected | Self::RejectedTooOften => "rejected",
            Self::Withdrawn => "withdrawn",
            Self::Cancelled => "canceled",
        }
    }
}

impl ReviewState {
    fn phrase(self) -> &'static str {
        match self {
            Self::Draft => "a draft",
            Self::Proposed => "waiting for a decision",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::NeedsReview => "waiting for a person's review",
            Self::Cancelled => "canceled",
        }
    }

    /// The state after `event`.
    pub fn after(self, event: ReviewEvent) -> Result<Self, IllegalReview> {
        use ReviewState::{Approved, Cancelled, Draft, NeedsReview, Proposed, Rejected};
        Ok(match (self, event) {
            // Approving an approved plan changes nothing. A second window may do that.
            (Draft | Proposed | NeedsReview | Approved, ReviewEvent::Approved) => Approved,
            (_, ReviewEvent::Edited) => Draft,
            (Draft | Rejected | NeedsReview, ReviewEvent::Proposed) => Proposed,
            (Proposed | NeedsReview, ReviewEvent::Rejected) => Rejected,
            (Proposed | NeedsReview, ReviewEvent::RejectedTooOften) => NeedsReview,
            (Proposed | NeedsReview, ReviewEvent::Withdrawn) => Draft,
            (Draft | Proposed | Rejected | NeedsReview, ReviewEvent::Cancelled) => Cancelled,
            (state, event) => return Err(IllegalReview { state, event }),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    /// Covers every pair of state and event. The table is the specification.
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
                ReviewEvent::RejectedTooOften,
                ReviewEvent::Withdrawn,
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
