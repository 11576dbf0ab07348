//! Codex by `codex app-server`: JSON-RPC lines in and out, approvals answered, one process a session.
//!
//! Measured on 0.169.0. The client names its sessions itself, so a session's name is learned from its first answer.
//!
//! - `launch`: command line, environment, probe. `scope`: sandbox and approvals for a node.
//! - `request`: the lines that Baton writes. `message`: the lines that come back.
//! - `item`, `patch`: what the agent says and does. `trouble`: what its errors mean.
//! - `conversation`: what to say when; the [`Driver`](crate::Driver) of a session.
//! - `exec`: the older one-way stream of `codex exec --json`, read for timelines and judged, but not started.

mod conversation;
pub(crate) mod exec;
mod item;
mod launch;
pub(crate) mod message;
mod patch;
mod request;
mod scope;
mod spending;
mod trouble;

pub use exec::ExecSession;
pub use launch::Codex;
