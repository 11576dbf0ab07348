//! An agent as Baton knows it before a session runs.

use crate::driver::Driver;
use crate::scope::Reach;
use crate::task::{LaunchPlan, Task};
use crate::timeline::LogFormat;

/// How one agent is found, started and understood.
pub trait Adapter: Send + Sync {
    /// The name in plans (`agent: claude`).
    fn id(&self) -> &str;

    /// The name for people.
    fn title(&self) -> &str;

    /// What to start for `task`.
    fn launch(&self, task: &Task) -> LaunchPlan;

    /// Who reads and answers the session of `task`.
    fn driver(&self, task: &Task) -> Box<dyn Driver>;

    /// How to find out whether the agent is here and ready.
    fn probe(&self) -> Probe;

    /// Whether a session can go on where an earlier one was broken off.
    fn can_resume(&self) -> bool {
        false
    }

    /// Whether a session can begin as a copy of an earlier one, which is left as it is.
    fn can_fork(&self) -> bool {
        false
    }

    /// How far the agent can be held to its [`ToolScope`](crate::ToolScope).
    fn reach(&self) -> Reach {
        Reach::NONE
    }

    /// The names of the agent's own tools, for planners and for lists of tools in plans. Empty: they are not known.
    fn tools(&self) -> &'static [&'static str] {
        &[]
    }

    /// How the session's standard output is to be read for the timeline.
    fn log_format(&self) -> LogFormat;
}

/// How to find out whether an agent is installed and logged in, without spending anything.
#[derive(Debug, Clone)]
pub struct Probe {
    /// The program looked for.
    pub program: String,
    /// Asks for the version; empty when the program has no such question.
    pub version_argv: Vec<String>,
    /// Finds the version in what that prints.
    pub parse_version: fn(&str) -> Option<String>,
    /// A sentence for a person who was told that the program is missing: what to do.
    pub missing: String,
    /// Any of these says that the agent can log in. Empty: the agent needs no login that Baton knows of.
    ///
    /// None found is a doubt, not a fact: an agent may keep its keys where Baton does not look.
    pub login: Vec<LoginSign>,
    /// A sentence for a person when none was found.
    pub not_logged_in: String,
}

/// Something that suggests a login.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoginSign {
    /// A variable with this name that is not empty.
    Env(&'static str),
    /// A file at this path below the home directory.
    File(&'static str),
    /// A file at this path below the home directory that contains this text.
    FileContains(&'static str, &'static str),
}
