//! Layers without a search for few crossings, for plans that are too long or too broad for one.

use super::area::Size;
use super::canvas::snapped_up;
use super::links::Links;
use super::{Axes, Direction, RANK_GAP, SIBLING_GAP};
use baton_model::node::Position;

/// A place for every vertex that has edges: its rank along the flow, and beside its parents as far as there is room.
pub(super) fn place(
    links: &Links,
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
            across_of[vertex] = snapped_up(across_of[vertex]).max(free);
            places[vertex] = Some(direction.position((along, across_of[vertex])));
            free = snapped_up(across_of[vertex] + breadth + SIBLING_GAP);
            longest = longest.max(length);
        }
        along += snapped_up(longest + RANK_GAP);
    }
    places
}
