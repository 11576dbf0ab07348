//! The plan: what a person describes, edits and approves.
//!
//! A [`Plan`] is the content of one version. The store keeps its version number, review state and
//! history. The progress of an execution is a [`Run`](crate::Run).

mod edge_condition;
mod inferred_edges;
mod node_defaults;
mod node_settings;
mod on_takeover;
mod output_reads;
mod plan_context;
mod plan_groups;
mod remove_nodes;
mod rename_nodes;
mod replan_mode;
mod run_defaults;
mod unapproved_address;

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use crate::direction::Direction;
use crate::isolation::Isolation;
use crate::sandbox::SandboxMode;
use crate::session_tools::SessionTools;
pub use crate::tool_scope::ToolScopeMode;
pub use on_takeover::OnTakeover;
pub use output_reads::OutputRead;
pub use plan_context::{ContextArtifact, PlanContext, Risk, ToolOutput, referenced_context_keys};
pub use replan_mode::ReplanMode;
pub(crate) use run_defaults::add_missing;
pub use run_defaults::{EffectiveSettings, RunDefaults};

use crate::node::{
    AGENT_TIMEOUT_MS, Budget, COMMAND_TIMEOUT_MS, Criterion, NodeKind, OnFailedCriterion,
    OnUnverified, Review,
};
use crate::{Edge, Group, Node, NodeId, PlanId};

/// The content of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct Plan {
    /// The same in all versions.
    pub id: PlanId,
    /// One line for people.
    pub title: String,
    /// The goal, as the person wrote it.
    #[serde(default)]
    pub description: String,
    /// The absolute directory in which nodes run; `None` until one is chosen.
    #[serde(default)]
    pub cwd: Option<String>,
    /// The nodes, in the order of the list view (`seq`).
    #[serde(default)]
    pub nodes: Vec<Node>,
    /// The dependencies, without duplicates.
    #[serde(default)]
    pub edges: Vec<Edge>,
    /// The frames around nodes on the canvas. Part of the layout.
    #[serde(default)]
    pub groups: Vec<Group>,
    /// The direction of the edges on the canvas. Stored with the positions, which are laid out for
    /// it. Part of the layout.
    #[serde(default, skip_serializing_if = "Direction::is_default")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Direction>"))]
    pub direction: Direction,
    /// What was found out before, for people and nodes.
    #[serde(default, skip_serializing_if = "PlanContext::is_default")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<PlanContext>"))]
    pub context: PlanContext,
    /// What may go wrong, for the person who approves it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<Risk>>"))]
    pub risks: Vec<Risk>,
    #[serde(default)]
    pub settings: PlanSettings,
    #[serde(default)]
    pub origin: Origin,
    /// Arbitrary data of other programs. Baton stores it unchanged.
    #[serde(default)]
    #[cfg_attr(feature = "bindings", ts(type = "Record<string, unknown>"))]
    pub metadata: serde_json::Map<String, serde_json::Value>,
}

