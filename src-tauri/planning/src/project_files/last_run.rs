//! What a plan's file says about its last run, for projects that want it.

use baton_formats::project_file::LastRun;
use baton_model::PlanId;

use crate::projects::ProjectFilesSwitch;
use crate::{Context, PlanningError};

/// `None` before the first run, or if the project wants none.
pub(super) fn last_run(
    context: &Context,
    switch: &ProjectFilesSwitch,
    plan: PlanId,
) -> Result<Option<LastRun>, PlanningError> {
    if !switch.run_line {
        return Ok(None);
    }
    let runs = context.store.runs().list(Some(plan), 1)?;
    let last = runs.rows.into_iter().next();
    Ok(last.map(|row| LastRun {
        run: row.id,
        number: row.number,
        state: row.state.as_str().to_owned(),
        started_at: row.started_at,
        ended_at: row.ended_at,
    }))
}
