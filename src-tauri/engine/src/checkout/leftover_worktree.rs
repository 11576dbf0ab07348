//! Worktrees that are left: what is in them, how much room they take, and removing them without losing anything.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use baton_model::{NodeId, PlanId, RunId, SessionId};

use super::node_worktree::NodeWorktree;
use super::record::WorktreeRecord;
use super::{CheckoutError, Repository, work_commits};

/// A worktree that Baton made and that is still there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftoverWorktree {
    /// Where.
    pub place: PathBuf,
    /// The plan, which may be gone.
    pub plan: PlanId,
    /// The plan's title at that time.
    pub plan_title: String,
    /// The run, which may be gone.
    pub run: RunId,
    /// The node; `None` when it holds the work of a run on its way home.
    pub node: Option<NodeId>,
    /// The node's title at that time.
    pub title: String,
    /// The session that worked in it last.
    pub session: SessionId,
    /// The repository to which it belongs.
    pub repository: PathBuf,
    /// How much room it takes, in bytes.
    pub bytes: u64,
    /// Whether its work is anywhere else.
    pub state: LeftoverState,
}

/// Whether the work in a worktree is anywhere else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftoverState {
    /// It changed nothing, or all of it is on a branch or in the plan's directory.
    Merged,
    /// It is kept in commits below `refs/baton/`, and nowhere else.
    Kept,
    /// Files have changed since Baton last kept them.
    Changed,
    /// The repository is gone, or git cannot read the worktree.
    Broken,
}

/// The worktrees below `data_directory`, the largest first.
///
/// # Errors
///
/// When the folder cannot be read.
pub fn leftovers(data_directory: &Path) -> Result<Vec<LeftoverWorktree>, CheckoutError> {
    let mut found = Vec::new();
    for run in folders(&data_directory.join("worktrees"))? {
        for file in files(&run)?
            .into_iter()
            .filter(|file| file.extension().is_some_and(|end| end == "json"))
        {
            let Some(record) = WorktreeRecord::read(&file) else {
                continue;
            };
            let place = NodeWorktree::at(file.with_extension(""));
            if place.path().is_dir() {
                found.push(leftover(place, record, data_directory));
            }
        }
    }
    found.sort_by_key(|left| std::cmp::Reverse(left.bytes));
    Ok(found)
}

/// Removes the worktree at `path`. What is in it is committed below `refs/baton/` first, except what git ignores; the name of that commit is
/// returned. One that git cannot read is removed only when `even_broken`.
///
/// # Errors
///
/// When there is no such worktree of Baton's, when its files cannot be kept, or not be deleted. Then it is still there.
pub fn remove(
    data_directory: &Path,
    path: &Path,
    even_broken: bool,
) -> Result<Option<String>, CheckoutError> {
    let place = NodeWorktree::at(path.to_path_buf());
    let own = fs::canonicalize(data_directory)?.join("worktrees");
    let Some(record) = place.record().filter(|_| path.starts_with(&own)) else {
        return Err(CheckoutError::Taken {
            place: path.to_path_buf(),
        });
    };
    let held = place.lock()?;
    let repository = Repository::of(&record.repository, data_directory, record.run)
        .ok()
        .flatten();
    let kept = match &repository {
        Some(repository) if record.ready => commit_before_removal(&place, &record, repository),
        _ => Err(CheckoutError::NoRepository {
            directory: record.repository.clone(),
        }),
    };
    let kept = match kept {
        Ok(kept) => Some(kept),
        Err(_) if even_broken => None,
        Err(error) => return Err(error),
    };
    let git = repository.as_ref().map(Repository::registry).transpose()?;
    fs::remove_dir_all(place.path())?;
    if let Some(git) = git {
        git.run(&["worktree", "prune"])?;
    }
    for what in ["json", "prepared", "lock"] {
        match fs::remove_file(place.sibling_path(what)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
    }
    drop(held);
    // The folder of the run goes with its last worktree.
    let _ = place.path().parent().map(fs::remove_dir);
    Ok(kept)
}

/// Names the files of the worktree by a reference that stays when the run is deleted.
fn commit_before_removal(
    place: &NodeWorktree,
    record: &WorktreeRecord,
    repository: &Repository,
) -> Result<String, CheckoutError> {
    let commit = work_commits::commit_of(place, record, repository)?;
    if !is_home(&commit, record, repository)? {
        let reference = format!("refs/baton/removed/{}", record.session);
        repository.git().run(&["update-ref", &reference, &commit])?;
    }
    Ok(commit)
}

fn leftover(
    place: NodeWorktree,
    record: WorktreeRecord,
    data_directory: &Path,
) -> LeftoverWorktree {
    let state = leftover_state(&place, &record, data_directory).unwrap_or(LeftoverState::Broken);
    let path = place.path().to_path_buf();
    LeftoverWorktree {
        bytes: size_of(&path),
        place: path,
        plan: record.plan,
        plan_title: record.plan_title,
        run: record.run,
        node: record.node,
        title: record.title,
        session: record.session,
        repository: record.repository,
        state,
    }
}

fn leftover_state(
    place: &NodeWorktree,
    record: &WorktreeRecord,
    data_directory: &Path,
) -> Result<LeftoverState, CheckoutError> {
    let Some(repository) = Repository::of(&record.repository, data_directory, record.run)? else {
        return Ok(LeftoverState::Broken);
    };
    let now = work_commits::commit_of(place, record, &repository)?;
    if is_home(&now, record, &repository)? {
        return Ok(LeftoverState::Merged);
    }
    let kept = work_commits::session_commits(&repository, record.session)?;
    let tree = repository.tree_of(&now)?;
    for kept in kept {
        if repository.tree_of(&kept)? == tree {
            return Ok(LeftoverState::Kept);
        }
    }
    Ok(LeftoverState::Changed)
}

/// Whether `commit` is nothing new, or is part of a branch or of what was brought into the plan's directory.
fn is_home(
    commit: &str,
    record: &WorktreeRecord,
    repository: &Repository,
) -> Result<bool, CheckoutError> {
    if repository.tree_of(commit)? == repository.tree_of(&record.base)? {
        return Ok(true);
    }
    // The same files may have been committed twice; any of these commits may have been brought home.
    let names = [commit.to_owned()]
        .into_iter()
        .chain(work_commits::session_commits(repository, record.session)?);
    for name in names {
        if repository.tree_of(&name)? != repository.tree_of(commit)? {
            continue;
        }
        let branches = repository.git().run(&[
            "for-each-ref",
            "--count=1",
            "--contains",
            &name,
            "refs/heads",
            "refs/remotes",
        ])?;
        if !branches.is_empty() {
            return Ok(true);
        }
        if let Some(directory) = repository.find_ref(super::repository::DIRECTORY)?
            && repository.contains(&directory, &name)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

fn folders(folder: &Path) -> Result<Vec<PathBuf>, CheckoutError> {
    Ok(files(folder)?
        .into_iter()
        .filter(|path| path.is_dir())
        .collect())
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, CheckoutError> {
    match fs::read_dir(folder) {
        Ok(entries) => Ok(entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

/// How many bytes the files below `folder` have; links are not followed.
fn size_of(folder: &Path) -> u64 {
    let mut open = vec![folder.to_path_buf()];
    let mut bytes = 0;
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(found) if found.is_dir() => open.push(entry.path()),
                Ok(found) => bytes += found.len(),
                Err(_) => {}
            }
        }
    }
    bytes
}
