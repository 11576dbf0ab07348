//! A plan's graph in a few blocks and links, for a card in a list of plans.
//!
//! A block is a node, in its place on the canvas. In a plan with more than [`MAX_BLOCKS`] nodes a
//! block stands for all nodes in one cell of a grid over the canvas, so the picture keeps the
//! plan's shape, and its size has a limit.

use std::collections::{BTreeMap, HashMap};

use baton_model::node::Position;
use baton_model::{Node, NodeId, Plan};
use serde::{Deserialize, Serialize};

use crate::layout::{self, NODE_HEIGHT, NODE_WIDTH};

/// The maximum number of blocks: all cells of the grid.
pub const MAX_BLOCKS: usize = MAX_COLUMNS * MAX_ROWS;
const MAX_COLUMNS: usize = 12;
const MAX_ROWS: usize = 5;
/// The maximum number of links. Those that stand for most edges are kept.
pub const MAX_LINKS: usize = 120;

/// The blocks and links of a plan's thumbnail, in canvas units from its upper left corner.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GraphThumbnail {
    pub width: u32,
    pub height: u32,
    pub block_width: u32,
    pub block_height: u32,
    /// In plan order if each block is one node. Notes are left out.
    pub blocks: Vec<ThumbnailBlock>,
    /// Parent and child, as indexes of blocks.
    pub links: Vec<(u32, u32)>,
}

/// A node, or the nodes in a cell of the grid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThumbnailBlock {
    /// The left edge.
    pub x: u32,
    /// The upper edge.
    pub y: u32,
    /// Number of nodes that it stands for.
    pub nodes: u32,
    /// Whether an agent works on most of them.
    pub is_agent: bool,
}

/// The thumbnail of `plan`. Nodes without a position get the one that the layout would choose.
#[must_use]
pub fn thumbnail(plan: &Plan) -> GraphThumbnail {
    let nodes = placed_nodes(plan);
    let grid = Grid::around(&nodes);
    let block_of: Vec<usize> = match nodes.len() {
        0..=MAX_BLOCKS => (0..nodes.len()).collect(),
        _ => grid.occupied_cells(&nodes),
    };
    let blocks = grid.blocks(&nodes, &block_of);
    let is_aggregated = blocks.len() < nodes.len();
    GraphThumbnail {
        width: units(grid.width),
        height: units(grid.height),
        block_width: units(if is_aggregated {
            grid.cell_width()
        } else {
            NODE_WIDTH
        }),
        block_height: units(if is_aggregated {
            grid.cell_height()
        } else {
            NODE_HEIGHT
        }),
        links: links(plan, &nodes, &block_of),
        blocks,
    }
}

/// The nodes of `plan` without notes, in plan order, with their places.
fn placed_nodes(plan: &Plan) -> Vec<(&Node, Position)> {
    let nodes = || plan.nodes.iter().filter(|node| node.is_executable());
    let has_place = |node: &Node| layout::valid_position(node.position).is_some();
    let missing: HashMap<NodeId, Position> = match nodes().all(has_place) {
        true => HashMap::new(),
        false => layout::place_missing(plan, plan.direction)
            .into_iter()
            .collect(),
    };
    let place =
        |node: &Node| layout::valid_position(node.position).or(missing.get(&node.id).copied());
    nodes()
        .filter_map(|node| Some((node, place(node)?)))
        .collect()
}

/// The links between blocks. More than [`MAX_LINKS`] are cut, those for the fewest edges first.
fn links(plan: &Plan, nodes: &[(&Node, Position)], block_of: &[usize]) -> Vec<(u32, u32)> {
    let blocks: HashMap<NodeId, usize> = nodes
        .iter()
        .map(|(node, _)| node.id)
        .zip(block_of.iter().copied())
        .collect();
    let by_name = nodes
        .iter()
        .flat_map(|(node, _)| node.successors_by_name().map(|child| (node.id, child)));
    let edges = plan.edges.iter().map(|edge| (edge.parent, edge.child));
    let mut edges_of: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for (parent, child) in edges.chain(by_name) {
        if let (Some(&parent), Some(&child)) = (blocks.get(&parent), blocks.get(&child))
            && parent != child
        {
            *edges_of.entry((number(parent), number(child))).or_default() += 1;
        }
    }
    let mut links: Vec<_> = edges_of.into_iter().collect();
    // Stable: among equal ones those of the first blocks stay.
    links.sort_by_key(|&(_, edges)| std::cmp::Reverse(edges));
    links.truncate(MAX_LINKS);
    links.into_iter().map(|(link, _)| link).collect()
}

