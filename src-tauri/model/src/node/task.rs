//! The tasks of agents and commands, and notes.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::EarlierSession;
use crate::Color;
use crate::tool_scope::ToolScopeMode;

/// The task of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct AgentTask {
    /// An agent that Baton supports or that the settings define, or a team
    /// ([`crate::arbiter::TEAM_PREFIX`]). `None` leaves the choice to the arbiter.
    pub agent: Option<String>,
    /// The model to request; `None` uses the agent's default.
    pub model: Option<String>,
    /// The task; empty uses the node's description. May contain `{{nodes.<slug>.outputs.<key>}}`.
    pub prompt: String,
    /// How strictly the tool list is enforced; `None` uses the plan's setting.
    pub tool_scope: Option<ToolScopeMode>,
    /// The agent's session to start from; `None` starts a new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub session: Option<EarlierSession>,
}

/// A command and its environment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct CommandTask {
    pub command: CommandLine,
    /// Variables added to the executor's environment.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// The directory, relative to the plan's; `None` is the plan's directory.
    #[serde(default)]
    pub cwd: Option<String>,
}

/// A command as a person writes it. May contain `{{nodes.<slug>.outputs.<key>}}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(untagged)]
pub enum CommandLine {
    /// Run by `sh -c`.
    Shell(String),
    /// Program and arguments, run without a shell.
    Argv(Vec<String>),
}

/// A sticky note. All of it is layout, because a note never runs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Note {
    /// The content in Markdown.
    pub text: String,
    /// The background color; `None` is the default.
    #[serde(alias = "colour", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional = nullable))]
    pub color: Option<Color>,
    /// `None` is the size of a new note.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional = nullable))]
    pub size: Option<NoteSize>,
}

/// The size of a note, in canvas units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct NoteSize {
    /// From 80 to 2,000.
    pub width: u32,
    /// From 48 to 2,000.
    pub height: u32,
}

impl NoteSize {
    /// The allowed range of widths, in canvas units.
    pub const WIDTHS: RangeInclusive<u32> = 80..=2000;
    /// The allowed range of heights, in canvas units.
    pub const HEIGHTS: RangeInclusive<u32> = 48..=2000;
}
