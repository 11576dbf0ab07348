//! Agents that speak the Agent Client Protocol, version 1: JSON-RPC, one message per line in both
//! directions.
//!
//! Measured on gemini 0.61.0, `opencode acp` 1.18.33, claude-agent-acp 0.49 and 0.100, and
//! codex-acp 2.6. Baton declares no file system and no terminal abilities, so agents access files
//! themselves.
//!
//! - `message`: parses a line as JSON-RPC without decoding its content.
//! - `record`: the parts of a line for timelines. `outgoing`: the messages that Baton wrote,
//!   which no agent repeats.
//! - `conversation`: the [`Driver`] of a session. `reply`: the lines it writes.
//! - `turn_outcome`: the meaning of stop reasons and errors. `usage_tracker`: the usage of the
//!   session.

mod conversation;
pub(crate) mod message;
pub(crate) mod outgoing;
pub(crate) mod record;
mod reply;
pub(crate) mod turn_outcome;
mod usage_tracker;

use crate::driver::Driver;
use crate::scope::ToolControl;
use crate::task::{Input, Task};

pub use record::LOG_FORMAT;

/// The control over an agent of which only the protocol is known.
pub const TOOL_CONTROL: ToolControl = ToolControl {
    asks_permission: true,
    enforces_list: false,
    description: "The agent's permission requests are checked against the node's list and decided by a person. Which calls need permission is up to the agent and its settings.",
};

/// The first message to an agent. All others follow from its answers.
#[must_use]
pub fn first_inputs() -> Vec<Input> {
    vec![reply::initialize()]
}

/// The driver for a session of `agent`, its name for people. `login_hint` says how to fix a
/// missing login.
#[must_use]
pub fn driver(task: &Task, agent: &str, login_hint: &str) -> Box<dyn Driver> {
    Box::new(conversation::Conversation::new(task, agent, login_hint))
}
