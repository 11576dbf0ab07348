//! Coding agents that have Baton's tools, or could have them, and the calls that their guards saw.

use std::path::PathBuf;

use baton_formats::agent_config::GuardMode;
use baton_model::Timestamp;
use serde::{Deserialize, Serialize};

use super::wire;

/// Whether an agent has Baton's tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum AgentConnectionState {
    /// Its settings don't name Baton.
    NotConnected,
    /// It has the tools, the skill, and the guard as this Baton would write them.
    Connected,
    /// It is connected to another Baton or with another data directory, or its skill differs.
    Outdated,
    /// Its settings can't be read, for this reason.
    Unreadable {
        /// A fragment, with the path.
        reason: String,
    },
}

/// What a person chooses for calls of guarded tools outside plans.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GuardChoice {
    /// They run, and are recorded.
    Log,
    /// They are refused, and the agent is asked to propose a plan.
    Block,
    /// No guard.
    Off,
}

/// How agents are to change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "to", rename_all = "snake_case")]
pub enum ConnectionChange {
    /// They get the tools and the skill.
    Connected {
        /// `None` leaves the guard as it is.
        #[serde(default)]
        guard: Option<GuardChoice>,
    },
    /// Their files become as they were.
    Disconnected,
}

/// What happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum FileEffect {
    Created,
    Changed,
    Removed,
}

/// What a person has to know about the guard of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "note", rename_all = "snake_case")]
pub enum ConnectionNote {
    /// The agent runs no programs before tool calls, so it gets no guard.
    NoGuard {
        /// The agent.
        agent: String,
    },
    /// The agent runs a new hook only after a person trusted it there.
    HookNeedsTrust {
        /// The agent.
        agent: String,
    },
}

wire! {
    /// A coding agent that Baton can be added to.
    pub struct AgentConnection {
        /// `claude`, `codex`, `gemini`, `opencode` or `pi`.
        pub agent: String,
        /// Whether it has settings here, so that somebody probably used it.
        pub used: bool,
        /// Whether it has Baton's tools.
        pub connection: AgentConnectionState,
        /// What its guard does; `None` without one.
        pub guard: Option<GuardMode>,
        /// Whether it runs programs before tool calls, so that it can have a guard.
        pub can_guard: bool,
    }
    /// Asks how the files of agents would change.
    pub struct AgentConnectionPreviewQuery {
        /// The agents; none for all with settings here.
        #[serde(default)]
        pub agents: Vec<String>,
        /// What they are to become.
        pub change: ConnectionChange,
    }
    /// How the files of agents change.
    pub struct AgentConnectionPreview {
        /// The files that change, in order of the agents. Several agents may read the same one.
        pub files: Vec<AgentFileChange>,
        /// What a person has to know about guards.
        pub notes: Vec<ConnectionNote>,
        /// Identifies the files before and after, in hexadecimal.
        pub fingerprint: String,
    }
    /// How one file changes.
    pub struct AgentFileChange {
        /// The first agent that reads it.
        pub agent: String,
        /// Its absolute path.
        pub path: PathBuf,
        /// What happens to it.
        pub effect: FileEffect,
        /// The changed lines with two lines around each, as a unified diff. Secrets are masked.
        pub diff: String,
    }
    /// Changes the files of agents.
    pub struct AgentConnectionSave {
        /// The agents; none for all with settings here.
        #[serde(default)]
        pub agents: Vec<String>,
        /// What they are to become.
        pub change: ConnectionChange,
        /// The fingerprint of the preview that the person saw. If the files have changed since,
        /// nothing is written.
        #[serde(default)]
        pub fingerprint: Option<String>,
    }
    /// Asks for calls of guarded tools outside plans.
    pub struct GuardedCallsQuery {
        /// The maximum number of calls.
        pub limit: usize,
    }
    /// A call of a guarded tool that no plan covers.
    pub struct GuardedCall {
        /// When the agent made it.
        pub at: Timestamp,
        /// The agent.
        pub agent: String,
        /// The tool.
        pub tool: String,
        /// The tool with its input on one line, without secrets.
        pub what: String,
        /// The directory of the agent.
        pub cwd: Option<String>,
        /// The agent's own ID of its session.
        pub session: Option<String>,
        /// Whether the call was refused.
        pub refused: bool,
    }
}

impl GuardChoice {
    /// `None` for no guard.
    #[must_use]
    pub fn mode(self) -> Option<GuardMode> {
        match self {
            Self::Log => Some(GuardMode::Log),
            Self::Block => Some(GuardMode::Block),
            Self::Off => None,
        }
    }
}

impl From<GuardMode> for GuardChoice {
    fn from(mode: GuardMode) -> Self {
        match mode {
            GuardMode::Log => Self::Log,
            GuardMode::Block => Self::Block,
        }
    }
}
