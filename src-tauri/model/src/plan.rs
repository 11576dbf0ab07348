//! The plan: what a person describes, edits and approves.
//!
//! A [`Plan`] is the content of one version. Its version number, its review state and its history are kept
//! by the store; how far an execution came is a [`Run`](crate::Run).

mod new_ids;
mod on_takeover;
mod open_address;
mod replan_mode;
mod run_defaults;
mod tool_scope;

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use crate::direction::Direction;
use crate::graph::{Cycle, Graph};
use crate::isolation::Isolation;
use crate::sandbox::SandboxMode;
pub use on_takeover::OnTakeover;
pub use replan_mode::ReplanMode;
pub use run_defaults::{EffectiveSettings, RunDefaults};
pub use tool_scope::ToolScopeMode;

use crate::node::{
    AGENT_TIMEOUT_MS, Budget, COMMAND_TIMEOUT_MS, Criterion, NodeKind, OnFailedCriterion,
    OnUnverified, Review,
};
use crate::{Edge, Group, Node, NodeId, PlanId, Problem};

/// The content of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// Stays the same over all versions.
    pub id: PlanId,
    /// One line for people.
    pub title: String,
    /// The goal as the person wrote it.
    #[serde(default)]
    pub description: String,
    /// The absolute directory in which nodes run; `None` until somebody chose one.
    #[serde(default)]
    pub cwd: Option<String>,
    /// The steps, in the order of the list view (`seq`).
    #[serde(default)]
    pub nodes: Vec<Node>,
    /// The dependencies, without duplicates.
    #[serde(default)]
    pub edges: Vec<Edge>,
    /// The frames around nodes on the canvas. They are part of the layout.
    #[serde(default)]
    pub groups: Vec<Group>,
    /// Which way the plan reads. It stands beside the places, which are made for it: whoever opens the plan sees edges leave its
    /// nodes where these places expect them. Part of the layout, like those.
    #[serde(default, skip_serializing_if = "Direction::is_default")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Direction>"))]
    pub direction: Direction,
    /// How the plan is run.
    #[serde(default)]
    pub settings: PlanSettings,
    /// Where the plan comes from.
    #[serde(default)]
    pub origin: Origin,
    /// Whatever else somebody wants to keep with the plan; Baton only carries it.
    #[serde(default)]
    #[cfg_attr(feature = "bindings", ts(type = "Record<string, unknown>"))]
    pub metadata: serde_json::Map<String, serde_json::Value>,
}

/// How a plan is run and filed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct PlanSettings {
    /// How much is asked of a person; `None` takes the default of the settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional = nullable))]
    pub autonomy: Option<Autonomy>,
    /// How strictly agent nodes are held to their lists of tools; a node may say otherwise.
    pub tool_scope: ToolScopeMode,
    /// The tools of agents, by exact name, that a person wants to decide about.
    pub guarded_tools: Vec<String>,
    /// How many nodes may run at once, 1 to 1,000; `None` takes the default of the settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional = nullable))]
    pub concurrency: Option<u32>,
    /// 1 to 10; plans with a higher number go first.
    pub priority: u8,
    /// How often a failed run starts again from its failed nodes by itself, 0 to 100.
    pub plan_retries: u32,
    /// How often a failed plan is planned anew by itself.
    pub max_retries: u32,
    /// Whether a failed plan is planned anew by itself.
    pub replan: ReplanMode,
    /// Ends the whole run after so many milliseconds; `None` takes the default of the settings.
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub timeout_ms: Option<u64>,
    /// Ends an attempt of an agent after so many milliseconds; `None` takes the default of the settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(type = "number | null", optional))]
    pub agent_timeout_ms: Option<u64>,
    /// Ends an attempt of a command or tool call after so many milliseconds; `None` takes the default of the settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(type = "number | null", optional))]
    pub command_timeout_ms: Option<u64>,
    /// What all its nodes may use together.
    pub budget: Budget,
    /// The agent of nodes that name none, or the team ([`crate::arbiter::TEAM`]); `None` takes the default of the settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional = nullable))]
    pub agent: Option<String>,
    /// How many sessions of an agent may live at once, by the agent's name.
    pub agent_concurrency: BTreeMap<String, u32>,
    /// Who checks acceptance criteria that are sentences; `None`: nobody does.
    pub review: Option<Review>,
    /// What becomes of a node when a command among its acceptance criteria fails.
    pub on_failed_criterion: OnFailedCriterion,
    /// What becomes of a node whose work is not verified.
    pub on_unverified: OnUnverified,
    /// Another executor may go on with a run whose own one has been silent for too long.
    pub takeover_allowed: bool,
    /// What happens first when one that may still live was displaced.
    pub on_takeover: OnTakeover,
    /// Where nodes work that do not say so themselves.
    pub isolation: Isolation,
    /// Whether sessions run in a sandbox, for nodes that do not say so themselves.
    #[serde(skip_serializing_if = "SandboxMode::is_default")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<SandboxMode>"))]
    pub sandbox: SandboxMode,
    /// A line for the shell that is run once in each new worktree, before its first session: `npm ci`.
    pub worktree_setup: Option<String>,
    /// A project's name, for people.
    pub project: Option<String>,
    /// Words to find the plan by.
    pub tags: Vec<String>,
    /// How hard the planner thinks it is, 1 to 10.
    pub complexity: Option<u8>,
    /// What the work must respect, a sentence each.
    pub constraints: Vec<String>,
}

