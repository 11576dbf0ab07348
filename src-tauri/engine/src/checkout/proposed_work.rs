//! The work of a run as one set of changes on top of a commit of the person, for a pull request.
//!
//! Work of isolated nodes that is not in the plan's directory is merged, and applied to the commit
//! that was checked out when the run began. Uncommitted changes that the person had at that time are
//! left out. Other work is in the plan's directory: of that, the files which the nodes changed are
//! taken as they are now. Reads and writes no file of the person, and no reference.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use baton_model::run::ConflictFile;
use baton_model::{NodeId, Run};

use super::fan_in::{self, Work};
use super::isolated_work::{self, IsolatedWork, IsolatedWorkLocation};
use super::{CheckoutError, DeltaKind, FileDelta, Repository};
use crate::git_checkpoint::line;

/// The message of the commits that hold the plan's directory; see `repository.rs`.
const DIRECTORY_MESSAGE: &str = "Baton: the plan's directory";
/// How many names a sentence lists.
const NAMES: usize = 5;

/// The changes to propose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposedWork {
    /// The root of the person's work tree.
    pub root: PathBuf,
    /// The commit that the changes are based on.
    pub parent: String,
    /// The files with the changes.
    pub tree: String,
    /// The changes, sorted by path; empty if there is nothing to propose.
    pub files: Vec<FileDelta>,
    /// The nodes with a worktree whose work it contains.
    pub nodes: Vec<NodeId>,
}

/// The work of `run`. `shared_files` are the files that nodes without a worktree changed, relative
/// to the plan's directory.
///
/// # Errors
///
/// When the plan's directory is not in a repository or has no commit, when works conflict with each
/// other or with the commit, or when git fails.
pub fn proposed_work(
    run: &Run,
    data_directory: &Path,
    shared_files: &[String],
) -> Result<ProposedWork, CheckoutError> {
    let repository = Repository::of_plan(run, data_directory)?;
    let here = repository.directory_commit_read_only()?;
    let start = repository.existing_start()?;
    let works = match &start {
        Some(_) => isolated_work::works(run, &repository, data_directory, &here)?,
        None => Vec::new(),
    };
    let (inside, outside): (Vec<&IsolatedWork>, Vec<&IsolatedWork>) = works
        .iter()
        .partition(|work| work.location == IsolatedWorkLocation::Directory);
    let (parent, merged) = match start.filter(|_| !outside.is_empty()) {
        Some(start) => applied(&repository, &start, &outside)?,
        None => {
            let head = repository.commit_of("HEAD")?;
            let head = head.ok_or_else(|| no_commit(&repository))?;
            let tree = repository.tree_of(&head)?;
            (head, tree)
        }
    };
    let mut paths = shared_paths(run, &repository, shared_files);
    paths.extend(inside.iter().flat_map(|work| paths_of(work)));
    for work in &outside {
        for path in paths_of(work) {
            paths.remove(&path);
        }
    }
    let tree = repository.with_files_of(&merged, &here, &paths)?;
    let base = repository.tree_of(&parent)?;
    Ok(ProposedWork {
        root: repository.work_tree().root().to_path_buf(),
        files: repository.differences(&base, &tree)?,
        parent,
        tree,
        nodes: works.iter().map(|work| work.node).collect(),
    })
}

/// The commit of the person that `works` started from, and its files with the works applied.
fn applied(
    repository: &Repository,
    start: &str,
    works: &[&IsolatedWork],
) -> Result<(String, String), CheckoutError> {
    let parent = repository
        .person_commit(start)?
        .ok_or_else(|| no_commit(repository))?;
    let works: Vec<Work> = works
        .iter()
        .map(|work| Work {
            title: work.title.clone(),
            commit: work.commit.clone(),
        })
        .collect();
    let works = fan_in::drop_contained_work(repository, works)?;
    let (merged, clashes) = fan_in::predict_merge(repository, None, &works)?;
    if let Some(clash) = clashes.into_iter().next() {
        return Err(CheckoutError::WorksClash {
            ours: clash.ours,
            theirs: clash.theirs,
            files: names(&clash.files),
        });
    }
    let (start_tree, parent_tree) = (repository.tree_of(start)?, repository.tree_of(&parent)?);
    let tree = repository.tree_of(&merged)?;
    if start_tree == parent_tree {
        return Ok((parent, tree));
    }
    // Both sides get the start as their only parent, so that git compares with nothing else.
    let on_start =
        |tree: &str| repository.commit(tree, &[start.to_owned()], "Baton: a side of a merge");
    let (ours, theirs) = (on_start(&parent_tree)?, on_start(&tree)?);
    let merged = repository.merge(&ours, &theirs)?;
    if !merged.files.is_empty() {
        return Err(CheckoutError::NeedsUncommitted {
            files: names(&merged.files),
        });
    }
    Ok((parent, merged.tree))
}

