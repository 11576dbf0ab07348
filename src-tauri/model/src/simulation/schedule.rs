//! How long nodes take together when only so many may run at once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::{Graph, Node};

/// The duration of a run in milliseconds, given the time of each node by number. `None` counts as
/// no time. Whenever a slot is free, the node with the highest priority starts, then the one with
/// the most nodes below it, then the first one in the plan.
pub(super) fn duration_ms(
    graph: &Graph,
    nodes: &[&Node],
    times: &[Option<u64>],
    limit: usize,
) -> u64 {
    let rank = |number: usize| {
        let order = (nodes[number].priority, graph.depth_below(number));
        (order, Reverse(number))
    };
    let mut open: Vec<usize> = (0..graph.len())
        .map(|number| graph.parents(number).count())
        .collect();
    let roots = (0..graph.len()).filter(|&number| open[number] == 0);
    let mut ready: BinaryHeap<_> = roots.map(rank).collect();
    let mut running: BinaryHeap<Reverse<(u64, usize)>> = BinaryHeap::new();
    let mut now = 0;
    loop {
        while running.len() < limit.max(1)
            && let Some((_, Reverse(number))) = ready.pop()
        {
            let end = times[number].unwrap_or(0).saturating_add(now);
            running.push(Reverse((end, number)));
        }
        let Some(Reverse((end, ended))) = running.pop() else {
            return now;
        };
        now = end;
        for child in graph.children(ended) {
            open[child] -= 1;
            if open[child] == 0 {
                ready.push(rank(child));
            }
        }
    }
}
