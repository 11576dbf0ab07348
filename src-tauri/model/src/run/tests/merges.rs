//! A node whose parents' work does not fit together: asked, decided, solved by an agent, and replayed.

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
    scenario.does(start(None));
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
fn a_conflict_takes_the_attempt_back_and_waits_for_a_person_without_a_place() {
    let (mut scenario, node, attempt) = at_the_conflict();
    scenario.does(Command::SessionConflicted {
        node,
        attempt,
        conflict: conflict("1"),
    });
    assert!(asks(&scenario));
    assert_eq!(scenario.run.live_attempts().count(), 0);
    assert!(
        scenario.run.state().is_running(),
        "a question holds the run open"
    );
    scenario.does(Command::Merge {
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
fn an_agent_that_solved_it_lets_the_node_begin_and_one_that_did_not_is_asked_about_again() {
    for (outcome, then) in [
        (Outcome::Succeeded, Some(Resolution::ByHand)),
        (failed(), None),
    ] {
        let (mut scenario, node, attempt) = at_the_conflict();
        scenario.does(Command::SessionConflicted {
            node,
            attempt,
            conflict: conflict("1"),
        });
        scenario.does(Command::Merge {
            node,
            resolution: Resolution::Agent,
        });
        scenario.does(Command::SessionStarted {
            node,
            attempt,
            checkpoint: None,
        });
        scenario.does(Command::SessionMerged {
            node,
            attempt,
            outcome: outcome.clone(),
        });
        let run = scenario.node(B);
        assert_eq!(
            run.attempt,
            attempt.next(),
            "the merge had an attempt of its own"
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
fn a_person_may_skip_the_node_or_take_it_as_done_instead() {
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
        scenario.does(Command::SessionConflicted {
            node,
            attempt,
            conflict: conflict("1"),
        });
        scenario.does(command);
        assert_eq!(*scenario.run.state(), RunState::Completed);
    }
}

#[test]
fn nobody_is_asked_by_a_run_that_is_being_paused_and_the_node_finds_its_conflict_again() {
    let (mut scenario, node, attempt) = at_the_conflict();
    scenario.does(Command::Pause {
        stop_running: false,
    });
    scenario.does(Command::SessionConflicted {
        node,
        attempt,
        conflict: conflict("1"),
    });
    assert_eq!(*scenario.state(B), NodeState::Pending);
    scenario.does(Command::Resume);
    scenario.does(Command::SessionConflicted {
        node,
        attempt,
        conflict: conflict("1"),
    });
    assert!(asks(&scenario));
}

#[test]
fn a_late_or_unasked_word_changes_nothing() {
    let (mut scenario, node, attempt) = at_the_conflict();
    let unasked = scenario.step(&Command::Merge {
        node,
        resolution: Resolution::Ours,
    });
    assert!(matches!(unasked, Err(Refusal::NotAsked { .. })));
    scenario.does(Command::SessionConflicted {
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
fn a_cancelled_run_leaves_the_question_interrupted_and_its_history_gives_the_same_run() {
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
        for event in scenario.does(command).events {
            run.apply(scenario.now, &event).expect("its own history");
        }
    }
    assert!(matches!(scenario.state(B), NodeState::Interrupted { .. }));
    assert_eq!(run.node(node), scenario.run.node(node));
    assert_eq!(*run.state(), RunState::Cancelled);
}
