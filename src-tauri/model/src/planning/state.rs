//! Where a proposal stands, and what may become of it.

use serde::{Deserialize, Serialize};

use crate::run::ReplanEnd;
use crate::{PlanId, RunId};

/// The state of a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(
    tag = "state",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum ProposalState {
    /// An agent works on it.
    Working,
    /// It waits for a person's word.
    Ready,
    /// Rejected three times: nothing is tried by itself any more, a person has to look.
    NeedsReview,
    /// A person took it over.
    Accepted {
        /// The plan that it became, or that it changed.
        plan: PlanId,
        /// The version that it became.
        version: u32,
        /// The run that went on with it.
        run: Option<RunId>,
    },
    /// A person said no, and wants no other try for now.
    Rejected,
    /// A person called the planner off.
    Cancelled,
    /// No usable answer came.
    Failed {
        /// Why, for people.
        why: String,
    },
    /// Nobody looked at it in time.
    Expired,
}

/// What happens to a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProposalEvent {
    /// A usable answer came.
    Drafted,
    /// No usable answer came, and none will.
    Failed {
        /// Why.
        why: String,
    },
    /// A person takes it over.
    Accepted {
        /// The plan that it became.
        plan: PlanId,
        /// The version that it became.
        version: u32,
        /// The run that goes on with it.
        run: Option<RunId>,
    },
    /// A person says no.
    Rejected {
        /// How often that happened, this time included.
        times: usize,
        /// The planner shall try again, with what was said.
        again: bool,
    },
    /// A person asks for another try.
    Retried,
    /// A person calls it off, or puts it away.
    Cancelled,
    /// Its time is over.
    Expired,
}

/// An event that makes no sense in the present state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("change a proposal that is {}", .state.words())]
pub struct IllegalProposal {
    /// The state it is in.
    pub state: ProposalState,
}

impl ProposalState {
    /// The state after `event`. `rejection_limit` rejections end what is tried by itself.
    pub fn after(
        &self,
        event: &ProposalEvent,
        rejection_limit: usize,
    ) -> Result<Self, IllegalProposal> {
        use ProposalEvent as E;
        Ok(match (self, event) {
            (Self::Working, E::Drafted) => Self::Ready,
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
            (Self::Ready | Self::NeedsReview, E::Expired) => Self::Expired,
            _ => {
                return Err(IllegalProposal {
                    state: self.clone(),
                });
            }
        })
    }

    /// Whether a person, or an agent, still has something to do.
    ///
    /// What has expired is open until the person has seen it, and puts it away or asks again: nothing goes
    /// silently.
    #[must_use]
    pub fn is_open(&self) -> bool {
        matches!(
            self,
            Self::Working | Self::Ready | Self::NeedsReview | Self::Expired
        )
    }

    /// How the planning has ended for the run that waits for it; none: it goes on, or waits for a person's word.
    #[must_use]
    pub fn replan_end(&self) -> Option<ReplanEnd> {
        match self {
            Self::Working | Self::Ready | Self::NeedsReview => None,
            Self::Accepted { run, .. } => Some(ReplanEnd::Accepted { run: *run }),
            Self::Rejected => Some(ReplanEnd::Rejected),
            Self::Cancelled | Self::Failed { .. } | Self::Expired => Some(ReplanEnd::GivenUp),
        }
    }

    /// The state within a sentence.
    #[must_use]
    pub fn words(&self) -> &'static str {
        match self {
            Self::Working => "still being worked on",
            Self::Ready => "ready",
            Self::NeedsReview => "waiting for a person's review",
            Self::Accepted { .. } => "accepted already",
            Self::Rejected => "rejected already",
            Self::Cancelled => "cancelled already",
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

    /// Every pair has an answer; the table is the specification.
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
            ("retried", ProposalEvent::Retried),
            ("cancelled", ProposalEvent::Cancelled),
            ("expired", ProposalEvent::Expired),
        ];
        let mut table = String::new();
        for state in &states {
            for (word, event) in &events {
                let after = state
                    .after(event, 3)
                    .map_or("refused", |state| state.words());
                writeln!(table, "{} + {word} = {after}", state.words()).expect("a text grows");
            }
        }
        insta::assert_snapshot!(table);
    }
}
