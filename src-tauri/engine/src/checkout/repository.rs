//! The repository of a run: commits below `refs/baton/`, and the plan's directory as a chain of
//! commits.
//!
//! The first commit of the chain is the directory as it was when the run began, the next ones are
//! its later states, so that merges have a common ancestor. `HEAD` is used only as a parent of
//! these commits.

use std::fs::File;
use std::path::{Path, PathBuf};

use baton_keeper::umask;
use baton_model::RunId;

use super::CheckoutError;
use super::node_worktree::lock_file;
use crate::git::{Git, GitError};
use crate::git_checkpoint::{ChangedFile, WorkTree, line};

/// The reference of the plan's directory at the beginning of the run.
const START: &str = "start";
/// The reference of the latest known state of the plan's directory.
pub(super) const DIRECTORY: &str = "directory";

/// A run's view of the repository that holds the plan's directory.
#[derive(Debug, Clone)]
pub(crate) struct Repository {
    tree: WorkTree,
    run: RunId,
    lock: PathBuf,
}

impl Repository {
    /// The repository that contains `directory`; `None` if none does.
    pub(crate) fn of(
        directory: &Path,
        data_directory: &Path,
        run: RunId,
    ) -> Result<Option<Self>, CheckoutError> {
        let lock = data_directory.join("worktrees").join(format!("{run}.lock"));
        Ok(WorkTree::of(directory, data_directory)?.map(|tree| Self { tree, run, lock }))
    }

    /// The folder of the run's references below `refs/baton/`.
    pub(crate) fn prefix(&self) -> String {
        format!("runs/{}", self.run)
    }

    /// The person's work tree.
    pub(crate) fn work_tree(&self) -> &WorkTree {
        &self.tree
    }

    /// Git in the person's work tree, with Baton as author.
    pub(crate) fn git(&self) -> Git {
        self.tree.git().with_baton_identity()
    }

    /// Git with exclusive access to the repository's list of worktrees, for as long as the result,
    /// or a git process that outlives Baton, exists. Git does not lock the list itself: its `prune`
    /// removes what a concurrent `add` has just created.
    pub(super) fn registry(&self) -> Result<Git, CheckoutError> {
        let git = self.git();
        let common =
            line(&git.run(&["rev-parse", "--path-format=absolute", "--git-common-dir"])?);
        // The lock is in the repository, because several data directories may have worktrees of it.
        let lock =
            umask::with_original(|| lock_file(&Path::new(&common).join("baton-worktrees.lock")))?;
        Ok(git.holding_lock(lock))
    }

    /// The commit of the run's reference `name`.
    pub(crate) fn find_ref(&self, name: &str) -> Result<Option<String>, CheckoutError> {
        self.commit_of(&format!("refs/baton/{}/{name}", self.prefix()))
    }

    /// Sets the run's reference `name` to `commit`.
    pub(crate) fn set_ref(&self, name: &str, commit: &str) -> Result<(), CheckoutError> {
        let reference = format!("refs/baton/{}/{name}", self.prefix());
        self.git().run(&["update-ref", &reference, commit])?;
        Ok(())
    }

    /// Commits `tree` without a reference.
    pub(crate) fn commit(
        &self,
        tree: &str,
        parents: &[String],
        message: &str,
    ) -> Result<String, CheckoutError> {
        let mut arguments = vec!["commit-tree", tree, "--no-gpg-sign", "-m", message];
        arguments.extend(parents.iter().flat_map(|parent| ["-p", parent.as_str()]));
        Ok(line(&self.git().run(&arguments)?))
    }

    pub(crate) fn tree_of(&self, commit: &str) -> Result<String, CheckoutError> {
        Ok(line(&self.git().run(&[
            "rev-parse",
            "--verify",
            &format!("{commit}^{{tree}}"),
        ])?))
    }

