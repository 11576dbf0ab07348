//! Which attempts are reserved before a slot is free.
//!
//! Up to twice as many attempts are reserved as there are slots, so that a free slot is filled
//! immediately, before the previous attempt's end is evaluated. So an attempt must not be reserved
//! if that end could still change whose turn it is.

use super::effect::Effect;
use super::jump::jump_targets;
use super::ready::Lane;
use super::{Run, is_reserved};
use crate::graph::StartRule;
use crate::node::TriggerRule;
use crate::{Graph, Plan};

impl Run {
    /// Whether a node's attempt may be queued for a slot, regardless of the outcome of the
    /// attempts before it.
    pub(super) fn may_be_reserved_ahead(
        &self,
        number: usize,
        is_open: impl Fn(&Lane) -> bool,
    ) -> bool {
        let priority = self.definition(number).priority;
        let goes_first = |other: usize| {
            self.unblocked_priority[other] > priority || self.may_jump_over_or_to(other, number)
        };
        let is_first = self
            .ready
            .best_priority(is_open, |other| self.is_held_back_already(other))
            .is_none_or(|best| best <= priority);
        // At most twice the limit of nodes are busy, regardless of the plan's size.
        is_first && !self.busy.iter().any(|&other| goes_first(other))
    }

    fn may_jump_over_or_to(&self, from: usize, number: usize) -> bool {
        let mut targets =
            jump_targets(self.definition(from)).filter_map(|target| self.graph.number(target));
        targets.any(|target| target == number || (from < number && number < target))
    }

    /// Withdraws reserved attempts whose slot should go to a node with higher priority. Attempts
    /// that have started stay.
    pub(super) fn withdraw_lower_priority(
        &mut self,
        is_open: impl Fn(&Lane) -> bool,
    ) -> Vec<Effect> {
        // If every attempt has a slot, none is in the way.
        if self.busy.len() <= self.limit as usize {
            return Vec::new();
        }
        let Some(best) = self
            .ready
            .best_priority(is_open, |other| self.is_held_back_already(other))
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

    fn is_held_back_already(&self, number: usize) -> bool {
        self.nodes[number].held_back.is_some()
    }

    /// The effect that withdraws a reserved attempt; `None` if that was already ordered.
    pub(super) fn withdraw(&mut self, number: usize) -> Option<Effect> {
        let (node, attempt) = (self.graph.id(number), self.nodes[number].attempt);
        self.withdrawing
            .insert(number)
            .then_some(Effect::WithdrawSession { node, attempt })
    }
}

/// The highest priority among the nodes that each node's end may unblock.
///
/// These are its children, and nodes below a skipped child if their rule still lets them start.
pub(super) fn unblocked_priority(plan: &Plan, graph: &Graph) -> Vec<u8> {
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
        // A jump can skip nodes anywhere.
        if jump_targets(node).next().is_some() {
            wakes[number] = wakes[number].max(most);
        }
    }
    wakes
}

/// Returns which lanes stay open after a failure has ended the run.
pub(super) fn lane_filter(aborting: bool) -> impl Fn(&Lane) -> bool + Copy {
    move |lane| lane.cleans_up || !aborting
}
