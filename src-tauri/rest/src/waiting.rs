//! Whether a run is at rest: it has ended, or nothing in it can continue without a person.

use baton_api::wire::{RunProgress, RunSummary};
use baton_model::RunState;

use crate::resources::waits_for_person;

/// Whether the run goes on only when a person does something, or never.
pub(crate) fn is_at_rest(run: &RunProgress) -> bool {
    match run.summary.state {
        RunState::Completed
        | RunState::Failed { .. }
        | RunState::Cancelled
        | RunState::Paused { .. }
        | RunState::Stalled { .. } => true,
        RunState::Running { ending: None } => waits_for_person(&run.nodes),
        RunState::Running { .. } | RunState::Replanning { .. } => false,
    }
}

/// How long a run took, in milliseconds; for one that hasn't ended, until its last node ended.
pub(crate) fn duration_ms(run: &RunProgress) -> u64 {
    let RunSummary {
        started_at,
        ended_at,
        ..
    } = run.summary;
    let last = run.nodes.iter().filter_map(|node| node.ended_at).max();
    let end = ended_at.or(last).unwrap_or(started_at);
    end.ms_since(started_at)
}
