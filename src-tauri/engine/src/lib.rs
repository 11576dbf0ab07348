//! Runs plans: the dispatcher that decides, and the sessions that work.
//!
//! For each run there is one dispatcher, a thread that owns the run's state. It takes commands from people
//! and reports from sessions, asks `baton-model` what follows, appends that to the store in one transaction,
//! and only then performs the effects. A pool of session threads, as many as the plan allows, takes reserved
//! attempts, starts a keeper for each and follows it to its end. Nothing polls: threads sleep in channels
//! and sockets.
//!
//! This crate knows neither windows nor HTTP nor how things are shown. What a person sees of it is the
//! store; [`News`] only says when to look again.

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
mod crash_point;
mod decision;
mod dispatcher;
mod engine;
mod environment;
mod error;
mod executor_handle;
mod git;
mod git_checkpoint;
mod git_programs;
mod health;
mod identity;
mod input_log;
mod job;
mod last_words;
mod lease;
mod live;
mod masking;
mod named_outputs;
mod nested;
mod news;
mod node_templates;
mod outcome;
mod planning;
mod pool;
mod prepare;
mod prompt;
mod report;
mod review;
mod session;
mod session_folder;
mod shell_line;
#[cfg(test)]
mod simulation;
mod tail;
mod takeover;
mod template;
mod tools;
mod vigil;
mod work_source;
mod work_tree;
mod workshop;

pub use agents::{AgentRegistry, find_program};
pub use approval::{ApprovedContent, approved_content};
pub use background::{Background, Scene, failure_of};
pub use checkout::{
    Apart, Brought, CameHome, CheckoutError, Clash, ComingFile, DeltaKind, FanIn, FanInSource,
    FileDelta, HomeWish, Homecoming, Leftover, Standing, Whereabouts, bring_home, leftovers,
    look_at_fan_in, look_home, open_homecoming, remove as remove_worktree, take_back,
};
pub use crash_point::{CRASH_POINTS, crash_point};
pub use engine::{Attendance, Attendant, Engine, Setup};
pub use environment::LoginPath;
pub use error::EngineError;
pub use git::GitError;
pub use git_checkpoint::{
    BlockedFilter, ChangedFile, CheckpointError, FileChange, Unfinished, WorkTree, WorkTreeState,
};
pub use git_programs::{GitRestoration, GitRestoreError, LeftAsItIs, restore_git};
pub use health::{Health, Life, Moment, health, silence};
pub use lease::{LEASE_VARIABLE, Lease, LeaseError};
pub use news::News;
pub use prepare::{given, handed_over, preview};
pub use prompt::homecoming_prompt;
pub use session_folder::session_folder;
pub use tools::ToolRegistry;
pub use work_tree::work_tree_above;
