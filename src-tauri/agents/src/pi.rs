//! pi by `pi --mode rpc`: JSON lines in and out, one process a session.
//!
//! Measured on 0.74.2, and on the recordings of 0.87.1, whose `--mode json` prints the same events. pi has no
//! permission prompts: what a node may do is settled when it starts, by the list of its tools.
//!
//! - `launch`: command line, environment, probe. `scope`: the list of tools.
//! - `message`: the lines that come back. `ending`: what the end of a turn means.
//! - `conversation`: what to say when; the [`Driver`](crate::Driver) of a session.

mod conversation;
mod ending;
mod launch;
pub(crate) mod message;
mod scope;

pub use launch::Pi;
