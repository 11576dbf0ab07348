//! Worktrees: isolation of nodes from each other and from the person's own files.
//!
//! An isolated node gets a git worktree below Baton's data directory, with a detached `HEAD`. It
//! starts from the merged work of the node's parents; a node without parents starts from the plan's
//! directory as it was when the run began, including the person's uncommitted and new files. Baton
//! commits the work of each attempt below `refs/baton/`, without hooks. No index, stash or branch
//! changes, the list of branches stays clean, and no work is lost when a worktree is removed.
//!
//! A shared node below isolated ones gets their work merged into the plan's directory right before
//! it starts; the previous files are kept as a checkpoint. Merges use `git merge-tree` and touch no
//! file. A merge with conflicts touches only the node's own worktree, where the files keep their
//! conflict markers until a person, or an agent, has resolved it.
//!
//! Not supported: submodules are empty folders in a worktree; ignored files (dependencies, `.env`)
//! are missing there, and a plan may define a command that creates them; large-file filters run as
//! configured. Repositories that a node creates inside its worktree are not part of its work.

mod applied_merge;
mod difference;
mod error;
mod fan_in;
mod fan_in_preview;
mod file_content;
mod isolated_work;
mod leftover_worktree;
mod merge;
mod merge_back;
mod node_diff;
mod node_worktree;
mod proposal_branch;
mod proposed_work;
mod record;
mod repository;
#[cfg(test)]
mod tests;
mod work_commits;

use std::path::{Path, PathBuf};

use baton_model::run::{Conflict, Resolution};
use baton_model::{Isolation, Node, RunId};

pub use applied_merge::AppliedMerge;
pub use difference::{DeltaKind, FileDelta};
pub use error::CheckoutError;
pub use fan_in_preview::{FanInPreview, FanInSource, preview_fan_in};
pub use isolated_work::{IsolatedWork, IsolatedWorkLocation};
pub use leftover_worktree::{LeftoverState, LeftoverWorktree, leftovers, leftovers_of, remove};
pub use merge_back::{
    MergeBackOutcome, MergeBackRequest, MergePreview, MergedFile, PredictedConflict, merge_back,
    pending_merge_back, preview_merge_back, undo_merge_back,
};
pub use node_diff::{
    AttemptWork, DirectoryWork, FileDiff, FileDiffContent, NodeDiff, directory_diff, worktree_diff,
};
pub(crate) use node_worktree::NodeWorktree;
pub use node_worktree::folder_of as run_worktrees;
pub use proposal_branch::{
    BranchState, OpenedPullRequest, ProposedCommit, Remote, branch_state, create_proposal_branch,
    earlier_commits, opened_pull_request, push_branch, remember_pull_request, remotes,
};
pub use proposed_work::{ProposedWork, proposed_work};
pub(crate) use repository::Repository;
pub(crate) use work_commits::{commit_work, unresolved_files};

use crate::crash_point::crash_point;
use crate::git_checkpoint::CheckpointError;
use crate::job::Job;
use crate::work_source::WorkSource;
use crate::work_tree::work_tree_above;
use applied_merge::MergeAct;
use fan_in::{MergeContext, MergeOutcome};
use record::{Owner, WorktreeRecord};

/// How often to try again when the files in the plan's directory change during a merge into it.
const TRIES: u32 = 5;
const PAUSE: std::time::Duration = std::time::Duration::from_millis(200);

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PreparedCheckout {
    /// The session may start.
    Ready,
    /// The conflict that an agent was to resolve is gone.
    NothingToMerge,
    /// A person has to decide first.
    Conflict(Box<Conflict>),
}

/// Returns whether `node` works in its own worktree.
pub(crate) fn is_isolated(job: &Job, node: &Node) -> bool {
    node.isolation_in(&job.run.plan.settings) == Isolation::Worktree
}

/// Prepares the directory for `node` before its session starts. Repeating it after a crash gives
/// the same result.
pub(crate) fn prepare_checkout(
    job: &Job,
    node: &Node,
    data_directory: &Path,
) -> Result<PreparedCheckout, CheckoutError> {
    let plan = &job.run.plan;
    let own = is_isolated(job, node);
    let Some(directory) = plan
        .cwd
        .as_deref()
        .map(Path::new)
        .filter(|_| plan.has_worktrees())
    else {
        return Ok(PreparedCheckout::Ready);
    };
    let Some(repository) = Repository::of(directory, data_directory, job.run.run)? else {
        let missing = CheckoutError::NoRepository {
            directory: directory.to_path_buf(),
        };
        return if own {
            Err(missing)
        } else {
            Ok(PreparedCheckout::Ready)
        };
    };
    repository.start()?;
    let receives = job
        .sources
        .iter()
        .any(|source| matches!(source, WorkSource::Session { .. }));
    if !own && !receives {
        return Ok(PreparedCheckout::Ready);
    }
    let place = NodeWorktree::of(data_directory, job.run.run, node);
    let _held = place.lock()?;
    let is_at_work =
        |record: WorktreeRecord| record.session == job.session && record.open.is_none();
    if own && place.is_ready() && (job.resumes.is_some() || place.record().is_some_and(is_at_work))
    {
        return Ok(PreparedCheckout::Ready);
    }
    if own {
        prepare_worktree(job, node, &repository, &place)
    } else {
        prepare_directory(job, node, &repository, &place)
    }
}

