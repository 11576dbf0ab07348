//! All operations of Baton, one function each. This is the only API border, with error codes and
//! wire types.
//!
//! The window, the HTTP server, and the `baton` command are adapters: they parse input, call
//! [`call`] or an operation's own function, and show the result. They make no decisions.
//! [`OPERATIONS`] lists all operations. Only listed operations can be reached from outside, and
//! every adapter serves all of them.

mod absolute_path;
mod admission;
mod agents;
mod app;
mod app_lifecycle;
mod approval_changes;
mod approvals;
mod artifacts;
mod attempt_cause;
mod browser_access;
mod caller_identity;
mod changes;
mod checkpoints;
mod conversations;
mod damage;
mod data_dir_permissions;
mod doctor;
mod documents;
mod error;
mod error_handlers;
mod event_text;
mod executors;
mod exports;
mod files;
mod first_start;
mod grants;
mod handoffs;
mod held_call_decisions;
mod held_calls;
mod housekeeping;
mod housekeeping_thread;
mod imports;
mod inbox;
mod merge_back;
mod node_diff;
mod node_names;
mod nodes;
mod open_terminals;
mod operation;
mod operations;
mod output;
mod overlaps;
mod overview;
mod pinned_outputs;
mod plan_deletion;
mod plan_edits;
mod plan_formats;
mod plan_history;
mod plan_review;
mod plan_versions;
mod plans;
mod plans_page;
mod preflight;
mod proposals;
mod pull_requests;
mod raw_output;
mod rerun_preview;
mod role;
mod run_command;
mod run_deletion;
mod run_lookup;
mod run_summary;
mod run_timing;
mod run_wait;
mod runs;
mod runs_page;
mod session_socket;
mod sessions;
mod settings;
mod statistics;
mod summaries;
mod takeover_text;
mod teams;
mod templates;
mod terminals;
mod tokens;
mod tools;
mod transcripts;
mod unknown_names;
pub mod wire;
mod worktrees;

pub use app::App;
pub use app_lifecycle::{AppError, default_data_directory};
pub use baton_agents::Stream;
pub use baton_keeper::umask;
pub use baton_model::{AccessLevel, SessionId};
pub use baton_planning::InterprocessLock;
pub use baton_planning::files::RawOutput;
pub use baton_store::{Actor, ActorChannel, HeldCallId};
pub use changes::{Changes, Closed};
pub use error::{ApiError, Code};
pub use event_text::describe_event_of_node;
pub use operation::{Operation, OperationKind};
#[cfg(feature = "bindings")]
pub use operations::bindings;
pub use operations::{OPERATIONS, OperationOutput, call, call_typed, dispatch};
pub use raw_output::open_raw_output;
pub use role::Role;
pub use session_socket::{SOCKETS_FOLDER, SessionClient, runs_inside_session};
pub use tokens::TokenBearer;
