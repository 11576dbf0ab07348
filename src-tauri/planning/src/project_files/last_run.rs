//! The line about a plan's last run, for projects that want it.

use baton_model::PlanId;

use crate::projects::ProjectFilesSwitch;
use crate::{Context, PlanningError};

/// One line, such as `#4: completed`; `None` before the first run, or if the project wants none.
pub(super) fn line(
    context: &Context,
    switch: &ProjectFilesSwitch,
    plan: PlanId,
) -> Result<Option<String>, PlanningError> {
    if !switch.run_line {
        return Ok(None);
    }
    let runs = context.store.runs().list(Some(plan), 1)?;
    let last = runs.rows.into_iter().next();
    Ok(last.map(|run| format!("#{}: {}", run.number, run.state.as_str())))
}
