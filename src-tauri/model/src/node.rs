//! One executable step of a plan.
//!
//! A node says what to do. How far it came belongs to a run, see [`crate::run`].

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{NodeId, Slug};

/// One node of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Node {
    /// Stays the same over all versions of the plan.
    pub id: NodeId,
    /// Unique in the plan; what plan files and templates say.
    pub slug: Slug,
    /// One line for people.
    pub title: String,
    /// What the node is for.
    #[serde(default)]
    pub description: String,
    /// What the node does.
    pub kind: NodeKind,
    /// How to go about it, beside the task itself.
    #[serde(default)]
    pub instructions: String,
    /// What must be true afterwards, a sentence each.
    #[serde(default)]
    pub acceptance_criteria: Vec<String>,
    /// The tools that the node may use; empty: Baton sets no limit.
    #[serde(default)]
    pub tools_required: Vec<String>,
    /// The agent that a planner had in mind; a hint, [`AgentTask::agent`] decides.
    #[serde(default)]
    pub suggested_agent: Option<String>,
    /// When its parents let it start.
    #[serde(default)]
    pub trigger_rule: TriggerRule,
    /// How often it is tried again after its own failure. Loss of infrastructure is not counted here.
    #[serde(default)]
    pub max_retries: u32,
    /// Ends an attempt after so many milliseconds; `None` takes the default of the kind, see [`NodeKind::default_timeout_ms`].
    #[serde(default)]
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub timeout_ms: Option<u64>,
    /// What becomes of the run when the last attempt has failed.
    #[serde(default)]
    pub on_failure: OnFailure,
    /// Goes first among the nodes that could start, 1 to 10, higher first.
    #[serde(default = "Node::default_priority")]
    pub priority: u8,
    /// Where a person, or the layout, put the node; `None` until then.
    #[serde(default)]
    pub position: Option<Position>,
    /// Whatever else somebody wants to keep with the node; Baton only carries it.
    #[serde(default)]
    #[cfg_attr(feature = "bindings", ts(type = "Record<string, unknown>"))]
    pub metadata: serde_json::Map<String, serde_json::Value>,
}

impl Node {
    /// A node with every setting at its default.
    #[must_use]
    pub fn new(id: NodeId, slug: Slug, title: impl Into<String>, kind: NodeKind) -> Self {
        Self {
            id,
            slug,
            title: title.into(),
            description: String::new(),
            kind,
            instructions: String::new(),
            acceptance_criteria: Vec::new(),
            tools_required: Vec::new(),
            suggested_agent: None,
            trigger_rule: TriggerRule::default(),
            max_retries: 0,
            timeout_ms: None,
            on_failure: OnFailure::default(),
            priority: Self::default_priority(),
            position: None,
            metadata: serde_json::Map::new(),
        }
    }

    /// The priority of a node that names none.
    #[must_use]
    pub fn default_priority() -> u8 {
        5
    }

    /// How long one attempt may take, in milliseconds.
    #[must_use]
    pub fn effective_timeout_ms(&self) -> u64 {
        self.timeout_ms.unwrap_or_else(|| self.kind.default_timeout_ms())
    }

    /// Whether a run executes this node. Notes only stand on the canvas.
    #[must_use]
    pub fn is_executable(&self) -> bool {
        !matches!(self.kind, NodeKind::Note(_))
    }
}

/// What a node does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum NodeKind {
    /// A session of a coding agent.
    Agent(AgentTask),
    /// A command of the operating system.
    Command(CommandTask),
    /// A sticky note; never runs and has no edges.
    Note(Note),
}

impl NodeKind {
    /// The limit of an attempt that names none: 30 minutes for agents, 60 seconds for commands (product E6).
    #[must_use]
    pub fn default_timeout_ms(&self) -> u64 {
        match self {
            Self::Agent(_) => 30 * 60 * 1000,
            Self::Command(_) | Self::Note(_) => 60 * 1000,
        }
    }
}

/// What an agent is asked to do, and which agent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct AgentTask {
    /// The name of an agent that Baton knows or that the settings define; `None` takes the default agent of the settings.
    pub agent: Option<String>,
    /// The model to ask for; `None` leaves it to the agent.
    pub model: Option<String>,
    /// The task. Empty takes the node's description. May hold `{{nodes.<slug>.outputs.<key>}}`.
    pub prompt: String,
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

/// A sticky note.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct Note {
    /// Markdown.
    pub text: String,
}

/// When a node's parents let it start (product E2; names and meaning as in Airflow's documentation).
///
/// "Done" below includes a parent that a person or the failure policy skipped: the work goes on without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum TriggerRule {
    /// All parents are done.
    #[default]
    AllSuccess,
    /// All parents have ended, however.
    AllDone,
    /// At least one parent is done; does not wait for the others.
    OneSuccess,
    /// At least one parent has failed; does not wait for the others.
    OneFailed,
    /// All parents have ended and none has failed.
    NoneFailed,
    /// All parents have ended, none has failed, and at least one is done.
    NoneFailedMinOneSuccess,
}

/// What becomes of the run when a node's last attempt has failed (product E7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum OnFailure {
    /// Nothing new starts; what runs may finish; the run fails.
    #[default]
    Abort,
    /// The node counts as skipped and the run goes on without it.
    Skip,
}

/// A place on the canvas: the node's upper left corner, in canvas units.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Position {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}
