//! What a parent's state means to each of its children: the column of the child's tally it counts in.

use super::state::NodeState;
use super::tally::Column;
use crate::graph::Gate;

/// Where a parent in `state` counts for a child behind `gate`; `taken` is the branch that it took.
///
/// Where the run goes on after a failure is not asked here: see [`Jumps`](super::jump::Jumps).
pub(super) fn column(state: &NodeState, taken: Option<bool>, gate: Gate) -> Column {
    let by_the_way = |open: bool| if open { Column::Done } else { Column::Skipped };
    match (state, gate) {
        // By hand nobody chose a branch: both are open.
        (NodeState::Done { .. }, Gate::True) => by_the_way(taken != Some(false)),
        (NodeState::Done { .. }, Gate::False) => by_the_way(taken != Some(true)),
        (NodeState::Done { .. } | NodeState::Skipped { .. }, Gate::Failure) => Column::Skipped,
        (NodeState::Failed { went_on_at: Some(_), .. }, Gate::Failure | Gate::DoneOrFailure) => Column::Done,
        // Its failure is dealt with elsewhere.
        (NodeState::Failed { went_on_at: Some(_), .. }, _) => Column::Skipped,
        (state, _) => Column::of(state),
    }
}
