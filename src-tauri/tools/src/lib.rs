//! The tools that nodes of a plan call, and the conditions that fork and end loops (K6, K8).
//!
//! The library is pure: which tools there are ([`catalogue()`]) and what is wrong with a call ([`check()`]). Only
//! [`stray_place`] looks at the disk, to follow links. The program `baton-tool` does the work of one attempt: it reads a
//! [`Work`] in which everything is filled in, does it, and prints [`Event`]s. It runs as the program of a session, so
//! its keeper limits its time, ends it and all its children, and keeps what it printed. It asks nobody for permission,
//! and it stores nothing.

mod catalogue;
mod check;
mod event;
mod mistake;
mod reach;
mod server;
mod tool_name;
mod work;

pub use baton_model::node::ToolCall;
pub use catalogue::{BuiltIn, ToolInfo, catalogue};
pub use check::{check, fit, nearest};
pub use event::Event;
pub use mistake::Mistake;
pub use reach::stray_place;
pub use server::{McpServer, ServerTool, Transport};
pub use tool_name::ToolName;
pub use work::{ITERATION, RoundPart, RoundText, Task, Work};
