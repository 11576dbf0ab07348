//! What an agent or a command is asked to do, and the note that asks nothing.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::EarlierSession;
use crate::Color;
use crate::plan::ToolScopeMode;

/// What an agent is asked to do, and which agent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct AgentTask {
    /// The name of an agent that Baton knows or that the settings define, or of a team of theirs
    /// ([`crate::arbiter::TEAM`]); `None` leaves it to the arbiter.
    pub agent: Option<String>,
    /// The model to ask for; `None` leaves it to the agent.
    pub model: Option<String>,
    /// The task. Empty takes the node's description. May hold `{{nodes.<slug>.outputs.<key>}}`.
    pub prompt: String,
    /// How strictly the node is held to its list of tools; `None`: as the plan says.
    pub tool_scope: Option<ToolScopeMode>,
    /// The session of the agent with which it begins; `None` begins a new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub session: Option<EarlierSession>,
}

/// A command and its surroundings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CommandTask {
    /// What to run.
    pub command: CommandLine,
    /// Variables on top of the executor's environment.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// The directory, relative to the plan's; `None` is the plan's own.
    #[serde(default)]
    pub cwd: Option<String>,
}

/// A command as a person writes it. May hold `{{nodes.<slug>.outputs.<key>}}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum CommandLine {
    /// Run by `sh -c`.
    Shell(String),
    /// Program and arguments, run without a shell.
    Argv(Vec<String>),
}

/// A sticky note. What it looks like is layout, as all of it is: a note never runs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct Note {
    /// Markdown.
    pub text: String,
    /// The color of the paper; `None`: that of notes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional = nullable))]
    pub colour: Option<Color>,
    /// How large it is drawn; `None`: the size of a new note.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional = nullable))]
    pub size: Option<NoteSize>,
}

/// How large a note is drawn, in canvas units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct NoteSize {
    /// From left to right, 80 to 2,000.
    pub width: u32,
    /// From top to bottom, 48 to 2,000.
    pub height: u32,
}

impl NoteSize {
    /// The widths that a note may have.
    pub const WIDTHS: RangeInclusive<u32> = 80..=2000;
    /// The heights that a note may have.
    pub const HEIGHTS: RangeInclusive<u32> = 48..=2000;
}
