//! Unverified work, and pinned handoffs.

use super::scenario::{Scenario, start};
use crate::evidence::UnverifiedReason;
use crate::node::{OnFailedCriterion, OnUnverified};
use crate::outcome::Failure;
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{Command, Event, PIN_LIMIT, Refusal, Run};
use crate::{Attempt, NodeState, Outcome, Plan, RunId, Timestamp};

const A: usize = 0;
const B: usize = 1;
const C: usize = 2;

fn chain() -> Plan {
    plan_of(&["A", "B", "C"], &[(A, B), (B, C)])
}

fn doubt(reason: &str) -> UnverifiedReason {
    UnverifiedReason {
        reason: reason.to_owned(),
        failed_criteria: None,
    }
}

/// The node succeeds, but is unverified.
fn ends_doubted(scenario: &mut Scenario, position: usize) -> Vec<Event> {
    let (node, attempt) = scenario.starts(position);
    let doubt = Some(doubt("1 file was reported as changed but was not"));
    let (outcome, artifact, taken) = (Outcome::Succeeded, None, None);
    scenario
        .step_ok(Command::SessionEnded {
            node,
            attempt,
            outcome,
            artifact,
            taken,
            doubt,
        })
        .events
}

fn pin(parent: usize, child: usize, text: &str) -> Command {
    Command::PinHandoff {
        parent: node_id(parent),
        child: node_id(child),
        text: text.to_owned(),
        artifact: None,
    }
}

#[test]
fn unverified_work_is_marked_until_accepted() {
    let mut scenario = Scenario::of(chain());
    scenario.step_ok(start(None));
    let events = ends_doubted(&mut scenario, A);
    assert!(
        matches!(
            &events[..2],
            [Event::NodeEnded { .. }, Event::NodeUnverified { .. }]
        ),
        "{events:?}"
    );
    assert_eq!(
        (scenario.state_name(A), scenario.state_name(B)),
        ("done", "waiting"),
        "the run continues"
    );
    assert!(scenario.node(A).unverified);
    assert_eq!(
        scenario
            .step_ok(Command::Accept { node: node_id(A) })
            .events,
        [Event::NodeAccepted { node: node_id(A) }]
    );
    assert!(!scenario.node(A).unverified);
    assert_eq!(
        scenario
            .step_ok(Command::Accept { node: node_id(A) })
            .events,
        [],
        "there is nothing left to accept"
    );
}

#[test]
fn git_restore_is_recorded_and_accepts_nothing() {
    let mut scenario = Scenario::of(chain());
    scenario.step_ok(start(None));
    ends_doubted(&mut scenario, A);
    let node = node_id(A);
    let note = |attempt, changes: &[u32]| Command::NoteGitRestored {
        node,
        attempt,
        changes: changes.to_vec(),
    };
    let noted = Event::GitRestored {
        node,
        attempt: Attempt(1),
        changes: vec![0, 2],
    };
    assert_eq!(scenario.step_ok(note(Attempt(1), &[0, 2])).events, [noted]);
    assert!(
        scenario.node(A).unverified,
        "restoring git does not accept the work"
    );
    assert_eq!(
        scenario.step_ok(note(Attempt(1), &[])).events,
        [],
        "nothing was restored"
    );
    assert_eq!(
        scenario.step_ok(note(Attempt(2), &[0])).events,
        [],
        "the attempt does not exist"
    );
}

#[test]
fn new_attempt_resets_unverified() {
    let mut scenario = Scenario::of(chain());
    scenario.step_ok(start(None));
    ends_doubted(&mut scenario, A);
    scenario.runs(B, Outcome::Succeeded);
    scenario.step_ok(Command::RerunNode { node: node_id(A) });
    assert!(!scenario.node(A).unverified);
    scenario.runs(A, Outcome::Succeeded);
    assert!(!scenario.node(A).unverified);
}

#[test]
fn unverified_work_can_fail_the_node() {
    let mut plan = chain();
    plan.settings.on_unverified = OnUnverified::Fail;
    plan.nodes[A].max_retries = 1;
    let mut scenario = Scenario::of(plan);
    scenario.step_ok(start(None));
    ends_doubted(&mut scenario, A);
    assert_eq!(scenario.state_name(A), "waiting", "it waits for its retry");
    scenario.step_ok(Command::Due { node: node_id(A) });
    ends_doubted(&mut scenario, A);
    let detail = "1 file was reported as changed but was not".to_owned();
    let failed = NodeState::Failed {
        failure: Failure::Unverified { detail },
        went_on_at: None,
    };
    assert_eq!(scenario.state(A), &failed);
    assert!(!scenario.node(A).unverified, "a failure says it already");
}

