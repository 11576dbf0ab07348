//! How a run handles an agent account that reached its usage limit.

use super::scenario::{Scenario, started_run};
use crate::outcome::Failure;
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{Command, NodeState, WaitingFor};
use crate::{Outcome, Timestamp};

const A: usize = 0;
const B: usize = 1;

fn limited(reset_at: Option<Timestamp>) -> Outcome {
    Outcome::Failed {
        failure: Failure::UsageLimit {
            reset_at,
            detail: "come back later".to_owned(),
        },
    }
}

fn parked_until(scenario: &Scenario) -> Option<Timestamp> {
    match scenario.state(A) {
        NodeState::Waiting {
            what: WaitingFor::LimitUntil { at },
        } => Some(*at),
        _ => None,
    }
}

#[test]
fn node_resumes_its_session_after_the_usage_limit() {
    let mut scenario = started_run(plan_of(&["A", "B"], &[(A, B)]));
    for round in 0..30 {
        let before = scenario.run.node(node_id(A)).and_then(|node| node.session);
        let reset_at = scenario.now.plus_ms(5 * 3_600_000);
        scenario.runs(A, limited(Some(reset_at)));
        let due = parked_until(&scenario).unwrap_or_else(|| panic!("parked in round {round}"));
        assert!(
            due > reset_at && due < reset_at.plus_ms(12_000),
            "just after the limit ends"
        );
        scenario.step_ok(Command::Due { node: node_id(A) });
        let now = scenario.run.node(node_id(A)).expect("the node");
        assert_eq!(
            (now.own_failures, now.losses),
            (0, 0),
            "waiting costs nothing, in round {round}"
        );
        assert!(round == 0 || before.is_some());
    }
    let node = scenario.run.node(node_id(A)).expect("the node");
    assert!(
        node.resumes.is_some(),
        "the session is resumed, so the work before the limit is not lost"
    );
    scenario.runs(A, Outcome::Succeeded);
    assert_eq!(scenario.state_name(A), "done");
}

#[test]
fn limit_without_reset_time_counts_as_loss() {
    for reset_at in [None, Some(Timestamp(0))] {
        let mut scenario = started_run(plan_of(&["A"], &[]));
        let mut waited = Vec::new();
        for _ in 0..10 {
            scenario.runs(A, limited(reset_at));
            let due = parked_until(&scenario).expect("parked");
            waited.push(due.ms_since(scenario.now) / 1000);
            scenario.step_ok(Command::Due { node: node_id(A) });
        }
        assert_eq!(
            waited,
            [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600, 3600],
            "seconds; {reset_at:?}"
        );
        scenario.runs(A, limited(reset_at));
        assert_eq!(
            scenario.state_name(A),
            "failed",
            "a wrong clock never makes a run flood a service"
        );
    }
}

#[test]
fn manual_retry_does_not_wait_for_the_reset() {
    let mut scenario = started_run(plan_of(&["A"], &[]));
    let reset_at = scenario.now.plus_ms(3_600_000);
    scenario.runs(A, limited(Some(reset_at)));
    scenario.step_ok(Command::RetryNode {
        node: node_id(A),
        resume: true,
    });
    assert_ne!(
        parked_until(&scenario),
        Some(reset_at),
        "another account may have been logged in"
    );
    scenario.runs(A, Outcome::Succeeded);
    assert_eq!(scenario.state_name(A), "done");
}
