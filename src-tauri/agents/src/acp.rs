//! Any agent that speaks the Agent Client Protocol, version 1: JSON-RPC, one message a line, both ways.
//!
//! Measured on gemini 0.61.0, `opencode acp` 1.18.33, claude-agent-acp 0.49 and 0.100 and codex-acp 2.6.
//! Baton declares that it reads and writes no files and has no terminals: agents work on the files themselves.
//!
//! - `message`: one line as JSON-RPC, without decoding what it carries.
//! - `call`: a tool call, which the protocol tells in pieces. `patch`: the difference of two texts.
//! - `record`: what a line tells a timeline. `said`: what Baton itself wrote, which no agent repeats.
//! - `conversation`: what to say when; the [`Driver`] of a session. `reply`: the lines it writes.
//! - `ending`: what the ends of turns mean. `spending`: what the session used.

pub(crate) mod call;
mod conversation;
pub(crate) mod ending;
pub(crate) mod message;
mod patch;
pub(crate) mod record;
mod reply;
pub(crate) mod said;
mod spending;

use crate::driver::Driver;
use crate::scope::Reach;
use crate::task::{Input, Task};

/// How far an agent can be held to its tools of which nothing is known but that it speaks the protocol.
pub const REACH: Reach = Reach {
    asks: true,
    lists: false,
    sentence: "What the agent asks leave for is held to the node's list and to what a person decides. Which calls it \
               asks for is up to the agent and its settings.",
};

/// What an agent needs to hear first. Everything else follows from its answers.
#[must_use]
pub fn first_inputs() -> Vec<Input> {
    vec![reply::initialize()]
}

/// The driver of a session of `agent`, a name for people. `mend` says how its login is repaired.
#[must_use]
pub fn driver(task: &Task, agent: &str, mend: &str) -> Box<dyn Driver> {
    Box::new(conversation::Conversation::new(task, agent, mend))
}
