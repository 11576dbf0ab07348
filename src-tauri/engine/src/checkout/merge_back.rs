//! Merging the work of a run back: into the plan's directory as uncommitted changes, or onto a new
//! branch.
//!
//! The person's work is never lost: git merges work and directory without touching a file, and
//! files are written only if there is no conflict and nothing has changed meanwhile. Conflicts are
//! kept in a worktree until they are resolved, in the same way as the conflict of a node; an agent
//! that resolves one is a plan of one node.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use baton_model::run::{Conflict, MergeDecision, Resolution};
use baton_model::{Isolation, NodeId, Run, RunId, SessionId};

use super::applied_merge::MergeAct;
use super::fan_in::{self, MergeContext, MergeOutcome, Work};
use super::node_worktree::NodeWorktree;
use super::record::{MergeBackTarget, Owner};
use super::{
    AppliedMerge, CheckoutError, DeltaKind, FileDelta, IsolatedWork, IsolatedWorkLocation, PAUSE,
    Repository, TRIES, isolated_work, leftover_worktree,
};
use crate::crash_point::crash_point;
use crate::git::GitError;
use crate::git_checkpoint::CheckpointError;

/// A preview of merging back the isolated work of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergePreview {
    /// The root of the person's work tree.
    pub root: PathBuf,
    /// The work of the finished nodes, in plan order.
    pub works: Vec<IsolatedWork>,
    /// The nodes whose work would be merged: the selected ones, and those that they build on.
    pub coming: Vec<NodeId>,
    /// The files that would change in the directory, sorted by path.
    pub files: Vec<MergedFile>,
    /// The conflicts that the merge would have.
    pub clashes: Vec<PredictedConflict>,
    /// Ignored files that would be overwritten.
    pub blocking_files: Vec<String>,
    /// The titles of nodes that may be writing to the directory.
    pub running_nodes: Vec<String>,
    /// A conflict in a worktree that still has to be resolved.
    pub open: Option<Conflict>,
    /// The branch to create once it is resolved; `None` merges into the directory.
    pub open_branch: Option<String>,
    /// Earlier merges into the directory, latest first.
    pub applied: Vec<AppliedMerge>,
}

/// A file that would change in the directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergedFile {
    /// The change compared with the directory.
    pub delta: FileDelta,
    /// The nodes whose work it is.
    pub nodes: Vec<NodeId>,
    /// The content combines several changes, and no node produced it in this form.
    pub combined: bool,
}

/// A conflict that a merge would have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PredictedConflict {
    /// The title of the work that was merged first.
    pub ours: String,
    /// The title of the work that conflicts with it.
    pub theirs: String,
    /// The files in conflict.
    pub files: Vec<baton_model::run::ConflictFile>,
}

/// A person's request to merge work back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergeBackRequest {
    /// A unique id for this merge.
    pub act: SessionId,
    /// The nodes whose work to merge, with what they build on; `None` for all. Ignored when a
    /// conflict is resolved: then the nodes and `branch` of the original request are used.
    pub nodes: Option<BTreeSet<NodeId>>,
    /// A new branch for the work, instead of the directory.
    pub branch: Option<String>,
    /// How to resolve the conflict in the worktree.
    pub resolution: Option<Resolution>,
}

/// The result of merging back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MergeBackOutcome {
    /// The files that changed in the directory; empty if it had all of the work already.
    Directory(Vec<FileDelta>),
    /// The work is on a new branch.
    Branch {
        /// The name of the new branch.
        name: String,
        /// The commit at its tip.
        commit: String,
    },
    /// There are conflicts. The files are in a worktree, and nothing else has changed.
    Conflict(Box<Conflict>),
}

