//! The events of a run: facts in the past tense, append-only. The state of a run is derived from
//! them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::answer::{Answer, AnsweredBy, RequestedToolCall, UnlistedToolCall};
use super::caller::Caller;
use super::error_handler::HandlerOutcome;
use super::inherited_check::InheritedCheck;
use super::merge::{Conflict, Resolution};
use super::permits::Obstacle;
use super::pinned_output::PinOrigin;
use super::replan::ReplanEnd;
use super::semantics::Semantics;
use super::state::BudgetUsage;
use super::stop::AfterStop;
use super::takeover::TakeoverRecord;
use crate::arbiter::{AgentChoice, SelectionRequest};
use crate::plan::EffectiveSettings;
use crate::{
    ArtifactId, Attempt, Epoch, ExecutorId, Grant, NodeId, Outcome, PlanId, ProposalId, RunId,
    SessionId, Timestamp,
};

/// One event of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "event",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Event {
    /// The run started. Always the first event.
    Started {
        plan: PlanId,
        /// The version of the plan that is executed.
        version: u32,
        /// The nodes that should run.
        goal: Goal,
        /// How many nodes may run at once.
        limit: u32,
        /// The executor that runs it.
        executor: ExecutorId,
        /// The agent for nodes without one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        default_agent: Option<String>,
        /// The guarded tools, as named in the plan, that earlier versions of Baton allowed at level
        /// 2.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        trusted_tools: Vec<String>,
        /// The earlier run, with another version of the plan, whose results it inherits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        inherits: Option<RunId>,
        /// Permissions that a person granted for the plan in earlier runs.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        grants: Vec<Grant>,
        /// The node of another run that calls this one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        caller: Option<Arc<Caller>>,
        /// The effective settings at that time. Earlier versions of Baton wrote them into the plan.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        settings: Option<EffectiveSettings>,
        /// The rules for evaluating its nodes. Missing in histories of earlier versions of Baton.
        #[serde(default, skip_serializing_if = "Semantics::is_v1")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Semantics>"))]
        semantics: Semantics,
    },
    /// An executor took over the run: from another one, or at rest, when none had it.
    TakenOver {
        executor: ExecutorId,
        /// From now on, only writes with this epoch count.
        epoch: Epoch,
        /// What it found. Missing for runs at rest and in histories of earlier versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<TakeoverRecord>"))]
        record: Option<Box<TakeoverRecord>>,
    },
    /// The executor was silent for too long and is back. It still owns the run.
    ExecutorReturned {
        /// The time of its last sign of life.
        since: Timestamp,
        /// How long it was silent, in milliseconds.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        silence_ms: u64,
    },
    /// After a takeover, the criteria of an inherited node were checked again.
    InheritedChecked {
        node: NodeId,
        /// The attempt that did the work.
        attempt: Attempt,
        /// The epoch of the takeover that requested the check.
        epoch: Epoch,
        /// The result for each criterion.
        checks: Vec<InheritedCheck>,
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        took_ms: u64,
    },
    /// A person changed which nodes should run.
    GoalSet { goal: Goal },
    /// A person requested a pause.
    PauseRequested {
        /// Whether running nodes are stopped and start again on resume.
        stop_running: bool,
    },
    /// Nothing is running any more.
    Paused {
        /// Whether the goal was reached.
        goal_reached: bool,
    },
    /// A person resumed the run.
    Resumed,
    /// A person requested cancellation.
    CancelRequested,
    /// The run exceeded its plan's time limit.
    TimeUp {
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        limit_ms: u64,
    },
    /// All processes are gone.
    Cancelled,
    /// Every wanted node is done or skipped.
    Completed,
    /// The run could not be completed.
    Failed {
        /// The nodes and reasons.
        message: String,
        /// The plan that has to run now, by its title or ID.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        handler: Option<String>,
    },
    /// The plan that had to run after the failure was started, or could not be.
    HandlerDecided { outcome: HandlerOutcome },
    /// No node can continue without a person.
    Stalled {
        /// The nodes, and what they need.
        message: String,
    },
    /// The failed run was automatically restarted from its failed nodes.
    PlanRetried {
        /// The number of the automatic restart, from 1.
        retry: u32,
        failed: Vec<NodeId>,
        /// The nodes that ran after them and run again.
        again: Vec<NodeId>,
        /// When the failed nodes start.
        due: Timestamp,
    },
    /// A new version of the plan is being created for the run.
    ReplanBegun { proposal: ProposalId },
    /// Replanning has ended, and the run returns to its previous state.
    ReplanEnded {
        proposal: ProposalId,
        end: ReplanEnd,
    },
    /// A slot was reserved for an attempt. From now on the attempt belongs to exactly this session.
    NodeReserved {
        node: NodeId,
        attempt: Attempt,
        session: SessionId,
        /// The session to resume, if it does not start from the beginning.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        resumes: Option<SessionId>,
        /// The agent and the reason. Missing in histories before format 5.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        choice: Option<AgentChoice>,
        /// The pending request to choose an agent before the session starts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        asks: Option<SelectionRequest>,
    },
    /// The selection request for a reserved attempt was answered, or failed.
    NodeAssigned {
        node: NodeId,
        attempt: Attempt,
        /// The agent and the reason.
        choice: AgentChoice,
    },
    /// The node is next in line, but others hold what it needs. It stays pending and takes no slot.
    NodeHeldBack {
        node: NodeId,
        /// What it waits for.
        by: Obstacle,
    },
    /// Every possible agent is at its usage limit. No attempt has begun.
    NodeParked {
        node: NodeId,
        /// When the first limit resets.
        until: Timestamp,
    },
    /// The run no longer waits for the usage limit that ended an attempt. The next attempt may use
    /// another agent.
    NodePassedOn { node: NodeId },
    /// A reserved attempt was withdrawn before its session started. It does not count as an
    /// attempt.
    NodeWithdrawn { node: NodeId, attempt: Attempt },
    /// The session of an attempt is live.
    NodeStarted {
        node: NodeId,
        attempt: Attempt,
        /// The ID of the snapshot of the files before the attempt.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        checkpoint: Option<String>,
    },
    /// A node needs a person's approval to start.
    NodeHeld {
        node: NodeId,
        /// The question, for people.
        question: String,
    },
    /// A person approved or rejected the start of a node.
    NodeReleased {
        node: NodeId,
        /// Whether the node may start.
        allow: bool,
    },
    /// A person was asked a question. Nothing runs while the node waits.
    InputAsked {
        node: NodeId,
        attempt: Attempt,
        /// The question, with templates expanded.
        question: String,
        /// When the node fails without an answer.
        due: Option<Timestamp>,
    },
    /// A person answered the question of a question node.
    InputGiven {
        node: NodeId,
        attempt: Attempt,
        value: String,
        /// The handoff that contains it.
        artifact: Option<ArtifactId>,
    },
    /// A session has produced no output for too long.
    NodeSilent { node: NodeId, attempt: Attempt },
    /// A silent session produces output again.
    NodeHeard { node: NodeId, attempt: Attempt },
    /// A session's usage so far. Only recorded if a budget requires it.
    NodeUsed {
        node: NodeId,
        attempt: Attempt,
        /// Since the attempt began.
        spent: BudgetUsage,
    },
    /// The nodes used up their budget.
    BudgetSpent {
        /// Which budget, and how much was used.
        detail: String,
    },
    /// A checkpoint of the run was created.
    CheckpointMade {
        /// The name that a person gave it.
        name: String,
        /// Arbitrary data from the person.
        data: serde_json::Value,
        /// The ID of the snapshot of the files, if the directory is a git repository.
        files: Option<String>,
    },
    /// The run was rolled back to a checkpoint.
    RolledBack {
        /// The index among the run's checkpoints, from 0.
        checkpoint: u32,
        /// Whether the files were restored too.
        files: bool,
    },
    /// The evidence contradicts the handoff, or a criterion is not met.
    NodeUnverified {
        node: NodeId,
        attempt: Attempt,
        /// The reason, as a fragment for people.
        doubt: String,
    },
    /// A person accepted the unverified work.
    NodeAccepted { node: NodeId },
    /// Git settings or files were restored to their state before an attempt.
    GitRestored {
        node: NodeId,
        attempt: Attempt,
        /// The restored changes, by index in the attempt's evidence, from 0.
        changes: Vec<u32>,
    },
    /// A person pinned what a child receives over one edge. Applies to every later attempt.
    HandoffPinned {
        parent: NodeId,
        child: NodeId,
        /// The text in Markdown.
        text: String,
        /// The handoff that the text was based on.
        artifact: Option<ArtifactId>,
    },
    /// A pin was removed, so the child receives the parent's handoff again.
    HandoffUnpinned { parent: NodeId, child: NodeId },
    /// A person edited a handoff.
    ArtifactEdited {
        /// The node that wrote it.
        node: NodeId,
        /// The handoff that applies from now on.
        artifact: ArtifactId,
    },
    /// A person marked the node as failed.
    NodeMarkedFailed { node: NodeId },
    /// A person stopped one node's session. The run continues.
    NodeStopRequested {
        node: NodeId,
        attempt: Attempt,
        /// What happens to the node if its session ends without success.
        then: AfterStop,
    },
    /// A session asked a person.
    NodeAsked {
        node: NodeId,
        attempt: Attempt,
        /// The question, for people.
        question: String,
        /// The ID that the answer refers to.
        request: String,
        /// The call that the question is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<RequestedToolCall>,
    },
    /// The work of the node's parents can't be merged, and a person is asked. Nothing runs while
    /// the node waits.
    NodeConflicted { node: NodeId, conflict: Conflict },
    /// A person decided how to resolve the conflict.
    MergeDecided {
        node: NodeId,
        resolution: Resolution,
    },
    /// The session of an agent that resolves the conflict has ended. The node's own work has not
    /// started.
    MergeTried {
        node: NodeId,
        /// The attempt it ran in.
        attempt: Attempt,
        /// How it ended. Also a failure if the conflict remains.
        outcome: Outcome,
    },
    /// A question was withdrawn without an answer.
    NodeUnasked {
        node: NodeId,
        attempt: Attempt,
        /// The ID of the question.
        request: String,
    },
    /// A question was answered. Before format 5, also recorded as a no for a withdrawn question.
    NodeAnswered {
        node: NodeId,
        attempt: Attempt,
        /// The ID of the question.
        request: String,
        #[serde(alias = "allow")]
        answer: Answer,
        #[serde(default, skip_serializing_if = "AnsweredBy::is_person")]
        by: AnsweredBy,
    },
    /// A person granted permission for more than one call. It applies to all attempts, and after a
    /// takeover.
    Granted {
        grant: Grant,
        /// The node it applies to; `None` for all nodes and all later runs of the plan.
        of: Option<NodeId>,
        /// The node whose session asked. A plan-wide permission ends with a version that changes
        /// this node.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional = nullable))]
        given_in: Option<NodeId>,
    },
    /// A person revoked such a permission.
    GrantRevoked {
        grant: Grant,
        /// The node it applied to; `None` for all nodes.
        of: Option<NodeId>,
    },
    /// A session made a call of a tool outside of the node's list, or was refused one.
    ToolOutside {
        node: NodeId,
        call: UnlistedToolCall,
    },
    /// An attempt ended, and all its processes are gone.
    NodeEnded {
        node: NodeId,
        attempt: Attempt,
        outcome: Outcome,
        /// The ID of its handoff.
        artifact: Option<ArtifactId>,
        /// When the next attempt is due, if there is a retry.
        retry_at: Option<Timestamp>,
        /// The branch that a condition took.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        taken: Option<bool>,
    },
    /// A retry is due.
    NodeRetryDue { node: NodeId },
    /// A person reset nodes to the beginning. Their earlier attempts are kept.
    NodesReset {
        nodes: Vec<NodeId>,
        /// Whether they resume their sessions instead of starting from the beginning.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        resume: bool,
    },
    /// A person continued the session of a node.
    NodeContinued {
        node: NodeId,
        /// The message to the agent.
        message: String,
    },
    /// A person skipped a node.
    NodeSkipped { node: NodeId },
    /// The earlier run finished the node, and none of its dependencies has changed since. It counts
    /// as done.
    NodeInherited {
        node: NodeId,
        /// The handoff from that run.
        artifact: Option<ArtifactId>,
        /// The branch that a condition took in that run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        taken: Option<bool>,
    },
    /// The run uses the node's pinned output. It counts as done and never starts a session.
    NodePinned {
        node: NodeId,
        /// The copy of the pinned output in this run.
        artifact: ArtifactId,
        /// Where the output came from.
        origin: PinOrigin,
    },
    /// The node is left out of the run, because only pinned nodes need it.
    NodeLeftOut { node: NodeId },
    /// A person marked the node as done.
    NodeMarkedDone {
        node: NodeId,
        /// A handoff that the person wrote.
        artifact: Option<ArtifactId>,
    },
}

