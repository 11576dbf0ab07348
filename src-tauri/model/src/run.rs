//! One execution of an approved plan.
//!
//! A [`Command`] is what somebody wishes or reports; [`Run::step`] decides on it and returns the [`Event`]s
//! that follow, applied already, with the [`Effect`]s they ask for. The caller appends the events to the
//! store in one transaction and performs the effects only then. A caller whose append fails must drop the
//! run and [`Run::replay`] what the store holds: nothing that is not stored may have consequences.
//!
//! A run of 10,000 nodes takes the same work for each event as one of ten: what a node's end changes is
//! found through its children, never by looking at all nodes.

mod advance;
mod answer;
mod apply;
mod assignment;
mod backoff;
mod caller;
mod checkpoint;
mod command;
mod continuation;
mod course;
mod decide;
mod effect;
mod effort;
mod event;
mod fit;
mod gate;
mod inheritance;
mod inherited_check;
mod jump;
mod leave;
mod lookahead;
mod merge;
mod orders;
mod permits;
mod pin;
mod plan_retry;
mod ready;
mod replan;
mod semantics;
mod spending;
mod spread;
mod state;
mod stop;
mod takeover;
mod tally;
mod usage_limit;
mod wishes;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub use answer::{Answer, AnsweredBy, AskedCall, OutsideCall};
pub use apply::IllegalTransition;
pub use caller::{Allowance, Caller, Section};
pub use checkpoint::Checkpoint;
pub use command::{Command, Refusal};
pub use continuation::{Continuation, MESSAGE_LIMIT};
pub use course::{Moment, NodeMoment, busy_times, course};
pub use decide::Context;
pub use effect::Effect;
pub use event::{Event, Goal};
pub use inheritance::{Inheritance, Inherited};
pub use inherited_check::{
    CheckEnd, InheritedCheck, InheritedNode, NotRun, Recheck, VERIFY_BUDGET_MS,
    VERIFY_CHECK_LIMIT_MS,
};
pub use leave::Given;
pub use merge::{Conflict, ConflictFile, ConflictKind, Decided, Resolution};
pub use permits::{Demand, HeldBack, Holder, Obstacle, Permits, Unshared};
pub use pin::{PIN_LIMIT, Pin};
pub use replan::{BeforeReplan, ReplanEnd};
pub use semantics::Semantics;
pub use state::{
    Ending, NodeMarks, NodeRun, NodeState, PauseReason, RunState, SkipReason, Spent, WaitingFor,
};
pub use stop::AfterStop;
pub use takeover::{
    FailurePoint, FormerExecutor, TakeoverReason, TakeoverRecord, UnfinishedSession,
};

use crate::{Attempt, Epoch, Graph, Node, NodeId, Plan, RunId, SessionId, StartRule, Timestamp};
use inherited_check::InheritedChecks;
use jump::Jumps;
use ready::{Ready, ReadyKey};
use spread::Cause;
use tally::Tally;

/// The state of a run: the fold of its events.
#[derive(Debug, Clone)]
pub struct Run {
    id: RunId,
    /// How many events it has taken: the number of the last one.
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
    tallies: Vec<Tally>,
    jumps: Vec<Jumps>,
    /// Why a node that is blocked or skipped is.
    causes: Vec<Option<Cause>>,
    semantics: Semantics,
    /// The highest priority among the nodes that each node's end may let start.
    wakes: Arc<[u8]>,
    /// The nodes of which something is still to come, or may.
    unended: BTreeSet<usize>,
    /// The nodes whose attempt is reserved or lives.
    busy: BTreeSet<usize>,
    /// The nodes after whose end the run went on elsewhere.
    jumpers: BTreeSet<usize>,
    /// Nodes whose attempt was under way when jumps were made over them, and the nodes that made one.
    overtaken: BTreeMap<usize, BTreeSet<usize>>,
    /// Nodes whose reserved attempt was ordered to be given up. No part of the history: whoever takes the run over
    /// orders again what has to be.
    leaving: BTreeSet<usize>,
    /// Pending nodes that wait for what others hold.
    held: BTreeSet<usize>,
    ready: Ready,
    counts: Counts,
    touched: BTreeSet<usize>,
    /// Nodes whose attempt was told to end because of a pause: when it does, they are done again, also if the run
    /// was resumed meanwhile.
    stopped_for_a_pause: BTreeSet<usize>,
    /// The checks of inherited work that nothing new starts before.
    inherited_checks: Option<InheritedChecks>,
    /// When the first event was.
    started_at: Option<Timestamp>,
    began_at: Option<Timestamp>,
    default_agent: Option<String>,
    trusted_tools: Vec<String>,
    given: Vec<Given>,
    /// Sessions that live or are about to, by agent.
    busy_agents: BTreeMap<String, u32>,
    /// Who was chosen last, by team.
    rotation: BTreeMap<String, String>,
    /// Until when agents are at their usage limits, as far as nodes of this run found out.
    limits: BTreeMap<String, Timestamp>,
    checkpoints: Vec<Checkpoint>,
    /// What persons settled for edges, by child and parent.
    pins: BTreeMap<(NodeId, NodeId), Pin>,
    spent: Spent,
    /// How often the run has started again by itself.
    plan_retries: u32,
    /// The node of another run for which it stands, as far as its course depends on it.
    caller: Option<Arc<Caller>>,
}

