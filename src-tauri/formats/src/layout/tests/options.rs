//! Pins, selections and groups are respected in every plan.

use std::collections::{HashMap, HashSet};

use proptest::collection::vec;
use proptest::prelude::*;

use super::super::area::{Area, Size};
use super::super::{Cluster, FRAME_HEAD, FRAME_MARGIN, LayoutOptions, arrange_with};
use super::*;

fn id(number: usize) -> NodeId {
    crate::plan_fixture::node_id(number)
}

fn cluster(nodes: &[usize]) -> Cluster {
    Cluster {
        nodes: nodes.iter().map(|&number| id(number)).collect(),
        collapsed: false,
    }
}

fn placed(plan: &Plan, options: &LayoutOptions) -> Plan {
    with_places(plan.clone(), &arrange_with(plan, options))
}

fn place(plan: &Plan, number: usize) -> Position {
    plan.nodes[number].position.expect("placed")
}

/// The frames of the clusters whose members all have a position.
fn frames(plan: &Plan, clusters: &[Cluster]) -> Vec<(HashSet<NodeId>, Area)> {
    let nodes = plan.nodes_by_id();
    let frame = |cluster: &Cluster| {
        let areas = cluster.nodes.iter().filter_map(|id| nodes.get(id));
        let around = Area::bounding(areas.filter_map(|node| {
            Some(Area {
                at: node.position?,
                size: Size::for_node(node),
            })
        }))?;
        let size = Size {
            width: around.size.width + 2.0 * FRAME_MARGIN,
            height: around.size.height + 2.0 * FRAME_MARGIN + FRAME_HEAD,
        };
        let frame = Area {
            size,
            ..around.translated(-FRAME_MARGIN, -FRAME_MARGIN - FRAME_HEAD)
        };
        Some((cluster.nodes.iter().copied().collect(), frame))
    };
    clusters.iter().filter_map(frame).collect()
}

/// A node inside a frame that it does not belong to, or two overlapping frames.
fn find_overlap(plan: &Plan, clusters: &[Cluster]) -> Option<String> {
    let frames = frames(plan, clusters);
    for (at, (members, frame)) in frames.iter().enumerate() {
        let areas = plan.nodes.iter().filter(|node| !members.contains(&node.id));
        let mut areas = areas.filter_map(|node| {
            Some((
                node,
                Area {
                    at: node.position?,
                    size: Size::for_node(node),
                },
            ))
        });
        if let Some((node, _)) = areas.find(|(_, area)| area.is_nearer_than(0.0, frame)) {
            return Some(format!("{} is inside frame {at}", node.slug));
        }
        if let Some(other) = frames[at + 1..]
            .iter()
            .position(|(_, other)| other.is_nearer_than(0.0, frame))
        {
            return Some(format!("frames {at} and {} overlap", at + 1 + other));
        }
    }
    None
}

