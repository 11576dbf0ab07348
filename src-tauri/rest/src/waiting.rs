//! Waiting until a run has ended, or until nothing in it can go on without a person.

use std::time::{Duration, Instant};

use baton_api::wire::{RunProgress, RunSummary};
use baton_model::{RunId, RunState};
use serde_json::json;

use crate::RestError;
use crate::request::Operations;
use crate::resources::waits_for_person;

/// How soon it is noticed that nobody waits any more.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Waits until the run is at rest, `until` is over, or `is_wanted` says that nobody waits any more.
/// Returns its progress then. Works for runs of any executor, because all changes are announced.
pub(crate) fn wait_until_rest(
    operations: &Operations,
    run: RunId,
    until: Option<Instant>,
    is_wanted: &dyn Fn() -> bool,
) -> Result<RunProgress, RestError> {
    let changes = operations.0.app_for("run_progress")?.changes();
    loop {
        let progress: RunProgress =
            operations.call("run_progress", &json!({ "run": run, "after": 0 }))?;
        if is_at_rest(&progress) {
            return Ok(progress);
        }
        // Any change may be the one that matters, and many come at once.
        loop {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            if left == Some(Duration::ZERO) || !is_wanted() {
                return Ok(progress);
            }
            let patience = left.map_or(CHECK_INTERVAL, |left| left.min(CHECK_INTERVAL));
            match changes.recv_timeout(patience) {
                Ok(None) => {}
                Ok(Some(_)) => {
                    while changes.try_recv().is_some() {}
                    break;
                }
                Err(_) => return Ok(progress),
            }
        }
    }
}

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