/// Previews merging back the work of `nodes` (`None`: all); `None` when the plan's directory is not
/// in a repository, or no node is isolated. Touches no file and no reference.
///
/// # Errors
///
/// When git fails.
pub fn preview_merge_back(
    run: &Run,
    data_directory: &Path,
    nodes: Option<&BTreeSet<NodeId>>,
) -> Result<Option<MergePreview>, CheckoutError> {
    let Some(repository) = repository_of(run, data_directory)? else {
        return Ok(None);
    };
    if repository.existing_start()?.is_none() {
        return Ok(None);
    }
    let here = repository.directory_commit_read_only()?;
    let works = isolated_work::works(run, &repository, data_directory, &here)?;
    let leaves = leaves(&repository, &works, nodes)?;
    let all: Vec<Work> = std::iter::once(current_directory_work(&here))
        .chain(leaves.iter().cloned())
        .collect();
    let (merged, clashes) = fan_in::predict_merge(&repository, None, &all)?;
    let deltas = repository.differences(&here, &merged)?;
    let coming = coming(&repository, &works, &leaves)?;
    Ok(Some(MergePreview {
        root: repository.work_tree().root().to_path_buf(),
        blocking_files: blocking_files(&repository, &deltas),
        files: files(&repository, &merged, &leaves, &works, deltas)?,
        running_nodes: running_nodes(run),
        open_branch: pending_target(&NodeWorktree::for_merge_back(data_directory, run.id()))
            .and_then(|home| home.branch),
        open: pending_merge_back(run.id(), data_directory),
        applied: repository.applied_merges()?,
        works,
        coming,
        clashes,
    }))
}

/// The unresolved conflict of the work of `run`.
#[must_use]
pub fn pending_merge_back(run: RunId, data_directory: &Path) -> Option<Conflict> {
    let open = NodeWorktree::for_merge_back(data_directory, run)
        .record()?
        .open?;
    Some(open.conflict)
}

/// Merges work back.
///
/// # Errors
///
/// When nodes may be writing to the directory, when files are blocking or change meanwhile, when
/// the branch exists or its name is invalid, or when git fails. Then nothing has changed.
pub fn merge_back(
    run: &Run,
    data_directory: &Path,
    request: &MergeBackRequest,
) -> Result<MergeBackOutcome, CheckoutError> {
    let directory = run.plan().cwd.clone().unwrap_or_default();
    let missing = || CheckoutError::NoRepository {
        directory: directory.into(),
    };
    let repository = repository_of(run, data_directory)?.ok_or_else(missing)?;
    let place = NodeWorktree::for_merge_back(data_directory, run.id());
    let held = place.lock()?;
    let request = &resumed_request(&place, request);
    match &request.branch {
        Some(name) => repository.refuse_branch(name)?,
        None => refuse_while_nodes_run(run)?,
    }
    let mut outcome = try_merge_back(run, data_directory, &repository, request);
    for _ in 1..TRIES {
        if !matches!(
            outcome,
            Err(CheckoutError::Files(CheckpointError::Changing { .. }))
        ) {
            break;
        }
        std::thread::sleep(PAUSE);
        outcome = try_merge_back(run, data_directory, &repository, request);
    }
    drop(held);
    let outcome = outcome?;
    if !matches!(outcome, MergeBackOutcome::Conflict(_)) && place.path().exists() {
        // The resolution was committed, and the worktree is no longer in use. If removal fails, the
        // list of worktrees shows it.
        if let Err(error) = leftover_worktree::remove(data_directory, place.path(), false) {
            tracing::warn!(place = %place.path().display(), %error, "couldn't remove an unused worktree");
        }
    }
    Ok(outcome)
}

/// Undoes a merge into the directory; later changes in its files are kept where they do not
/// conflict.
///
/// # Errors
///
/// When there is no such merge, when later changes conflict, when nodes may be writing, or when git
/// fails. Then nothing has changed.
pub fn undo_merge_back(
    run: &Run,
    data_directory: &Path,
    act: &str,
) -> Result<Vec<FileDelta>, CheckoutError> {
    let directory = run.plan().cwd.clone().unwrap_or_default();
    let missing = || CheckoutError::NoRepository {
        directory: directory.into(),
    };
    let repository = repository_of(run, data_directory)?.ok_or_else(missing)?;
    refuse_while_nodes_run(run)?;
    let _held = NodeWorktree::for_merge_back(data_directory, run.id()).lock()?;
    repository.undo_merge(act, "before-undo")
}