/// How many nodes are in the states on which the course of the run depends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Counts {
    reserved: usize,
    live: usize,
    retrying: usize,
    asking: usize,
}

/// What followed from a command.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The events, in order; the run has applied them already.
    pub events: Vec<Event>,
    /// What to do once they are stored.
    pub effects: Vec<Effect>,
}

/// Why a stored history is not one of this plan.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The plan's graph has a cycle; such a plan is never approved.
    #[error(transparent)]
    Cycle(#[from] crate::graph::Cycle),
    /// An event does not fit the state before it.
    #[error(transparent)]
    Illegal(#[from] IllegalTransition),
}

/// Why a command had no consequences.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// The state does not allow it. Nothing has changed.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// What was decided does not fit the state: a fault of this crate. The run is of no more use, and nothing that
    /// it decided may be stored.
    #[error(transparent)]
    Illegal(#[from] IllegalTransition),
}

impl Run {
    /// A run that has not begun: its first event must be [`Event::Started`].
    pub fn new(id: RunId, plan: Arc<Plan>) -> Result<Self, crate::graph::Cycle> {
        let graph = Graph::new(&plan)?;
        let positions = plan
            .nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| node.is_executable())
            .map(|(at, _)| at);
        let positions: Arc<[usize]> = positions.collect();
        let tallies = (0..graph.len())
            .map(|number| open_tally(&graph, number))
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
            tallies,
            jumps: Jumps::open_all(&plan, &graph),
            causes: vec![None; graph.len()],
            semantics: Semantics::default(),
            wakes: lookahead::wakes(&plan, &graph).into(),
            unended: (0..graph.len()).collect(),
            busy: BTreeSet::new(),
            jumpers: BTreeSet::new(),
            overtaken: BTreeMap::new(),
            leaving: BTreeSet::new(),
            held: BTreeSet::new(),
            ready: Ready::default(),
            counts: Counts::default(),
            touched: BTreeSet::new(),
            inherited_checks: None,
            started_at: None,
            began_at: None,
            default_agent: None,
            trusted_tools: Vec::new(),
            given: Vec::new(),
            busy_agents: BTreeMap::new(),
            rotation: BTreeMap::new(),
            limits: BTreeMap::new(),
            checkpoints: Vec::new(),
            pins: BTreeMap::new(),
            spent: Spent::default(),
            plan_retries: 0,
            caller: None,
            stopped_for_a_pause: BTreeSet::new(),
            positions,
            graph: Arc::new(graph),
            plan,
        })
    }

    /// The run after its stored history.
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

    /// Decides on `command`, applies what follows, and fills free places.
    ///
    /// On a refusal nothing has changed; after an illegal event the run must be dropped.
    pub fn step(
        &mut self,
        command: &Command,
        context: &mut Context<'_>,
    ) -> Result<Step, StepError> {
        let mut step = Step::default();
        for event in self.decide(command, context)? {
            self.take(event, context.now, &mut step)?;
        }
        step.effects.extend(self.answer_again(command));
        step.effects.extend(self.ring_again(command, context.now));
        loop {
            let next = self.advance(context);
            if next.is_empty() {
                step.effects.extend(self.give_way());
                return Ok(step);
            }
            for event in next {
                self.take(event, context.now, &mut step)?;
            }
        }
    }

    /// Applies what `decide` or `advance` came to. They look at the very state that `apply` checks; where they
    /// disagree all the same, leaving the event out would let `advance` come to it again and again.
    fn take(
        &mut self,
        event: Event,
        now: Timestamp,
        step: &mut Step,
    ) -> Result<(), IllegalTransition> {
        step.effects.extend(self.apply(now, &event)?);
        step.events.push(event);
        Ok(())
    }

    /// The run's id.
    #[must_use]
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

    /// How the run goes.
    #[must_use]
    pub fn state(&self) -> &RunState {
        &self.state
    }

    /// The epoch whose writes count.
    #[must_use]
    pub fn epoch(&self) -> Epoch {
        self.epoch
    }

    /// When the whole run has to be over, by its plan. A run that is resumed gets the whole time anew.
    #[must_use]
    pub fn deadline(&self) -> Option<Timestamp> {
        Some(self.began_at?.plus_ms(self.plan.settings.timeout_ms?))
    }

    /// What all its nodes used so far, as far as agents tell and budgets ask.
    #[must_use]
    pub fn spent(&self) -> Spent {
        self.spent
    }

    /// What it got from the node of another run for which it stands.
    #[must_use]
    pub fn caller(&self) -> Option<&Arc<Caller>> {
        self.caller.as_ref()
    }

    /// The states that it can be taken back to, in order.
    #[must_use]
    pub fn checkpoints(&self) -> &[Checkpoint] {
        &self.checkpoints
    }

    /// The nodes that were done before something above them was done again.
    pub fn stale(&self) -> impl Iterator<Item = NodeId> {
        self.nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| node.stale)
            .map(|(number, _)| self.graph.id(number))
    }

    /// How many sessions may live at once.
    #[must_use]
    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// Which nodes are wanted.
    #[must_use]
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// One node's state.
    #[must_use]
    pub fn node(&self, id: NodeId) -> Option<&NodeRun> {
        self.graph.number(id).map(|number| &self.nodes[number])
    }

    /// Where in the plan's list of nodes an executable node stands.
    #[must_use]
    pub fn position(&self, id: NodeId) -> Option<usize> {
        self.graph.number(id).map(|number| self.positions[number])
    }

    /// All executable nodes in the order of the plan.
    pub fn nodes(&self) -> impl Iterator<Item = (&Node, &NodeRun)> {
        (0..self.nodes.len()).map(|number| (self.definition(number), &self.nodes[number]))
    }

    /// The attempts whose session lives, or is about to.
    pub fn live_attempts(&self) -> impl Iterator<Item = (NodeId, Attempt, SessionId)> {
        self.nodes.iter().enumerate().filter_map(|(number, node)| {
            let live = is_reserved(&node.state) || is_live(&node.state);
            let session = node.session.filter(|_| live)?;
            Some((self.graph.id(number), node.attempt, session))
        })
    }

    /// The node that would start next if every node were wanted.
    #[must_use]
    pub fn next_ready(&self) -> Option<NodeId> {
        let is_ready = |&number: &usize| {
            self.nodes[number].state == NodeState::Pending
                && self.verdict(number) == tally::Verdict::Ready
        };
        let next = (0..self.nodes.len())
            .filter(is_ready)
            .min_by_key(|&number| self.ready_key(number));
        next.map(|number| self.graph.id(number))
    }

    /// `node` and those of its ancestors that are not done: what has to run so that it can.
    #[must_use]
    pub fn needed_for(&self, node: NodeId) -> Vec<NodeId> {
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

    /// The nodes whose state has changed since this was last asked, and their states: what a cache must follow.
    pub fn take_touched(&mut self) -> Vec<(NodeId, NodeRun)> {
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

    /// Whether the node is done, or somebody decided to go on without it.
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

fn open_tally(graph: &Graph, number: usize) -> Tally {
    Tally::open(u32::try_from(graph.parents(number).count()).unwrap_or(u32::MAX))
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

/// Whether a person is asked, and no process waits for the answer.
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
