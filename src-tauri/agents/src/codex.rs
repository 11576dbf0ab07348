//! Codex through `codex app-server`: JSON-RPC lines in and out, approvals that Baton answers, one
//! process per session.
//!
//! Measured on 0.169.0. The client chooses the session's id, so it is known only after the first
//! answer.
//!
//! - `launch`: command line, environment, probe. `scope`: sandbox and approvals for a node.
//! - `request`: the lines that Baton writes. `message`: the lines that it answers with.
//! - `item`, `patch`: messages and work of the agent. `error`: classification of errors.
//! - `conversation`: the [`Driver`](crate::Driver) of a session.
//! - `exec`: the older one-way stream of `codex exec --json`, read for timelines and verdicts,
//!   but never started.
//! - `history`: Codex's own histories.

mod conversation;
mod error;
pub(crate) mod exec;
mod history;
mod item;
mod launch;
pub(crate) mod message;
mod patch;
mod request;
mod scope;
mod tokens;
mod usage_tracker;

pub use exec::{EXEC_FORMAT, ExecSession};
pub use history::HISTORY;
pub use launch::Codex;
pub use message::APP_SERVER_FORMAT;
