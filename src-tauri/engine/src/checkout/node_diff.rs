//! What a node changed, line by line.
//!
//! A node with its own worktree has commits of its files before and after. For a node that works in
//! the plan's directory, the files that it changed are compared with the commit that was checked
//! out when it began, so that the difference may include what was there before.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use baton_agents::DiffHunk;
use baton_model::{NodeId, Run, RunId, SessionId};

use super::difference::{ContentDelta, DeltaKind};
use super::file_content;
use super::node_worktree::NodeWorktree;
use super::work_commits::{files, session_commits};
use super::{CheckoutError, FileDelta, Repository};

/// The maximum number of listed files.
const MAX_FILES: usize = 500;

/// The changes of a node.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NodeDiff {
    /// The commit that the node started from; git's empty tree before the first commit.
    pub base: String,
    /// The commit with its work, or the tree of the files as they are now.
    pub head: String,
    /// Whether `head` is a commit.
    pub committed: bool,
    /// The root of the work tree that the paths are relative to.
    pub root: PathBuf,
    /// The changed files, sorted by path.
    pub files: Vec<FileDiff>,
    /// How many further changed files are not listed.
    pub left_out: usize,
}

/// The change to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileDiff {
    /// Which file, and what happened to it.
    pub delta: FileDelta,
    /// The file modes before and after, as git writes them.
    pub modes: [String; 2],
    /// Another node worked in the same directory when it changed.
    pub shared: bool,
    /// The changed lines.
    pub content: FileDiffContent,
}

/// The changed lines of a file, or why they are not shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileDiffContent {
    /// The hunks of a unified diff; none if only the name or the mode changed.
    Hunks(Vec<DiffHunk>),
    /// It isn't text.
    Binary,
    /// It is too long to compare: this many bytes in its larger version.
    TooLarge(u64),
    /// The files before it are long enough together. It can be requested alone.
    NotLoaded,
    /// The repository is a partial clone that doesn't have it.
    Missing,
}

/// An attempt of a node with its own worktree.
#[derive(Debug, Clone, Copy)]
pub struct AttemptWork {
    /// The node.
    pub node: NodeId,
    /// The attempt's session.
    pub session: SessionId,
    /// An earlier attempt to compare with; `None` for what the node started from.
    pub since: Option<SessionId>,
    /// Whether it is the last attempt: the files in the worktree are its own.
    pub is_latest: bool,
}

/// The changes of a node in the plan's directory.
#[derive(Debug, Clone)]
pub struct DirectoryWork {
    /// The directory in which it worked.
    pub directory: PathBuf,
    /// The commit that was checked out when it began.
    pub base: String,
    /// The files that it changed, relative to `directory`.
    pub own: BTreeSet<String>,
    /// The files that it or another node changed, relative to `directory`.
    pub shared: BTreeSet<String>,
}

/// The changes of an attempt in its own worktree; `None` if its files were not stored. With `only`,
/// only the file with this path. Touches no file and no reference.
///
/// # Errors
///
/// When git fails, or the plan's directory isn't in a repository.
pub fn worktree_diff(
    run: &Run,
    data_directory: &Path,
    of: AttemptWork,
    only: Option<&str>,
) -> Result<Option<NodeDiff>, CheckoutError> {
    let plan = run.plan();
    let Some((node, cwd)) = plan.node(of.node).zip(plan.cwd.as_deref()) else {
        return Ok(None);
    };
    let directory = Path::new(cwd);
    let Some(repository) = Repository::of(directory, data_directory, run.id())? else {
        return Err(no_repository(directory));
    };
    let place = NodeWorktree::of(data_directory, run.id(), node);
    let Some((head, committed)) = head_of(&repository, &place, of)? else {
        return Ok(None);
    };
    let base = match of.since {
        Some(earlier) => session_commits(&repository, earlier)?.into_iter().next(),
        None => start_of(&repository, &place, of)?,
    };
    let Some(base) = base else { return Ok(None) };
    let deltas = repository.content_differences(&base, &head)?;
    let root = place.path().to_path_buf();
    let diff = NodeDiff {
        base,
        head,
        committed,
        root,
        files: Vec::new(),
        left_out: 0,
    };
    with_files(diff, &repository, deltas, only, |_| false).map(Some)
}

