//! A run whose plan is planned anew: what it was before, and how that comes to its end.
//!
//! The run only notes that a proposal is made, or waits for a person. Who plans, and what becomes of the proposal, is
//! not its business; see [`planning`](crate::planning).

use serde::{Deserialize, Serialize};

use super::Run;
use super::command::Refusal;
use super::event::Event;
use super::state::RunState;
use crate::{ProposalId, RunId};

/// What a run was before its plan was planned anew: what it is again afterwards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(
    tag = "state",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum BeforeReplan {
    /// No node could go on without a person.
    Stalled {
        /// Which nodes, and what they need.
        message: String,
    },
    /// It had failed.
    Failed {
        /// Which nodes, and why.
        message: String,
    },
}

impl BeforeReplan {
    /// What `state` is to a planner; none: a run in this state is not planned anew, or is so already.
    fn of(state: &RunState) -> Option<Self> {
        match state {
            RunState::Stalled { message } => Some(Self::Stalled {
                message: message.clone(),
            }),
            RunState::Failed { message } => Some(Self::Failed {
                message: message.clone(),
            }),
            _ => None,
        }
    }

    /// Which nodes, and why.
    #[must_use]
    pub fn message(&self) -> &str {
        match self {
            Self::Stalled { message } | Self::Failed { message } => message,
        }
    }
}

impl From<BeforeReplan> for RunState {
    fn from(before: BeforeReplan) -> Self {
        match before {
            BeforeReplan::Stalled { message } => Self::Stalled { message },
            BeforeReplan::Failed { message } => Self::Failed { message },
        }
    }
}

/// How the planning came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(
    tag = "how",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum ReplanEnd {
    /// A person took the new version over.
    Accepted {
        /// The run that goes on with it; none: the person begins one, or leaves it.
        run: Option<RunId>,
    },
    /// A person said no.
    Rejected,
    /// No usable answer came, somebody called the planner off, or nobody looked in time.
    GivenUp,
}

impl Run {
    /// The proposal for which the run waits.
    #[must_use]
    pub fn replanned_by(&self) -> Option<ProposalId> {
        match &self.state {
            RunState::Replanning { proposal, .. } => Some(*proposal),
            _ => None,
        }
    }

    pub(super) fn decide_replan(&self, proposal: ProposalId) -> Result<Vec<Event>, Refusal> {
        match &self.state {
            RunState::Failed { .. } | RunState::Stalled { .. } => {
                Ok(vec![Event::ReplanBegun { proposal }])
            }
            _ if self.replanned_by() == Some(proposal) => Ok(Vec::new()),
            state => Err(Refusal::RunState {
                state: state.word(),
                wish: "planned anew",
            }),
        }
    }

    /// Whoever sees a proposal end tells the run; of several, the second one tells nothing new.
    pub(super) fn decide_replan_end(&self, proposal: ProposalId, end: ReplanEnd) -> Vec<Event> {
        let waits = self.replanned_by() == Some(proposal);
        if waits {
            vec![Event::ReplanEnded { proposal, end }]
        } else {
            Vec::new()
        }
    }

    pub(super) fn replan_fits(&self, event: &Event) -> bool {
        match event {
            Event::ReplanBegun { .. } => BeforeReplan::of(&self.state).is_some(),
            Event::ReplanEnded { proposal, .. } => self.replanned_by() == Some(*proposal),
            _ => false,
        }
    }

    pub(super) fn begin_replan(&mut self, proposal: ProposalId) {
        if let Some(before) = BeforeReplan::of(&self.state) {
            self.state = RunState::Replanning { proposal, before };
        }
    }

    pub(super) fn end_replan(&mut self) {
        if let RunState::Replanning { before, .. } = &self.state {
            self.state = before.clone().into();
        }
    }
}
