//! How the change of one node reaches the nodes that depend on it.
//!
//! What a change means is found through the node's children, each of which keeps a tally of its parents. No
//! change looks at all nodes, or at all parents of a node.

use std::sync::Arc;

use super::effort;
use super::gate::column;
use super::jump::{self, Jumps, is_unbegun};
use super::ready::{Begins, Lane};
use super::state::{NodeState, SkipReason};
use super::tally::{Column, Verdict, runs_after_failure};
use super::{Counts, Run, is_asking, is_live, is_reserved, is_retrying, open_tally};
use crate::graph::Gate;
use crate::node::NodeKind;

/// A parent, and the gate through which its child sees it.
pub(super) type Cause = (usize, Gate);

/// Nodes that have to be judged again, each with the parent because of which.
type News = Vec<(usize, Option<Cause>)>;

impl Run {
    /// Puts a node into `state` and passes the news down the graph.
    pub(super) fn set_state(&mut self, number: usize, state: NodeState) {
        self.set_taken_state(number, state, None);
    }

    /// Puts a node that took a branch into `state`, and passes the news down the graph.
    pub(super) fn set_taken_state(&mut self, number: usize, state: NodeState, taken: Option<bool>) {
        let mut news = News::new();
        self.put(number, state, taken, &mut news);
        while let Some((number, parent)) = news.pop() {
            // Judged only now: other news may have reached the node's parents meanwhile.
            if let Some(state) = self.look_again(number, parent) {
                self.put(number, state, None, &mut news);
            }
        }
    }

    /// Changes one node, and notes which nodes have to be judged again because of it.
    fn put(&mut self, number: usize, state: NodeState, taken: Option<bool>, news: &mut News) {
        self.count(number, &state);
        self.touched.insert(number);
        let jumps_before = self.jumps_of(number);
        let node = &mut self.nodes[number];
        let before = std::mem::replace(&mut node.state, state);
        let taken_before = std::mem::replace(&mut node.taken, taken);
        node.silent &= is_live(&node.state);
        node.stopping.take_if(|_| !is_live(&node.state) && !is_reserved(&node.state));
        if is_unbegun(&node.state) {
            self.unbegun.insert(number)
        } else {
            self.unbegun.remove(&number)
        };
        self.ready.remove(self.ready_key(number));
        if self.nodes[number].state == NodeState::Pending {
            news.push((number, None));
        }
        let graph = Arc::clone(&self.graph);
        for (child, gate) in graph.gated_children(number) {
            effort::look();
            let before = column(&before, taken_before, gate);
            let after = column(&self.nodes[number].state, taken, gate);
            if before != after {
                self.tallies[child].shift(before, after);
                news.push((child, Some((number, gate))));
            }
        }
        for ((target, before), (_, after)) in jumps_before.into_iter().zip(self.jumps_of(number)) {
            if before != after {
                let jumps = &mut self.jumps[target];
                jumps.open = (jumps.open + after.open).saturating_sub(before.open);
                jumps.made = (jumps.made + after.made).saturating_sub(before.made);
                news.push((target, None));
            }
        }
    }

