//! Waiting for a run, whoever executes it.

use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use baton_model::planning::ProposalState;
use baton_model::{RunId, RunState};
use baton_planning::proposals;
use baton_store::{Change, RunRow};

use crate::wire::*;
use crate::{ApiError, App, Code, run_summary};

/// The longest wait. A caller that wants more calls again.
pub(crate) const MAX_TIMEOUT_MS: u32 = 60_000;

/// Waits until a run has ended, continues only after a person did something, or has a new event that
/// the caller asked for. Returns at the time limit in any case.
pub(crate) fn wait(app: &App, input: RunWait) -> Result<RunWaited, ApiError> {
    if input.timeout_ms > MAX_TIMEOUT_MS {
        let message = format!("a wait takes at most {MAX_TIMEOUT_MS} ms");
        return Err(ApiError::new(Code::BadInput, message).with_fix("wait again afterwards"));
    }
    let end = Instant::now() + Duration::from_millis(input.timeout_ms.into());
    // From before the first look, so that no change is missed in between.
    let changes = app.store.subscribe();
    loop {
        let found = look(app, input.run)?;
        if has_news(&input, &found) {
            return Ok(found);
        }
        loop {
            match changes.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(change) if concerns(&change, input.run) => break,
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    return look(app, input.run);
                }
            }
        }
    }
}

/// Whether there is something to report before the time limit.
pub(crate) fn has_news(wait: &RunWait, found: &RunWaited) -> bool {
    found.ended || found.waits_for_person || wait.after.is_some_and(|after| found.seq > after)
}

fn concerns(change: &Change, run: RunId) -> bool {
    match change {
        Change::RunChanged { run: changed, .. } => *changed == run,
        Change::RunsDeleted { runs, .. } => runs.contains(&run),
        // A run that replans waits for its proposal.
        Change::ProposalChanged { .. } | Change::PlanDeleted { .. } | Change::Everything => true,
        _ => false,
    }
}

fn look(app: &App, run: RunId) -> Result<RunWaited, ApiError> {
    let row = app.store.runs().get(run)?;
    let seq = row.last_seq;
    let waits_for_person = waits_for_person(app, &row)?;
    let run = run_summary::summary(app, row)?;
    Ok(RunWaited {
        seq,
        ended: run.state.has_ended(),
        waits_for_person,
        run,
    })
}

fn waits_for_person(app: &App, row: &RunRow) -> Result<bool, ApiError> {
    Ok(match &row.state {
        RunState::Running { .. } => row.waits_for_person,
        RunState::Paused { .. } | RunState::Stalled { .. } => true,
        RunState::Replanning { proposal, .. } => {
            let proposal = proposals::current(app.context(), *proposal)?;
            matches!(
                proposal.state,
                ProposalState::Ready | ProposalState::NeedsReview
            )
        }
        RunState::Completed | RunState::Failed { .. } | RunState::Cancelled => false,
    })
}
