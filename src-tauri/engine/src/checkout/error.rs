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
        "{} is not in a git repository, so there is no worktree. Run `git init` there, or let the node work in the plan's directory",
        directory.display()
    )]
    NoRepository {
        /// The plan's directory.
        directory: PathBuf,
    },
    /// Git cannot merge without touching files.
    #[error(
        "git {found} cannot merge the work of several nodes without touching files. Install git 2.38 or later"
    )]
    OldGit {
        /// Its version, in its own words.
        found: String,
    },
    /// Something lies there that Baton has not made.
    #[error("something else is where the worktree {} should be. Move it away, then retry the node", place.display())]
    Taken {
        /// Where.
        place: PathBuf,
    },
    /// The worktree is in use.
    #[error("the worktree {} is in use by its node", place.display())]
    Busy {
        /// Where.
        place: PathBuf,
    },
    /// Files that git ignores lie where work would be written.
    #[error(
        "{files} would be overwritten, and git ignores what is there. Move it away, then try again"
    )]
    InTheWay {
        /// The files.
        files: String,
    },
    /// Nodes are writing into the plan's directory.
    #[error(
        "{titles} may be at work in the plan's directory. Wait until that is over, or make a branch"
    )]
    AtWork {
        /// The titles of the nodes.
        titles: String,
    },
    /// The person changed files since, so that going back does not fit.
    #[error(
        "{files} changed again since. Change these by hand; the files from before are kept below refs/baton"
    )]
    ChangedSince {
        /// The files.
        files: String,
    },
    /// Nothing of that name was brought into the directory, or it was taken back.
    #[error("nothing named {act} was brought into the directory, or it was taken back already")]
    NothingBrought {
        /// The name.
        act: String,
    },
    /// A branch of that name is there.
    #[error("the branch {name} exists already. Choose another name")]
    BranchTaken {
        /// The name.
        name: String,
    },
    /// Git takes this for no name of a branch.
    #[error(
        "git does not allow a branch named {name:?}. Use letters, digits, `-`, `_`, `.` and `/`"
    )]
    BranchName {
        /// The name.
        name: String,
    },
    /// All work is in the plan's directory.
    #[error("all work is in the plan's directory already")]
    NothingApart,
    /// No attempt of a node can settle this conflict.
    #[error(
        "no node can settle this conflict, since the work is on its way to your directory. Hand it to an agent instead"
    )]
    NoAgentHere,
    /// Files were not kept, or not written.
    #[error(transparent)]
    Files(#[from] CheckpointError),
    /// Git did not do it.
    #[error(transparent)]
    Git(#[from] GitError),
    /// What Baton noted about the worktree cannot be read or written.
    #[error("the record of the worktree {} cannot be written", place.display())]
    WorktreeRecord {
        /// Where.
        place: PathBuf,
        /// Why.
        #[source]
        source: serde_json::Error,
    },
    /// The operating system refused a file.
    #[error("the worktree cannot be written")]
    Io(#[from] io::Error),
}
