//! What the reference reads out of a plan: who waits for whom, and by what.

use std::collections::{BTreeMap, BTreeSet};

use super::judgement::Rule;
use super::reference::numbers;
use crate::node::{OnFailure, TriggerRule};
use crate::{NodeId, Plan};

/// Why a child waits for a parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Ways {
    pub(super) drawn: bool,
    pub(super) if_true: bool,
    pub(super) if_false: bool,
    pub(super) on_success: bool,
    pub(super) on_failure: bool,
}

impl Ways {
    pub(super) fn is_jump(self) -> bool {
        self.on_success || self.on_failure
    }

    pub(super) fn is_only_after_failure(self) -> bool {
        self.on_failure && !(self.drawn || self.on_success || self.if_true || self.if_false)
    }

    /// Whether the parent may end well and the child be left out all the same.
    fn is_fork(self) -> bool {
        let both_branches = self.if_true && self.if_false;
        !both_branches && (self.on_failure || self.if_true || self.if_false)
    }
}

#[derive(Debug, Clone)]
pub(super) struct Layout {
    pub(super) number: BTreeMap<NodeId, usize>,
    pub(super) parents: Vec<Vec<(usize, Ways)>>,
    /// Parents before their children.
    pub(super) order: Vec<usize>,
    pub(super) rules: Vec<Rule>,
    pub(super) success: Vec<Option<usize>>,
    /// The longest way down, also over edges that only hand on.
    pub(super) depths: Vec<u32>,
    below: Vec<Vec<usize>>,
}

impl Layout {
    pub(super) fn of(plan: &Plan) -> Self {
        let number = numbers(plan);
        let parents = parents_of(plan, &number);
        let order = in_order(plan, &parents, &number);
        let mut layout = Self {
            rules: default_rules(&parents, &order),
            success: plan.nodes.iter().map(|node| node.on_success.map(|target| number[&target])).collect(),
            depths: depths(plan, &parents, &order, &number),
            below: vec![Vec::new(); parents.len()],
            number,
            parents,
            order,
        };
        for (rule, node) in layout.rules.iter_mut().zip(&plan.nodes) {
            *rule = node.trigger_rule.map_or(*rule, Rule::Written);
        }
        for &number in layout.order.iter().rev() {
            let children = (0..layout.parents.len()).filter(|&child| is_child(&layout.parents, child, number));
            let below: BTreeSet<usize> =
                children.flat_map(|child| layout.below[child].iter().copied().chain([child])).collect();
            layout.below[number] = below.into_iter().collect();
        }
        layout
    }

    pub(super) fn children(&self, number: usize) -> impl Iterator<Item = usize> {
        (0..self.parents.len()).filter(move |&child| is_child(&self.parents, child, number))
    }

    /// All that waits for the node, near and far.
    pub(super) fn dependents(&self, number: usize) -> Vec<usize> {
        self.below[number].clone()
    }
}

fn is_child(parents: &[Vec<(usize, Ways)>], child: usize, of: usize) -> bool {
    parents[child].iter().any(|&(parent, _)| parent == of)
}

fn parents_of(plan: &Plan, number: &BTreeMap<NodeId, usize>) -> Vec<Vec<(usize, Ways)>> {
    let mut ways: BTreeMap<(usize, usize), Ways> = BTreeMap::new();
    let mut way = |parent: NodeId, child: NodeId, set: fn(&mut Ways)| {
        set(ways.entry((number[&child], number[&parent])).or_default());
    };
    for edge in plan.edges.iter().filter(|edge| !edge.soft) {
        way(edge.parent, edge.child, |ways| ways.drawn = true);
    }
    for node in &plan.nodes {
        for (taken, head) in node.kind.branches() {
            way(node.id, head, if taken { |ways| ways.if_true = true } else { |ways| ways.if_false = true });
        }
        node.on_success.into_iter().for_each(|target| way(node.id, target, |ways| ways.on_success = true));
        if let OnFailure::Node(target) = node.on_failure {
            way(node.id, target, |ways| ways.on_failure = true);
        }
    }
    let mut parents = vec![Vec::new(); plan.nodes.len()];
    ways.into_iter().for_each(|((child, parent), ways)| parents[child].push((parent, ways)));
    parents
}

fn in_order(plan: &Plan, parents: &[Vec<(usize, Ways)>], number: &BTreeMap<NodeId, usize>) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    while order.len() < parents.len() {
        let has_come = |parent: usize| order.contains(&parent);
        let hands_on = |child: usize| {
            let edges = plan.edges.iter().filter(move |edge| number[&edge.child] == child);
            edges.map(|edge| number[&edge.parent])
        };
        let next = (0..parents.len()).find(|&node| {
            !has_come(node) && parents[node].iter().all(|&(parent, _)| has_come(parent)) && hands_on(node).all(has_come)
        });
        order.push(next.expect("the plan has no cycle"));
    }
    order
}

/// Where ways come together of which a fork may close some, whichever was taken is enough (product E2). The head of a
/// branch waits for its branch.
fn default_rules(parents: &[Vec<(usize, Ways)>], order: &[usize]) -> Vec<Rule> {
    let forks: BTreeSet<usize> =
        parents.iter().flatten().filter(|(_, ways)| ways.is_fork()).map(|&(parent, _)| parent).collect();
    let mut below = BTreeSet::new();
    let mut rules = vec![Rule::Written(TriggerRule::AllSuccess); parents.len()];
    for &number in order {
        let own = &parents[number];
        let is_head = own.iter().filter(|(_, ways)| ways.if_true != ways.if_false).count() == 1;
        let may_close = |(parent, ways): &&(usize, Ways)| ways.is_fork() || below.contains(parent);
        let is_below = own.iter().any(|parent| may_close(&parent));
        if !is_head && own.iter().filter(|parent| may_close(parent) || forks.contains(&parent.0)).count() > 1 {
            rules[number] = Rule::Join;
        }
        if is_below {
            below.insert(number);
        }
    }
    rules
}

fn depths(plan: &Plan, parents: &[Vec<(usize, Ways)>], order: &[usize], number: &BTreeMap<NodeId, usize>) -> Vec<u32> {
    let mut depths = vec![0; parents.len()];
    for &child in order.iter().rev() {
        let hands_on = plan.edges.iter().filter(|edge| number[&edge.child] == child).map(|edge| number[&edge.parent]);
        for parent in parents[child].iter().map(|&(parent, _)| parent).chain(hands_on) {
            depths[parent] = depths[parent].max(depths[child] + 1);
        }
    }
    depths
}
