//! Snapshots of the files of a git work tree, and restoring them.
//!
//! A checkpoint is a commit below `refs/baton/` that holds every file git does not ignore,
//! including untracked ones. It is built with a separate index: the person's index, `HEAD`,
//! branches and stash do not change, no hook runs, and the repository may be empty. Restoring
//! changes only files: commits made since stay in the history. It first takes a checkpoint of the
//! current files, so that it can be undone.
//!
//! Neither direction touches ignored files, empty folders, submodules, repositories inside the work
//! tree, or Baton's own data. Files are restored as git checks them out, with the line endings and
//! filters that the person configured; if only the repository defines a filter for a file, nothing
//! is saved or written. Attempts that run concurrently in one work tree are not distinguished.

mod blocked_filter;
mod error;
mod ignore_rules;
mod restoration;
mod shadow_index;
#[cfg(test)]
mod tests;
mod work_tree_state;

use std::fs;
use std::path::{Path, PathBuf};

pub use blocked_filter::BlockedFilter;
pub use error::{CheckpointError, Unfinished};
pub use restoration::{ChangedFile, FileChange};
pub use work_tree_state::WorkTreeState;

use crate::git::{Git, GitError};
use crate::work_tree::work_tree_above;
use restoration::Restoration;
use shadow_index::ShadowIndex;

/// Checkpoints are stored here, separate from branches and tags and safe from `git gc`.
const REFS: &str = "refs/baton/";

/// A git work tree whose files can be saved and restored.
#[derive(Debug, Clone)]
pub struct WorkTree {
    git: Git,
    root: PathBuf,
    git_dir: PathBuf,
    index: PathBuf,
    /// Baton's own data, relative to the root, when it is inside.
    own: Option<PathBuf>,
    /// The folder below which files are restored, relative to the root; empty for all.
    scope: PathBuf,
}

