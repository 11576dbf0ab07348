//! Rectangles on the canvas.

use super::dimensions::{NODE_HEIGHT, NODE_WIDTH, NOTE_HEIGHT};
use baton_model::Direction;
use baton_model::node::Position;
use baton_model::{Node, NodeKind};

/// A width and a height, in canvas units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Size {
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Size {
    pub(crate) const CARD: Self = Self {
        width: NODE_WIDTH,
        height: NODE_HEIGHT,
    };

    pub(crate) fn for_node(node: &Node) -> Self {
        match node.kind {
            NodeKind::Note(ref note) => match note.size {
                Some(size) => Self {
                    width: size.width.into(),
                    height: size.height.into(),
                },
                None => Self {
                    width: NODE_WIDTH,
                    height: NOTE_HEIGHT,
                },
            },
            _ => Self::CARD,
        }
    }

    /// The extents along and across the flow.
    pub(crate) fn along_across(self, direction: Direction) -> (f64, f64) {
        match direction {
            Direction::LeftRight => (self.width, self.height),
            Direction::TopDown => (self.height, self.width),
        }
    }
}

/// A rectangle, given by its upper left corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Area {
    pub(crate) at: Position,
    pub(crate) size: Size,
}

impl Area {
    pub(crate) fn right(&self) -> f64 {
        self.at.x + self.size.width
    }

    pub(crate) fn bottom(&self) -> f64 {
        self.at.y + self.size.height
    }

    pub(crate) fn translated(self, dx: f64, dy: f64) -> Self {
        Self {
            at: Position {
                x: self.at.x + dx,
                y: self.at.y + dy,
            },
            ..self
        }
    }

    /// Returns whether the distance to `other` is less than `gap` in both directions.
    pub(crate) fn is_nearer_than(&self, gap: f64, other: &Self) -> bool {
        self.at.x < other.right() + gap
            && other.at.x < self.right() + gap
            && self.at.y < other.bottom() + gap
            && other.at.y < self.bottom() + gap
    }

    /// The smallest rectangle around all `areas`; `None` if there are none.
    pub(crate) fn bounding(areas: impl IntoIterator<Item = Self>) -> Option<Self> {
        areas.into_iter().reduce(|a, b| {
            let at = Position {
                x: a.at.x.min(b.at.x),
                y: a.at.y.min(b.at.y),
            };
            let size = Size {
                width: a.right().max(b.right()) - at.x,
                height: a.bottom().max(b.bottom()) - at.y,
            };
            Self { at, size }
        })
    }
}
