//! Measures speed and quality of the layout: milliseconds, crossings and edge lengths for plans of
//! several sizes.
//!
//! Plans have random layers and 1.35 edges per node, from a fixed seed, so that all runs measure
//! the same.

#![expect(clippy::print_stdout, reason = "its output is its purpose")]

use std::collections::HashMap;
use std::time::Instant;

use baton_formats::layout;
use baton_model::Direction;
use baton_model::node::{CommandLine, CommandTask, Position};
use baton_model::{Edge, Node, NodeId, NodeKind, Plan, PlanId, Slug};
use uuid::Uuid;

fn main() {
    let sizes = std::env::args()
        .skip(1)
        .filter_map(|size| size.parse().ok());
    let sizes: Vec<usize> = sizes.collect();
    for size in if sizes.is_empty() {
        vec![20, 100, 1_000, 10_000]
    } else {
        sizes
    } {
        let plan = layered(size, 7);
        let (best, places) = (0..if size > 2_000 { 3 } else { 7 })
            .map(|_| {
                let started = Instant::now();
                let places = layout::arrange(&plan, Direction::LeftRight);
                (started.elapsed().as_secs_f64() * 1e3, places)
            })
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .unwrap_or_default();
        let (crossings, length) = quality(&plan, &places.into_iter().collect());
        println!(
            "nodes {size} edges {} ms {best:.1} crossings {crossings} length {length:.0}",
            plan.edges.len()
        );
    }
}

/// A plan with about the square root of `size` ranks. Most edges lead to the next rank, some
/// further.
fn layered(size: usize, seed: u64) -> Plan {
    let mut state = seed;
    let mut draw = move |below: usize| {
        // Knuth's MMIX generator, whose upper bits are random enough.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below.max(1)
    };
    let id = |number: usize| NodeId(Uuid::from_u128(number as u128 + 1));
    let mut plan = Plan::new(PlanId(Uuid::from_u128(0)), "Speed");
    let width = ((size as f64).sqrt() * 0.7).ceil() as usize;
    for number in 0..size {
        let title = format!("Node {number}");
        let command = CommandLine::Argv(vec!["true".to_owned()]);
        let kind = NodeKind::Command(CommandTask {
            command,
            env: Default::default(),
            cwd: None,
        });
        plan.nodes
            .push(Node::new(id(number), Slug::from_title(&title), title, kind));
        for edge in 0..1 + usize::from(draw(100) < 35) {
            let reach = if draw(10) == 0 { 4 } else { 1 } * width;
            let parent = number.saturating_sub(width + draw(reach));
            let edge = Edge {
                parent: id(parent),
                child: id(number),
                soft: edge > 0 && draw(8) == 0,
                inferred: false,
            };
            if parent / width < number / width && !plan.edges.contains(&edge) {
                plan.edges.push(edge);
            }
        }
    }
    plan
}

/// The number of crossing edges, drawn as straight lines, and their total length in ranks and rows.
fn quality(plan: &Plan, places: &HashMap<NodeId, Position>) -> (usize, f64) {
    let ends = plan
        .edges
        .iter()
        .filter_map(|edge| Some((*places.get(&edge.parent)?, *places.get(&edge.child)?)));
    let mut lines: Vec<_> = ends
        .map(|(from, to)| {
            let from = Position {
                x: from.x + layout::NODE_WIDTH,
                y: from.y,
            };
            (from, to)
        })
        .collect();
    lines.sort_by(|a, b| a.0.x.total_cmp(&b.0.x));
    let length = lines
        .iter()
        .map(|(a, b)| (b.x - a.x).hypot(b.y - a.y))
        .sum();
    let crossings = lines.iter().enumerate().map(|(at, a)| {
        lines[at + 1..]
            .iter()
            .take_while(|b| b.0.x < a.1.x)
            .filter(|b| cross(a, b))
            .count()
    });
    (crossings.sum(), length)
}

fn cross(a: &(Position, Position), b: &(Position, Position)) -> bool {
    let side = |(p, q): &(Position, Position), r: Position| {
        (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)
    };
    side(a, b.0) * side(a, b.1) < 0.0 && side(b, a.0) * side(b, a.1) < 0.0
}
