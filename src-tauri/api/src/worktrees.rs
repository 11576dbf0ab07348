//! Operations on worktrees that nodes left behind.

use std::path::Path;

use baton_engine::{CheckoutError, LeftoverState, LeftoverWorktree};

use crate::wire::*;
use crate::{ApiError, App, Code};

/// Lists worktrees that still exist, largest first.
pub(crate) fn list(app: &App, _: Nothing) -> Result<Vec<WorktreeView>, ApiError> {
    let found = baton_engine::leftovers(app.store.data_dir()).map_err(refused)?;
    Ok(found.into_iter().map(|left| view(app, left)).collect())
}

/// Removes one worktree. Its content is committed first, except for ignored files.
pub(crate) fn remove(app: &App, input: WorktreeRemove) -> Result<WorktreesRemoved, ApiError> {
    let place = Path::new(&input.place);
    let listed = list(app, Nothing {})?;
    if listed
        .iter()
        .any(|left| left.place == input.place && left.standing == WorktreeStatus::InUse)
    {
        return Err(refused(CheckoutError::Busy {
            place: place.to_path_buf(),
        }));
    }
    let kept = baton_engine::remove_worktree(app.store.data_dir(), place, input.even_broken)
        .map_err(refused)?;
    Ok(WorktreesRemoved {
        removed: 1,
        kept: kept.into_iter().collect(),
        refused: Vec::new(),
    })
}

/// Removes all worktrees whose work has been merged.
pub(crate) fn remove_merged(app: &App, _: Nothing) -> Result<WorktreesRemoved, ApiError> {
    let mut done = WorktreesRemoved {
        removed: 0,
        kept: Vec::new(),
        refused: Vec::new(),
    };
    for left in list(app, Nothing {})?
        .into_iter()
        .filter(|left| left.standing == WorktreeStatus::Home)
    {
        match baton_engine::remove_worktree(app.store.data_dir(), Path::new(&left.place), false) {
            Ok(_) => done.removed += 1,
            Err(error) => done.refused.push(refused(error).message),
        }
    }
    Ok(done)
}

fn view(app: &App, left: LeftoverWorktree) -> WorktreeView {
    let run = app.store.runs().get(left.run).ok();
    let standing = match left.state {
        _ if run.as_ref().is_some_and(|run| !run.state.has_ended()) => WorktreeStatus::InUse,
        LeftoverState::Merged => WorktreeStatus::Home,
        LeftoverState::Kept => WorktreeStatus::Kept,
        LeftoverState::Changed => WorktreeStatus::Changed,
        LeftoverState::Broken => WorktreeStatus::Broken,
    };
    WorktreeView {
        place: left.place.display().to_string(),
        plan: left.plan,
        plan_title: left.plan_title,
        run: left.run,
        run_exists: run.is_some(),
        node: left.node,
        title: left.title,
        repository: left.repository.display().to_string(),
        bytes: left.bytes,
        standing,
    }
}

fn refused(error: CheckoutError) -> ApiError {
    ApiError::new(Code::Refused, error.to_string())
}
