//! Claude Code in its bidirectional mode: JSON lines in and out, permission requests that Baton
//! answers, one process per session.
//!
//! Measured on 2.1.197 and 2.1.329. The prompt is written to standard input and is never an
//! argument: an argument that begins with `-` would be taken for a flag, and arguments are
//! limited to 128 KiB.
//!
//! - `launch`: command line, environment, probe.
//! - `line`: splits one line of output into parts without decoding them.
//! - `conversation`: the [`Driver`](crate::Driver) of a session.
//! - `stream`: the same lines from agents without input.
//! - `message`, `notice`, `control`, `result`: the kinds of messages. `turn_outcome`: how turns
//!   end.
//! - `history`: Claude Code's own histories.

mod control;
mod conversation;
mod head;
mod history;
mod launch;
pub(crate) mod line;
mod message;
mod notice;
mod reply;
mod result;
pub(crate) mod stream;
mod turn_outcome;
mod usage_tracker;

pub use history::HISTORY;
pub use launch::Claude;
pub use line::STREAM_FORMAT;
