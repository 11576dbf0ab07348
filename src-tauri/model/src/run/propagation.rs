//! Propagates the change of a node to its dependents.
//!
//! Effects are found through the node's children, each of which keeps counts of its parents'
//! outcomes. No change scans all nodes, or all parents of a node.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::gate;
use super::jump::{JumpCounts, has_not_started, is_unfinished};
use super::parent_counts::{ParentOutcome, Readiness, runs_after_failure};
use super::ready::{Lane, LaneKind};
use super::semantics::{Semantics, outcome_v1, readiness_v1};
use super::state::{NodeState, SkipReason};
use super::visit_counter;
use super::{Counts, Run, initial_parent_counts, is_asking, is_live, is_reserved, is_retrying};
use crate::graph::{Gate, StartRule};
use crate::node::{NodeKind, TriggerRule};

/// A parent, and the gate between it and the child.
pub(super) type Cause = (usize, Gate);

/// Nodes to evaluate again, each with the parent that caused it.
type Worklist = Vec<(usize, Option<Cause>)>;

impl Run {
    /// Sets a node's state and propagates the change.
    pub(super) fn set_state(&mut self, number: usize, state: NodeState) {
        self.set_taken_state(number, state, None);
    }

    /// Sets the state of a node that took a branch, and propagates the change.
    pub(super) fn set_taken_state(&mut self, number: usize, state: NodeState, taken: Option<bool>) {
        let mut worklist = Worklist::new();
        self.change_node(number, state, taken, &mut worklist);
        while let Some((number, parent)) = worklist.pop() {
            // Evaluated only now, because other changes may have reached the node's parents in the
            // meantime.
            if let Some(state) = self.reevaluate(number, parent) {
                self.change_node(number, state, None, &mut worklist);
            }
        }
    }

    /// Changes one node, and collects the nodes to evaluate again.
    fn change_node(
        &mut self,
        number: usize,
        state: NodeState,
        taken: Option<bool>,
        worklist: &mut Worklist,
    ) {
        self.update_counts(number, &state);
        self.touched.insert(number);
        let jumps_before = self.jump_counts_of(number);
        let node = &mut self.nodes[number];
        let before = std::mem::replace(&mut node.state, state);
        let taken_before = std::mem::replace(&mut node.taken, taken);
        node.held_back = None;
        self.held.remove(&number);
        let node = &mut self.nodes[number];
        node.silent &= is_live(&node.state);
        node.stopping
            .take_if(|_| !is_live(&node.state) && !is_reserved(&node.state));
        let (is_unfinished, is_busy) = (
            is_unfinished(&node.state),
            is_live(&node.state) || is_reserved(&node.state),
        );
        set_membership(&mut self.unfinished_nodes, number, is_unfinished);
        set_membership(&mut self.busy, number, is_busy);
        let jumps = self.jump_target(number).is_some();
        set_membership(&mut self.jumpers, number, jumps);
        self.withdrawing.remove(&number);
        self.ready.remove(self.ready_key(number));
        if self.nodes[number].state == NodeState::Pending {
            worklist.push((number, None));
        }
        let graph = Arc::clone(&self.graph);
        for (child, gate) in graph.gated_children(number) {
            visit_counter::count_visit();
            let before = self.outcome(&before, taken_before, gate);
            let after = self.outcome(&self.nodes[number].state, taken, gate);
            if before != after {
                self.parent_counts[child].move_parent(before, after);
            }
            // A child reports why it can't start based on its cause, whose state may have changed.
            if before != after || self.causes[child] == Some((number, gate)) {
                worklist.push((child, Some((number, gate))));
            }
        }
        for ((target, before), (_, after)) in
            jumps_before.into_iter().zip(self.jump_counts_of(number))
        {
            if before != after {
                let jumps = &mut self.jumps[target];
                jumps.open = (jumps.open + after.open).saturating_sub(before.open);
                jumps.made = (jumps.made + after.made).saturating_sub(before.made);
                worklist.push((target, None));
            }
        }
    }

    /// The outcome of a parent in `state` for a child behind `gate`.
    fn outcome(&self, state: &NodeState, taken: Option<bool>, gate: Gate) -> ParentOutcome {
        match self.semantics {
            Semantics::V1 => outcome_v1(state, taken, gate),
            Semantics::V2 | Semantics::V3 | Semantics::V4 => gate::outcome(state, taken, gate),
        }
    }

