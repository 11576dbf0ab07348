//! The state of a proposal and its transitions.

use serde::{Deserialize, Serialize};

use crate::run::ReplanEnd;
use crate::{PlanId, RunId};

/// The state of a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "state",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum ProposalState {
    /// An agent is working on it.
    Working,
    /// It awaits a person's decision.
    Ready,
    /// Rejected three times. There are no further automatic attempts, and a person must review it.
    NeedsReview,
    /// A person accepted it.
    Accepted {
        /// The plan that was created or changed.
        plan: PlanId,
        /// The version that was created.
        version: u32,
        /// The run that continues with it.
        run: Option<RunId>,
    },
    /// A person rejected it without requesting another attempt.
    Rejected,
    /// A person canceled the planner.
    Cancelled,
    /// There was no usable answer.
    Failed {
        /// The reason, for people.
        why: String,
    },
    /// It was not decided in time.
    Expired,
}

/// An event in the life of a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProposalEvent {
    /// A usable answer arrived.
    Drafted,
    /// There was no usable answer and there will be none.
    Failed {
        /// The reason, for people.
        why: String,
    },
    /// A person accepted it.
    Accepted {
        /// The plan that was created or changed.
        plan: PlanId,
        /// The version that was created.
        version: u32,
        /// The run that continues with it.
        run: Option<RunId>,
    },
    /// A person rejected it.
    Rejected {
        /// How often it has been rejected, including this time.
        times: usize,
        /// Whether the planner should try again with the feedback.
        again: bool,
    },
    /// The submitter sent another draft.
    Revised,
    /// A person requested another attempt.
    Retried,
    /// A person canceled or dismissed it.
    Cancelled,
    /// Its time is up.
    Expired,
}

/// The event is not possible in the current state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the proposal {}", .state.predicate())]
pub struct IllegalProposal {
    /// The state, which is unchanged.
    pub state: ProposalState,
}

impl ProposalState {
    /// The state after `event`. After `rejection_limit` rejections there are no further automatic
    /// attempts.
    pub fn after(
        &self,
        event: &ProposalEvent,
        rejection_limit: usize,
    ) -> Result<Self, IllegalProposal> {
        use ProposalEvent as E;
        Ok(match (self, event) {
            (Self::Working, E::Drafted) => Self::Ready,
            (Self::Working | Self::Ready, E::Revised) => Self::Ready,
            (Self::Working, E::Failed { why }) => Self::Failed { why: why.clone() },
            (Self::Working, E::Cancelled) => Self::Cancelled,
            (Self::Ready | Self::NeedsReview, E::Accepted { plan, version, run }) => {
                Self::Accepted {
                    plan: *plan,
                    version: *version,
                    run: *run,
                }
            }
            (Self::Ready, E::Rejected { times, .. }) if *times >= rejection_limit => {
                Self::NeedsReview
            }
            (Self::Ready, E::Rejected { again: true, .. }) => Self::Working,
            (Self::Ready | Self::NeedsReview, E::Rejected { .. }) => Self::Rejected,
            (
                Self::NeedsReview
                | Self::Rejected
                | Self::Cancelled
                | Self::Failed { .. }
                | Self::Expired,
                E::Retried,
            ) => Self::Working,
            (
                Self::Ready | Self::NeedsReview | Self::Failed { .. } | Self::Expired,
                E::Cancelled,
            ) => Self::Cancelled,
            (Self::Working | Self::Ready | Self::NeedsReview, E::Expired) => Self::Expired,
            _ => {
                return Err(IllegalProposal {
                    state: self.clone(),
                });
            }
        })
    }

    /// Whether a person or an agent still has something to do.
    ///
    /// An expired proposal stays open until a person dismisses it or requests it again, so that it
    /// does not disappear unnoticed.
    #[must_use]
    pub fn is_open(&self) -> bool {
        matches!(
            self,
            Self::Working | Self::Ready | Self::NeedsReview | Self::Expired
        )
    }

    /// How planning ended, for the run that waits for it; `None` while it is in progress or awaits
    /// a decision.
    #[must_use]
    pub fn replan_end(&self) -> Option<ReplanEnd> {
        match self {
            Self::Working | Self::Ready | Self::NeedsReview => None,
            Self::Accepted { run, .. } => Some(ReplanEnd::Accepted { run: *run }),
            Self::Rejected => Some(ReplanEnd::Rejected),
            Self::Cancelled | Self::Failed { .. } | Self::Expired => Some(ReplanEnd::GivenUp),
        }
    }

    /// The state, as the predicate of a sentence.
    fn predicate(&self) -> String {
        match self {
            Self::Failed { .. } => "has no usable answer".to_owned(),
            state => format!("is {}", state.description()),
        }
    }

    /// The state, as a phrase within a sentence.
    #[must_use]
    pub fn description(&self) -> &'static str {
        match self {
            Self::Working => "still being worked on",
            Self::Ready => "ready",
            Self::NeedsReview => "waiting for a person's review",
            Self::Accepted { .. } => "already accepted",
            Self::Rejected => "already rejected",
            Self::Cancelled => "already canceled",
            Self::Failed { .. } => "without a usable answer",
            Self::Expired => "expired",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use uuid::Uuid;

    use super::*;

    /// Covers every pair of state and event. The table is the specification.
    #[test]
    fn table_of_transitions() {
        let plan = PlanId(Uuid::nil());
        let accepted = ProposalState::Accepted {
            plan,
            version: 1,
            run: None,
        };
        let failed = ProposalState::Failed { why: String::new() };
        use ProposalState::{Cancelled, Expired, NeedsReview, Ready, Rejected, Working};
        let states = [
            Working,
            Ready,
            NeedsReview,
            accepted,
            Rejected,
            Cancelled,
            failed,
            Expired,
        ];
        let events = [
            ("drafted", ProposalEvent::Drafted),
            ("failed", ProposalEvent::Failed { why: String::new() }),
            (
                "accepted",
                ProposalEvent::Accepted {
                    plan,
                    version: 1,
                    run: None,
                },
            ),
            (
                "rejected",
                ProposalEvent::Rejected {
                    times: 1,
                    again: false,
                },
            ),
            (
                "rejected to try again",
                ProposalEvent::Rejected {
                    times: 2,
                    again: true,
                },
            ),
            (
                "rejected a third time",
                ProposalEvent::Rejected {
                    times: 3,
                    again: true,
                },
            ),
            ("revised", ProposalEvent::Revised),
            ("retried", ProposalEvent::Retried),
            ("cancelled", ProposalEvent::Cancelled),
            ("expired", ProposalEvent::Expired),
        ];
        let mut table = String::new();
        for state in &states {
            for (word, event) in &events {
                let after = state
                    .after(event, 3)
                    .map_or("refused", |state| state.description());
                writeln!(table, "{} + {word} = {after}", state.description())
                    .expect("a text grows");
            }
        }
        insta::assert_snapshot!(table);
    }
}
