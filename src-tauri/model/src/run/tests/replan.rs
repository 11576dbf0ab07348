//! Runs that are replanned.

use super::scenario::{Scenario, failed, lost, start};
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{BeforeReplan, Command, Refusal, ReplanEnd, RunState};
use crate::{Outcome, ProposalId, RunId};

const PROPOSAL: ProposalId = ProposalId(uuid::Uuid::from_u128(1));

/// A → B, after A ended with `end`.
fn after(end: Outcome) -> Scenario {
    let mut scenario = Scenario::of(plan_of(&["A", "B"], &[(0, 1)]));
    scenario.step_ok(start(None));
    scenario.runs(0, end);
    scenario
}

#[test]
fn ended_replan_restores_the_run_state() {
    let run = Some(RunId(uuid::Uuid::from_u128(2)));
    for end in [
        ReplanEnd::Accepted { run },
        ReplanEnd::Rejected,
        ReplanEnd::GivenUp,
    ] {
        for (before, word) in [(failed(), "failed"), (lost(), "stalled")] {
            let mut scenario = after(before);
            let state = scenario.run.state().clone();
            scenario.step_ok(Command::BeginReplan { proposal: PROPOSAL });
            assert_eq!(
                (scenario.run.state().as_str(), scenario.run.replanned_by()),
                ("replanning", Some(PROPOSAL))
            );
            scenario.step_ok(Command::EndReplan {
                proposal: PROPOSAL,
                end,
            });
            assert_eq!(
                (scenario.run.state(), scenario.run.state().as_str()),
                (&state, word)
            );
        }
    }
}

#[test]
fn retry_does_not_wait_for_the_proposal() {
    let mut scenario = after(failed());
    scenario.step_ok(Command::BeginReplan { proposal: PROPOSAL });
    scenario.step_ok(Command::RetryNode {
        node: node_id(0),
        resume: false,
    });
    assert!(scenario.run.state().is_running());
    let late = scenario.step_ok(Command::EndReplan {
        proposal: PROPOSAL,
        end: ReplanEnd::Rejected,
    });
    assert_eq!(
        late.events,
        [],
        "the end of the proposal does not affect a run that has continued"
    );
}

#[test]
fn skip_continues_the_run_during_replanning() {
    let mut scenario = after(lost());
    scenario.step_ok(Command::BeginReplan { proposal: PROPOSAL });
    scenario.step_ok(Command::SkipNode {
        node: node_id(0),
        stop: false,
    });
    scenario.runs(1, Outcome::Succeeded);
    assert_eq!(*scenario.run.state(), RunState::Completed);
}

#[test]
fn replanning_keeps_the_failure_message() {
    let mut scenario = after(failed());
    let RunState::Failed { message: why, .. } = scenario.run.state().clone() else {
        panic!("it has failed")
    };
    scenario.step_ok(Command::BeginReplan { proposal: PROPOSAL });
    let RunState::Replanning { before, .. } = scenario.run.state() else {
        panic!("it is being replanned")
    };
    assert_eq!(
        (before, before.message()),
        (
            &BeforeReplan::Failed {
                message: why.clone(),
                handler: None
            },
            why.as_str()
        )
    );
    let resumed = scenario.step(&Command::Resume);
    assert_eq!(
        resumed,
        Err(Refusal::RunState {
            state: "is replanning",
            action: "resumed"
        })
    );
}
