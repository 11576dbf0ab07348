//! Why files were not kept or not brought back.

use std::fmt;
use std::io;
use std::path::Path;

use crate::git::GitError;

/// Why files were not kept or not brought back.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// Git did not do it.
    #[error(transparent)]
    Git(#[from] GitError),
    /// There is no checkpoint of this name in this repository.
    #[error("checkpoint {name} was deleted, or made in another repository")]
    Unknown {
        /// The name.
        name: String,
    },
    /// Git could read this as more than a name.
    #[error("{name:?} is no name for a checkpoint. Use letters, digits, `.`, `_`, `-` and `/`")]
    Name {
        /// The name.
        name: String,
    },
    /// The files are in the middle of something that going back would destroy.
    #[error("files cannot be restored during a {0}. Finish it, or give it up with `{abort}`, then try again", abort = .0.abort())]
    Unfinished(Unfinished),
    /// A folder with things that no checkpoint holds stands where a file would come back.
    #[error(
        "{path} cannot be restored: ignored files or a repository are in a folder of that name. Move it away, then try again"
    )]
    InTheWay {
        /// The file, relative to the root.
        path: String,
    },
    /// Files changed after they were kept, so git refused before it wrote any.
    #[error(
        "files cannot be restored while they are still changing ({said}). Stop what writes them, then try again"
    )]
    Changing {
        /// Git's own words.
        said: String,
    },
    /// A file goes through a filter that Baton does not run, so what git would keep is not what is in the file.
    #[error(
        "{path} cannot be kept: it goes through the filter {filter}, which only the repository's own configuration defines, and \
         Baton runs no program from there. If you trust it, move it to your own configuration with `git config --global`"
    )]
    Filter {
        /// The name of the filter.
        filter: String,
        /// The file, relative to the root.
        path: String,
    },
    /// The path of the repository is no text, or has a line break.
    #[error(
        "the path of the repository cannot be read. Rename the folder so that its path is one line of text"
    )]
    Path,
    /// The operating system refused a temporary file.
    #[error("a temporary file cannot be written")]
    Io(#[from] io::Error),
}

/// What a person began in a work tree and has not finished.
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
    /// What is under way in the repository, by the files that git keeps meanwhile (gitrepository-layout).
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

    /// The command that gives it up.
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
