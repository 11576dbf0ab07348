//! From a goal to a plan that may run: proposals, approvals and pre-flight checks, and the
//! timelines of sessions.
//!
//! This crate is between the engine and the API, and knows nothing of wire types or presentation.
//! Queries write nothing: state that follows from the store and the current time is derived in
//! memory, and only long-running processes store it.

pub mod agent_programs;
mod agent_versions;
pub mod approval_changes;
pub mod approvals;
mod check;
mod context;
pub mod duplicates;
pub mod earlier_sessions;
pub mod editors;
mod error;
pub mod error_handlers;
pub mod files;
pub mod forges;
mod interprocess_lock;
mod log_update;
mod named_plan;
pub mod named_tools;
mod open_outputs;
mod open_timelines;
pub mod plan_cache;
pub mod plan_versions;
pub mod preflight;
pub mod problems;
mod project_disk;
pub mod project_files;
pub mod project_rules;
mod project_state;
mod projects;
pub mod proposals;
pub mod replans;
pub mod retention;
pub mod run_deletion;
mod run_executor;
pub mod run_snapshots;
pub mod run_start;
mod server_tools;
pub mod session_outputs;
pub mod settings;
pub mod simulations;
pub mod timelines;
pub mod work_place;

pub use check::{Check, CheckVerdict};
pub use context::{Context, Lifetime, Shared, WeakContext};
pub use error::{PlanningError, Refusal, RefusalReason};
pub use interprocess_lock::InterprocessLock;
pub use log_update::{LogUpdate, LogUpdateListener};
pub use preflight::Preflight;
pub use run_executor::{ExecutorHealth, RunExecutorView, run_executor};
pub use server_tools::server_tools;
pub use timelines::{TimelineHits, TimelinePage, TimelineReading};
