//! A run that is being replanned: its previous state, and how replanning ends.
//!
//! The run only records that a proposal is being made or awaits a decision. Who plans and what
//! happens to the proposal is handled elsewhere, see [`planning`](crate::planning).

use serde::{Deserialize, Serialize};

use super::Run;
use super::command::Refusal;
use super::error_handler::HandlerState;
use super::event::Event;
use super::state::RunState;
use crate::{ProposalId, RunId};

/// The state of a run before replanning, to which it returns afterwards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "state",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum BeforeReplan {
    /// No node could continue without a person.
    Stalled {
        /// The nodes, and what they need.
        message: String,
    },
    /// The run had failed.
    Failed {
        /// The nodes and reasons.
        message: String,
        /// The plan that runs after the failure, unless replanning continues the run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        handler: Option<HandlerState>,
    },
}

impl BeforeReplan {
    /// The state to return to; `None` if a run in `state` can't be replanned, or already is.
    fn of(state: &RunState) -> Option<Self> {
        match state {
            RunState::Stalled { message } => Some(Self::Stalled {
                message: message.clone(),
            }),
            RunState::Failed { message, handler } => Some(Self::Failed {
                message: message.clone(),
                handler: handler.clone(),
            }),
            _ => None,
        }
    }

    /// The nodes and reasons.
    #[must_use]
    pub fn message(&self) -> &str {
        match self {
            Self::Stalled { message } | Self::Failed { message, .. } => message,
        }
    }
}

impl From<BeforeReplan> for RunState {
    fn from(before: BeforeReplan) -> Self {
        match before {
            BeforeReplan::Stalled { message } => Self::Stalled { message },
            BeforeReplan::Failed { message, handler } => Self::Failed { message, handler },
        }
    }
}

/// How the replanning of a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "how",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum ReplanEnd {
    /// A person accepted the new version.
    Accepted {
        /// The run that continues with it; `None` if a person starts one later, or not at all.
        run: Option<RunId>,
    },
    /// A person rejected it.
    Rejected,
    /// There was no usable answer, the planner was canceled, or the proposal expired.
    GivenUp,
}

impl Run {
    /// The proposal that the run waits for.
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
                state: state.predicate(),
                action: "replanned",
            }),
        }
    }

    /// Every process that sees a proposal end reports it. Only the first report has an effect.
    pub(super) fn decide_replan_end(&self, proposal: ProposalId, end: ReplanEnd) -> Vec<Event> {
        let waits = self.replanned_by() == Some(proposal);
        if waits {
            vec![Event::ReplanEnded { proposal, end }]
        } else {
            Vec::new()
        }
    }

    pub(super) fn accepts_replan_event(&self, event: &Event) -> bool {
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

    /// After an acceptance, a new run continues the work or a person starts one: no error handler is
    /// due any more.
    pub(super) fn end_replan(&mut self, end: ReplanEnd) {
        if let RunState::Replanning { before, .. } = &self.state {
            self.state = before.clone().into();
        }
        if let (ReplanEnd::Accepted { .. }, RunState::Failed { handler, .. }) =
            (end, &mut self.state)
        {
            handler.take_if(|handler| matches!(handler, HandlerState::Due { .. }));
        }
    }
}