    fn count(&mut self, number: usize, after: &NodeState) {
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
            self.count_agents(number, is);
        }
    }

    /// Works out anew all that follows from the states, after they were changed one by one. Nothing may live.
    pub(super) fn work_out_again(&mut self) {
        let graph = Arc::clone(&self.graph);
        self.tallies = (0..graph.len()).map(|number| open_tally(&graph, number)).collect();
        self.jumps = vec![Jumps::default(); graph.len()];
        self.causes = vec![None; graph.len()];
        self.counts = Counts::default();
        self.busy_agents.clear();
        self.unbegun = jump::unbegun(&self.nodes);
        for number in 0..graph.len() {
            let (state, taken) = (&self.nodes[number].state, self.nodes[number].taken);
            for (child, gate) in graph.gated_children(number) {
                self.tallies[child].shift(Column::Open, column(state, taken, gate));
            }
            for (target, jumps) in self.jumps_of(number) {
                self.jumps[target].open += jumps.open;
                self.jumps[target].made += jumps.made;
            }
        }
        self.find_ready();
    }

    /// Finds the nodes that may start, from the states of all.
    pub(super) fn find_ready(&mut self) {
        self.ready.clear();
        for number in 0..self.nodes.len() {
            self.look_again(number, None);
        }
    }

    /// What a node's parents mean for it.
    pub(super) fn verdict(&self, number: usize) -> Verdict {
        let jumps = self.jumps[number];
        // Where the run goes on, nothing else has to be waited for.
        if jumps.made > 0 {
            return Verdict::Ready;
        }
        match self.tallies[number].verdict(self.rule(number)) {
            // The run may still go on here. Whatever waits for the end of this node must not start before.
            Verdict::Blocked | Verdict::Skip if jumps.open > 0 => Verdict::Wait,
            verdict => verdict,
        }
    }

    /// Judges a node that has not begun by its parents; the new state, if it has to change.
    fn look_again(&mut self, number: usize, parent: Option<Cause>) -> Option<NodeState> {
        effort::look();
        if !self.follows_from_parents(number) {
            return None;
        }
        let verdict = self.verdict(number);
        let key = self.ready_key(number);
        if verdict == Verdict::Ready && self.is_wanted(number) {
            let lane = self.lane(number);
            self.ready.insert(key, lane);
        } else {
            self.ready.remove(key);
        }
        let state = match verdict {
            Verdict::Ready | Verdict::Wait => NodeState::Pending,
            Verdict::Blocked => self.blocked(number, parent),
            Verdict::Skip => self.skipped(number, parent),
        };
        (state != self.nodes[number].state).then_some(state)
    }

    /// Whether the node stands where its parents put it, and nobody has decided otherwise.
    pub(super) fn follows_from_parents(&self, number: usize) -> bool {
        match &self.nodes[number].state {
            // Jumped over once, and then the very place where the run goes on.
            NodeState::Skipped { reason: SkipReason::JumpedOver { .. } } => self.jumps[number].made > 0,
            NodeState::Skipped { reason } => reason.follows_from_parents(),
            state => is_unbegun(state),
        }
    }

    /// Whether a person is asked before anything of the node runs, or is the whole node.
    pub(super) fn begins_with_a_question(&self, number: usize) -> bool {
        matches!(self.definition(number).kind, NodeKind::UserInput(_))
            || (self.needs_leave(number) && !self.nodes[number].approved)
    }

    fn lane(&self, number: usize) -> Lane {
        let asks = self.begins_with_a_question(number);
        let begins = match (self.lane_of_arbiter(number), self.limited_agent(number)) {
            _ if asks => Begins::WithAQuestion,
            (Some(alike), _) => Begins::ByArbiter(alike),
            (None, Some(agent)) => Begins::WithAgent(agent.to_owned()),
            (None, None) => Begins::InAPlace,
        };
        Lane { cleans_up: runs_after_failure(self.rule(number)), begins }
    }

    fn blocked(&mut self, number: usize, parent: Option<Cause>) -> NodeState {
        let named = match &self.nodes[number].state {
            NodeState::Blocked { by } => self.graph.number(*by),
            _ => None,
        };
        let by = self.cause(number, Column::Failed, named, parent).unwrap_or(number);
        NodeState::Blocked { by: self.graph.id(by) }
    }

    fn skipped(&mut self, number: usize, parent: Option<Cause>) -> NodeState {
        let named = match &self.nodes[number].state {
            NodeState::Skipped {
                reason: SkipReason::ParentSkipped { parent } | SkipReason::NotTaken { by: parent },
            } => self.graph.number(*parent),
            _ => None,
        };
        let reason = match self.cause(number, Column::Skipped, named, parent) {
            Some(parent) if matches!(self.nodes[parent].state, NodeState::Skipped { .. }) => {
                SkipReason::ParentSkipped { parent: self.graph.id(parent) }
            }
            Some(parent) => SkipReason::NotTaken { by: self.graph.id(parent) },
            None => SkipReason::RuleNotMet,
        };
        NodeState::Skipped { reason }
    }

    /// A parent that counts in `wanted`: the one that is named already, so that the cause stays the same while it
    /// holds; else the one that brought the news; else any.
    fn cause(&mut self, number: usize, wanted: Column, named: Option<usize>, news: Option<Cause>) -> Option<usize> {
        let holds = |run: &Self, (parent, gate): Cause| {
            effort::look();
            column(&run.nodes[parent].state, run.nodes[parent].taken, gate) == wanted
        };
        let known = self.causes[number].filter(|&(parent, _)| Some(parent) == named);
        let mut cause = known.filter(|&cause| holds(self, cause));
        if cause.is_none() && (named.is_none() || known.is_some()) {
            cause = news.filter(|&cause| holds(self, cause));
        }
        if cause.is_none() {
            let mut all = self.graph.gated_parents(number).filter(|&cause| holds(self, cause));
            let first = all.next();
            cause = first.into_iter().chain(all).find(|&(parent, _)| Some(parent) == named).or(first);
        }
        self.causes[number] = cause;
        cause.map(|(parent, _)| parent)
    }
}
