//! What goes on at the moment, as the shell itself needs it: for the tray, and before the window goes.

use baton_api::wire::{OpenRun, Overview, RunState};
use baton_api::{App, call};
use serde_json::json;

/// Reads the overview. What cannot be read is logged, and nothing is known then.
pub(crate) fn read(app: &App) -> Option<Overview> {
    let answer = call(app, "overview_get", json!({}));
    let answer = answer
        .inspect_err(|error| tracing::warn!(%error, "the overview could not be read"))
        .ok()?;
    serde_json::from_value(answer)
        .inspect_err(|error| tracing::error!(%error, "the overview was not understood"))
        .ok()
}

/// The runs that stop to start nodes when this process ends.
pub(crate) fn runs_here(overview: &Overview) -> impl Iterator<Item = &OpenRun> {
    overview
        .runs
        .iter()
        .filter(|open| open.here && matches!(open.state, RunState::Running { .. }))
}