fn try_merge_back(
    run: &Run,
    data_directory: &Path,
    repository: &Repository,
    request: &MergeBackRequest,
) -> Result<MergeBackOutcome, CheckoutError> {
    let place = NodeWorktree::for_merge_back(data_directory, run.id());
    let here = repository.commit_directory()?;
    let works = isolated_work::works(run, repository, data_directory, &here)?;
    let leaves = leaves(repository, &works, request.nodes.as_ref())?;
    let titles: Vec<String> = titles(&works, &coming(repository, &works, &leaves)?);
    if leaves.is_empty() {
        return Err(CheckoutError::NothingApart);
    }
    let first = if request.branch.is_some() {
        None
    } else {
        Some(current_directory_work(&here))
    };
    let all: Vec<Work> = first.into_iter().chain(leaves).collect();
    let home = MergeBackTarget {
        nodes: request.nodes.clone(),
        branch: request.branch.clone(),
    };
    let owner = Owner::merge_back(run.plan(), run.id(), request.act, home);
    let decided = decided(&place, request);
    let gathering = MergeContext {
        owner: &owner,
        repository,
        place: &place,
        decided: decided.as_ref(),
    };
    let merged = match fan_in::merge_all(gathering, &all)? {
        MergeOutcome::Conflict(conflict) => return Ok(MergeBackOutcome::Conflict(conflict)),
        MergeOutcome::AgentResolving => return Err(CheckoutError::NoAgentHere),
        MergeOutcome::Commit(merged) => merged,
    };
    if let Some(record) = place.record() {
        // So that the worktree with the resolution counts as merged once this commit is.
        repository.set_ref(&format!("{}/work", record.session), &merged)?;
    }
    match &request.branch {
        Some(name) => {
            let commit = repository.branch(name, &merged, run, &titles)?;
            Ok(MergeBackOutcome::Branch {
                name: name.clone(),
                commit,
            })
        }
        None => {
            let deltas = repository.differences(&here, &merged)?;
            refuse_blocking_files(blocking_files(repository, &deltas))?;
            crash_point("before homecoming");
            let act = MergeAct {
                here: &here,
                merged: &merged,
                name: &request.act.to_string(),
                titles: &titles,
            };
            repository.apply_merge(&act)?;
            crash_point("after homecoming");
            Ok(MergeBackOutcome::Directory(deltas))
        }
    }
}

fn repository_of(run: &Run, data_directory: &Path) -> Result<Option<Repository>, CheckoutError> {
    let Some(directory) = run
        .plan()
        .cwd
        .as_deref()
        .filter(|_| run.plan().has_worktrees())
    else {
        return Ok(None);
    };
    Repository::of(Path::new(directory), data_directory, run.id())
}

fn current_directory_work(here: &str) -> Work {
    Work {
        title: "the plan's directory".to_owned(),
        commit: here.to_owned(),
    }
}

/// The work to merge, without what is contained in other work or in the directory.
fn leaves(
    repository: &Repository,
    works: &[IsolatedWork],
    nodes: Option<&BTreeSet<NodeId>>,
) -> Result<Vec<Work>, CheckoutError> {
    let outside = works
        .iter()
        .filter(|work| work.location != IsolatedWorkLocation::Directory);
    let chosen = outside.filter(|work| nodes.is_none_or(|nodes| nodes.contains(&work.node)));
    let chosen: Vec<&IsolatedWork> = chosen.collect();
    let mut kept = repository.independent(
        &chosen
            .iter()
            .map(|work| work.commit.as_str())
            .collect::<Vec<_>>(),
    )?;
    let mut leaves = Vec::new();
    for work in chosen {
        // Two nodes may have produced the same commit.
        if kept.remove(&work.commit) {
            leaves.push(Work {
                title: work.title.clone(),
                commit: work.commit.clone(),
            });
        }
    }
    Ok(leaves)
}

