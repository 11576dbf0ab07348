//! A layered layout without crossing minimization, for plans that are too long or too wide for it.

use super::area::Size;
use super::axes::Axes;
use super::canvas::snap_up_to_grid;
use super::dimensions::{RANK_GAP, SIBLING_GAP};
use super::graph::LayoutGraph;
use baton_model::Direction;
use baton_model::node::Position;

/// A position for each vertex with edges: by rank along the flow, and next to its parents as far as
/// there is room.
pub(super) fn place(
    links: &LayoutGraph,
    ranks: &[usize],
    sizes: &[Size],
    direction: Direction,
) -> Vec<Option<Position>> {
    let mut by_rank = vec![Vec::new(); ranks.iter().max().map_or(0, |last| last + 1)];
    for vertex in links
        .vertices()
        .filter(|&vertex| !links.is_isolated(vertex))
    {
        by_rank[ranks[vertex]].push(vertex);
    }
    let (mut places, mut across_of) = (vec![None; links.len()], vec![0.0_f64; links.len()]);
    let mut along = 0.0;
    for mut rank in by_rank {
        for &vertex in &rank {
            let parents = links.parents(vertex);
            let sum: f64 = parents.iter().map(|&parent| across_of[parent]).sum();
            across_of[vertex] = sum / parents.len().max(1) as f64;
        }
        rank.sort_by(|&a, &b| across_of[a].total_cmp(&across_of[b]).then(a.cmp(&b)));
        let (mut free, mut longest) = (0.0_f64, 0.0_f64);
        for vertex in rank {
            let (length, breadth) = sizes[vertex].along_across(direction);
            across_of[vertex] = snap_up_to_grid(across_of[vertex]).max(free);
            places[vertex] = Some(direction.position((along, across_of[vertex])));
            free = snap_up_to_grid(across_of[vertex] + breadth + SIBLING_GAP);
            longest = longest.max(length);
        }
        along += snap_up_to_grid(longest + RANK_GAP);
    }
    places
}
