//! Commands to a run: requests from people, and reports from the executor.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::answer::{Answer, RequestedToolCall, UnlistedToolCall};
use super::caller::Caller;
use super::error_handler::HandlerOutcome;
use super::event::Goal;
use super::inheritance::Inheritance;
use super::inherited_check::InheritedCheck;
use super::merge::{Conflict, Resolution};
use super::pinned_output::PinnedNode;
use super::replan::ReplanEnd;
use super::state::BudgetUsage;
use super::takeover::TakeoverRecord;
use crate::arbiter::AgentChoice;
use crate::command_prefix::PrefixError;
use crate::evidence::UnverifiedReason;
use crate::{
    ArtifactId, Attempt, Epoch, ExecutorId, Grant, NodeId, Outcome, ProposalId, Timestamp,
};

/// A request or a report. [`Run::step`](super::Run::step) decides whether it is accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "command",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Command {
    /// Start. Only possible for a run without a history.
    Start {
        /// The version of the plan.
        version: u32,
        /// The nodes that should run.
        goal: Goal,
        /// How many nodes may run at once; `None` uses the plan's setting.
        limit: Option<u32>,
        /// The executor that runs it.
        executor: ExecutorId,
        /// The agent for nodes without one.
        #[serde(default)]
        default_agent: Option<String>,
        /// Results to inherit from an earlier run.
        #[serde(default)]
        inherits: Option<Inheritance>,
        /// Permissions that a person granted for the plan in earlier runs.
        #[serde(default)]
        grants: Vec<Grant>,
        /// The node of another run that calls this one.
        #[serde(default)]
        caller: Option<Arc<Caller>>,
        /// The nodes that use their pinned output.
        #[serde(default)]
        pinned: Vec<PinnedNode>,
    },
    /// Continue the run under a new epoch.
    TakeOver {
        executor: ExecutorId,
        /// Must be greater than the run's current epoch.
        epoch: Epoch,
        /// What it found, if the run was running under another executor.
        #[serde(default)]
        record: Option<Box<TakeoverRecord>>,
    },
    /// Start no further nodes.
    Pause {
        /// Also stop running nodes. They start again on resume.
        stop_running: bool,
    },
    /// Resume a paused or stalled run, or cancel a pause. A run that reached its goal continues
    /// with the remaining nodes. A run that has ended continues when one of its nodes is retried or
    /// rerun.
    Resume,
    /// Cancel the run and stop all its processes.
    Cancel,
    /// Record that a new version of the plan is being created. Only possible for a failed or
    /// stalled run.
    BeginReplan { proposal: ProposalId },
    /// Record that replanning has ended.
    EndReplan {
        proposal: ProposalId,
        end: ReplanEnd,
    },
    /// Record what became of the error handler.
    DecideHandler {
        /// The number of the event by which the run failed.
        end: u64,
        outcome: HandlerOutcome,
    },
    /// Change the goal and continue.
    Want {
        goal: Goal,
        /// Nodes that the caller saw finished. Refused if one of them isn't any more, because it
        /// would run again.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        finished: Vec<NodeId>,
    },
    /// Retry a node that failed, was interrupted or was skipped.
    RetryNode {
        node: NodeId,
        /// Resume its previous session.
        #[serde(default)]
        resume: bool,
    },
    /// Rerun one node only. Finished nodes that depend on it become stale.
    RerunNode { node: NodeId },
    /// Continue the session of a node that has ended with a message. Finished nodes that depend on
    /// it become stale.
    ContinueNode {
        node: NodeId,
        /// The message to the agent.
        message: String,
    },
    /// Rerun every stale node and nothing else.
    RerunStale,
    /// Rerun every node that failed or was interrupted.
    RerunFailed,
    /// Approve or reject the start of a node that waits for approval.
    Approve {
        node: NodeId,
        /// Whether the node may start.
        allow: bool,
    },
    /// Answer the question of a question node.
    GiveInput { node: NodeId, value: String },
    /// Resolve the merge conflict that a node waits for.
    Merge {
        node: NodeId,
        /// How to resolve it.
        resolution: Resolution,
    },
    /// Mark a node with a lost attempt as failed.
    MarkFailed { node: NodeId },
    /// Accept a node's work although it is unverified.
    Accept { node: NodeId },
    /// Record that git settings or files were restored to their state before an attempt.
    NoteGitRestored {
        node: NodeId,
        attempt: Attempt,
        /// The restored changes, by index in the attempt's evidence, from 0.
        changes: Vec<u32>,
    },
    /// Pin what a child receives over one edge.
    PinHandoff {
        parent: NodeId,
        child: NodeId,
        /// The text in Markdown.
        text: String,
        /// The handoff that the text was based on.
        artifact: Option<ArtifactId>,
    },
    /// Remove a pin, so the child receives its parent's handoff again.
    UnpinHandoff { parent: NodeId, child: NodeId },
    /// Edit the handoff of a finished node. The handoff itself is passed separately.
    EditArtifact { node: NodeId, text: String },
    /// Create a checkpoint of the run.
    Checkpoint {
        /// The name that a person gave it.
        name: String,
        /// Arbitrary data from the person.
        #[serde(default)]
        data: serde_json::Value,
        /// The ID of the snapshot of the files, if the caller made one.
        #[serde(default)]
        files: Option<String>,
    },
    /// Roll the run back to a checkpoint. Nothing may be running. The caller has restored the
    /// files, if requested.
    Rollback {
        /// The index among the run's checkpoints, from 0.
        checkpoint: u32,
        /// Whether the files were restored.
        #[serde(default)]
        files: bool,
    },
    /// Rerun a node and everything that depends on it.
    RerunFrom { node: NodeId },
    /// Stop the session of one node. The node is interrupted, and the run continues.
    StopNode { node: NodeId },
    /// Skip a node. Nodes that depend on it run without its handoff.
    SkipNode {
        node: NodeId,
        /// Stop its session first. Without this, a running node is not skipped.
        #[serde(default)]
        stop: bool,
    },
    /// Mark a node as done without running it.
    MarkDone {
        node: NodeId,
        /// A handoff that the person wrote; empty for none.
        handoff: String,
        /// Stop its session first. Without this, a running node is not marked.
        #[serde(default)]
        stop: bool,
    },
    /// Answer a session's question.
    Answer {
        node: NodeId,
        /// The ID of the question.
        request: String,
        #[serde(alias = "allow")]
        answer: Answer,
    },
    /// Revoke a permission that covered more than one call. Calls already running are not affected.
    Revoke {
        grant: Grant,
        /// The node it was granted to; `None` for the whole plan.
        of: Option<NodeId>,
    },
    /// Report: the selection request for an attempt was answered, or failed.
    AgentChosen {
        node: NodeId,
        attempt: Attempt,
        /// The agent and the reason.
        choice: AgentChoice,
    },
    /// Report: the session is live.
    SessionStarted {
        node: NodeId,
        attempt: Attempt,
        /// The ID of the snapshot of the files before the attempt.
        #[serde(default)]
        checkpoint: Option<String>,
    },
    /// Report: the session has produced no output for too long, or produces output again.
    SessionSilent {
        node: NodeId,
        attempt: Attempt,
        silent: bool,
    },
    /// Report: the session's usage so far.
    SessionUsed {
        node: NodeId,
        attempt: Attempt,
        spent: BudgetUsage,
    },
    /// Report: the session will not start.
    SessionWithdrawn { node: NodeId, attempt: Attempt },
    /// Report: the session asks a person.
    SessionAsked {
        node: NodeId,
        attempt: Attempt,
        /// The question, for people.
        question: String,
        /// The ID that the answer refers to.
        request: String,
        /// The call that the question is about.
        #[serde(default)]
        call: Option<RequestedToolCall>,
    },
    /// Report: the session withdrew its question.
    SessionUnasked {
        node: NodeId,
        attempt: Attempt,
        /// The ID of the question.
        request: String,
    },
    /// Report: the session made a call of a tool outside of the node's list, or was refused one.
    SessionOutside {
        node: NodeId,
        call: UnlistedToolCall,
    },
    /// Report: the session has ended, and all its processes are gone.
    SessionEnded {
        node: NodeId,
        attempt: Attempt,
        outcome: Outcome,
        /// The ID of its handoff.
        artifact: Option<ArtifactId>,
        /// The branch that a condition took.
        #[serde(default)]
        taken: Option<bool>,
        /// Why the work of a successful attempt is unverified.
        #[serde(default)]
        doubt: Option<UnverifiedReason>,
    },
    /// Report: the session will not start, because the work of the parents can't be merged.
    SessionConflicted {
        node: NodeId,
        attempt: Attempt,
        conflict: Conflict,
    },
    /// Report: the session that resolves a conflict has ended, and all its processes are gone.
    SessionMerged {
        node: NodeId,
        attempt: Attempt,
        outcome: Outcome,
    },
    /// Report: the executor was silent for too long, but still owns the run.
    ExecutorReturned {
        /// The time of its last sign of life.
        since: Timestamp,
        /// How long it was silent, in milliseconds.
        silence_ms: u64,
    },
    /// Report: the criteria of an inherited node were checked again, or can't be.
    InheritedChecked {
        node: NodeId,
        /// The attempt that did the work.
        attempt: Attempt,
        /// The epoch of the takeover that requested the check.
        epoch: Epoch,
        /// The result for each criterion.
        checks: Vec<InheritedCheck>,
        took_ms: u64,
    },
    /// Report: permits that nodes of this run may be waiting for were released, see
    /// [`Permits`](super::Permits).
    PermitsFreed,
    /// Report: the plan's time limit for the whole run is reached.
    TimeUp,
    /// Report: a retry is due, or an answer is overdue.
    Due { node: NodeId },
}

