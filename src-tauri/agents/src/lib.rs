//! What coding agents say, and what they want to hear.
//!
//! Each agent has an [`Adapter`] (how it is started and asked for its version) and, per session, a
//! [`Driver`] (what its output means and what has to be answered). [`timeline`] turns the same output into
//! what a person reads. Everything here is pure: no process is started, no file is read, no clock is asked.
//! The engine feeds bytes in and carries out what comes back, so every rule can be tested with a recording.
//!
//! To add an agent: a folder beside [`claude`] with an adapter and a driver, an entry in [`builtin`], and
//! recordings of its real output under `tests/fixtures/sessions/`.

pub mod acp;
pub mod adapter;
pub mod claude;
pub mod codex;
pub mod command;
mod complaint;
pub mod custom;
pub mod driver;
pub mod event;
pub mod gemini;
mod json_text;
mod notice;
mod odd;
mod one_shot;
pub mod opencode;
mod original;
mod part;
pub mod pi;
pub mod plain_text;
mod record;
mod role;
pub mod scope;
mod service;
pub mod task;
pub mod timeline;
pub mod tool;
pub mod tool_kind;
pub mod tool_name;
mod tool_result;
mod transcript;
mod turn_result;
pub mod usage;
pub mod usage_limit;

pub use adapter::{Adapter, LoginSign, Probe};
pub use driver::{Decision, Driver, PermissionRequest, ProcessEnd, Verdict};
pub use event::{SessionEvent, Stream};
pub use scope::{Reach, Ruling, ToolScope};
pub use task::{Earlier, Input, InputMessage, LaunchPlan, Quote, Stdin, Task};
pub use timeline::{LogFormat, TimelineEntry, TimelineIndex};
pub use tool::ToolSession;
pub use tool_kind::ToolKind;
pub use usage::Usage;

/// The agents that Baton knows without being told.
#[must_use]
pub fn builtin() -> Vec<Box<dyn Adapter>> {
    vec![
        Box::new(claude::Claude::default()),
        Box::new(codex::Codex::default()),
        Box::new(gemini::Gemini::default()),
        Box::new(opencode::Opencode::default()),
        Box::new(pi::Pi::default()),
    ]
}
