//! What a planner was asked for.

use serde::{Deserialize, Serialize};

use crate::{NodeId, PlanId, RunId, SessionId};

/// A request to a planner. Contains what a person chose, but not the machine details added to the
/// prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// What the plan is about.
    pub subject: Subject,
    /// The goal, or additional instructions for the subject. May be empty unless the subject is a
    /// goal.
    pub wish: String,
    /// The absolute directory that the planner inspects and the plan runs in.
    pub cwd: String,
    /// The name of the agent that plans.
    pub agent: String,
    /// The model to request; `None` uses the agent's default.
    pub model: Option<String>,
    /// Constraints on the work, one sentence each.
    pub constraints: Vec<String>,
    /// Code that exists already and matters for the goal: excerpts, or descriptions of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub existing_code: Vec<String>,
    /// What the requester learned from earlier work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memories: Vec<String>,
    /// Whether Baton made the request, because the plan asks for automatic replanning.
    pub automatic: bool,
}

/// What a request is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "subject",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Subject {
    /// A goal that a person wrote.
    Goal,
    /// The session of a node, whose work becomes a plan.
    Session { session: SessionId },
    /// A session from an agent's own history.
    Transcript {
        /// The ID of the transcript.
        transcript: String,
    },
    /// A node to split into several.
    Split {
        plan: PlanId,
        /// The version at the time of the request.
        version: u32,
        node: NodeId,
    },
    /// A plan or node to explain. Changes nothing.
    Explain {
        plan: PlanId,
        /// The version at the time of the request.
        version: u32,
        /// The node; `None` for the whole plan.
        node: Option<NodeId>,
    },
    /// A plan that gets its nodes: its description is the goal.
    Fill {
        plan: PlanId,
        /// The version at the time of the request.
        version: u32,
    },
    /// A plan whose run did not complete.
    Replan {
        plan: PlanId,
        /// The version at the time of the request.
        version: u32,
        run: RunId,
        /// The node to replan; `None` for all failed nodes.
        node: Option<NodeId>,
    },
    /// A new plan that an agent or a program submitted.
    SubmittedPlan,
    /// A change to a plan that an agent or a program submitted.
    SubmittedChange {
        plan: PlanId,
        /// The version that it changes.
        version: u32,
    },
}

/// The kinds of proposals that people see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
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
    /// Nodes for a plan that exists.
    Fill,
    /// A new version of a plan whose run failed.
    Replan,
    /// A new plan, or a new version of one, that an agent or a program submitted complete.
    Submitted,
}

impl Subject {
    /// The kind of proposal that this request results in.
    #[must_use]
    pub fn kind(&self) -> ProposalKind {
        match self {
            Self::Goal => ProposalKind::Generate,
            Self::Session { .. } | Self::Transcript { .. } => ProposalKind::FromSession,
            Self::Split { .. } => ProposalKind::Split,
            Self::Explain { .. } => ProposalKind::Explain,
            Self::Fill { .. } => ProposalKind::Fill,
            Self::Replan { .. } => ProposalKind::Replan,
            Self::SubmittedPlan | Self::SubmittedChange { .. } => ProposalKind::Submitted,
        }
    }

    /// The plan and version that the proposal changes or explains; `None` if it creates a new plan.
    #[must_use]
    pub fn target(&self) -> Option<(PlanId, u32)> {
        match self {
            Self::Goal | Self::Session { .. } | Self::Transcript { .. } | Self::SubmittedPlan => {
                None
            }
            Self::Fill { plan, version } | Self::SubmittedChange { plan, version } => {
                Some((*plan, *version))
            }
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
            Self::Goal
            | Self::Session { .. }
            | Self::Transcript { .. }
            | Self::Fill { .. }
            | Self::SubmittedPlan
            | Self::SubmittedChange { .. } => None,
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
