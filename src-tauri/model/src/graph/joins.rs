//! Finds joins: nodes where several paths meet, some of which a fork may leave untaken.
//!
//! What must be true for a node to run is a set of choices: this fork took its true branch, that
//! node failed. A node is a join if more than one of the paths to it depends on choices that the
//! others don't share. A fork nested in a branch is therefore treated the same as a top-level one.
//! `ui/src/plan/joins.ts` implements the same; both are tested against `tests/fixtures/joins.json`.

use std::collections::BTreeMap;

use petgraph::Direction::Incoming;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use super::{EdgeKind, Gate};
use crate::NodeId;
use crate::node::TriggerRule;

type Dependencies = DiGraph<NodeId, EdgeKind>;

/// A set of a fork's ends, one bit each.
type OutcomeSet = u8;

const TRUE: OutcomeSet = 1;
const FALSE: OutcomeSet = 2;
const FAILURE: OutcomeSet = 4;
/// It succeeded, on either branch if it has any.
const DONE: OutcomeSet = TRUE | FALSE;

/// The ends of each fork, by its number, with which a path is open.
type Choices = BTreeMap<usize, OutcomeSet>;

/// A choice, linked to the previous one. Nodes in the same branch share most choices, so a node
/// only stores the last link.
struct Link {
    fork: usize,
    ends: OutcomeSet,
    before: Option<usize>,
}

/// A path to a node: the choices its parent depends on, and the gate between the two.
#[derive(Clone, Copy)]
struct IncomingPath {
    parent: usize,
    gate: Gate,
    choices: Option<usize>,
}

/// Visits the nodes of a graph, parents before children.
struct Search<'a> {
    graph: &'a Dependencies,
    links: Vec<Link>,
    /// The last link of the choices each node depends on.
    choices: Vec<Option<usize>>,
    /// The nodes with a target for their failure.
    has_failure_edge: Vec<bool>,
}

/// The joins of `graph`, given its nodes in topological `order` and the trigger `rules` from the
/// plan.
///
/// The head of a branch is not a join, even if it also waits for other nodes, unless one of those
/// runs when the branch is not taken. Otherwise it is skipped when its branch is not taken. A
/// failure that jumps to it does not change that. A node that waits for a branch and for something
/// beside the fork is not a join either.
pub(super) fn find_joins(
    graph: &Dependencies,
    order: &[NodeIndex],
    rules: &[Option<TriggerRule>],
) -> Vec<bool> {
    let mut has_failure_edge = vec![false; graph.node_count()];
    for edge in graph.edge_references() {
        has_failure_edge[edge.source().index()] |= *edge.weight() == EdgeKind::Hard(Gate::Failure);
    }
    let mut search = Search {
        graph,
        links: Vec::new(),
        choices: vec![None; graph.node_count()],
        has_failure_edge,
    };
    let mut joins = vec![false; graph.node_count()];
    for &node in order {
        let ways = search.ways(node);
        joins[node.index()] = search.is_join(&ways);
        search.choices[node.index()] =
            search.choices_of(&ways, rules[node.index()], joins[node.index()]);
    }
    joins
}

