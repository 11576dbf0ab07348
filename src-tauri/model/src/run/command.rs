//! What is wished of a run, by a person or by the executor that reports from the world.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::answer::{Answer, AskedCall, OutsideCall};
use super::caller::Caller;
use super::event::Goal;
use super::inheritance::Inheritance;
use super::inherited_check::InheritedCheck;
use super::merge::{Conflict, Resolution};
use super::replan::ReplanEnd;
use super::state::Spent;
use super::takeover::TakeoverRecord;
use crate::arbiter::Choice;
use crate::command_prefix::PrefixFault;
use crate::evidence::Doubt;
use crate::{
    ArtifactId, Attempt, Epoch, ExecutorId, Grant, NodeId, Outcome, ProposalId, Timestamp,
};

/// A wish or a report. Whether it is granted is for [`Run::step`](super::Run::step) to say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "command",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Command {
    /// Begin. Only a run that has no history can.
    Start {
        /// The version of the plan.
        version: u32,
        /// Which nodes are wanted.
        goal: Goal,
        /// How many may run at once; none: as the plan says.
        limit: Option<u32>,
        /// Who executes.
        executor: ExecutorId,
        /// The agent of nodes that name none.
        #[serde(default)]
        default_agent: Option<String>,
        /// What it takes over from an earlier run.
        #[serde(default)]
        inherits: Option<Inheritance>,
        /// What a person allowed for the plan in earlier runs.
        #[serde(default)]
        grants: Vec<Grant>,
        /// What it gets from the node of another run for which it stands.
        #[serde(default)]
        caller: Option<Arc<Caller>>,
    },
    /// Go on with the run under a new epoch.
    TakeOver {
        /// Who.
        executor: ExecutorId,
        /// The next epoch.
        epoch: Epoch,
        /// What it found, when the run was running and another one had it.
        #[serde(default)]
        record: Option<Box<TakeoverRecord>>,
    },
    /// Start nothing new.
    Pause {
        /// Also end what runs; it will be started again on resume.
        stop_running: bool,
    },
    /// Let a paused or stalled run go on, or call off a pause; one that has done what was asked for does the rest. A
    /// run that has ended goes on when a node of it is retried or run again.
    Resume,
    /// End the run and every process of it.
    Cancel,
    /// Note that a new version of the plan is being made. Only a failed or stalled run waits for one.
    BeginReplan {
        /// The proposal.
        proposal: ProposalId,
    },
    /// Note that nobody works on a new version any more.
    EndReplan {
        /// The proposal.
        proposal: ProposalId,
        /// How that came.
        end: ReplanEnd,
    },
    /// Want other nodes than before, and go on.
    Want {
        /// Which.
        goal: Goal,
    },
    /// Try a node again that failed, was interrupted or skipped.
    RetryNode {
        /// The node.
        node: NodeId,
        /// Go on with the session that it had.
        #[serde(default)]
        resume: bool,
    },
    /// Do one node again. Finished nodes below it become stale.
    RerunNode {
        /// The node.
        node: NodeId,
    },
    /// Let the session of a node that has ended go on with what a person says. Finished nodes below it become stale.
    ContinueNode {
        /// The node.
        node: NodeId,
        /// What is said.
        message: String,
    },
    /// Do every stale node again, and nothing else.
    RerunStale,
    /// Give leave to start a node that waits for it, or refuse.
    Approve {
        /// The node.
        node: NodeId,
        /// Leave or refusal.
        allow: bool,
    },
    /// Answer the question of a node that asks a person.
    GiveInput {
        /// The node.
        node: NodeId,
        /// The answer.
        value: String,
    },
    /// Settle the conflict for which a node waits.
    Merge {
        /// The node.
        node: NodeId,
        /// How.
        resolution: Resolution,
    },
    /// Take a node as failed whose attempt was lost.
    MarkFailed {
        /// The node.
        node: NodeId,
    },
    /// Take a node's work as it is, although it is not verified.
    Accept {
        /// The node.
        node: NodeId,
    },
    /// Note that what git runs was put back as it was before an attempt.
    NoteGitRestored {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
        /// Which changes: their places in the attempt's evidence, from 0.
        changes: Vec<u32>,
    },
    /// Settle what a child receives over one edge.
    PinHandoff {
        /// The parent.
        parent: NodeId,
        /// The child.
        child: NodeId,
        /// The text, Markdown.
        text: String,
        /// The handoff from which the person started.
        artifact: Option<ArtifactId>,
    },
    /// Let a child receive its parent's handoff again.
    UnpinHandoff {
        /// The parent.
        parent: NodeId,
        /// The child.
        child: NodeId,
    },
    /// Change what a finished node handed on. The handoff itself travels beside the command.
    EditArtifact {
        /// The node.
        node: NodeId,
        /// The new text.
        text: String,
    },
    /// Keep the state of the run, so that it can be taken back to it.
    Checkpoint {
        /// What a person calls it.
        name: String,
        /// Whatever the person wants to keep with it.
        #[serde(default)]
        data: serde_json::Value,
        /// The snapshot of the files, when the caller made one.
        #[serde(default)]
        files: Option<String>,
    },
    /// Take the run back to a checkpoint. Nothing may run meanwhile; the caller has taken back the files, if asked.
    Rollback {
        /// Which: its place among the checkpoints of this run, from 0.
        checkpoint: u32,
        /// Whether the files were taken back.
        #[serde(default)]
        files: bool,
    },
    /// Do a node and everything below it again.
    RerunFrom {
        /// The node.
        node: NodeId,
    },
    /// Stop the session of one node. The node is interrupted, and the run goes on.
    StopNode {
        /// The node.
        node: NodeId,
    },
    /// Go on without a node.
    SkipNode {
        /// The node.
        node: NodeId,
        /// Stop its session first. Otherwise a node that runs is not skipped.
        #[serde(default)]
        stop: bool,
    },
    /// Take a node as done without running it.
    MarkDone {
        /// The node.
        node: NodeId,
        /// A handoff written by hand; empty: none.
        handoff: String,
        /// Stop its session first. Otherwise a node that runs is not marked.
        #[serde(default)]
        stop: bool,
    },
    /// Answer a session's question.
    Answer {
        /// The node.
        node: NodeId,
        /// The question.
        request: String,
        /// What is said to it.
        #[serde(alias = "allow")]
        answer: Answer,
    },
    /// Take leave back that was given for more than one call. What runs by now goes on.
    Revoke {
        /// What was allowed.
        grant: Grant,
        /// The node that was given it; `None`: the plan.
        of: Option<NodeId>,
    },
    /// Report: whoever was asked for the agent of an attempt has answered, or cannot.
    AgentChosen {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
        /// The agent, and why.
        choice: Choice,
    },
    /// Report: the session lives.
    SessionStarted {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
        /// The snapshot of the files from before it.
        #[serde(default)]
        checkpoint: Option<String>,
    },
    /// Report: the session has said nothing for longer than it should, or speaks again.
    SessionSilent {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
        /// Silent, or not any more.
        silent: bool,
    },
    /// Report: the session has used this much so far.
    SessionUsed {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
        /// How much.
        spent: Spent,
    },
    /// Report: the session will not start.
    SessionWithdrawn {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
    },
    /// Report: the session asks a person.
    SessionAsked {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
        /// What is asked, for people.
        question: String,
        /// How the answer names it.
        request: String,
        /// The call that it is about.
        #[serde(default)]
        call: Option<AskedCall>,
    },
    /// Report: the session asks something no longer.
    SessionUnasked {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
        /// The question.
        request: String,
    },
    /// Report: the session made, or was refused, a call of a tool that the node's list does not name.
    SessionOutside {
        /// The node.
        node: NodeId,
        /// The call.
        call: OutsideCall,
    },
    /// Report: the session has ended and nothing of it is left.
    SessionEnded {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
        /// How.
        outcome: Outcome,
        /// Its handoff.
        artifact: Option<ArtifactId>,
        /// Which branch a condition took.
        #[serde(default)]
        taken: Option<bool>,
        /// What speaks against the work of an attempt that succeeded.
        #[serde(default)]
        doubt: Option<Doubt>,
    },
    /// Report: the session will not start, since work of the parents does not fit together.
    SessionConflicted {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
        /// What does not fit.
        conflict: Conflict,
    },
    /// Report: the session that was to settle a conflict has ended and nothing of it is left.
    SessionMerged {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
        /// How.
        outcome: Outcome,
    },
    /// Report: the executor had said nothing for too long, and still has the run.
    ExecutorReturned {
        /// Its last word before.
        since: Timestamp,
        /// For how long it had said nothing, in milliseconds.
        silence_ms: u64,
    },
    /// Report: the criteria of an inherited node were looked at again, or cannot be.
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
        took_ms: u64,
    },
    /// Report: somebody let go of what nodes of this run may wait for, see [`Permits`](super::Permits).
    PermitsFreed,
    /// Report: the time that the plan allows for the whole run is over.
    TimeUp,
    /// Report: the time of a planned attempt has come, or an answer is overdue.
    Due {
        /// The node.
        node: NodeId,
    },
}

