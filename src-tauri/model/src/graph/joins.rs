//! Where ways come together of which forks leave some closed.
//!
//! What has to be true for a node to run is a set of choices: this fork took its true branch, that node failed. A node is a
//! join when more than one of the ways to it depends on choices that the others do not share. So a fork in the branch of
//! another one is judged inside that branch as it would be outside of all. `ui/src/plan/joins.ts` finds the same;
//! `tests/fixtures/joins.json` holds both to it.

use std::collections::BTreeMap;

use petgraph::Direction::Incoming;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use super::{EdgeKind, Gate};
use crate::NodeId;
use crate::node::TriggerRule;

type Dependencies = DiGraph<NodeId, EdgeKind>;

/// Some of the ends of a fork, a bit each.
type Ends = u8;

const TRUE: Ends = 1;
const FALSE: Ends = 2;
const FAILURE: Ends = 4;
/// It was done, whichever branch it took, if it has any.
const DONE: Ends = TRUE | FALSE;

/// With which ends of a fork a way is open, by the number of the fork.
type Choices = BTreeMap<usize, Ends>;

/// A choice, and the one before it. Nodes in one branch share most of theirs, so a node keeps only the last.
struct Link {
    fork: usize,
    ends: Ends,
    before: Option<usize>,
}

/// A way to a node: the choices on which its parent depends, and the gate between the two.
#[derive(Clone, Copy)]
struct Way {
    parent: usize,
    gate: Gate,
    choices: Option<usize>,
}

/// Looks at the nodes of a graph, parents before their children.
struct Search<'a> {
    graph: &'a Dependencies,
    links: Vec<Link>,
    /// What each node depends on: its last link.
    choices: Vec<Option<usize>>,
    /// The nodes whose failure leads somewhere.
    hands_over: Vec<bool>,
}

/// The joins of `graph`, whose nodes stand in `order` with parents first. `rules` are those that the plan names.
///
/// The head of a branch is none of them, also when it waits for other nodes besides, unless one of these runs when the
/// branch is not taken: when its branch is not taken it is left out. A failure that jumps to it does not change that. Nor is
/// a node that waits for a branch and for something beside the fork.
pub(super) fn find(
    graph: &Dependencies,
    order: &[NodeIndex],
    rules: &[Option<TriggerRule>],
) -> Vec<bool> {
    let mut hands_over = vec![false; graph.node_count()];
    for edge in graph.edge_references() {
        hands_over[edge.source().index()] |= *edge.weight() == EdgeKind::Hard(Gate::Failure);
    }
    let mut search = Search {
        graph,
        links: Vec::new(),
        choices: vec![None; graph.node_count()],
        hands_over,
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
    fn ways(&mut self, node: NodeIndex) -> Vec<Way> {
        let mut ways = Vec::new();
        for edge in self.graph.edges_directed(node, Incoming) {
            let (EdgeKind::Hard(gate), parent) = (*edge.weight(), edge.source().index()) else {
                continue;
            };
            let (before, ends) = (self.choices[parent], ends_of(gate));
            // Nothing is chosen where all ends of the parent lead on.
            let is_choice = self.all_ends(parent) & !ends != 0;
            let choices = if is_choice {
                self.link(parent, ends, before)
            } else {
                before
            };
            ways.push(Way {
                parent,
                gate,
                choices,
            });
        }
        ways.sort_unstable_by_key(|way| way.parent);
        ways
    }

    fn all_ends(&self, fork: usize) -> Ends {
        if self.hands_over[fork] {
            DONE | FAILURE
        } else {
            DONE
        }
    }

    fn link(&mut self, fork: usize, ends: Ends, before: Option<usize>) -> Option<usize> {
        self.links.push(Link { fork, ends, before });
        Some(self.links.len() - 1)
    }

    fn is_join(&self, ways: &[Way]) -> bool {
        if ways.len() < 2 || ways.iter().all(|way| way.choices == ways[0].choices) {
            return false;
        }
        let read: Vec<Choices> = ways.iter().map(|way| self.read(way.choices)).collect();
        let heads: Vec<Way> = ways
            .iter()
            .copied()
            .filter(|way| is_branch(ends_of(way.gate)))
            .collect();
        match heads[..] {
            [head] => {
                let is_closed = |choices: &Choices| {
                    choices
                        .get(&head.parent)
                        .is_some_and(|ends| ends & ends_of(head.gate) == 0)
                };
                ways.iter()
                    .zip(&read)
                    .any(|(way, choices)| way.gate != Gate::Failure && is_closed(choices))
            }
            [] => {
                (0..ways.len())
                    .filter(|&at| may_stay_closed(ways, &read, at))
                    .count()
                    > 1
            }
            _ => true,
        }
    }

    /// What the node itself depends on, by its own rule: on what all its ways need, on what they share, or on nothing.
    fn choices_of(
        &mut self,
        ways: &[Way],
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
                    needed_by_all(&read)
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
                .and_modify(|known| *known = both(*known, *ends))
                .or_insert(*ends);
            last = *before;
        }
        choices
    }

    /// With which ends of each fork one of the ways is open, as far as all ways depend on it.
    fn shared(&self, ways: &[Choices]) -> Choices {
        let Some((first, rest)) = ways.split_first() else {
            return Choices::new();
        };
        let of_all = |(&fork, &ends): (&usize, &Ends)| {
            let all = rest
                .iter()
                .try_fold(ends, |all, way| Some(all | way.get(&fork)?))?;
            (all != self.all_ends(fork)).then_some((fork, all))
        };
        first.iter().filter_map(of_all).collect()
    }
}

