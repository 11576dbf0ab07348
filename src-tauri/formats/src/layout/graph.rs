//! The dependencies of nodes, for plans that may have cycles.
//!
//! [`Graph`](baton_model::Graph) refuses plans with cycles, but the canvas has to show them too.

use std::collections::{BTreeSet, HashMap};

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use baton_model::{NodeId, Plan};

/// Parents and dependents by vertex number, without cycles and duplicates. A vertex is a node of
/// the plan, or several nodes that are placed as one.
#[derive(Debug)]
pub(super) struct LayoutGraph {
    parents: Vec<Vec<usize>>,
    children: Vec<Vec<usize>>,
    takes_part: Vec<bool>,
}

impl LayoutGraph {
    /// The links between the nodes of `plan`, by their indexes. Soft edges count, and so do
    /// branches and jumps, because the canvas draws them like edges. Notes are excluded.
    pub(super) fn from_plan(plan: &Plan) -> Self {
        let takes_part: Vec<_> = plan
            .nodes
            .iter()
            .map(baton_model::Node::is_executable)
            .collect();
        let index: HashMap<NodeId, usize> = plan
            .nodes
            .iter()
            .zip(0..)
            .map(|(node, number)| (node.id, number))
            .collect();
        let named = plan
            .nodes
            .iter()
            .flat_map(|node| node.successors_by_name().map(|child| (node.id, child)));
        let drawn = plan.edges.iter().map(|edge| (edge.parent, edge.child));
        let edges = drawn
            .chain(named)
            .filter_map(|(parent, child)| Some((*index.get(&parent)?, *index.get(&child)?)));
        Self::from_edges(takes_part, edges)
    }

    /// A graph of the included vertices. Links that close a cycle in the order of the numbers are
    /// dropped.
    pub(super) fn from_edges(
        takes_part: Vec<bool>,
        edges: impl Iterator<Item = (usize, usize)>,
    ) -> Self {
        let is_drawn = |&(parent, child): &(usize, usize)| {
            parent != child && takes_part[parent] && takes_part[child]
        };
        let edges: BTreeSet<_> = edges.filter(is_drawn).collect();
        let rings = strongly_connected_components(takes_part.len(), &edges);
        let mut links = Self {
            parents: vec![Vec::new(); takes_part.len()],
            children: vec![Vec::new(); takes_part.len()],
            takes_part,
        };
        for (parent, child) in edges {
            if rings[parent] != rings[child] || parent < child {
                links.parents[child].push(parent);
                links.children[parent].push(child);
            }
        }
        links
    }

    /// The number of vertices, with excluded ones.
    pub(super) fn len(&self) -> usize {
        self.takes_part.len()
    }

    pub(super) fn parents(&self, vertex: usize) -> &[usize] {
        &self.parents[vertex]
    }

    pub(super) fn children(&self, vertex: usize) -> &[usize] {
        &self.children[vertex]
    }

    pub(super) fn is_isolated(&self, vertex: usize) -> bool {
        self.parents[vertex].is_empty() && self.children[vertex].is_empty()
    }

    pub(super) fn vertices(&self) -> impl Iterator<Item = usize> {
        (0..self.len()).filter(|&vertex| self.takes_part[vertex])
    }

    pub(super) fn edges(&self) -> impl Iterator<Item = (usize, usize)> {
        self.children
            .iter()
            .enumerate()
            .flat_map(|(parent, children)| children.iter().map(move |&child| (parent, child)))
    }

    /// All vertices in topological order.
    pub(super) fn topological_order(&self) -> Vec<usize> {
        let mut open: Vec<usize> = self.parents.iter().map(Vec::len).collect();
        let mut order: Vec<usize> = (0..open.len())
            .filter(|&vertex| open[vertex] == 0)
            .collect();
        let mut next = 0;
        while let Some(&vertex) = order.get(next) {
            next += 1;
            for &child in &self.children[vertex] {
                open[child] -= 1;
                if open[child] == 0 {
                    order.push(child);
                }
            }
        }
        order
    }
}

/// For each vertex a number that it shares exactly with the vertices on a cycle with it.
fn strongly_connected_components(count: usize, edges: &BTreeSet<(usize, usize)>) -> Vec<usize> {
    let mut graph = DiGraph::<(), ()>::with_capacity(count, edges.len());
    let vertices: Vec<_> = (0..count).map(|_| graph.add_node(())).collect();
    for &(parent, child) in edges {
        graph.add_edge(vertices[parent], vertices[child], ());
    }
    let mut rings = vec![0; count];
    // Not Tarjan's algorithm, which recurses once for each node of a long chain.
    for (number, ring) in kosaraju_scc(&graph).into_iter().enumerate() {
        for vertex in ring {
            rings[vertex.index()] = number;
        }
    }
    rings
}
