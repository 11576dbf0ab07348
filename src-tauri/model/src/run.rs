//! One execution of an approved plan.
//!
//! A [`Command`] is a request from a person or a report from the executor. [`Run::step`] decides on
//! it and returns the resulting [`Event`]s, already applied, and the [`Effect`]s to perform. The
//! caller appends the events to the store in one transaction, and performs the effects only after
//! that. If the append fails, the caller must drop the run and [`Run::replay`] the stored events:
//! nothing that is not stored may have consequences. Runs are never cloned to validate a change;
//! events are checked first and then applied in place.
//!
//! The work per event does not grow with the number of nodes: the effects of a node's end are found
//! through its children, never by scanning all nodes.

mod advance;
mod answer;
mod apply;
mod assignment;
mod backoff;
mod caller;
mod checkpoint;
mod command;
mod continuation;
mod decide;
mod effect;
mod error_handler;
mod event;
mod event_validity;
mod gate;
mod inheritance;
mod inherited_check;
mod jump;
mod merge;
mod node_commands;
mod parent_counts;
mod pending_effects;
mod permissions;
mod permits;
mod pin;
mod pinned_output;
mod plan_retry;
mod propagation;
mod ready;
mod replan;
mod rerun;
mod reservation;
mod semantics;
mod spending;
mod state;
mod state_history;
mod stop;
mod takeover;
mod usage_limit;
mod visit_counter;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub use answer::{Answer, AnsweredBy, RequestedToolCall, UnlistedToolCall};
pub use apply::IllegalTransition;
pub use caller::{Allowance, Caller, Section};
pub use checkpoint::Checkpoint;
pub use command::{Command, Refusal};
pub use continuation::{Continuation, MESSAGE_LIMIT};
pub use decide::Context;
pub use effect::Effect;
pub use error_handler::{FailedRun, HandlerOutcome, HandlerProblem, HandlerState};
pub use event::{Event, Goal};
pub use inheritance::{Inheritance, Inherited};
pub use inherited_check::{
    CheckEnd, InheritedCheck, InheritedNode, NotRun, RecheckResult, VERIFY_BUDGET_MS,
    VERIFY_CHECK_LIMIT_MS,
};
pub use merge::{Conflict, ConflictFile, ConflictKind, MergeDecision, Resolution};
pub use permissions::ActiveGrant;
pub use permits::{HeldBack, LockHolder, Obstacle, PermitRequest, Permits, UnlimitedPermits};
pub use pin::{PIN_LIMIT, Pin};
pub use pinned_output::{PinOrigin, PinnedNode, PinnedSelection, can_pin_output};
pub use replan::{BeforeReplan, ReplanEnd};
pub use rerun::RerunScope;
pub use semantics::Semantics;
pub use state::{
    BudgetUsage, Ending, NodeMarks, NodeRun, NodeState, PauseReason, RunState, SkipReason,
    WaitingFor,
};
pub use state_history::{NodeSnapshot, RunStateChange, busy_times, state_history};
pub use stop::AfterStop;
pub use takeover::{
    FailurePoint, FormerExecutor, TakeoverReason, TakeoverRecord, UnfinishedSession,
};

use crate::{Attempt, Epoch, Graph, Node, NodeId, Plan, RunId, SessionId, StartRule, Timestamp};
use inherited_check::InheritedChecks;
use jump::JumpCounts;
use parent_counts::ParentCounts;
use propagation::Cause;
use ready::{Ready, ReadyKey};

