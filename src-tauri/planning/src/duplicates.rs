//! Active runs that starting a plan would duplicate: runs of the same plan, or with the same goal
//! in the same directory. A healthy run is reported and nothing starts, an unhealthy one is
//! watched, and a stale one is taken over instead of starting a second run.

use baton_model::count::format_quantity;
use baton_model::duration::format_elapsed;
use baton_model::{Plan, RunId};
use baton_store::{ExecutorKind, NodeStatus, RunRow};

use crate::check::{Check, CheckVerdict};
use crate::plan_versions::{plan_version, skip_unreadable};
use crate::run_executor::{ExecutorHealth, RunExecutorView, run_executor};
use crate::{Context, PlanningError};

/// An active run that a start would duplicate.
#[expect(missing_docs, reason = "the names say it")]
pub struct Duplicate {
    pub run: RunId,
    /// Why the start is refused, or what it will do instead.
    pub check: Check,
    /// Whether the start takes this run over.
    pub can_take_over: bool,
}

/// The active runs that a start of `plan` would duplicate.
pub fn find_duplicates(context: &Context, plan: &Plan) -> Result<Vec<Duplicate>, PlanningError> {
    let mut found = Vec::new();
    for active in context.store.executors().active_runs()?.rows {
        let row = context.store.runs().get(active.run)?;
        // It may have stopped since the list was read.
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
    let Some(other) = skip_unreadable(context.plan_cache.version(
        &context.store,
        row.plan,
        row.version,
    ))?
    else {
        return Ok(false);
    };
    Ok(other.description.trim() == goal && other.cwd == plan.cwd)
}

fn duplicate(context: &Context, plan: &Plan, row: &RunRow) -> Result<Duplicate, PlanningError> {
    let executor = run_executor(context, row)?;
    let title = plan_version(context, row.plan, row.version)?.title.clone();
    let progress = progress(&context.store.node_states().statuses(row.id)?);
    let what = if row.plan == plan.id {
        "the plan is already running".to_owned()
    } else {
        format!(
            "'{}' has the same goal in the same directory and is already running",
            title
        )
    };
    let can_take_over = matches!(
        executor,
        RunExecutorView::Elsewhere {
            health: ExecutorHealth::Stale,
            ..
        }
    ) && context.engine.may_displace_stale();
    let (verdict, sentence, fix) = match executor {
        // Its sessions may still be running, and a second run would repeat their work.
        RunExecutorView::None if row.plan == plan.id => (
            CheckVerdict::Failed,
            "an earlier run of the plan has no executor".to_owned(),
            "resume or cancel it",
        ),
        RunExecutorView::None => (
            CheckVerdict::Failed,
            format!("{what}, but has no executor"),
            "resume or cancel it",
        ),
        RunExecutorView::Here => (
            CheckVerdict::Failed,
            format!("{what}: {}, in this process", progress),
            "wait for that run, or cancel it",
        ),
        RunExecutorView::Elsewhere {
            health,
            pid,
            kind,
            silence_ms,
        } => {
            let place = format!(
                "{}, in {}, process {pid}",
                progress,
                describe_executor_kind(kind)
            );
            let silence = format_elapsed(silence_ms);
            match health {
                ExecutorHealth::Healthy | ExecutorHealth::Gone => (
                    CheckVerdict::Failed,
                    format!("{what}: {place}"),
                    "wait for that run, or cancel it",
                ),
                ExecutorHealth::Unhealthy => (
                    CheckVerdict::Failed,
                    format!(
                        "{what}: {place}. It has not responded for {silence} and is being watched"
                    ),
                    "wait until it responds or is taken over",
                ),
                ExecutorHealth::Stale if can_take_over => (
                    CheckVerdict::Warning,
                    format!("{what}: {place}. It has not responded for {silence}"),
                    "starting the plan takes that run over and resumes it",
                ),
                ExecutorHealth::Stale => (
                    CheckVerdict::Failed,
                    format!(
                        "{what}: {place}. It has not responded for {silence}, and takeover is not allowed"
                    ),
                    "allow takeover in the settings, or end that process",
                ),
            }
        }
    };
    let check = Check {
        verdict,
        sentence,
        mend: Some(fix.to_owned()),
        node: None,
    };
    Ok(Duplicate {
        run: row.id,
        check,
        can_take_over,
    })
}

fn progress(nodes: &[NodeStatus]) -> String {
    let done = nodes
        .iter()
        .filter(|word| **word == NodeStatus::Done)
        .count();
    let nodes = format_quantity(nodes.len(), "node", "nodes");
    format!("{done} of {nodes} done")
}

pub(crate) fn describe_executor_kind(kind: ExecutorKind) -> &'static str {
    match kind {
        ExecutorKind::App => "a window or server",
        ExecutorKind::Cli => "a shell command",
        ExecutorKind::Worker => "a worker",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_agrees_with_the_number_of_nodes() {
        use NodeStatus::{Done, Running};
        assert_eq!(progress(&[Running]), "0 of 1 node done");
        assert_eq!(progress(&[Done, Done, Running]), "2 of 3 nodes done");
    }
}
