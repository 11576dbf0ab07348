//! Sizes and gaps on the canvas, in canvas units.

/// The width of a node's card.
pub const NODE_WIDTH: f64 = 220.0;
/// The height of a node's card.
pub const NODE_HEIGHT: f64 = 64.0;
/// The height of a note; it is as wide as a node.
pub const NOTE_HEIGHT: f64 = 120.0;
/// The space inside a cluster's frame, on all sides.
pub const FRAME_MARGIN: f64 = 20.0;
/// The height of a frame's title above its members, in addition to the margin.
pub const FRAME_HEAD: f64 = 28.0;
/// The space between a node and its dependents, where the edges run.
pub const RANK_GAP: f64 = 80.0;
/// The space between nodes side by side.
pub const SIBLING_GAP: f64 = 28.0;
/// All positions are multiples of this, so that dragging with a snapping grid can reach them again.
pub const GRID: f64 = 4.0;