    pub(crate) fn parents_of(&self, commit: &str) -> Result<Vec<String>, CheckoutError> {
        let line_of_ids = line(
            &self
                .git()
                .run(&["rev-list", "--parents", "-n", "1", commit])?,
        );
        Ok(line_of_ids.split(' ').skip(1).map(str::to_owned).collect())
    }

    /// Returns whether `earlier` is an ancestor of `later`, or the same.
    pub(crate) fn contains(&self, later: &str, earlier: &str) -> Result<bool, CheckoutError> {
        Ok(earlier == later
            || self
                .git()
                .run_predicate(&["merge-base", "--is-ancestor", earlier, later])?
                .0)
    }

    /// The plan's directory at the beginning of the run; on the first call, its current state.
    pub(crate) fn start(&self) -> Result<String, CheckoutError> {
        if let Some(start) = self.find_ref(START)? {
            return Ok(start);
        }
        let now = self.commit_directory()?;
        let _held = self.lock()?;
        match self.find_ref(START)? {
            Some(start) => Ok(start),
            None => self.set_ref(START, &now).map(|()| now),
        }
    }

    /// The plan's directory at the beginning of the run; `None` before the first call of `start`.
    pub(super) fn existing_start(&self) -> Result<Option<String>, CheckoutError> {
        self.find_ref(START)
    }

    /// Commits the current state of the plan's directory as the next commit of its chain.
    pub(crate) fn commit_directory(&self) -> Result<String, CheckoutError> {
        let _held = self.lock()?;
        let commit = self.directory_commit_read_only()?;
        self.set_ref(DIRECTORY, &commit)?;
        Ok(commit)
    }

    /// The same without changing the chain, for previews.
    pub(super) fn directory_commit_read_only(&self) -> Result<String, CheckoutError> {
        let tree = self.tree.tree()?;
        let head = self.commit_of("HEAD")?;
        let last = self.find_ref(DIRECTORY)?;
        let mut parents: Vec<String> = last.iter().cloned().collect();
        if let Some(head) = head
            && !last
                .as_ref()
                .map_or(Ok(false), |last| self.contains(last, &head))?
        {
            parents.push(head);
        }
        if let [only] = &parents[..]
            && self.tree_of(only)? == tree
        {
            return Ok(only.clone());
        }
        self.commit(&tree, &parents, "Baton: the plan's directory")
    }

    /// Changes the files of the plan's directory to those of `merged`, if they still match `here`.
    /// The previous files are saved as `undo`.
    pub(crate) fn write_to_directory(
        &self,
        here: &str,
        merged: &str,
        undo: &str,
    ) -> Result<Vec<ChangedFile>, CheckoutError> {
        let _held = self.lock()?;
        let (before, after) = (self.tree_of(here)?, self.tree_of(merged)?);
        let files = if before == after {
            Vec::new()
        } else {
            self.tree.replace(&before, &after, undo)?
        };
        if self.contains(merged, here)? {
            self.set_ref(DIRECTORY, merged)?;
        }
        Ok(files)
    }

    /// The commit of any revision name.
    pub(crate) fn commit_of(&self, name: &str) -> Result<Option<String>, CheckoutError> {
        Self::find_in(&self.git(), name)
    }

    /// The commit of `HEAD` where `git` runs.
    pub(super) fn head_of(&self, git: &Git) -> Result<Option<String>, CheckoutError> {
        Self::find_in(git, "HEAD")
    }

    fn find_in(git: &Git, name: &str) -> Result<Option<String>, CheckoutError> {
        match git.run(&[
            "rev-parse",
            "--verify",
            "--quiet",
            &format!("{name}^{{commit}}"),
        ]) {
            Ok(commit) => Ok(Some(line(&commit))),
            Err(GitError::Refused { code: Some(1), .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Keeps other threads and processes from changing the chain until the file is dropped.
    fn lock(&self) -> Result<File, CheckoutError> {
        lock_file(&self.lock)
    }
}