/// How a plan is run and filed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct PlanSettings {
    /// How much a person is asked; `None` uses the default from the settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional = nullable))]
    pub autonomy: Option<Autonomy>,
    /// How strictly the tool lists of agent nodes are enforced. A node can override it.
    pub tool_scope: ToolScopeMode,
    /// Agent tools that a person wants to decide about, by exact name.
    pub guarded_tools: Vec<String>,
    /// The tools of agent nodes that list none; empty means no limit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<String>>"))]
    pub tools_required: Vec<String>,
    /// How many nodes may run at once, 1 to 1,000; `None` uses the default from the settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional = nullable))]
    pub concurrency: Option<u32>,
    /// From 1 to 10; plans with a higher priority go first.
    pub priority: u8,
    /// How often a failed run is automatically restarted from its failed nodes, 0 to 100.
    pub plan_retries: u32,
    /// How often a failed plan is automatically replanned.
    pub max_retries: u32,
    /// Whether a failed plan is automatically replanned.
    pub replan: ReplanMode,
    /// The plan that runs when a run of this one has failed, by its title or ID.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional = nullable))]
    pub on_failure: Option<String>,
    /// The time limit of the whole run in milliseconds; `None` uses the default from the settings.
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub timeout_ms: Option<u64>,
    /// The time limit of an agent's attempt in milliseconds; `None` uses the default from the
    /// settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(type = "number | null", optional))]
    pub agent_timeout_ms: Option<u64>,
    /// The time limit of a command or tool call in milliseconds; `None` uses the default from the
    /// settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(type = "number | null", optional))]
    pub command_timeout_ms: Option<u64>,
    /// Shared by all nodes.
    pub budget: Budget,
    /// The agent or team ([`crate::arbiter::TEAM_PREFIX`]) for nodes without one; `None` uses the
    /// default from the settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional = nullable))]
    pub agent: Option<String>,
    /// How many sessions of an agent may be live at once, by the agent's name.
    pub agent_concurrency: BTreeMap<String, u32>,
    /// Who checks acceptance criteria that are sentences; `None` means they are not checked.
    pub review: Option<Review>,
    /// What happens when a command among a node's acceptance criteria fails.
    pub on_failed_criterion: OnFailedCriterion,
    /// What happens when a node's work is unverified.
    pub on_unverified: OnUnverified,
    /// Whether another executor may continue a run whose executor has been silent for too long.
    pub takeover_allowed: bool,
    /// What happens first when a displaced executor may still be alive.
    pub on_takeover: OnTakeover,
    /// Where nodes without their own setting work.
    pub isolation: Isolation,
    /// Whether sessions of nodes without their own setting run in a sandbox.
    #[serde(skip_serializing_if = "SandboxMode::is_default")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<SandboxMode>"))]
    pub sandbox: SandboxMode,
    /// Which agents get Baton's own tools for their attempt.
    #[serde(skip_serializing_if = "SessionTools::is_default")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<SessionTools>"))]
    pub session_tools: SessionTools,
    /// A shell command line, run once in each new worktree before its first session: `npm ci`.
    pub worktree_setup: Option<String>,
    /// The name of a project, for people.
    pub project: Option<String>,
    /// Keywords to find the plan by.
    pub tags: Vec<String>,
    /// The planner's estimate, 1 to 10.
    pub complexity: Option<u8>,
    /// Constraints on the work, one sentence each.
    pub constraints: Vec<String>,
}

impl Default for PlanSettings {
    fn default() -> Self {
        Self {
            autonomy: None,
            tool_scope: ToolScopeMode::default(),
            guarded_tools: Vec::new(),
            tools_required: Vec::new(),
            concurrency: None,
            priority: 5,
            plan_retries: 0,
            max_retries: 3,
            replan: ReplanMode::default(),
            on_failure: None,
            timeout_ms: None,
            agent_timeout_ms: None,
            command_timeout_ms: None,
            budget: Budget::default(),
            agent: None,
            agent_concurrency: BTreeMap::new(),
            review: None,
            on_failed_criterion: OnFailedCriterion::default(),
            on_unverified: OnUnverified::default(),
            takeover_allowed: true,
            on_takeover: OnTakeover::default(),
            isolation: Isolation::default(),
            sandbox: SandboxMode::default(),
            session_tools: SessionTools::default(),
            worktree_setup: None,
            project: None,
            tags: Vec::new(),
            complexity: None,
            constraints: Vec::new(),
        }
    }
}

impl PlanSettings {
    /// The autonomy level, with the built-in default if neither the plan nor the settings specify
    /// one.
    #[must_use]
    pub fn effective_autonomy(&self) -> Autonomy {
        self.autonomy.unwrap_or(RunDefaults::default().autonomy)
    }

    /// The concurrency limit, with the built-in default if neither the plan nor the settings
    /// specify one.
    #[must_use]
    pub fn effective_concurrency(&self) -> u32 {
        self.concurrency
            .unwrap_or(RunDefaults::default().concurrency)
    }
}

/// How much of a run a person is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(try_from = "u8", into = "u8")]
#[cfg_attr(feature = "bindings", ts(type = "0 | 1 | 2 | 3 | 4"))]
pub enum Autonomy {
    /// 0: asks before every node and every guarded tool call.
    AskAll,
    /// 1: the approval covers the approved nodes; asks before tools outside of a node's list.
    #[default]
    AskNew,
    /// 2: asks before guarded tools that the node does not list.
    AskGuarded,
    /// 3: refuses guarded tools that the node does not list.
    RefuseGuarded,
    /// 4: never asks.
    Free,
}

impl TryFrom<u8> for Autonomy {
    type Error = OutOfRange;
    fn try_from(level: u8) -> Result<Self, Self::Error> {
        Ok(match level {
            0 => Self::AskAll,
            1 => Self::AskNew,
            2 => Self::AskGuarded,
            3 => Self::RefuseGuarded,
            4 => Self::Free,
            _ => {
                return Err(OutOfRange {
                    what: "autonomy",
                    least: 0,
                    most: 4,
                    found: level.into(),
                });
            }
        })
    }
}

