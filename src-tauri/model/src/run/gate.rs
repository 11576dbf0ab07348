//! What a parent's state means for each child: the outcome that the child's trigger rule evaluates.

use super::parent_counts::ParentOutcome;
use super::state::NodeState;
use crate::graph::Gate;

/// The outcome of a parent in `state` for a child behind `gate`. `taken` is the branch that the
/// parent took.
///
/// Jumps after a failure are handled separately: see [`JumpCounts`](super::jump::JumpCounts).
pub(super) fn outcome(state: &NodeState, taken: Option<bool>, gate: Gate) -> ParentOutcome {
    use ParentOutcome::{Done, Handled, NotRun, Passed, Tolerated};
    match (ParentOutcome::from_state(state), gate) {
        // A condition that a person marked as done chose no branch, so both are open.
        (Done, Gate::True) if taken == Some(false) => NotRun,
        (Done, Gate::False) if taken == Some(true) => NotRun,
        // A condition that failed or was skipped opens no branch.
        (Tolerated | Passed, Gate::True | Gate::False | Gate::Either) => NotRun,
        // Nothing failed, so the run has no reason to continue there.
        (Done | Tolerated | Passed, Gate::Failure) => NotRun,
        // The child handles the failure.
        (Handled, Gate::Failure | Gate::DoneOrFailure) => Done,
        (outcome, _) => outcome,
    }
}