/// The area of all nodes, divided into cells that are at least as large as a node.
struct Grid {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    columns: usize,
    rows: usize,
}

impl Grid {
    fn around(nodes: &[(&Node, Position)]) -> Self {
        let extent = |of: fn(&Position) -> f64, size: f64| {
            let places = || nodes.iter().map(|(_, place)| of(place));
            let first = places().fold(f64::INFINITY, f64::min);
            match nodes.is_empty() {
                true => (0.0, 0.0),
                false => (first, places().fold(first, f64::max) - first + size),
            }
        };
        let (left, width) = extent(|place| place.x, NODE_WIDTH);
        let (top, height) = extent(|place| place.y, NODE_HEIGHT);
        let (columns, rows) = (
            cells(width, NODE_WIDTH, MAX_COLUMNS),
            cells(height, NODE_HEIGHT, MAX_ROWS),
        );
        Self {
            left,
            top,
            width,
            height,
            columns,
            rows,
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "at most 12")]
    fn cell_width(&self) -> f64 {
        self.width / self.columns as f64
    }

    #[expect(clippy::cast_precision_loss, reason = "at most 12")]
    fn cell_height(&self) -> f64 {
        self.height / self.rows as f64
    }

    /// The cell of the middle of a node, counted row by row.
    fn cell(&self, place: Position) -> usize {
        let column = (place.x - self.left + NODE_WIDTH / 2.0) / self.cell_width();
        let row = (place.y - self.top + NODE_HEIGHT / 2.0) / self.cell_height();
        floor(row).min(self.rows - 1) * self.columns + floor(column).min(self.columns - 1)
    }

    /// For each node, the index of its cell among those that have nodes.
    fn occupied_cells(&self, nodes: &[(&Node, Position)]) -> Vec<usize> {
        let cells: Vec<_> = nodes.iter().map(|(_, place)| self.cell(*place)).collect();
        let mut occupied = cells.clone();
        occupied.sort_unstable();
        occupied.dedup();
        cells
            .iter()
            .map(|cell| occupied.partition_point(|other| other < cell))
            .collect()
    }

    /// The blocks of nodes by their indexes in `block_of`.
    fn blocks(&self, nodes: &[(&Node, Position)], block_of: &[usize]) -> Vec<ThumbnailBlock> {
        let mut members: BTreeMap<usize, Vec<&(&Node, Position)>> = BTreeMap::new();
        for (node, block) in nodes.iter().zip(block_of) {
            members.entry(*block).or_default().push(node);
        }
        let is_aggregated = members.len() < nodes.len();
        members
            .into_values()
            .map(|members| self.block(&members, is_aggregated))
            .collect()
    }

    fn block(&self, members: &[&(&Node, Position)], is_aggregated: bool) -> ThumbnailBlock {
        let agents = members
            .iter()
            .filter(|(node, _)| node.kind.agent().is_some());
        let place = members
            .first()
            .map_or(Position { x: 0.0, y: 0.0 }, |(_, at)| *at);
        let cell = self.cell(place);
        let (x, y) = match is_aggregated {
            true => (
                f64::from(number(cell % self.columns)) * self.cell_width(),
                f64::from(number(cell / self.columns)) * self.cell_height(),
            ),
            false => (place.x - self.left, place.y - self.top),
        };
        ThumbnailBlock {
            x: units(x),
            y: units(y),
            nodes: number(members.len()),
            is_agent: agents.count() * 2 > members.len(),
        }
    }
}

/// How many cells of at least `smallest` fit into `extent`.
fn cells(extent: f64, smallest: f64, most: usize) -> usize {
    floor(extent / smallest).clamp(1, most)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative, and `as` saturates"
)]
fn floor(value: f64) -> usize {
    value as usize
}

