//! Deletes ended runs with their files, unless something still needs them.
//!
//! A run that is resumed, or that a new run builds on, between the checks here and the deletion is
//! found by the store, which checks again in its transaction.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use baton_engine::{LeftoverState, LeftoverWorktree};
use baton_model::RunId;
use baton_store::{DeletableRun, RunKeepReason, RunRow, SessionRow};

use crate::run_snapshots::RunSnapshots;
use crate::{Context, PlanningError, RefusalReason};

/// What became of the runs to delete.
#[derive(Debug)]
pub struct RunDeletion {
    /// Runs that are gone, with the runs below them.
    pub deleted: Vec<RunId>,
    /// Runs that stay, each with the reason.
    pub refused: Vec<(RunId, PlanningError)>,
}

/// Deletes those of `runs` that nothing needs, with the runs below them, their session folders,
/// file snapshots and merged worktrees.
pub fn delete(context: &Context, runs: &[RunId]) -> Result<RunDeletion, PlanningError> {
    // No run may be started between the checks and the deletion.
    let _lock = context.interprocess_lock()?;
    let asked: BTreeSet<RunId> = runs.iter().copied().collect();
    let mut refused = Vec::new();
    let mut found = Vec::new();
    for run in &asked {
        match context.store.runs().deletable(*run)? {
            Some(facts) => found.push(facts),
            None => refused.push((*run, missing(*run))),
        }
    }
    let family = found
        .iter()
        .flat_map(|run| run.descendants.iter().chain([&run.id]));
    let family: BTreeSet<RunId> = family.copied().collect();
    let worktrees = worktrees_of(context, &family)?;
    // Runs that reuse the work of others are later ones: newest first, all of them are known.
    found.sort_by_key(|run| std::cmp::Reverse((run.created_at, run.id)));
    let mut accepted: Vec<DeletableRun> = Vec::new();
    for run in found {
        let gone: BTreeSet<RunId> = accepted
            .iter()
            .flat_map(|run| run.descendants.iter().chain([&run.id]))
            .copied()
            .collect();
        match check(context, &run, &asked, &gone, &worktrees) {
            Ok(()) => accepted.push(run),
            Err(error) => refused.push((run.id, error)),
        }
    }
    // Those with a parent are deleted with it.
    let roots: Vec<RunId> = accepted
        .iter()
        .filter(|run| run.parent.is_none())
        .map(|run| run.id)
        .collect();
    let sessions = sessions_of(context, &accepted)?;
    let snapshots = RunSnapshots::of(context, rows_of(context, &accepted));
    let deleted: BTreeSet<RunId> = context.store.runs().delete(&roots)?.into_iter().collect();
    for run in accepted.iter().filter(|run| !deleted.contains(&run.id)) {
        let error = match run.parent {
            Some(_) => belongs_to_another(run.number),
            None => unfinished(),
        };
        refused.push((run.id, error));
    }
    // Some may be gone with a run above them.
    refused.retain(|(run, _)| !deleted.contains(run));
    snapshots.remove(context, |run| deleted.contains(&run.id));
    remove_files(context, &deleted, &sessions, &worktrees);
    Ok(RunDeletion {
        deleted: deleted.into_iter().collect(),
        refused,
    })
}

/// Those of `runs` that have a worktree with work that isn't merged.
pub fn unmerged_runs(
    context: &Context,
    runs: &BTreeSet<RunId>,
) -> Result<BTreeSet<RunId>, PlanningError> {
    let worktrees = worktrees_of(context, runs)?;
    Ok(worktrees
        .iter()
        .filter(|left| !is_merged(left))
        .map(|left| left.run)
        .collect())
}

fn worktrees_of(
    context: &Context,
    runs: &BTreeSet<RunId>,
) -> Result<Vec<LeftoverWorktree>, PlanningError> {
    let found = baton_engine::leftovers_of(context.data_directory(), |run| runs.contains(&run));
    found.map_err(|error| PlanningError::new(RefusalReason::Unavailable, error.to_string()))
}

fn is_merged(left: &LeftoverWorktree) -> bool {
    left.state == LeftoverState::Merged
}