impl Event {
    /// The node that the event is about, if there is exactly one.
    #[must_use]
    pub fn node(&self) -> Option<NodeId> {
        match self {
            Self::NodeReserved { node, .. }
            | Self::NodeAssigned { node, .. }
            | Self::NodeHeldBack { node, .. }
            | Self::NodeParked { node, .. }
            | Self::NodePassedOn { node }
            | Self::NodeWithdrawn { node, .. }
            | Self::NodeStarted { node, .. }
            | Self::NodeAsked { node, .. }
            | Self::NodeAnswered { node, .. }
            | Self::NodeUnasked { node, .. }
            | Self::ToolOutside { node, .. }
            | Self::NodeEnded { node, .. }
            | Self::NodeRetryDue { node }
            | Self::NodeContinued { node, .. }
            | Self::NodeSkipped { node }
            | Self::NodeHeld { node, .. }
            | Self::NodeReleased { node, .. }
            | Self::InputAsked { node, .. }
            | Self::InputGiven { node, .. }
            | Self::NodeSilent { node, .. }
            | Self::NodeHeard { node, .. }
            | Self::NodeUsed { node, .. }
            | Self::NodeUnverified { node, .. }
            | Self::InheritedChecked { node, .. }
            | Self::NodeAccepted { node }
            | Self::GitRestored { node, .. }
            | Self::HandoffPinned { child: node, .. }
            | Self::HandoffUnpinned { child: node, .. }
            | Self::ArtifactEdited { node, .. }
            | Self::NodeMarkedFailed { node }
            | Self::NodeStopRequested { node, .. }
            | Self::NodeConflicted { node, .. }
            | Self::MergeDecided { node, .. }
            | Self::MergeTried { node, .. }
            | Self::NodeInherited { node, .. }
            | Self::NodePinned { node, .. }
            | Self::NodeLeftOut { node }
            | Self::NodeMarkedDone { node, .. } => Some(*node),
            Self::NodesReset { nodes, .. } => match nodes.as_slice() {
                [node] => Some(*node),
                _ => None,
            },
            Self::Granted { of, .. } | Self::GrantRevoked { of, .. } => *of,
            Self::Started { .. }
            | Self::TakenOver { .. }
            | Self::ExecutorReturned { .. }
            | Self::GoalSet { .. }
            | Self::PauseRequested { .. }
            | Self::Paused { .. }
            | Self::Resumed
            | Self::CancelRequested
            | Self::TimeUp { .. }
            | Self::BudgetSpent { .. }
            | Self::CheckpointMade { .. }
            | Self::RolledBack { .. }
            | Self::Cancelled
            | Self::Completed
            | Self::Failed { .. }
            | Self::HandlerDecided { .. }
            | Self::PlanRetried { .. }
            | Self::ReplanBegun { .. }
            | Self::ReplanEnded { .. }
            | Self::Stalled { .. } => None,
        }
    }
}

/// The nodes that a run should finish.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "want", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Goal {
    All,
    /// These nodes. The caller has added the ancestors they need.
    Only {
        nodes: Vec<NodeId>,
    },
}