impl Command {
    /// The node that it is about, if it is about one.
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
            | Self::Want { .. }
            | Self::RerunStale
            | Self::Checkpoint { .. }
            | Self::Rollback { .. }
            | Self::PermitsFreed
            | Self::TimeUp => None,
        }
    }
}

/// Why a command is not granted. Nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The run is not in a state in which this makes sense.
    #[error("the run is {state}, so it cannot be {wish}")]
    RunState {
        /// The state's word.
        state: &'static str,
        /// The wish as a participle: "paused".
        wish: &'static str,
    },
    /// The node is not in a state in which this makes sense.
    #[error("'{title}' is {state}, so it cannot be {wish}")]
    NodeState {
        /// The node's title.
        title: String,
        /// The state's word.
        state: &'static str,
        /// The wish as a participle: "retried".
        wish: &'static str,
    },
    /// Another executor has taken over the run meanwhile.
    #[error("the run is in epoch {current} already, so it cannot be taken over as epoch {offered}")]
    OldEpoch {
        /// The run's epoch.
        current: u32,
        /// The one that was to follow.
        offered: u32,
    },
    /// The run has no such node.
    #[error("the run has no node {0}")]
    UnknownNode(NodeId),
    /// The question was answered already, or went away with its session.
    #[error("'{title}' does not ask that any more")]
    NotAsked {
        /// The node's title.
        title: String,
    },
    /// Commands that begin like this cannot be allowed.
    #[error(transparent)]
    Prefix(PrefixFault),
    /// No agent has worked on the node in this run, or it is none that can be talked to.
    #[error("'{title}' has no session of an agent that could go on")]
    NoConversation {
        /// The node's title.
        title: String,
    },
    /// There is nothing in the message, or more than a person can mean.
    #[error(
        "the message to '{title}' has {bytes} bytes, and has to have some words and at most {limit} bytes"
    )]
    WrongMessage {
        /// The node's title.
        title: String,
        /// How long it is.
        bytes: usize,
        /// How long it may be.
        limit: usize,
    },
    /// No edge leads from the one node to the other.
    #[error("'{child}' receives nothing from '{parent}'")]
    NoEdge {
        /// The title of the one that would hand on.
        parent: String,
        /// The title of the one that would receive.
        child: String,
    },
    /// The text is longer than what a person can mean.
    #[error("the pinned text has {bytes} bytes, and at most {limit} are kept")]
    PinTooLong {
        /// How long it is.
        bytes: usize,
        /// How long it may be.
        limit: usize,
    },
    /// The answer is none of those that count.
    #[error("'{title}' takes {expected}, not '{found}'")]
    WrongAnswer {
        /// The node's title.
        title: String,
        /// What counts, in words.
        expected: String,
        /// What was said.
        found: String,
    },
    /// The run has no such checkpoint.
    #[error("the run has {count} checkpoints, and none with the number {number}")]
    NoCheckpoint {
        /// Which was asked for, from 0.
        number: u32,
        /// How many there are.
        count: u32,
    },
    /// Nodes still run.
    #[error("{names} still runs: pause the run and let it stop first")]
    StillRunning {
        /// Their titles.
        names: String,
    },
    /// The report speaks of an attempt that has already ended or was replaced: late news, to be ignored.
    #[error("attempt {attempt} of '{title}' is over already")]
    Late {
        /// The node's title.
        title: String,
        /// The attempt.
        attempt: Attempt,
    },
}
