//! pi through `pi --mode rpc`: JSON lines in and out, one process per session.
//!
//! Measured on 0.74.2, and on recordings of 0.87.1, whose `--mode json` prints the same events.
//! pi has no permission prompts. The list of tools that it starts with decides what a node may
//! do.
//!
//! - `launch`: command line, environment, probe. `scope`: the list of tools.
//! - `message`: the lines that it answers with. `stop_reason`: how turns end.
//! - `conversation`: the [`Driver`](crate::Driver) of a session.
//! - `history`: pi's own histories.

mod conversation;
mod history;
mod launch;
pub(crate) mod message;
mod scope;
mod stop_reason;

pub use history::HISTORY;
pub use launch::Pi;
pub use message::EVENTS_FORMAT;
