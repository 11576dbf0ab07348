//! Nodes that the plan disables.

use super::scenario::{failed, started_run};
use crate::node::{InputType, NodeKind, Question, TriggerRule};
use crate::plan::Autonomy;
use crate::plan_fixture::plan_of;
use crate::run::{NodeState, RunState, SkipReason};
use crate::{Outcome, Plan};

const DISABLED: NodeState = NodeState::Skipped {
    reason: SkipReason::Disabled,
};

fn chain() -> Plan {
    let mut plan = plan_of(&["A", "B", "C"], &[(0, 1), (1, 2)]);
    plan.nodes[1].disabled = true;
    plan
}

#[test]
fn disabled_node_is_skipped_and_dependents_run() {
    let mut run = started_run(chain());
    assert_eq!(run.state_name(1), "pending", "its parent may still fail");
    run.runs(0, Outcome::Succeeded);
    assert_eq!(run.state(1), &DISABLED);
    run.runs(2, Outcome::Succeeded);
    assert_eq!(run.run.state(), &RunState::Completed);
    assert_eq!(run.node(1).attempt.0, 0, "nothing was tried");
}

#[test]
fn disabled_root_is_skipped_immediately() {
    let mut plan = chain();
    plan.nodes[0].disabled = true;
    let mut run = started_run(plan);
    assert_eq!((run.state(0), run.state(1)), (&DISABLED, &DISABLED));
    run.runs(2, Outcome::Succeeded);
    assert_eq!(run.run.state(), &RunState::Completed);
}

#[test]
fn disabled_node_asks_no_question() {
    let mut plan = chain();
    let question = Question {
        question: "Well?".to_owned(),
        input_type: InputType::Text,
        options: vec![],
        timeout: None,
    };
    plan.nodes[0].kind = NodeKind::UserInput(question);
    plan.nodes[0].disabled = true;
    plan.settings.autonomy = Some(Autonomy::AskAll);
    let run = started_run(plan);
    assert_eq!((run.state(0), run.state(1)), (&DISABLED, &DISABLED));
    assert_eq!(
        run.state_name(2),
        "waiting",
        "it waits for approval like every other node"
    );
}

#[test]
fn disabled_node_keeps_its_trigger_rule() {
    let mut plan = chain();
    plan.nodes[1].trigger_rule = Some(TriggerRule::AllSuccess);
    let mut run = started_run(plan);
    run.runs(0, failed());
    assert_ne!(
        run.state(1),
        &DISABLED,
        "its parent failed, so it never gets its turn"
    );
}
