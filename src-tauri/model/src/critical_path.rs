//! How long the nodes of a plan take together, and how many of them can run at once.
//!
//! Considers only dependencies and given durations, not limits or runs. The result is what the plan
//! allows, not what happened on a particular machine. Soft edges don't delay anything and are
//! ignored.

use std::collections::VecDeque;

use petgraph::algo::dinics;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use crate::Graph;

/// The chain of nodes that takes longest. Shortening any other node does not make the plan finish
/// earlier.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CriticalPath {
    /// Node numbers in order.
    pub nodes: Vec<usize>,
    /// The sum of their durations, in milliseconds.
    pub length_ms: u64,
}

/// The critical path of a graph, given each node's duration in milliseconds by number. `None`
/// counts as zero.
///
/// Among chains of equal length, the one through the nodes that come first in the plan wins. Both
/// ends are nodes with a duration, so a node without a known duration is never called critical.
#[must_use]
pub fn critical_path(graph: &Graph, durations: &[Option<u64>]) -> CriticalPath {
    let time = |number: usize| durations.get(number).copied().flatten();
    let mut chains = vec![Chain::default(); graph.len()];
    for number in topological_order(graph) {
        let before = graph
            .parents(number)
            .min_by_key(|&parent| (u64::MAX - chains[parent].length, parent));
        let waited = before.map_or(0, |parent| chains[parent].length);
        chains[number] = Chain {
            length: waited + time(number).unwrap_or(0),
            before,
        };
    }
    let last = (0..graph.len()).filter(|&number| time(number).is_some());
    let Some(last) = last.min_by_key(|&number| (u64::MAX - chains[number].length, number)) else {
        return CriticalPath::default();
    };
    let mut nodes: Vec<usize> =
        std::iter::successors(Some(last), |&number| chains[number].before).collect();
    while nodes.last().is_some_and(|&first| time(first).is_none()) {
        nodes.pop();
    }
    nodes.reverse();
    CriticalPath {
        nodes,
        length_ms: chains[last].length,
    }
}

/// The longest chain that ends at a node.
#[derive(Debug, Clone, Copy, Default)]
struct Chain {
    length: u64,
    before: Option<usize>,
}

/// All node numbers, parents before children.
fn topological_order(graph: &Graph) -> Vec<usize> {
    let mut open: Vec<usize> = (0..graph.len())
        .map(|number| graph.parents(number).count())
        .collect();
    let mut order: Vec<usize> = (0..graph.len())
        .filter(|&number| open[number] == 0)
        .collect();
    let mut next = 0;
    while let Some(&number) = order.get(next) {
        next += 1;
        for child in graph.children(number) {
            open[child] -= 1;
            if open[child] == 0 {
                order.push(child);
            }
        }
    }
    order
}

/// The largest set of nodes of which none depends on another: the plan's maximum parallelism.
///
/// By Dilworth's theorem its size equals the minimum number of chains that cover the graph. A
/// minimum cover is a maximum flow in which every node has at most one successor, at any depth; the
/// nodes left by the minimum cut form the set.
#[must_use]
pub fn widest_antichain(graph: &Graph) -> Vec<usize> {
    let flow = ChainCover::of(graph);
    let reached = flow.reached();
    (0..graph.len())
        .filter(|&number| reached[flow.leaves[number]] && !reached[flow.enters[number]])
        .collect()
}

/// A network whose maximum flow covers a graph with as few chains as possible.
struct ChainCover {
    network: DiGraph<(), u32>,
    source: NodeIndex,
    sink: NodeIndex,
    /// By node number: the vertex that flow leaves the node from.
    leaves: Vec<usize>,
    /// By node number: the vertex that flow enters the node by.
    enters: Vec<usize>,
}

impl ChainCover {
    fn of(graph: &Graph) -> Self {
        let many = u32::try_from(graph.len()).unwrap_or(u32::MAX).max(1);
        let mut network = DiGraph::with_capacity(2 * graph.len() + 2, 4 * graph.len());
        let (source, sink) = (network.add_node(()), network.add_node(()));
        let leaves: Vec<_> = (0..graph.len()).map(|_| network.add_node(())).collect();
        let enters: Vec<_> = (0..graph.len()).map(|_| network.add_node(())).collect();
        for number in 0..graph.len() {
            network.add_edge(source, leaves[number], 1);
            network.add_edge(enters[number], sink, 1);
            // A chain may pass through a node that belongs to another chain.
            network.add_edge(enters[number], leaves[number], many);
            for child in graph.children(number) {
                network.add_edge(leaves[number], enters[child], many);
            }
        }
        let places = |nodes: Vec<NodeIndex>| nodes.into_iter().map(NodeIndex::index).collect();
        Self {
            network,
            source,
            sink,
            leaves: places(leaves),
            enters: places(enters),
        }
    }