impl Command {
    /// The node that the command is about, if there is exactly one.
    #[must_use]
    pub fn node(&self) -> Option<NodeId> {
        match self {
            Self::RetryNode { node, .. }
            | Self::RerunNode { node }
            | Self::ContinueNode { node, .. }
            | Self::RerunFrom { node }
            | Self::StopNode { node }
            | Self::SkipNode { node, .. }
            | Self::MarkDone { node, .. }
            | Self::MarkFailed { node }
            | Self::EditArtifact { node, .. }
            | Self::Accept { node }
            | Self::NoteGitRestored { node, .. }
            | Self::PinHandoff { child: node, .. }
            | Self::UnpinHandoff { child: node, .. }
            | Self::Approve { node, .. }
            | Self::GiveInput { node, .. }
            | Self::Answer { node, .. }
            | Self::AgentChosen { node, .. }
            | Self::SessionStarted { node, .. }
            | Self::SessionWithdrawn { node, .. }
            | Self::SessionAsked { node, .. }
            | Self::SessionUnasked { node, .. }
            | Self::SessionOutside { node, .. }
            | Self::SessionSilent { node, .. }
            | Self::SessionUsed { node, .. }
            | Self::SessionConflicted { node, .. }
            | Self::SessionMerged { node, .. }
            | Self::Merge { node, .. }
            | Self::SessionEnded { node, .. }
            | Self::InheritedChecked { node, .. }
            | Self::Due { node } => Some(*node),
            Self::Revoke { of, .. } => *of,
            Self::Start { .. }
            | Self::TakeOver { .. }
            | Self::ExecutorReturned { .. }
            | Self::Pause { .. }
            | Self::Resume
            | Self::Cancel
            | Self::BeginReplan { .. }
            | Self::EndReplan { .. }
            | Self::DecideHandler { .. }
            | Self::Want { .. }
            | Self::RerunStale
            | Self::RerunFailed
            | Self::Checkpoint { .. }
            | Self::Rollback { .. }
            | Self::PermitsFreed
            | Self::TimeUp => None,
        }
    }
}

