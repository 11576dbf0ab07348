//! Operations on executors: their health, and takeovers between them.

use baton_model::RunId;
use baton_store::{ActiveRun, ExecutorRow, SilenceRow, TakeoverRow};

use crate::wire::*;
use crate::{ApiError, App, damage};

/// Maximum number of takeovers listed.
const MAX_TAKEOVERS: u32 = 20;

/// Lists live executors, those that left a running run behind, and recent takeovers.
pub(crate) fn list(app: &App, _: Nothing) -> Result<ExecutorsView, ApiError> {
    let running = app.store.executors().active_runs()?.rows;
    let mut rows = app.store.executors().list_active()?.rows;
    for row in running.iter().filter_map(|run| run.row.as_ref()) {
        if !rows.iter().any(|known| known.id == row.id) {
            rows.push(row.clone());
        }
    }
    let silences = app.store.silences().list(MAX_TAKEOVERS)?;
    let executors = rows
        .into_iter()
        .map(|row| executor(app, row, &running, &silences))
        .collect::<Result<Vec<_>, _>>()?;
    let is_news =
        |view: &ExecutorView| view.health != ExecutorHealth::Gone || !view.runs.is_empty();
    let counts = app.store.takeovers().counts()?;
    let takeovers = app.store.takeovers().list(MAX_TAKEOVERS)?;
    Ok(ExecutorsView {
        executors: executors.into_iter().filter(is_news).collect(),
        numbers: TakeoverNumbers {
            takeovers: counts.takeovers,
            displacements: counts.displacements,
            inherited_whole: counts.inherited_whole,
            mean_recovery_ms: counts.mean_recovery_ms,
        },
        takeovers: takeovers
            .into_iter()
            .map(|row| takeover(app, row))
            .collect::<Result<_, _>>()?,
        silences: silences.into_iter().map(silence).collect(),
    })
}

fn executor(
    app: &App,
    row: ExecutorRow,
    running: &[ActiveRun],
    silences: &[SilenceRow],
) -> Result<ExecutorView, ApiError> {
    let (health, silence) = app.engine.executor_health(&row);
    let runs = running.iter().filter(|run| run.executor == row.id);
    let runs = runs.map(|run| {
        Ok(ExecutedRun {
            run: run.run,
            plan: run.plan,
            title: damage::plan_title_of_run(app, run.run)?.1,
        })
    });
    Ok(ExecutorView {
        runs: runs.collect::<Result<_, ApiError>>()?,
        here: row.id == app.engine.executor(),
        health: ExecutorHealth::from(health),
        silence_ms: u64::try_from(silence.as_millis()).unwrap_or(u64::MAX),
        silent_since: silences
            .iter()
            .find(|one| one.executor == row.id && one.back_at.is_none())
            .map(|one| one.since),
        id: row.id,
        kind: row.kind,
        pid: row.pid,
        host: row.host,
        started_at: row.started_at,
        last_beat: row.last_beat,
    })
}

fn silence(row: SilenceRow) -> SilenceView {
    let SilenceRow {
        executor,
        since,
        pid,
        kind,
        host,
        back_at,
        ..
    } = row;
    SilenceView {
        executor,
        pid,
        kind,
        host,
        since,
        back_at,
    }
}

fn takeover(app: &App, row: TakeoverRow) -> Result<TakeoverView, ApiError> {
    let (plan, title) = damage::plan_title_of_run(app, row.run)?;
    Ok(TakeoverView {
        plan,
        title,
        recovery_ms: row.recovery_ms(),
        run: row.run,
        at: row.at,
        from_pid: row.previous_pid,
        from_kind: row.previous_kind,
        done_nodes: row.done_nodes,
        live_sessions: row.live_sessions,
        lost_sessions: row.lost_sessions,
        displaced_at: row.displaced_at,
    })
}

/// The last takeover of a run.
pub(crate) fn takeover_of(app: &App, run: RunId) -> Result<Option<TakeoverView>, ApiError> {
    app.store
        .takeovers()
        .latest_for_run(run)?
        .map(|row| takeover(app, row))
        .transpose()
}
