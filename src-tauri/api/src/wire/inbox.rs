//! What waits for the person, and what they may want to hear of.

use baton_model::node::InputType;
use baton_model::planning::ProposalKind;
use baton_model::run::{AskedCall, Conflict, Resolution};
use baton_model::{NodeId, PlanId, ProposalId, RunId, RunState, SessionId, Slug, Timestamp};

use super::wire;

wire! {
    /// One thing that waits for the person.
    pub struct InboxItem {
        /// The run that it holds up; of a proposal that holds up none, the run of its planner.
        pub run: RunId,
        /// The plan of that run.
        pub plan: PlanId,
        /// The plan's title, as that run knows it; of a proposal its title.
        pub plan_title: String,
        /// The node that it is about; none: the run as a whole, or a proposal.
        pub node: Option<InboxNode>,
        /// When the run stands for a node of another run: the nodes that lead to it, from the run that a person began.
        #[serde(default)]
        pub path: Vec<InboxStep>,
        /// Since when it waits.
        pub since: Timestamp,
        /// What is asked.
        pub ask: InboxAsk,
    }
    /// The node that waits.
    pub struct InboxNode {
        /// Its id.
        pub id: NodeId,
        /// Its name in the plan file.
        pub slug: Slug,
        /// Its title.
        pub title: String,
        /// The session of its latest attempt.
        pub session: Option<SessionId>,
    }
    /// A node whose work is a run of another plan.
    pub struct InboxStep {
        /// The run of the node.
        pub run: RunId,
        /// The plan of that run.
        pub plan: PlanId,
        /// The plan's title, as that run knows it.
        pub plan_title: String,
        /// The node.
        pub node: NodeId,
        /// Its name in the plan file.
        pub slug: Slug,
        /// Its title.
        pub title: String,
    }
    /// Lets a node start that waits for leave, or refuses.
    pub struct NodeApprove {
        /// The run.
        pub run: RunId,
        /// The node.
        pub node: NodeId,
        /// Leave or refusal.
        pub allow: bool,
    }
    /// Settles the conflict for which a node waits.
    pub struct NodeMerge {
        /// The run.
        pub run: RunId,
        /// The node.
        pub node: NodeId,
        /// How.
        pub resolution: Resolution,
    }
    /// Answers a node that asks a person.
    pub struct NodeInput {
        /// The run.
        pub run: RunId,
        /// The node.
        pub node: NodeId,
        /// The answer: words, one of the options, or `yes` or `no`.
        pub value: String,
    }
    /// Which runs that have ended.
    pub struct RunsEnded {
        /// At most so many, the latest first.
        pub limit: u32,
    }
    /// The end of a run, in one line.
    pub struct RunEnd {
        /// The run.
        pub run: RunId,
        /// Its plan.
        pub plan: PlanId,
        /// The plan's title, as that run knew it.
        pub title: String,
        /// How it ended.
        pub state: RunState,
        /// When.
        pub ended_at: Timestamp,
    }
}

/// What a person is asked, and by which operation they answer.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum InboxAsk {
    /// A living session asks for leave: `node_answer`.
    Permission {
        /// What is asked, for people.
        question: String,
        /// How the answer names it.
        request: String,
        /// The call that it is about: what leave for more than once would be given for.
        call: Option<AskedCall>,
    },
    /// A node waits for leave to start: `node_approve`.
    Approval {
        /// What is asked, for people.
        question: String,
    },
    /// A node asks for words: `node_input`.
    Input {
        /// What is asked, for people.
        question: String,
        /// What kind of answer.
        input_type: InputType,
        /// The answers to choose from.
        options: Vec<String>,
        /// When the node fails if nobody has answered.
        due: Option<Timestamp>,
    },
    /// Work of the node's parents does not fit together: `node_merge`.
    Merge {
        /// What does not fit, and where it lies.
        conflict: Conflict,
    },
    /// How far an attempt came is not known: `node_retry`, `node_mark_done`, `node_skip` or `node_mark_failed`.
    Interrupted {
        /// What is known.
        detail: String,
        /// The agent can go on with the conversation of that attempt.
        can_resume: bool,
    },
    /// A plan, or a change to one, that an agent made: `proposal_accept` or `proposal_reject`.
    Proposal {
        /// The proposal.
        proposal: ProposalId,
        /// What kind.
        what: ProposalKind,
        /// The agent that made it, by its name for people.
        author: String,
    },
    /// Another executor has taken the run over, and its plan asks for a review: `run_resume` or `run_cancel`.
    Takeover {
        /// Who lost the run, and why.
        message: String,
        /// What was found, a line each.
        details: Vec<String>,
    },
    /// Nothing in the run can go on: `run_resume` when the cause is mended, or `run_cancel`.
    Stalled {
        /// Which nodes, and what they need.
        message: String,
    },
}
