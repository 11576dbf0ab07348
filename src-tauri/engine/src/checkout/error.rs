//! Errors of preparing worktrees and merging work.

use std::io;
use std::path::PathBuf;

use crate::git::GitError;
use crate::git_checkpoint::CheckpointError;

/// Why a worktree could not be prepared, or work could not be merged.
#[derive(Debug, thiserror::Error)]
pub enum CheckoutError {
    /// The plan's directory is not in a git work tree.
    #[error(
        "{} is not in a git repository, so there is no worktree. Run `git init` there, or let the node work in the plan's directory",
        directory.display()
    )]
    NoRepository {
        /// The plan's working directory.
        directory: PathBuf,
    },
    /// The installed git cannot merge without touching files.
    #[error(
        "git {found} can't merge the work of several nodes without touching files. Install git 2.38 or later"
    )]
    OldGit {
        /// The output of `git --version`.
        found: String,
    },
    /// Something that Baton did not create is at the worktree's path.
    #[error("the worktree path {} is already in use. Move what is there, then retry the node", place.display())]
    Taken {
        /// The path of the worktree.
        place: PathBuf,
    },
    /// Another process uses the worktree.
    #[error("the worktree {} is in use by its node. Wait until the node ends", place.display())]
    Busy {
        /// The path of the worktree.
        place: PathBuf,
    },
    /// Files that git ignores would be overwritten.
    #[error(
        "{files} would be overwritten, and git ignores the existing files. Move them away, then try again"
    )]
    InTheWay {
        /// The paths, as a list for a sentence.
        files: String,
    },
    /// Nodes may be writing to the plan's directory.
    #[error(
        "{titles} may be working in the plan's directory. Wait until they finish, or create a branch"
    )]
    AtWork {
        /// The titles of these nodes, as a list for a sentence.
        titles: String,
    },
    /// Later changes by the person conflict with undoing the merge.
    #[error(
        "later changes conflict in {files}. Edit them manually; the earlier files are saved under refs/baton"
    )]
    ChangedSince {
        /// The paths, as a list for a sentence.
        files: String,
    },
    /// No merge has this id, or it was undone already.
    #[error("there is no merge {act} into the directory, or it was already undone")]
    NothingBrought {
        /// The id that was given.
        act: String,
    },
    /// A branch with this name exists.
    #[error("the branch {name} already exists. Choose another name")]
    BranchTaken {
        /// The name of the branch.
        name: String,
    },
    /// Git does not allow this name for a branch.
    #[error(
        "git does not allow a branch named {name:?}. Use letters, digits, `-`, `_`, `.` and `/`"
    )]
    BranchName {
        /// The name that was given.
        name: String,
    },
    /// All work is in the plan's directory already.
    #[error("all work is already in the plan's directory")]
    NothingApart,
    /// The conflict comes from merging back, so no attempt of a node can resolve it.
    #[error(
        "this conflict came from merging back, so retrying a node can't resolve it. Let an agent resolve it instead"
    )]
    NoAgentHere,
    /// The branch is checked out, so a new commit on it would leave its files behind.
    #[error(
        "the branch {name} is checked out in {}. Switch to another branch there first",
        place.display()
    )]
    BranchCheckedOut {
        /// The branch.
        name: String,
        /// The work tree.
        place: PathBuf,
    },
    /// The run changed nothing, or all of it is in the person's commits.
    #[error(
        "this run has no changes to propose: it changed no file, or all of its work is committed"
    )]
    NothingToPropose,
    /// The repository has no commit to base a branch on.
    #[error("{} has no commit yet. Commit something there first", root.display())]
    NoCommit {
        /// The root of the repository.
        root: PathBuf,
    },
    /// The work of two nodes conflicts.
    #[error("the work of {ours} and {theirs} conflicts in {files}. Merge the changes back first")]
    WorksClash {
        /// The title of the work that was merged first.
        ours: String,
        /// The title of the work that conflicts with it.
        theirs: String,
        /// The paths, as a list for a sentence.
        files: String,
    },
    /// The work cannot be separated from changes that the person had not committed.
    #[error(
        "the work builds on changes in {files} that were not committed when the run began. Merge the changes back and commit them yourself"
    )]
    NeedsUncommitted {
        /// The paths, as a list for a sentence.
        files: String,
    },
    /// The remote repository did not accept the branch.
    #[error("the push to {remote} failed: {detail}")]
    PushRefused {
        /// The name of the remote.
        remote: String,
        /// What git printed.
        detail: String,
    },
    /// Files could not be saved or written.
    #[error(transparent)]
    Files(#[from] CheckpointError),
    /// A git command failed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// Baton's record of the worktree cannot be read or written.
    #[error("couldn't write the record of the worktree {}", place.display())]
    WorktreeRecord {
        /// The path of the record.
        place: PathBuf,
        /// Why the record could not be serialized or parsed.
        #[source]
        source: serde_json::Error,
    },
    /// The operating system refused access to a file.
    #[error("couldn't write the worktree")]
    Io(#[from] io::Error),
}
