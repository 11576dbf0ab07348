//! The plan that runs after a run has failed: its error handler.
//!
//! The run only records that its handler is due, and what became of it. Who starts the handler is
//! decided elsewhere. A run that is itself called, by a node or as a handler, has no handler: a
//! failure of a nested run belongs to the run above it, and handlers never call each other. A run
//! with pinned outputs is a test, so its failure has none either.

use serde::{Deserialize, Serialize};

use super::Run;
use super::event::Event;
use super::state::RunState;
use crate::{PlanId, RunId};

/// What is known of the error handler of a failed run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "state",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum HandlerState {
    /// It has to be started.
    Due {
        /// The plan's title or ID, as in the setting.
        plan: String,
        /// The number of the event by which the run failed. Each failure has its own handler run.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        end: u64,
    },
    /// It was started.
    Started {
        /// The handler's run.
        run: RunId,
        /// The plan that it executes.
        plan: PlanId,
    },
    /// It could not be started, and a person has to know.
    NotStarted {
        /// The plan's title or ID, as in the setting.
        plan: String,
        /// Why.
        problem: HandlerProblem,
        /// As in [`HandlerState::Due`]. Missing in states that earlier versions of Baton stored; a
        /// replayed run has it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional, type = "number"))]
        end: Option<u64>,
    },
}

/// What became of an error handler that was due.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "outcome",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum HandlerOutcome {
    /// It was started.
    Started {
        /// The handler's run.
        run: RunId,
        /// The plan that it executes.
        plan: PlanId,
    },
    /// It could not be started.
    NotStarted {
        /// Why.
        problem: HandlerProblem,
    },
}

/// Why an error handler could not be started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "problem",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum HandlerProblem {
    /// There is no such plan: it was deleted or renamed.
    Unknown,
    /// Several plans have that title.
    Ambiguous,
    /// It is the plan that failed.
    Itself,
    /// No version of it is approved.
    NotApproved,
    /// Files that its criteria run have changed since it was approved.
    Outdated,
    /// It can't run.
    Refused {
        /// The reason, as a fragment for people.
        detail: String,
    },
}

/// The run whose failure a handler's run was started for, as it was then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FailedRun {
    /// The failed run, which may have been deleted since.
    pub run: RunId,
    /// The number of the event by which it failed.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub end: u64,
    /// Its plan.
    pub plan: PlanId,
    /// Counts the runs of its plan from 1.
    pub number: u32,
    /// The title of its plan.
    pub title: String,
}

impl Run {
    /// The plan that has to run if this run fails now.
    pub(super) fn handler_after_failure(&self) -> Option<String> {
        let named = self.plan.settings.on_failure.as_deref().map(str::trim);
        let may_have = self.caller.is_none() && !self.uses_pinned_outputs();
        named
            .filter(|name| !name.is_empty() && may_have)
            .map(str::to_owned)
    }

    /// Every process that sees a run fail may report what became of the handler. Only the first
    /// report on each failure has an effect, and the first start of a handler that was refused.
    pub(super) fn decide_handler(&self, end: u64, outcome: &HandlerOutcome) -> Vec<Event> {
        if self.end_without_handler() == Some(end) && self.may_decide_handler(outcome) {
            let outcome = outcome.clone();
            return vec![Event::HandlerDecided { outcome }];
        }
        Vec::new()
    }

    /// Whether something can still become of the handler. A refused one can only be started.
    pub(super) fn may_decide_handler(&self, outcome: &HandlerOutcome) -> bool {
        match self.state.handler() {
            Some(HandlerState::Due { .. }) => true,
            Some(HandlerState::NotStarted { .. }) => {
                matches!(outcome, HandlerOutcome::Started { .. })
            }
            Some(HandlerState::Started { .. }) | None => false,
        }
    }

    fn end_without_handler(&self) -> Option<u64> {
        match self.state.handler() {
            Some(HandlerState::Due { end, .. }) => Some(*end),
            Some(HandlerState::NotStarted { end, .. }) => *end,
            Some(HandlerState::Started { .. }) | None => None,
        }
    }

    pub(super) fn end_as_failed(&mut self, message: &str, handler: Option<&String>) {
        let end = self.sequence + 1;
        let due = |plan: &String| HandlerState::Due {
            plan: plan.clone(),
            end,
        };
        self.state = RunState::Failed {
            message: message.to_owned(),
            handler: handler.map(due),
        };
    }

    pub(super) fn settle_handler(&mut self, outcome: &HandlerOutcome) {
        let RunState::Failed {
            handler: Some(handler),
            ..
        } = &mut self.state
        else {
            return;
        };
        let (name, end) = match handler {
            HandlerState::Due { plan, end } => (std::mem::take(plan), Some(*end)),
            HandlerState::NotStarted { plan, end, .. } => (std::mem::take(plan), *end),
            HandlerState::Started { .. } => return,
        };
        *handler = match outcome {
            HandlerOutcome::Started { run, plan } => HandlerState::Started {
                run: *run,
                plan: *plan,
            },
            HandlerOutcome::NotStarted { problem } => HandlerState::NotStarted {
                plan: name,
                problem: problem.clone(),
                end,
            },
        };
    }
}

impl HandlerState {
    /// Whether the handler of the failure with the event number `failure` may be started: when it
    /// is due, or when a person starts it after it was refused.
    #[must_use]
    pub fn may_start(&self, failure: u64) -> bool {
        match self {
            Self::Due { end, .. } => *end == failure,
            Self::NotStarted { end, .. } => end.is_none_or(|end| end == failure),
            Self::Started { .. } => false,
        }
    }
}