impl From<Autonomy> for u8 {
    fn from(level: Autonomy) -> Self {
        level as Self
    }
}

/// A number is outside its range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{what} must be {least} to {most}, not {found}")]
#[expect(missing_docs, reason = "the names say it")]
pub struct OutOfRange {
    /// The name of the field.
    pub what: &'static str,
    pub least: i64,
    pub most: i64,
    pub found: i64,
}

/// Where a plan comes from and what informed it. Stored and displayed only, except `executor_model`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Origin {
    pub source: Source,
    /// The creator's own identifier, for example of a trigger.
    pub source_id: Option<String>,
    /// The person whose plan it is.
    pub user: Option<String>,
    /// The name of a person or agent.
    pub created_by: Option<String>,
    /// The model that planned it.
    pub planner_model: Option<String>,
    /// The model of agent nodes that name none.
    pub executor_model: Option<String>,
    /// Sessions, plans or documents that were read for it.
    pub informed_by: Vec<String>,
    /// The goal that it serves.
    pub goal: Option<String>,
    /// The trigger that created it.
    pub trigger: Option<String>,
}

/// Who created a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Source {
    #[default]
    User,
    Agent,
    Trigger,
    Import,
    /// Baton itself: the plans that exist on first start.
    Example,
}

/// In characters. Longer text belongs in the description.
pub const TITLE_LENGTH_LIMIT: usize = 500;

impl Plan {
    /// A plan without nodes, with default settings.
    #[must_use]
    pub fn new(id: PlanId, title: impl Into<String>) -> Self {
        Self {
            id,
            title: title.into(),
            description: String::new(),
            cwd: None,
            nodes: Vec::new(),
            edges: Vec::new(),
            groups: Vec::new(),
            direction: Direction::default(),
            context: PlanContext::default(),
            risks: Vec::new(),
            settings: PlanSettings::default(),
            origin: Origin::default(),
            metadata: serde_json::Map::new(),
        }
    }

    /// The node with this ID.
    #[must_use]
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.iter().find(|node| node.id == id)
    }

    /// Whether `self` and `other` differ only in layout: positions, direction, notes and groups.
    /// Such an edit keeps an approval.
    #[must_use]
    pub fn differs_only_in_layout(&self, other: &Self) -> bool {
        self.without_layout() == other.without_layout()
    }

    /// The part of the plan that an approval covers, as text: everything except the layout. Equal
    /// content gives equal text.
    pub fn approved_content(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(&self.without_layout())
    }

    fn without_layout(&self) -> Self {
        let mut plan = self.clone();
        for node in &mut plan.nodes {
            node.position = None;
            node.keeps_place = false;
        }
        plan.nodes.retain(Node::is_executable);
        plan.groups.clear();
        plan.direction = Direction::default();
        plan
    }

    /// The time limit of one attempt of `node`, in milliseconds: its own, else the plan's for its
    /// kind, else the kind's default.
    ///
    /// `None` means unlimited: a person may take long, and the nodes of a sub-plan have their own
    /// limits.
    #[must_use]
    pub fn timeout_ms_of(&self, node: &Node) -> Option<u64> {
        let of_kind = || {
            let (agents, commands) = (
                self.settings.agent_timeout_ms,
                self.settings.command_timeout_ms,
            );
            node.kind.timeout_ms(
                agents.unwrap_or(AGENT_TIMEOUT_MS),
                commands.unwrap_or(COMMAND_TIMEOUT_MS),
            )
        };
        node.timeout_ms.or_else(of_kind)
    }

    /// Whether this criterion of `node` is checked: a command if the node runs in a session, a
    /// sentence if there is also a review.
    #[must_use]
    pub fn checks(&self, node: &Node, criterion: &Criterion) -> bool {
        let has_session = node.kind.sub_plan().is_none()
            && !matches!(node.kind, NodeKind::UserInput(_) | NodeKind::Note(_));
        has_session
            && (matches!(criterion, Criterion::Run { .. }) || self.settings.review.is_some())
    }

    /// Whether `node` has acceptance criteria, but none of them is checked.
    #[must_use]
    pub fn is_unchecked(&self, node: &Node) -> bool {
        let mut criteria = node
            .acceptance_criteria
            .iter()
            .filter(|criterion| !criterion.is_empty())
            .peekable();
        criteria.peek().is_some() && !criteria.any(|criterion| self.checks(node, criterion))
    }

    /// All nodes, by ID.
    #[must_use]
    pub fn nodes_by_id(&self) -> HashMap<NodeId, &Node> {
        self.nodes.iter().map(|node| (node.id, node)).collect()
    }
}
