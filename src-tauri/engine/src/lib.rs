//! Runs plans: the dispatcher decides, and sessions do the work.
//!
//! Each run has one dispatcher, a thread that owns the run's state. It receives commands from
//! people and reports from sessions, asks `baton-model` what follows, appends the result to the
//! store in one transaction, and only then performs the effects. A pool of session threads, as many
//! as the plan allows, takes reserved attempts, starts a keeper for each and follows it until it
//! ends. Nothing polls: threads block on channels and sockets.
//!
//! This crate knows nothing about windows, HTTP or presentation. A person sees what is in the
//! store; [`EngineEvent`] only says when to read it again.

mod agents;
mod answer_log;
mod approval;
mod background;
mod call_tally;
mod changed_files;
mod checkout;
mod checkpoint_name;
mod clocks;
mod command_log;
mod commit_bundle;
mod copied_outputs;
mod crash_point;
mod decision;
mod dispatcher;
mod engine;
mod environment;
mod error;
mod events;
mod executor_handle;
mod git;
mod git_checkpoint;
mod git_programs;
mod health;
mod heartbeat_monitor;
mod identity;
mod input_log;
mod interruption;
mod job;
mod last_message;
mod lease;
mod live_session;
mod masking;
mod named_outputs;
mod nested;
mod node_summary;
mod node_templates;
mod outcome;
mod planning;
mod pool;
mod prepare;
mod project_state;
mod prompt;
mod report;
mod review;
mod session;
mod session_folder;
mod session_services;
mod shell_line;
#[cfg(test)]
mod simulation;
mod step_log;
mod tail;
mod takeover;
mod template;
mod tools;
mod work_source;
mod work_tree;

pub use agents::{AgentRegistry, find_program};
pub use approval::{ApprovedContent, approved_content};
pub use background::{Background, RunSnapshot, failure_of};
pub use checkout::{
    AppliedMerge, AttemptWork, BranchState, CheckoutError, DeltaKind, DirectoryWork, FanInPreview,
    FanInSource, FileDelta, FileDiff, FileDiffContent, IsolatedWork, IsolatedWorkLocation,
    LeftoverState, LeftoverWorktree, MergeBackOutcome, MergeBackRequest, MergePreview, MergedFile,
    NodeDiff, OpenedPullRequest, PredictedConflict, ProposedCommit, ProposedWork, Remote,
    branch_state, create_proposal_branch, directory_diff, earlier_commits, leftovers, leftovers_of,
    merge_back, opened_pull_request, pending_merge_back, preview_fan_in, preview_merge_back,
    proposed_work, push_branch, remember_pull_request, remotes, remove as remove_worktree,
    run_worktrees, undo_merge_back, worktree_diff,
};
pub use commit_bundle::write_commit_bundle;
pub use crash_point::{CRASH_POINTS, crash_point};
pub use engine::{Engine, EngineConfig, OtherExecutor, ProjectRulesReader, RunExecutor};
pub use environment::LoginPath;
pub use error::EngineError;
pub use events::EngineEvent;
pub use git::GitError;
pub use git_checkpoint::{
    BlockedFilter, ChangedFile, CheckpointError, FileChange, Unfinished, WorkTree, WorkTreeState,
};
pub use git_programs::{GitRestoration, GitRestoreError, NotRestored, restore_git};
pub use health::{Health, Moment, ProcessLiveness, health, heartbeat_age};
pub use interruption::interrupt_copied_runs;
pub use lease::{LEASE_VARIABLE, Lease, LeaseError};
pub use node_summary::{NodeSummary, SUMMARY_LIMIT, read_summary};
pub use prepare::{preview, preview_handoff, session_input};
pub use project_state::{ProjectRepositoryView, RepositoryNow};
pub use prompt::merge_back_prompt;
pub use session_folder::session_folder;
pub use step_log::{remove_step_log, step_log};
pub use tools::ToolRegistry;
pub use work_tree::work_tree_above;
