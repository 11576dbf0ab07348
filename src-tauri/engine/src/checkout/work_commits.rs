//! Commits the work of nodes in their worktrees, so that nothing is lost when a worktree is
//! recreated or removed.

use std::fs;
use std::path::Path;

use baton_model::run::{Conflict, ConflictKind};
use baton_model::{Node, SessionId};

use super::node_worktree::NodeWorktree;
use super::record::WorktreeRecord;
use super::{CheckoutError, Repository};
use crate::crash_point::crash_point;
use crate::git_checkpoint::WorkTree;
use crate::job::Job;

/// How many bytes of a file are searched for conflict markers.
const MARKED_LIMIT: u64 = 16 * 1024 * 1024;
/// How many names a sentence lists before it only gives a count.
const NAMES: usize = 5;

/// Commits the files in the node's worktree after an attempt: as the node's work, or separately if
/// it did not finish.
pub(crate) fn commit_work(
    job: &Job,
    node: &Node,
    data_directory: &Path,
    as_work: bool,
) -> Result<(), CheckoutError> {
    let directory = job.run.plan.cwd.clone().unwrap_or_default();
    let Some(repository) = Repository::of(Path::new(&directory), data_directory, job.run.run)?
    else {
        return Ok(());
    };
    let place = NodeWorktree::of(data_directory, job.run.run, node);
    let _held = place.lock()?;
    let Some(record) = place.record().filter(|record| record.ready) else {
        return Ok(());
    };
    crash_point("before keep");
    let commit = commit_of(&place, &record, &repository)?;
    repository.set_ref(&format!("{}/base", job.session), &record.base)?;
    repository.set_ref(&name_of(job.session, as_work), &commit)?;
    crash_point("after keep");
    Ok(())
}

/// Commits the files of the last attempt, if a crash prevented that.
pub(super) fn commit_leftover_work(
    place: &NodeWorktree,
    repository: &Repository,
) -> Result<(), CheckoutError> {
    let Some(record) = place.record().filter(|record| record.ready) else {
        return Ok(());
    };
    if !session_commits(repository, record.session)?.is_empty() {
        return Ok(());
    }
    let commit = commit_of(place, &record, repository)?;
    repository.set_ref(&name_of(record.session, false), &commit)
}

/// The commits of a session's files.
pub(super) fn session_commits(
    repository: &Repository,
    session: SessionId,
) -> Result<Vec<String>, CheckoutError> {
    let names = [true, false].map(|as_work| repository.find_ref(&name_of(session, as_work)));
    Ok(names
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .flatten()
        .collect())
}

/// The work of a session, as in [`work_of`], without writing anything.
pub(super) fn find_work_commit(
    repository: &Repository,
    place: &NodeWorktree,
    session: SessionId,
) -> Result<Option<String>, CheckoutError> {
    if let Some(work) = repository.find_ref(&name_of(session, true))? {
        return Ok(Some(work));
    }
    let record = place
        .record()
        .filter(|record| record.ready && record.session == session && record.open.is_none());
    match record.filter(|_| place.path().join(".git").exists()) {
        Some(record) => commit_of(place, &record, repository).map(Some),
        None => repository.find_ref(&name_of(session, false)),
    }
}

/// The work of a session. The work of a node that a person marked as done is whatever is in its
/// worktree.
pub(super) fn work_of(
    repository: &Repository,
    place: &NodeWorktree,
    session: SessionId,
) -> Result<Option<String>, CheckoutError> {
    if let Some(work) = repository.find_ref(&name_of(session, true))? {
        return Ok(Some(work));
    }
    let _held = place.lock()?;
    let record = place
        .record()
        .filter(|record| record.ready && record.session == session && record.open.is_none());
    let Some(record) = record.filter(|_| place.path().join(".git").exists()) else {
        return repository.find_ref(&name_of(session, false));
    };
    let commit = commit_of(place, &record, repository)?;
    repository.set_ref(&name_of(session, true), &commit)?;
    Ok(Some(commit))
}

/// Commits the files of the worktree on top of the node's base and of its own commits.
pub(super) fn commit_of(
    place: &NodeWorktree,
    record: &WorktreeRecord,
    repository: &Repository,
) -> Result<String, CheckoutError> {
    let tree = files(place)?.tree()?;
    let head = repository.head_of(&place.git())?;
    let mut parents = vec![record.base.clone()];
    if let Some(head) = head.filter(|head| *head != record.base) {
        if repository.contains(&head, &record.base)? {
            parents.clear();
        }
        parents.push(head);
    }
    if let [only] = &parents[..]
        && repository.tree_of(only)? == tree
    {
        return Ok(only.clone());
    }
    repository.commit(&tree, &parents, "Baton: the work of a node")
}

/// The files of a worktree, without ignored ones.
pub(super) fn files(place: &NodeWorktree) -> Result<WorkTree, CheckoutError> {
    // Baton's data is around the worktree, never inside.
    let outside = place.sibling_path("nothing");
    let taken = || CheckoutError::Taken {
        place: place.path().to_path_buf(),
    };
    WorkTree::of(place.path(), &outside)?
        .filter(|tree| tree.root() == place.path())
        .ok_or_else(taken)
}

/// Returns why the conflict in the node's worktree is not resolved yet; `None` if it is.
pub(crate) fn unresolved_files(job: &Job, node: &Node, data_directory: &Path) -> Option<String> {
    let place = NodeWorktree::of(data_directory, job.run.run, node);
    let open = place.record()?.open?;
    unresolved_files_in(&place, &open.conflict)
}

pub(super) fn unresolved_files_in(place: &NodeWorktree, conflict: &Conflict) -> Option<String> {
    let texts = conflict
        .files
        .iter()
        .filter(|file| file.kind != ConflictKind::Binary);
    let marked: Vec<&str> = texts
        .filter(|file| has_markers(&place.path().join(&file.path)))
        .map(|file| file.path.as_str())
        .collect();
    if marked.is_empty() {
        return None;
    }
    let more = marked.len().saturating_sub(NAMES);
    let named = marked
        .iter()
        .take(NAMES)
        .copied()
        .collect::<Vec<_>>()
        .join(", ");
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    Some(format!("Conflict markers remain in {named}{more}."))
}

fn has_markers(path: &Path) -> bool {
    let small = fs::symlink_metadata(path)
        .is_ok_and(|found| found.is_file() && found.len() <= MARKED_LIMIT);
    let bytes = if small {
        fs::read(path).unwrap_or_default()
    } else {
        Vec::new()
    };
    let begins = |with: &[u8]| {
        bytes
            .split(|byte| *byte == b'\n')
            .any(|line| line.starts_with(with))
    };
    begins(b"<<<<<<< ") && begins(b">>>>>>> ")
}

/// The reference to a session's files.
fn name_of(session: SessionId, as_work: bool) -> String {
    format!("{session}/{}", if as_work { "work" } else { "left" })
}
