//! What a person wants to be laid out, and what shall stay as it is.

use std::collections::HashSet;

use super::Direction;
use baton_model::{GroupId, NodeId, Plan};

/// How [`arrange_as`](super::arrange_as) lays a plan out. The default is the whole of it, from left to right.
#[derive(Debug, Clone, Default)]
pub struct Wish {
    /// Where the work flows to.
    pub direction: Direction,
    /// Only these nodes move, and nothing of them is put upon the others; `None`: all of the plan.
    pub only: Option<HashSet<NodeId>>,
    /// Nodes that stay where they are, as long as they stand somewhere.
    pub pinned: HashSet<NodeId>,
    /// Nodes that are kept together in a frame. A node counts for the first cluster that names it.
    pub clusters: Vec<Cluster>,
}

impl Wish {
    /// The whole of `plan` but for what keeps its place, with its groups, none of them collapsed.
    #[must_use]
    pub fn of(plan: &Plan, direction: Direction) -> Self {
        Self::with_collapsed(plan, direction, &HashSet::new())
    }

    /// The whole of `plan` with its groups, of which some are drawn as one card.
    #[must_use]
    pub fn with_collapsed(plan: &Plan, direction: Direction, collapsed: &HashSet<GroupId>) -> Self {
        let cluster = |group: &baton_model::group::Group| Cluster {
            nodes: group.nodes.clone(),
            collapsed: collapsed.contains(&group.id),
        };
        let pinned = plan
            .nodes
            .iter()
            .filter(|node| node.keeps_place)
            .map(|node| node.id);
        let clusters = plan.groups.iter().map(cluster);
        Self {
            direction,
            pinned: pinned.collect(),
            clusters: clusters.collect(),
            ..Self::default()
        }
    }
}

/// Nodes that stand in one frame.
#[derive(Debug, Clone, Default)]
pub struct Cluster {
    /// The nodes in it, notes among them.
    pub nodes: Vec<NodeId>,
    /// It is drawn as one card: only that much room is kept for it. Its members are laid out all the same, from the
    /// card's corner on, for when it is opened.
    pub collapsed: bool,
}