#[test]
fn a_failed_criterion_fails_the_node_unless_the_plan_continues() {
    for (setting, expected) in [
        (OnFailedCriterion::Fail, "failed"),
        (OnFailedCriterion::Continue, "done"),
    ] {
        let mut plan = chain();
        plan.settings.on_failed_criterion = setting;
        let mut scenario = Scenario::of(plan);
        scenario.step_ok(start(None));
        let (node, attempt) = scenario.starts(A);
        let failed_criteria = Some("`make test` ended with exit code 2".to_owned());
        let doubt = Some(UnverifiedReason {
            failed_criteria,
            ..doubt("1 acceptance criterion is not met")
        });
        let (outcome, artifact, taken) = (Outcome::Succeeded, None, None);
        scenario.step_ok(Command::SessionEnded {
            node,
            attempt,
            outcome,
            artifact,
            taken,
            doubt,
        });
        assert_eq!(scenario.state_name(A), expected);
        let is_done = expected == "done";
        assert_eq!(
            (
                scenario.node(A).unverified,
                scenario.state_name(B) == "waiting"
            ),
            (is_done, is_done),
            "{setting:?}"
        );
    }
}

#[test]
fn failed_work_is_not_also_unverified() {
    let mut scenario = Scenario::of(chain());
    scenario.step_ok(start(None));
    let (node, attempt) = scenario.starts(A);
    let doubt = Some(doubt("a criterion is not met"));
    let (outcome, artifact, taken) = (Outcome::Cancelled, None, None);
    let step = scenario.step_ok(Command::SessionEnded {
        node,
        attempt,
        outcome,
        artifact,
        taken,
        doubt,
    });
    assert!(
        !step
            .events
            .iter()
            .any(|event| matches!(event, Event::NodeUnverified { .. })),
        "{step:?}"
    );
}

#[test]
fn pin_applies_until_removed() {
    let mut scenario = Scenario::of(chain());
    scenario.step_ok(start(None));
    scenario.step_ok(pin(A, B, "only this"));
    scenario.runs(A, Outcome::Succeeded);
    let refused = scenario.step(&pin(A, B, "too late"));
    assert!(
        matches!(refused, Err(Refusal::NodeState { .. })),
        "B is already receiving its input: {refused:?}"
    );
    scenario.runs(B, Outcome::Succeeded);
    let text = |scenario: &Scenario| {
        scenario
            .run
            .pins()
            .get(&(node_id(B), node_id(A)))
            .map(|pin| pin.text.clone())
    };
    assert_eq!(text(&scenario).as_deref(), Some("only this"));
    let (parent, child) = (node_id(A), node_id(B));
    scenario.step_ok(Command::UnpinHandoff { parent, child });
    assert_eq!(text(&scenario), None);
    assert!(
        scenario.node(B).stale,
        "it used a handoff that it would no longer receive"
    );
    assert_eq!(
        scenario
            .step_ok(Command::UnpinHandoff { parent, child })
            .events,
        [],
        "a repeated unpin has no effect"
    );
}

#[test]
fn invalid_pins_are_refused() {
    let mut scenario = Scenario::of(chain());
    scenario.step_ok(start(None));
    for (from, to) in [(A, C), (B, A), (A, A)] {
        let refused = scenario.step(&pin(from, to, "x"));
        assert!(
            matches!(refused, Err(Refusal::NoEdge { .. })),
            "{from} to {to}: {refused:?}"
        );
    }
    let refused = scenario.step(&pin(A, B, &"x".repeat(PIN_LIMIT + 1)));
    assert!(matches!(refused, Err(Refusal::PinTooLong { .. })));
}

#[test]
fn pins_and_unverified_marks_replay() {
    let mut scenario = Scenario::of(chain());
    let mut history = scenario.step_ok(start(None)).events;
    history.extend(scenario.step_ok(pin(A, B, "only this")).events);
    let (node, attempt) = scenario.starts(A);
    history.push(Event::NodeStarted {
        node,
        attempt,
        checkpoint: None,
    });
    let doubt = Some(doubt("a criterion is not met"));
    let (outcome, artifact, taken) = (Outcome::Succeeded, None, None);
    history.extend(
        scenario
            .step_ok(Command::SessionEnded {
                node,
                attempt,
                outcome,
                artifact,
                taken,
                doubt,
            })
            .events,
    );
    let plan = std::sync::Arc::clone(scenario.run.plan());
    let again = Run::replay(
        RunId(uuid::Uuid::from_u128(1)),
        plan,
        history.into_iter().map(|event| (Timestamp(0), event)),
    );
    let again = again.expect("the history is legal");
    assert_eq!(again.pins(), scenario.run.pins());
    assert!(again.node(node).is_some_and(|run| run.unverified));
}
