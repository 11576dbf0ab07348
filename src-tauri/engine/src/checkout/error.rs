//! Why there is no worktree, or why work was not brought together.

use std::io;
use std::path::PathBuf;

use crate::git::GitError;
use crate::git_checkpoint::CheckpointError;

/// Why there is no worktree, or why work was not brought together.
#[derive(Debug, thiserror::Error)]
pub enum CheckoutError {
    /// The plan's directory is no git work tree.
    #[error(
        "make a worktree: {} is not in a git repository. Run `git init` there, or let the node work in the plan's directory",
        directory.display()
    )]
    NoRepository {
        /// The plan's directory.
        directory: PathBuf,
    },
    /// Git cannot merge without touching files.
    #[error(
        "merge the work of several nodes: git {found} cannot do it without touching files. Install git 2.38 or later"
    )]
    OldGit {
        /// Its version, in its own words.
        found: String,
    },
    /// Something lies there that Baton has not made.
    #[error("make the worktree {}: something else is there. Move it away, then retry the node", place.display())]
    Taken {
        /// Where.
        place: PathBuf,
    },
    /// The worktree is in use.
    #[error("remove the worktree {}: its node is still at work", place.display())]
    Busy {
        /// Where.
        place: PathBuf,
    },
    /// The person changed the same files, and bringing work home would overwrite them.
    #[error(
        "bring the work home: you have changed {files} since the run began. Commit or put these aside, then try again"
    )]
    Overwrites {
        /// The files.
        files: String,
    },
    /// Files were not kept, or not written.
    #[error(transparent)]
    Files(#[from] CheckpointError),
    /// Git did not do it.
    #[error(transparent)]
    Git(#[from] GitError),
    /// What Baton noted about the worktree cannot be read or written.
    #[error("keep a note on the worktree {}", place.display())]
    Record {
        /// Where.
        place: PathBuf,
        /// Why.
        #[source]
        source: serde_json::Error,
    },
    /// The operating system refused a file.
    #[error("write the worktree")]
    Io(#[from] io::Error),
}
