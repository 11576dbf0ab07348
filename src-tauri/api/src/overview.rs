//! Current activity over all plans, for the tray icon and before closing Baton.
//!
//! Reads no nodes, so it may be called every second, even with a large run.

use baton_planning::plan_versions::plan_version;
use baton_planning::proposals;
use baton_store::UnfinishedRun;

use crate::wire::*;
use crate::{ApiError, App, held_calls, inbox};

/// Returns running runs and the number of inbox items. A run that can't be read is logged and left
/// out.
pub(crate) fn get(app: &App, _: Nothing) -> Result<Overview, ApiError> {
    let waiting = inbox::list(app, Nothing {})?.len() + held_calls::waiting(app)?.len();
    let unfinished = app.store.runs().unfinished()?;
    for row in &unfinished.unreadable {
        tracing::warn!(id = %row.id, detail = %row.detail, "left a run out of the overview");
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
    let state = proposals::current_run_state(app.context(), run.state)
        .inspect_err(|error| tracing::warn!(%error, "left a run out of the overview"))
        .ok()?;
    if run.parent.is_some() || state.has_ended() || state.stopped_at_goal() {
        return None;
    }
    let plan = plan_version(app.context(), run.plan, run.version);
    let plan = plan
        .inspect_err(|error| tracing::warn!(%error, "left a run out of the overview"))
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
