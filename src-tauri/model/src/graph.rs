//! The dependencies between nodes.
//!
//! Stores the executable nodes of a plan by index and answers the queries a run makes constantly:
//! parents, children, how much a node unblocks. It has no node states, and hides petgraph.
//!
//! Edges, branches and jumps are represented alike: a [`Gate`] says which end of the parent counts
//! as success for the child. The trigger rule is arithmetic over these outcomes.

mod joins;

use std::collections::HashMap;

use petgraph::algo::{tarjan_scc, toposort};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use crate::node::{OnFailure, TriggerRule};
use crate::{Edge, NodeId, Plan};

/// The dependencies of one plan, without cycles.
#[derive(Debug, Clone)]
pub struct Graph {
    graph: DiGraph<NodeId, EdgeKind>,
    index: HashMap<NodeId, NodeIndex>,
    descendants: Vec<u32>,
    joins: Vec<bool>,
    joins_v2: Vec<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EdgeKind {
    Hard(Gate),
    Soft,
}

/// Which ends of a parent let a child start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// The parent succeeded: an edge drawn by a person.
    Done,
    /// The parent is a condition that evaluated to true.
    True,
    /// The parent is a condition that evaluated to false.
    False,
    /// The parent failed, and its failure policy continues at the child.
    Failure,
    /// The parent is a condition, and both branches lead to the child.
    Either,
    /// Both an edge and the target of a failure policy: any end of the parent's own work.
    DoneOrFailure,
}

/// The rule by which a node starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartRule {
    /// The rule in the plan. [`TriggerRule::AllSuccess`] for a node that has none and is not a
    /// join.
    Written(TriggerRule),
    /// A node without a rule where branches join. Starts if no parent failed without being
    /// tolerated, and at least one succeeded, was tolerated, or was passed over.
    Join,
}

impl Gate {
    /// Whether how the parent ended matters, not only that it ended.
    fn may_stay_untaken(self) -> bool {
        !matches!(self, Self::Done | Self::Either)
    }

    /// The gate that opens if either `self` or `other` does.
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a,
            // An edge drawn to a branch is the same as that branch's edge.
            (Self::Done, branch @ (Self::True | Self::False))
            | (branch @ (Self::True | Self::False), Self::Done) => branch,
            // The target of a failure policy starts in any case. If the parent succeeds, its branch
            // decides.
            (Self::Failure, branch @ (Self::True | Self::False))
            | (branch @ (Self::True | Self::False), Self::Failure) => branch,
            (Self::True, Self::False) | (Self::False, Self::True) => Self::Either,
            (Self::Either, _) | (_, Self::Either) => Self::Either,
            _ => Self::DoneOrFailure,
        }
    }
}

/// Nodes that wait for each other, so none of them could ever start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("these nodes depend on each other: {}", .titles.join(" → "))]
pub struct Cycle {
    /// The nodes in order of dependency; the first one is repeated at the end.
    pub path: Vec<NodeId>,
    /// The titles of the nodes in `path`.
    pub titles: Vec<String>,
}

impl Plan {
    /// The graph of the executable nodes.
    ///
    /// # Errors
    ///
    /// The cycle, if nodes wait for each other.
    pub fn graph(&self) -> Result<Graph, Cycle> {
        Graph::new(self)
    }
}

impl Graph {
    /// The graph of `plan`'s executable nodes.
    ///
    /// Edges to missing nodes or to notes are skipped; [`Plan::problems`] reports them.
    pub fn new(plan: &Plan) -> Result<Self, Cycle> {
        let mut graph = DiGraph::with_capacity(plan.nodes.len(), plan.edges.len());
        let mut index = HashMap::with_capacity(plan.nodes.len());
        for node in plan.nodes.iter().filter(|node| node.is_executable()) {
            index.insert(node.id, graph.add_node(node.id));
        }
        for edge in &plan.edges {
            if let (Some(&parent), Some(&child)) = (index.get(&edge.parent), index.get(&edge.child))
            {
                let kind = if edge.soft {
                    EdgeKind::Soft
                } else {
                    EdgeKind::Hard(Gate::Done)
                };
                graph.add_edge(parent, child, kind);
            }
        }
        for node in plan.nodes.iter().filter(|node| node.is_executable()) {
            add_named_successors(&mut graph, &index, node);
        }
        let Ok(order) = toposort(&graph, None) else {
            return Err(find_cycle(&graph, plan));
        };
        let descendants = count_dependents(&graph, &order);
        let executable = plan.nodes.iter().filter(|node| node.is_executable());
        let rules: Vec<Option<TriggerRule>> = executable.map(|node| node.trigger_rule).collect();
        let joins = joins::find_joins(&graph, &order, &rules);
        let joins_v2 = joins::find_joins_v2(&graph, &order);
        Ok(Self {
            graph,
            index,
            descendants,
            joins,
            joins_v2,
        })
    }

