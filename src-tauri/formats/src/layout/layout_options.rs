//! Options for what to lay out, and what must stay in place.

use std::collections::HashSet;

use baton_model::{Direction, GroupId, NodeId, Plan};

/// Options of [`arrange_with`](super::arrange_with). The default lays out the whole plan from left
/// to right.
#[derive(Debug, Clone, Default)]
pub struct LayoutOptions {
    /// The direction of the flow.
    pub direction: Direction,
    /// If set, only these nodes move, and they are not placed on top of others.
    pub only: Option<HashSet<NodeId>>,
    /// Nodes that keep their position, if they have one.
    pub pinned: HashSet<NodeId>,
    /// Nodes that stay together in a frame. A node in several clusters counts for the first one.
    pub clusters: Vec<Cluster>,
}

impl LayoutOptions {
    /// The whole of `plan` except for nodes that keep their place, with its groups, none of them
    /// collapsed.
    #[must_use]
    pub fn for_plan(plan: &Plan, direction: Direction) -> Self {
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

/// Nodes in one frame.
#[derive(Debug, Clone, Default)]
pub struct Cluster {
    /// The members, which may include notes.
    pub nodes: Vec<NodeId>,
    /// Whether it is drawn as one card and takes only the room of a card. Its members are still
    /// laid out from the corner of the card on, for when it is expanded.
    pub collapsed: bool,
}
