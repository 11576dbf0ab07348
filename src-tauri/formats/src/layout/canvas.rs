//! Keeps track of occupied areas on the canvas.

use std::collections::HashMap;

use super::area::{Area, Size};
use super::dimensions::{GRID, NODE_HEIGHT, NODE_WIDTH, SIBLING_GAP};
use baton_model::node::Position;

/// Positions farther out than this count as missing, because coordinates lose their precision
/// there.
const MAX_COORDINATE: f64 = 1e9;

/// `position`, if it is finite and within the limit.
pub(crate) fn valid_position(position: Option<Position>) -> Option<Position> {
    position.filter(|place| place.x.abs() <= MAX_COORDINATE && place.y.abs() <= MAX_COORDINATE)
}

const CELL_WIDTH: f64 = NODE_WIDTH + SIBLING_GAP;
const CELL_HEIGHT: f64 = NODE_HEIGHT + SIBLING_GAP;

/// Areas that cover more cells than this are kept in a separate list: there are few of them.
const MAX_CELLS: i64 = 10_000;

/// The occupied areas, indexed by cells of the size of a node and its gap, so that only nearby ones
/// are compared.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    cells: HashMap<(i64, i64), Vec<Area>>,
    large: Vec<Area>,
    left: Option<f64>,
    right: Option<f64>,
    bottom: Option<f64>,
}

impl Canvas {
    pub(super) fn occupy(&mut self, area: Area) {
        let (columns, rows) = cells(area);
        if (columns.end() - columns.start() + 1) * (rows.end() - rows.start() + 1) > MAX_CELLS {
            self.large.push(area);
        } else {
            for column in columns {
                for row in rows.clone() {
                    self.cells.entry((column, row)).or_default().push(area);
                }
            }
        }
        self.left = Some(self.left.map_or(area.at.x, |left| left.min(area.at.x)));
        self.right = Some(
            self.right
                .map_or(area.right(), |right| right.max(area.right())),
        );
        self.bottom = Some(
            self.bottom
                .map_or(area.bottom(), |bottom| bottom.max(area.bottom())),
        );
    }

    /// Occupies an area below everything else, at the left.
    pub(super) fn occupy_below(&mut self, size: Size) -> Position {
        let at = Position {
            x: snap_up_to_grid(self.left.unwrap_or(0.0)),
            y: self.next_free_y(),
        };
        self.occupy(Area { at, size });
        at
    }

    /// The first free coordinate below everything, including the gap.
    pub(super) fn next_free_y(&self) -> f64 {
        self.bottom
            .map_or(0.0, |bottom| snap_up_to_grid(bottom + SIBLING_GAP))
    }

    /// Returns whether `area` keeps the gap to all others.
    pub(super) fn is_free(&self, area: Area) -> bool {
        let wide = Size {
            width: area.size.width + 2.0 * SIBLING_GAP,
            height: area.size.height + 2.0 * SIBLING_GAP,
        };
        let (columns, rows) = cells(Area {
            size: wide,
            ..area.translated(-SIBLING_GAP, -SIBLING_GAP)
        });
        let mut near = columns.flat_map(|column| rows.clone().map(move |row| (column, row)));
        let hit = |others: &Vec<Area>| {
            others
                .iter()
                .any(|other| area.is_nearer_than(SIBLING_GAP, other))
        };
        !hit(&self.large) && !near.any(|cell| self.cells.get(&cell).is_some_and(hit))
    }
}

/// The minimum width of rows, relative to their total height.
const WIDTH_TO_HEIGHT: f64 = 1.6;

/// Rows below everything else, starting at its left end: as wide as what is above them, or else
/// somewhat wider than high.
#[derive(Debug)]
pub(super) struct Rows {
    left: f64,
    /// The end of the current row, if it is not empty.
    right: f64,
    /// The position of the next item, if it fits.
    next: Position,
}

impl Rows {
    /// Rows for items with these `sizes`.
    pub(super) fn below(canvas: &Canvas, sizes: impl Iterator<Item = Size>) -> Self {
        let left = snap_up_to_grid(canvas.left.unwrap_or(0.0));
        let surface: f64 = sizes
            .map(|size| (size.width + SIBLING_GAP) * (size.height + SIBLING_GAP))
            .sum();
        let right = canvas
            .right
            .unwrap_or(left)
            .max(left + (surface * WIDTH_TO_HEIGHT).sqrt());
        Self {
            left,
            right,
            next: Position {
                x: left,
                y: canvas.next_free_y(),
            },
        }
    }

    /// Occupies the next position.
    pub(super) fn occupy(&mut self, canvas: &mut Canvas, size: Size) -> Position {
        if self.next.x > self.left && self.next.x + size.width > self.right {
            self.next = Position {
                x: self.left,
                y: canvas.next_free_y(),
            };
        }
        let area = Area {
            at: self.next,
            size,
        };
        canvas.occupy(area);
        self.next.x = snap_up_to_grid(area.right() + SIBLING_GAP);
        area.at
    }
}

type Cells = std::ops::RangeInclusive<i64>;

fn cells(area: Area) -> (Cells, Cells) {
    let cell = |coordinate: f64, size: f64| (coordinate / size).floor() as i64;
    let columns = cell(area.at.x, CELL_WIDTH)..=cell(area.right(), CELL_WIDTH);
    (
        columns,
        cell(area.at.y, CELL_HEIGHT)..=cell(area.bottom(), CELL_HEIGHT),
    )
}

/// Rounds up to the grid.
pub(super) fn snap_up_to_grid(coordinate: f64) -> f64 {
    (coordinate / GRID).ceil() * GRID
}
