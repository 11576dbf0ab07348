//! Layered layout of connected components: each node comes after all of its parents.

use std::collections::HashMap;

use rust_sugiyama::configure::{Config, CrossingMinimization, RankingType};

use super::area::Size;
use super::axes::Axes;
use super::dimensions::{GRID, RANK_GAP, SIBLING_GAP};
use super::graph::LayoutGraph;
use super::simple_ranks;
use baton_model::Direction;
use baton_model::node::Position;

/// The maximum number of ranks that all edges may span in total. An edge over many ranks needs a
/// place in each of them: without a limit, a chain of 1,000 nodes that all lead to the last one
/// takes seconds.
const SPAN_LIMIT: usize = 50_000;

/// The maximum number of ranks. rust-sugiyama recurses over ranks, and 4,000 of them exhaust the
/// stack of a thread.
const MAX_DEPTH: usize = 2_000;

/// The maximum number of vertices in a rank. rust-sugiyama recurses over them, and 10,000 exhaust
/// the stack.
const MAX_RANK_WIDTH: usize = 5_000;

/// Up to this number of vertices and edges the best algorithm takes some hundredths of a second.
/// For 1,000 nodes it is a hundred times slower than the simple one.
const FULL_QUALITY_LIMIT: usize = 600;

/// A position for each vertex with edges, `None` for others. `sizes` has the sizes of all vertices
/// of `links`.
pub(super) fn place(
    links: &LayoutGraph,
    sizes: &[Size],
    direction: Direction,
) -> Vec<Option<Position>> {
    let ranks = ranks(links);
    if ranks.iter().any(|&rank| rank > MAX_DEPTH) || widest_rank(links, &ranks) > MAX_RANK_WIDTH {
        return simple_ranks::place(links, &ranks, sizes, direction);
    }
    let mut places = vec![None; links.len()];
    let mut start = 0.0;
    for part in components(links, &ranks, sizes, direction) {
        let mut end: f64 = start;
        for (vertex, (along, across)) in
            from_origin(separate(in_plan_order(part), sizes, direction))
        {
            places[vertex] = Some(direction.position((along, start + across)));
            end = end.max(start + across + sizes[vertex].along_across(direction).1 + SIBLING_GAP);
        }
        start = super::canvas::snap_up_to_grid(end);
    }
    places
}

/// The minimum number of ranks before each vertex.
fn ranks(links: &LayoutGraph) -> Vec<usize> {
    let mut ranks = vec![0_usize; links.len()];
    for vertex in links.topological_order() {
        ranks[vertex] = links
            .parents(vertex)
            .iter()
            .map(|&parent| ranks[parent] + 1)
            .max()
            .unwrap_or(0);
    }
    ranks
}

/// The number of vertices and passing edges in the fullest rank.
fn widest_rank(links: &LayoutGraph, ranks: &[usize]) -> usize {
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

/// Vertices of one component with their coordinates along and across the flow.
type Component = Vec<(usize, (f64, f64))>;

/// Mirrors `part` if most neighbors in a rank are in reverse: the order of the plan should be kept.
/// Coordinates are of centers.
fn in_plan_order(mut part: Component) -> Component {
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

/// Converts centers to corners on the grid, keeping the gap between neighbors of any size.
fn separate(mut part: Component, sizes: &[Size], direction: Direction) -> Component {
    part.sort_by(|(_, a), (_, b)| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut before: Option<(f64, f64)> = None;
    for (vertex, place) in &mut part {
        let (length, breadth) = sizes[*vertex].along_across(direction);
        let rank = place.0;
        // All are rounded down, so that distances that are multiples of the grid stay multiples.
        let across = snap_to_grid(place.1 - breadth / 2.0);
        let least = before
            .filter(|&(same, _)| same == rank)
            .map_or(across, |(_, end)| end);
        *place = (snap_to_grid(rank - length / 2.0), across.max(least));
        before = Some((
            rank,
            super::canvas::snap_up_to_grid(place.1 + breadth + SIBLING_GAP),
        ));
    }
    part
}

/// Moves `part` to the origin.
fn from_origin(mut part: Component) -> Component {
    let least =
        |(a, b): (f64, f64), (_, place): &(usize, (f64, f64))| (a.min(place.0), b.min(place.1));
    let origin = part.iter().fold((f64::MAX, f64::MAX), least);
    for (_, (along, across)) in &mut part {
        *along -= origin.0;
        *across -= origin.1;
    }
    part
}

/// The grid coordinate at or before `coordinate`, or just after it for lack of precision.
fn snap_to_grid(coordinate: f64) -> f64 {
    (coordinate / GRID + 1e-6).floor() * GRID
}

/// Sorts by the first nodes in the plan.
fn components(
    links: &LayoutGraph,
    ranks: &[usize],
    sizes: &[Size],
    direction: Direction,
) -> Vec<Component> {
    let drawn: Vec<_> = links
        .vertices()
        .filter(|&vertex| !links.is_isolated(vertex))
        .collect();
    // rust-sugiyama returns the index of a vertex in its list, not its id.
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
    let mut parts: Vec<Component> = layouts
        .into_iter()
        .map(|(part, _, _)| {
            part.into_iter()
                .map(|(number, (across, along))| (drawn[number], (along, across)))
                .collect()
        })
        .collect();
    // rust-sugiyama returns components and nodes in a different order each time.
    parts.sort_by_key(|part| part.iter().map(|&(vertex, _)| vertex).min());
    parts
}

fn config(size: usize) -> Config {
    let careful = size <= FULL_QUALITY_LIMIT;
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

/// The edges for the layers, with the number of ranks that each spans.
///
/// Edges over one rank are always included, so each node keeps the parent that determines its rank.
/// Dropping longer edges changes no rank, only the order within ranks.
fn spans(links: &LayoutGraph, ranks: &[usize]) -> Vec<(usize, usize, usize)> {
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
