//! Which parts of the canvas are taken.

use std::collections::HashMap;

use super::area::{Area, Size};
use super::{GRID, NODE_HEIGHT, NODE_WIDTH, SIBLING_GAP};
use baton_model::node::Position;

/// Places farther out than this are taken for none: coordinates lose their precision there.
const FARTHEST: f64 = 1e9;

/// `position`, if a node can stand there.
pub(super) fn usable(position: Option<Position>) -> Option<Position> {
    position.filter(|place| place.x.abs() <= FARTHEST && place.y.abs() <= FARTHEST)
}

const CELL_WIDTH: f64 = NODE_WIDTH + SIBLING_GAP;
const CELL_HEIGHT: f64 = NODE_HEIGHT + SIBLING_GAP;

/// What covers more cells than these is kept apart: there are few of those.
const MOST_CELLS: i64 = 10_000;

/// What is taken, by cells of a node's size and gap, so that only what is near is looked at.
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
        if (columns.end() - columns.start() + 1) * (rows.end() - rows.start() + 1) > MOST_CELLS {
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

    /// Takes a place below everything, at the left.
    pub(super) fn occupy_below(&mut self, size: Size) -> Position {
        let at = Position {
            x: snapped_up(self.left.unwrap_or(0.0)),
            y: self.end(),
        };
        self.occupy(Area { at, size });
        at
    }

    /// The first coordinate downwards that nothing is upon, with the gap.
    pub(super) fn end(&self) -> f64 {
        self.bottom
            .map_or(0.0, |bottom| snapped_up(bottom + SIBLING_GAP))
    }

    /// Whether `area` keeps the gap to all others.
    pub(super) fn is_free(&self, area: Area) -> bool {
        let wide = Size {
            width: area.size.width + 2.0 * SIBLING_GAP,
            height: area.size.height + 2.0 * SIBLING_GAP,
        };
        let (columns, rows) = cells(Area {
            size: wide,
            ..area.moved(-SIBLING_GAP, -SIBLING_GAP)
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

/// How wide rows are to be at least, measured by the height of all of them.
const WIDTH_TO_HEIGHT: f64 = 1.6;

/// Rows below everything, from its left end: as wide as what stands above them, or else somewhat wider than high.
#[derive(Debug)]
pub(super) struct Rows {
    left: f64,
    /// Where a row ends that has something in it.
    right: f64,
    /// Where the next one stands, if there is room.
    next: Position,
}

impl Rows {
    /// Rows for what has these `sizes`.
    pub(super) fn below(canvas: &Canvas, sizes: impl Iterator<Item = Size>) -> Self {
        let left = snapped_up(canvas.left.unwrap_or(0.0));
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
                y: canvas.end(),
            },
        }
    }

    /// Takes the next place.
    pub(super) fn occupy(&mut self, canvas: &mut Canvas, size: Size) -> Position {
        if self.next.x > self.left && self.next.x + size.width > self.right {
            self.next = Position {
                x: self.left,
                y: canvas.end(),
            };
        }
        let area = Area {
            at: self.next,
            size,
        };
        canvas.occupy(area);
        self.next.x = snapped_up(area.right() + SIBLING_GAP);
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

/// The next coordinate of the grid.
pub(super) fn snapped_up(coordinate: f64) -> f64 {
    (coordinate / GRID).ceil() * GRID
}
