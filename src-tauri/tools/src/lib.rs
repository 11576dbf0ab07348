//! The tools that nodes of a plan call, and the conditions that fork and end loops (K6, K8).
//!
//! The library is pure: which tools there are ([`catalog()`]) and what is wrong with a call ([`check()`]). Only
//! [`path_outside_directory`] looks at the disk, to follow links. The program `baton-tool` does the work of one attempt: it reads a
//! [`ToolJob`] in which everything is filled in, does it, and prints [`Event`]s. It runs as the program of a session, so
//! its keeper limits its time, ends it and all its children, and keeps what it printed. It asks nobody for permission,
//! and it stores nothing.

mod call_fault;
mod catalog;
mod check;
mod event;
mod path_scope;
mod server;
mod tool_job;
mod tool_name;

pub use baton_model::node::ToolCall;
pub use call_fault::CallFault;
pub use catalog::{BuiltInTool, ToolInfo, catalog};
pub use check::{check, coerce_arguments, nearest};
pub use event::Event;
pub use path_scope::path_outside_directory;
pub use server::{McpServer, ServerTool, Transport};
pub use tool_job::{ITERATION, IterationPart, IterationText, Task, ToolJob};
pub use tool_name::ToolName;