impl WorkTree {
    /// The work tree that contains `directory`, at any depth; `None` outside of any repository.
    /// Files below `data_directory` are Baton's own and never part of a checkpoint.
    ///
    /// # Errors
    ///
    /// When git is missing, or refuses the repository, for example because another user owns it.
    pub fn of(directory: &Path, data_directory: &Path) -> Result<Option<Self>, CheckpointError> {
        // Most commands run outside of any repository; that is detected without starting git.
        if work_tree_above(directory).is_none() {
            return Ok(None);
        }
        let arguments = [
            "rev-parse",
            "--path-format=absolute",
            "--is-inside-work-tree",
            "--show-toplevel",
            "--absolute-git-dir",
            "--git-path",
            "index",
        ];
        let output = match Git::at(directory).run(&arguments) {
            Ok(output) => String::from_utf8(output).map_err(|_| CheckpointError::Path)?,
            // A `.git` folder that is not a repository, the inside of `.git`, or a bare repository.
            Err(GitError::Refused { stderr, .. })
                if stderr.contains("not a git repository")
                    || stderr.contains("must be run in a work tree") =>
            {
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        };
        let [inside, root, git_dir, index] = output.lines().collect::<Vec<_>>()[..] else {
            return Err(CheckpointError::Path);
        };
        let data_directory =
            fs::canonicalize(data_directory).unwrap_or_else(|_| data_directory.to_path_buf());
        let own = data_directory
            .strip_prefix(root)
            .ok()
            .map(Path::to_path_buf);
        if inside != "true" || own.as_deref() == Some(Path::new("")) {
            return Ok(None);
        }
        Ok(Some(Self {
            git: Git::at(Path::new(root)),
            root: root.into(),
            git_dir: git_dir.into(),
            index: index.into(),
            own,
            scope: PathBuf::new(),
        }))
    }

    /// The same, but files are restored only below `directory`, if that is inside: a plan that
    /// works in one part of a repository must not change the rest.
    #[must_use]
    pub fn below(self, directory: &Path) -> Self {
        let directory = fs::canonicalize(directory).unwrap_or_else(|_| directory.to_path_buf());
        match directory.strip_prefix(&self.root) {
            Ok(scope) => Self {
                scope: scope.to_path_buf(),
                ..self
            },
            Err(_) => self,
        }
    }

    /// The top folder of the work tree.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Saves the current files as checkpoint `name`, replacing an earlier one with that name. Works
    /// during a merge too: nothing is touched.
    ///
    /// # Errors
    ///
    /// When a file cannot be read or stored.
    pub fn snapshot(&self, name: &str) -> Result<(), CheckpointError> {
        let reference = reference(name)?;
        let tree = ShadowIndex::of(self)?.tree()?;
        self.commit_as(&reference, &tree)
    }

    /// The tree object of the current files. Nothing references it: git may delete it later unless
    /// a commit does.
    pub(crate) fn tree(&self) -> Result<String, CheckpointError> {
        ShadowIndex::of(self)?.tree()
    }

    pub(crate) fn git(&self) -> &Git {
        &self.git
    }

    /// Changes the files to the tree `goal` if they still match `expected`, and saves the previous
    /// files as `undo`.
    pub(crate) fn replace(
        &self,
        expected: &str,
        goal: &str,
        undo: &str,
    ) -> Result<Vec<ChangedFile>, CheckpointError> {
        let undo = reference(undo)?;
        if let Some(unfinished) = Unfinished::within(&self.git_dir) {
            return Err(CheckpointError::Unfinished(unfinished));
        }
        let restoration = Restoration::to_tree(self, goal)?;
        if restoration.present != expected {
            return Err(CheckpointError::Changing {
                stderr: "the files changed meanwhile".to_owned(),
            });
        }
        self.commit_as(&undo, &restoration.present)?;
        restoration.perform()?;
        Ok(restoration.files)
    }

    /// The files that restoring `name` would change, sorted by path. Changes nothing.
    ///
    /// # Errors
    ///
    /// As [`WorkTree::restore`], except that an unfinished merge does not matter.
    pub fn diff(&self, name: &str) -> Result<Vec<ChangedFile>, CheckpointError> {
        let then = self.tree_of(name)?;
        Ok(Restoration::to_tree(self, &then)?.files)
    }

    /// Restores every file in scope to checkpoint `name`, saves the current files as `undo`, and
    /// returns the changed files, sorted by path. Restoring `undo` reverts it.
    ///
    /// # Errors
    ///
    /// When there is no such checkpoint, during a merge, rebase, cherry-pick or revert, when a file
    /// changes meanwhile, or when an ignored file would have to be removed. In these cases nothing
    /// has changed. Only a disk that fails or fills up during the write leaves some files changed;
    /// `undo` holds the previous ones.
    pub fn restore(&self, name: &str, undo: &str) -> Result<Vec<ChangedFile>, CheckpointError> {
        let (then, undo) = (self.tree_of(name)?, reference(undo)?);
        if let Some(unfinished) = Unfinished::within(&self.git_dir) {
            return Err(CheckpointError::Unfinished(unfinished));
        }
        let restoration = Restoration::to_tree(self, &then)?;
        self.commit_as(&undo, &restoration.present)?;
        restoration.perform()?;
        Ok(restoration.files)
    }

    /// Deletes the checkpoints for whose name `keep` returns false, and returns how many. It is
    /// called for every checkpoint in the repository, including those of other data directories.
    ///
    /// # Errors
    ///
    /// When git cannot list or delete them; then none is deleted.
    pub fn prune(&self, keep: impl Fn(&str) -> bool) -> Result<usize, CheckpointError> {
        let listed = self
            .git
            .run(&["for-each-ref", "--format=%(refname)", REFS])?;
        let listed = String::from_utf8_lossy(&listed);
        let forgotten: Vec<&str> = listed
            .lines()
            .filter(|line| line.strip_prefix(REFS).is_some_and(|name| !keep(name)))
            .collect();
        let orders: String = forgotten
            .iter()
            .flat_map(|reference| ["delete ", reference, "\n"])
            .collect();
        if !forgotten.is_empty() {
            self.git
                .run_with_input(&["update-ref", "--stdin"], orders.into_bytes())?;
        }
        Ok(forgotten.len())
    }

    fn tree_of(&self, name: &str) -> Result<String, CheckpointError> {
        let tree = format!("{}^{{tree}}", reference(name)?);
        match self.git.run(&["rev-parse", "--verify", "--quiet", &tree]) {
            Ok(tree) => Ok(line(&tree)),
            Err(GitError::Refused { code: Some(1), .. }) => Err(CheckpointError::Unknown {
                name: name.to_owned(),
            }),
            Err(error) => Err(error.into()),
        }
    }

    /// Points `reference` at a commit of `tree` on top of `HEAD`, so that git's own tools can show
    /// what it changes.
    fn commit_as(&self, reference: &str, tree: &str) -> Result<(), CheckpointError> {
        let git = self.git.with_baton_identity();
        let message = format!("Baton checkpoint {}", reference.trim_start_matches(REFS));
        let mut arguments = vec!["commit-tree", tree, "--no-gpg-sign", "-m", &message];
        let head = match git.run(&["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]) {
            Ok(head) => line(&head),
            // The repository has no commit yet.
            Err(GitError::Refused { code: Some(1), .. }) => String::new(),
            Err(error) => return Err(error.into()),
        };
        if !head.is_empty() {
            arguments.extend(["-p", &head]);
        }
        let commit = line(&git.run(&arguments)?);
        git.run(&["update-ref", reference, &commit])?;
        Ok(())
    }
}

/// The full reference name. Allowed are letters, digits, `.`, `_`, `-` and `/`, and nothing that
/// git parses as more than a name.
fn reference(name: &str) -> Result<String, CheckpointError> {
    let plain = name
        .chars()
        .all(|letter| letter.is_ascii_alphanumeric() || "._-/".contains(letter));
    if name.is_empty() || !plain {
        return Err(CheckpointError::Name {
            name: name.to_owned(),
        });
    }
    Ok(format!("{REFS}{name}"))
}

/// The single line that git printed.
pub(crate) fn line(output: &[u8]) -> String {
    String::from_utf8_lossy(output).trim_end().to_owned()
}
