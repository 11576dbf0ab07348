//! The inbox: what needs a person's attention.

use baton_model::node::InputType;
use baton_model::planning::ProposalKind;
use baton_model::run::{Conflict, RequestedToolCall, Resolution};
use baton_model::{NodeId, PlanId, ProposalId, RunId, RunState, SessionId, Slug, Timestamp};

use super::wire;

wire! {
    #[expect(missing_docs, reason = "the names say it")]
    pub struct InboxItem {
        /// The run that is waiting; for a proposal without such a run, the planner's run, for one
        /// that was submitted complete, the proposal's own id, and for a plan in review, the plan's.
        pub run: RunId,
        /// The plan of that run.
        pub plan: PlanId,
        /// The title in that run's plan version; for a proposal, the proposal's title.
        pub plan_title: String,
        /// `None` if it is about the run as a whole or a proposal.
        pub node: Option<InboxNode>,
        /// For child runs: the nodes that lead to this run, from the top-level run down.
        #[serde(default)]
        pub path: Vec<InboxStep>,
        /// Since when it has been waiting.
        pub since: Timestamp,
        pub ask: InboxRequest,
    }
    /// The node that is waiting.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct InboxNode {
        pub id: NodeId,
        /// Its name within the plan file.
        pub slug: Slug,
        pub title: String,
        /// Session of its latest attempt.
        pub session: Option<SessionId>,
    }
    /// A node that runs another plan.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct InboxStep {
        /// The run that contains the node.
        pub run: RunId,
        /// The plan of that run.
        pub plan: PlanId,
        /// The title in that run's plan version.
        pub plan_title: String,
        pub node: NodeId,
        /// Its name within the plan file.
        pub slug: Slug,
        pub title: String,
    }
    /// Approves or rejects the start of a node.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct NodeApprove {
        pub run: RunId,
        pub node: NodeId,
        /// True approves, false rejects.
        pub allow: bool,
    }
    /// Resolves the conflict that a node is waiting for.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct NodeMerge {
        pub run: RunId,
        pub node: NodeId,
        pub resolution: Resolution,
    }
    /// Answers a node that asks a person.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct NodeInput {
        pub run: RunId,
        pub node: NodeId,
        /// Text, one of the options, or `yes` or `no`.
        pub value: String,
    }
    /// Selects ended runs to list.
    pub struct EndedRunsFilter {
        /// Maximum number of runs, latest first.
        pub limit: u32,
    }
    /// A run that has ended.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct EndedRunView {
        pub run: RunId,
        pub plan: PlanId,
        /// The title in that run's plan version.
        pub title: String,
        pub state: RunState,
        pub ended_at: Timestamp,
    }
}

/// What a person is asked, and the operations that answer it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum InboxRequest {
    /// A live session asks for permission: `node_answer`.
    Permission {
        /// The question, in a form to show to people.
        question: String,
        /// The id to use in the answer.
        request: String,
        /// The tool call in question, for permissions that cover more than one call.
        call: Option<RequestedToolCall>,
    },
    /// A node needs approval to start: `node_approve`.
    Approval {
        /// The question, in a form to show to people.
        question: String,
    },
    /// A node asks for input: `node_input`.
    Input {
        /// The question, in a form to show to people.
        question: String,
        /// The kind of answer expected.
        input_type: InputType,
        /// The answers to choose from.
        options: Vec<String>,
        /// When the node fails if there is no answer.
        due: Option<Timestamp>,
    },
    /// The work of the node's parents conflicts: `node_merge`.
    Merge {
        /// The conflicting files and their location.
        conflict: Conflict,
    },
    /// It is unknown how far an attempt got: `node_retry`, `node_mark_done`, `node_skip`, or
    /// `node_mark_failed`.
    Interrupted {
        /// What is known about the attempt.
        detail: String,
        /// The agent can resume that attempt's session.
        can_resume: bool,
    },
    /// A plan or a change to one, proposed by an agent: `proposal_accept` or `proposal_reject`.
    Proposal {
        /// Identifies it in the answer.
        proposal: ProposalId,
        /// The kind of proposal.
        what: ProposalKind,
        /// Display name of the agent that made it.
        author: String,
    },
    /// A plan was submitted for review: `plan_approve` or `plan_reject`.
    PlanReview {
        /// The revision that a decision is about.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        revision: u64,
        /// Who submitted it, as in the history; `None` if that isn't known.
        submitted_by: Option<String>,
        /// It was rejected three times. Only a person can submit it again.
        needs_review: bool,
    },
    /// Another executor took over the run, and the plan requires a review: `run_resume` or
    /// `run_cancel`.
    Takeover {
        /// Who lost the run, and why.
        message: String,
        /// Findings, one per line.
        details: Vec<String>,
    },
    /// The run failed, and the plan that handles its failures could not be started. Nothing answers
    /// this; a later run of the plan removes it.
    HandlerNotStarted {
        /// Why, as a sentence.
        message: String,
        /// What to do about it, a fragment.
        fix: String,
    },
    /// No node of the run can continue: `run_resume` after fixing the cause, or `run_cancel`.
    Stalled {
        /// Which nodes, and what they need.
        message: String,
    },
}