/// The state of a run, derived from its events.
#[derive(Debug, Clone)]
pub struct Run {
    id: RunId,
    /// The sequence number of the last applied event.
    sequence: u64,
    plan: Arc<Plan>,
    graph: Arc<Graph>,
    positions: Arc<[usize]>,
    state: RunState,
    epoch: Epoch,
    limit: u32,
    goal: Goal,
    wanted: Option<Vec<bool>>,
    nodes: Vec<NodeRun>,
    parent_counts: Vec<ParentCounts>,
    jumps: Vec<JumpCounts>,
    /// Why each blocked or skipped node is in that state.
    causes: Vec<Option<Cause>>,
    semantics: Semantics,
    /// The highest priority among the nodes that each node's end may unblock.
    unblocked_priority: Arc<[u8]>,
    /// Nodes that have not ended, or may run again.
    unfinished_nodes: BTreeSet<usize>,
    /// Nodes whose attempt is reserved or live.
    busy: BTreeSet<usize>,
    /// Nodes after whose end the run jumped to another node.
    jumpers: BTreeSet<usize>,
    /// Nodes with an attempt in progress that were jumped over, with the nodes that made the jumps.
    overtaken: BTreeMap<usize, BTreeSet<usize>>,
    /// Nodes whose reserved attempt was ordered to be withdrawn. Not part of the history: an
    /// executor that takes the run over repeats the necessary orders.
    withdrawing: BTreeSet<usize>,
    /// Pending nodes that wait for permits held by others.
    held: BTreeSet<usize>,
    ready: Ready,
    counts: Counts,
    touched: BTreeSet<usize>,
    /// Nodes whose attempt was ordered to end because of a pause. When it ends, they run again,
    /// even if the run was resumed in between.
    stopped_for_pause: BTreeSet<usize>,
    /// Checks of inherited work. Nothing new starts before they are finished.
    inherited_checks: Option<InheritedChecks>,
    /// The time of the first event.
    started_at: Option<Timestamp>,
    began_at: Option<Timestamp>,
    default_agent: Option<String>,
    trusted_tools: Vec<String>,
    active_grants: Vec<ActiveGrant>,
    /// Live and reserved sessions by agent.
    busy_agents: BTreeMap<String, u32>,
    /// The agent chosen last, by team.
    rotation: BTreeMap<String, String>,
    /// When the usage limits of agents reset, as observed by this run.
    limits: BTreeMap<String, Timestamp>,
    checkpoints: Vec<Checkpoint>,
    /// Pinned handoffs, by child and parent.
    pins: BTreeMap<(NodeId, NodeId), Pin>,
    spent: BudgetUsage,
    /// How often the run was automatically restarted.
    plan_retries: u32,
    /// The node of another run that called this one, as far as it affects this run.
    caller: Option<Arc<Caller>>,
}

/// The number of nodes in the states that determine the run's progress.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Counts {
    reserved: usize,
    live: usize,
    retrying: usize,
    asking: usize,
}

/// The result of a command.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// In order. The run has already applied them.
    pub events: Vec<Event>,
    /// To be performed after the events are stored.
    pub effects: Vec<Effect>,
}

