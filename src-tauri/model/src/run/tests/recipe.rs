//! Plans and moves in numbers, so that a journey that goes wrong shrinks to a short one.

use proptest::prelude::*;

use super::scenario::{failed, lost};
use crate::node::{OnFailure, TriggerRule};
use crate::outcome::Failure;
use crate::plan_fixture::{node_id, plan_of};
use crate::{Edge, Outcome, Plan};

/// A plan.
#[derive(Debug, Clone)]
pub(super) struct Recipe {
    pub(super) nodes: Vec<NodeRecipe>,
    pub(super) limit: u32,
    pub(super) goal: Option<usize>,
}

#[derive(Debug, Clone)]
pub(super) struct NodeRecipe {
    parents: u32,
    rule: TriggerRule,
    skips: bool,
    retries: u32,
    priority: u8,
}

/// What happens next: in the world, or by a person. Numbers choose among what there is.
#[derive(Debug, Clone)]
pub(super) enum Move {
    Start { choice: usize, report: bool },
    Report { choice: usize },
    Ask { choice: usize },
    Answer { choice: usize, stranger: bool },
    End { choice: usize, outcome: Outcome },
    Withdraw { choice: usize },
    Ring,
    Crash,
    Person(Wish),
    LateNews { node: usize },
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Wish {
    Pause { stop_running: bool },
    Resume,
    Cancel,
    Retry(usize),
    Rerun(usize),
    Skip(usize),
    MarkDone(usize),
    Want(Option<usize>),
}

pub(super) fn plans() -> impl Strategy<Value = Recipe> {
    let rule = prop_oneof![
        4 => Just(TriggerRule::AllSuccess),
        1 => Just(TriggerRule::AllDone),
        1 => Just(TriggerRule::OneSuccess),
        1 => Just(TriggerRule::OneFailed),
        1 => Just(TriggerRule::NoneFailed),
        1 => Just(TriggerRule::NoneFailedMinOneSuccess),
    ];
    // Two random masks over each other leave few parents, so that graphs are deep as well as wide.
    let parents = (any::<u32>(), any::<u32>()).prop_map(|(one, other)| one & other);
    let node = (parents, rule, prop::bool::weighted(0.25), 0..3_u32, 1..=10_u8)
        .prop_map(|(parents, rule, skips, retries, priority)| NodeRecipe { parents, rule, skips, retries, priority });
    let goal = prop::option::weighted(0.2, 0..20_usize);
    (proptest::collection::vec(node, 0..=20), 1..5_u32, goal).prop_map(|(nodes, limit, goal)| Recipe {
        nodes,
        limit,
        goal,
    })
}

pub(super) fn moves() -> impl Strategy<Value = Move> {
    let choice = || 0..20_usize;
    prop_oneof![
        12 => (choice(), prop::bool::weighted(0.7)).prop_map(|(choice, report)| Move::Start { choice, report }),
        3 => choice().prop_map(|choice| Move::Report { choice }),
        2 => choice().prop_map(|choice| Move::Ask { choice }),
        2 => (choice(), any::<bool>()).prop_map(|(choice, stranger)| Move::Answer { choice, stranger }),
        12 => (choice(), outcomes()).prop_map(|(choice, outcome)| Move::End { choice, outcome }),
        4 => choice().prop_map(|choice| Move::Withdraw { choice }),
        2 => Just(Move::Ring),
        1 => Just(Move::Crash),
        6 => wishes().prop_map(Move::Person),
        1 => choice().prop_map(|node| Move::LateNews { node }),
    ]
}

fn outcomes() -> impl Strategy<Value = Outcome> {
    let missing = Outcome::Failed { failure: Failure::NotStarted { detail: "no such program".to_owned() } };
    prop_oneof![
        6 => Just(Outcome::Succeeded),
        3 => Just(failed()),
        1 => Just(missing),
        1 => Just(lost()),
        1 => Just(Outcome::Cancelled),
    ]
}

fn wishes() -> impl Strategy<Value = Wish> {
    prop_oneof![
        2 => any::<bool>().prop_map(|stop_running| Wish::Pause { stop_running }),
        4 => Just(Wish::Resume),
        1 => Just(Wish::Cancel),
        3 => (0..20_usize).prop_map(Wish::Retry),
        2 => (0..20_usize).prop_map(Wish::Rerun),
        2 => (0..20_usize).prop_map(Wish::Skip),
        2 => (0..20_usize).prop_map(Wish::MarkDone),
        2 => prop::option::of(0..20_usize).prop_map(Wish::Want),
    ]
}

pub(super) fn plan_from(recipe: &Recipe) -> Plan {
    let mut plan = plan_of(&vec!["Node"; recipe.nodes.len()], &[]);
    for (child, node) in recipe.nodes.iter().enumerate() {
        plan.nodes[child].trigger_rule = node.rule;
        plan.nodes[child].on_failure = if node.skips { OnFailure::Skip } else { OnFailure::Abort };
        plan.nodes[child].max_retries = node.retries;
        plan.nodes[child].priority = node.priority;
        for parent in (0..child).filter(|parent| node.parents >> parent & 1 == 1) {
            // One in eight hands on without gating.
            let soft = (child + parent) % 8 == 7;
            plan.edges.push(Edge { parent: node_id(parent), child: node_id(child), soft });
        }
    }
    plan
}
