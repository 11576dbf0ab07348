//! The reference's view of a plan: which nodes wait for which, and why.

use std::collections::{BTreeMap, BTreeSet};

use super::judgment::Rule;
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

    /// Whether the child may be skipped although the parent succeeds.
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
    /// The longest path down, including soft edges.
    pub(super) depths: Vec<u32>,
    below: Vec<Vec<usize>>,
}

impl Layout {
    pub(super) fn of(plan: &Plan) -> Self {
        let number = numbers(plan);
        let parents = parents_of(plan, &number);
        let order = in_order(plan, &parents, &number);
        let mut layout = Self {
            rules: default_rules(plan, &parents, &order),
            success: plan
                .nodes
                .iter()
                .map(|node| node.on_success.map(|target| number[&target]))
                .collect(),
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
            let children =
                (0..layout.parents.len()).filter(|&child| is_child(&layout.parents, child, number));
            let below: BTreeSet<usize> = children
                .flat_map(|child| layout.below[child].iter().copied().chain([child]))
                .collect();
            layout.below[number] = below.into_iter().collect();
        }
        layout
    }

    pub(super) fn children(&self, number: usize) -> impl Iterator<Item = usize> {
        (0..self.parents.len()).filter(move |&child| is_child(&self.parents, child, number))
    }

    /// All direct and indirect dependents of the node.
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
            way(
                node.id,
                head,
                if taken {
                    |ways| ways.if_true = true
                } else {
                    |ways| ways.if_false = true
                },
            );
        }
        node.on_success
            .into_iter()
            .for_each(|target| way(node.id, target, |ways| ways.on_success = true));
        if let OnFailure::Node(target) = node.on_failure {
            way(node.id, target, |ways| ways.on_failure = true);
        }
    }
    let mut parents = vec![Vec::new(); plan.nodes.len()];
    ways.into_iter()
        .for_each(|((child, parent), ways)| parents[child].push((parent, ways)));
    parents
}

fn in_order(
    plan: &Plan,
    parents: &[Vec<(usize, Ways)>],
    number: &BTreeMap<NodeId, usize>,
) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    while order.len() < parents.len() {
        let has_come = |parent: usize| order.contains(&parent);
        let hands_on = |child: usize| {
            let edges = plan
                .edges
                .iter()
                .filter(move |edge| number[&edge.child] == child);
            edges.map(|edge| number[&edge.parent])
        };
        let next = (0..parents.len()).find(|&node| {
            !has_come(node)
                && parents[node].iter().all(|&(parent, _)| has_come(parent))
                && hands_on(node).all(has_come)
        });
        order.push(next.expect("the plan has no cycle"));
    }
    order
}

/// The ends of a fork with which a node runs.
type Needs = BTreeMap<usize, BTreeSet<End>>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    True,
    False,
    Failure,
}

const DONE: [End; 2] = [End::True, End::False];

fn ends_of(ways: Ways) -> BTreeSet<End> {
    let branch = match (ways.if_true, ways.if_false) {
        (true, false) => Some(End::True),
        (false, true) => Some(End::False),
        _ => None,
    };
    match branch {
        Some(end) => [end].into(),
        None if ways.is_only_after_failure() => [End::Failure].into(),
        None if ways.on_failure && !ways.if_true => {
            DONE.into_iter().chain([End::Failure]).collect()
        }
        None => DONE.into(),
    }
}

