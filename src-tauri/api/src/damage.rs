//! Stored rows that cannot be read: shown by name instead of left out.

use baton_model::{Goal, PlanId, ReviewState, RunId, RunState};
use baton_planning::contents::readable;
use baton_store::{DamagedRow, Unreadable};
use uuid::Uuid;

use crate::wire::*;
use crate::{ApiError, App, Code};

/// The plan of a run and its title, also where the run or the version that it executes is damaged.
pub(crate) fn plan_of_run(app: &App, run: RunId) -> Result<(PlanId, String), ApiError> {
    let missing = || ApiError::new(Code::NotFound, format!("there is no run {run}"));
    let outline = app.store.run_outline(run)?.ok_or_else(missing)?;
    let title = match readable(
        app.contents
            .version(&app.store, outline.plan, outline.version),
    )? {
        Some(plan) => plan.title.clone(),
        None => title_of(app, outline.plan)?,
    };
    Ok((outline.plan, title))
}

fn title_of(app: &App, plan: PlanId) -> Result<String, ApiError> {
    let title = app.store.plan_outline(plan)?.and_then(|plan| plan.title);
    Ok(title.unwrap_or_else(|| format!("Damaged blueprint {plan}")))
}

/// A plan whose row is damaged, as lists show it; `None`: nothing of it can be read, only Doctor names it.
pub(crate) fn of_plan(app: &App, row: &Unreadable) -> Result<Option<PlanSummary>, ApiError> {
    let Ok(plan) = Uuid::parse_str(&row.id).map(PlanId) else {
        return Ok(None);
    };
    let Some(outline) = app.store.plan_outline(plan)? else {
        return Ok(None);
    };
    Ok(Some(PlanSummary {
        id: plan,
        title: outline
            .title
            .unwrap_or_else(|| format!("Damaged blueprint {plan}")),
        description: String::new(),
        cwd: None,
        tags: Vec::new(),
        review: ReviewState::Draft,
        version: 0,
        node_count: 0,
        created_at: outline.updated_at,
        updated_at: outline.updated_at,
        last_run: None,
        tally: None,
        damage: Some(row.to_string()),
    }))
}

/// A run whose row is damaged, as lists show it; `None`: nothing of it can be read, only Doctor names it.
pub(crate) fn of_run(app: &App, row: &Unreadable) -> Result<Option<RunSummary>, ApiError> {
    let Ok(run) = Uuid::parse_str(&row.id).map(RunId) else {
        return Ok(None);
    };
    self::run(app, run, row.to_string())
}

/// A run of which `damage` cannot be read.
pub(crate) fn run(app: &App, run: RunId, damage: String) -> Result<Option<RunSummary>, ApiError> {
    let Some(outline) = app.store.run_outline(run)? else {
        return Ok(None);
    };
    Ok(Some(RunSummary {
        id: run,
        plan: outline.plan,
        title: title_of(app, outline.plan)?,
        version: outline.version,
        // What it was is not known; nobody can go on with it.
        state: RunState::Failed {
            message: damage.clone(),
        },
        goal: Goal::All,
        started_at: outline.created_at,
        ended_at: outline.ended_at,
        progress: Vec::new(),
        skipped_failures: None,
        attendance: Attendance::None,
        damage: Some(damage),
    }))
}

/// How many damaged rows the doctor names one by one.
const NAMED: usize = 20;

/// One check for each damaged row, or one that says there is none.
pub(crate) fn checks(app: &App) -> Vec<Check> {
    let rows = match app.store.damaged_rows() {
        Ok(rows) => rows,
        Err(error) => {
            let check = Check::new(
                CheckVerdict::Failed,
                format!("stored plans and runs could not be checked: {error}"),
            );
            return vec![check.mended_by("close what else uses the database, then check again")];
        }
    };
    if rows.is_empty() {
        return vec![Check::new(
            CheckVerdict::Passed,
            "every stored plan, version, run and event can be read".to_owned(),
        )];
    }
    let mut checks: Vec<Check> = rows.iter().take(NAMED).map(check).collect();
    if let Some(more) = rows.len().checked_sub(NAMED).filter(|more| *more > 0) {
        checks.push(Check::new(
            CheckVerdict::Failed,
            format!("{more} more stored rows are damaged"),
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
    let sentence = format!("{}{title} is damaged: {detail} ({table} {id})", name(table));
    Check::new(CheckVerdict::Failed, sentence).mended_by(mend(damaged))
}

fn name(table: &str) -> &'static str {
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

fn mend(damaged: &DamagedRow) -> String {
    let copy = "keep a copy of baton.db";
    match (damaged.row.table.as_str(), damaged.plan) {
        ("plan_versions", Some(plan)) => {
            format!(
                "{copy}; other versions are whole: `baton plan export {plan} --version N`, or delete the blueprint"
            )
        }
        (_, Some(plan)) => {
            format!("{copy}; what cannot be repaired goes with `baton plan delete {plan}`")
        }
        (_, None) => format!("{copy}, and recover it with `sqlite3 baton.db .recover`"),
    }
}
