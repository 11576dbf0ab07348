//! What a parent's state means to each of its children: the outcome that the child's trigger rule judges.

use super::state::NodeState;
use super::tally::ParentOutcome;
use crate::graph::Gate;

/// The outcome of a parent in `state` for a child behind `gate`; `taken` is the branch that the parent took.
///
/// Where the run goes on after a failure is not asked here: see [`Jumps`](super::jump::Jumps).
pub(super) fn outcome(state: &NodeState, taken: Option<bool>, gate: Gate) -> ParentOutcome {
    use ParentOutcome::{Done, Handled, NotRun, Passed, Tolerated};
    match (ParentOutcome::of(state), gate) {
        // A condition that a person marked as done chose no branch: both are open.
        (Done, Gate::True) if taken == Some(false) => NotRun,
        (Done, Gate::False) if taken == Some(true) => NotRun,
        // A condition that failed or was skipped opens no branch.
        (Tolerated | Passed, Gate::True | Gate::False | Gate::Either) => NotRun,
        // Nothing failed, so that the run has no reason to go on there.
        (Done | Tolerated | Passed, Gate::Failure) => NotRun,
        // The child is where the failure is handled.
        (Handled, Gate::Failure | Gate::DoneOrFailure) => Done,
        (outcome, _) => outcome,
    }
}
