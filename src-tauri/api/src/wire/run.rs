//! Runs and their nodes.

use std::collections::BTreeMap;

use baton_agents::Usage;
use baton_model::run::{Answer, Event, NodeMarks};
use baton_model::{
    ArtifactId, Attempt, NodeId, NodeState, Outcome, Plan, PlanId, RunId, RunState, SessionId,
    Timestamp,
};
use baton_store::ParentNode;

pub use baton_planning::run_start::RunGoal;

use super::{RunSummary, TakeoverView, wire};

wire! {
    /// Begins a run of an approved plan.
    pub struct RunStart {
        /// The plan.
        pub plan: PlanId,
        /// Which nodes.
        pub goal: RunGoal,
        /// How many at once; none: as the plan says.
        pub limit: Option<u32>,
    }
    /// Names a run.
    pub struct RunRef {
        /// The run.
        pub run: RunId,
    }
    /// Stops starting nodes.
    pub struct RunPause {
        /// The run.
        pub run: RunId,
        /// Also stop what runs; it is started again on resume.
        pub stop_running: bool,
    }
    /// Asks a run for other nodes.
    pub struct RunWant {
        /// The run.
        pub run: RunId,
        /// Which nodes.
        pub goal: RunGoal,
    }
    /// Which runs.
    pub struct RunsFilter {
        /// Of this plan only.
        pub plan: Option<PlanId>,
        /// At most so many, the latest first.
        pub limit: u32,
    }
    /// A run with all of its nodes.
    pub struct RunView {
        /// The run in one line.
        pub summary: RunSummary,
        /// The last time that it changed hands while it was running.
        pub takeover: Option<TakeoverView>,
        /// The last event that this view has seen.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub seq: u64,
        /// The content that is executed.
        pub plan: Plan,
        /// How many nodes may run at once.
        pub limit: u32,
        /// Every executable node, in the order of the plan.
        pub nodes: Vec<NodeRunView>,
        /// The node of another run for which it stands.
        pub parent: Option<ParentNode>,
        /// The runs that stand for its nodes, the oldest first.
        pub children: Vec<ChildRun>,
    }
    /// A run, as it went on from an event that is known.
    pub struct RunAfter {
        /// The run.
        pub run: RunId,
        /// The [`RunProgress::seq`] of the last look; everything is told after 0, and after one that is not given out yet.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub after: u64,
    }
    /// What moves in a run: a [`RunView`] without what is known already, which is most of a large one.
    pub struct RunProgress {
        /// The run in one line; its plan and version say what is executed.
        pub summary: RunSummary,
        /// The last time that it changed hands while it was running.
        pub takeover: Option<TakeoverView>,
        /// The last event that this view has seen.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub seq: u64,
        /// How many nodes may run at once.
        pub limit: u32,
        /// The executable nodes, in the order of the plan: all, or those of which something may be told that was not at
        /// the event asked for.
        pub nodes: Vec<NodeRunView>,
        /// The node of another run for which it stands.
        pub parent: Option<ParentNode>,
        /// The runs that stand for its nodes, the oldest first.
        pub children: Vec<ChildRun>,
    }
    /// A run that stands for a node of another run, or for one iteration of it.
    pub struct ChildRun {
        /// The node.
        pub node: NodeId,
        /// The run.
        pub run: RunId,
        /// Its plan.
        pub plan: PlanId,
        /// How it goes.
        pub state: RunState,
    }
    /// Keeps the state of a run, so that it can be taken back to it.
    pub struct RunCheckpoint {
        /// The run.
        pub run: RunId,
        /// What a person calls it.
        pub name: String,
        /// Whatever the person wants to keep with it.
        #[cfg_attr(feature = "bindings", ts(type = "unknown"))]
        pub data: Option<serde_json::Value>,
    }
    /// Takes a run back to a checkpoint.
    pub struct RunRollback {
        /// The run.
        pub run: RunId,
        /// Which: its place among the checkpoints of the run, from 0.
        pub checkpoint: u32,
        /// Take the files back as well.
        pub files: bool,
    }
    /// A state that a run can be taken back to.
    pub struct CheckpointView {
        /// Its place among the checkpoints of the run, from 0.
        pub number: u32,
        /// What a person calls it.
        pub name: String,
        /// When it was made.
        pub at: Timestamp,
        /// Whatever the person kept with it.
        #[cfg_attr(feature = "bindings", ts(type = "unknown"))]
        pub data: serde_json::Value,
        /// How many nodes were done.
        pub done: u32,
        /// Its files were kept as well.
        pub has_files: bool,
        /// The files that would change if they were taken back now; at most 200 of them.
        pub changed_files: Vec<String>,
    }
    /// Tries a node again.
    pub struct NodeRetry {
        /// The run.
        pub run: RunId,
        /// The node.
        pub node: NodeId,
        /// Go on with the session that it had. Left out: start from the beginning.
        pub resume: Option<bool>,
    }
    /// Changes what a node handed on.
    pub struct ArtifactEdit {
        /// The run.
        pub run: RunId,
        /// The node.
        pub node: NodeId,
        /// The handoff, Markdown.
        pub text: String,
    }
    /// One node of a run.
    pub struct NodeRunView {
        /// The node.
        pub node: NodeId,
        /// Where it stands.
        pub state: NodeState,
        /// Its latest attempt; 0 before the first.
        pub attempt: Attempt,
        /// The session of that attempt.
        pub session: Option<SessionId>,
        /// When that attempt started.
        pub started_at: Option<Timestamp>,
        /// When the node last came to rest.
        pub ended_at: Option<Timestamp>,
        /// A parent ran again since.
        pub stale: bool,
        /// Claim and evidence differ.
        pub unverified: bool,
        /// It is done, and nobody checks any of its acceptance criteria.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
        pub not_checked: bool,
        /// Its flags and accounts.
        pub marks: NodeMarks,
        /// Why the agent of `marks` is this one, in words; none for commands, and in runs of earlier versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub reason: Option<String>,
        /// What all its attempts used, as far as their agents told; none when nothing is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub used: Option<Usage>,
        /// What its session does at the moment, in a line.
        pub activity: Option<String>,
        /// When its living session last printed something, or was begun.
        pub quiet_since: Option<Timestamp>,
        /// The handoff that it left.
        pub artifact: Option<ArtifactId>,
        /// The parents for which a person settled what the node receives from them; none: nobody did.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<NodeId>>"))]
        pub pinned: Vec<NodeId>,
    }
    /// A part of a run's history.
    pub struct RunHistory {
        /// The run.
        pub run: RunId,
        /// Only events after this one; 0 for all.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub after: u64,
        /// At most so many.
        pub limit: u32,
    }
    /// One event of a run's history.
    pub struct HistoryRow {
        /// Its number in the run, without gaps.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub seq: u64,
        /// When.
        pub at: Timestamp,
        /// Who: a person, or an executor.
        pub actor: String,
        /// What.
        pub event: Event,
        /// The same in words.
        pub sentence: String,
        /// What else there is to say, a line each: what a takeover found, or what came of each check.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<String>>"))]
        pub details: Vec<String>,
    }
    /// Names a node of a run.
    pub struct NodeRef {
        /// The run.
        pub run: RunId,
        /// The node.
        pub node: NodeId,
    }
    /// Goes on without a node.
    pub struct NodeSkip {
        /// The run.
        pub run: RunId,
        /// The node.
        pub node: NodeId,
        /// Stop its session first, if one works on it; false when left out: a running node is refused.
        pub stop: Option<bool>,
    }
    /// Takes a node as done without running it.
    pub struct NodeMarkDone {
        /// The run.
        pub run: RunId,
        /// The node.
        pub node: NodeId,
        /// The handoff for its children, Markdown; empty: none.
        pub handoff: String,
        /// Stop its session first, if one works on it; false when left out: a running node is refused.
        pub stop: Option<bool>,
    }
    /// Answers a question that a session asks.
    pub struct NodeAnswer {
        /// The run.
        pub run: RunId,
        /// The node.
        pub node: NodeId,
        /// The question, as [`WaitingFor::Person`](baton_model::run::WaitingFor::Person) names it.
        pub request: String,
        /// What is said: once, for the node, for the plan, or no with a reason. `true` and `false` are taken as well.
        #[serde(alias = "allow")]
        pub answer: Answer,
    }
    /// One try of one node.
    pub struct AttemptView {
        /// Its number.
        pub attempt: Attempt,
        /// Its session.
        pub session: SessionId,
        /// Which agent; none for commands.
        pub agent: Option<String>,
        /// Why it is this agent, in words; none for commands, and in runs of earlier versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub reason: Option<String>,
        /// When it started.
        pub started_at: Option<Timestamp>,
        /// When it ended.
        pub ended_at: Option<Timestamp>,
        /// How; none while it lives.
        pub outcome: Option<Outcome>,
        /// The outcome in words.
        pub sentence: String,
        /// Its handoff.
        pub artifact: Option<ArtifactId>,
        /// What it used; unknown is not 0.
        pub usage: Usage,
    }
    /// What a node receives, or received, from its parents.
    pub struct ContextView {
        /// The document, Markdown.
        pub text: String,
        /// Its size in tokens, estimated at 4 characters each.
        pub tokens: u32,
        /// It was given to an attempt already; otherwise this is what would be given now.
        pub given: bool,
        /// The parents, by title, each with its handoff if it left one.
        pub parents: Vec<ContextParent>,
        /// The whole prompt or command as the attempt got it.
        pub prompt: Option<String>,
    }
    /// A parent in a node's context.
    pub struct ContextParent {
        /// The parent.
        pub node: NodeId,
        /// Its title.
        pub title: String,
        /// Its handoff.
        pub artifact: Option<ArtifactId>,
        /// Its named outputs.
        pub outputs: BTreeMap<String, String>,
    }
}

impl RunProgress {
    /// The whole view of a run that executes `plan`, of a look that is not after any event.
    #[must_use]
    pub fn of(self, plan: Plan) -> RunView {
        let Self {
            summary,
            takeover,
            seq,
            limit,
            nodes,
            parent,
            children,
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
        }
    }
}
