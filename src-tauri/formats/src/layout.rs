//! Positions on the canvas for nodes without one.
//!
//! The layers come from rust-sugiyama. This module adds what that leaves open: several components,
//! isolated nodes, notes, and both directions. Equal plans get equal positions. How nodes and edges
//! are drawn is up to the window.

mod area;
mod axes;
mod canvas;
mod dimensions;
mod graph;
mod grid;
mod items;
mod layers;
mod layout_options;
mod missing_positions;
mod overlaps;
mod simple_ranks;

pub(crate) use area::{Area, Size};
pub(crate) use canvas::valid_position;
use canvas::{Canvas, Rows};
pub use dimensions::{
    FRAME_HEAD, FRAME_MARGIN, GRID, NODE_HEIGHT, NODE_WIDTH, NOTE_HEIGHT, RANK_GAP, SIBLING_GAP,
};
use items::Items;
pub(crate) use items::frame_around;
pub use layout_options::{Cluster, LayoutOptions};

use baton_model::Direction;
use baton_model::node::Position;
use baton_model::{NodeId, Plan};

/// A position for each node of `plan`, in the order of the plan.
///
/// Connected components are placed side by side across the flow, followed by nodes without edges in
/// a grid and by notes. Notes with a position keep it and are not in the result. Nodes do not
/// overlap, except with such notes. Edges to unknown nodes are ignored, and so are edges that close
/// a cycle in the order of the plan.
#[must_use]
pub fn arrange(plan: &Plan, direction: Direction) -> Vec<(NodeId, Position)> {
    arrange_with(plan, &LayoutOptions::for_plan(plan, direction))
}

/// Positions for the nodes of `plan` that `options` moves, in the order of the plan. Otherwise like
/// [`arrange`].
///
/// A cluster is one box in the layout, and its members are laid out inside. If edges leave a box
/// and return, the box is on a cycle as a whole, and one of those edges points backward. Pinned
/// nodes stay, a cluster with a pinned node stays as a whole, and nothing is placed on top of them:
/// other items move aside, across the flow.
#[must_use]
pub fn arrange_with(plan: &Plan, options: &LayoutOptions) -> Vec<(NodeId, Position)> {
    let items = Items::from_plan(plan, options);
    let ideal = items::all_places(&items.links, &items.sizes(), options.direction);
    let ideal: Vec<_> = ideal
        .into_iter()
        .map(|place| place.unwrap_or(Position { x: 0.0, y: 0.0 }))
        .collect();
    let mut places = vec![None; plan.nodes.len()];
    for (item, at) in items
        .list
        .iter()
        .zip(overlaps::resolve_overlaps(plan, options, &items, &ideal))
    {
        for &(node, from_corner) in item.members.iter().filter(|_| item.fixed.is_none()) {
            places[node] = Some(Position {
                x: at.x + from_corner.x,
                y: at.y + from_corner.y,
            });
        }
    }
    if options.only.is_none() {
        place_notes(plan, &mut places);
    }
    let placed = plan.nodes.iter().zip(places);
    placed
        .filter_map(|(node, place)| Some((node.id, place?)))
        .collect()
}

/// Places notes without a position below everything else, in rows.
fn place_notes(plan: &Plan, places: &mut [Option<Position>]) {
    let mut canvas = Canvas::default();
    for (node, place) in plan.nodes.iter().zip(places.iter()) {
        if let Some(at) = place.or(valid_position(node.position)) {
            canvas.occupy(Area {
                at,
                size: Size::for_node(node),
            });
        }
    }
    let without = plan.nodes.iter().zip(places).filter(|(node, place)| {
        !node.is_executable() && place.is_none() && valid_position(node.position).is_none()
    });
    let without: Vec<_> = without
        .map(|(node, place)| (Size::for_node(node), place))
        .collect();
    let mut rows = Rows::below(&canvas, without.iter().map(|(size, _)| *size));
    for (size, place) in without {
        *place = Some(rows.occupy(&mut canvas, size));
    }
}

/// Positions for the nodes of `plan` that have none, near their parents or dependents, in the order
/// of the plan.
///
/// Nodes with a position keep it, and nothing is placed on top of them. If no node has a position,
/// this is [`arrange`].
#[must_use]
pub fn place_missing(plan: &Plan, direction: Direction) -> Vec<(NodeId, Position)> {
    if plan
        .nodes
        .iter()
        .all(|node| valid_position(node.position).is_none())
    {
        return arrange(plan, direction);
    }
    missing_positions::place(plan, direction)
}

#[cfg(test)]
mod tests;