/// A join is a node with more than one path that may stay untaken, apart from what all its paths
/// need. The head of a branch waits for its branch.
fn default_rules(plan: &Plan, parents: &[Vec<(usize, Ways)>], order: &[usize]) -> Vec<Rule> {
    let ways = || parents.iter().flatten();
    let hands_over: BTreeSet<usize> = ways()
        .filter(|(_, ways)| ways.is_only_after_failure())
        .map(|&(parent, _)| parent)
        .collect();
    let all_ends = |fork: usize| if hands_over.contains(&fork) { 3 } else { 2 };
    let mut needs = vec![Needs::new(); parents.len()];
    let mut rules = vec![Rule::Written(TriggerRule::AllSuccess); parents.len()];
    for &number in order {
        let own: Vec<(usize, Ways, Needs)> = parents[number]
            .iter()
            .map(|&(parent, ways)| {
                let (mut needed, ends) = (needs[parent].clone(), ends_of(ways));
                if ends.len() < all_ends(parent) {
                    needed.insert(parent, ends);
                }
                (parent, ways, needed)
            })
            .collect();
        let is_join = is_join(&own);
        if is_join {
            rules[number] = Rule::Join;
        }
        let open_by_one = || {
            let forks: BTreeSet<usize> = own
                .iter()
                .flat_map(|(_, _, needs)| needs.keys().copied())
                .collect();
            let of_all = forks
                .into_iter()
                .filter(|fork| own.iter().all(|(_, _, needs)| needs.contains_key(fork)));
            let united = of_all.map(|fork| {
                (
                    fork,
                    own.iter()
                        .flat_map(|(_, _, needs)| needs[&fork].clone())
                        .collect(),
                )
            });
            united
                .filter(|(fork, ends): &(usize, BTreeSet<End>)| ends.len() < all_ends(*fork))
                .collect::<Needs>()
        };
        let open_by_all = || {
            let mut all = Needs::new();
            for (fork, ends) in own.iter().flat_map(|(_, _, needs)| needs) {
                let known = all.entry(*fork).or_insert_with(|| ends.clone());
                let both: BTreeSet<End> = &*known & ends;
                if !both.is_empty() {
                    *known = both;
                }
            }
            all
        };
        needs[number] = match plan.nodes[number].trigger_rule {
            Some(TriggerRule::AllDone | TriggerRule::OneFailed | TriggerRule::NoneFailed) => {
                Needs::new()
            }
            Some(TriggerRule::OneSuccess | TriggerRule::NoneFailedMinOneSuccess) => open_by_one(),
            None if is_join => open_by_one(),
            Some(TriggerRule::AllSuccess) | None => open_by_all(),
        };
    }
    rules
}

fn is_join(own: &[(usize, Ways, Needs)]) -> bool {
    let heads: Vec<_> = own
        .iter()
        .filter(|(_, ways, _)| ways.if_true != ways.if_false)
        .collect();
    if heads.len() > 1 {
        return true;
    }
    if let [(fork, ways, _)] = heads[..] {
        let branch = ends_of(*ways);
        let others = own
            .iter()
            .filter(|(_, ways, _)| !ways.is_only_after_failure());
        return others
            .filter_map(|(_, _, needs)| needs.get(fork))
            .any(|ends| ends.is_disjoint(&branch));
    }
    let may_close = |at: &usize| {
        let (parent, ways, needs) = &own[*at];
        let others = |fork: &usize| -> Vec<&BTreeSet<End>> {
            let others = (0..own.len()).filter(|other| other != at);
            others.filter_map(|other| own[other].2.get(fork)).collect()
        };
        let is_plain = !ways.is_fork() && !ways.on_failure && !ways.if_true;
        let of_a_branch =
            |ends: &&BTreeSet<End>| ends.contains(&End::True) != ends.contains(&End::False);
        let is_judged = is_plain && others(parent).iter().any(of_a_branch);
        let counts = |(fork, ends): (&usize, &BTreeSet<End>)| {
            let same = others(fork).iter().filter(|other| **other == ends).count() == own.len() - 1;
            let is_done = *ends == BTreeSet::from(DONE);
            !same && (!is_done || others(fork).iter().any(|ends| ends.contains(&End::Failure)))
        };
        is_judged || needs.iter().any(counts)
    };
    (0..own.len()).filter(may_close).count() > 1
}

fn depths(
    plan: &Plan,
    parents: &[Vec<(usize, Ways)>],
    order: &[usize],
    number: &BTreeMap<NodeId, usize>,
) -> Vec<u32> {
    let mut depths = vec![0; parents.len()];
    for &child in order.iter().rev() {
        let hands_on = plan
            .edges
            .iter()
            .filter(|edge| number[&edge.child] == child)
            .map(|edge| number[&edge.parent]);
        for parent in parents[child]
            .iter()
            .map(|&(parent, _)| parent)
            .chain(hands_on)
        {
            depths[parent] = depths[parent].max(depths[child] + 1);
        }
    }
    depths
}
