//! Merges of plans that two sides changed.

use proptest::prelude::*;
use uuid::Uuid;

use super::{MergeClash, adopt_identifiers, merge_plans};
use crate::node::{OnFailure, Position};
use crate::plan::ToolOutput;
use crate::plan_fixture::{edge, node_id, plan_of};
use crate::{Color, Group, GroupId, Node, NodeId, Plan, Slug};

fn base() -> Plan {
    plan_of(&["A", "B", "C"], &[(0, 1), (1, 2)])
}

/// Changes `plan` as one side does.
fn changed(plan: &Plan, change: impl FnOnce(&mut Plan)) -> Plan {
    let mut plan = plan.clone();
    change(&mut plan);
    plan
}

fn add_node(plan: &mut Plan, number: u128, slug: &str, at: usize) {
    let kind = plan.nodes[0].kind.clone();
    let slug = Slug::new(slug).expect("a slug");
    let id = NodeId(Uuid::from_u128(number));
    plan.nodes.insert(at, Node::new(id, slug, "New", kind));
}

fn remove_node(plan: &mut Plan, id: NodeId) {
    plan.nodes.retain(|node| node.id != id);
    plan.edges
        .retain(|edge| edge.parent != id && edge.child != id);
}

#[test]
fn changes_of_both_sides_are_taken() {
    let base = base();
    let ours = changed(&base, |plan| {
        plan.nodes[0].max_retries = 3;
        plan.settings.priority = 9;
        add_node(plan, 50, "ours", 1);
    });
    let theirs = changed(&base, |plan| {
        plan.nodes[2].title = "See".to_owned();
        plan.settings.tags = vec!["file".to_owned()];
        plan.edges.push(edge(plan, 0, 2));
        plan.risks.push(crate::plan::Risk {
            text: "It is slow".to_owned(),
            mitigation: None,
        });
        add_node(plan, 51, "theirs", 3);
    });
    let merge = merge_plans(&base, &ours, &theirs);
    assert_eq!(merge.clashes, []);
    let plan = merge.plan;
    let slugs: Vec<&str> = plan.nodes.iter().map(|node| node.slug.as_str()).collect();
    assert_eq!(slugs, ["n0", "ours", "n1", "n2", "theirs"]);
    assert_eq!(
        (plan.nodes[0].max_retries, plan.nodes[3].title.as_str()),
        (3, "See")
    );
    assert_eq!((plan.settings.priority, plan.settings.tags.len()), (9, 1));
    assert_eq!((plan.edges.len(), plan.risks.len()), (3, 1));
}

#[test]
fn clashes_hold_both_sides() {
    type Change = fn(&mut Plan);
    type Check = fn(&Plan, &MergeClash) -> bool;
    let table: &[(&str, Change, Change, Check)] = &[
        (
            "a node",
            |plan| plan.nodes[1].title = "Ours".to_owned(),
            |plan| plan.nodes[1].title = "Theirs".to_owned(),
            |plan, clash| {
                plan.nodes[1].title == "Ours"
                    && matches!(clash, MergeClash::Node { ours, theirs }
                        if ours.title == "Ours" && theirs.title == "Theirs")
            },
        ),
        (
            "removed by them",
            |plan| plan.nodes[1].max_retries = 2,
            |plan| remove_node(plan, node_id(1)),
            |plan, clash| {
                plan.edges.len() == 2
                    && matches!(clash, MergeClash::RemovedByThem { ours } if ours.max_retries == 2)
            },
        ),
        (
            "removed by us, and used by them",
            |plan| remove_node(plan, node_id(2)),
            |plan| plan.nodes[0].on_failure = OnFailure::Node(node_id(2)),
            |plan, clash| {
                plan.nodes.len() == 3
                    && plan.edges.len() == 2
                    && matches!(clash, MergeClash::RemovedByUs { theirs } if theirs.id == node_id(2))
            },
        ),
        (
            "a slug",
            |plan| add_node(plan, 50, "same", 3),
            |plan| add_node(plan, 51, "same", 3),
            |plan, clash| {
                let slugs: Vec<_> = plan.nodes.iter().map(|node| node.slug.as_str()).collect();
                slugs.contains(&"same")
                    && slugs.contains(&"same-2")
                    && matches!(clash, MergeClash::Slug { theirs } if theirs.slug.as_str() == "same")
            },
        ),
        (
            "a field",
            |plan| plan.settings.priority = 1,
            |plan| plan.settings.priority = 2,
            |plan, clash| {
                plan.settings.priority == 1
                    && matches!(clash, MergeClash::Field { path, theirs: Some(theirs), .. }
                        if path == &["settings", "priority"] && theirs == 2)
            },
        ),
        (
            "an edge",
            |plan| plan.edges[1].soft = true,
            |plan| plan.edges.truncate(plan.edges.len() - 1),
            |plan, clash| {
                plan.edges.iter().any(|edge| edge.soft)
                    && matches!(
                        clash,
                        MergeClash::Edge {
                            ours: Some(_),
                            theirs: None
                        }
                    )
            },
        ),
        (
            "a cycle",
            |plan| plan.edges = vec![edge(plan, 0, 1), edge(plan, 1, 2), edge(plan, 0, 2)],
            |plan| plan.edges = vec![edge(plan, 2, 0)],
            |plan, clash| {
                plan.graph().is_ok()
                    && matches!(
                        clash,
                        MergeClash::Edge {
                            ours: None,
                            theirs: Some(_)
                        }
                    )
            },
        ),
        (
            "the order",
            |plan| plan.nodes.swap(0, 1),
            |plan| plan.nodes.swap(1, 2),
            |plan, clash| plan.nodes[0].id == node_id(1) && *clash == MergeClash::Order,
        ),
        (
            "groups",
            |plan| plan.groups = vec![group(1)],
            |plan| plan.groups = vec![group(2)],
            |plan, clash| {
                plan.groups == [group(1)]
                    && matches!(clash, MergeClash::Groups { theirs } if *theirs == [group(2)])
            },
        ),
    ];
    for (name, ours, theirs, check) in table {
        let base = base();
        let (ours, theirs) = (changed(&base, ours), changed(&base, theirs));
        let merge = merge_plans(&base, &ours, &theirs);
        let [clash] = merge.clashes.as_slice() else {
            panic!("{name}: {:?}", merge.clashes);
        };
        assert!(check(&merge.plan, clash), "{name}: {merge:?}");
    }
}

