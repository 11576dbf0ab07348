//! Who depends on whom.
//!
//! Holds the executable nodes of a plan by index and answers what a run asks all the time: parents,
//! children, how much a node unblocks. It knows nothing of states. petgraph stays behind these methods.

mod joins;

use std::collections::HashMap;

use petgraph::algo::{tarjan_scc, toposort};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use crate::node::{OnFailure, TriggerRule};
use crate::{Edge, NodeId, Plan};

/// The dependencies of one plan, free of cycles.
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

/// What a parent's end means to a child: which ends open the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// The parent was done: an edge that a person drew.
    Done,
    /// The parent is a condition that held.
    True,
    /// The parent is a condition that did not hold.
    False,
    /// The parent failed, and names the child as where the run goes on.
    Failure,
    /// The parent is a condition, and both its branches lead to the child.
    Either,
    /// Both an edge and the place where the run goes on after a failure: any end of the parent's own work.
    DoneOrFailure,
}

/// The rule by which a node starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartRule {
    /// The one that the plan names; of a node that names none and is no join, [`TriggerRule::AllSuccess`].
    Written(TriggerRule),
    /// A node that names none, where branches come together: no parent failed without being tolerated, and at least one
    /// was done, tolerated or passed over.
    Join,
}

impl Gate {
    /// Whether the parent's end decides if the way is open, and not only that it came.
    fn may_stay_closed(self) -> bool {
        !matches!(self, Self::Done | Self::Either)
    }

    /// The gate of a way that is open by `self` and by `other`.
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a,
            // An edge drawn to a branch is that branch's edge.
            (Self::Done, branch @ (Self::True | Self::False))
            | (branch @ (Self::True | Self::False), Self::Done) => branch,
            // Where the run goes on after a failure starts in any case; when the parent was done, its branch decides.
            (Self::Failure, branch @ (Self::True | Self::False))
            | (branch @ (Self::True | Self::False), Self::Failure) => branch,
            (Self::True, Self::False) | (Self::False, Self::True) => Self::Either,
            (Self::Either, _) | (_, Self::Either) => Self::Either,
            _ => Self::DoneOrFailure,
        }
    }
}

/// Nodes that wait for one another, so that none could ever start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("these nodes depend on each other: {}", .titles.join(" → "))]
pub struct Cycle {
    /// The nodes in order of dependency; the first is repeated at the end.
    pub path: Vec<NodeId>,
    /// Their titles, likewise.
    pub titles: Vec<String>,
}

