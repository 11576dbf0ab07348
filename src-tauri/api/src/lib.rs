//! Every operation of Baton, each one function, and the only border with error codes and wire types.
//!
//! The window, the HTTP server and the `baton` command are adapters: they parse, call [`call`] or an
//! operation's own function, and show what comes back. They hold no decision. The list of operations is
//! [`OPERATIONS`]; an operation that is not on it cannot be reached from outside, and one that is on it is
//! served by every adapter.

mod admission;
mod agents;
mod app;
mod approvals;
mod artifacts;
mod changes;
mod checkpoints;
mod conversations;
mod courses;
mod damage;
mod data_access;
mod doctor;
mod documents;
mod drawings;
mod error;
mod executors;
mod exports;
mod grants;
mod handoffs;
mod held_calls;
mod homecoming;
mod imports;
mod inbox;
mod nodes;
mod operation;
mod origin;
mod overlaps;
mod overview;
mod plans;
mod preflight;
mod proposals;
mod runs;
mod sentence;
mod session_socket;
mod sessions;
mod settings;
mod statistics;
mod takeover_words;
mod teams;
mod templates;
mod tokens;
mod tools;
mod transcripts;
mod unknown_names;
pub mod wire;
mod worktrees;

pub use app::{App, AppError, Role, default_data_directory};
pub use baton_keeper::umask;
pub use baton_model::Right;
pub use baton_planning::Turn;
pub use baton_store::{Actor, HeldCallId, Way};
pub use changes::{Changes, Closed};
pub use error::{ApiError, Code};
#[cfg(feature = "bindings")]
pub use operation::bindings;
pub use operation::{Answer, Kind, OPERATIONS, Operation, answer, ask, call};
pub use session_socket::{Caller, SOCKETS_FOLDER, within_session};
pub use tokens::TokenBearer;
