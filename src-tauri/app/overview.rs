//! Reads the overview of current runs, for the tray and for quitting.

use baton_api::wire::{OpenRun, Overview, RunState};
use baton_api::{App, call};
use serde_json::json;

/// Reads the overview. Returns `None` after logging the error when that fails.
pub(crate) fn read(app: &App) -> Option<Overview> {
    let answer = call(app, "overview_get", json!({}));
    let answer = answer
        .inspect_err(|error| tracing::warn!(%error, "couldn't read the overview"))
        .ok()?;
    serde_json::from_value(answer)
        .inspect_err(|error| tracing::error!(%error, "couldn't parse the overview"))
        .ok()
}

/// Returns the runs that this process executes: they start no more nodes once it exits.
pub(crate) fn runs_here(overview: &Overview) -> impl Iterator<Item = &OpenRun> {
    overview
        .runs
        .iter()
        .filter(|open| open.here && matches!(open.state, RunState::Running { .. }))
}