/// The nodes whose work is contained in `leaves`.
fn coming(
    repository: &Repository,
    works: &[IsolatedWork],
    leaves: &[Work],
) -> Result<Vec<NodeId>, CheckoutError> {
    let Some(start) = repository.existing_start()? else {
        return Ok(Vec::new());
    };
    let reached = repository.reached(leaves.iter().map(|leaf| leaf.commit.as_str()), &start)?;
    let outside = works
        .iter()
        .filter(|work| work.location != IsolatedWorkLocation::Directory);
    Ok(outside
        .filter(|work| reached.contains(&work.commit))
        .map(|work| work.node)
        .collect())
}

fn titles(works: &[IsolatedWork], nodes: &[NodeId]) -> Vec<String> {
    works
        .iter()
        .filter(|work| nodes.contains(&work.node))
        .map(|work| work.title.clone())
        .collect()
}

/// The files, each with the nodes whose work it is.
fn files(
    repository: &Repository,
    merged: &str,
    leaves: &[Work],
    works: &[IsolatedWork],
    deltas: Vec<FileDelta>,
) -> Result<Vec<MergedFile>, CheckoutError> {
    let mut combined: Option<BTreeSet<String>> = None;
    for leaf in leaves {
        let differ: BTreeSet<String> = repository
            .differing(&leaf.commit, merged)?
            .into_iter()
            .collect();
        combined = Some(match combined {
            None => differ,
            Some(known) => known.intersection(&differ).cloned().collect(),
        });
    }
    let combined = combined.unwrap_or_default();
    let outside = |work: &&IsolatedWork| work.location != IsolatedWorkLocation::Directory;
    let file = |delta: FileDelta| MergedFile {
        nodes: works
            .iter()
            .filter(outside)
            .filter(|work| touches(work, &delta))
            .map(|work| work.node)
            .collect(),
        combined: combined.contains(&delta.path),
        delta,
    };
    Ok(deltas.into_iter().map(file).collect())
}

fn touches(work: &IsolatedWork, delta: &FileDelta) -> bool {
    work.files.iter().any(|file| {
        file.path == delta.path
            || matches!(&file.change, DeltaKind::Renamed { from } if *from == delta.path)
    })
}

/// New files whose path is taken by something that the directory's commit does not contain: git
/// ignores it.
fn blocking_files(repository: &Repository, deltas: &[FileDelta]) -> Vec<String> {
    let root = repository.work_tree().root();
    let is_new =
        |delta: &&FileDelta| matches!(delta.change, DeltaKind::Created | DeltaKind::Renamed { .. });
    let mut found = Vec::new();
    for delta in deltas.iter().filter(is_new) {
        let lies = |path: &Path| {
            std::fs::symlink_metadata(root.join(path)).is_ok_and(|found| !found.is_dir())
        };
        let goes = |path: &Path| deltas.iter().any(|other| goes_away(other, path));
        let above = Path::new(&delta.path)
            .ancestors()
            .filter(|path| !path.as_os_str().is_empty());
        if above.filter(|path| lies(path)).any(|path| !goes(path)) {
            found.push(delta.path.clone());
        }
    }
    found
}

/// Returns whether the file at `path` is removed by the merge.
fn goes_away(delta: &FileDelta, path: &Path) -> bool {
    match &delta.change {
        DeltaKind::Deleted => Path::new(&delta.path) == path,
        DeltaKind::Renamed { from } => Path::new(from) == path,
        DeltaKind::Created | DeltaKind::Changed => false,
    }
}

fn refuse_blocking_files(files: Vec<String>) -> Result<(), CheckoutError> {
    if files.is_empty() {
        Ok(())
    } else {
        Err(CheckoutError::InTheWay {
            files: files.join(", "),
        })
    }
}

/// The titles of the nodes that may be writing to the plan's directory.
fn running_nodes(run: &Run) -> Vec<String> {
    let live: BTreeSet<NodeId> = run.live_attempts().map(|(node, ..)| node).collect();
    let shared = |id: &NodeId| {
        let node = run.plan().node(*id).filter(|node| node.touches_files())?;
        (node.isolation_in(&run.plan().settings) == Isolation::Shared).then(|| node.title.clone())
    };
    live.iter().filter_map(shared).collect()
}