/// The changes of a node that works in the plan's directory. With `only`, only the file with this
/// path. Touches no file and no reference.
///
/// # Errors
///
/// When git fails, or the directory isn't in a repository any more.
pub fn directory_diff(
    run: RunId,
    data_directory: &Path,
    of: &DirectoryWork,
    only: Option<&str>,
) -> Result<NodeDiff, CheckoutError> {
    let Some(repository) = Repository::of(&of.directory, data_directory, run)? else {
        return Err(no_repository(&of.directory));
    };
    let root = repository.work_tree().root().to_path_buf();
    let within = path_below(&root, &of.directory);
    let from_root = |paths: &BTreeSet<String>| -> BTreeSet<String> {
        let absolute = paths.iter().map(|path| normalized(&within.join(path)));
        absolute.collect()
    };
    let (own, shared) = (from_root(&of.own), from_root(&of.shared));
    let head = repository.work_tree().tree()?;
    let mut deltas = repository.content_differences(&of.base, &head)?;
    deltas.retain(|file| {
        let is_its = |path: &str| own.contains(path) || shared.contains(path);
        is_its(&file.delta.path)
            || matches!(&file.delta.change, DeltaKind::Renamed { from } if is_its(from))
    });
    let diff = NodeDiff {
        base: of.base.clone(),
        head,
        committed: false,
        root,
        files: Vec::new(),
        left_out: 0,
    };
    with_files(diff, &repository, deltas, only, |path| {
        shared.contains(path)
    })
}

/// The commit of the attempt's files; for the last attempt without one, their tree. The second
/// value says whether it is a commit.
fn head_of(
    repository: &Repository,
    place: &NodeWorktree,
    of: AttemptWork,
) -> Result<Option<(String, bool)>, CheckoutError> {
    if let Some(commit) = session_commits(repository, of.session)?.into_iter().next() {
        return Ok(Some((commit, true)));
    }
    let has_files = of.is_latest && place.is_ready();
    if !has_files || place.record().is_some_and(|record| record.open.is_some()) {
        return Ok(None);
    }
    Ok(Some((files(place)?.tree()?, false)))
}

/// The commit that the attempt started from.
fn start_of(
    repository: &Repository,
    place: &NodeWorktree,
    of: AttemptWork,
) -> Result<Option<String>, CheckoutError> {
    let known = repository.find_ref(&format!("{}/base", of.session))?;
    Ok(known.or_else(|| Some(place.record().filter(|_| of.is_latest)?.base)))
}

fn with_files(
    diff: NodeDiff,
    repository: &Repository,
    mut deltas: Vec<ContentDelta>,
    only: Option<&str>,
    is_shared: impl Fn(&str) -> bool,
) -> Result<NodeDiff, CheckoutError> {
    deltas.retain(|file| only.is_none_or(|path| file.delta.path == path));
    let left_out = deltas.len().saturating_sub(MAX_FILES);
    deltas.truncate(MAX_FILES);
    let contents = file_content::compare_contents(repository, &deltas)?;
    let files = deltas.into_iter().zip(contents);
    let files = files.map(|(file, content)| FileDiff {
        shared: is_shared(&file.delta.path),
        delta: file.delta,
        modes: [file.before.mode, file.after.mode],
        content,
    });
    Ok(NodeDiff {
        files: files.collect(),
        left_out,
        ..diff
    })
}

fn no_repository(directory: &Path) -> CheckoutError {
    CheckoutError::NoRepository {
        directory: directory.to_path_buf(),
    }
}

/// The path of `directory` below `root`, which git reports without links.
fn path_below(root: &Path, directory: &Path) -> PathBuf {
    let real = std::fs::canonicalize(directory).unwrap_or_else(|_| directory.to_path_buf());
    real.strip_prefix(root)
        .map(Path::to_path_buf)
        .unwrap_or_default()
}

/// Removes `.` and `..` from a path below the root of the repository.
fn normalized(path: &Path) -> String {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => _ = plain.pop(),
            other => plain.push(other),
        }
    }
    plain.display().to_string()
}
