//! What happened in a run. Facts in the past tense, append-only: the state of a run is the fold of these.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::answer::{Answer, AnsweredBy, AskedCall, OutsideCall};
use super::caller::Caller;
use super::inherited_check::InheritedCheck;
use super::merge::{Conflict, Resolution};
use super::permits::Obstacle;
use super::replan::ReplanEnd;
use super::semantics::Semantics;
use super::state::Spent;
use super::stop::AfterStop;
use super::takeover::TakeoverRecord;
use crate::arbiter::{Asking, Choice};
use crate::plan::EffectiveSettings;
use crate::{
    ArtifactId, Attempt, Epoch, ExecutorId, Grant, NodeId, Outcome, PlanId, ProposalId, RunId,
    SessionId, Timestamp,
};

/// One fact of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(
    tag = "event",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Event {
    /// The run began.
    Started {
        /// The plan.
        plan: PlanId,
        /// The version of it that is executed.
        version: u32,
        /// Which nodes are wanted.
        goal: Goal,
        /// How many nodes may run at once.
        limit: u32,
        /// Who executes.
        executor: ExecutorId,
        /// The agent of nodes that name none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        default_agent: Option<String>,
        /// The guarded tools, as the plan names them, that earlier versions of Baton let run at level 2.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        trusted_tools: Vec<String>,
        /// The earlier run that it goes on from, with another version of the plan.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        inherits: Option<RunId>,
        /// What a person allowed for the plan in earlier runs.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        grants: Vec<Grant>,
        /// What it got from the node of another run for which it stands.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        caller: Option<Arc<Caller>>,
        /// What it keeps to, by the plan and by the settings of that moment; earlier versions of Baton wrote it into the plan.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        settings: Option<EffectiveSettings>,
        /// How the ends of its nodes are judged; histories of earlier versions of Baton say nothing.
        #[serde(default, skip_serializing_if = "Semantics::is_v1")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Semantics>"))]
        semantics: Semantics,
    },
    /// Another executor went on with the run.
    TakenOver {
        /// The new one.
        executor: ExecutorId,
        /// From now on the only epoch whose writes count.
        epoch: Epoch,
        /// What it found. Histories of earlier versions do not tell, and of a run at rest there is nothing to tell.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<TakeoverRecord>"))]
        record: Option<Box<TakeoverRecord>>,
    },
    /// The executor had said nothing for longer than it should, and is back. The run stayed its own.
    ExecutorReturned {
        /// Its last word before.
        since: Timestamp,
        /// For how long it had said nothing, in milliseconds.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        silence_ms: u64,
    },
    /// After a takeover, the criteria of an inherited node were looked at again.
    InheritedChecked {
        /// The node.
        node: NodeId,
        /// The attempt that did it.
        attempt: Attempt,
        /// The takeover that asked for it.
        epoch: Epoch,
        /// What came of each.
        checks: Vec<InheritedCheck>,
        /// How long it took, in milliseconds.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        took_ms: u64,
    },
    /// Other nodes are wanted than before.
    GoalSet {
        /// Which.
        goal: Goal,
    },
    /// A person asked for a pause.
    PauseRequested {
        /// What runs is stopped, and started again on resume.
        stop_running: bool,
    },
    /// Nothing runs any more.
    Paused {
        /// All that was wanted is done.
        goal_reached: bool,
    },
    /// A person let it go on.
    Resumed,
    /// A person asked for the end.
    CancelRequested,
    /// The run took longer than its plan allows.
    TimeUp {
        /// The limit, in milliseconds.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        limit_ms: u64,
    },
    /// Every process is gone.
    Cancelled,
    /// Every wanted node is done or skipped.
    Completed,
    /// It could not be completed.
    Failed {
        /// Which nodes, and why.
        message: String,
    },
    /// No node can go on without a person.
    Stalled {
        /// Which nodes, and what they need.
        message: String,
    },
    /// The run failed and starts again from its failed nodes by itself.
    PlanRetried {
        /// Which of the retries that the plan allows, from 1.
        retry: u32,
        /// The failed nodes.
        failed: Vec<NodeId>,
        /// What ran after them and runs again.
        again: Vec<NodeId>,
        /// When the failed nodes start.
        due: Timestamp,
    },
    /// A new version of the plan is being made for the run.
    ReplanBegun {
        /// The proposal.
        proposal: ProposalId,
    },
    /// Nobody works on a new version any more: the run is what it was.
    ReplanEnded {
        /// The proposal.
        proposal: ProposalId,
        /// How.
        end: ReplanEnd,
    },
    /// A place was set aside for an attempt. From here on the attempt belongs to exactly this session.
    NodeReserved {
        /// The node.
        node: NodeId,
        /// The number of the attempt.
        attempt: Attempt,
        /// Its session.
        session: SessionId,
        /// The session that it goes on with, if it does not start from the beginning.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        resumes: Option<SessionId>,
        /// The agent that does it, and why. In histories before format 5 it is not told.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        choice: Option<Choice>,
        /// Who is to be asked for the agent before the session starts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        asks: Option<Asking>,
    },
    /// Whoever was asked for the agent of a reserved attempt has answered, or cannot.
    NodeAssigned {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
        /// The agent that does it, and why.
        choice: Choice,
    },
    /// The node would be next, and others hold what it needs. It stays pending and takes no place.
    NodeHeldBack {
        /// The node.
        node: NodeId,
        /// What is in the way.
        by: Obstacle,
    },
    /// Every agent that may do the node is at its usage limit; nothing has begun.
    NodeParked {
        /// The node.
        node: NodeId,
        /// When the first limit is lifted.
        until: Timestamp,
    },
    /// An attempt that ended at a usage limit is not waited for: the next one may be another agent's.
    NodePassedOn {
        /// The node.
        node: NodeId,
    },
    /// A reserved attempt was given up before its session started. It does not count as an attempt.
    NodeWithdrawn {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
    },
    /// The session of an attempt lives.
    NodeStarted {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
        /// The snapshot of the files from before it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        checkpoint: Option<String>,
    },
    /// A node may not start before a person gives leave.
    NodeHeld {
        /// The node.
        node: NodeId,
        /// What is asked, for people.
        question: String,
    },
    /// A person gave leave to start a node, or refused.
    NodeReleased {
        /// The node.
        node: NodeId,
        /// Leave or refusal.
        allow: bool,
    },
    /// A question was put to a person; nothing runs meanwhile.
    InputAsked {
        /// The node.
        node: NodeId,
        /// The number of the attempt.
        attempt: Attempt,
        /// The question, with its templates filled in.
        question: String,
        /// When the node fails if nobody has answered.
        due: Option<Timestamp>,
    },
    /// A person answered.
    InputGiven {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
        /// The words.
        value: String,
        /// The handoff that carries them.
        artifact: Option<ArtifactId>,
    },
    /// A session has said nothing for longer than it should.
    NodeSilent {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
    },
    /// A session that was silent speaks again.
    NodeHeard {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
    },
    /// A session has used this much so far. Kept only where a budget asks for it.
    NodeUsed {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
        /// How much, since the attempt began.
        spent: Spent,
    },
    /// The nodes used up what the plan gives them.
    BudgetSpent {
        /// Which budget, and how much.
        detail: String,
    },
    /// The state of the run was kept, so that it can be taken back to it.
    CheckpointMade {
        /// What a person calls it.
        name: String,
        /// Whatever the person wants to keep with it.
        data: serde_json::Value,
        /// The snapshot of the files, when the directory is a git repository.
        files: Option<String>,
    },
    /// The run was taken back to a checkpoint.
    RolledBack {
        /// Which: its place among the checkpoints of this run, from 0.
        checkpoint: u32,
        /// The files were taken back as well.
        files: bool,
    },
    /// What is known of an attempt speaks against what its handoff claims, or a criterion is not met.
    NodeUnverified {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
        /// What speaks against it, as a fragment for people.
        doubt: String,
    },
    /// A person looked at the evidence and takes the work as it is.
    NodeAccepted {
        /// The node.
        node: NodeId,
    },
    /// What git runs in a repository was put back as it was before an attempt.
    GitRestored {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
        /// Which changes: their places in the attempt's evidence, from 0.
        changes: Vec<u32>,
    },
    /// A person settled what a child receives over one edge. It holds for every attempt from now on.
    HandoffPinned {
        /// The parent.
        parent: NodeId,
        /// The child.
        child: NodeId,
        /// The text, Markdown.
        text: String,
        /// The handoff from which the person started.
        artifact: Option<ArtifactId>,
    },
    /// The child receives the parent's handoff again.
    HandoffUnpinned {
        /// The parent.
        parent: NodeId,
        /// The child.
        child: NodeId,
    },
    /// A person changed a handoff.
    ArtifactEdited {
        /// The node that left it.
        node: NodeId,
        /// The handoff that counts from now on.
        artifact: ArtifactId,
    },
    /// A person says that the work failed.
    NodeMarkedFailed {
        /// The node.
        node: NodeId,
    },
    /// A person asked for the end of one node's session. The run goes on.
    NodeStopRequested {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
        /// What happens to the node when its session has ended without success.
        then: AfterStop,
    },
    /// A session asks a person.
    NodeAsked {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
        /// What is asked, for people.
        question: String,
        /// How the answer names it.
        request: String,
        /// The call that it is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<AskedCall>,
    },
    /// Work of the node's parents does not fit together, and a person is asked; nothing runs meanwhile.
    NodeConflicted {
        /// The node.
        node: NodeId,
        /// What does not fit.
        conflict: Conflict,
    },
    /// A person said how the conflict is to be settled.
    MergeDecided {
        /// The node.
        node: NodeId,
        /// How.
        resolution: Resolution,
    },
    /// An agent that was to settle the conflict has ended. The node's own work has not begun.
    MergeTried {
        /// The node.
        node: NodeId,
        /// The attempt in which it worked.
        attempt: Attempt,
        /// How it ended; a failure also when the conflict is still there.
        outcome: Outcome,
    },
    /// The question went away with nobody having answered.
    NodeUnasked {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
        /// The question.
        request: String,
    },
    /// A question was answered. In histories before format 5 also one that went away: as a no.
    NodeAnswered {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
        /// The question.
        request: String,
        /// What was said.
        #[serde(alias = "allow")]
        answer: Answer,
        /// By whom.
        #[serde(default, skip_serializing_if = "AnsweredBy::is_person")]
        by: AnsweredBy,
    },
    /// A person gave leave for more than one call. It holds for all attempts, and after a takeover.
    Granted {
        /// What for.
        grant: Grant,
        /// The node that has it; `None`: all nodes, and all later runs of the plan.
        of: Option<NodeId>,
        /// The node whose session had asked. Leave for the plan ends with a version that changes it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional = nullable))]
        given_in: Option<NodeId>,
    },
    /// A person took such leave back.
    GrantRevoked {
        /// What was allowed.
        grant: Grant,
        /// The node that had it; `None`: all.
        of: Option<NodeId>,
    },
    /// A session made, or was refused, a call of a tool that the node's list does not name.
    ToolOutside {
        /// The node.
        node: NodeId,
        /// The call.
        call: OutsideCall,
    },
    /// An attempt came to its end.
    NodeEnded {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
        /// How.
        outcome: Outcome,
        /// The handoff that it left.
        artifact: Option<ArtifactId>,
        /// When the next attempt is due, if the failure is to be tried again.
        retry_at: Option<Timestamp>,
        /// Which branch a condition took.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        taken: Option<bool>,
    },
    /// The time of a planned attempt has come.
    NodeRetryDue {
        /// The node.
        node: NodeId,
    },
    /// A person took nodes back to the beginning. Their earlier attempts are kept.
    NodesReset {
        /// Which.
        nodes: Vec<NodeId>,
        /// They go on with the sessions that they had, instead of starting from the beginning.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        resume: bool,
    },
    /// A person let the session of a node go on.
    NodeContinued {
        /// The node.
        node: NodeId,
        /// What was said.
        message: String,
    },
    /// A person skipped a node.
    NodeSkipped {
        /// The node.
        node: NodeId,
    },
    /// The earlier run has finished the node, and nothing that it builds on has changed since: it counts as done.
    NodeInherited {
        /// The node.
        node: NodeId,
        /// What it handed on then.
        artifact: Option<ArtifactId>,
        /// Which branch a condition took then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        taken: Option<bool>,
    },
    /// A person says that the work is done.
    NodeMarkedDone {
        /// The node.
        node: NodeId,
        /// A handoff written by hand.
        artifact: Option<ArtifactId>,
    },
}

impl Event {
    /// The node that the event is about, if it is about one.
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
            | Self::PlanRetried { .. }
            | Self::ReplanBegun { .. }
            | Self::ReplanEnded { .. }
            | Self::Stalled { .. } => None,
        }
    }
}

/// Which nodes a run is asked to bring to their end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "want", rename_all = "snake_case")]
pub enum Goal {
    /// All of them.
    All,
    /// These; the caller has added the ancestors they need.
    Only {
        /// Which.
        nodes: Vec<NodeId>,
    },
}
