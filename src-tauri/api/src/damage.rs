//! Database rows that can't be read: listed by name instead of hidden.

use baton_model::{Goal, PlanId, PlanStatus, ReviewState, RunId, RunState};
use baton_planning::plan_versions::skip_unreadable;
use baton_store::{DamagedRow, Unreadable};
use uuid::Uuid;

use crate::wire::*;
use crate::{ApiError, App, Code};

/// The plan of a run and its title, even if the run or its plan version is damaged.
pub(crate) fn plan_title_of_run(app: &App, run: RunId) -> Result<(PlanId, String), ApiError> {
    let missing = || ApiError::new(Code::NotFound, format!("there is no run {run}"));
    let outline = app.store.run_outline(run)?.ok_or_else(missing)?;
    let title = match skip_unreadable(app.plan_cache.version(
        &app.store,
        outline.plan,
        outline.version,
    ))? {
        Some(plan) => plan.title.clone(),
        None => title_of(app, outline.plan)?,
    };
    Ok((outline.plan, title))
}

fn title_of(app: &App, plan: PlanId) -> Result<String, ApiError> {
    let title = app.store.plan_outline(plan)?.and_then(|plan| plan.title);
    Ok(title.unwrap_or_else(|| format!("Damaged ({plan})")))
}

/// A plan with a damaged row as shown in lists; `None` if nothing of it can be read. Then only the
/// diagnostics list it.
pub(crate) fn plan_summary(app: &App, row: &Unreadable) -> Result<Option<PlanSummary>, ApiError> {
    let Ok(plan) = Uuid::parse_str(&row.id).map(PlanId) else {
        return Ok(None);
    };
    let Some(outline) = app.store.plan_outline(plan)? else {
        return Ok(None);
    };
    Ok(Some(PlanSummary {
        id: plan,
        title: outline.title.unwrap_or_else(|| format!("Damaged ({plan})")),
        description: String::new(),
        cwd: None,
        tags: Vec::new(),
        status: PlanStatus::Pending,
        priority: 5,
        autonomy: None,
        user: None,
        goal: None,
        trigger: None,
        review: ReviewState::Draft,
        version: 0,
        node_count: 0,
        created_at: outline.updated_at,
        updated_at: outline.updated_at,
        archived_at: None,
        last_run: None,
        tally: None,
        damage: Some(row.to_string()),
    }))
}

/// A run with a damaged row as shown in lists; `None` if nothing of it can be read. Then only the
/// diagnostics list it.
pub(crate) fn run_summary(app: &App, row: &Unreadable) -> Result<Option<RunSummary>, ApiError> {
    let Ok(run) = Uuid::parse_str(&row.id).map(RunId) else {
        return Ok(None);
    };
    run_summary_from_outline(app, run, row.to_string())
}

/// The summary of a run that can't be read because of `damage`.
pub(crate) fn run_summary_from_outline(
    app: &App,
    run: RunId,
    damage: String,
) -> Result<Option<RunSummary>, ApiError> {
    let Some(outline) = app.store.run_outline(run)? else {
        return Ok(None);
    };
    Ok(Some(RunSummary {
        id: run,
        plan: outline.plan,
        number: outline.number,
        title: title_of(app, outline.plan)?,
        version: outline.version,
        // The real state is unknown, and the run can't be resumed.
        state: RunState::Failed {
            message: damage.clone(),
            handler: None,
        },
        goal: Goal::All,
        started_at: outline.created_at,
        ended_at: outline.ended_at,
        progress: Vec::new(),
        skipped_failures: None,
        pinned_nodes: None,
        attendance: RunExecutorView::None,
        damage: Some(damage),
    }))
}

/// Maximum number of damaged rows listed one by one.
const MAX_LISTED: usize = 20;

/// One check per damaged row, or a passing check if there are none.
pub(crate) fn checks(app: &App) -> Vec<Check> {
    let rows = match app.store.damaged_rows() {
        Ok(rows) => rows,
        Err(error) => {
            let check = Check::new(
                CheckVerdict::Failed,
                format!("couldn't check stored plans and runs: {error}"),
            );
            return vec![
                check.with_fix("close other programs that use the database, then check again"),
            ];
        }
    };
    if rows.is_empty() {
        return vec![Check::new(
            CheckVerdict::Passed,
            "all stored plans, versions, runs and events can be read".to_owned(),
        )];
    }
    let mut checks: Vec<Check> = rows.iter().take(MAX_LISTED).map(check).collect();
    if let Some(more) = rows.len().checked_sub(MAX_LISTED).filter(|more| *more > 0) {
        checks.push(Check::new(
            CheckVerdict::Failed,
            match more {
                1 => "1 more stored row is damaged".to_owned(),
                several => format!("{several} more stored rows are damaged"),
            },
        ));
    }
    checks
}

fn check(damaged: &DamagedRow) -> Check {
    let title = damaged
        .title
        .as_ref()
        .map_or_else(String::new, |title| format!(" of '{title}'"));
    let Unreadable { table, id, detail } = &damaged.row;
    let sentence = format!(
        "{}{title} is damaged: {detail} ({table} {id})",
        row_noun(table)
    );
    Check::new(CheckVerdict::Failed, sentence).with_fix(recovery_advice(damaged))
}

fn row_noun(table: &str) -> &'static str {
    match table {
        "plans" => "the record",
        "plan_versions" => "a version",
        "runs" => "a run",
        "run_events" => "an event of a run",
        "node_states" => "the state of a node",
        "artifacts" => "a handoff",
        "sessions" => "a session",
        "proposals" => "a proposal",
        _ => "a stored row",
    }
}

fn recovery_advice(damaged: &DamagedRow) -> String {
    let copy = "keep a copy of baton.db";
    match (damaged.row.table.as_str(), damaged.plan) {
        ("plan_versions", Some(plan)) => {
            format!(
                "{copy}, then export another version with `baton plan export {plan} --version N`, or delete the plan"
            )
        }
        (_, Some(plan)) => {
            format!(
                "{copy}; if it can't be repaired, delete the plan with `baton plan delete {plan}`"
            )
        }
        (_, None) => format!("{copy}, and recover it with `sqlite3 baton.db .recover`"),
    }
}
