//! Along the flow of the work, and across it.

use baton_model::Direction;
use baton_model::node::Position;

use super::{NODE_HEIGHT, NODE_WIDTH, RANK_GAP, SIBLING_GAP};

/// The canvas as the flow of the work sees it.
pub(super) trait Axes {
    /// From one rank to the next, and from one sibling to the next.
    fn pitch(self) -> (f64, f64);

    /// The place on the canvas of what stands at `along` the flow and at `across` it.
    fn position(self, along_across: (f64, f64)) -> Position;

    /// The reverse of [`Self::position`].
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
