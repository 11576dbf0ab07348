//! Where nodes stand on the canvas when nobody placed them.
//!
//! Layers from rust-sugiyama, with everything it leaves open settled here: several components, isolated nodes,
//! notes, the two directions. The same plan always gives the same places. Whatever the window draws inside of a
//! node, and how edges are routed, is none of this module's business.

mod area;
mod axes;
mod canvas;
mod grid;
mod items;
mod layers;
mod links;
mod missing;
mod plain;
mod settle;
mod wish;

pub(crate) use area::{Area, Size};
use axes::Axes;
use canvas::{Canvas, Rows};
use items::Items;
pub(crate) use items::frame_around;
pub use wish::{Cluster, Wish};

use baton_model::Direction;
use baton_model::node::Position;
use baton_model::{NodeId, Plan};

/// How wide a node is drawn, in canvas units.
pub const NODE_WIDTH: f64 = 220.0;
/// How high a node is drawn, in canvas units.
pub const NODE_HEIGHT: f64 = 64.0;
/// How high a note is drawn, in canvas units; it is as wide as a node.
pub const NOTE_HEIGHT: f64 = 120.0;
/// What stays free inside of a cluster's frame, on all sides.
pub const FRAME_MARGIN: f64 = 20.0;
/// What a frame's title takes above its members, beside the margin.
pub const FRAME_HEAD: f64 = 28.0;
/// What stays free between a node and those that depend on it, for the edges.
pub const RANK_GAP: f64 = 80.0;
/// What stays free between nodes beside one another.
pub const SIBLING_GAP: f64 = 28.0;
/// All places are multiples of this, so that dragging with a snapping grid finds them again.
pub const GRID: f64 = 4.0;

/// A place for every node of `plan`, in the order of the plan.
///
/// Parts that no edge connects stand beside one another across the flow, then the nodes without edges in a grid,
/// then the notes. Notes that have a place keep it and are not in the answer. No two nodes overlap, except for
/// nodes and such notes. Edges that lead nowhere are ignored, and of a cycle those that lead back in the order of
/// the plan.
#[must_use]
pub fn arrange(plan: &Plan, direction: Direction) -> Vec<(NodeId, Position)> {
    arrange_as(plan, &Wish::of(plan, direction))
}

/// Places for the nodes of `plan` that `wish` wants moved, in the order of the plan; else as [`arrange`].
///
/// A cluster is a box in the layout of the rest, and its members are laid out inside. A box that edges leave and come back to
/// is on a cycle as a whole: then one of those edges leads back. Pinned nodes stay, a cluster with a pinned node
/// stays as a whole, and nothing is put upon them: who would stand there moves aside, across the flow.
#[must_use]
pub fn arrange_as(plan: &Plan, wish: &Wish) -> Vec<(NodeId, Position)> {
    let items = Items::of(plan, wish);
    let ideal = items::all_places(&items.links, &items.sizes(), wish.direction);
    let ideal: Vec<_> = ideal
        .into_iter()
        .map(|place| place.unwrap_or(Position { x: 0.0, y: 0.0 }))
        .collect();
    let mut places = vec![None; plan.nodes.len()];
    for (item, at) in items
        .list
        .iter()
        .zip(settle::settle(plan, wish, &items, &ideal))
    {
        for &(node, from_corner) in item.members.iter().filter(|_| item.fixed.is_none()) {
            places[node] = Some(Position {
                x: at.x + from_corner.x,
                y: at.y + from_corner.y,
            });
        }
    }
    if wish.only.is_none() {
        place_notes(plan, &mut places);
    }
    let placed = plan.nodes.iter().zip(places);
    placed
        .filter_map(|(node, place)| Some((node.id, place?)))
        .collect()
}

/// Puts notes that have no place below all else, in rows.
fn place_notes(plan: &Plan, places: &mut [Option<Position>]) {
    let mut canvas = Canvas::default();
    for (node, place) in plan.nodes.iter().zip(places.iter()) {
        if let Some(at) = place.or(canvas::usable(node.position)) {
            canvas.occupy(Area {
                at,
                size: Size::of(node),
            });
        }
    }
    let without = plan.nodes.iter().zip(places).filter(|(node, place)| {
        !node.is_executable() && place.is_none() && canvas::usable(node.position).is_none()
    });
    let without: Vec<_> = without
        .map(|(node, place)| (Size::of(node), place))
        .collect();
    let mut rows = Rows::below(&canvas, without.iter().map(|(size, _)| *size));
    for (size, place) in without {
        *place = Some(rows.occupy(&mut canvas, size));
    }
}

/// Places for those nodes of `plan` that have none, near their parents or dependents, in the order of the plan.
///
/// Nodes that have a place keep it, and nothing is put upon them. When none has a place, this is [`arrange`].
#[must_use]
pub fn place_missing(plan: &Plan, direction: Direction) -> Vec<(NodeId, Position)> {
    if plan
        .nodes
        .iter()
        .all(|node| canvas::usable(node.position).is_none())
    {
        return arrange(plan, direction);
    }
    missing::place(plan, direction)
}

#[cfg(test)]
mod tests;