fn group(number: u128) -> Group {
    Group {
        id: GroupId(Uuid::from_u128(number)),
        title: format!("Group {number}"),
        color: Color::Blue,
        nodes: vec![node_id(0)],
    }
}

#[test]
fn moves_on_the_canvas_never_clash_with_work() {
    let base = base();
    let place = Some(Position { x: 1.0, y: 2.0 });
    let ours = changed(&base, |plan| plan.nodes[0].position = place);
    let theirs = changed(&base, |plan| plan.nodes[0].title = "Theirs".to_owned());
    let merge = merge_plans(&base, &ours, &theirs);
    assert_eq!(merge.clashes, []);
    let node = &merge.plan.nodes[0];
    assert_eq!((node.position, node.title.as_str()), (place, "Theirs"));
}

#[test]
fn file_gets_the_identifiers_that_it_had() {
    let mut base = base();
    base.groups = vec![group(1)];
    base.nodes[0].on_failure = OnFailure::Node(node_id(2));
    let ours = changed(&base, |plan| add_node(plan, 50, "both", 3));
    let mut file = changed(&ours, |plan| add_node(plan, 51, "file", 4));
    let fresh = file.nodes.iter().zip(900..);
    let fresh = fresh.map(|(node, number)| (node.id, NodeId(Uuid::from_u128(number))));
    file.rename_nodes(&fresh.collect());
    file.groups[0].id = GroupId(Uuid::from_u128(99));
    let adopted = adopt_identifiers(&file, &base, &ours);
    assert_eq!(adopted.nodes[..4], ours.nodes[..]);
    assert_eq!(
        adopted.nodes[4].id,
        NodeId(Uuid::from_u128(904)),
        "it is new"
    );
    assert_eq!(
        (&adopted.groups, &adopted.edges),
        (&ours.groups, &ours.edges)
    );
    assert_eq!(merge_plans(&base, &ours, &adopted).clashes, []);
}

/// One change of a node, an edge or a field. Numbers are taken modulo what there is.
#[derive(Debug, Clone)]
enum Edit {
    Title(usize, u8),
    Remove(usize),
    Add(usize, u8),
    Edge(usize, usize),
    Unlink(usize, usize),
    Field(usize, u8),
}

const NODES: usize = 6;
const FIELDS: usize = 4;

fn edit() -> impl Strategy<Value = Edit> {
    let node = || 0..NODES;
    prop_oneof![
        (node(), any::<u8>()).prop_map(|(node, value)| Edit::Title(node, value)),
        node().prop_map(Edit::Remove),
        (node(), 0..4_u8).prop_map(|(node, value)| Edit::Add(node, value)),
        (node(), node()).prop_map(|(parent, child)| Edit::Edge(parent, child)),
        (node(), node()).prop_map(|(parent, child)| Edit::Unlink(parent, child)),
        (0..FIELDS, any::<u8>()).prop_map(|(field, value)| Edit::Field(field, value)),
    ]
}

/// Edges lead from lower to higher numbers, so that no edit makes a cycle.
fn random_base() -> impl Strategy<Value = Plan> {
    any::<u16>().prop_map(|bits| {
        let pairs =
            (0..NODES).flat_map(|parent| (parent + 1..NODES).map(move |child| (parent, child)));
        let chosen = pairs.zip(0..).filter(|(_, bit)| bits >> bit & 1 == 1);
        let edges: Vec<_> = chosen.map(|(pair, _)| pair).collect();
        plan_of(&["A", "B", "C", "D", "E", "F"], &edges)
    })
}

