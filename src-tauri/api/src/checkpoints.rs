//! Checkpoints of runs: creating, listing, and rolling back.

use std::path::Path;

use baton_engine::WorkTree;
use baton_model::run::{Checkpoint, Command};
use baton_model::{Plan, RunId};
use uuid::Uuid;

use crate::wire::*;
use crate::{ApiError, App, Code, run_command, run_lookup};

/// Maximum number of files listed as changed.
const MAX_FILES: usize = 200;

/// Saves the state of a run, and its files if the directory is a git work tree.
pub(crate) fn create(app: &App, input: RunCheckpoint) -> Result<RunSummary, ApiError> {
    let name = input.name.trim();
    if name.is_empty() {
        return Err(
            ApiError::new(Code::BadInput, "a checkpoint needs a name").with_fix("enter a name")
        );
    }
    let plan = run_lookup::plan_of_run(app, input.run)?;
    let files = match work_tree(app, &plan)? {
        Some(tree) => {
            let snapshot = format!("runs/{}/{}", input.run, Uuid::now_v7());
            tree.snapshot(&snapshot).map_err(files_error)?;
            Some(snapshot)
        }
        None => None,
    };
    run_command::send(
        app,
        input.run,
        Command::Checkpoint {
            name: name.to_owned(),
            data: input.data.unwrap_or_default(),
            files,
        },
    )
}

/// Lists the checkpoints of a run, oldest first.
pub(crate) fn list(app: &App, input: RunRef) -> Result<Vec<CheckpointView>, ApiError> {
    let (run, _) = app.store.runs().replay(input.run)?;
    let tree = work_tree(app, run.plan())?;
    let views = (0..)
        .zip(run.checkpoints())
        .map(|(number, checkpoint)| view(number, checkpoint, tree.as_ref()));
    Ok(views.collect())
}

fn view(number: u32, checkpoint: &Checkpoint, tree: Option<&WorkTree>) -> CheckpointView {
    let changed = checkpoint
        .files
        .as_deref()
        .zip(tree)
        .and_then(|(files, tree)| tree.diff(files).ok());
    let changed = changed.unwrap_or_default().into_iter().take(MAX_FILES);
    CheckpointView {
        number,
        name: checkpoint.name.clone(),
        at: checkpoint.at,
        data: checkpoint.data.clone(),
        done: u32::try_from(checkpoint.done_count()).unwrap_or(u32::MAX),
        has_files: checkpoint.files.is_some(),
        changed_files: changed.map(|file| file.path).collect(),
    }
}

/// Rolls a run back to a checkpoint, and optionally its files.
///
/// The state comes first: it may be refused because something is running, and then no file has
/// changed. If files can't be rolled back, the result says so, but the state stays rolled back. The
/// caller may try again.
pub(crate) fn roll_back(app: &App, input: RunRollback) -> Result<RunSummary, ApiError> {
    let RunRollback {
        run,
        checkpoint,
        files,
    } = input;
    let snapshot = if files {
        Some(snapshot_of(app, run, checkpoint)?)
    } else {
        None
    };
    let command = Command::Rollback { checkpoint, files };
    let summary = run_command::send(app, run, command)?;
    if let Some((tree, snapshot)) = snapshot {
        let undo = format!("runs/{run}/before-rollback-{}", Uuid::now_v7());
        tree.restore(&snapshot, &undo).map_err(files_error)?;
    }
    Ok(summary)
}

fn snapshot_of(app: &App, run: RunId, checkpoint: u32) -> Result<(WorkTree, String), ApiError> {
    let (replayed, _) = app.store.runs().replay(run)?;
    let files = replayed
        .checkpoints()
        .get(checkpoint as usize)
        .and_then(|checkpoint| checkpoint.files.clone());
    let tree = work_tree(app, replayed.plan())?;
    let found = tree.zip(files);
    found.ok_or_else(|| {
        let sentence = "this checkpoint has no files: its directory wasn't a git work tree";
        ApiError::new(Code::BadInput, sentence).with_fix("roll back the nodes only")
    })
}

fn work_tree(app: &App, plan: &Plan) -> Result<Option<WorkTree>, ApiError> {
    let Some(directory) = plan
        .cwd
        .as_deref()
        .map(Path::new)
        .filter(|path| path.is_dir())
    else {
        return Ok(None);
    };
    let tree = WorkTree::of(directory, app.store.data_dir()).map_err(files_error)?;
    Ok(tree.map(|tree| tree.below(directory)))
}

fn files_error(error: baton_engine::CheckpointError) -> ApiError {
    ApiError::new(Code::BadInput, error.to_string())
}
