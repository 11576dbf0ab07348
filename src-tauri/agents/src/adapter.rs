//! The description of an agent that Baton needs before a session runs.

use crate::driver::Driver;
use crate::history::HistoryLayout;
use crate::log_format::LogFormat;
use crate::scope::ToolControl;
use crate::task::{LaunchPlan, Task};
use crate::tool_server::ToolServerSupport;

/// How to find, start and understand one agent. Every agent implements this once and is listed in
/// [`builtin`](crate::builtin).
pub trait Adapter: Send + Sync {
    /// The name in plans: `agent: claude`.
    fn id(&self) -> &str;

    /// The name for people: `Claude Code`.
    fn title(&self) -> &str;

    /// One letter for icons. By default the first letter of the id, in upper case.
    fn mark(&self) -> char {
        let first = self.id().chars().next().unwrap_or('?');
        first.to_uppercase().next().unwrap_or(first)
    }

    /// The command line, environment and first inputs of a session for `task`.
    fn launch(&self, task: &Task) -> LaunchPlan;

    /// A new driver for the session of `task`.
    fn driver(&self, task: &Task) -> Box<dyn Driver>;

    /// How to check whether the agent is installed and logged in.
    fn probe(&self) -> Probe;

    /// Whether a session can resume an earlier one.
    fn can_resume(&self) -> bool {
        false
    }

    /// Whether a session can start as a copy of an earlier one, which stays unchanged.
    fn can_fork(&self) -> bool {
        false
    }

    /// How far the agent's tool use can be restricted to its [`ToolScope`](crate::ToolScope).
    fn tool_control(&self) -> ToolControl {
        ToolControl::NONE
    }

    /// The agent's own tools, for planners and for the tool lists of plans. Empty when they are
    /// not known.
    fn tools(&self) -> &'static [&'static str] {
        &[]
    }

    /// How a session gets Baton's own tools.
    fn tool_server_support(&self) -> ToolServerSupport {
        ToolServerSupport::None
    }

    /// What separates server and tool in the names of MCP tools: `server__tool`.
    fn mcp_tool_separator(&self) -> &'static str {
        "__"
    }

    /// How the session's standard output is read for the timeline.
    fn log_format(&self) -> LogFormat;

    /// Where the agent keeps its own histories; `None` when Baton cannot read them.
    fn history(&self) -> Option<&'static HistoryLayout> {
        None
    }
}

/// How to find out whether an agent is installed and logged in. No check may cost tokens or
/// money.
#[derive(Debug, Clone)]
pub struct Probe {
    /// The executable, as a name in `PATH` or a path.
    pub program: String,
    /// The command that prints the version. Empty when there is none.
    pub version_argv: Vec<String>,
    /// Extracts the version from the output of `version_argv`.
    pub parse_version: fn(&str) -> Option<String>,
    /// What to do when the program is missing: one sentence for a person.
    pub missing: String,
    /// Any one of these shows that the agent can log in. Empty when the agent needs no login.
    ///
    /// Finding none proves nothing: an agent may keep its keys elsewhere.
    pub login: Vec<LoginEvidence>,
    /// What to do when no evidence was found: one sentence for a person.
    pub not_logged_in: String,
}

/// Evidence that a login exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoginEvidence {
    /// An environment variable with this name that is not empty.
    Env(&'static str),
    /// A file at this path below the home directory.
    File(&'static str),
    /// A file at this path below the home directory that contains this text.
    FileContains(&'static str, &'static str),
}