fn units(value: f64) -> u32 {
    number(floor(value.round()))
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use baton_model::node::{NodeKind, Note};
    use proptest::prelude::*;

    use super::*;
    use crate::plan_fixture::{edge, plan_of};

    fn plan_at(places: &[(f64, f64)], edges: &[(usize, usize)]) -> Plan {
        let mut plan = plan_of(&vec!["Node"; places.len()], edges);
        for (node, &(x, y)) in plan.nodes.iter_mut().zip(places) {
            node.position = Some(Position { x, y });
        }
        plan
    }

    fn corners(picture: &GraphThumbnail) -> Vec<(u32, u32)> {
        picture
            .blocks
            .iter()
            .map(|block| (block.x, block.y))
            .collect()
    }

    #[test]
    fn few_nodes_keep_their_places() {
        let picture = thumbnail(&plan_at(&[(-50.0, 40.0), (250.0, 140.0)], &[(0, 1)]));
        assert_eq!(corners(&picture), [(0, 0), (300, 100)]);
        assert_eq!((picture.width, picture.height), (520, 164));
        assert_eq!((picture.block_width, picture.block_height), (220, 64));
        assert_eq!(picture.links, [(0, 1)]);
        assert!(
            picture
                .blocks
                .iter()
                .all(|block| block.nodes == 1 && !block.is_agent)
        );
    }

    #[test]
    fn no_nodes_and_only_notes_are_empty() {
        let mut plan = plan_at(&[], &[]);
        assert_eq!(thumbnail(&plan).blocks, []);
        plan = plan_at(&[(0.0, 0.0)], &[]);
        plan.nodes[0].kind = NodeKind::Note(Note::default());
        let picture = thumbnail(&plan);
        assert_eq!(
            (picture.blocks.len(), picture.width, picture.height),
            (0, 0, 0)
        );
    }

    #[test]
    fn nodes_without_a_position_get_one() {
        let mut plan = plan_of(&["A", "B", "C"], &[(0, 1)]);
        plan.nodes[0].position = Some(Position {
            x: f64::NAN,
            y: 0.0,
        });
        let picture = thumbnail(&plan);
        let mut places = corners(&picture);
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), 3, "{picture:?}");
    }

    #[test]
    fn two_thousand_nodes_become_a_grid_of_their_shape() {
        // Two columns far apart, with a link from each node to the one beside it.
        let places: Vec<_> = (0..2_000)
            .map(|at| (f64::from(at % 2) * 8_000.0, f64::from(at / 2) * 100.0))
            .collect();
        let edges: Vec<_> = (0..1_000).map(|row| (2 * row, 2 * row + 1)).collect();
        let picture = thumbnail(&plan_at(&places, &edges));
        assert_eq!(picture.blocks.len(), 2 * MAX_ROWS, "{picture:?}");
        let nodes: u32 = picture.blocks.iter().map(|block| block.nodes).sum();
        assert_eq!(nodes, 2_000);
        let columns: Vec<_> = picture.blocks.iter().map(|block| block.x).collect();
        assert!(columns.iter().all(|&x| x == columns[0] || x == columns[1]));
        assert_eq!(picture.links, [(0, 1), (2, 3), (4, 5), (6, 7), (8, 9)]);
    }

    #[test]
    fn links_of_most_edges_are_kept() {
        let places: Vec<_> = (0..60).map(|at| (f64::from(at) * 300.0, 0.0)).collect();
        let mut plan = plan_at(&places, &[]);
        let pairs = (0..60).flat_map(|parent| (parent + 1..60).map(move |child| (parent, child)));
        plan.edges = pairs
            .map(|(parent, child)| edge(&plan, parent, child))
            .collect();
        assert_eq!(thumbnail(&plan).links.len(), MAX_LINKS);
    }

    proptest! {
        #[test]
        fn thumbnail_is_small_and_inside_its_area(
            places in prop::collection::vec((-1e5..1e5_f64, -1e5..1e5_f64), 0..150),
            edges in prop::collection::vec((0..150_usize, 0..150_usize), 0..300),
        ) {
            let mut plan = plan_at(&places, &[]);
            plan.edges = edges
                .into_iter()
                .filter(|&(parent, child)| parent.max(child) < places.len())
                .map(|(parent, child)| edge(&plan, parent, child))
                .collect();
            let picture = thumbnail(&plan);
            prop_assert!(picture.blocks.len() <= MAX_BLOCKS && picture.links.len() <= MAX_LINKS);
            let nodes: u32 = picture.blocks.iter().map(|block| block.nodes).sum();
            prop_assert_eq!(nodes, number(places.len()));
            for block in &picture.blocks {
                // Each number is rounded for itself.
                prop_assert!(block.x + picture.block_width <= picture.width + 2);
                prop_assert!(block.y + picture.block_height <= picture.height + 2);
            }
            for &(parent, child) in &picture.links {
                prop_assert!(parent != child && (parent.max(child) as usize) < picture.blocks.len());
            }
        }
    }
}
