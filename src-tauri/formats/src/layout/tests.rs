//! No plan makes nodes overlap or edges point backward, and no layout takes long.

use std::collections::HashMap;

use proptest::collection::vec;
use proptest::prelude::*;

use super::canvas::valid_position;
use super::{Direction, GRID, NODE_HEIGHT, NODE_WIDTH, arrange, place_missing};
use crate::plan_fixture::plan_of;
use baton_model::node::{ConditionTask, NodeKind, Note, OnFailure, Position};
use baton_model::{NodeId, Plan};

const DIRECTIONS: [Direction; 2] = [Direction::LeftRight, Direction::TopDown];

fn plan(nodes: usize, edges: &[(usize, usize)]) -> Plan {
    plan_of(&vec!["A"; nodes], edges)
}

fn with_places(mut plan: Plan, places: &[(NodeId, Position)]) -> Plan {
    let places: HashMap<_, _> = places.iter().copied().collect();
    for node in &mut plan.nodes {
        node.position = places.get(&node.id).copied().or(node.position);
    }
    plan
}

/// The first two overlapping nodes, found by a sweep from left to right.
fn overlapping(plan: &Plan) -> Option<(Position, Position)> {
    let mut places: Vec<_> = plan
        .nodes
        .iter()
        .filter_map(|node| valid_position(node.position))
        .collect();
    places.sort_by(|a, b| a.x.total_cmp(&b.x));
    places.iter().enumerate().find_map(|(number, a)| {
        let mut reach = places[number + 1..]
            .iter()
            .take_while(|b| b.x - a.x < NODE_WIDTH);
        reach
            .find(|b| (b.y - a.y).abs() < NODE_HEIGHT)
            .map(|b| (*a, *b))
    })
}

fn runs_forward(plan: &Plan, direction: Direction) -> bool {
    let nodes = plan.nodes_by_id();
    plan.edges.iter().all(|edge| {
        let place = |id| {
            nodes
                .get(&id)
                .and_then(|node| node.position)
                .expect("placed")
        };
        let (parent, child) = (place(edge.parent), place(edge.child));
        match direction {
            Direction::LeftRight => child.x >= parent.x + NODE_WIDTH,
            Direction::TopDown => child.y >= parent.y + NODE_HEIGHT,
        }
    })
}

fn assert_sound(plan: &Plan, name: &str) {
    for direction in DIRECTIONS {
        let places = arrange(plan, direction);
        assert_eq!(
            places.len(),
            plan.nodes.len(),
            "{name}: each node has a position"
        );
        assert_eq!(
            places,
            arrange(plan, direction),
            "{name}: the same each time"
        );
        let placed = with_places(plan.clone(), &places);
        assert_eq!(overlapping(&placed), None, "{name} {direction:?}");
        assert!(runs_forward(&placed, direction), "{name} {direction:?}");
    }
}

#[test]
fn diamond_has_three_ranks() {
    let places = arrange(
        &plan(5, &[(0, 1), (0, 2), (1, 3), (2, 3)]),
        Direction::LeftRight,
    );
    let places: Vec<_> = places.iter().map(|(_, place)| (place.x, place.y)).collect();
    insta::assert_debug_snapshot!(places);
}

#[test]
fn large_and_lopsided_plans_are_arranged() {
    assert_sound(&plan(0, &[]), "nothing");
    assert_sound(&plan(1, &[]), "one");
    assert_sound(&plan(2000, &[]), "isolated nodes");
    let chain: Vec<_> = (1..1000).map(|n| (n - 1, n)).collect();
    assert_sound(&plan(1000, &chain), "chain");
    assert_sound(
        &plan(1001, &(1..1001).map(|n| (0, n)).collect::<Vec<_>>()),
        "star",
    );
    assert_sound(
        &plan(1001, &(1..1001).map(|n| (n, 0)).collect::<Vec<_>>()),
        "star, inwards",
    );
    assert_sound(
        &plan(
            2000,
            &(0..1000).map(|n| (2 * n, 2 * n + 1)).collect::<Vec<_>>(),
        ),
        "pairs",
    );
    let skips = (0..998).map(|n| (n, 999));
    assert_sound(
        &plan(
            1000,
            &chain.iter().copied().chain(skips).collect::<Vec<_>>(),
        ),
        "chain with long edges",
    );
    let long_edges = (100..5000).flat_map(|n| {
        let before = (n / 100 - 1) * 100;
        [(before + n * 7 % 100, n), (before + (n * 13 + 5) % 100, n)]
    });
    assert_sound(&plan(5000, &long_edges.collect::<Vec<_>>()), "layers");
}