/// `owns` says which nodes and fields this side may touch.
fn apply(plan: &mut Plan, edits: &[Edit], side: u128, owns: impl Fn(usize) -> bool) {
    let has = |plan: &Plan, at: usize| owns(at) && plan.node(node_id(at)).is_some();
    for edit in edits {
        match *edit {
            Edit::Title(at, value) if has(plan, at) => {
                let node = plan.nodes.iter_mut().find(|node| node.id == node_id(at));
                node.expect("it exists").title = format!("{side} {value}");
            }
            Edit::Remove(at) if has(plan, at) => remove_node(plan, node_id(at)),
            Edit::Add(at, value) if has(plan, at) => {
                let number = side * 1000 + u128::from(value);
                if plan.node(NodeId(Uuid::from_u128(number))).is_none() {
                    let place = plan.nodes.iter().position(|node| node.id == node_id(at));
                    let place = place.expect("it exists") + 1;
                    add_node(plan, number, &format!("new-{side}-{value}"), place);
                }
            }
            Edit::Edge(parent, child)
                if parent < child && has(plan, parent) && has(plan, child) =>
            {
                let edge = crate::Edge {
                    parent: node_id(parent),
                    child: node_id(child),
                    soft: false,
                    inferred: false,
                };
                if !plan.edges.contains(&edge) {
                    plan.edges.push(edge);
                }
            }
            Edit::Unlink(parent, child) if owns(parent) && owns(child) => {
                let ends = (node_id(parent), node_id(child));
                plan.edges.retain(|edge| (edge.parent, edge.child) != ends);
            }
            Edit::Field(field, value) if owns(field) => set_field(plan, field, value),
            _ => {}
        }
    }
}

fn set_field(plan: &mut Plan, field: usize, value: u8) {
    match field {
        0 => plan.title = format!("Title {value}"),
        1 => plan.settings.concurrency = Some(u32::from(value) + 1),
        2 => drop(plan.metadata.insert("key".to_owned(), value.into())),
        _ => {
            let output = ToolOutput {
                tool: "t".to_owned(),
                operation: "o".to_owned(),
                data: value.into(),
            };
            plan.context.tool_outputs.insert("key".to_owned(), output);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn disjoint_changes_merge_the_same_either_way(
        base in random_base(),
        mine in any::<u8>(),
        ours in proptest::collection::vec(edit(), 0..8),
        theirs in proptest::collection::vec(edit(), 0..8),
    ) {
        let owns = |at: usize| mine >> at & 1 == 1;
        let ours = changed(&base, |plan| apply(plan, &ours, 1, owns));
        let theirs = changed(&base, |plan| apply(plan, &theirs, 2, |at| !owns(at)));
        let merge = merge_plans(&base, &ours, &theirs);
        prop_assert_eq!(&merge.clashes, &vec![]);
        prop_assert_eq!(&merge, &merge_plans(&base, &theirs, &ours));
        for at in 0..NODES {
            let side = if owns(at) { &ours } else { &theirs };
            prop_assert_eq!(merge.plan.node(node_id(at)), side.node(node_id(at)));
        }
        let new = |plan: &Plan| plan.nodes.iter().filter(|node| base.node(node.id).is_none()).count();
        prop_assert_eq!(new(&merge.plan), new(&ours) + new(&theirs));
        prop_assert!(merge.plan.problems().iter().all(|problem| !problem.prevents_saving()));
    }

    #[test]
    fn merge_loses_no_node(
        base in random_base(),
        ours in proptest::collection::vec(edit(), 0..8),
        theirs in proptest::collection::vec(edit(), 0..8),
    ) {
        let ours = changed(&base, |plan| apply(plan, &ours, 1, |_| true));
        let theirs = changed(&base, |plan| apply(plan, &theirs, 2, |_| true));
        let merge = merge_plans(&base, &ours, &theirs);
        for (side, other) in [(&ours, &theirs), (&theirs, &ours)] {
            for node in &side.nodes {
                let is_unchanged = base.node(node.id) == Some(node);
                let was_removed = is_unchanged && other.node(node.id).is_none();
                let kept = merge.plan.node(node.id);
                prop_assert!(kept.is_some() || was_removed, "{:?}", node);
                let in_clash = merge.clashes.iter().any(|clash| {
                    matches!(clash, MergeClash::Node { theirs, .. } if **theirs == *node)
                });
                prop_assert!(kept == Some(node) || is_unchanged || in_clash, "{:?}", node);
            }
        }
        prop_assert!(merge.plan.graph().is_ok());
        let sides_agree = merge_plans(&base, &ours, &ours);
        prop_assert_eq!(sides_agree.plan, ours);
    }
}
