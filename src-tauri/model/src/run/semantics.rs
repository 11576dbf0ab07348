//! Which version of the rules a run follows.
//!
//! That a node is blocked or skipped because of its parents stands in no event: it follows from theirs. So a run keeps
//! the rules under which it began, and an old history replays to the states that people saw.

use serde::{Deserialize, Serialize};

use super::state::NodeState;
use super::tally::{ParentOutcome, Tally, Verdict};
use crate::graph::{Gate, StartRule};
use crate::node::TriggerRule;

/// How a run judges the ends of its nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Semantics {
    /// The rules of histories that name none. Tolerated and handled failures count as done or skipped, a condition that
    /// was skipped opens both branches, a jump leaves reserved nodes alone, and every jump after a failure handles it.
    #[default]
    V1,
    /// Joins were not told apart in branches of branches; the rest as the README documents.
    V2,
    /// At level 2 of autonomy a call of a guarded tool in the plan was asked; the rest as the README documents.
    V3,
    /// The rules that the README documents.
    V4,
}

impl Semantics {
    /// Whether an event says nothing of its semantics.
    #[must_use]
    pub fn is_v1(&self) -> bool {
        *self == Self::V1
    }
}

/// What a parent meant to its child under [`Semantics::V1`].
pub(super) fn outcome_v1(state: &NodeState, taken: Option<bool>, gate: Gate) -> ParentOutcome {
    let done_if = |open: bool| {
        if open {
            ParentOutcome::Done
        } else {
            ParentOutcome::NotRun
        }
    };
    match (state, gate) {
        (NodeState::Done { .. }, Gate::True) => done_if(taken != Some(false)),
        (NodeState::Done { .. }, Gate::False) => done_if(taken != Some(true)),
        (NodeState::Done { .. } | NodeState::Skipped { .. }, Gate::Failure) => {
            ParentOutcome::NotRun
        }
        (
            NodeState::Failed {
                went_on_at: Some(_),
                ..
            },
            Gate::Failure | Gate::DoneOrFailure,
        ) => ParentOutcome::Done,
        (state, _) => match ParentOutcome::of(state) {
            ParentOutcome::Tolerated | ParentOutcome::Passed => ParentOutcome::Done,
            ParentOutcome::Handled => ParentOutcome::NotRun,
            outcome => outcome,
        },
    }
}

/// What the trigger rules said to a tally under [`Semantics::V1`].
pub(super) fn verdict_v1(tally: Tally, rule: StartRule) -> Verdict {
    let Tally {
        done,
        failed,
        not_run: skipped,
        open,
        ..
    } = tally;
    if done + failed + skipped + open == 0 {
        return Verdict::Ready;
    }
    let at_the_end = |holds: bool, otherwise: Verdict| match (open, holds) {
        (0, true) => Verdict::Ready,
        (0, false) => otherwise,
        _ => Verdict::Wait,
    };
    let rule = match rule {
        StartRule::Written(rule) => rule,
        StartRule::Join => TriggerRule::NoneFailedMinOneSuccess,
    };
    match rule {
        TriggerRule::AllSuccess if failed > 0 => Verdict::Blocked,
        TriggerRule::AllSuccess if skipped > 0 => Verdict::Skip,
        TriggerRule::AllSuccess | TriggerRule::AllDone => at_the_end(true, Verdict::Skip),
        TriggerRule::OneSuccess if done > 0 => Verdict::Ready,
        TriggerRule::OneSuccess => at_the_end(
            false,
            if failed > 0 {
                Verdict::Blocked
            } else {
                Verdict::Skip
            },
        ),
        TriggerRule::OneFailed if failed > 0 => Verdict::Ready,
        TriggerRule::OneFailed => at_the_end(false, Verdict::Skip),
        TriggerRule::NoneFailed | TriggerRule::NoneFailedMinOneSuccess if failed > 0 => {
            Verdict::Blocked
        }
        TriggerRule::NoneFailed => at_the_end(true, Verdict::Skip),
        TriggerRule::NoneFailedMinOneSuccess => at_the_end(done > 0, Verdict::Skip),
    }
}
