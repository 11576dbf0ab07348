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
    /// Files that git ignores lie where work would be written.
    #[error(
        "bring the work home: {files} would be overwritten, and git ignores what is there. Move it away, then try again"
    )]
    InTheWay {
        /// The files.
        files: String,
    },
    /// Nodes are writing into the plan's directory.
    #[error(
        "change the plan's directory: {titles} may be at work in it. Wait until that is over, or make a branch"
    )]
    AtWork {
        /// The titles of the nodes.
        titles: String,
    },
    /// The person changed files since, so that going back does not fit.
    #[error(
        "take the work back: {files} changed again since. Change these by hand; the files from before are kept below refs/baton"
    )]
    ChangedSince {
        /// The files.
        files: String,
    },
    /// Nothing of that name was brought into the directory, or it was taken back.
    #[error(
        "take the work back: nothing of the name {act} was brought into the directory, or it was taken back already"
    )]
    NothingBrought {
        /// The name.
        act: String,
    },
    /// A branch of that name is there.
    #[error("make the branch {name}: it exists already. Choose another name")]
    BranchTaken {
        /// The name.
        name: String,
    },
    /// Git takes this for no name of a branch.
    #[error(
        "make the branch {name:?}: git allows no such name. Use letters, digits, `-`, `_`, `.` and `/`"
    )]
    BranchName {
        /// The name.
        name: String,
    },
    /// All work is in the plan's directory.
    #[error("bring work home: none stands apart from the plan's directory")]
    NothingApart,
    /// No attempt of a node can settle this conflict.
    #[error(
        "let a node settle this: the work is on its way home, and no node has its turn. Hand it to an agent instead"
    )]
    NoAgentHere,
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