/// Refuses the deletion of a run that something needs. `gone` are runs that will be deleted.
fn check(
    context: &Context,
    run: &DeletableRun,
    asked: &BTreeSet<RunId>,
    gone: &BTreeSet<RunId>,
    worktrees: &[LeftoverWorktree],
) -> Result<(), PlanningError> {
    let refuse = |message: String, fix: &str| {
        Err(PlanningError::new(RefusalReason::Refused, message).with_fix(fix))
    };
    let number = run.number;
    if let Some(parent) = run.parent
        && !asked.contains(&parent)
    {
        return Err(belongs_to_another(number));
    }
    let waits = run.kept_because == Some(RunKeepReason::AwaitsPerson);
    if run.asks || waits {
        return refuse(
            format!("run #{number} is waiting for your answer"),
            "answer it in the Inbox, then delete the run",
        );
    }
    let is_executing = run
        .descendants
        .iter()
        .chain([&run.id])
        .any(|run| context.executes(*run));
    if run.ended_at.is_none() || run.kept_because.is_some() || is_executing {
        return Err(unfinished());
    }
    if run.inheritors.iter().any(|by| !gone.contains(by)) {
        return refuse(
            format!("a later run reuses the work of run #{number}"),
            "delete the later run first",
        );
    }
    let is_family =
        |left: &&LeftoverWorktree| left.run == run.id || run.descendants.contains(&left.run);
    if worktrees
        .iter()
        .filter(is_family)
        .any(|left| !is_merged(left))
    {
        return refuse(
            format!("run #{number} has a worktree with work that isn't merged"),
            "merge its work back, or remove the worktree in Settings, Worktrees",
        );
    }
    Ok(())
}

fn missing(run: RunId) -> PlanningError {
    PlanningError::new(RefusalReason::NotFound, format!("there is no run {run}"))
        .with_fix("it may have been deleted. Refresh the list")
}

fn belongs_to_another(number: u32) -> PlanningError {
    let message = format!("run #{number} belongs to a node of another run");
    PlanningError::new(RefusalReason::Refused, message).with_fix("delete the run it belongs to")
}

fn unfinished() -> PlanningError {
    PlanningError::new(RefusalReason::Refused, "the run hasn't ended")
        .with_fix("cancel it first, then delete it")
}

/// The rows of runs and of the runs below them. One that can't be read only keeps its snapshots.
fn rows_of(context: &Context, runs: &[DeletableRun]) -> Vec<RunRow> {
    let ids = runs
        .iter()
        .flat_map(|run| run.descendants.iter().chain([&run.id]));
    ids.filter_map(|id| context.store.runs().get(*id).ok())
        .collect()
}

/// The sessions of runs and of the runs below them.
fn sessions_of(context: &Context, runs: &[DeletableRun]) -> Result<Vec<SessionRow>, PlanningError> {
    let mut sessions = Vec::new();
    for run in runs {
        for id in run.descendants.iter().chain([&run.id]) {
            sessions.extend(context.store.sessions().list(Some(*id), u32::MAX)?.rows);
        }
    }
    Ok(sessions)
}

/// Removes what deleted runs left on the disk. Failures are only logged: leftover files take up
/// space but do no harm.
fn remove_files(
    context: &Context,
    deleted: &BTreeSet<RunId>,
    sessions: &[SessionRow],
    worktrees: &[LeftoverWorktree],
) {
    let data: &Path = context.data_directory();
    let folders = sessions
        .iter()
        .filter(|session| deleted.contains(&session.run));
    let folders: BTreeSet<PathBuf> = folders.map(|session| data.join(&session.folder)).collect();
    for folder in folders {
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                tracing::warn!(folder = %folder.display(), %error, "couldn't remove a session's folder");
            }
            _ => {}
        }
    }
    for run in deleted {
        baton_engine::remove_step_log(data, *run);
    }
    for left in worktrees.iter().filter(|left| deleted.contains(&left.run)) {
        if let Err(error) = baton_engine::remove_worktree(data, &left.place, false) {
            tracing::warn!(place = %left.place.display(), %error, "couldn't remove a worktree");
        }
    }
}
