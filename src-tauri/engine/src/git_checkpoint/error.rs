//! Errors of saving and restoring files.

use std::fmt;
use std::io;
use std::path::Path;

use crate::git::GitError;

/// Why files could not be saved or restored.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// A git command failed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// This repository has no checkpoint with this name.
    #[error("checkpoint {name} was deleted, or made in another repository")]
    Unknown {
        /// The name that was given.
        name: String,
    },
    /// Git could parse the name as something else.
    #[error("{name:?} is not a valid checkpoint name. Use letters, digits, `.`, `_`, `-` and `/`")]
    Name {
        /// The name that was given.
        name: String,
    },
    /// Restoring would destroy an unfinished operation.
    #[error("files can't be restored during a {0}. Finish it, or abort it with `{abort}`, then try again", abort = .0.abort())]
    Unfinished(Unfinished),
    /// A folder with content that is in no checkpoint is in the place of a file.
    #[error(
        "{path} can't be restored: a folder with that name contains ignored files or a repository. Move it, then try again"
    )]
    InTheWay {
        /// Relative to the root of the work tree.
        path: String,
    },
    /// Files changed after they were saved, so git refused before it wrote any.
    #[error(
        "files can't be restored while they are still changing ({stderr}). Stop what writes them, then try again"
    )]
    Changing {
        /// What git printed to standard error.
        stderr: String,
    },
    /// A file needs a filter that Baton does not run, so git would store something else than the
    /// file's content.
    #[error(
        "{path} can't be saved: it uses the filter {filter}, which only the repository's own configuration defines, and \
         Baton runs no program from there. If you trust it, move it to your own configuration with `git config --global`"
    )]
    Filter {
        /// The name of the filter.
        filter: String,
        /// Relative to the root of the work tree.
        path: String,
    },
    /// The path of the repository is not valid Unicode, or has a line break.
    #[error(
        "the path of the repository has a line break or isn't valid Unicode. Rename the folder"
    )]
    Path,
    /// The operating system refused a temporary file.
    #[error("couldn't write a temporary file")]
    Io(#[from] io::Error),
}

/// An operation that a person began in a work tree and has not finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfinished {
    /// A merge with conflicts.
    Merge,
    /// A rebase, or patches from mail, that stopped.
    Rebase,
    /// A cherry-pick with conflicts.
    CherryPick,
    /// A revert with conflicts.
    Revert,
}

impl Unfinished {
    /// The operation in progress, detected by the files that git keeps for it
    /// (gitrepository-layout).
    pub(super) fn within(git_dir: &Path) -> Option<Self> {
        let signs = [
            ("rebase-merge", Self::Rebase),
            ("rebase-apply", Self::Rebase),
            ("MERGE_HEAD", Self::Merge),
            ("CHERRY_PICK_HEAD", Self::CherryPick),
            ("REVERT_HEAD", Self::Revert),
        ];
        signs
            .into_iter()
            .find(|(file, _)| git_dir.join(file).exists())
            .map(|(_, unfinished)| unfinished)
    }

    /// The command that aborts it.
    #[must_use]
    pub fn abort(self) -> &'static str {
        match self {
            Self::Merge => "git merge --abort",
            Self::Rebase => "git rebase --abort",
            Self::CherryPick => "git cherry-pick --abort",
            Self::Revert => "git revert --abort",
        }
    }
}

impl fmt::Display for Unfinished {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Merge => "merge",
            Self::Rebase => "rebase",
            Self::CherryPick => "cherry-pick",
            Self::Revert => "revert",
        })
    }
}