/// Why a stored history can't be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The plan's graph has a cycle. Such a plan is never approved.
    #[error(transparent)]
    Cycle(#[from] crate::graph::Cycle),
    /// An event does not fit the state before it.
    #[error(transparent)]
    Illegal(#[from] IllegalTransition),
}

/// Why a command had no effect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// The state does not allow it. Nothing has changed.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The resulting event does not fit the state, which is a bug in this crate. The run must be
    /// dropped, and none of its events may be stored.
    #[error(transparent)]
    Illegal(#[from] IllegalTransition),
}

impl Run {
    /// A run that has not started. Its first event must be [`Event::Started`].
    pub fn new(id: RunId, plan: Arc<Plan>) -> Result<Self, crate::graph::Cycle> {
        let graph = Graph::new(&plan)?;
        let positions = plan
            .nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| node.is_executable())
            .map(|(at, _)| at);
        let positions: Arc<[usize]> = positions.collect();
        let parent_counts = (0..graph.len())
            .map(|number| initial_parent_counts(&graph, number))
            .collect();
        Ok(Self {
            id,
            sequence: 0,
            state: RunState::Paused {
                reason: PauseReason::NotBegun,
            },
            epoch: Epoch(0),
            limit: plan.settings.effective_concurrency(),
            goal: Goal::All,
            wanted: None,
            nodes: vec![NodeRun::default(); graph.len()],
            parent_counts,
            jumps: JumpCounts::all_open(&plan, &graph),
            causes: vec![None; graph.len()],
            semantics: Semantics::default(),
            unblocked_priority: reservation::unblocked_priority(&plan, &graph).into(),
            unfinished_nodes: (0..graph.len()).collect(),
            busy: BTreeSet::new(),
            jumpers: BTreeSet::new(),
            overtaken: BTreeMap::new(),
            withdrawing: BTreeSet::new(),
            held: BTreeSet::new(),
            ready: Ready::default(),
            counts: Counts::default(),
            touched: BTreeSet::new(),
            inherited_checks: None,
            started_at: None,
            began_at: None,
            default_agent: None,
            trusted_tools: Vec::new(),
            active_grants: Vec::new(),
            busy_agents: BTreeMap::new(),
            rotation: BTreeMap::new(),
            limits: BTreeMap::new(),
            checkpoints: Vec::new(),
            pins: BTreeMap::new(),
            spent: BudgetUsage::default(),
            plan_retries: 0,
            caller: None,
            stopped_for_pause: BTreeSet::new(),
            positions,
            graph: Arc::new(graph),
            plan,
        })
    }

    /// Restores a run from its stored history.
    pub fn replay(
        id: RunId,
        plan: Arc<Plan>,
        history: impl IntoIterator<Item = (Timestamp, Event)>,
    ) -> Result<Self, ReplayError> {
        let mut run = Self::new(id, plan)?;
        for (at, event) in history {
            run.apply(at, &event)?;
        }
        Ok(run)
    }

    /// Decides on `command`, applies the result, and fills free slots.
    ///
    /// On a refusal nothing has changed. After an illegal event the run must be dropped.
    pub fn step(
        &mut self,
        command: &Command,
        context: &mut Context<'_>,
    ) -> Result<Step, StepError> {
        let mut step = Step::default();
        for event in self.decide(command, context)? {
            self.apply_and_record(event, context.now, &mut step)?;
        }
        step.effects.extend(self.resend_answer(command));
        step.effects
            .extend(self.reschedule_timer(command, context.now));
        loop {
            let next = self.advance(context);
            if next.is_empty() {
                step.effects.extend(self.yield_reserved_slots());
                return Ok(step);
            }
            for event in next {
                self.apply_and_record(event, context.now, &mut step)?;
            }
        }
    }

    /// Applies an event from `decide` or `advance`. Both check the same state as `apply`. If they
    /// ever disagree, skipping the event would make `advance` return it again forever.
    fn apply_and_record(
        &mut self,
        event: Event,
        now: Timestamp,
        step: &mut Step,
    ) -> Result<(), IllegalTransition> {
        step.effects.extend(self.apply(now, &event)?);
        step.events.push(event);
        Ok(())
    }

    #[must_use]
    #[expect(missing_docs, reason = "the name says it")]
    pub fn id(&self) -> RunId {
        self.id
    }

    /// The plan version that is executed.
    #[must_use]
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// The dependencies of the plan.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The run's current state.
    #[must_use]
    pub fn state(&self) -> &RunState {
        &self.state
    }

    /// The current epoch. Writes with an older one are rejected.
    #[must_use]
    pub fn epoch(&self) -> Epoch {
        self.epoch
    }

    /// The plan's time limit as a point in time. Resuming a run restarts the whole limit.
    #[must_use]
    pub fn deadline(&self) -> Option<Timestamp> {
        Some(self.began_at?.plus_ms(self.plan.settings.timeout_ms?))
    }

    /// The usage of all its nodes, as far as agents report it and budgets require it.
    #[must_use]
    pub fn spent(&self) -> BudgetUsage {
        self.spent
    }

    /// The node of another run that called this one, if any.
    #[must_use]
    pub fn caller(&self) -> Option<&Arc<Caller>> {
        self.caller.as_ref()
    }

    /// The checkpoints that the run can be rolled back to, in order.
    #[must_use]
    pub fn checkpoints(&self) -> &[Checkpoint] {
        &self.checkpoints
    }

    /// The finished nodes whose dependencies have run again since.
    pub fn stale(&self) -> impl Iterator<Item = NodeId> {
        self.nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| node.stale)
            .map(|(number, _)| self.graph.id(number))
    }

    /// How many sessions may be live at once.
    #[must_use]
    pub fn concurrency_limit(&self) -> u32 {
        self.limit
    }

    /// The nodes that should run.
    #[must_use]
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// The state of one node.
    #[must_use]
    pub fn node(&self, id: NodeId) -> Option<&NodeRun> {
        self.graph.number(id).map(|number| &self.nodes[number])
    }

    /// The index of an executable node in the plan's node list.
    #[must_use]
    pub fn position(&self, id: NodeId) -> Option<usize> {
        self.graph.number(id).map(|number| self.positions[number])
    }

    /// All executable nodes in the plan's order.
    pub fn nodes(&self) -> impl Iterator<Item = (&Node, &NodeRun)> {
        (0..self.nodes.len()).map(|number| (self.definition(number), &self.nodes[number]))
    }

    /// The attempts with a live or reserved session.
    pub fn live_attempts(&self) -> impl Iterator<Item = (NodeId, Attempt, SessionId)> {
        self.nodes.iter().enumerate().filter_map(|(number, node)| {
            let live = is_reserved(&node.state) || is_live(&node.state);
            let session = node.session.filter(|_| live)?;
            Some((self.graph.id(number), node.attempt, session))
        })
    }

    /// The node that would start next if the goal were all nodes.
    #[must_use]
    pub fn next_ready(&self) -> Option<NodeId> {
        let is_ready = |&number: &usize| {
            self.nodes[number].state == NodeState::Pending
                && self.readiness(number) == parent_counts::Readiness::Ready
        };
        let next = (0..self.nodes.len())
            .filter(is_ready)
            .min_by_key(|&number| self.ready_key(number));
        next.map(|number| self.graph.id(number))
    }

    /// `node` and its unfinished ancestors: what must run before it can finish.
    #[must_use]
    pub fn unfinished_prerequisites(&self, node: NodeId) -> Vec<NodeId> {
        let Some(number) = self.graph.number(node) else {
            return Vec::new();
        };
        let mut needed = self.graph.ancestors(number);
        needed.retain(|&ancestor| !self.lets_children_run(ancestor));
        needed.push(number);
        needed
            .into_iter()
            .map(|number| self.graph.id(number))
            .collect()
    }

    /// The nodes whose state has changed since the last call, with their states, to update a cache.
    pub fn take_changed_nodes(&mut self) -> Vec<(NodeId, NodeRun)> {
        let touched = std::mem::take(&mut self.touched);
        touched
            .into_iter()
            .map(|number| (self.graph.id(number), self.nodes[number].clone()))
            .collect()
    }

    fn definition(&self, number: usize) -> &Node {
        &self.plan.nodes[self.positions[number]]
    }

    /// The rule by which a node starts.
    fn rule(&self, number: usize) -> StartRule {
        let written = self.definition(number).trigger_rule;
        match self.semantics {
            Semantics::V1 | Semantics::V2 => self.graph.start_rule_v2(number, written),
            Semantics::V3 | Semantics::V4 => self.graph.start_rule(number, written),
        }
    }

    /// Whether the node is done, or the run was allowed to continue without it.
    fn lets_children_run(&self, number: usize) -> bool {
        match &self.nodes[number].state {
            NodeState::Done { .. } => true,
            NodeState::Skipped { reason } => reason.lets_children_run(),
            _ => false,
        }
    }

    fn title(&self, number: usize) -> &str {
        &self.definition(number).title
    }

    fn is_wanted(&self, number: usize) -> bool {
        self.wanted.as_ref().is_none_or(|wanted| wanted[number])
    }

    fn ready_key(&self, number: usize) -> ReadyKey {
        ReadyKey::new(
            self.definition(number).priority,
            self.graph.depth_below(number),
            number,
        )
    }
}

fn initial_parent_counts(graph: &Graph, number: usize) -> ParentCounts {
    ParentCounts::open(u32::try_from(graph.parents(number).count()).unwrap_or(u32::MAX))
}

fn is_reserved(state: &NodeState) -> bool {
    matches!(
        state,
        NodeState::Waiting {
            what: WaitingFor::Slot
        }
    )
}

fn is_live(state: &NodeState) -> bool {
    matches!(
        state,
        NodeState::Running
            | NodeState::Waiting {
                what: WaitingFor::Person { .. }
            }
    )
}

/// Whether a person is asked while no process waits for the answer.
fn is_asking(state: &NodeState) -> bool {
    matches!(
        state,
        NodeState::Waiting {
            what: WaitingFor::Approval { .. } | WaitingFor::Input { .. } | WaitingFor::Merge { .. }
        }
    )
}

fn is_retrying(state: &NodeState) -> bool {
    matches!(
        state,
        NodeState::Waiting {
            what: WaitingFor::RetryAt { .. } | WaitingFor::LimitUntil { .. }
        }
    )
}

#[cfg(test)]
mod tests;
