//! The connected parts of a plan in layers: each node stands one rank behind the last of its parents.

use std::collections::HashMap;

use rust_sugiyama::configure::{Config, CrossingMinimization, RankingType};

use super::links::Links;
use super::{Direction, GRID, NODE_HEIGHT, NODE_WIDTH, RANK_GAP, SIBLING_GAP};
use crate::node::Position;

/// How many ranks all edges together may span. An edge over many ranks costs a place in each of them: without a
/// limit, a chain of 1,000 nodes that all lead to the last takes seconds.
const SPAN_LIMIT: usize = 50_000;

/// A place for every node that has edges, `None` for the others.
pub(super) fn place(links: &Links, direction: Direction) -> Vec<Option<Position>> {
    let mut places = vec![None; links.len()];
    let mut end = 0.0;
    for part in parts(links, direction) {
        let part = from_origin(in_plan_order(part));
        let start = end;
        for (node, (along, across)) in part {
            places[node] = Some(direction.position((along, start + across)));
            end = end.max(start + across + direction.pitch().1);
        }
    }
    places
}

/// Mirrors `part` when most neighbours in a rank stand in reverse: what the plan names first is expected first.
fn in_plan_order(mut part: Part) -> Part {
    part.sort_by(|(a, (a_along, _)), (b, (b_along, _))| a_along.total_cmp(b_along).then(a.cmp(b)));
    let neighbours = part.windows(2).filter(|pair| pair[0].1.0 == pair[1].1.0);
    let (reversed, straight): (Vec<_>, Vec<_>) = neighbours.partition(|pair| pair[0].1.1 > pair[1].1.1);
    if reversed.len() > straight.len() {
        for (_, (_, across)) in &mut part {
            *across = -*across;
        }
    }
    part
}

/// Moves `part` to the origin and onto the grid.
fn from_origin(mut part: Part) -> Part {
    let least = |(a, b): (f64, f64), (_, place): &(usize, (f64, f64))| (a.min(place.0), b.min(place.1));
    let origin = part.iter().fold((f64::MAX, f64::MAX), least);
    for (_, (along, across)) in &mut part {
        // Rounded down, all alike: nodes that are a pitch apart stay so, for a pitch is a multiple of the grid.
        *along = snapped(*along - origin.0);
        *across = snapped(*across - origin.1);
    }
    part
}

/// The coordinate of the grid at or before `coordinate`, or just after it where that is for want of precision.
fn snapped(coordinate: f64) -> f64 {
    (coordinate / GRID + 1e-6).floor() * GRID
}

/// Nodes of one connected part with their places along and across the flow.
type Part = Vec<(usize, (f64, f64))>;

/// In the order in which the plan names their first nodes.
fn parts(links: &Links, direction: Direction) -> Vec<Part> {
    let nodes: Vec<_> = links.executable().filter(|&node| !links.is_isolated(node)).collect();
    let size = match direction {
        Direction::LeftRight => (NODE_HEIGHT, NODE_WIDTH + RANK_GAP - SIBLING_GAP),
        Direction::TopDown => (NODE_WIDTH, NODE_HEIGHT + RANK_GAP - SIBLING_GAP),
    };
    // rust-sugiyama answers with the position of a vertex in its list, whatever the vertex is called.
    let numbers: HashMap<usize, u32> = nodes.iter().copied().zip(0..).collect();
    let vertices: Vec<_> = (0..).zip(&nodes).map(|(number, _)| (number, size)).collect();
    let edges: Vec<_> = drawable_edges(links)
        .into_iter()
        .filter_map(|(parent, child)| Some((*numbers.get(&parent)?, *numbers.get(&child)?)))
        .collect();
    // The other rankings and transposing take seconds for 1,000 nodes.
    let config = Config {
        minimum_length: 1,
        vertex_spacing: SIBLING_GAP,
        dummy_vertices: true,
        dummy_size: 1.0,
        ranking_type: RankingType::Up,
        c_minimization: CrossingMinimization::Barycenter,
        transpose: false,
    };
    let layouts = rust_sugiyama::from_vertices_and_edges(&vertices, &edges, &config);
    let mut parts: Vec<Part> = layouts
        .into_iter()
        .map(|(part, _, _)| {
            part.into_iter().map(|(number, (across, along))| (nodes[number], (along, across))).collect()
        })
        .collect();
    // rust-sugiyama names parts and nodes in another order each time.
    parts.sort_by_key(|part| part.iter().map(|&(node, _)| node).min());
    parts
}

/// The edges from which the layers are made.
///
/// An edge over one rank is always among them. So every node keeps the parent that decides its rank, and leaving
/// out longer edges changes no rank, only the order within.
fn drawable_edges(links: &Links) -> Vec<(usize, usize)> {
    let order = links.order();
    let mut ranks = vec![0_usize; order.len()];
    for &node in &order {
        ranks[node] = links.parents(node).iter().map(|&parent| ranks[parent] + 1).max().unwrap_or(0);
    }
    let mut edges: Vec<_> = order
        .iter()
        .flat_map(|&child| links.parents(child).iter().map(move |&parent| (parent, child)))
        .map(|(parent, child)| (ranks[child] - ranks[parent], parent, child))
        .collect();
    edges.sort_unstable();
    let mut spanned = 0;
    edges.retain(|&(span, _, _)| {
        spanned += span;
        span == 1 || spanned <= SPAN_LIMIT
    });
    edges.into_iter().map(|(_, parent, child)| (parent, child)).collect()
}
