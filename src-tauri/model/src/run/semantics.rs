//! Versions of the evaluation rules.
//!
//! No event records that a node is blocked or skipped because of its parents; it follows from their
//! events. So a run keeps the rules it started with, and an old history replays to the states that
//! people saw.

use serde::{Deserialize, Serialize};

use super::parent_counts::{ParentCounts, ParentOutcome, Readiness};
use super::state::NodeState;
use crate::graph::{Gate, StartRule};
use crate::node::TriggerRule;

/// How a run evaluates the ends of its nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Semantics {
    /// For histories without a version. Tolerated and handled failures count as done or skipped, a
    /// skipped condition opens both branches, a jump leaves reserved nodes alone, and every jump
    /// after a failure handles it.
    #[default]
    V1,
    /// Joins in nested branches were not recognized. Otherwise as documented in the README.
    V2,
    /// At level 2, a person was asked about calls of guarded tools in the plan. Otherwise as
    /// documented in the README.
    V3,
    /// The rules documented in the README.
    V4,
}

impl Semantics {
    /// Used to omit the version in old events.
    #[must_use]
    pub fn is_v1(&self) -> bool {
        *self == Self::V1
    }
}

/// The outcome of a parent for its child under [`Semantics::V1`].
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
        (state, _) => match ParentOutcome::from_state(state) {
            ParentOutcome::Tolerated | ParentOutcome::Passed => ParentOutcome::Done,
            ParentOutcome::Handled => ParentOutcome::NotRun,
            outcome => outcome,
        },
    }
}

/// The evaluation of trigger rules under [`Semantics::V1`].
pub(super) fn readiness_v1(counts: ParentCounts, rule: StartRule) -> Readiness {
    let ParentCounts {
        done,
        failed,
        not_run: skipped,
        open,
        ..
    } = counts;
    if done + failed + skipped + open == 0 {
        return Readiness::Ready;
    }
    let at_the_end = |holds: bool, otherwise: Readiness| match (open, holds) {
        (0, true) => Readiness::Ready,
        (0, false) => otherwise,
        _ => Readiness::Wait,
    };
    let rule = match rule {
        StartRule::Written(rule) => rule,
        StartRule::Join => TriggerRule::NoneFailedMinOneSuccess,
    };
    match rule {
        TriggerRule::AllSuccess if failed > 0 => Readiness::Blocked,
        TriggerRule::AllSuccess if skipped > 0 => Readiness::Skip,
        TriggerRule::AllSuccess | TriggerRule::AllDone => at_the_end(true, Readiness::Skip),
        TriggerRule::OneSuccess if done > 0 => Readiness::Ready,
        TriggerRule::OneSuccess => at_the_end(
            false,
            if failed > 0 {
                Readiness::Blocked
            } else {
                Readiness::Skip
            },
        ),
        TriggerRule::OneFailed if failed > 0 => Readiness::Ready,
        TriggerRule::OneFailed => at_the_end(false, Readiness::Skip),
        TriggerRule::NoneFailed | TriggerRule::NoneFailedMinOneSuccess if failed > 0 => {
            Readiness::Blocked
        }
        TriggerRule::NoneFailed => at_the_end(true, Readiness::Skip),
        TriggerRule::NoneFailedMinOneSuccess => at_the_end(done > 0, Readiness::Skip),
    }
}
