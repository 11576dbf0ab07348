//! How the change of one node reaches the nodes that depend on it.
//!
//! What a change means is found through the node's children, each of which keeps a tally of its parents. No
//! change looks at all nodes, or at all parents of a node.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::effort;
use super::gate;
use super::jump::{Jumps, is_unbegun, is_unended};
use super::ready::{Begins, Lane};
use super::semantics::{Semantics, outcome_v1, verdict_v1};
use super::state::{NodeState, SkipReason};
use super::tally::{ParentOutcome, Verdict, runs_after_failure};
use super::{Counts, Run, is_asking, is_live, is_reserved, is_retrying, open_tally};
use crate::graph::{Gate, StartRule};
use crate::node::{NodeKind, TriggerRule};

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
        node.held_back = None;
        self.held.remove(&number);
        let node = &mut self.nodes[number];
        node.silent &= is_live(&node.state);
        node.stopping
            .take_if(|_| !is_live(&node.state) && !is_reserved(&node.state));
        let (is_unended, is_busy) = (
            is_unended(&node.state),
            is_live(&node.state) || is_reserved(&node.state),
        );
        keep(&mut self.unended, number, is_unended);
        keep(&mut self.busy, number, is_busy);
        let jumps = self.jump_target(number).is_some();
        keep(&mut self.jumpers, number, jumps);
        self.leaving.remove(&number);
        self.ready.remove(self.ready_key(number));
        if self.nodes[number].state == NodeState::Pending {
            news.push((number, None));
        }
        let graph = Arc::clone(&self.graph);
        for (child, gate) in graph.gated_children(number) {
            effort::look();
            let before = self.outcome(&before, taken_before, gate);
            let after = self.outcome(&self.nodes[number].state, taken, gate);
            if before != after {
                self.tallies[child].shift(before, after);
            }
            // A child says why it cannot start: by what became of its cause, which may be something else now.
            if before != after || self.causes[child] == Some((number, gate)) {
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

    /// What a parent in `state` means to a child behind `gate`.
    fn outcome(&self, state: &NodeState, taken: Option<bool>, gate: Gate) -> ParentOutcome {
        match self.semantics {
            Semantics::V1 => outcome_v1(state, taken, gate),
            Semantics::V2 | Semantics::V3 | Semantics::V4 => gate::outcome(state, taken, gate),
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
        self.tallies = (0..graph.len())
            .map(|number| open_tally(&graph, number))
            .collect();
        self.jumps = vec![Jumps::default(); graph.len()];
        self.causes = vec![None; graph.len()];
        self.counts = Counts::default();
        self.busy_agents.clear();
        self.busy.clear();
        self.overtaken.clear();
        self.leaving.clear();
        self.unended = (0..graph.len())
            .filter(|&number| is_unended(&self.nodes[number].state))
            .collect();
        self.jumpers = (0..graph.len())
            .filter(|&number| self.jump_target(number).is_some())
            .collect();
        for number in 0..graph.len() {
            let (state, taken) = (&self.nodes[number].state, self.nodes[number].taken);
            for (child, gate) in graph.gated_children(number) {
                let outcome = self.outcome(state, taken, gate);
                self.tallies[child].shift(ParentOutcome::Open, outcome);
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
        let (tally, rule) = (self.tallies[number], self.rule(number));
        let verdict = match self.semantics {
            Semantics::V1 => verdict_v1(tally, rule),
            Semantics::V2 | Semantics::V3 | Semantics::V4 => tally.verdict(rule),
        };
        match verdict {
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
            NodeState::Skipped {
                reason: SkipReason::JumpedOver { .. },
            } => self.jumps[number].made > 0,
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
        let begins = match (self.lane_of_arbiter(number), self.plain_agent(number)) {
            _ if asks => Begins::WithAQuestion,
            (Some(alike), _) => Begins::ByArbiter(alike),
            (None, Some(agent)) => Begins::WithAgent(agent.to_owned()),
            (None, None) => Begins::InAPlace,
        };
        let mut locks = self.definition(number).locks.clone();
        locks.sort_unstable();
        Lane {
            cleans_up: runs_after_failure(self.rule(number)),
            locks,
            begins,
        }
    }

    fn blocked(&mut self, number: usize, parent: Option<Cause>) -> NodeState {
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

    fn skipped(&mut self, number: usize, parent: Option<Cause>) -> NodeState {
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

    /// The outcomes of parents because of which the node's rule can no longer hold.
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

    /// A parent with one of the outcomes `wanted`: the one that is named already, so that the cause stays the same while it
    /// holds; else the one that brought the news; else any.
    fn cause(
        &mut self,
        number: usize,
        wanted: &[ParentOutcome],
        named: Option<usize>,
        news: Option<Cause>,
    ) -> Option<usize> {
        let holds = |run: &Self, (parent, gate): Cause| {
            effort::look();
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

fn keep(set: &mut BTreeSet<usize>, number: usize, is_in: bool) {
    if is_in {
        set.insert(number);
    } else {
        set.remove(&number);
    }
}
