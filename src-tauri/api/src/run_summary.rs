//! The summary of a run, as returned by lists and commands.

use baton_model::RunId;
use baton_planning::plan_versions::plan_version;
use baton_planning::{proposals, run_executor};
use baton_store::{NodeStatus, RunRow};

use crate::wire::*;
use crate::{ApiError, App};

/// Summarizes a run and its progress.
pub(crate) fn summary(app: &App, row: RunRow) -> Result<RunSummary, ApiError> {
    let plan = plan_version(app.context(), row.plan, row.version)?;
    let progress = app.store.node_states().statuses(row.id)?;
    Ok(RunSummary {
        skipped_failures: skipped_failures(app, row.id, &progress)?,
        damage: None,
        pinned_nodes: Some(row.pinned_nodes).filter(|count| *count > 0),
        progress,
        attendance: run_executor(app.context(), &row)?,
        title: plan.title.clone(),
        id: row.id,
        plan: row.plan,
        number: row.number,
        version: row.version,
        goal: row.goal,
        started_at: row.started_at.unwrap_or(row.created_at),
        ended_at: row.ended_at,
        state: proposals::current_run_state(app.context(), row.state)?,
    })
}

/// Number of nodes that failed and were skipped. Queried only for runs that have such nodes.
pub(crate) fn skipped_failures(
    app: &App,
    run: RunId,
    progress: &[NodeStatus],
) -> Result<Option<u32>, ApiError> {
    if !progress.contains(&NodeStatus::FailedSkipped) {
        return Ok(None);
    }
    Ok(Some(app.store.node_states().skipped_failures(run)?).filter(|count| *count > 0))
}
