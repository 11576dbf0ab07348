//! Sending commands to the executor of a run.

use baton_model::RunId;
use baton_model::run::Command;

use crate::run_summary::summary;
use crate::wire::RunSummary;
use crate::{ApiError, App};

/// Sends a command to the executor of a run and returns the resulting summary.
pub(crate) fn send(app: &App, run: RunId, command: Command) -> Result<RunSummary, ApiError> {
    app.engine.command(run, command, app.actor())?;
    summary(app, app.store.runs().get(run)?)
}
