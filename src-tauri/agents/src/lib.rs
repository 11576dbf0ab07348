//! The command lines, protocols and timelines of coding agents.
//!
//! Each agent has an [`Adapter`] (how to start it, its version and login, where it keeps its
//! histories) and, per session, a [`Driver`] (what its output means and what to answer).
//! [`timeline`] turns the same output into entries for people. This crate does no I/O: it starts no
//! process, reads no file and no clock. The engine feeds output in and carries out the results, so
//! every rule can be tested with a recording. Histories are opened by `baton-transcripts`, from the
//! [`HistoryLayout`] of each adapter.
//!
//! To add an agent: a folder beside [`claude`] with an adapter, a driver and a line reader, one
//! line in [`builtin`], and recordings of its real output under `tests/fixtures/sessions/`.
//! `example_agent.rs` is a small complete one.

pub mod acp;
pub mod adapter;
mod call_part;
pub mod claude;
pub mod codex;
pub mod command;
pub mod custom;
pub mod driver;
pub mod event;
#[cfg(test)]
mod example_agent;
pub mod file_edit;
pub mod gemini;
pub mod history;
mod history_line;
pub mod image;
pub mod image_type;
mod json_text;
mod lenient_json;
mod log_format;
mod notice;
mod one_shot;
pub mod opencode;
pub mod permission;
pub mod pi;
pub mod plain_text;
mod quoted_value;
mod record;
mod record_part;
mod role;
pub mod scope;
mod service_error;
mod stderr_summary;
pub mod task;
mod text_diff;
pub mod timeline;
pub mod todo;
pub mod tool;
pub mod tool_kind;
pub mod tool_name;
mod tool_result;
pub mod tool_server;
mod turn_result;
pub mod usage;
pub mod usage_limit;

pub use adapter::{Adapter, LoginEvidence, Probe};
pub use driver::{Driver, ProcessEnd, Verdict};
pub use event::{DiffHunk, SessionEvent, Stream};
pub use history::HistoryLayout;
pub use log_format::LogFormat;
pub use permission::{Decision, PermissionRequest};
pub use scope::{Ruling, ToolControl, ToolScope};
pub use task::{Input, InputMessage, LaunchPlan, PriorSession, Quote, Stdin, Task};
pub use text_diff::file_hunks;
pub use timeline::{TimelineEntry, TimelineIndex};
pub use tool::ToolSession;
pub use tool_kind::ToolKind;
pub use tool_server::{ToolServer, ToolServerSupport};
pub use usage::Usage;

/// The agents that need no settings: one line each.
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
