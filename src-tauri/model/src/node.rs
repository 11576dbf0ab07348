//! One executable step of a plan.
//!
//! A node says what to do. How far it came belongs to a run, see [`crate::run`].

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
pub use texts::{KeyedText, named_slugs};
pub use tool::{LoopBody, LoopTask, ParallelTask, ToolCall};

use crate::isolation::Isolation;
use crate::sandbox::SandboxMode;
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
    /// What must be true afterwards.
    #[serde(default)]
    pub acceptance_criteria: Vec<Criterion>,
    /// The tools that the node may use; empty: Baton sets no limit.
    #[serde(default)]
    pub tools_required: Vec<String>,
    /// The agent that a planner had in mind; taken where the node itself names no agent.
    #[serde(default)]
    pub suggested_agent: Option<String>,
    /// When its parents let it start; `None` takes the rule of its place, see [`Graph::start_rule`](crate::Graph::start_rule).
    #[serde(default)]
    pub trigger_rule: Option<TriggerRule>,
    /// How often it is tried again after its own failure. Loss of infrastructure is not counted here.
    #[serde(default)]
    pub max_retries: u32,
    /// The exit codes that are worth another try; none named: all are.
    #[serde(default)]
    pub retry_exit_codes: Vec<i32>,
    /// What becomes of an attempt that a crash took.
    #[serde(default)]
    pub after_crash: AfterCrash,
    /// Ends an attempt after so many milliseconds; `None` takes the default of the plan, see [`Plan::timeout_ms_of`](crate::Plan::timeout_ms_of).
    #[serde(default)]
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub timeout_ms: Option<u64>,
    /// Warns when an attempt has said nothing for so many milliseconds; `None`: 10 minutes. Never ends it.
    #[serde(default)]
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub silent_after_ms: Option<u64>,
    /// What its attempts may use together.
    #[serde(default)]
    pub budget: Budget,
    /// Where the run goes on when the node is done; `None`: wherever its edges lead.
    #[serde(default)]
    pub on_success: Option<NodeId>,
    /// What becomes of the run when the last attempt has failed.
    #[serde(default)]
    pub on_failure: OnFailure,
    /// Where it works; `None`: where the plan says.
    #[serde(default)]
    pub isolation: Option<Isolation>,
    /// Whether its sessions run in a sandbox; `None`: as the plan says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional = nullable))]
    pub sandbox: Option<SandboxMode>,
    /// What it uses alone: no other node of any run that names one of these locks runs meanwhile, see [`LockScope`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<String>>"))]
    pub locks: Vec<String>,
    /// Goes first among the nodes that could start, 1 to 10, higher first.
    #[serde(default = "Node::default_priority")]
    pub priority: u8,
    /// It is skipped as if by a person when its turn comes, so that what depends on it goes on without it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
    pub disabled: bool,
    /// Where a person, or the layout, put the node; `None` until then.
    #[serde(default)]
    pub position: Option<Position>,
    /// The layout leaves the node where it is. Its place is a person's to decide, and only that: nothing of a run depends on it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "bindings", ts(as = "Option<bool>", optional))]
    pub keeps_place: bool,
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

    /// The priority of a node that names none.
    #[must_use]
    pub fn default_priority() -> u8 {
        5
    }

    /// How long an attempt may say nothing before somebody is told, in milliseconds.
    #[must_use]
    pub fn effective_silence_ms(&self) -> u64 {
        self.silent_after_ms.unwrap_or(10 * 60 * 1000)
    }

    /// The nodes that this one names as what follows on it: branches and jumps. They wait for it without an edge.
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

    /// Whether a run executes this node. Notes only stand on the canvas.
    #[must_use]
    pub fn is_executable(&self) -> bool {
        !matches!(self.kind, NodeKind::Note(_))
    }
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