    /// The number of nodes. Node numbers start at 0.
    #[must_use]
    pub fn len(&self) -> usize {
        self.graph.node_count()
    }

    /// Whether there is no executable node.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of the node `id`, in the plan's order.
    #[must_use]
    pub fn number(&self, id: NodeId) -> Option<usize> {
        self.index.get(&id).map(|index| index.index())
    }

    /// The node with this number.
    #[must_use]
    pub fn id(&self, number: usize) -> NodeId {
        self.graph[NodeIndex::new(number)]
    }

    /// All nodes in the order in which people read them: each after its parents, nodes at the same
    /// distance from the start in the plan's order.
    #[must_use]
    pub fn reading_order(&self) -> Vec<usize> {
        let mut distance = vec![0_usize; self.len()];
        // Never empty: a graph has no cycles.
        for node in toposort(&self.graph, None).unwrap_or_default() {
            for child in self.graph.neighbors(node) {
                distance[child.index()] = distance[child.index()].max(distance[node.index()] + 1);
            }
        }
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by_key(|&number| distance[number]);
        order
    }

    /// The nodes that must end before `number` starts, excluding soft parents.
    pub fn parents(&self, number: usize) -> impl Iterator<Item = usize> {
        self.neighbors(number, petgraph::Direction::Incoming, |kind| {
            matches!(kind, EdgeKind::Hard(_))
        })
    }

    /// The nodes whose handoffs `number` receives: hard and soft parents.
    pub fn context_parents(&self, number: usize) -> impl Iterator<Item = usize> {
        self.neighbors(number, petgraph::Direction::Incoming, |_| true)
    }

    /// The nodes that wait for `number`.
    pub fn children(&self, number: usize) -> impl Iterator<Item = usize> {
        self.neighbors(number, petgraph::Direction::Outgoing, |kind| {
            matches!(kind, EdgeKind::Hard(_))
        })
    }

    /// The nodes that wait for `number`, and which of its ends lets each of them start.
    pub fn gated_children(&self, number: usize) -> impl Iterator<Item = (usize, Gate)> {
        self.gated(number, petgraph::Direction::Outgoing)
    }

    /// The nodes that `number` waits for, and which of their ends lets it start.
    pub fn gated_parents(&self, number: usize) -> impl Iterator<Item = (usize, Gate)> {
        self.gated(number, petgraph::Direction::Incoming)
    }

    fn gated(
        &self,
        number: usize,
        direction: petgraph::Direction,
    ) -> impl Iterator<Item = (usize, Gate)> {
        self.graph
            .edges_directed(NodeIndex::new(number), direction)
            .filter_map(move |edge| {
                let other = if direction == petgraph::Direction::Incoming {
                    edge.source()
                } else {
                    edge.target()
                };
                match *edge.weight() {
                    EdgeKind::Hard(gate) => Some((other.index(), gate)),
                    EdgeKind::Soft => None,
                }
            })
    }

    /// The rule by which a node starts, given its rule in the plan. Without one, joins below a
    /// condition wait for whichever branch is taken, and all other nodes for the success of all
    /// parents.
    #[must_use]
    pub fn start_rule(&self, number: usize, written: Option<TriggerRule>) -> StartRule {
        effective_rule(written, self.joins[number])
    }

    /// The start rule in runs that began before joins in nested branches were handled.
    #[must_use]
    pub(crate) fn start_rule_v2(&self, number: usize, written: Option<TriggerRule>) -> StartRule {
        effective_rule(written, self.joins_v2[number])
    }