fn ends_of(gate: Gate) -> Ends {
    match gate {
        Gate::True => TRUE,
        Gate::False => FALSE,
        Gate::Failure => FAILURE,
        Gate::Done | Gate::Either => DONE,
        Gate::DoneOrFailure => DONE | FAILURE,
    }
}

fn is_branch(ends: Ends) -> bool {
    matches!(ends, TRUE | FALSE)
}

/// Whether the way depends on a choice that not all ways share. That something was done counts where another way is open
/// because it failed; that a condition was judged, where another way comes from one of its branches.
fn may_stay_closed(ways: &[Way], read: &[Choices], at: usize) -> bool {
    let otherwise = |fork: usize, is: fn(Ends) -> bool| {
        let mut others = read.iter().enumerate().filter(|&(other, _)| other != at);
        others.any(|(_, choices)| choices.get(&fork).is_some_and(|&ends| is(ends)))
    };
    let counts = |(&fork, &ends): (&usize, &Ends)| match ends {
        _ if read.iter().all(|choices| choices.get(&fork) == Some(&ends)) => false,
        DONE => otherwise(fork, |ends| ends & FAILURE != 0),
        _ => true,
    };
    let is_judged =
        || ways[at].gate == Gate::Done && otherwise(ways[at].parent, |ends| is_branch(ends & DONE));
    read[at].iter().any(counts) || is_judged()
}

/// The ends that two words about a fork leave. Words that exclude each other never come true together: the first counts.
fn both(first: Ends, second: Ends) -> Ends {
    if first & second == 0 {
        first
    } else {
        first & second
    }
}

fn needed_by_all(ways: &[Choices]) -> Choices {
    let mut all = Choices::new();
    for (&fork, &ends) in ways.iter().flatten() {
        all.entry(fork)
            .and_modify(|known| *known = both(*known, ends))
            .or_insert(ends);
    }
    all
}

/// The joins of runs that began before version 3 of the rules: there, every way below any fork counted as one that may
/// stay closed, so that a node of a branch could be a join that is none outside of it.
pub(super) fn find_v2(graph: &Dependencies, order: &[NodeIndex]) -> Vec<bool> {
    let mut forks = vec![false; graph.node_count()];
    for edge in graph.edge_references() {
        forks[edge.source().index()] |=
            matches!(edge.weight(), EdgeKind::Hard(gate) if gate.may_stay_closed());
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
            branches += usize::from(is_branch(ends_of(gate)));
            uncertain +=
                usize::from(gate.may_stay_closed() || below_a_fork[parent] || forks[parent]);
            below_a_fork[node.index()] |= gate.may_stay_closed() || below_a_fork[parent];
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

    /// A plan in short, as the window's test reads it too.
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
    fn ways_come_together_below_a_fork_and_nowhere_else() {
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

    /// Each node in a branch of the one before: what a node depends on is not copied from node to node.
    #[test]
    fn long_rows_of_forks_are_judged() {
        const FORKS: usize = 3000;
        let mut plan = plan_of(&vec!["Fork"; FORKS], &[]);
        for number in 1..FORKS {
            lead(&mut plan, number - 1, "true", node_id(number));
        }
        let graph = Graph::new(&plan).expect("no cycle");
        assert!((0..FORKS).all(|number| graph.start_rule(number, None) != StartRule::Join));
    }
}
