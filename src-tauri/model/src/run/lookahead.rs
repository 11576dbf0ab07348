//! Which attempts are reserved before there is a place for them.
//!
//! Up to twice as many attempts are reserved as there are places, since a place that becomes free goes on with a
//! reserved attempt at once, before the end of the last one was judged. So nothing is reserved ahead whose turn that
//! end could still take away.

use super::effect::Effect;
use super::jump::named_by;
use super::ready::Lane;
use super::{Run, is_reserved};
use crate::graph::StartRule;
use crate::node::TriggerRule;
use crate::{Graph, Plan};

impl Run {
    /// Whether the attempt of a node may wait in line for a place, whatever comes of the attempts before it.
    pub(super) fn may_be_reserved_ahead(
        &self,
        number: usize,
        is_open: impl Fn(&Lane) -> bool,
    ) -> bool {
        let priority = self.definition(number).priority;
        let goes_first =
            |other: usize| self.wakes[other] > priority || self.may_jump_over_or_to(other, number);
        let is_first = self
            .ready
            .best_priority(is_open, |other| self.is_known_held_back(other))
            .is_none_or(|best| best <= priority);
        // At most twice the limit of nodes are busy, however large the plan is.
        is_first && !self.busy.iter().any(|&other| goes_first(other))
    }

    fn may_jump_over_or_to(&self, from: usize, number: usize) -> bool {
        let mut targets =
            named_by(self.definition(from)).filter_map(|target| self.graph.number(target));
        targets.any(|target| target == number || (from < number && number < target))
    }

    /// Reserved attempts whose place a node of higher priority should have are given up. Those that have begun stay.
    pub(super) fn make_way(&mut self, is_open: impl Fn(&Lane) -> bool) -> Vec<Effect> {
        // As long as there is a place for each, nobody is in the way.
        if self.busy.len() <= self.limit as usize {
            return Vec::new();
        }
        let Some(best) = self
            .ready
            .best_priority(is_open, |other| self.is_known_held_back(other))
        else {
            return Vec::new();
        };
        let is_in_the_way = |&number: &usize| {
            is_reserved(&self.nodes[number].state) && self.definition(number).priority < best
        };
        let in_the_way: Vec<usize> = self.busy.iter().copied().filter(is_in_the_way).collect();
        in_the_way
            .into_iter()
            .filter_map(|number| self.withdraw(number))
            .collect()
    }

    fn is_known_held_back(&self, number: usize) -> bool {
        self.nodes[number].held_back.is_some()
    }

    /// The order to give up a reserved attempt; `None` when it was given already.
    pub(super) fn withdraw(&mut self, number: usize) -> Option<Effect> {
        let (node, attempt) = (self.graph.id(number), self.nodes[number].attempt);
        self.leaving
            .insert(number)
            .then_some(Effect::WithdrawSession { node, attempt })
    }
}

/// The highest priority among the nodes that each node's end may let start.
///
/// Those are its children, and nodes below a child that is skipped, if their rule lets them start all the same.
pub(super) fn wakes(plan: &Plan, graph: &Graph) -> Vec<u8> {
    let nodes: Vec<&crate::Node> = plan
        .nodes
        .iter()
        .filter(|node| node.is_executable())
        .collect();
    let mut order: Vec<usize> = (0..graph.len()).collect();
    order.sort_by_key(|&number| graph.depth_below(number));
    let (mut wakes, mut through_skips) = (vec![0; graph.len()], vec![0; graph.len()]);
    for number in order {
        for child in graph.children(number) {
            let rule = graph.start_rule(child, nodes[child].trigger_rule);
            let needs_all = rule == StartRule::Written(TriggerRule::AllSuccess);
            let below: u8 = through_skips[child];
            wakes[number] = wakes[number].max(nodes[child].priority).max(below);
            through_skips[number] = through_skips[number]
                .max(if needs_all { 0 } else { nodes[child].priority })
                .max(below);
        }
    }
    let most = through_skips.iter().copied().max().unwrap_or(0);
    for (number, node) in nodes.iter().enumerate() {
        // What is jumped over is skipped, wherever it stands.
        if named_by(node).next().is_some() {
            wakes[number] = wakes[number].max(most);
        }
    }
    wakes
}

/// Which lanes a run that a failure has ended keeps open.
pub(super) fn is_open(aborting: bool) -> impl Fn(&Lane) -> bool + Copy {
    move |lane| lane.cleans_up || !aborting
}
