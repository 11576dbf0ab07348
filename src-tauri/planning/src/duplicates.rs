//! Active runs that the start of a plan would duplicate: of the same plan, or with the same goal in the same
//! directory. Healthy ones are shown and nothing starts, silent ones are watched, stale ones are taken
//! over instead of a second one begun.

use baton_model::duration::format_elapsed;
use baton_model::{Plan, RunId};
use baton_store::{ExecutorKind, RunRow, StateWord};

use crate::attendance::{Attendance, ExecutorHealth, attendance};
use crate::check::{Check, CheckVerdict};
use crate::contents::{content, readable};
use crate::{Context, PlanningError};

/// An active run that a start would duplicate.
pub struct Duplicate {
    /// The run.
    pub run: RunId,
    /// What stands in the way, or what will happen.
    pub check: Check,
    /// The start takes this run over.
    pub displaceable: bool,
}

/// The active runs that a start of `plan` would duplicate.
pub fn of(context: &Context, plan: &Plan) -> Result<Vec<Duplicate>, PlanningError> {
    let mut found = Vec::new();
    for active in context.store.executors().attending()?.rows {
        let row = context.store.runs().get(active.run)?;
        // It may have come to rest since the list was made.
        if row.state.is_running() && (row.plan == plan.id || has_same_goal(context, plan, &row)?) {
            found.push(duplicate(context, plan, &row)?);
        }
    }
    Ok(found)
}

fn has_same_goal(context: &Context, plan: &Plan, row: &RunRow) -> Result<bool, PlanningError> {
    let goal = plan.description.trim();
    if goal.is_empty() || plan.cwd.is_none() {
        return Ok(false);
    }
    let Some(other) = readable(
        context
            .contents
            .version(&context.store, row.plan, row.version),
    )?
    else {
        return Ok(false);
    };
    Ok(other.description.trim() == goal && other.cwd == plan.cwd)
}

fn duplicate(context: &Context, plan: &Plan, row: &RunRow) -> Result<Duplicate, PlanningError> {
    let attendance = attendance(context, row)?;
    let title = content(context, row.plan, row.version)?.title.clone();
    let progress = progress(&context.store.node_states().words(row.id)?);
    let what = if row.plan == plan.id {
        "the plan is running already".to_owned()
    } else {
        format!(
            "'{}' pursues the same goal in the same directory and is running already",
            title
        )
    };
    let displaceable = matches!(
        attendance,
        Attendance::Elsewhere {
            health: ExecutorHealth::Stale,
            ..
        }
    ) && context.engine.may_displace_stale();
    let (verdict, sentence, mend) = match attendance {
        // Its sessions may well live: a second run would do their work a second time.
        Attendance::None if row.plan == plan.id => (
            CheckVerdict::Failed,
            "an earlier run of the plan was left by its Baton".to_owned(),
            "resume it, or cancel it",
        ),
        Attendance::None => (
            CheckVerdict::Failed,
            format!("{what}, but its Baton left it"),
            "resume it, or cancel it",
        ),
        Attendance::Here => (
            CheckVerdict::Failed,
            format!("{what}: {}, in this process", progress),
            "wait for that run, or stop it",
        ),
        Attendance::Elsewhere {
            health,
            pid,
            kind,
            silence_ms,
        } => {
            let place = format!("{}, in {}, process {pid}", progress, kind_words(kind));
            let silence = format_elapsed(silence_ms);
            match health {
                ExecutorHealth::Healthy | ExecutorHealth::Gone => (
                    CheckVerdict::Failed,
                    format!("{what}: {place}"),
                    "wait for that run, or stop it",
                ),
                ExecutorHealth::Unhealthy => (
                    CheckVerdict::Failed,
                    format!("{what}: {place}, which has been silent for {silence} and is watched"),
                    "wait until it comes back or is taken over",
                ),
                ExecutorHealth::Stale if displaceable => (
                    CheckVerdict::Warning,
                    format!("{what}: {place}, which has been silent for {silence}"),
                    "starting the plan takes that run over and goes on with it",
                ),
                ExecutorHealth::Stale => (
                    CheckVerdict::Failed,
                    format!(
                        "{what}: {place}, which has been silent for {silence}, and takeover is not allowed"
                    ),
                    "allow takeover in the settings, or end that process",
                ),
            }
        }
    };
    let check = Check {
        verdict,
        sentence,
        mend: Some(mend.to_owned()),
        node: None,
    };
    Ok(Duplicate {
        run: row.id,
        check,
        displaceable,
    })
}

fn progress(nodes: &[StateWord]) -> String {
    let done = nodes
        .iter()
        .filter(|word| **word == StateWord::Done)
        .count();
    format!("{done} of {} nodes done", nodes.len())
}

pub(crate) fn kind_words(kind: ExecutorKind) -> &'static str {
    match kind {
        ExecutorKind::App => "a window or server",
        ExecutorKind::Cli => "a shell command",
        ExecutorKind::Worker => "a worker",
    }
}