#[test]
fn deep_plans_use_simple_ranks() {
    // rust-sugiyama recurses over ranks, and within each rank.
    let chain: Vec<_> = (1..12_000).map(|n| (n - 1, n)).collect();
    let star: Vec<_> = (1..20_000).map(|n| (0, n)).collect();
    for (nodes, edges) in [(12_000, chain), (20_000, star)] {
        let plan = plan(nodes, &edges);
        let placed = with_places(plan.clone(), &arrange(&plan, Direction::LeftRight));
        assert!(runs_forward(&placed, Direction::LeftRight));
    }
}

#[test]
fn many_missing_positions_are_filled() {
    let mut star = plan(5001, &(1..5001).map(|n| (0, n)).collect::<Vec<_>>());
    star.nodes[0].position = Some(Position { x: 0.0, y: 0.0 });
    let places = place_missing(&star, Direction::LeftRight);
    assert_eq!(places.len(), 5000);
    assert_eq!(overlapping(&with_places(star, &places)), None);
}

#[test]
fn cycles_are_laid_out() {
    let ring = plan(3, &[(0, 1), (1, 2), (2, 0), (1, 1)]);
    let placed = with_places(ring.clone(), &arrange(&ring, Direction::LeftRight));
    assert_eq!(overlapping(&placed), None);
    assert!(runs_forward(
        &Plan {
            edges: placed.edges[..2].to_vec(),
            ..placed
        },
        Direction::LeftRight
    ));
}

#[test]
fn branches_and_jumps_count_as_edges() {
    let mut forked = plan(5, &[(0, 1), (2, 4)]);
    let id = |number: usize| forked.nodes[number].id;
    let (yes, no, rescue) = (id(2), id(3), id(4));
    let fork = ConditionTask {
        condition: "true".to_owned(),
        true_step: Some(yes),
        false_step: Some(no),
    };
    forked.nodes[1].kind = NodeKind::Condition(fork);
    forked.nodes[3].on_failure = OnFailure::Node(rescue);
    let places = arrange(&forked, Direction::LeftRight);
    let ranks: Vec<_> = places.iter().map(|(_, place)| place.x).collect();
    assert!(
        ranks[0] < ranks[1] && ranks[1] < ranks[2],
        "the branch comes after its fork: {ranks:?}"
    );
    assert_eq!(
        ranks[2].to_bits(),
        ranks[3].to_bits(),
        "both branches are in one rank"
    );
    assert!(
        ranks[3] < ranks[4],
        "the target of a failure comes after it: {ranks:?}"
    );
}

#[test]
fn notes_keep_their_place_or_go_below() {
    let mut plan = plan(4, &[(0, 1)]);
    for number in [2, 3] {
        plan.nodes[number].kind = NodeKind::Note(Note::default());
    }
    plan.nodes[2].position = Some(Position { x: -50.0, y: 500.0 });
    let places = arrange(&plan, Direction::LeftRight);
    let ids: Vec<_> = places.iter().map(|(id, _)| *id).collect();
    assert_eq!(
        ids,
        [plan.nodes[0].id, plan.nodes[1].id, plan.nodes[3].id],
        "the placed note is not moved"
    );
    assert_eq!(
        places[2].1,
        Position { x: -48.0, y: 648.0 },
        "below the lowest note"
    );
}