/// Why a command was refused. Nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Refusal {
    /// The run's state does not allow it.
    #[error("the run {state}, so it can't be {action}")]
    RunState {
        /// The state as a predicate: "is paused".
        state: &'static str,
        /// The request as a participle: "paused".
        action: &'static str,
    },
    /// The node's state does not allow it.
    #[error("'{title}' {state}, so it can't be {action}")]
    NodeState {
        title: String,
        /// The state as a predicate: "is done".
        state: &'static str,
        /// The request as a participle: "retried".
        action: &'static str,
    },
    /// Another executor has taken over the run in the meantime.
    #[error("the run is already in epoch {current}, so it can't be taken over as epoch {offered}")]
    OldEpoch {
        /// The run's current epoch.
        current: u32,
        /// The epoch of the request.
        offered: u32,
    },
    /// The run has no such node.
    #[error("the run has no node {0}")]
    UnknownNode(NodeId),
    /// The question was already answered, or was withdrawn with its session.
    #[error("'{title}' no longer asks this question")]
    NotAsked { title: String },
    /// The command prefix can't be allowed.
    #[error(transparent)]
    Prefix(PrefixError),
    /// No agent has worked on the node in this run, or it can't be continued.
    #[error("'{title}' has no agent session to continue")]
    NoConversation { title: String },
    /// The message is empty or too long.
    #[error("the message to '{title}' must have 1 to {limit} bytes, not {bytes}")]
    WrongMessage {
        title: String,
        bytes: usize,
        limit: usize,
    },
    /// There is no edge between the two nodes.
    #[error("no edge leads from '{parent}' to '{child}'")]
    NoEdge {
        /// The title of the parent.
        parent: String,
        /// The title of the child.
        child: String,
    },
    /// The pinned text is too long.
    #[error("the pinned text has {bytes} bytes; the limit is {limit}")]
    PinTooLong { bytes: usize, limit: usize },
    /// The node uses its pinned output in this run.
    #[error("'{title}' uses its pinned output in this run; start an ordinary run to run it")]
    UsesPinnedOutput { title: String },
    /// The answer is not valid for the question.
    #[error("'{title}' expects {expected}, not '{found}'")]
    WrongAnswer {
        title: String,
        /// A description of the valid answers.
        expected: String,
        found: String,
    },
    /// The run has no such checkpoint.
    #[error("the run has no checkpoint {number} (it has {count})")]
    NoCheckpoint {
        /// The requested number, from 0.
        number: u32,
        /// How many checkpoints there are.
        count: u32,
    },
    /// Some nodes are still running.
    #[error("still running: {names}; pause the run and wait for them to stop")]
    StillRunning {
        /// The titles of the running nodes, separated by commas.
        names: String,
    },
    /// The report is about an attempt that has already ended or was replaced, and is ignored.
    #[error("attempt {attempt} of '{title}' has already ended")]
    Late { title: String, attempt: Attempt },
}
