//! What a planner was asked for.

use serde::{Deserialize, Serialize};

use crate::{NodeId, PlanId, RunId, SessionId};

/// An order to a planner. It holds what a person chose, not what the planner was told about the machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// What the plan is about.
    pub subject: Subject,
    /// The goal, or what the person wishes beside the subject; may be empty unless the subject is a goal.
    pub wish: String,
    /// The absolute directory that the planner looks at, and the plan runs in.
    pub cwd: String,
    /// The agent that plans, by its name.
    pub agent: String,
    /// The model to ask for; `None` leaves it to the agent.
    pub model: Option<String>,
    /// What the work must respect, a sentence each.
    pub constraints: Vec<String>,
    /// Baton asked by itself, because the plan says so.
    pub automatic: bool,
}

/// What is planned about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "subject",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Subject {
    /// A goal that a person wrote.
    Goal,
    /// A session of a node: what was done there becomes a plan.
    Session {
        /// The session.
        session: SessionId,
    },
    /// A session from an agent's own history.
    Transcript {
        /// The transcript's name.
        transcript: String,
    },
    /// One node that shall become several.
    Split {
        /// The plan.
        plan: PlanId,
        /// Its version when it was asked.
        version: u32,
        /// The node.
        node: NodeId,
    },
    /// A plan, or a node of it, that shall be explained. Changes nothing.
    Explain {
        /// The plan.
        plan: PlanId,
        /// Its version when it was asked.
        version: u32,
        /// The node; none: the whole plan.
        node: Option<NodeId>,
    },
    /// A plan whose run did not come to its end.
    Replan {
        /// The plan.
        plan: PlanId,
        /// Its version when it was asked.
        version: u32,
        /// The run.
        run: RunId,
        /// The node that it is about; none: whatever failed.
        node: Option<NodeId>,
    },
}

/// The kinds of proposal, as people tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ProposalKind {
    /// A new plan from a goal.
    Generate,
    /// A new plan from a session.
    FromSession,
    /// One node becomes several.
    Split,
    /// A text about a plan. There is nothing to accept.
    Explain,
    /// A new version of a plan whose run failed.
    Replan,
}

impl Subject {
    /// Which kind of proposal this leads to.
    #[must_use]
    pub fn kind(&self) -> ProposalKind {
        match self {
            Self::Goal => ProposalKind::Generate,
            Self::Session { .. } | Self::Transcript { .. } => ProposalKind::FromSession,
            Self::Split { .. } => ProposalKind::Split,
            Self::Explain { .. } => ProposalKind::Explain,
            Self::Replan { .. } => ProposalKind::Replan,
        }
    }

    /// The plan and version that the proposal is about; `None` when it makes a new plan.
    #[must_use]
    pub fn target(&self) -> Option<(PlanId, u32)> {
        match self {
            Self::Goal | Self::Session { .. } | Self::Transcript { .. } => None,
            Self::Split { plan, version, .. } | Self::Explain { plan, version, .. } => {
                Some((*plan, *version))
            }
            Self::Replan { plan, version, .. } => Some((*plan, *version)),
        }
    }

    /// The node that the proposal is about.
    #[must_use]
    pub fn node(&self) -> Option<NodeId> {
        match self {
            Self::Split { node, .. } => Some(*node),
            Self::Explain { node, .. } | Self::Replan { node, .. } => *node,
            Self::Goal | Self::Session { .. } | Self::Transcript { .. } => None,
        }
    }

    /// The run that the proposal is about.
    #[must_use]
    pub fn run(&self) -> Option<RunId> {
        match self {
            Self::Replan { run, .. } => Some(*run),
            _ => None,
        }
    }
}
