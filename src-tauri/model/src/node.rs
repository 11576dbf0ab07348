//! One executable step of a plan.
//!
//! A node describes what to do. Its progress belongs to a run, see [`crate::run`].

mod criterion;
mod earlier_session;
mod kind;
mod lock;
mod planning;
mod policy;
mod question;
mod task;
mod texts;
mod tool;

use serde::{Deserialize, Serialize};

pub use criterion::{Criterion, OnFailedCriterion, OnUnverified, Review};
pub use earlier_session::EarlierSession;
pub use kind::{AGENT_TIMEOUT_MS, COMMAND_TIMEOUT_MS, NodeKind};
pub use lock::{LOCK_NAME_LIMIT, LockScope, is_lock_name};
pub use planning::{PlanningTask, Resumption};
pub use policy::{AfterCrash, Budget, OnFailure, TriggerRule};
pub use question::{ConditionTask, DecisionTask, InputType, Question, SubPlanTask};
pub use task::{AgentTask, CommandLine, CommandTask, Note, NoteSize};
pub use texts::{KeyedText, referenced_slugs};
pub use tool::{LoopBody, LoopTask, ParallelTask, ToolCall};

use crate::isolation::Isolation;
use crate::sandbox::SandboxMode;
use crate::{NodeId, Slug};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct Node {
    /// The same in all versions of the plan.
    pub id: NodeId,
    /// Unique in the plan. Used by plan files and templates.
    pub slug: Slug,
    /// One line for people.
    pub title: String,
    #[serde(default)]
    pub description: String,
    pub kind: NodeKind,
    /// How to approach the task, in addition to the task itself.
    #[serde(default)]
    pub instructions: String,
    #[serde(default)]
    pub acceptance_criteria: Vec<Criterion>,
    /// The tools that the node may use; empty means no limit.
    #[serde(default)]
    pub tools_required: Vec<String>,
    /// The agent that a planner suggested. Used if the node names no agent.
    #[serde(default)]
    pub suggested_agent: Option<String>,
    /// When its parents let it start; `None` uses the default for its position, see
    /// [`Graph::start_rule`](crate::Graph::start_rule).
    #[serde(default)]
    pub trigger_rule: Option<TriggerRule>,
    /// How often it is retried after its own failures, by default never: a failed command is not
    /// silently run again. Lost attempts (crash, overloaded service) are counted separately.
    #[serde(default)]
    pub max_retries: u32,
    /// The exit codes worth a retry; empty means all.
    #[serde(default)]
    pub retry_exit_codes: Vec<i32>,
    /// What happens to an attempt that was lost in a crash.
    #[serde(default)]
    pub after_crash: AfterCrash,
    /// The time limit of an attempt in milliseconds; `None` uses the plan's default, see
    /// [`Plan::timeout_ms_of`](crate::Plan::timeout_ms_of).
    #[serde(default)]
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub timeout_ms: Option<u64>,
    /// Warns if an attempt has produced no output for this many milliseconds; `None` is 10 minutes.
    /// Never ends the attempt.
    #[serde(default)]
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub silent_after_ms: Option<u64>,
    /// Shared by all its attempts.
    #[serde(default)]
    pub budget: Budget,
    /// Where the run continues when the node succeeds; `None` follows its edges.
    #[serde(default)]
    pub on_success: Option<NodeId>,
    /// What happens to the run when the last attempt has failed.
    #[serde(default)]
    pub on_failure: OnFailure,
    /// Where it works; `None` uses the plan's setting.
    #[serde(default)]
    pub isolation: Option<Isolation>,
    /// Whether its sessions run in a sandbox; `None` uses the plan's setting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional = nullable))]
    pub sandbox: Option<SandboxMode>,
    /// Exclusive locks: no other node of any run that has one of them runs at the same time, see
    /// [`LockScope`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<String>>"))]
    pub locks: Vec<String>,
    /// From 1 to 10. Among nodes that could start, higher ones start first.
    #[serde(default = "Node::default_priority")]
    pub priority: u8,
    /// Skipped, as if by a person, when its turn comes. Its dependents run without it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
    pub disabled: bool,
    /// The position on the canvas, set by a person or the layout; `None` if not yet placed.
    #[serde(default)]
    pub position: Option<Position>,
    /// Automatic layout leaves the node where it is. Has no effect on runs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "bindings", ts(as = "Option<bool>", optional))]
    pub keeps_place: bool,
    /// Arbitrary data of other programs. Baton stores it unchanged.
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
            trigger_rule: None,
            max_retries: 0,
            retry_exit_codes: Vec::new(),
            after_crash: AfterCrash::default(),
            timeout_ms: None,
            silent_after_ms: None,
            budget: Budget::default(),
            on_success: None,
            on_failure: OnFailure::default(),
            isolation: None,
            sandbox: None,
            locks: Vec::new(),
            priority: Self::default_priority(),
            disabled: false,
            position: None,
            keeps_place: false,
            metadata: serde_json::Map::new(),
        }
    }

    /// The priority of a node that doesn't set one.
    #[must_use]
    pub fn default_priority() -> u8 {
        5
    }

    /// After how many milliseconds without output a warning is shown.
    #[must_use]
    pub fn effective_silence_ms(&self) -> u64 {
        self.silent_after_ms.unwrap_or(10 * 60 * 1000)
    }

    /// The nodes that this one refers to as successors: branches and jump targets. They wait for it
    /// without an edge.
    pub fn successors_by_name(&self) -> impl Iterator<Item = NodeId> {
        let jump = match self.on_failure {
            OnFailure::Node(node) => Some(node),
            OnFailure::Abort | OnFailure::Skip => None,
        };
        self.kind
            .branches()
            .map(|(_, node)| node)
            .chain(self.on_success)
            .chain(jump)
    }

    /// Whether a run executes this node. Notes are only drawn.
    #[must_use]
    pub fn is_executable(&self) -> bool {
        !matches!(self.kind, NodeKind::Note(_))
    }

    /// Whether a program of this node may change files in the plan's directory.
    #[must_use]
    pub fn touches_files(&self) -> bool {
        let has_no_program = matches!(
            self.kind,
            NodeKind::UserInput(_)
                | NodeKind::Condition(_)
                | NodeKind::Planning(_)
                | NodeKind::Note(_)
        );
        !has_no_program && self.kind.sub_plan().is_none()
    }
}

/// A position on the canvas: the node's upper left corner, in canvas units.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Position {
    /// In canvas units, increasing to the right.
    pub x: f64,
    /// In canvas units, increasing downward.
    pub y: f64,
}