impl Graph {
    /// The graph of `plan`'s executable nodes.
    ///
    /// Edges to nodes that are not there, or to notes, are left out: [`Plan::problems`] reports them.
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
            return Err(cycle_of(&graph, plan));
        };
        let descendants = count_dependents(&graph, &order);
        let executable = plan.nodes.iter().filter(|node| node.is_executable());
        let rules: Vec<Option<TriggerRule>> = executable.map(|node| node.trigger_rule).collect();
        let joins = joins::find(&graph, &order, &rules);
        let joins_v2 = joins::find_v2(&graph, &order);
        Ok(Self {
            graph,
            index,
            descendants,
            joins,
            joins_v2,
        })
    }

    /// How many nodes there are. Node numbers run from 0 to one less.
    #[must_use]
    pub fn len(&self) -> usize {
        self.graph.node_count()
    }

    /// Whether there is nothing to execute.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of the node `id`, in the order of the plan.
    #[must_use]
    pub fn number(&self, id: NodeId) -> Option<usize> {
        self.index.get(&id).map(|index| index.index())
    }

    /// The node with this number.
    #[must_use]
    pub fn id(&self, number: usize) -> NodeId {
        self.graph[NodeIndex::new(number)]
    }

    /// The nodes that must come before `number`; soft parents are left out.
    pub fn parents(&self, number: usize) -> impl Iterator<Item = usize> {
        self.neighbors(number, petgraph::Direction::Incoming, |kind| {
            matches!(kind, EdgeKind::Hard(_))
        })
    }

    /// The nodes whose artifacts `number` receives: hard and soft parents.
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

    /// The nodes that must come before `number`, and which of their ends lets it start.
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

    /// The rule by which a node starts whose plan says `written`. Without one, joins below a condition wait for
    /// whichever branch was taken, everything else for the success of all its parents.
    #[must_use]
    pub fn start_rule(&self, number: usize, written: Option<TriggerRule>) -> StartRule {
        rule_of(written, self.joins[number])
    }

    /// The rule by which a node starts in a run that began before joins were told apart in branches of branches.
    #[must_use]
    pub(crate) fn start_rule_v2(&self, number: usize, written: Option<TriggerRule>) -> StartRule {
        rule_of(written, self.joins_v2[number])
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

    /// The length of the longest chain of hard dependents below `number`: what starts first unblocks most.
    #[must_use]
    pub fn depth_below(&self, number: usize) -> u32 {
        self.descendants.get(number).copied().unwrap_or(0)
    }

    /// All hard ancestors of `number`, without itself.
    #[must_use]
    pub fn ancestors(&self, number: usize) -> Vec<usize> {
        self.closure(number, |graph, n| graph.parents(n).collect())
    }

    /// All hard dependents of `number`, near and far, without itself.
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

fn rule_of(written: Option<TriggerRule>, joins: bool) -> StartRule {
    match written {
        Some(rule) => StartRule::Written(rule),
        None if joins => StartRule::Join,
        None => StartRule::Written(TriggerRule::AllSuccess),
    }
}

/// The cycle that `edge` would close in `plan`, if any: the answer to "may this edge be drawn?".
///
/// A self-loop is a cycle. The edges already there are taken to be free of cycles.
#[must_use]
pub fn cycle_closed_by(plan: &Plan, edge: Edge) -> Option<Cycle> {
    let mut with_edge = plan.clone();
    with_edge.edges.push(edge);
    Graph::new(&with_edge).err()
}

/// Adds the way to each branch and jump of `node`. One way between two nodes is one edge, whoever drew it.
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

/// One cycle of a graph that has one, as short as following parents inside its component finds it.
fn cycle_of(graph: &DiGraph<NodeId, EdgeKind>, plan: &Plan) -> Cycle {
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
    fn a_cycle_is_named_by_titles() {
        let plan = plan_of(&["A", "B", "C"], &[(0, 1), (1, 2), (2, 0)]);
        let cycle = Graph::new(&plan).expect_err("three nodes in a ring");
        assert_eq!(
            cycle.to_string(),
            "these nodes depend on each other: A → B → C → A"
        );
    }

    #[test]
    fn a_node_that_depends_on_itself_is_a_cycle() {
        let plan = plan_of(&["A"], &[(0, 0)]);
        assert_eq!(Graph::new(&plan).expect_err("a loop").titles, ["A", "A"]);
    }

    #[test]
    fn an_edge_that_closes_a_cycle_is_found_before_it_is_drawn() {
        let plan = plan_of(&["A", "B", "C"], &[(0, 1), (1, 2)]);
        assert!(
            cycle_closed_by(&plan, edge(&plan, 0, 2)).is_none(),
            "a shortcut is no cycle"
        );
        let cycle = cycle_closed_by(&plan, edge(&plan, 2, 0)).expect("C before A closes the ring");
        assert_eq!(cycle.titles, ["A", "B", "C", "A"]);
    }

    #[test]
    fn soft_edges_hand_on_and_do_not_gate_but_count_for_cycles() {
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
    fn relations_reach_through_the_whole_graph() {
        let plan = plan_of(&["A", "B", "C", "D"], &[(0, 1), (0, 2), (1, 3), (2, 3)]);
        let graph = Graph::new(&plan).expect("a diamond");
        assert_eq!(graph.ancestors(3), [0, 1, 2]);
        assert_eq!(graph.dependents(0), [1, 2, 3]);
        assert_eq!(graph.depth_below(0), 2);
        assert_eq!(graph.depth_below(3), 0);
    }
}