    fn neighbors(
        &self,
        number: usize,
        direction: petgraph::Direction,
        wanted: impl Fn(EdgeKind) -> bool,
    ) -> impl Iterator<Item = usize> {
        self.graph
            .edges_directed(NodeIndex::new(number), direction)
            .filter_map(move |edge| {
                let other = match direction {
                    petgraph::Direction::Incoming => edge.source(),
                    petgraph::Direction::Outgoing => edge.target(),
                };
                wanted(*edge.weight()).then(|| other.index())
            })
    }

    /// The length of the longest chain of hard dependents of `number`. Nodes with long chains start
    /// first because they unblock most.
    #[must_use]
    pub fn depth_below(&self, number: usize) -> u32 {
        self.descendants.get(number).copied().unwrap_or(0)
    }

    /// All hard ancestors of `number`, without itself.
    #[must_use]
    pub fn ancestors(&self, number: usize) -> Vec<usize> {
        self.closure(number, |graph, n| graph.parents(n).collect())
    }

    /// All direct and indirect hard dependents of `number`, without itself.
    #[must_use]
    pub fn dependents(&self, number: usize) -> Vec<usize> {
        self.closure(number, |graph, n| graph.children(n).collect())
    }

    fn closure(&self, start: usize, next: impl Fn(&Self, usize) -> Vec<usize>) -> Vec<usize> {
        let mut seen = vec![false; self.len()];
        let mut open = next(self, start);
        let mut found = Vec::new();
        while let Some(number) = open.pop() {
            if !std::mem::replace(&mut seen[number], true) {
                found.push(number);
                open.extend(next(self, number));
            }
        }
        found.sort_unstable();
        found
    }
}

fn effective_rule(written: Option<TriggerRule>, joins: bool) -> StartRule {
    match written {
        Some(rule) => StartRule::Written(rule),
        None if joins => StartRule::Join,
        None => StartRule::Written(TriggerRule::AllSuccess),
    }
}

/// The cycle that `edge` would close in `plan`, if any. Answers whether the edge may be drawn.
///
/// A self-loop is a cycle. The existing edges must be free of cycles.
#[must_use]
pub fn cycle_closed_by(plan: &Plan, edge: Edge) -> Option<Cycle> {
    let mut with_edge = plan.clone();
    with_edge.edges.push(edge);
    Graph::new(&with_edge).err()
}

/// Adds edges to the branches and jump targets of `node`. Several connections between two nodes
/// become one edge.
fn add_named_successors(
    graph: &mut DiGraph<NodeId, EdgeKind>,
    index: &HashMap<NodeId, NodeIndex>,
    node: &crate::Node,
) {
    let branches = node
        .kind
        .branches()
        .map(|(taken, head)| (head, if taken { Gate::True } else { Gate::False }));
    let success = node.on_success.map(|target| (target, Gate::Done));
    let failure = match node.on_failure {
        OnFailure::Node(target) => Some((target, Gate::Failure)),
        OnFailure::Abort | OnFailure::Skip => None,
    };
    for (target, gate) in branches.chain(success).chain(failure) {
        let (Some(&parent), Some(&child)) = (index.get(&node.id), index.get(&target)) else {
            continue;
        };
        match graph
            .find_edge(parent, child)
            .and_then(|edge| graph.edge_weight_mut(edge))
        {
            Some(kind @ EdgeKind::Soft) => *kind = EdgeKind::Hard(gate),
            Some(EdgeKind::Hard(drawn)) => *drawn = drawn.or(gate),
            None => {
                graph.add_edge(parent, child, EdgeKind::Hard(gate));
            }
        }
    }
}

fn count_dependents(graph: &DiGraph<NodeId, EdgeKind>, order: &[NodeIndex]) -> Vec<u32> {
    let mut depth = vec![0; graph.node_count()];
    for &node in order.iter().rev() {
        depth[node.index()] = graph
            .neighbors(node)
            .map(|child| depth[child.index()] + 1)
            .max()
            .unwrap_or(0);
    }
    depth
}