#[test]
fn notes_and_isolated_nodes_form_rows() {
    let mut notes = plan(101, &[(0, 1)]);
    for node in &mut notes.nodes[2..] {
        node.kind = NodeKind::Note(Note::default());
    }
    let mut lone = plan(100, &[]);
    lone.nodes[0].position = Some(Position { x: 0.0, y: 0.0 });
    let answers = [
        arrange(&notes, Direction::LeftRight),
        place_missing(&lone, Direction::TopDown),
    ];
    for (plan, places) in [notes, lone].into_iter().zip(answers) {
        let reach = |of: fn(&Position) -> f64| {
            places
                .iter()
                .map(|(_, place)| of(place))
                .fold(0.0, f64::max)
        };
        let (width, height) = (reach(|place| place.x), reach(|place| place.y));
        assert!(
            width > height / 2.0 && height > width / 4.0,
            "neither a column nor a row: {width} x {height}"
        );
        assert_eq!(overlapping(&with_places(plan, &places)), None);
    }
}

#[test]
fn new_node_is_placed_between_parent_and_child() {
    let mut plan = plan(4, &[(0, 1), (2, 0), (0, 3)]);
    plan.nodes[0].position = Some(Position { x: 100.0, y: 50.0 });
    let places = place_missing(&plan, Direction::LeftRight);
    let place = |number: usize| {
        places
            .iter()
            .find(|(id, _)| *id == plan.nodes[number].id)
            .map(|(_, place)| *place)
    };
    assert_eq!(place(0), None, "it keeps its position");
    assert_eq!(place(1), Some(Position { x: 400.0, y: 52.0 }));
    assert_eq!(place(2), Some(Position { x: -200.0, y: 52.0 }));
    assert_eq!(
        place(3),
        Some(Position { x: 400.0, y: 144.0 }),
        "beside its sibling"
    );
}

#[test]
fn out_of_range_positions_are_ignored() {
    let mut plan = plan(3, &[(0, 1), (1, 2)]);
    plan.nodes[0].position = Some(Position {
        x: f64::NAN,
        y: 0.0,
    });
    plan.nodes[1].position = Some(Position {
        x: 1e300,
        y: f64::INFINITY,
    });
    assert_eq!(place_missing(&plan, Direction::TopDown).len(), 3);
}

fn random_plan() -> impl Strategy<Value = Plan> {
    (1..40_usize).prop_flat_map(|nodes| {
        vec((0..nodes, 0..nodes), 0..60).prop_map(move |pairs| {
            let forward = pairs
                .iter()
                .map(|&(a, b)| (a.min(b), a.max(b)))
                .filter(|(a, b)| a != b);
            // Numbers are shuffled, so that the order of the plan says nothing about the direction
            // of edges.
            let shuffled = |n: usize| (n * 41 + 7) % 43;
            let mut numbers: Vec<_> = (0..nodes).collect();
            numbers.sort_by_key(|&n| shuffled(n));
            plan(
                nodes,
                &forward
                    .map(|(a, b)| (numbers[a], numbers[b]))
                    .collect::<Vec<_>>(),
            )
        })
    })
}

mod options;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_plan_is_arranged_forward_on_the_grid_without_overlaps(plan in random_plan()) {
        assert_sound(&plan, "random");
        for (_, place) in arrange(&plan, Direction::LeftRight) {
            prop_assert!(place.x >= 0.0 && place.y >= 0.0);
            prop_assert_eq!((place.x % GRID, place.y % GRID), (0.0, 0.0));
        }
    }

    #[test]
    fn missing_nodes_get_free_positions(
        plan in random_plan(),
        kept in vec(prop::option::of((-30..30, -30..30)), 40),
        direction in proptest::sample::select(&DIRECTIONS[..]),
    ) {
        let mut plan = plan;
        for (node, place) in plan.nodes.iter_mut().zip(kept) {
            node.position = place.map(|(x, y)| Position { x: f64::from(x) * 251.0, y: f64::from(y) * 97.0 });
        }
        let kept: Vec<_> = plan.nodes.iter().filter_map(|node| node.position).collect();
        prop_assume!((0..kept.len()).all(|n| !kept[..n].contains(&kept[n])));
        let missing = plan.nodes.iter().filter(|node| node.position.is_none()).count();
        let places = place_missing(&plan, direction);
        prop_assert_eq!(places.len(), missing, "only those without a position are placed");
        prop_assert_eq!(overlapping(&with_places(plan, &places)), None);
    }
}
