//! Waiting for the next event of a run, whichever process executes it.

use std::time::{Duration, Instant};

use baton_model::RunId;
use serde_json::json;

use crate::wire::{Change, RunProgress};
use crate::{ApiError, App, operations};

impl App {
    /// Waits until the last event of `run` is another one than `after`, the run has ended, or
    /// `timeout` is over. The caller reads the run to see which.
    ///
    /// Fails if the caller may not read the run.
    pub fn wait_for_run_event(
        &self,
        run: RunId,
        after: u64,
        timeout: Duration,
    ) -> Result<(), ApiError> {
        let end = Instant::now() + timeout;
        // Subscribed before the first look, so that nothing between them is missed.
        let changes = self.changes();
        loop {
            let input = json!({ "run": run, "after": after });
            let progress: RunProgress = operations::call_typed(self, "run_progress", input)?;
            if progress.seq != after || progress.summary.state.has_ended() {
                return Ok(());
            }
            loop {
                match changes.recv_timeout(end.saturating_duration_since(Instant::now())) {
                    Ok(Some(change)) if concerns(&change, run) => break,
                    Ok(Some(_)) => {}
                    Ok(None) | Err(_) => return Ok(()),
                }
            }
        }
    }
}

fn concerns(change: &Change, run: RunId) -> bool {
    match change {
        Change::Run { run: changed, .. } => *changed == run,
        Change::RunDeleted { runs, .. } => runs.contains(&run),
        Change::PlanDeleted { .. } | Change::All => true,
        _ => false,
    }
}