/// A cycle of a cyclic graph, as short as following parents within its component yields.
fn find_cycle(graph: &DiGraph<NodeId, EdgeKind>, plan: &Plan) -> Cycle {
    let component = tarjan_scc(graph)
        .into_iter()
        .find(|nodes| nodes.len() > 1 || nodes.iter().any(|&node| graph.contains_edge(node, node)))
        .unwrap_or_default();
    let start = component.iter().copied().min();
    let mut path: Vec<NodeId> = start
        .map(|start| shortest_cycle(graph, start))
        .unwrap_or_default();
    if let Some(&first) = path.first() {
        path.push(first);
    }
    let nodes = plan.nodes_by_id();
    let titles = path
        .iter()
        .map(|id| {
            nodes
                .get(id)
                .map_or_else(String::new, |node| node.title.clone())
        })
        .collect();
    Cycle { path, titles }
}

fn shortest_cycle(graph: &DiGraph<NodeId, EdgeKind>, start: NodeIndex) -> Vec<NodeId> {
    let mut came_from: HashMap<NodeIndex, NodeIndex> = HashMap::new();
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        for child in graph.neighbors(node) {
            if child == start {
                let mut path = vec![node];
                while let Some(&previous) = came_from.get(path.last().unwrap_or(&start)) {
                    path.push(previous);
                }
                path.reverse();
                return path.into_iter().map(|index| graph[index]).collect();
            }
            if !came_from.contains_key(&child) && child != start {
                came_from.insert(child, node);
                queue.push_back(child);
            }
        }
    }
    vec![graph[start]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan_fixture::{edge, plan_of};

    #[test]
    fn cycles_list_node_titles() {
        let plan = plan_of(&["A", "B", "C"], &[(0, 1), (1, 2), (2, 0)]);
        let cycle = Graph::new(&plan).expect_err("three nodes in a ring");
        assert_eq!(
            cycle.to_string(),
            "these nodes depend on each other: A → B → C → A"
        );
    }

    #[test]
    fn reading_order_has_parents_first() {
        let plan = plan_of(
            &["Last", "Second", "First", "Alone", "Third"],
            &[(2, 1), (1, 4), (4, 0), (2, 0)],
        );
        let graph = Graph::new(&plan).expect("no cycle");
        assert_eq!(graph.reading_order(), [2, 3, 1, 4, 0]);
    }

    #[test]
    fn a_node_that_depends_on_itself_is_a_cycle() {
        let plan = plan_of(&["A"], &[(0, 0)]);
        assert_eq!(Graph::new(&plan).expect_err("a loop").titles, ["A", "A"]);
    }

    #[test]
    fn cycle_closing_edges_are_detected_early() {
        let plan = plan_of(&["A", "B", "C"], &[(0, 1), (1, 2)]);
        assert!(
            cycle_closed_by(&plan, edge(&plan, 0, 2)).is_none(),
            "a shortcut is no cycle"
        );
        let cycle = cycle_closed_by(&plan, edge(&plan, 2, 0)).expect("C before A closes the ring");
        assert_eq!(cycle.titles, ["A", "B", "C", "A"]);
    }

    #[test]
    fn soft_edges_pass_context_without_gating() {
        let mut plan = plan_of(&["A", "B"], &[(0, 1)]);
        plan.edges[0].soft = true;
        let graph = Graph::new(&plan).expect("no cycle");
        assert_eq!(graph.parents(1).count(), 0);
        assert_eq!(graph.context_parents(1).collect::<Vec<_>>(), [0]);
        plan.edges.push(edge(&plan, 1, 0));
        assert!(
            Graph::new(&plan).is_err(),
            "context that flows in a ring has no first sender"
        );
    }

    #[test]
    fn ancestors_and_dependents_are_transitive() {
        let plan = plan_of(&["A", "B", "C", "D"], &[(0, 1), (0, 2), (1, 3), (2, 3)]);
        let graph = Graph::new(&plan).expect("a diamond");
        assert_eq!(graph.ancestors(3), [0, 1, 2]);
        assert_eq!(graph.dependents(0), [1, 2, 3]);
        assert_eq!(graph.depth_below(0), 2);
        assert_eq!(graph.depth_below(3), 0);
    }
}
