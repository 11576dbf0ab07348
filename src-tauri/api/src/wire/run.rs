//! Runs and their nodes.

use std::collections::BTreeMap;

use baton_agents::Usage;
use baton_model::run::{Answer, Event, NodeMarks};
use baton_model::{
    ArtifactId, Attempt, NodeId, NodeState, Outcome, Plan, PlanId, RunId, RunState, SessionId,
    Timestamp, WorkTime,
};
use baton_store::ParentNode;

pub use baton_planning::run_start::RunGoal;

use super::{RunSummary, TakeoverView, wire};

wire! {
    /// Starts a run of an approved plan.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RunStart {
        pub plan: PlanId,
        pub goal: RunGoal,
        /// Maximum number of parallel nodes; `None` for the plan's own limit.
        pub limit: Option<u32>,
        /// Refuse it unless the plan has this revision.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional = nullable, type = "number | null"))]
        pub base_revision: Option<u64>,
        /// Refuse it unless these nodes are finished in the run that continues.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<NodeId>>"))]
        pub finished: Vec<NodeId>,
    }
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RunRef {
        pub run: RunId,
    }
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RunPause {
        pub run: RunId,
        /// Also stop running nodes; they start again on resume.
        pub stop_running: bool,
    }
    /// Changes which nodes a run executes.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RunSetGoal {
        pub run: RunId,
        pub goal: RunGoal,
        /// Refuse it unless these nodes are finished.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<NodeId>>"))]
        pub finished: Vec<NodeId>,
    }
    /// Selects the runs to list.
    pub struct RunsFilter {
        /// Only runs of this plan.
        pub plan: Option<PlanId>,
        /// Maximum number of runs, latest first.
        pub limit: u32,
    }
    /// A run with all of its nodes.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RunView {
        pub summary: RunSummary,
        /// The last takeover while it was running.
        pub takeover: Option<TakeoverView>,
        /// Number of the last event included.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub seq: u64,
        /// The plan version that is executed.
        pub plan: Plan,
        /// Maximum number of parallel nodes.
        pub limit: u32,
        /// All executable nodes in plan order.
        pub nodes: Vec<NodeRunView>,
        /// The node of another run that this run executes.
        pub parent: Option<ParentNode>,
        /// Runs that execute nodes of this run, oldest first.
        pub children: Vec<ChildRun>,
        /// The plan that runs because this run has failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub handler: Option<HandlerView>,
        /// The failed run for which this run was started.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub handles: Option<HandledRun>,
    }
    /// Asks for the progress of a run after a known event.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RunProgressSince {
        pub run: RunId,
        /// The [`RunProgress::seq`] of the last call. Returns everything for 0 and for a number
        /// that isn't used yet.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub after: u64,
    }
    /// The changing part of a run: a [`RunView`] without the plan and unchanged nodes.
    pub struct RunProgress {
        /// The plan id and version in it say what is executed.
        pub summary: RunSummary,
        /// The last takeover while it was running.
        pub takeover: Option<TakeoverView>,
        /// Number of the last event included.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub seq: u64,
        /// Maximum number of parallel nodes.
        pub limit: u32,
        /// Executable nodes in plan order: all, or those that may have changed after the given
        /// event.
        pub nodes: Vec<NodeRunView>,
        /// The node of another run that this run executes.
        pub parent: Option<ParentNode>,
        /// Runs that execute nodes of this run, oldest first.
        pub children: Vec<ChildRun>,
        /// The plan that runs because this run has failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub handler: Option<HandlerView>,
        /// The failed run for which this run was started.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub handles: Option<HandledRun>,
        /// How often the run was retried by itself; only in an answer that returns everything.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub retries: Option<u32>,
        /// Its last checkpoint; only in an answer that returns everything.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub checkpoint: Option<LastCheckpoint>,
    }
    /// The last checkpoint of a run.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct LastCheckpoint {
        pub at: Timestamp,
        /// Data that was stored with the checkpoint.
        pub data: serde_json::Value,
    }
    /// A run that executes a node of another run, or one iteration of it.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct ChildRun {
        pub node: NodeId,
        pub run: RunId,
        pub plan: PlanId,
        pub state: RunState,
    }
    /// The run whose failure another run handles.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct HandledRun {
        pub run: RunId,
        pub plan: PlanId,
        /// Counts the runs of its plan from 1.
        pub number: u32,
        /// The title of its plan at that time.
        pub title: String,
        /// It was deleted, so there is nothing to open.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
        pub is_deleted: bool,
    }
    /// The run that handles a failure.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct HandlerRun {
        pub run: RunId,
        pub plan: PlanId,
        /// Counts the runs of its plan from 1.
        pub number: u32,
        /// The title of its plan in the version that it executes.
        pub title: String,
        pub state: RunState,
    }
    /// Saves the state of a run as a checkpoint to roll back to.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RunCheckpoint {
        pub run: RunId,
        /// Display name of the checkpoint.
        pub name: String,
        /// Any data to store with the checkpoint.
        #[cfg_attr(feature = "bindings", ts(type = "unknown"))]
        pub data: Option<serde_json::Value>,
    }
    /// Rolls a run back to a checkpoint.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RunRollback {
        pub run: RunId,
        /// Index among the run's checkpoints, from 0.
        pub checkpoint: u32,
        /// Roll back files as well.
        pub files: bool,
    }
    /// A checkpoint of a run.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct CheckpointView {
        /// Index among the run's checkpoints, from 0.
        pub number: u32,
        /// Display name of the checkpoint.
        pub name: String,
        pub at: Timestamp,
        /// Data that was stored with the checkpoint.
        #[cfg_attr(feature = "bindings", ts(type = "unknown"))]
        pub data: serde_json::Value,
        /// Number of nodes that were done.
        pub done: u32,
        /// Its files were saved as well.
        pub has_files: bool,
        /// Files that a rollback would change now; at most 200.
        pub changed_files: Vec<String>,
    }
    #[expect(missing_docs, reason = "the names say it")]
    pub struct NodeRetry {
        pub run: RunId,
        pub node: NodeId,
        /// Resume its last session. If omitted, start a new one.
        pub resume: Option<bool>,
    }
    /// Edits the handoff of a node.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct ArtifactEdit {
        pub run: RunId,
        pub node: NodeId,
        /// The new handoff, in Markdown.
        pub text: String,
    }
    /// One node of a run.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct NodeRunView {
        pub node: NodeId,
        pub state: NodeState,
        /// Its latest attempt; 0 before the first one.
        pub attempt: Attempt,
        /// Session of that attempt.
        pub session: Option<SessionId>,
        /// When that attempt started.
        pub started_at: Option<Timestamp>,
        /// When the node last stopped working.
        pub ended_at: Option<Timestamp>,
        /// How long its attempts waited and worked together.
        #[serde(default)]
        pub times: WorkTime,
        /// A parent ran again after this node was done.
        pub stale: bool,
        /// The agent's claims and the evidence differ.
        pub unverified: bool,
        /// It is done, but none of its acceptance criteria are checked automatically.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
        pub not_checked: bool,
        /// Flags and budget accounts.
        pub marks: NodeMarks,
        /// Why the agent in `marks` was chosen, as text; `None` for commands, and in runs of
        /// earlier versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub reason: Option<String>,
        /// Total usage of its attempts as reported by their agents; `None` if unknown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub used: Option<Usage>,
        /// What its session is doing, in one line.
        pub activity: Option<String>,
        /// When its live session last wrote output, or started.
        pub quiet_since: Option<Timestamp>,
        /// The handoff that it produced.
        pub artifact: Option<ArtifactId>,
        /// Parents whose handoff to this node a person pinned; omitted if none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<NodeId>>"))]
        pub pinned: Vec<NodeId>,
    }
    /// Asks for part of a run's history.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RunHistory {
        pub run: RunId,
        /// Only events after this one; 0 for all.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub after: u64,
        /// Maximum number of events.
        pub limit: u32,
    }
    /// One event of a run's history.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct HistoryRow {
        /// Position in the run's history, without gaps.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub seq: u64,
        pub at: Timestamp,
        /// A person or an executor.
        pub actor: String,
        pub event: Event,
        /// The event as a sentence.
        pub sentence: String,
        /// How long the attempt worked that this event ended, in milliseconds; omitted if unknown,
        /// and for other events.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional, type = "number"))]
        pub worked_ms: Option<u64>,
        /// Further details, one per line: what a takeover found, or the results of checks.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<String>>"))]
        pub details: Vec<String>,
    }
    /// References a node of a run.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct NodeRef {
        pub run: RunId,
        pub node: NodeId,
    }
    #[expect(missing_docs, reason = "the names say it")]
    pub struct NodeSkip {
        pub run: RunId,
        pub node: NodeId,
        /// Stop its running session first. If false or omitted, a running node is refused.
        pub stop: Option<bool>,
    }
    /// Marks a node as done without running it.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct NodeMarkDone {
        pub run: RunId,
        pub node: NodeId,
        /// The handoff for its children, in Markdown; empty for none.
        pub handoff: String,
        /// Stop its running session first. If false or omitted, a running node is refused.
        pub stop: Option<bool>,
    }
    /// Answers a question of a session.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct NodeAnswer {
        pub run: RunId,
        pub node: NodeId,
        /// The id from [`WaitingFor::Person`](baton_model::run::WaitingFor::Person).
        pub request: String,
        /// Allow once, for the node, or for the plan, or deny with a reason. `true` and `false` are
        /// accepted as well.
        #[serde(alias = "allow")]
        pub answer: Answer,
    }
    /// One attempt of one node.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct AttemptView {
        pub attempt: Attempt,
        pub session: SessionId,
        /// The agent that ran it; `None` for commands.
        pub agent: Option<String>,
        /// Why this agent was chosen, as text; `None` for commands, and in runs of earlier
        /// versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub reason: Option<String>,
        /// Why it was started, as text: a retry of the plan, or a person. `None` for first attempts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub cause: Option<String>,
        pub started_at: Option<Timestamp>,
        pub ended_at: Option<Timestamp>,
        /// How long it waited and worked.
        #[serde(default)]
        pub times: WorkTime,
        /// `None` while the attempt is live.
        pub outcome: Option<Outcome>,
        /// The outcome as a sentence.
        pub sentence: String,
        pub artifact: Option<ArtifactId>,
        /// Unknown usage is null, not 0.
        pub usage: Usage,
    }
    /// What a node receives, or received, from its parents.
    pub struct ContextView {
        /// The document, in Markdown.
        pub text: String,
        /// Estimated size in tokens, at 4 characters each.
        pub tokens: u32,
        /// An attempt already received it; otherwise, the next attempt would.
        pub given: bool,
        /// Parents by title, with their handoffs.
        pub parents: Vec<ContextParent>,
        /// The complete prompt or command that the attempt received.
        pub prompt: Option<String>,
    }
    /// A parent in a node's context.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct ContextParent {
        pub node: NodeId,
        pub title: String,
        /// Its handoff, if it produced one.
        pub artifact: Option<ArtifactId>,
        pub outputs: BTreeMap<String, String>,
    }
}

/// What became of the error handler of a failed run.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum HandlerView {
    /// It will be started.
    Due {
        /// The title or ID in the plan.
        name: String,
    },
    /// It was started.
    Started {
        /// The handler's run; `None` if it was deleted.
        handler: Option<HandlerRun>,
    },
    /// It could not be started.
    NotStarted {
        /// Why, as a sentence.
        message: String,
        /// What to do about it, a fragment.
        fix: String,
        /// The handler's plan, if there is exactly one by now that isn't the failed plan itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        plan: Option<PlanId>,
    },
}

impl RunProgress {
    /// The complete view of a run that executes `plan`; `self` must be the progress since event 0.
    #[must_use]
    pub fn into_run_view(self, plan: Plan) -> RunView {
        let Self {
            summary,
            takeover,
            seq,
            limit,
            nodes,
            parent,
            children,
            handler,
            handles,
            ..
        } = self;
        RunView {
            summary,
            takeover,
            seq,
            plan,
            limit,
            nodes,
            parent,
            children,
            handler,
            handles,
        }
    }
}