    fn update_counts(&mut self, number: usize, after: &NodeState) {
        let before = &self.nodes[number].state;
        let step = |counter: &mut usize, is: fn(&NodeState) -> bool| {
            *counter += usize::from(is(after));
            *counter = counter.saturating_sub(usize::from(is(before)));
        };
        step(&mut self.counts.reserved, is_reserved);
        step(&mut self.counts.live, is_live);
        step(&mut self.counts.retrying, is_retrying);
        step(&mut self.counts.asking, is_asking);
        let holds_agent = |state: &NodeState| is_live(state) || is_reserved(state);
        let (was, is) = (holds_agent(before), holds_agent(after));
        if was != is {
            self.update_busy_agents(number, is);
        }
    }

    /// Recomputes everything derived from the states after they were changed individually. No
    /// session may be live.
    pub(super) fn recompute_derived(&mut self) {
        let graph = Arc::clone(&self.graph);
        self.parent_counts = (0..graph.len())
            .map(|number| initial_parent_counts(&graph, number))
            .collect();
        self.jumps = vec![JumpCounts::default(); graph.len()];
        self.causes = vec![None; graph.len()];
        self.counts = Counts::default();
        self.busy_agents.clear();
        self.busy.clear();
        self.overtaken.clear();
        self.withdrawing.clear();
        self.unfinished_nodes = (0..graph.len())
            .filter(|&number| is_unfinished(&self.nodes[number].state))
            .collect();
        self.jumpers = (0..graph.len())
            .filter(|&number| self.jump_target(number).is_some())
            .collect();
        for number in 0..graph.len() {
            let (state, taken) = (&self.nodes[number].state, self.nodes[number].taken);
            for (child, gate) in graph.gated_children(number) {
                let outcome = self.outcome(state, taken, gate);
                self.parent_counts[child].move_parent(ParentOutcome::Open, outcome);
            }
            for (target, jumps) in self.jump_counts_of(number) {
                self.jumps[target].open += jumps.open;
                self.jumps[target].made += jumps.made;
            }
        }
        self.find_ready();
    }

    /// Recomputes the ready nodes from all states.
    pub(super) fn find_ready(&mut self) {
        self.ready.clear();
        for number in 0..self.nodes.len() {
            self.reevaluate(number, None);
        }
    }

    /// Returns what the node's parents mean for it.
    pub(super) fn readiness(&self, number: usize) -> Readiness {
        let jumps = self.jumps[number];
        // A jump target waits for nothing else.
        if jumps.made > 0 {
            return Readiness::Ready;
        }
        let (counts, rule) = (self.parent_counts[number], self.rule(number));
        let verdict = match self.semantics {
            Semantics::V1 => readiness_v1(counts, rule),
            Semantics::V2 | Semantics::V3 | Semantics::V4 => counts.readiness(rule),
        };
        match verdict {
            // The run may still jump here. Nodes that wait for the end of this one must not start
            // before that.
            Readiness::Blocked | Readiness::Skip if jumps.open > 0 => Readiness::Wait,
            verdict => verdict,
        }
    }

    /// Evaluates a node that has not started. Returns its new state if it changes.
    fn reevaluate(&mut self, number: usize, parent: Option<Cause>) -> Option<NodeState> {
        visit_counter::count_visit();
        if !self.follows_from_parents(number) {
            return None;
        }
        let verdict = self.readiness(number);
        let key = self.ready_key(number);
        if verdict == Readiness::Ready && self.is_wanted(number) {
            let lane = self.lane(number);
            self.ready.insert(key, lane);
        } else {
            self.ready.remove(key);
        }
        let state = match verdict {
            Readiness::Ready | Readiness::Wait => NodeState::Pending,
            Readiness::Blocked => self.blocked_state(number, parent),
            Readiness::Skip => self.skipped_state(number, parent),
        };
        (state != self.nodes[number].state).then_some(state)
    }

    /// Whether the node's state follows from its parents, without any other decision.
    pub(super) fn follows_from_parents(&self, number: usize) -> bool {
        match &self.nodes[number].state {
            // Jumped over, but also a jump target itself.
            NodeState::Skipped {
                reason: SkipReason::JumpedOver { .. },
            } => self.jumps[number].made > 0,
            NodeState::Skipped { reason } => reason.follows_from_parents(),
            state => has_not_started(state),
        }
    }

    /// Whether a person is asked before the node runs, or the node is a question.
    pub(super) fn starts_with_question(&self, number: usize) -> bool {
        matches!(self.definition(number).kind, NodeKind::UserInput(_))
            || (self.needs_start_approval(number) && !self.nodes[number].approved)
    }