#[test]
fn cluster_is_placed_between_parents_and_children() {
    let plan = plan(6, &[(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (0, 5)]);
    let options = LayoutOptions {
        clusters: vec![cluster(&[1, 2, 3])],
        ..LayoutOptions::default()
    };
    let placed = placed(&plan, &options);
    assert_eq!(find_overlap(&placed, &options.clusters), None);
    assert!(runs_forward(&placed, Direction::LeftRight));
    let places: Vec<_> = (0..6)
        .map(|number| place(&placed, number))
        .map(|at| (at.x, at.y))
        .collect();
    insta::assert_debug_snapshot!(places);
}

#[test]
fn collapsed_cluster_takes_one_card() {
    let chain: Vec<_> = (1..8).map(|n| (n - 1, n)).collect();
    let plan = plan(8, &chain);
    let middle = Cluster {
        collapsed: true,
        ..cluster(&[1, 2, 3, 4, 5, 6])
    };
    let placed = placed(
        &plan,
        &LayoutOptions {
            clusters: vec![middle],
            ..LayoutOptions::default()
        },
    );
    let [first, member, last] = [0, 1, 7].map(|number| place(&placed, number));
    assert_eq!(
        last.x - first.x,
        2.0 * (NODE_WIDTH + super::super::RANK_GAP),
        "one card is between the two"
    );
    assert_eq!(
        member.x,
        first.x + NODE_WIDTH + super::super::RANK_GAP,
        "its members start at its card"
    );
}

#[test]
fn cluster_on_cycle_stays_one_box() {
    let plan = plan(4, &[(0, 1), (1, 2), (2, 3)]);
    let options = LayoutOptions {
        clusters: vec![cluster(&[0, 3])],
        ..LayoutOptions::default()
    };
    let placed = placed(&plan, &options);
    assert_eq!(find_overlap(&placed, &options.clusters), None);
    assert_eq!(overlapping(&placed), None);
    assert!(
        place(&placed, 1).x < place(&placed, 2).x,
        "edges that are on no cycle of boxes lead forward"
    );
}

#[test]
fn cluster_notes_stay_in_frame() {
    let mut plan = plan(4, &[(0, 1), (1, 2)]);
    plan.nodes[3].kind = NodeKind::Note(Note::default());
    let options = LayoutOptions {
        clusters: vec![cluster(&[1, 3])],
        ..LayoutOptions::default()
    };
    let placed = placed(&plan, &options);
    assert_eq!(find_overlap(&placed, &options.clusters), None);
    assert!(placed.nodes[3].position.is_some());
}

#[test]
fn unselected_nodes_do_not_move() {
    let mut plan = plan(5, &[(0, 1), (1, 2), (3, 4)]);
    for (number, node) in plan.nodes.iter_mut().enumerate() {
        node.position = Some(Position {
            x: 400.0 + 12.0 * number as f64,
            y: 40.0,
        });
    }
    plan.nodes[4].position = Some(Position { x: 5000.0, y: 40.0 });
    let only = Some([id(0), id(1), id(2)].into());
    let places = arrange_with(
        &plan,
        &LayoutOptions {
            only,
            ..LayoutOptions::default()
        },
    );
    let moved: Vec<_> = places.iter().map(|(node, _)| *node).collect();
    assert_eq!(moved, [id(0), id(1), id(2)]);
    let placed = with_places(plan.clone(), &places);
    assert_eq!(overlapping(&placed), None);
    let first = place(&placed, 0);
    assert!(
        (first.x - 400.0).abs() < 500.0 && (first.y - 40.0).abs() < 500.0,
        "not far away: {first:?}"
    );
}

#[test]
fn cluster_with_pinned_node_is_fixed() {
    let mut plan = plan(5, &[(0, 1), (1, 2), (2, 3), (1, 4)]);
    plan.nodes[1].position = Some(Position {
        x: 1000.0,
        y: 1000.0,
    });
    plan.nodes[2].position = Some(Position {
        x: 1400.0,
        y: 1000.0,
    });
    let options = LayoutOptions {
        pinned: [id(1)].into(),
        clusters: vec![cluster(&[1, 2])],
        ..LayoutOptions::default()
    };
    let placed = placed(&plan, &options);
    assert_eq!(
        (place(&placed, 1), place(&placed, 2)),
        (place(&plan, 1), place(&plan, 2))
    );
    assert_eq!(find_overlap(&placed, &options.clusters), None);
    assert!(
        place(&placed, 0).x < 1000.0 && place(&placed, 3).x > 1400.0,
        "the rest is placed around it"
    );
}

/// Some nodes of a plan in up to four clusters, by number.
fn clusters_of(count: usize) -> impl Strategy<Value = Vec<Cluster>> {
    vec(0..8_usize, count).prop_map(|clusters| {
        let members = |wanted| {
            (0..)
                .zip(&clusters)
                .filter(move |(_, cluster)| **cluster == wanted)
        };
        let all = (0..4).map(|wanted| {
            cluster(
                &members(wanted)
                    .map(|(number, _)| number)
                    .collect::<Vec<_>>(),
            )
        });
        all.filter(|cluster| !cluster.nodes.is_empty()).collect()
    })
}

fn clustered() -> impl Strategy<Value = (Plan, Vec<Cluster>)> {
    random_plan().prop_flat_map(|plan| {
        let clusters = clusters_of(plan.nodes.len());
        (Just(plan), clusters)
    })
}

/// Returns whether the clusters can be ordered: no path leads out of one and back into it.
fn has_no_cluster_cycle(plan: &Plan, clusters: &[Cluster]) -> bool {
    let mut box_of: HashMap<NodeId, usize> = HashMap::new();
    for (number, cluster) in clusters.iter().enumerate() {
        box_of.extend(cluster.nodes.iter().map(|&node| (node, number)));
    }
    let mut next = clusters.len();
    for node in &plan.nodes {
        box_of.entry(node.id).or_insert_with(|| {
            next += 1;
            next
        });
    }
    let ends = plan
        .edges
        .iter()
        .filter_map(|edge| Some((*box_of.get(&edge.parent)?, *box_of.get(&edge.child)?)));
    let graph = petgraph::graph::DiGraph::<(), (), usize>::from_edges(
        ends.filter(|(parent, child)| parent != child),
    );
    !petgraph::algo::is_cyclic_directed(&graph)
}

/// Places far enough from one another that no two nodes overlap.
fn scattered(plan: &Plan, spots: &[(i32, i32)]) -> Plan {
    let mut plan = plan.clone();
    let mut seen = HashSet::new();
    for (node, (x, y)) in plan.nodes.iter_mut().zip(spots) {
        if seen.insert((x, y)) {
            node.position = Some(Position {
                x: f64::from(*x) * 252.0,
                y: f64::from(*y) * 96.0,
            });
        }
    }
    plan
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn clusters_contain_only_their_members(
        (plan, clusters) in clustered(),
        direction in proptest::sample::select(&DIRECTIONS[..]),
    ) {
        let options = LayoutOptions { direction, clusters, ..LayoutOptions::default() };
        let arranged = placed(&plan, &options);
        prop_assert_eq!(overlapping(&arranged), None);
        prop_assert_eq!(find_overlap(&arranged, &options.clusters), None);
        prop_assert!(!has_no_cluster_cycle(&plan, &options.clusters) || runs_forward(&arranged, direction));
        prop_assert_eq!(arrange_with(&plan, &options), arrange_with(&plan, &options), "the same each time");
    }

    #[test]
    fn pinned_nodes_are_not_moved_or_overlapped(
        plan in random_plan(),
        spots in vec((-6..6, -6..6), 40),
        pinned in vec(any::<bool>(), 40),
        direction in proptest::sample::select(&DIRECTIONS[..]),
    ) {
        let plan = scattered(&plan, &spots);
        let pinned: HashSet<_> = plan.nodes.iter().zip(pinned).filter(|(_, pinned)| *pinned).map(|(node, _)| node.id).collect();
        let options = LayoutOptions { direction, pinned: pinned.clone(), ..LayoutOptions::default() };
        let places = arrange_with(&plan, &options);
        let stays = |node: &&baton_model::Node| pinned.contains(&node.id) && node.position.is_some();
        prop_assert_eq!(places.len() + plan.nodes.iter().filter(stays).count(), plan.nodes.len());
        prop_assert!(places.iter().all(|(node, _)| !plan.nodes.iter().filter(stays).any(|stays| stays.id == *node)));
        prop_assert_eq!(overlapping(&with_places(plan.clone(), &places)), None);
        // Edges between moved nodes point forward; pinned nodes may be anywhere.
        let mut moved = with_places(plan.clone(), &places);
        let is_moved: HashSet<_> = places.iter().map(|(node, _)| *node).collect();
        moved.edges.retain(|edge| is_moved.contains(&edge.parent) && is_moved.contains(&edge.child));
        prop_assert!(runs_forward(&moved, direction));
    }

    #[test]
    fn selection_moves_without_overlaps(
        (plan, clusters) in clustered(),
        spots in vec((-12..12, -12..12), 40),
        chosen in vec(any::<bool>(), 40),
        direction in proptest::sample::select(&DIRECTIONS[..]),
    ) {
        let plan = scattered(&plan, &spots);
        prop_assume!(plan.nodes.iter().all(|node| node.position.is_some()));
        let chosen = plan.nodes.iter().zip(chosen).filter(|(_, chosen)| *chosen);
        let only: HashSet<_> = chosen.map(|(node, _)| node.id).collect();
        let options = LayoutOptions { direction, only: Some(only.clone()), clusters, ..LayoutOptions::default() };
        let places = arrange_with(&plan, &options);
        prop_assert_eq!(places.iter().map(|(node, _)| *node).collect::<HashSet<_>>(), only);
        prop_assert_eq!(overlapping(&with_places(plan, &places)), None);
    }
}