/// The shared files relative to the root of the repository.
fn shared_paths(run: &Run, repository: &Repository, files: &[String]) -> BTreeSet<String> {
    let directory = Path::new(run.plan().cwd.as_deref().unwrap_or_default());
    let real = std::fs::canonicalize(directory).unwrap_or_else(|_| directory.to_path_buf());
    let root = repository.work_tree().root();
    let root = std::fs::canonicalize(root).unwrap_or_else(|_| root.to_path_buf());
    let Ok(within) = real.strip_prefix(&root) else {
        return BTreeSet::new();
    };
    files
        .iter()
        .filter_map(|file| normalized(&within.join(file)))
        .collect()
}

/// The path without `.` and `..`; `None` if it leaves the repository.
fn normalized(path: &Path) -> Option<String> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                if !plain.pop() {
                    return None;
                }
            }
            Component::Normal(name) => plain.push(name),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(plain.to_str()?.to_owned()).filter(|path| !path.is_empty())
}

fn paths_of(work: &IsolatedWork) -> impl Iterator<Item = String> {
    work.files.iter().flat_map(|file| {
        let from = match &file.change {
            DeltaKind::Renamed { from } => Some(from.clone()),
            _ => None,
        };
        from.into_iter().chain([file.path.clone()])
    })
}

fn names(files: &[ConflictFile]) -> String {
    let mut names: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let more = names.len().saturating_sub(NAMES);
    names.truncate(NAMES);
    let names = names.join(", ");
    match more {
        0 => names,
        more => format!("{names} and {more} more"),
    }
}

fn no_commit(repository: &Repository) -> CheckoutError {
    CheckoutError::NoCommit {
        root: repository.work_tree().root().to_path_buf(),
    }
}

impl Repository {
    /// The repository that contains the plan's directory.
    pub(super) fn of_plan(run: &Run, data_directory: &Path) -> Result<Self, CheckoutError> {
        let directory = run.plan().cwd.clone().unwrap_or_default();
        Self::of(Path::new(&directory), data_directory, run.id())?.ok_or_else(|| {
            CheckoutError::NoRepository {
                directory: directory.into(),
            }
        })
    }

    /// The commit that was checked out when Baton committed the plan's directory as `start`; `None`
    /// if there was none.
    fn person_commit(&self, start: &str) -> Result<Option<String>, CheckoutError> {
        let asked = ["log", "-1", "--format=%ce%n%s", start];
        let output = self.git().run(&asked)?;
        let is_baton = String::from_utf8_lossy(&output).trim_end()
            == format!("baton@localhost\n{DIRECTORY_MESSAGE}");
        if is_baton {
            // The last parent is `HEAD`: an earlier commit of the directory comes first.
            Ok(self.parents_of(start)?.pop())
        } else {
            Ok(Some(start.to_owned()))
        }
    }

    /// The tree of `tree`, with the files at `paths` as in the commit `here`.
    fn with_files_of(
        &self,
        tree: &str,
        here: &str,
        paths: &BTreeSet<String>,
    ) -> Result<String, CheckoutError> {
        if paths.is_empty() {
            return Ok(tree.to_owned());
        }
        let listed = self
            .git()
            .run(&["ls-tree", "-r", "-z", "--full-tree", here])?;
        let mut orders: Vec<u8> = Vec::new();
        let mut found: BTreeSet<&str> = BTreeSet::new();
        for entry in listed.split(|byte| *byte == 0) {
            let Some((path, order)) = index_order(entry) else {
                continue;
            };
            if let Some(path) = paths.get(path) {
                found.insert(path);
                orders.extend(order.into_iter().flatten());
            }
        }
        for path in paths.iter().filter(|path| !found.contains(path.as_str())) {
            // An id of zeros, as long as the repository's ids are.
            orders.extend(format!("0 {}\t{path}\0", "0".repeat(here.len())).into_bytes());
        }
        let folder = tempfile::Builder::new().prefix("baton-git-").tempdir()?;
        let git = self.git().with_index(&folder.path().join("index"));
        git.run(&["read-tree", tree])?;
        git.run_with_input(
            &["update-index", "-z", "--add", "--replace", "--index-info"],
            orders,
        )?;
        Ok(line(&git.run(&["write-tree", "--missing-ok"])?))
    }
}

/// The path of an entry of `git ls-tree`, and the order that adds it to an index; none for a nested
/// repository, which stays as it is.
fn index_order(entry: &[u8]) -> Option<(&str, Option<Vec<u8>>)> {
    let (facts, path) = std::str::from_utf8(entry).ok()?.split_once('\t')?;
    let [mode, kind, object] = facts.split(' ').collect::<Vec<_>>()[..] else {
        return None;
    };
    let order = format!("{mode} {object}\t{path}\0").into_bytes();
    Some((path, (kind == "blob").then_some(order)))
}