impl Search<'_> {
    fn ways(&mut self, node: NodeIndex) -> Vec<IncomingPath> {
        let mut ways = Vec::new();
        for edge in self.graph.edges_directed(node, Incoming) {
            let (EdgeKind::Hard(gate), parent) = (*edge.weight(), edge.source().index()) else {
                continue;
            };
            let (before, ends) = (self.choices[parent], outcomes_of(gate));
            // There is no choice if all ends of the parent lead to the node.
            let is_choice = self.all_outcomes(parent) & !ends != 0;
            let choices = if is_choice {
                self.link(parent, ends, before)
            } else {
                before
            };
            ways.push(IncomingPath {
                parent,
                gate,
                choices,
            });
        }
        ways.sort_unstable_by_key(|way| way.parent);
        ways
    }

    fn all_outcomes(&self, fork: usize) -> OutcomeSet {
        if self.has_failure_edge[fork] {
            DONE | FAILURE
        } else {
            DONE
        }
    }

    fn link(&mut self, fork: usize, ends: OutcomeSet, before: Option<usize>) -> Option<usize> {
        self.links.push(Link { fork, ends, before });
        Some(self.links.len() - 1)
    }

    fn is_join(&self, ways: &[IncomingPath]) -> bool {
        if ways.len() < 2 || ways.iter().all(|way| way.choices == ways[0].choices) {
            return false;
        }
        let read: Vec<Choices> = ways.iter().map(|way| self.read(way.choices)).collect();
        let heads: Vec<IncomingPath> = ways
            .iter()
            .copied()
            .filter(|way| is_branch(outcomes_of(way.gate)))
            .collect();
        match heads[..] {
            [head] => {
                let is_closed = |choices: &Choices| {
                    choices
                        .get(&head.parent)
                        .is_some_and(|ends| ends & outcomes_of(head.gate) == 0)
                };
                ways.iter()
                    .zip(&read)
                    .any(|(way, choices)| way.gate != Gate::Failure && is_closed(choices))
            }
            [] => {
                (0..ways.len())
                    .filter(|&at| may_stay_untaken(ways, &read, at))
                    .count()
                    > 1
            }
            _ => true,
        }
    }

    /// The choices a node depends on. By its rule: those of all its paths, those its paths share,
    /// or none.
    fn choices_of(
        &mut self,
        ways: &[IncomingPath],
        rule: Option<TriggerRule>,
        is_join: bool,
    ) -> Option<usize> {
        let first = ways.first()?.choices;
        let needs_all =
            matches!(rule, Some(TriggerRule::AllSuccess)) || (rule.is_none() && !is_join);
        match rule {
            Some(TriggerRule::AllDone | TriggerRule::OneFailed | TriggerRule::NoneFailed) => None,
            _ if ways.iter().all(|way| way.choices == first) => first,
            _ => {
                let read: Vec<Choices> = ways.iter().map(|way| self.read(way.choices)).collect();
                let choices = if needs_all {
                    merge_choices(&read)
                } else {
                    self.shared(&read)
                };
                choices
                    .into_iter()
                    .fold(None, |before, (fork, ends)| self.link(fork, ends, before))
            }
        }
    }

    fn read(&self, mut last: Option<usize>) -> Choices {
        let mut choices = Choices::new();
        while let Some(Link { fork, ends, before }) = last.and_then(|link| self.links.get(link)) {
            choices
                .entry(*fork)
                .and_modify(|known| *known = intersect(*known, *ends))
                .or_insert(*ends);
            last = *before;
        }
        choices
    }

    /// The ends of each fork with which any path is open, for forks on which all paths depend.
    fn shared(&self, ways: &[Choices]) -> Choices {
        let Some((first, rest)) = ways.split_first() else {
            return Choices::new();
        };
        let of_all = |(&fork, &ends): (&usize, &OutcomeSet)| {
            let all = rest
                .iter()
                .try_fold(ends, |all, way| Some(all | way.get(&fork)?))?;
            (all != self.all_outcomes(fork)).then_some((fork, all))
        };
        first.iter().filter_map(of_all).collect()
    }
}

fn outcomes_of(gate: Gate) -> OutcomeSet {
    match gate {
        Gate::True => TRUE,
        Gate::False => FALSE,
        Gate::Failure => FAILURE,
        Gate::Done | Gate::Either => DONE,
        Gate::DoneOrFailure => DONE | FAILURE,
    }
}

fn is_branch(ends: OutcomeSet) -> bool {
    matches!(ends, TRUE | FALSE)
}

/// Whether the path depends on a choice that not all paths share. Success counts if another path
/// opens on failure; the evaluation of a condition counts if another path comes from one of its
/// branches.
fn may_stay_untaken(ways: &[IncomingPath], read: &[Choices], at: usize) -> bool {
    let otherwise = |fork: usize, is: fn(OutcomeSet) -> bool| {
        let mut others = read.iter().enumerate().filter(|&(other, _)| other != at);
        others.any(|(_, choices)| choices.get(&fork).is_some_and(|&ends| is(ends)))
    };
    let counts = |(&fork, &ends): (&usize, &OutcomeSet)| match ends {
        _ if read.iter().all(|choices| choices.get(&fork) == Some(&ends)) => false,
        DONE => otherwise(fork, |ends| ends & FAILURE != 0),
        _ => true,
    };
    let is_judged =
        || ways[at].gate == Gate::Done && otherwise(ways[at].parent, |ends| is_branch(ends & DONE));
    read[at].iter().any(counts) || is_judged()
}

/// The ends left by two statements about a fork. If they exclude each other they never hold
/// together, and the first one counts.
fn intersect(first: OutcomeSet, second: OutcomeSet) -> OutcomeSet {
    if first & second == 0 {
        first
    } else {
        first & second
    }
}

fn merge_choices(ways: &[Choices]) -> Choices {
    let mut all = Choices::new();
    for (&fork, &ends) in ways.iter().flatten() {
        all.entry(fork)
            .and_modify(|known| *known = intersect(*known, ends))
            .or_insert(ends);
    }
    all
}

