//! The state of a work tree before an operation.

use std::time::Duration;

use super::shadow_index::paths;
use super::{CheckpointError, Unfinished, WorkTree};
use crate::git::GitError;

/// A shorter timeout for a status that a person waits for.
const STATUS_TIMEOUT: Duration = Duration::from_secs(10);

/// The state of a work tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkTreeState {
    /// An operation that was begun and not finished.
    pub unfinished: Option<Unfinished>,
    /// Whether the repository has any commit.
    pub has_commit: bool,
    /// The files and new folders that differ from the last commit, as listed by git; invalid
    /// Unicode is replaced.
    pub uncommitted: Vec<String>,
}

impl WorkTree {
    /// The current state. Changes nothing.
    ///
    /// # Errors
    ///
    /// When git is missing, refuses, or takes longer than ten seconds.
    pub fn state(&self) -> Result<WorkTreeState, CheckpointError> {
        let mut git = self.git.clone();
        git.timeout = STATUS_TIMEOUT;
        let has_commit = match git.run(&["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]) {
            Ok(_) => true,
            Err(GitError::Refused { code: Some(1), .. }) => false,
            Err(error) => return Err(error.into()),
        };
        let status = git.run(&[
            "status",
            "--porcelain=v1",
            "-z",
            "--no-renames",
            "--untracked-files=normal",
        ])?;
        // Two letters and a space precede each path.
        let names = paths(&status)
            .filter_map(|entry| entry.get(3..))
            .map(String::from_utf8_lossy);
        let uncommitted = names
            .filter(|name| !self.is_own(name))
            .map(|name| name.into_owned())
            .collect();
        Ok(WorkTreeState {
            unfinished: Unfinished::within(&self.git_dir),
            has_commit,
            uncommitted,
        })
    }

    /// Returns whether the path is Baton's own data.
    pub(crate) fn is_own(&self, name: &str) -> bool {
        self.own
            .as_ref()
            .is_some_and(|own| own.starts_with(name.trim_end_matches('/')))
    }
}