impl Default for PlanSettings {
    fn default() -> Self {
        Self {
            autonomy: None,
            tool_scope: ToolScopeMode::default(),
            guarded_tools: Vec::new(),
            concurrency: None,
            priority: 5,
            plan_retries: 0,
            max_retries: 3,
            replan: ReplanMode::default(),
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
            worktree_setup: None,
            project: None,
            tags: Vec::new(),
            complexity: None,
            constraints: Vec::new(),
        }
    }
}

impl PlanSettings {
    /// How much is asked of a person, also where neither the plan nor a person's settings say so.
    #[must_use]
    pub fn effective_autonomy(&self) -> Autonomy {
        self.autonomy.unwrap_or(RunDefaults::default().autonomy)
    }

    /// How many nodes may run at once, also where neither the plan nor a person's settings say so.
    #[must_use]
    pub fn effective_concurrency(&self) -> u32 {
        self.concurrency
            .unwrap_or(RunDefaults::default().concurrency)
    }
}

/// How much of a run is asked of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(try_from = "u8", into = "u8")]
#[cfg_attr(feature = "bindings", ts(type = "0 | 1 | 2 | 3 | 4"))]
pub enum Autonomy {
    /// 0: every node and every guarded tool call is asked.
    AskAll,
    /// 1: the approval covers the nodes as approved; tools outside a node's list are asked.
    #[default]
    AskNew,
    /// 2: runs; guarded tools that the node does not list are asked.
    AskGuarded,
    /// 3: runs; guarded tools that the node does not list are refused.
    RefuseGuarded,
    /// 4: no gates.
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

/// A number outside its range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{what} must be {least} to {most}, not {found}")]
pub struct OutOfRange {
    /// The field.
    pub what: &'static str,
    /// The least allowed.
    pub least: i64,
    /// The most allowed.
    pub most: i64,
    /// What was given.
    pub found: i64,
}

/// Where a plan comes from and what informed it. Baton keeps and shows it; nothing depends on it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct Origin {
    /// Who made it.
    pub source: Source,
    /// The maker's own identifier, for instance of a trigger.
    pub source_id: Option<String>,
    /// The person whose plan it is.
    pub user: Option<String>,
    /// A person's or agent's name.
    pub created_by: Option<String>,
    /// The model that planned it.
    pub planner_model: Option<String>,
    /// The model that should run it.
    pub executor_model: Option<String>,
    /// Sessions, plans or documents that were read for it.
    pub informed_by: Vec<String>,
    /// The goal that it serves.
    pub goal: Option<String>,
    /// The trigger that made it.
    pub trigger: Option<String>,
}

/// Who made a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A person.
    #[default]
    User,
    /// A planner.
    Agent,
    /// A trigger.
    Trigger,
    /// A file.
    Import,
    /// Baton itself: the plans that are there at first start.
    Example,
}

/// The most characters that a title may have. Longer ones belong into the description.
pub const TITLE_LENGTH_LIMIT: usize = 500;

impl Plan {
    /// An empty plan.
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
            settings: PlanSettings::default(),
            origin: Origin::default(),
            metadata: serde_json::Map::new(),
        }
    }

    /// The node with this id.
    #[must_use]
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.iter().find(|node| node.id == id)
    }

    /// The graph of the executable nodes, or the cycle or dangling edge that forbids one.
    pub fn graph(&self) -> Result<Graph, Cycle> {
        Graph::new(self)
    }

    /// Everything that keeps this plan from being saved. Empty means that it can be.
    ///
    /// Whether it can *run* is more, and depends on the machine: that is the pre-flight's business.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        crate::problem::find(self)
    }

    /// Whether `self` and `other` differ only in where nodes stand and which way the plan reads, in notes and in groups: such an edit keeps an approval.
    #[must_use]
    pub fn differs_only_in_layout(&self, other: &Self) -> bool {
        self.without_layout() == other.without_layout()
    }

    /// What an approval covers of the plan, as text: all of it but its layout. The same content gives the same text.
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

    /// How long one attempt of `node` may take, in milliseconds: as it says itself, else as the plan says for its kind,
    /// else by its kind alone.
    ///
    /// `None` where time is not limited: a person may take long, and the nodes of another plan have limits of their own.
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

    /// Whether somebody checks this criterion of `node`: a command where the node runs in a session, a sentence where
    /// there is a review besides.
    #[must_use]
    pub fn checks(&self, node: &Node, criterion: &Criterion) -> bool {
        let has_session = node.kind.sub_plan().is_none()
            && !matches!(node.kind, NodeKind::UserInput(_) | NodeKind::Note(_));
        has_session
            && (matches!(criterion, Criterion::Run { .. }) || self.settings.review.is_some())
    }

    /// Whether `node` has acceptance criteria of which nobody checks a single one: it is then done, not checked.
    #[must_use]
    pub fn is_unchecked(&self, node: &Node) -> bool {
        let mut criteria = node
            .acceptance_criteria
            .iter()
            .filter(|criterion| !criterion.is_empty())
            .peekable();
        criteria.peek().is_some() && !criteria.any(|criterion| self.checks(node, criterion))
    }

    /// Nodes by id.
    #[must_use]
    pub fn nodes_by_id(&self) -> HashMap<NodeId, &Node> {
        self.nodes.iter().map(|node| (node.id, node)).collect()
    }
}