/// The joins in runs that began before version 3 of the rules. There, every path below any fork
/// counted as possibly untaken, so a node in a branch could be a join that is not one outside of
/// it.
pub(super) fn find_joins_v2(graph: &Dependencies, order: &[NodeIndex]) -> Vec<bool> {
    let mut forks = vec![false; graph.node_count()];
    for edge in graph.edge_references() {
        forks[edge.source().index()] |=
            matches!(edge.weight(), EdgeKind::Hard(gate) if gate.may_stay_untaken());
    }
    let (mut below_a_fork, mut joins) = (
        vec![false; graph.node_count()],
        vec![false; graph.node_count()],
    );
    for &node in order {
        let (mut branches, mut uncertain) = (0, 0);
        for edge in graph.edges_directed(node, Incoming) {
            let (EdgeKind::Hard(gate), parent) = (*edge.weight(), edge.source().index()) else {
                continue;
            };
            branches += usize::from(is_branch(outcomes_of(gate)));
            uncertain +=
                usize::from(gate.may_stay_untaken() || below_a_fork[parent] || forks[parent]);
            below_a_fork[node.index()] |= gate.may_stay_untaken() || below_a_fork[parent];
        }
        joins[node.index()] = branches != 1 && uncertain > 1;
    }
    joins
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use crate::graph::{Graph, StartRule};
    use crate::node::{ConditionTask, NodeKind, OnFailure, TriggerRule};
    use crate::plan_fixture::{node_id, plan_of};
    use crate::{NodeId, Plan};

    /// A plan in short form, which the window's test also reads.
    #[derive(Deserialize)]
    struct Case {
        name: String,
        nodes: Vec<String>,
        edges: Vec<String>,
        ways: Vec<String>,
        #[serde(default)]
        rules: std::collections::BTreeMap<String, TriggerRule>,
        joins: Vec<String>,
    }

    impl Case {
        fn position(&self, name: &str) -> usize {
            self.nodes
                .iter()
                .position(|node| node == name)
                .unwrap_or_else(|| panic!("{name} is no node"))
        }

        fn ends(&self, edge: &str) -> (usize, usize) {
            let (parent, child) = edge.split_once('>').expect("parent>child");
            (self.position(parent), self.position(child))
        }

        fn plan(&self) -> Plan {
            let titles: Vec<&str> = self.nodes.iter().map(String::as_str).collect();
            let edges: Vec<_> = self.edges.iter().map(|edge| self.ends(edge)).collect();
            let mut plan = plan_of(&titles, &edges);
            for way in &self.ways {
                let (edge, kind) = way.split_once(' ').expect("parent>child kind");
                let (parent, child) = self.ends(edge);
                lead(&mut plan, parent, kind, node_id(child));
            }
            for (name, rule) in &self.rules {
                plan.nodes[self.position(name)].trigger_rule = Some(*rule);
            }
            plan
        }
    }

    fn lead(plan: &mut Plan, parent: usize, kind: &str, child: NodeId) {
        let node = &mut plan.nodes[parent];
        match kind {
            "success" => node.on_success = Some(child),
            "failure" => node.on_failure = OnFailure::Node(child),
            branch => {
                if !matches!(node.kind, NodeKind::Condition(_)) {
                    let condition = "true".to_owned();
                    node.kind = NodeKind::Condition(ConditionTask {
                        condition,
                        ..ConditionTask::default()
                    });
                }
                let NodeKind::Condition(task) = &mut node.kind else {
                    unreachable!("it is one now")
                };
                *(if branch == "true" {
                    &mut task.true_step
                } else {
                    &mut task.false_step
                }) = Some(child);
            }
        }
    }

    #[test]
    fn joins_exist_only_below_forks() {
        let cases: Vec<Case> =
            serde_json::from_str(include_str!("../../../../tests/fixtures/joins.json"))
                .expect("a table of plans");
        for case in cases {
            let graph = Graph::new(&case.plan()).expect("no cycle");
            let is_join = |&number: &usize| graph.start_rule(number, None) == StartRule::Join;
            let joins: Vec<_> = (0..case.nodes.len())
                .filter(is_join)
                .map(|number| &case.nodes[number])
                .collect();
            assert_eq!(
                joins,
                case.joins.iter().collect::<Vec<_>>(),
                "{}",
                case.name
            );
        }
    }

    /// Each node is in a branch of the previous one. Choices must not be copied from node to node.
    #[test]
    fn long_chains_of_forks_are_handled() {
        const FORKS: usize = 3000;
        let mut plan = plan_of(&vec!["Fork"; FORKS], &[]);
        for number in 1..FORKS {
            lead(&mut plan, number - 1, "true", node_id(number));
        }
        let graph = Graph::new(&plan).expect("no cycle");
        assert!((0..FORKS).all(|number| graph.start_rule(number, None) != StartRule::Join));
    }
}
