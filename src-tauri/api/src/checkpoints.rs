//! Checkpoints of runs: made, listed, and taken back to.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use baton_engine::WorkTree;
use baton_model::run::{Checkpoint, Command};
use baton_model::{Plan, RunId};
use baton_store::RunRow;
use uuid::Uuid;

use crate::wire::*;
use crate::{ApiError, App, Code, plans, runs};

/// The most file names that a list of changes holds.
const FILES_SHOWN: usize = 200;

/// Keeps the state of a run, and its files where the directory is a git work tree.
pub(crate) fn make(app: &App, input: RunCheckpoint) -> Result<RunSummary, ApiError> {
    let name = input.name.trim();
    if name.is_empty() {
        return Err(ApiError::new(Code::BadInput, "a checkpoint needs a name")
            .with_fix("write a word or two"));
    }
    let plan = plan_of(app, input.run)?;
    let files = match work_tree(app, &plan)? {
        Some(tree) => {
            let snapshot = format!("runs/{}/{}", input.run, Uuid::now_v7());
            tree.snapshot(&snapshot).map_err(no_files)?;
            Some(snapshot)
        }
        None => None,
    };
    runs::command(
        app,
        input.run,
        Command::Checkpoint {
            name: name.to_owned(),
            data: input.data.unwrap_or_default(),
            files,
        },
    )
}

/// Lists the checkpoints of a run, the first one first.
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
    let changed = changed.unwrap_or_default().into_iter().take(FILES_SHOWN);
    CheckpointView {
        number,
        name: checkpoint.name.clone(),
        at: checkpoint.at,
        data: checkpoint.data.clone(),
        done: u32::try_from(checkpoint.done()).unwrap_or(u32::MAX),
        has_files: checkpoint.files.is_some(),
        changed_files: changed.map(|file| file.path).collect(),
    }
}

/// Takes a run back to a checkpoint, and its files if asked.
///
/// The state first: what runs refuses it, and then no file has been touched. Files that cannot be taken back are
/// told, and the rollback of the state stands; it can be asked for again.
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
    let summary = runs::command(app, run, command)?;
    if let Some((tree, snapshot)) = snapshot {
        let undo = format!("runs/{run}/before-rollback-{}", Uuid::now_v7());
        tree.restore(&snapshot, &undo).map_err(no_files)?;
    }
    Ok(summary)
}

/// Where the agents of these runs worked, and with that where snapshots of their files may be.
pub(crate) fn directories(app: &App, runs: &[RunRow]) -> BTreeSet<PathBuf> {
    let versions: BTreeSet<_> = runs.iter().map(|run| (run.plan, run.version)).collect();
    // A version that cannot be read only leaves its snapshots behind.
    let plans = versions
        .into_iter()
        .filter_map(|(plan, version)| plans::content(app, plan, version).ok());
    plans
        .filter_map(|plan| plan.cwd.as_deref().map(PathBuf::from))
        .collect()
}

/// Forgets the snapshots that were made for these runs, wherever a repository is still there. What cannot be
/// forgotten is logged: it takes room in a repository and harms nobody.
pub(crate) fn forget(app: &App, runs: &[RunRow], directories: &BTreeSet<PathBuf>) {
    let runs: BTreeSet<String> = runs.iter().map(|run| run.id.to_string()).collect();
    let is_theirs = |name: &str| {
        let run = name
            .strip_prefix("runs/")
            .and_then(|rest| rest.split_once('/'));
        run.is_some_and(|(run, _)| runs.contains(run))
    };
    for directory in directories.iter().filter(|path| path.is_dir()) {
        let pruned = WorkTree::of(directory, app.store.data_dir())
            .and_then(|tree| tree.map_or(Ok(0), |tree| tree.prune(|name| !is_theirs(name))));
        if let Err(error) = pruned {
            tracing::warn!(directory = %directory.display(), %error, "the snapshots of deleted runs stay in the repository");
        }
    }
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
        let sentence = "this checkpoint has no files: its directory was no git work tree";
        ApiError::new(Code::BadInput, sentence).with_fix("take back the nodes alone")
    })
}

fn plan_of(app: &App, run: RunId) -> Result<std::sync::Arc<Plan>, ApiError> {
    let row = app.store.runs().get(run)?;
    plans::content(app, row.plan, row.version)
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
    let tree = WorkTree::of(directory, app.store.data_dir()).map_err(no_files)?;
    Ok(tree.map(|tree| tree.below(directory)))
}

fn no_files(error: baton_engine::CheckpointError) -> ApiError {
    ApiError::new(Code::BadInput, error.to_string())
}
