//! Where nodes stand on the canvas when nobody placed them.
//!
//! Layers from rust-sugiyama, with everything it leaves open settled here: several components, isolated nodes,
//! notes, the two directions. The same plan always gives the same places. Whatever the window draws inside of a
//! node, and how edges are routed, is none of this module's business.

mod canvas;
mod layers;
mod links;
mod missing;

use canvas::Canvas;
use links::Links;

use crate::node::Position;
use crate::{NodeId, NodeKind, Plan};

/// How wide a node is drawn, in canvas units.
pub const NODE_WIDTH: f64 = 220.0;
/// How high a node is drawn, in canvas units.
pub const NODE_HEIGHT: f64 = 64.0;
/// What stays free between a node and those that depend on it, for the edges.
pub const RANK_GAP: f64 = 80.0;
/// What stays free between nodes beside one another.
pub const SIBLING_GAP: f64 = 28.0;
/// All places are multiples of this, so that dragging with a snapping grid finds them again.
pub const GRID: f64 = 4.0;

/// Where the work flows to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Dependents stand to the right.
    #[default]
    LeftRight,
    /// Dependents stand below.
    TopDown,
}

impl Direction {
    /// From one rank to the next, and from one sibling to the next.
    fn pitch(self) -> (f64, f64) {
        match self {
            Self::LeftRight => (NODE_WIDTH + RANK_GAP, NODE_HEIGHT + SIBLING_GAP),
            Self::TopDown => (NODE_HEIGHT + RANK_GAP, NODE_WIDTH + SIBLING_GAP),
        }
    }

    /// The place on the canvas of what stands at `along` the flow and at `across` it.
    fn position(self, (along, across): (f64, f64)) -> Position {
        match self {
            Self::LeftRight => Position { x: along, y: across },
            Self::TopDown => Position { x: across, y: along },
        }
    }

    /// The reverse of [`Self::position`].
    fn along_across(self, position: Position) -> (f64, f64) {
        match self {
            Self::LeftRight => (position.x, position.y),
            Self::TopDown => (position.y, position.x),
        }
    }
}

/// A place for every node of `plan`, in the order of the plan.
///
/// Parts that no edge connects stand beside one another across the flow, then the nodes without edges in a grid,
/// then the notes. Notes that have a place keep it and are not in the answer. No two nodes overlap, except for
/// nodes and such notes. Edges that lead nowhere are ignored, and of a cycle those that lead back in the order of
/// the plan.
#[must_use]
pub fn arrange(plan: &Plan, direction: Direction) -> Vec<(NodeId, Position)> {
    let links = Links::of(plan);
    let mut places = layers::place(&links, direction);
    let isolated: Vec<_> = links.executable().filter(|&node| links.is_isolated(node)).collect();
    place_grid(&isolated, direction, &mut places);
    let mut canvas = Canvas::default();
    for (node, place) in plan.nodes.iter().zip(&places) {
        canvas.occupy_all(place.or(placed_note(node)));
    }
    for (node, place) in plan.nodes.iter().zip(&mut places) {
        if !node.is_executable() && placed_note(node).is_none() {
            *place = Some(canvas.occupy_below());
        }
    }
    let placed = plan.nodes.iter().zip(places);
    placed.filter_map(|(node, place)| Some((node.id, place?))).collect()
}

/// Places for those nodes of `plan` that have none, near their parents or dependents, in the order of the plan.
///
/// Nodes that have a place keep it, and nothing is put upon them. When none has a place, this is [`arrange`].
#[must_use]
pub fn place_missing(plan: &Plan, direction: Direction) -> Vec<(NodeId, Position)> {
    if plan.nodes.iter().all(|node| canvas::usable(node.position).is_none()) {
        return arrange(plan, direction);
    }
    missing::place(plan, direction)
}

fn placed_note(node: &crate::Node) -> Option<Position> {
    match node.kind {
        NodeKind::Note(_) => canvas::usable(node.position),
        _ => None,
    }
}

/// Puts `nodes` across the flow behind all places so far, in rows that make the grid somewhat wider than high.
fn place_grid(nodes: &[usize], direction: Direction, places: &mut [Option<Position>]) {
    const WIDTH_TO_HEIGHT: f64 = 1.6;
    let (along, across) = direction.pitch();
    let wanted = match direction {
        Direction::LeftRight => WIDTH_TO_HEIGHT,
        Direction::TopDown => 1.0 / WIDTH_TO_HEIGHT,
    };
    let in_row = (nodes.len() as f64 * across * wanted / along).sqrt().ceil().max(1.0) as usize;
    let ends = places.iter().flatten().map(|&place| direction.along_across(place).1 + across);
    let start = ends.fold(0.0, f64::max);
    for (number, &node) in nodes.iter().enumerate() {
        let (row, column) = (number / in_row, number % in_row);
        places[node] = Some(direction.position((column as f64 * along, start + row as f64 * across)));
    }
}

#[cfg(test)]
mod tests;
