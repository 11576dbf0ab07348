//! Who stands before whom, for plans that need not be sound.
//!
//! [`Graph`](crate::Graph) refuses plans with cycles; a canvas has to show them too.

use std::collections::{BTreeSet, HashMap};

use crate::{NodeId, Plan};

/// Parents and dependents by position in the plan, free of cycles and duplicates. Soft edges count, and so do the
/// branches and jumps that nodes name: the canvas draws them like edges.
#[derive(Debug)]
pub(super) struct Links {
    parents: Vec<Vec<usize>>,
    children: Vec<Vec<usize>>,
    is_executable: Vec<bool>,
}

impl Links {
    pub(super) fn of(plan: &Plan) -> Self {
        let is_executable: Vec<_> = plan.nodes.iter().map(crate::Node::is_executable).collect();
        let index: HashMap<NodeId, usize> =
            plan.nodes.iter().zip(0..).map(|(node, number)| (node.id, number)).collect();
        let named = plan.nodes.iter().flat_map(|node| node.successors_by_name().map(|child| (node.id, child)));
        let drawn = plan.edges.iter().map(|edge| (edge.parent, edge.child));
        let edges = drawn.chain(named).filter_map(|(parent, child)| Some((*index.get(&parent)?, *index.get(&child)?)));
        let edges: BTreeSet<_> =
            edges.filter(|&(parent, child)| parent != child && is_executable[parent] && is_executable[child]).collect();
        let links = Self::from_edges(edges.iter().copied(), is_executable);
        if links.order().len() == plan.nodes.len() {
            return links;
        }
        let forward = edges.into_iter().filter(|(parent, child)| parent < child);
        Self::from_edges(forward, links.is_executable)
    }

    fn from_edges(edges: impl Iterator<Item = (usize, usize)>, is_executable: Vec<bool>) -> Self {
        let mut parents = vec![Vec::new(); is_executable.len()];
        let mut children = parents.clone();
        for (parent, child) in edges {
            parents[child].push(parent);
            children[parent].push(child);
        }
        Self { parents, children, is_executable }
    }

    /// How many nodes the plan has, notes included.
    pub(super) fn len(&self) -> usize {
        self.is_executable.len()
    }

    pub(super) fn parents(&self, node: usize) -> &[usize] {
        &self.parents[node]
    }

    pub(super) fn children(&self, node: usize) -> &[usize] {
        &self.children[node]
    }

    pub(super) fn is_isolated(&self, node: usize) -> bool {
        self.parents[node].is_empty() && self.children[node].is_empty()
    }

    pub(super) fn executable(&self) -> impl Iterator<Item = usize> {
        (0..self.len()).filter(|&node| self.is_executable[node])
    }

    /// All nodes, parents first. Nodes on a cycle are left out, with all that depends on them.
    pub(super) fn order(&self) -> Vec<usize> {
        let mut open: Vec<usize> = self.parents.iter().map(Vec::len).collect();
        let mut order: Vec<usize> = (0..open.len()).filter(|&node| open[node] == 0).collect();
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            next += 1;
            for &child in &self.children[node] {
                open[child] -= 1;
                if open[child] == 0 {
                    order.push(child);
                }
            }
        }
        order
    }
}
