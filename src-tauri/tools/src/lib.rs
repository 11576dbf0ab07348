//! The tools that nodes of a plan call, and the conditions of branches and loops.
//!
//! The library has no side effects: it lists the tools ([`catalog()`]) and checks calls
//! ([`check()`]). Only [`path_outside_directory`] reads the disk, to resolve links. The program
//! `baton-tool` runs the job of one attempt: it reads a complete [`ToolJob`], runs it, and prints
//! [`Event`]s. It is the program of a session, whose keeper limits its time, ends it with its child
//! processes, and stores its output. It never asks for permission, and stores nothing itself.

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
