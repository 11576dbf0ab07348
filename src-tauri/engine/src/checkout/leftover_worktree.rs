//! Leftover worktrees: their state, their disk usage, and removing them without losing work.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use baton_model::{NodeId, PlanId, RunId, SessionId};

use super::node_worktree::NodeWorktree;
use super::record::WorktreeRecord;
use super::{CheckoutError, Repository, work_commits};

/// A worktree of Baton that still exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftoverWorktree {
    /// The path of the worktree.
    pub place: PathBuf,
    /// The plan, which may have been deleted.
    pub plan: PlanId,
    /// The plan's title at that time.
    pub plan_title: String,
    /// The run, which may have been deleted.
    pub run: RunId,
    /// The node; `None` for a merge back of a run's work.
    pub node: Option<NodeId>,
    /// The node's title at that time.
    pub title: String,
    /// The last session that worked in it.
    pub session: SessionId,
    /// The repository that the worktree belongs to.
    pub repository: PathBuf,
    /// The disk usage in bytes.
    pub bytes: u64,
    /// Whether its work exists anywhere else.
    pub state: LeftoverState,
}

/// Whether the work in a worktree exists anywhere else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftoverState {
    /// It has no changes, or all of them are on a branch or in the plan's directory.
    Merged,
    /// The changes are only in commits below `refs/baton/`.
    Kept,
    /// Files have changed since Baton last committed them.
    Changed,
    /// The repository is gone, or git cannot read the worktree.
    Broken,
}

/// The worktrees below `data_directory`, largest first.
///
/// # Errors
///
/// When the folder cannot be read.
pub fn leftovers(data_directory: &Path) -> Result<Vec<LeftoverWorktree>, CheckoutError> {
    leftovers_of(data_directory, |_| true)
}

/// The worktrees of chosen runs below `data_directory`, largest first. Git is only asked about
/// those.
///
/// # Errors
///
/// When the folder cannot be read.
pub fn leftovers_of(
    data_directory: &Path,
    is_chosen: impl Fn(RunId) -> bool,
) -> Result<Vec<LeftoverWorktree>, CheckoutError> {
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
            if is_chosen(record.run) && place.path().is_dir() {
                found.push(leftover(place, record, data_directory));
            }
        }
    }
    found.sort_by_key(|left| std::cmp::Reverse(left.bytes));
    Ok(found)
}

/// Removes the worktree at `path`. Its files are committed below `refs/baton/` first, except
/// ignored ones; returns the reference of that commit. A worktree that git cannot read is removed
/// only with `even_broken`.
///
/// # Errors
///
/// When Baton has no such worktree, or when its files cannot be committed or deleted. Then it still
/// exists.
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
    // The folder of the run is removed with its last worktree.
    let _ = place.path().parent().map(fs::remove_dir);
    Ok(kept)
}

/// Commits the files of the worktree under a reference that stays when the run is deleted.
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

/// Returns whether `commit` has no changes, or is contained in a branch or in the plan's directory.
fn is_home(
    commit: &str,
    record: &WorktreeRecord,
    repository: &Repository,
) -> Result<bool, CheckoutError> {
    if repository.tree_of(commit)? == repository.tree_of(&record.base)? {
        return Ok(true);
    }
    // The same files may have been committed twice; either of the commits may have been merged
    // back.
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

/// The size of the files below `folder` in bytes; links are not followed.
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
