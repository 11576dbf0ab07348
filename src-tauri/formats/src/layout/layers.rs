//! The connected parts of a graph in layers: whatever has parents stands behind all of them.

use std::collections::HashMap;

use rust_sugiyama::configure::{Config, CrossingMinimization, RankingType};

use super::area::Size;
use super::links::Links;
use super::plain;
use super::{Axes, Direction, GRID, RANK_GAP, SIBLING_GAP};
use baton_model::node::Position;

/// How many ranks all edges together may span. An edge over many ranks costs a place in each of them: without a
/// limit, a chain of 1,000 nodes that all lead to the last takes seconds.
const SPAN_LIMIT: usize = 50_000;

/// Rust-sugiyama calls itself from rank to rank: 4,000 of them exhaust a thread's stack.
const DEEPEST: usize = 2_000;

/// And from place to place along a rank, where 10,000 do.
const BROADEST: usize = 5_000;

/// Up to so many vertices and edges together the best there is takes some hundredths of a second; for 1,000 nodes it is
/// a hundred times slower than what is done above.
const CAREFUL_UP_TO: usize = 600;

/// A place for every vertex that has edges, `None` for the others. `sizes` are those of all vertices of `links`.
pub(super) fn place(links: &Links, sizes: &[Size], direction: Direction) -> Vec<Option<Position>> {
    let ranks = ranks(links);
    if ranks.iter().any(|&rank| rank > DEEPEST) || broadest(links, &ranks) > BROADEST {
        return plain::place(links, &ranks, sizes, direction);
    }
    let mut places = vec![None; links.len()];
    let mut start = 0.0;
    for part in parts(links, &ranks, sizes, direction) {
        let mut end: f64 = start;
        for (vertex, (along, across)) in
            from_origin(separate(in_plan_order(part), sizes, direction))
        {
            places[vertex] = Some(direction.position((along, start + across)));
            end = end.max(start + across + sizes[vertex].along_across(direction).1 + SIBLING_GAP);
        }
        start = super::canvas::snapped_up(end);
    }
    places
}

/// How many ranks lie before each vertex at least.
fn ranks(links: &Links) -> Vec<usize> {
    let mut ranks = vec![0_usize; links.len()];
    for vertex in links.order() {
        ranks[vertex] = links
            .parents(vertex)
            .iter()
            .map(|&parent| ranks[parent] + 1)
            .max()
            .unwrap_or(0);
    }
    ranks
}

/// How many vertices and edges on their way the fullest rank holds.
fn broadest(links: &Links, ranks: &[usize]) -> usize {
    let mut changes = vec![0_isize; ranks.iter().max().map_or(0, |last| last + 2)];
    for vertex in links
        .vertices()
        .filter(|&vertex| !links.is_isolated(vertex))
    {
        changes[ranks[vertex]] += 1;
        changes[ranks[vertex] + 1] -= 1;
    }
    for (_, parent, child) in spans(links, ranks) {
        changes[ranks[parent] + 1] += 1;
        changes[ranks[child]] -= 1;
    }
    let mut held = 0;
    changes
        .into_iter()
        .map(|change| {
            held += change;
            held
        })
        .max()
        .map_or(0, isize::unsigned_abs)
}

/// Vertices of one connected part with their places along and across the flow.
type Part = Vec<(usize, (f64, f64))>;

/// Mirrors `part` when most neighbors in a rank stand in reverse: what the plan names first is expected first.
/// Places are those of middles here.
fn in_plan_order(mut part: Part) -> Part {
    part.sort_by(|(a, (a_along, _)), (b, (b_along, _))| a_along.total_cmp(b_along).then(a.cmp(b)));
    let neighbors = part.windows(2).filter(|pair| pair[0].1.0 == pair[1].1.0);
    let (reversed, straight): (Vec<_>, Vec<_>) =
        neighbors.partition(|pair| pair[0].1.1 > pair[1].1.1);
    if reversed.len() > straight.len() {
        for (_, (_, across)) in &mut part {
            *across = -*across;
        }
    }
    part
}

