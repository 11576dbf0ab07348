//! The one word for the state of a plan, from its review and its latest run.

use baton_api::wire::{NodeRunView, PlanView, RunProgress, RunSummary};
use baton_model::plan_status::LatestRun;
use baton_model::run::WaitingFor;
use baton_model::{NodeState, PlanStatus, ReviewState, RunState};

use crate::schema::words;

words! {
    /// What something waits for.
    pub(crate) enum WaitsFor {
        Person,
    }
}

/// Whether the latest run of a plan still says something about it: approving a new version makes the
/// runs of older ones history.
pub(crate) fn counts(run: &RunSummary, version: u32, review: ReviewState) -> bool {
    run.version == version || review != ReviewState::Approved
}

/// The latest run of a plan, if it counts.
pub(crate) fn counted_run(view: &PlanView) -> Option<&RunSummary> {
    let last = view.last_run.as_ref();
    last.filter(|run| counts(run, view.version, view.review))
}

/// The state of a plan. `nodes` are those of its latest run.
pub(crate) fn plan_status(view: &PlanView, nodes: &[NodeRunView]) -> PlanStatus {
    let latest = view.last_run.as_ref().map(|run| LatestRun {
        state: &run.state,
        waits_for_person: waits_for_person(nodes),
        is_current: run.version == view.version,
    });
    PlanStatus::of(view.review, latest.as_ref())
}

/// The state of one run in the word of its plan, whatever became of the plan since.
pub(crate) fn run_status(run: &RunProgress) -> PlanStatus {
    let latest = LatestRun {
        state: &run.summary.state,
        waits_for_person: waits_for_person(&run.nodes),
        is_current: true,
    };
    PlanStatus::of(ReviewState::Approved, Some(&latest))
}

/// Whether the plan continues only after a person did something, from its status and its latest run.
pub(crate) fn needs_person(status: PlanStatus, run: Option<&RunSummary>) -> bool {
    run.is_some_and(|run| match run.state {
        RunState::Stalled { .. } => true,
        RunState::Running { .. } => status == PlanStatus::Paused,
        _ => false,
    })
}

/// Whether all nodes that could continue wait for a person.
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
