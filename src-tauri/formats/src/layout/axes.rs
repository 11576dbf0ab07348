//! Coordinates along and across the flow.

use baton_model::Direction;
use baton_model::node::Position;

use super::dimensions::{NODE_HEIGHT, NODE_WIDTH, RANK_GAP, SIBLING_GAP};

/// Converts between canvas coordinates and coordinates relative to the flow.
pub(super) trait Axes {
    /// The distances between ranks, and between siblings.
    fn pitch(self) -> (f64, f64);

    /// The position on the canvas of a point along and across the flow.
    fn position(self, along_across: (f64, f64)) -> Position;

    /// The inverse of [`Self::position`].
    fn along_across(self, position: Position) -> (f64, f64);
}

impl Axes for Direction {
    fn pitch(self) -> (f64, f64) {
        match self {
            Self::LeftRight => (NODE_WIDTH + RANK_GAP, NODE_HEIGHT + SIBLING_GAP),
            Self::TopDown => (NODE_HEIGHT + RANK_GAP, NODE_WIDTH + SIBLING_GAP),
        }
    }

    fn position(self, (along, across): (f64, f64)) -> Position {
        match self {
            Self::LeftRight => Position {
                x: along,
                y: across,
            },
            Self::TopDown => Position {
                x: across,
                y: along,
            },
        }
    }

    fn along_across(self, position: Position) -> (f64, f64) {
        match self {
            Self::LeftRight => (position.x, position.y),
            Self::TopDown => (position.y, position.x),
        }
    }
}
