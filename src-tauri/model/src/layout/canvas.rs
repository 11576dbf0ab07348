//! Which parts of the canvas are taken.

use std::collections::HashMap;

use super::{GRID, NODE_HEIGHT, NODE_WIDTH, SIBLING_GAP};
use crate::node::Position;

/// Places farther out than this are taken for none: coordinates lose their precision there.
const FARTHEST: f64 = 1e9;

/// `position`, if a node can stand there.
pub(super) fn usable(position: Option<Position>) -> Option<Position> {
    position.filter(|place| place.x.abs() <= FARTHEST && place.y.abs() <= FARTHEST)
}

const CELL_WIDTH: f64 = NODE_WIDTH + SIBLING_GAP;
const CELL_HEIGHT: f64 = NODE_HEIGHT + SIBLING_GAP;

/// Places of nodes, by cells of a node's size and gap: only the neighbours of a cell can be in the way.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    cells: HashMap<(i64, i64), Vec<Position>>,
    left: Option<f64>,
    bottom: Option<f64>,
}

impl Canvas {
    pub(super) fn occupy_all(&mut self, places: impl IntoIterator<Item = Position>) {
        for place in places {
            self.cells.entry(cell(place)).or_default().push(place);
            self.left = Some(self.left.map_or(place.x, |left| left.min(place.x)));
            self.bottom = Some(self.bottom.map_or(place.y, |bottom| bottom.max(place.y)));
        }
    }

    /// Takes a place below everything, at the left.
    pub(super) fn occupy_below(&mut self) -> Position {
        let y = self.bottom.map_or(0.0, |bottom| snapped_up(bottom + CELL_HEIGHT));
        let place = Position { x: snapped_up(self.left.unwrap_or(0.0)), y };
        self.occupy_all([place]);
        place
    }

    /// Whether a node at `place` keeps the gap to all others.
    pub(super) fn is_free(&self, place: Position) -> bool {
        let (column, row) = cell(place);
        let mut near = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (column + dx, row + dy)));
        !near.any(|cell| self.cells.get(&cell).is_some_and(|others| others.iter().any(|&other| collide(place, other))))
    }
}

fn collide(a: Position, b: Position) -> bool {
    (a.x - b.x).abs() < CELL_WIDTH && (a.y - b.y).abs() < CELL_HEIGHT
}

fn cell(place: Position) -> (i64, i64) {
    ((place.x / CELL_WIDTH).floor() as i64, (place.y / CELL_HEIGHT).floor() as i64)
}

/// The next coordinate of the grid.
pub(super) fn snapped_up(coordinate: f64) -> f64 {
    (coordinate / GRID).ceil() * GRID
}