/// From middles to corners, on the grid, with the gap between neighbors in a rank whatever their sizes.
fn separate(mut part: Part, sizes: &[Size], direction: Direction) -> Part {
    part.sort_by(|(_, a), (_, b)| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut before: Option<(f64, f64)> = None;
    for (vertex, place) in &mut part {
        let (length, breadth) = sizes[*vertex].along_across(direction);
        let rank = place.0;
        // Rounded down, all alike: what is a multiple of the grid apart stays so.
        let across = snapped(place.1 - breadth / 2.0);
        let least = before
            .filter(|&(same, _)| same == rank)
            .map_or(across, |(_, end)| end);
        *place = (snapped(rank - length / 2.0), across.max(least));
        before = Some((
            rank,
            super::canvas::snapped_up(place.1 + breadth + SIBLING_GAP),
        ));
    }
    part
}

/// Moves `part` to the origin.
fn from_origin(mut part: Part) -> Part {
    let least =
        |(a, b): (f64, f64), (_, place): &(usize, (f64, f64))| (a.min(place.0), b.min(place.1));
    let origin = part.iter().fold((f64::MAX, f64::MAX), least);
    for (_, (along, across)) in &mut part {
        *along -= origin.0;
        *across -= origin.1;
    }
    part
}

/// The coordinate of the grid at or before `coordinate`, or just after it where that is for want of precision.
fn snapped(coordinate: f64) -> f64 {
    (coordinate / GRID + 1e-6).floor() * GRID
}

/// In the order in which the plan names their first nodes.
fn parts(links: &Links, ranks: &[usize], sizes: &[Size], direction: Direction) -> Vec<Part> {
    let drawn: Vec<_> = links
        .vertices()
        .filter(|&vertex| !links.is_isolated(vertex))
        .collect();
    // rust-sugiyama answers with the position of a vertex in its list, whatever the vertex is called.
    let numbers: HashMap<usize, u32> = drawn.iter().copied().zip(0..).collect();
    let size = |vertex: usize| {
        let (along, across) = sizes[vertex].along_across(direction);
        (across, along + RANK_GAP - SIBLING_GAP)
    };
    let vertices: Vec<_> = (0..)
        .zip(&drawn)
        .map(|(number, &vertex)| (number, size(vertex)))
        .collect();
    let edges: Vec<_> = spans(links, ranks)
        .into_iter()
        .filter_map(|(_, parent, child)| Some((*numbers.get(&parent)?, *numbers.get(&child)?)))
        .collect();
    let layouts = rust_sugiyama::from_vertices_and_edges(
        &vertices,
        &edges,
        &config(vertices.len() + edges.len()),
    );
    let mut parts: Vec<Part> = layouts
        .into_iter()
        .map(|(part, _, _)| {
            part.into_iter()
                .map(|(number, (across, along))| (drawn[number], (along, across)))
                .collect()
        })
        .collect();
    // rust-sugiyama names parts and nodes in another order each time.
    parts.sort_by_key(|part| part.iter().map(|&(vertex, _)| vertex).min());
    parts
}

fn config(size: usize) -> Config {
    let careful = size <= CAREFUL_UP_TO;
    Config {
        minimum_length: 1,
        vertex_spacing: SIBLING_GAP,
        dummy_vertices: true,
        dummy_size: 1.0,
        ranking_type: if careful {
            RankingType::MinimizeEdgeLength
        } else {
            RankingType::Up
        },
        c_minimization: CrossingMinimization::Barycenter,
        transpose: careful,
    }
}

/// The edges from which the layers are made, with the ranks that each spans.
///
/// An edge over one rank is always among them. So every node keeps the parent that decides its rank, and leaving
/// out longer edges changes no rank, only the order within.
fn spans(links: &Links, ranks: &[usize]) -> Vec<(usize, usize, usize)> {
    let mut edges: Vec<_> = links
        .edges()
        .map(|(parent, child)| (ranks[child] - ranks[parent], parent, child))
        .collect();
    edges.sort_unstable();
    let mut spanned = 0;
    edges.retain(|&(span, _, _)| {
        spanned += span;
        span == 1 || spanned <= SPAN_LIMIT
    });
    edges
}
