//! Claude Code in its two-way mode: JSON lines in and out, permission requests answered, one process a session.
//!
//! Measured on 2.1.197 and 2.1.329. The prompt goes in by standard input, never as an argument: an argument
//! that begins with `-` would be taken for a flag, and one is limited to 128 KiB.
//!
//! - `launch`: command line, environment, probe.
//! - `line`: one line of output, read without building what nobody asks for.
//! - `conversation`: what to say when; the [`Driver`](crate::Driver) of a session.
//! - `stream`: the same lines from agents that are told everything at once.
//! - `message`, `notice`, `control`, `result`: the kinds of messages. `ending`: what their ends mean.

mod control;
mod conversation;
mod ending;
mod launch;
pub(crate) mod line;
mod message;
mod notice;
mod reply;
mod result;
mod spending;
pub(crate) mod stream;
pub(crate) mod transcript;

pub use launch::Claude;
