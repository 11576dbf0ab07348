//! The worktree of one node in one run: its path, creating it, recreating it, and resetting it to a
//! commit.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use baton_model::{Node, RunId};

use super::record::{OpenConflict, Owner, WorktreeRecord};
use super::{CheckoutError, Repository, work_commits};
use crate::crash_point::crash_point;
use crate::git::Git;
use crate::git_checkpoint::line;

/// How many characters of a slug are part of the path: paths are limited, and builds make long
/// ones.
const SLUG_LENGTH: usize = 40;

/// The location of a node's worktree. It is the same for all attempts of a node in a run: agents
/// find their sessions by path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NodeWorktree {
    path: PathBuf,
}

impl NodeWorktree {
    /// The worktree of `node` in `run`.
    pub(crate) fn of(data_directory: &Path, run: RunId, node: &Node) -> Self {
        Self {
            path: folder_of(data_directory, run).join(name_of(node)),
        }
    }

    /// The worktree for conflicts of merging back the work of `run`.
    pub(crate) fn for_merge_back(data_directory: &Path, run: RunId) -> Self {
        // No slug begins with this character.
        Self {
            path: folder_of(data_directory, run).join("+home"),
        }
    }

    /// The worktree of another node of the same run.
    pub(super) fn of_node(&self, node: &Node) -> Self {
        Self {
            path: self.path.with_file_name(name_of(node)),
        }
    }

    pub(crate) fn at(path: PathBuf) -> Self {
        Self { path }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The marker file that exists once the plan's setup command has run here.
    pub(crate) fn prepared(&self) -> PathBuf {
        self.sibling_path("prepared")
    }

    /// Whether the plan's setup command has run here.
    pub(crate) fn is_prepared(&self) -> bool {
        self.prepared()
            .metadata()
            .is_ok_and(|marker| marker.len() > 0)
    }

    pub(crate) fn record(&self) -> Option<WorktreeRecord> {
        WorktreeRecord::read(&self.sibling_path("json"))
    }

    pub(super) fn write(&self, record: &WorktreeRecord) -> Result<(), CheckoutError> {
        fs::create_dir_all(self.path.parent().unwrap_or(&self.path))?;
        record.write(&self.sibling_path("json"))
    }

    /// Whether a complete worktree exists.
    pub(crate) fn is_ready(&self) -> bool {
        self.path.join(".git").exists() && self.record().is_some_and(|record| record.ready)
    }

    /// Keeps other threads and processes from creating anything here until the file is dropped.
    pub(crate) fn lock(&self) -> Result<File, CheckoutError> {
        lock_file(&self.sibling_path("lock"))
    }

    pub(super) fn git(&self) -> Git {
        Git::at(&self.path).with_baton_identity()
    }

    /// Checks out the files of `base` for the node's session. Uncommitted files of an earlier
    /// attempt are committed first; ignored files stay, so that dependencies need not be installed
    /// again.
    pub(super) fn check_out(
        &self,
        owner: &Owner,
        repository: &Repository,
        base: &str,
    ) -> Result<(), CheckoutError> {
        self.reset_or_create(owner, repository, base)?;
        let mut record = WorktreeRecord::new(owner, repository.work_tree().root(), base);
        record.ready = true;
        self.write(&record)
    }

    /// Writes the files of a conflict with their markers, in the form that git's own tools expect.
    pub(super) fn open(
        &self,
        owner: &Owner,
        repository: &Repository,
        (base, open): (&str, &OpenConflict),
    ) -> Result<(), CheckoutError> {
        self.reset_or_create(owner, repository, base)?;
        let git = self.git();
        git.run(&["read-tree", "--reset", "-u", &open.tree])?;
        let zero = "0".repeat(40);
        let entries = open.stages.iter().flat_map(|(path, stages)| {
            let gone = std::iter::once(format!("0 {zero}\t{path}\0"));
            let staged = stages
                .iter()
                .map(move |(stage, (mode, object))| format!("{mode} {object} {stage}\t{path}\0"));
            gone.chain(staged)
        });
        git.run_with_input(
            &["update-index", "-z", "--index-info"],
            entries.collect::<String>().into_bytes(),
        )?;
        let mut record = WorktreeRecord::new(owner, repository.work_tree().root(), base);
        (record.ready, record.open) = (true, Some(open.clone()));
        self.write(&record)
    }

    fn reset_or_create(
        &self,
        owner: &Owner,
        repository: &Repository,
        base: &str,
    ) -> Result<(), CheckoutError> {
        if self.is_ready() {
            work_commits::commit_leftover_work(self, repository)?;
            return self.reset_to(base);
        }
        if self.path.exists() && self.record().is_none() {
            return Err(CheckoutError::Taken {
                place: self.path.clone(),
            });
        }
        let git = repository.registry()?;
        // A crash left it incomplete: no session has worked in it.
        self.write(&WorktreeRecord::new(
            owner,
            repository.work_tree().root(),
            base,
        ))?;
        if self.path.exists() {
            fs::remove_dir_all(&self.path)?;
        }
        git.run(&["worktree", "prune"])?;
        crash_point("half a worktree");
        let path = self.path.display().to_string();
        git.run(&[
            "worktree", "add", "--quiet", "--detach", "--force", &path, base,
        ])?;
        Ok(())
    }

    fn reset_to(&self, base: &str) -> Result<(), CheckoutError> {
        let git = self.git();
        // Its lock is stale: the node's attempts are over, with all their processes.
        let lock =
            Path::new(&line(&git.run(&["rev-parse", "--absolute-git-dir"])?)).join("index.lock");
        if lock.exists() {
            fs::remove_file(lock)?;
        }
        git.run(&["checkout", "--quiet", "--force", "--detach", base])?;
        // Repositories that were created in here stay: their content is not committed anywhere
        // else.
        git.run(&["clean", "--quiet", "-d", "--force"])?;
        Ok(())
    }

    pub(super) fn sibling_path(&self, what: &str) -> PathBuf {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        self.path.with_file_name(format!("{name}.{what}"))
    }
}

/// The folder of a run's worktrees, whether or not it has any.
pub fn folder_of(data_directory: &Path, run: RunId) -> PathBuf {
    let run = run.0.simple().to_string();
    let data_directory =
        fs::canonicalize(data_directory).unwrap_or_else(|_| data_directory.to_path_buf());
    // The first part of an id is the time, which many runs share.
    data_directory.join("worktrees").join(&run[16..])
}

/// Waits for the lock `file`. It is released when it is dropped, and when the process dies.
pub(super) fn lock_file(file: &Path) -> Result<File, CheckoutError> {
    fs::create_dir_all(file.parent().unwrap_or(file))?;
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(file)?;
    file.lock()?;
    Ok(file)
}

/// The folder name of a node's worktree: its slug, which is unique in the plan.
fn name_of(node: &Node) -> String {
    let slug = node.slug.as_str();
    let short: String = slug.chars().take(SLUG_LENGTH).collect();
    if short.len() == slug.len() {
        short
    } else {
        format!("{short}-{}", &node.id.0.simple().to_string()[24..])
    }
}
