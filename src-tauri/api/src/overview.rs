//! What goes on at the moment, over all plans: for the tray, and for whoever wants to know before Baton is closed.
//!
//! Reads no nodes, so that it may be asked every second beside a large run.

use baton_planning::replans;
use baton_store::UnfinishedRun;

use crate::wire::*;
use crate::{ApiError, App, held_calls, inbox, plans};

/// Tells what runs and how much waits for the person. A run that cannot be read is left out and logged.
pub(crate) fn get(app: &App, _: Nothing) -> Result<Overview, ApiError> {
    let waiting = inbox::list(app, Nothing {})?.len() + held_calls::waiting(app)?.len();
    let unfinished = app.store.runs().unfinished()?;
    for row in &unfinished.unreadable {
        tracing::warn!(id = %row.id, detail = %row.detail, "a run is left out of the overview");
    }
    let runs = unfinished
        .rows
        .into_iter()
        .filter_map(|row| open_run(app, row))
        .collect();
    Ok(Overview {
        runs,
        waiting: u32::try_from(waiting).unwrap_or(u32::MAX),
    })
}

fn open_run(app: &App, UnfinishedRun { run, .. }: UnfinishedRun) -> Option<OpenRun> {
    let state = replans::current_state(app.context(), run.state)
        .inspect_err(|error| tracing::warn!(%error, "a run is left out of the overview"))
        .ok()?;
    if run.parent.is_some() || state.has_ended() || state.rests_at_goal() {
        return None;
    }
    let plan = plans::content(app, run.plan, run.version);
    let plan = plan
        .inspect_err(|error| tracing::warn!(%error, "a run is left out of the overview"))
        .ok()?;
    let here = app.executes(run.id);
    Some(OpenRun {
        run: run.id,
        plan: run.plan,
        title: plan.title.clone(),
        state,
        here,
    })
}
