//! The states of a node, each reached by commands.

use super::super::scenario::{Scenario, failed, lost, start};
use super::format::states;
use super::{A, B, C, ask, question};
use crate::node::{AfterCrash, ConditionTask, NodeKind, OnFailure, TriggerRule};
use crate::plan::Autonomy;
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{Command, Event};
use crate::{NodeId, Outcome, Plan, Timestamp};

/// A in each of its states, alone and with B below it; then B in the states that its parent causes.
pub(super) fn node_states() -> Vec<(String, Scenario, usize)> {
    let alone = plan_of(&["A"], &[]);
    let mut table = Vec::new();
    for (plan, name) in [(alone, "A"), (pair(TriggerRule::AllSuccess), "A of A→B")] {
        for (state, scenario) in states_of_a(&plan) {
            table.push((format!("{name} {state}"), scenario, A));
        }
    }
    let mut fork = plan_of(&["A", "B"], &[]);
    fork.nodes[A].kind = fork_to(None, Some(node_id(B)));
    let mut jump = plan_of(&["A", "B", "C"], &[(A, B)]);
    jump.nodes[A].on_success = Some(node_id(C));
    for (name, plan, outcome) in [
        (
            "B of A→B",
            pair(TriggerRule::AllSuccess),
            Outcome::Succeeded,
        ),
        ("B of A→B", pair(TriggerRule::AllSuccess), failed()),
        ("B of A→B", pair(TriggerRule::OneFailed), Outcome::Succeeded),
        (
            "B of the branch that was not taken",
            fork,
            Outcome::Succeeded,
        ),
        ("B between A and its jump", jump, Outcome::Succeeded),
    ] {
        let mut scenario = Scenario::of(plan);
        scenario.step_ok(start(None));
        let (node, attempt) = scenario.starts(A);
        let (artifact, taken) = (None, Some(true));
        scenario.step_ok(Command::SessionEnded {
            node,
            attempt,
            outcome,
            artifact,
            taken,
            doubt: None,
        });
        table.push((format!("{name}: {}", states(&scenario.run)), scenario, B));
    }
    table
}

fn states_of_a(plan: &Plan) -> Vec<(&'static str, Scenario)> {
    let at = |change: &dyn Fn(&mut Plan), lead: &dyn Fn(&mut Scenario)| {
        let mut plan = plan.clone();
        change(&mut plan);
        let mut scenario = Scenario::of(plan);
        scenario.step_ok(start(None));
        lead(&mut scenario);
        scenario
    };
    let ends = |outcome: Outcome| move |scenario: &mut Scenario| scenario.runs(A, outcome.clone());
    // Applied as an event, because the command would reserve the node again immediately.
    let pending = |scenario: &mut Scenario| {
        let (node, attempt) = scenario.attempt(A);
        scenario
            .run
            .apply(Timestamp(2000), &Event::NodeWithdrawn { node, attempt })
            .expect("it is reserved");
    };
    let says =
        |command: Command| move |scenario: &mut Scenario| drop(scenario.step_ok(command.clone()));
    let (as_it_is, node) = (|_: &mut Plan| {}, node_id(A));
    let needs_approval = |plan: &mut Plan| plan.settings.autonomy = Some(Autonomy::AskAll);
    let asks_input = |plan: &mut Plan| plan.nodes[A].kind = question(None);
    let goes_on = |plan: &mut Plan| {
        plan.nodes
            .push(plan_of(&["", "", "Z"], &[]).nodes.remove(2));
        plan.nodes[A].on_failure = OnFailure::Node(node_id(2));
    };
    vec![
        ("pending", at(&as_it_is, &pending)),
        ("waiting for a slot", at(&as_it_is, &|_| {})),
        ("running", at(&as_it_is, &|scenario| _ = scenario.starts(A))),
        (
            "running silently",
            at(&as_it_is, &|scenario| {
                let (node, attempt) = scenario.starts(A);
                scenario.step_ok(Command::SessionSilent {
                    node,
                    attempt,
                    silent: true,
                });
            }),
        ),
        ("waiting for a person", at(&as_it_is, &ask)),
        ("waiting for approval", at(&needs_approval, &|_| {})),
        (
            "waiting for a slot, approved",
            at(
                &needs_approval,
                &says(Command::Approve { node, allow: true }),
            ),
        ),
        (
            "refused",
            at(
                &needs_approval,
                &says(Command::Approve { node, allow: false }),
            ),
        ),
        ("waiting for input", at(&asks_input, &|_| {})),
        (
            "waiting for input, overdue",
            at(&|plan| plan.nodes[A].kind = question(Some(0)), &|_| {}),
        ),
        (
            "done by an answer",
            at(
                &asks_input,
                &says(Command::GiveInput {
                    node,
                    value: "yes".to_owned(),
                }),
            ),
        ),
        (
            "waiting for its retry",
            at(&|plan| plan.nodes[A].max_retries = 1, &ends(failed())),
        ),
        (
            "waiting for its retry after a loss",
            at(
                &|plan| plan.nodes[A].after_crash = AfterCrash::Resume,
                &ends(lost()),
            ),
        ),
        ("done", at(&as_it_is, &ends(Outcome::Succeeded))),
        ("failed", at(&as_it_is, &ends(failed()))),
        (
            "failed, and the run continued",
            at(&goes_on, &ends(failed())),
        ),
        ("interrupted", at(&as_it_is, &ends(lost()))),
        (
            "skipped after its failure",
            at(
                &|plan| plan.nodes[A].on_failure = OnFailure::Skip,
                &ends(failed()),
            ),
        ),
        (
            "skipped by hand",
            at(&as_it_is, &|scenario| {
                pending(scenario);
                scenario.step_ok(Command::SkipNode {
                    node: node_id(A),
                    stop: false,
                });
            }),
        ),
    ]
}

fn fork_to(true_step: Option<NodeId>, false_step: Option<NodeId>) -> NodeKind {
    NodeKind::Condition(ConditionTask {
        condition: "true".to_owned(),
        true_step,
        false_step,
    })
}

fn pair(rule: TriggerRule) -> Plan {
    let mut plan = plan_of(&["A", "B"], &[(A, B)]);
    plan.nodes[B].trigger_rule = Some(rule);
    plan
}