fn prepare_worktree(
    job: &Job,
    node: &Node,
    repository: &Repository,
    place: &NodeWorktree,
) -> Result<PreparedCheckout, CheckoutError> {
    let sees_directory = job.sources.contains(&WorkSource::Directory);
    let here = if sees_directory {
        repository.commit_directory()?
    } else {
        String::new()
    };
    let sources = fan_in::sources((&job.run.plan, &job.sources), repository, place, &here)?;
    let owner = Owner::attempt(job, node);
    let gathering = MergeContext {
        owner: &owner,
        repository,
        place,
        decided: job.decided.as_ref(),
    };
    Ok(match fan_in::merge_all(gathering, &sources)? {
        MergeOutcome::Commit(_) if job.is_merge_only() => PreparedCheckout::NothingToMerge,
        MergeOutcome::Commit(base) => {
            crash_point("before worktree");
            place.check_out(&owner, repository, &base)?;
            crash_point("after worktree");
            PreparedCheckout::Ready
        }
        MergeOutcome::AgentResolving => PreparedCheckout::Ready,
        MergeOutcome::Conflict(conflict) => PreparedCheckout::Conflict(conflict),
    })
}

/// Merges the work of isolated parents into the plan's directory.
fn prepare_directory(
    job: &Job,
    node: &Node,
    repository: &Repository,
    place: &NodeWorktree,
) -> Result<PreparedCheckout, CheckoutError> {
    for _ in 1..TRIES {
        match merge_into_directory(job, node, repository, place) {
            // Other attempts work here as well.
            Err(CheckoutError::Files(CheckpointError::Changing { .. })) => {
                std::thread::sleep(PAUSE)
            }
            done => return done,
        }
    }
    merge_into_directory(job, node, repository, place)
}

fn merge_into_directory(
    job: &Job,
    node: &Node,
    repository: &Repository,
    place: &NodeWorktree,
) -> Result<PreparedCheckout, CheckoutError> {
    let here = repository.commit_directory()?;
    let sources = fan_in::sources((&job.run.plan, &job.sources), repository, place, &here)?;
    let owner = Owner::attempt(job, node);
    let gathering = MergeContext {
        owner: &owner,
        repository,
        place,
        decided: job.decided.as_ref(),
    };
    Ok(match fan_in::merge_all(gathering, &sources)? {
        MergeOutcome::Commit(_) if job.is_merge_only() => PreparedCheckout::NothingToMerge,
        MergeOutcome::Commit(merged) => {
            let merged_titles = sources
                .iter()
                .filter(|work| work.commit != here)
                .map(|work| work.title.clone());
            let (name, titles) = (job.session.to_string(), merged_titles.collect::<Vec<_>>());
            crash_point("before fan-in");
            repository.apply_merge(&MergeAct {
                here: &here,
                merged: &merged,
                name: &name,
                titles: &titles,
            })?;
            crash_point("after fan-in");
            PreparedCheckout::Ready
        }
        MergeOutcome::AgentResolving => PreparedCheckout::Ready,
        MergeOutcome::Conflict(conflict) => PreparedCheckout::Conflict(conflict),
    })
}

/// The directory of `node` in its worktree. `directory` is the plan's and `own` the node's own
/// setting; `None` outside of git.
pub(crate) fn directory_of(
    data_directory: &Path,
    run: RunId,
    node: &Node,
    directory: &Path,
    own: Option<&str>,
) -> Option<PathBuf> {
    let chosen = directory.join(own.unwrap_or_default());
    let root = work_tree_above(directory)?;
    // Git reports the real path of the root; the plan may refer to it by a link.
    let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let place = NodeWorktree::of(data_directory, run, node)
        .path()
        .to_path_buf();
    let within = match chosen.strip_prefix(root) {
        Ok(within) => within.to_path_buf(),
        Err(_) => match real(&chosen).strip_prefix(real(root)) {
            Ok(within) => within.to_path_buf(),
            // The node's own directory is outside of the repository.
            Err(_) => return Some(chosen),
        },
    };
    Some(if within.as_os_str().is_empty() {
        place
    } else {
        place.join(within)
    })
}

impl Job {
    /// Whether this attempt only lets an agent resolve a conflict.
    pub(crate) fn is_merge_only(&self) -> bool {
        self.decided
            .as_ref()
            .is_some_and(|decided| decided.resolution == Resolution::Agent)
    }
}