    /// The vertices that the source reaches in the residual network at maximum flow.
    fn reached(&self) -> Vec<bool> {
        let (_, flows) = dinics(&self.network, self.source, self.sink);
        let mut reached = vec![false; self.network.node_count()];
        let mut open = VecDeque::from([self.source]);
        reached[self.source.index()] = true;
        while let Some(node) = open.pop_front() {
            let onward = self
                .network
                .edges(node)
                .filter(|edge| flows[edge.id().index()] < *edge.weight());
            let onward = onward.map(|edge| edge.target());
            let back = self
                .network
                .edges_directed(node, petgraph::Direction::Incoming);
            let back = back
                .filter(|edge| flows[edge.id().index()] > 0)
                .map(|edge| edge.source());
            for next in onward.chain(back) {
                if !std::mem::replace(&mut reached[next.index()], true) {
                    open.push_back(next);
                }
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::Plan;
    use crate::plan_fixture::plan_of;

    fn graph_of(nodes: usize, edges: &[(usize, usize)]) -> Graph {
        Graph::new(&plan(nodes, edges)).expect("edges lead from lower to higher numbers")
    }

    fn plan(nodes: usize, edges: &[(usize, usize)]) -> Plan {
        plan_of(&vec!["N"; nodes], edges)
    }

    #[test]
    fn longest_duration_wins_over_most_nodes() {
        let graph = graph_of(5, &[(0, 1), (1, 2), (2, 4), (0, 3), (3, 4)]);
        let path = critical_path(&graph, &[Some(10), Some(10), Some(10), Some(50), Some(5)]);
        assert_eq!(
            path,
            CriticalPath {
                nodes: vec![0, 3, 4],
                length_ms: 65
            }
        );
    }

    #[test]
    fn path_starts_and_ends_with_timed_nodes() {
        let graph = graph_of(4, &[(0, 1), (1, 2), (2, 3)]);
        let path = critical_path(&graph, &[None, Some(7), None, None]);
        assert_eq!(
            path,
            CriticalPath {
                nodes: vec![1],
                length_ms: 7
            }
        );
        assert_eq!(critical_path(&graph, &[None; 4]), CriticalPath::default());
        let between = critical_path(&graph, &[Some(1), None, Some(2), None]);
        assert_eq!(
            between.nodes,
            [0, 1, 2],
            "a skipped node between two others still joins them"
        );
    }

    #[test]
    fn soft_edges_do_not_delay() {
        let mut plan = plan(2, &[(0, 1)]);
        plan.edges[0].soft = true;
        let graph = Graph::new(&plan).expect("no cycle");
        assert_eq!(critical_path(&graph, &[Some(3), Some(4)]).nodes, [1]);
        assert_eq!(widest_antichain(&graph), [0, 1]);
    }

    #[test]
    fn widest_antichain_can_span_depths() {
        // A chain of three, and a node whose two children are at depths one and two of that chain.
        let graph = graph_of(6, &[(0, 1), (1, 2), (3, 4), (3, 5)]);
        assert_eq!(widest_antichain(&graph).len(), 3);
        assert!(widest_antichain(&graph_of(0, &[])).is_empty());
        assert_eq!(widest_antichain(&graph_of(3, &[(0, 1), (1, 2)])).len(), 1);
    }

    #[test]
    fn ten_thousand_layered_nodes_are_as_wide_as_a_layer() {
        let (layers, width) = (100, 100);
        let below = |n: usize| [(n, n + width), (n, n - n % width + width + (n + 1) % width)];
        let edges: Vec<_> = (0..(layers - 1) * width).flat_map(below).collect();
        assert_eq!(
            widest_antichain(&graph_of(layers * width, &edges)).len(),
            width
        );
    }

    proptest! {
        #[test]
        fn matches_brute_force(
            pairs in vec((0..9usize, 0..9usize), 0..20),
            times in vec(proptest::option::weighted(0.8, 0..20u64), 9),
        ) {
            let edges: Vec<_> = pairs.into_iter().filter(|(a, b)| a < b).collect();
            let graph = graph_of(9, &edges);
            let row = widest_antichain(&graph);
            prop_assert!(is_row(&graph, &row), "{row:?} depend on each other");
            let most = (0..1usize << 9).map(|set| (0..9).filter(|n| set >> n & 1 == 1).collect::<Vec<_>>());
            let most = most.filter(|set| is_row(&graph, set)).map(|set| set.len()).max().unwrap_or(0);
            prop_assert_eq!(row.len(), most);
            prop_assert_eq!(critical_path(&graph, &times).length_ms, longest(&graph, &times));
        }
    }

    fn is_row(graph: &Graph, set: &[usize]) -> bool {
        set.iter().all(|&one| {
            graph
                .dependents(one)
                .iter()
                .all(|below| !set.contains(below))
        })
    }

    fn longest(graph: &Graph, times: &[Option<u64>]) -> u64 {
        fn from(graph: &Graph, times: &[Option<u64>], number: usize) -> u64 {
            times[number].unwrap_or(0)
                + graph
                    .children(number)
                    .map(|child| from(graph, times, child))
                    .max()
                    .unwrap_or(0)
        }
        (0..graph.len())
            .map(|number| from(graph, times, number))
            .max()
            .unwrap_or(0)
    }
}