    fn lane(&self, number: usize) -> Lane {
        let asks = self.starts_with_question(number);
        let kind = match (self.arbiter_lane(number), self.plain_agent(number)) {
            _ if asks => LaneKind::Question,
            (Some(alike), _) => LaneKind::Arbiter(alike),
            (None, Some(agent)) => LaneKind::Agent(agent.to_owned()),
            (None, None) => LaneKind::Slot,
        };
        let mut locks = self.definition(number).locks.clone();
        locks.sort_unstable();
        Lane {
            cleans_up: runs_after_failure(self.rule(number)),
            locks,
            kind,
        }
    }

    fn blocked_state(&mut self, number: usize, parent: Option<Cause>) -> NodeState {
        let named = match &self.nodes[number].state {
            NodeState::Blocked { by } => self.graph.number(*by),
            _ => None,
        };
        let by = self
            .cause(number, &[ParentOutcome::Failed], named, parent)
            .unwrap_or(number);
        NodeState::Blocked {
            by: self.graph.id(by),
        }
    }

    fn skipped_state(&mut self, number: usize, parent: Option<Cause>) -> NodeState {
        let named = match &self.nodes[number].state {
            NodeState::Skipped {
                reason:
                    SkipReason::ParentSkipped { parent }
                    | SkipReason::NotTaken { by: parent }
                    | SkipReason::RuleNotMet {
                        because: Some(parent),
                    },
            } => self.graph.number(*parent),
            _ => None,
        };
        let because = self.cause(number, self.ruled_out_by(number), named, parent);
        NodeState::Skipped {
            reason: because.map_or(SkipReason::RuleNotMet { because: None }, |it| {
                self.skip_reason(it)
            }),
        }
    }

    fn skip_reason(&self, because: usize) -> SkipReason {
        let parent = self.graph.id(because);
        match &self.nodes[because].state {
            NodeState::Skipped {
                reason: SkipReason::AfterFailure { .. },
            }
            | NodeState::Failed { .. }
                if self.semantics != Semantics::V1 =>
            {
                SkipReason::RuleNotMet {
                    because: Some(parent),
                }
            }
            NodeState::Skipped { .. } => SkipReason::ParentSkipped { parent },
            _ => SkipReason::NotTaken { by: parent },
        }
    }

    /// The outcomes of parents that make the node's rule unsatisfiable.
    fn ruled_out_by(&self, number: usize) -> &'static [ParentOutcome] {
        use ParentOutcome::{Handled, NotRun, Tolerated};
        match self.rule(number) {
            _ if self.semantics == Semantics::V1 => &[NotRun],
            StartRule::Written(TriggerRule::OneSuccess) => &[Tolerated, Handled, NotRun],
            StartRule::Written(TriggerRule::NoneFailed) => &[Tolerated, Handled],
            StartRule::Written(TriggerRule::NoneFailedMinOneSuccess) => {
                &[Tolerated, Handled, NotRun]
            }
            StartRule::Written(_) | StartRule::Join => &[Handled, NotRun],
        }
    }

    /// A parent with one of the outcomes `wanted`: the current cause if it still applies, so that
    /// the cause is stable; else the one that triggered the evaluation; else any.
    fn cause(
        &mut self,
        number: usize,
        wanted: &[ParentOutcome],
        named: Option<usize>,
        news: Option<Cause>,
    ) -> Option<usize> {
        let holds = |run: &Self, (parent, gate): Cause| {
            visit_counter::count_visit();
            wanted.contains(&run.outcome(&run.nodes[parent].state, run.nodes[parent].taken, gate))
        };
        let known = self.causes[number].filter(|&(parent, _)| Some(parent) == named);
        let mut cause = known.filter(|&cause| holds(self, cause));
        if cause.is_none() && (named.is_none() || known.is_some()) {
            cause = news.filter(|&cause| holds(self, cause));
        }
        if cause.is_none() {
            let mut all = self
                .graph
                .gated_parents(number)
                .filter(|&cause| holds(self, cause));
            let first = all.next();
            cause = first
                .into_iter()
                .chain(all)
                .find(|&(parent, _)| Some(parent) == named)
                .or(first);
        }
        self.causes[number] = cause;
        cause.map(|(parent, _)| parent)
    }
}

fn set_membership(set: &mut BTreeSet<usize>, number: usize, is_in: bool) {
    if is_in {
        set.insert(number);
    } else {
        set.remove(&number);
    }
}
