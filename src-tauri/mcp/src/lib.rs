//! Baton's MCP server: the tools through which agents find, read, check and propose plans, ask for
//! runs and follow them; and the tools of a session that Baton started, for its own attempt.
//!
//! No tool decides: what needs a person is answered with the request that waits for one. The tools
//! call operations by name with JSON ([`Operations`]), so that the same tools work on an open Baton
//! and through the socket of a session. Nothing here reads the environment or opens files; standard
//! output carries only the protocol.

mod answer;
mod attempt;
mod caller_error;
mod clip;
mod guide;
mod http;
mod message_limits;
mod operations;
mod page;
mod plan_source;
mod prompts;
mod proposal_answer;
mod proposal_stage;
mod proposed_content;
mod resources;
mod server;
mod stdio;
mod tool;
mod tool_list;
mod tool_schema;
mod tools;

pub use attempt::{Attempt, AttemptFiles};
pub use http::{HttpService, http_service};
pub use operations::{AppOperations, Operations, RunEventWait, SessionOperations, WaitFuture};
pub use server::{McpServer, Options};
pub use stdio::{StdioError, serve_stdio};
pub use tool_list::ToolSet;
