//! Positions for new nodes among those that already have one.

use std::collections::HashMap;

use super::area::{Area, Size};
use super::axes::Axes;
use super::canvas::{Canvas, Rows, snap_up_to_grid, valid_position};
use super::dimensions::GRID;
use super::graph::LayoutGraph;
use baton_model::Direction;
use baton_model::node::Position;
use baton_model::{NodeId, Plan};

pub(super) fn place(plan: &Plan, direction: Direction) -> Vec<(NodeId, Position)> {
    let links = LayoutGraph::from_plan(plan);
    let mut places: Vec<_> = plan
        .nodes
        .iter()
        .map(|node| valid_position(node.position))
        .collect();
    let mut placing = Placing {
        canvas: Canvas::default(),
        direction,
        tried: HashMap::new(),
    };
    for (node, place) in plan.nodes.iter().zip(&places) {
        if let Some(at) = *place {
            placing.canvas.occupy(Area {
                at,
                size: Size::for_node(node),
            });
        }
    }
    // Parents come first, so that a whole new branch follows the node it starts from. Branches that
    // are connected only at their end are placed last, from back to front.
    let order = links.topological_order();
    for &node in &order {
        place_near(node, links.parents(node), 1.0, &mut places, &mut placing);
    }
    for &node in order.iter().rev() {
        place_near(node, links.children(node), -1.0, &mut places, &mut placing);
    }
    place_rest(plan, &links, &order, &mut places, &mut placing);
    let was_missing = plan
        .nodes
        .iter()
        .zip(places)
        .filter(|(node, _)| valid_position(node.position).is_none());
    was_missing
        .filter_map(|(node, place)| Some((node.id, place?)))
        .collect()
}

/// Places nodes without a link to a placed node below everything else, isolated ones in rows.
fn place_rest(
    plan: &Plan,
    links: &LayoutGraph,
    order: &[usize],
    places: &mut [Option<Position>],
    placing: &mut Placing,
) {
    let size = |node: usize| Size::for_node(&plan.nodes[node]);
    let is_lone = |places: &[Option<Position>], node: usize| {
        places[node].is_none() && links.is_isolated(node)
    };
    for &node in order {
        place_near(node, links.parents(node), 1.0, places, placing);
        if places[node].is_none() && !is_lone(places, node) {
            places[node] = Some(placing.canvas.occupy_below(size(node)));
        }
    }
    let lone: Vec<_> = order
        .iter()
        .copied()
        .filter(|&node| is_lone(places, node))
        .collect();
    let mut rows = Rows::below(&placing.canvas, lone.iter().map(|&node| size(node)));
    for node in lone {
        places[node] = Some(rows.occupy(&mut placing.canvas, size(node)));
    }
}

/// Places `node` one rank after (or before) its `relatives`, if any of them has a position.
fn place_near(
    node: usize,
    relatives: &[usize],
    step: f64,
    places: &mut [Option<Position>],
    placing: &mut Placing,
) {
    if places[node].is_none() {
        let relatives: Vec<_> = relatives
            .iter()
            .filter_map(|&relative| places[relative])
            .collect();
        places[node] = placing.near(&relatives, step);
    }
}

struct Placing {
    canvas: Canvas,
    direction: Direction,
    /// The number of occupied positions found across the flow, by the start of the search. A later
    /// search from the same start skips them: otherwise 5,000 children of one node would take
    /// minutes.
    tried: HashMap<(i64, i64), u32>,
}

impl Placing {
    fn near(&mut self, relatives: &[Position], step: f64) -> Option<Position> {
        let relatives: Vec<_> = relatives
            .iter()
            .map(|&place| self.direction.along_across(place))
            .collect();
        let outermost = relatives
            .iter()
            .map(|(along, _)| along * step)
            .reduce(f64::max)?
            * step;
        let mean = relatives.iter().map(|(_, across)| across).sum::<f64>() / relatives.len() as f64;
        let (rank_pitch, pitch) = self.direction.pitch();
        let start = (
            snap_up_to_grid(outermost + step * rank_pitch),
            snap_up_to_grid(mean),
        );
        let key = ((start.0 / GRID) as i64, (start.1 / GRID) as i64);
        let mut tried = self.tried.get(&key).copied().unwrap_or(0);
        // Terminates because each placed node can block only a few attempts.
        loop {
            let place = self
                .direction
                .position((start.0, start.1 + offset(tried) * pitch));
            tried += 1;
            let area = Area {
                at: place,
                size: Size::CARD,
            };
            if self.canvas.is_free(area) {
                self.canvas.occupy(area);
                self.tried.insert(key, tried);
                return Some(place);
            }
        }
    }
}

/// The sequence 0, 1, -1, 2, -2, …
pub(super) fn offset(number: u32) -> f64 {
    let distance = f64::from(number.div_ceil(2));
    if number % 2 == 1 { distance } else { -distance }
}
