//! The one word for the state of a plan, from its review and its latest run.

use baton_api::wire::{NodeRunView, PlanView, RunSummary};
use baton_model::run::WaitingFor;
use baton_model::{NodeState, ReviewState, RunState};

use crate::schema::words;

words! {
    /// The state of a plan in one word.
    pub(crate) enum PlanStatusWord {
        /// It has no run that counts.
        Pending,
        Running,
        /// A person paused it, or nothing in it can go on without a person.
        Paused,
        Completed,
        Failed,
        Cancelled,
    }
    /// What something waits for.
    pub(crate) enum WaitsFor {
        Person,
    }
}

/// The latest run, if it still says something about the plan: approving a new version makes the runs
/// of older ones history.
pub(crate) fn counted_run(view: &PlanView) -> Option<&RunSummary> {
    let counts =
        |run: &&RunSummary| run.version == view.version || view.review != ReviewState::Approved;
    view.last_run.as_ref().filter(counts)
}

/// The state of a plan. `nodes` are those of its latest run.
pub(crate) fn plan_status(view: &PlanView, nodes: &[NodeRunView]) -> PlanStatusWord {
    let Some(run) = counted_run(view) else {
        return match view.review {
            ReviewState::Rejected | ReviewState::Cancelled => PlanStatusWord::Cancelled,
            ReviewState::Draft
            | ReviewState::Proposed
            | ReviewState::Approved
            | ReviewState::NeedsReview => PlanStatusWord::Pending,
        };
    };
    match run.state {
        RunState::Running { .. } if waits_for_person(nodes) => PlanStatusWord::Paused,
        RunState::Running { .. } | RunState::Replanning { .. } => PlanStatusWord::Running,
        RunState::Paused { .. } | RunState::Stalled { .. } => PlanStatusWord::Paused,
        RunState::Completed => PlanStatusWord::Completed,
        RunState::Failed { .. } => PlanStatusWord::Failed,
        RunState::Cancelled => PlanStatusWord::Cancelled,
    }
}

/// Whether all nodes that could go on wait for a person.
pub(crate) fn waits_for_person(nodes: &[NodeRunView]) -> bool {
    let mut active = nodes
        .iter()
        .filter(|node| {
            matches!(
                node.state,
                NodeState::Running | NodeState::Waiting { .. } | NodeState::Interrupted { .. }
            )
        })
        .peekable();
    active.peek().is_some() && active.all(|node| is_for_person(&node.state))
}

/// Whether a node waits for a person.
pub(crate) fn is_for_person(state: &NodeState) -> bool {
    match state {
        NodeState::Interrupted { .. } => true,
        NodeState::Waiting { what } => matches!(
            what,
            WaitingFor::Approval { .. }
                | WaitingFor::Input { .. }
                | WaitingFor::Merge { .. }
                | WaitingFor::Person { .. }
        ),
        _ => false,
    }
}