fn refuse_while_nodes_run(run: &Run) -> Result<(), CheckoutError> {
    match running_nodes(run) {
        titles if titles.is_empty() => Ok(()),
        titles => Err(CheckoutError::AtWork {
            titles: titles.join(", "),
        }),
    }
}

/// The original request for the conflict that is still open.
fn pending_target(place: &NodeWorktree) -> Option<MergeBackTarget> {
    place.record().filter(|record| record.open.is_some())?.home
}

/// The request, or the original one when a conflict is resolved.
fn resumed_request(place: &NodeWorktree, request: &MergeBackRequest) -> MergeBackRequest {
    match pending_target(place).filter(|_| request.resolution.is_some()) {
        Some(MergeBackTarget { nodes, branch }) => MergeBackRequest {
            nodes,
            branch,
            ..request.clone()
        },
        None => request.clone(),
    }
}

/// A person's decision on the conflict that they were shown.
fn decided(place: &NodeWorktree, request: &MergeBackRequest) -> Option<MergeDecision> {
    let open = place.record()?.open?;
    Some(MergeDecision {
        conflict: open.conflict.id,
        resolution: request.resolution?,
    })
}

impl Repository {
    /// The `commits` that are not ancestors of another one.
    fn independent(&self, commits: &[&str]) -> Result<BTreeSet<String>, CheckoutError> {
        if commits.is_empty() {
            return Ok(BTreeSet::new());
        }
        let output = self
            .git()
            .run(&[&["merge-base", "--independent"], commits].concat())?;
        Ok(String::from_utf8_lossy(&output)
            .lines()
            .map(str::to_owned)
            .collect())
    }

    /// The ancestors of `tips`, without those of `start`.
    fn reached<'a>(
        &self,
        tips: impl Iterator<Item = &'a str>,
        start: &'a str,
    ) -> Result<BTreeSet<String>, CheckoutError> {
        let tips: Vec<&str> = tips.collect();
        if tips.is_empty() {
            return Ok(BTreeSet::new());
        }
        let output = self
            .git()
            .run(&[&["rev-list"], &tips[..], &["--not", start]].concat())?;
        Ok(String::from_utf8_lossy(&output)
            .lines()
            .map(str::to_owned)
            .collect())
    }

    /// Checks that git allows the name for a branch.
    pub(super) fn refuse_branch_name(&self, name: &str) -> Result<(), CheckoutError> {
        let is_name = self.git().run(&["check-ref-format", "--branch", name]);
        if name.starts_with('-') || name.starts_with('@') || is_name.is_err() {
            return Err(CheckoutError::BranchName {
                name: name.to_owned(),
            });
        }
        Ok(())
    }

    /// Checks that the name can be used for a new branch.
    fn refuse_branch(&self, name: &str) -> Result<(), CheckoutError> {
        self.refuse_branch_name(name)?;
        match self.commit_of(&format!("refs/heads/{name}"))? {
            Some(_) => Err(CheckoutError::BranchTaken {
                name: name.to_owned(),
            }),
            None => Ok(()),
        }
    }

    /// Creates a branch at `merged`, with a commit on top that lists the titles. `HEAD` does not
    /// change.
    fn branch(
        &self,
        name: &str,
        merged: &str,
        run: &Run,
        titles: &[String],
    ) -> Result<String, CheckoutError> {
        let start = self.start()?;
        let message = format!(
            "{}\n\nMerged by Baton: work from {}",
            run.plan().title,
            titles.join(", ")
        );
        let parents = if start == merged {
            vec![start]
        } else {
            vec![start, merged.to_owned()]
        };
        let commit = self.commit(&self.tree_of(merged)?, &parents, &message)?;
        // An empty old value means that the branch must not exist.
        match self
            .git()
            .run(&["update-ref", &format!("refs/heads/{name}"), &commit, ""])
        {
            Ok(_) => Ok(commit),
            Err(GitError::Refused { .. })
                if self.commit_of(&format!("refs/heads/{name}"))?.is_some() =>
            {
                Err(CheckoutError::BranchTaken {
                    name: name.to_owned(),
                })
            }
            Err(error) => Err(error.into()),
        }
    }
}
