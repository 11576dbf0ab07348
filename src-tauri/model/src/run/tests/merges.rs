//! Merge conflicts between a node's parents: asked about, decided, resolved by an agent, and
//! replayed.

use crate::plan_fixture::{node_id, plan_of};
use crate::run::{
    Command, Conflict, ConflictFile, ConflictKind, NodeState, Refusal, Resolution, RunState,
    WaitingFor,
};
use crate::{Attempt, NodeId, Outcome};

use super::scenario::{Scenario, failed, lost, start};

const A: usize = 0;
const B: usize = 1;

fn conflict(id: &str) -> Conflict {
    Conflict {
        id: id.to_owned(),
        ours: "A".to_owned(),
        theirs: "B".to_owned(),
        files: vec![ConflictFile {
            path: "both.txt".to_owned(),
            kind: ConflictKind::Lines,
        }],
        place: "/data/worktrees/1/b".to_owned(),
        still: None,
    }
}

/// The run in which B was reserved, and its attempt.
fn at_the_conflict() -> (Scenario, NodeId, Attempt) {
    let mut scenario = Scenario::of(plan_of(&["A", "B"], &[(A, B)]));
    scenario.step_ok(start(None));
    scenario.runs(A, Outcome::Succeeded);
    let (node, attempt) = scenario.attempt(B);
    (scenario, node, attempt)
}

fn asks(scenario: &Scenario) -> bool {
    matches!(
        scenario.state(B),
        NodeState::Waiting {
            what: WaitingFor::Merge { .. }
        }
    )
}

#[test]
fn conflict_withdraws_the_attempt_and_frees_its_slot() {
    let (mut scenario, node, attempt) = at_the_conflict();
    scenario.step_ok(Command::SessionConflicted {
        node,
        attempt,
        conflict: conflict("1"),
    });
    assert!(asks(&scenario));
    assert_eq!(scenario.run.live_attempts().count(), 0);
    assert!(
        scenario.run.state().is_running(),
        "an open question keeps the run running"
    );
    scenario.step_ok(Command::Merge {
        node,
        resolution: Resolution::Ours,
    });
    let run = scenario.node(B);
    assert_eq!(run.attempt, attempt, "a conflict costs no attempt");
    assert_eq!(
        run.decided
            .as_ref()
            .map(|decided| decided.conflict.as_str()),
        Some("1")
    );
    scenario.runs(B, Outcome::Succeeded);
    assert_eq!(*scenario.run.state(), RunState::Completed);
}

#[test]
fn agent_resolution_starts_the_node_or_asks_again() {
    for (outcome, then) in [
        (Outcome::Succeeded, Some(Resolution::ByHand)),
        (failed(), None),
    ] {
        let (mut scenario, node, attempt) = at_the_conflict();
        scenario.step_ok(Command::SessionConflicted {
            node,
            attempt,
            conflict: conflict("1"),
        });
        scenario.step_ok(Command::Merge {
            node,
            resolution: Resolution::Agent,
        });
        scenario.step_ok(Command::SessionStarted {
            node,
            attempt,
            checkpoint: None,
        });
        scenario.step_ok(Command::SessionMerged {
            node,
            attempt,
            outcome: outcome.clone(),
        });
        let run = scenario.node(B);
        assert_eq!(
            run.attempt,
            attempt.next(),
            "the merge had a separate attempt"
        );
        assert_eq!(
            run.decided.as_ref().map(|decided| decided.resolution),
            then,
            "{outcome:?}"
        );
        assert_eq!(run.own_failures, 0, "the node itself has not failed");
    }
}

#[test]
fn conflicted_node_can_be_skipped_or_marked_done() {
    for command in [
        Command::SkipNode {
            node: node_id(B),
            stop: false,
        },
        Command::MarkDone {
            node: node_id(B),
            handoff: String::new(),
            stop: false,
        },
    ] {
        let (mut scenario, node, attempt) = at_the_conflict();
        scenario.step_ok(Command::SessionConflicted {
            node,
            attempt,
            conflict: conflict("1"),
        });
        scenario.step_ok(command);
        assert_eq!(*scenario.run.state(), RunState::Completed);
    }
}

#[test]
fn pausing_run_postpones_merge_questions() {
    let (mut scenario, node, attempt) = at_the_conflict();
    scenario.step_ok(Command::Pause {
        stop_running: false,
    });
    scenario.step_ok(Command::SessionConflicted {
        node,
        attempt,
        conflict: conflict("1"),
    });
    assert_eq!(*scenario.state(B), NodeState::Pending);
    scenario.step_ok(Command::Resume);
    scenario.step_ok(Command::SessionConflicted {
        node,
        attempt,
        conflict: conflict("1"),
    });
    assert!(asks(&scenario));
}

#[test]
fn late_or_unrequested_choice_is_ignored() {
    let (mut scenario, node, attempt) = at_the_conflict();
    let unasked = scenario.step(&Command::Merge {
        node,
        resolution: Resolution::Ours,
    });
    assert!(matches!(unasked, Err(Refusal::NotAsked { .. })));
    scenario.step_ok(Command::SessionConflicted {
        node,
        attempt,
        conflict: conflict("1"),
    });
    let late = scenario.step(&Command::SessionConflicted {
        node,
        attempt,
        conflict: conflict("2"),
    });
    assert!(matches!(late, Err(Refusal::Late { .. })));
    let late = scenario.step(&Command::SessionMerged {
        node,
        attempt,
        outcome: lost(),
    });
    assert!(matches!(late, Err(Refusal::Late { .. })));
}

#[test]
fn cancelling_interrupts_the_conflicted_node() {
    let (mut scenario, node, attempt) = at_the_conflict();
    let mut run = scenario.run.clone();
    let next = attempt.next();
    let journey = [
        Command::SessionConflicted {
            node,
            attempt,
            conflict: conflict("1"),
        },
        Command::Merge {
            node,
            resolution: Resolution::Agent,
        },
        Command::SessionStarted {
            node,
            attempt,
            checkpoint: None,
        },
        Command::SessionMerged {
            node,
            attempt,
            outcome: failed(),
        },
        Command::SessionConflicted {
            node,
            attempt: next,
            conflict: conflict("1"),
        },
        Command::Cancel,
    ];
    for command in journey {
        for event in scenario.step_ok(command).events {
            run.apply(scenario.now, &event).expect("its own history");
        }
    }
    assert!(matches!(scenario.state(B), NodeState::Interrupted { .. }));
    assert_eq!(run.node(node), scenario.run.node(node));
    assert_eq!(*run.state(), RunState::Cancelled);
}
