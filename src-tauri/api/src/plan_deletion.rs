//! Deleting plans, restoring them, and removing them for good after 30 days.

use baton_model::{PlanId, Timestamp};
use baton_planning::run_snapshots::RunSnapshots;
use baton_store::{RunRow, StoreError};

use crate::wire::*;
use crate::{ApiError, App, Code, plans};

/// Deletes a plan so that it can be restored. Refused while it is running.
pub(crate) fn delete(app: &App, input: PlanDelete) -> Result<Done, ApiError> {
    let runs = runs_of(app, input.plan)?;
    // Also refused for a run whose executor is dead: its sessions may still be running, and they
    // could no longer be found.
    if let Some(run) = runs
        .iter()
        .find(|run| run.state.is_running() || app.executes(run.id))
    {
        let plan = input.plan;
        return Err(StoreError::PlanIsRunning {
            plan,
            runs: vec![run.id],
        }
        .into());
    }
    let ours = app.engine.executor();
    let lives = |executor: &baton_store::ExecutorRow| {
        executor.id != ours && app.engine.may_be_active(executor)
    };
    let (plan, base) = (input.plan, input.base_revision);
    app.store
        .plans()
        .delete_revision(plan, base, app.now(), lives)?;
    Ok(Done {})
}

/// Restores a deleted plan with its runs, handoffs and approvals.
pub(crate) fn restore(app: &App, input: PlanRef) -> Result<PlanView, ApiError> {
    app.store.plans().restore(input.plan)?;
    plans::view(app, input.plan)
}

/// Lists the deleted plans, last deleted first.
pub(crate) fn list(app: &App, _: Nothing) -> Result<Vec<DeletedPlan>, ApiError> {
    Ok(app.store.plans().deleted()?.rows)
}

/// Removes a deleted plan for good, with its runs, handoffs, sessions, and file snapshots.
pub(crate) fn purge(app: &App, input: PlanRef) -> Result<Done, ApiError> {
    let deleted = app.store.plans().deleted()?.rows;
    if !deleted.iter().any(|plan| plan.id == input.plan) {
        // The store says whether it exists.
        app.store.plans().purge(input.plan)?;
        return Ok(Done {});
    }
    let runs = runs_of(app, input.plan)?;
    let mut folders = Vec::new();
    for run in &runs {
        let sessions = app.store.sessions().list(Some(run.id), u32::MAX)?.rows;
        folders.extend(
            sessions
                .into_iter()
                .map(|session| app.store.data_dir().join(session.folder)),
        );
    }
    let ids: Vec<_> = runs.iter().map(|run| run.id).collect();
    let snapshots = RunSnapshots::of(app.context(), runs);
    app.store.plans().purge(input.plan)?;
    for run in ids {
        baton_engine::remove_step_log(app.store.data_dir(), run);
    }
    snapshots.remove(app.context(), |_| true);
    for folder in folders {
        // Leftover files only take up disk space. The plan is removed either way.
        match std::fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                tracing::warn!(folder = %folder.display(), %error, "couldn't remove a session's folder");
            }
            _ => {}
        }
    }
    Ok(Done {})
}

fn runs_of(app: &App, plan: PlanId) -> Result<Vec<RunRow>, ApiError> {
    Ok(app.store.runs().list(Some(plan), u32::MAX)?.rows)
}

/// Fails if the plan was deleted. A plan that never existed has no runs, which is no error.
pub(crate) fn refuse_deleted(app: &App, plan: PlanId) -> Result<(), ApiError> {
    match app.store.plans().record(plan) {
        Err(error @ StoreError::PlanDeleted { .. }) => Err(error.into()),
        _ => Ok(()),
    }
}

/// The deleted plans whose time to be restored is over.
fn due(deleted: &[DeletedPlan], now: Timestamp) -> impl Iterator<Item = PlanId> {
    let due = deleted.iter().filter(move |plan| plan.deleted_until <= now);
    due.map(|plan| plan.id)
}

/// Removes the plans that can't be restored any more.
pub(crate) fn purge_due(app: &App) -> Result<(), ApiError> {
    for plan in due(&app.store.plans().deleted()?.rows, app.now()) {
        match purge(app, PlanRef { plan }) {
            Err(error) if !matches!(error.code, Code::NotFound | Code::Refused) => {
                return Err(error);
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use baton_store::deleted_until;

    use super::*;

    #[test]
    fn plans_are_removed_thirty_days_after_deletion() {
        let day = 24 * 60 * 60 * 1000;
        let deleted = |id: u128, at: i64| DeletedPlan {
            id: PlanId(uuid::Uuid::from_u128(id)),
            title: String::new(),
            deleted_at: Timestamp(at),
            deleted_until: deleted_until(Timestamp(at)),
            node_count: 0,
            run_count: 0,
        };
        let plans = [deleted(1, 0), deleted(2, day)];
        for (now, count) in [(0, 0), (30 * day - 1, 0), (30 * day, 1), (31 * day, 2)] {
            assert_eq!(due(&plans, Timestamp(now)).count(), count, "at {now}");
        }
    }
}
