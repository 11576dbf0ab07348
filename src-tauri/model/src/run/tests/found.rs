//! Cases that once went wrong.

use super::scenario::{Scenario, begun, ended, executor, failed, lost, start, started, take_over};
use crate::node::{ConditionTask, NodeKind, OnFailure, Question, TriggerRule};
use crate::plan::Autonomy;
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{
    Command, Effect, Event, Goal, NodeState, PauseReason, Refusal, RunState, SkipReason, Spent,
    Step, WaitingFor,
};
use crate::{Outcome, Plan, Timestamp};

const A: usize = 0;
const B: usize = 1;
const C: usize = 2;
const D: usize = 3;

/// The name of the first cause stayed when that parent had long been mended.
#[test]
fn a_blocked_node_names_a_parent_that_still_blocks_it() {
    let mut scenario = Scenario::of(plan_of(&["A", "B", "C"], &[(A, C), (B, C)]));
    scenario.does(start(Some(2)));
    scenario.runs(A, lost());
    scenario.runs(B, lost());
    assert_eq!(state(&scenario, C), NodeState::Blocked { by: node_id(A) });
    scenario.does(Command::MarkDone {
        node: node_id(A),
        handoff: String::new(),
        stop: false,
    });
    assert_eq!(state(&scenario, C), NodeState::Blocked { by: node_id(B) });
}

/// A handler that was not needed named a parent as skipped that a person had marked as done meanwhile.
#[test]
fn node_that_cannot_start_says_what_its_parent_is_now() {
    let mut plan = plan_of(&["A", "B", "C", "D"], &[]);
    plan.nodes[A].on_success = Some(node_id(C));
    plan.nodes[B].on_failure = OnFailure::Node(node_id(D));
    let mut scenario = Scenario::of(plan);
    scenario.does(start(Some(2)));
    let (node, attempt) = scenario.attempt(B);
    scenario.does(Command::MarkDone {
        node,
        handoff: String::new(),
        stop: true,
    });
    scenario.runs(A, Outcome::Succeeded);
    scenario.does(Command::SessionWithdrawn { node, attempt });
    assert_eq!(state(&scenario, B), NodeState::Done { by_hand: true });
    assert_eq!(
        state(&scenario, D),
        NodeState::Skipped {
            reason: SkipReason::NotTaken { by: node }
        }
    );
}

/// The last parent to end was named, though it was another that had failed.
#[test]
fn a_parent_that_was_only_skipped_blocks_nobody() {
    let mut plan = plan_of(&["A", "B", "C", "D"], &[(A, C), (B, 3), (C, 3)]);
    plan.nodes[C].trigger_rule = Some(TriggerRule::OneFailed);
    plan.nodes[3].trigger_rule = Some(TriggerRule::OneSuccess);
    let mut scenario = Scenario::of(plan);
    scenario.does(start(Some(2)));
    scenario.runs(B, lost());
    scenario.runs(A, Outcome::Succeeded);
    assert_eq!(scenario.word(C), "skipped");
    assert_eq!(state(&scenario, 3), NodeState::Blocked { by: node_id(B) });
}

/// The late end of a stopped session counted as an interruption, and the resumed run stalled.
#[test]
fn a_run_that_is_resumed_before_its_sessions_have_stopped_does_them_again() {
    let mut scenario = Scenario::of(plan_of(&["A"], &[]));
    scenario.does(start(None));
    let (node, attempt) = scenario.attempt(A);
    scenario.does(started(node, attempt));
    scenario.does(Command::Pause { stop_running: true });
    scenario.does(Command::Resume);
    let step = scenario.does(ended(node, attempt, Outcome::Cancelled));
    assert!(
        matches!(step.effects[..], [Effect::StartSession { .. }]),
        "{step:?}"
    );
    scenario.runs(A, Outcome::Succeeded);
    assert_eq!(*scenario.run.state(), RunState::Completed);
}

/// A person who pressed Ctrl+C twice was told to resume, and the resume cancelled the run.
#[test]
fn a_pause_takes_a_cancellation_back() {
    let mut plan = plan_of(&["A", "B", "C"], &[(B, C)]);
    plan.settings.concurrency = Some(2);
    let mut scenario = begun(plan);
    let (quick, first) = scenario.starts(A);
    let (slow, second) = scenario.starts(B);
    scenario.does(Command::Cancel);
    scenario.does(ended(quick, first, Outcome::Cancelled));
    scenario.does(Command::Pause {
        stop_running: false,
    });
    scenario.does(take_over(1));
    let effects = scenario.does(Command::Resume).effects;
    assert!(
        !effects
            .iter()
            .any(|effect| matches!(effect, Effect::StopSession { .. })),
        "{effects:?}"
    );
    assert_eq!(
        (scenario.word(A), scenario.word(B)),
        ("interrupted", "running"),
        "what had ended stays ended"
    );
    let step = scenario.does(ended(slow, second, Outcome::Cancelled));
    assert!(
        step.effects
            .iter()
            .any(|effect| matches!(effect, Effect::StartSession { .. })),
        "it is done again"
    );
    scenario.runs(B, Outcome::Succeeded);
    scenario.runs(C, Outcome::Succeeded);
    assert!(matches!(scenario.run.state(), RunState::Stalled { .. }));
}

#[test]
fn a_cancel_after_such_a_resume_is_a_cancel() {
    let mut scenario = Scenario::of(plan_of(&["A"], &[]));
    scenario.does(start(None));
    let (node, attempt) = scenario.attempt(A);
    scenario.does(started(node, attempt));
    for command in [
        Command::Pause { stop_running: true },
        Command::Resume,
        Command::Cancel,
    ] {
        scenario.does(command);
    }
    scenario.does(ended(node, attempt, Outcome::Cancelled));
    assert_eq!(
        (scenario.word(A), scenario.run.state()),
        ("interrupted", &RunState::Cancelled)
    );
}

/// The event was made and did not fit.
#[test]
fn an_executor_that_was_overtaken_cannot_take_over() {
    let mut scenario = Scenario::of(plan_of(&["A"], &[]));
    scenario.does(start(None));
    scenario.does(take_over(3));
    assert_eq!(
        scenario.step(&take_over(3)),
        Err(Refusal::OldEpoch {
            current: 3,
            offered: 3
        })
    );
}

/// Resuming, cancelling or wanting more of a run without history gave it one without a beginning.
#[test]
fn a_run_that_has_not_begun_can_only_start() {
    let mut scenario = Scenario::of(plan_of(&["A"], &[]));
    for command in [
        Command::Resume,
        Command::Cancel,
        Command::SkipNode {
            node: node_id(A),
            stop: false,
        },
        take_over(1),
    ] {
        let refusal = scenario.step(&command).expect_err("it has not begun");
        assert_eq!(
            refusal.to_string(),
            "the run is not begun yet, so it cannot be changed"
        );
    }
    scenario.does(start(None));
}

/// A dependent whose retry was due, but had no place yet, kept the failures of before.
#[test]
fn running_again_gives_all_dependents_their_retries_back() {
    let mut plan = plan_of(&["A", "B", "C"], &[(A, B)]);
    plan.nodes[B].max_retries = 1;
    let mut scenario = Scenario::of(plan);
    scenario.does(start(None));
    scenario.runs(A, Outcome::Succeeded);
    scenario.runs(B, failed());
    scenario.does(Command::Pause {
        stop_running: false,
    });
    let (node, attempt) = scenario.attempt(C);
    scenario.does(Command::SessionWithdrawn { node, attempt });
    scenario.does(Command::Due { node: node_id(B) });
    scenario.does(Command::RerunFrom { node: node_id(A) });
    scenario.runs(A, Outcome::Succeeded);
    scenario.runs(B, failed());
    assert_eq!(scenario.word(B), "waiting", "it may be tried once more");
}

fn state(scenario: &Scenario, position: usize) -> NodeState {
    scenario.state(position).clone()
}

#[test]
fn a_run_out_of_time_stops_what_runs_and_fails() {
    let mut plan = plan_of(&["A"], &[]);
    plan.settings.timeout_ms = Some(0);
    let mut scenario = Scenario::of(plan);
    scenario.does(start(None));
    let (node, attempt) = scenario.attempt(A);
    scenario.does(started(node, attempt));
    let step = scenario.does(Command::TimeUp);
    assert_eq!(step.effects, [Effect::StopSession { node, attempt }]);
    assert_eq!(
        scenario.does(Command::TimeUp).events,
        [],
        "a second alarm means nothing"
    );
    scenario.does(ended(node, attempt, Outcome::Cancelled));
    let message = "the run took longer than its limit of 0 s. Not done: 'A'".to_owned();
    assert_eq!(scenario.run.state(), &RunState::Failed { message });
}

/// A, B and C side by side, a clean-up node after all of them, and one more after it.
fn with_clean_up() -> Plan {
    let mut plan = plan_of(
        &["A", "B", "C", "clean up", "after"],
        &[(A, D), (B, D), (C, D), (D, 4)],
    );
    plan.nodes[D].trigger_rule = Some(TriggerRule::AllDone);
    plan.settings.concurrency = Some(1);
    plan.settings.timeout_ms = Some(50);
    plan
}

/// Nothing started after the time limit, so that what a plan meant for its end was never cleaned up.
#[test]
fn clean_up_runs_after_the_time_limit() {
    let mut scenario = begun(with_clean_up());
    let (node, attempt) = scenario.starts(A);
    scenario.now = scenario.now.plus_ms(50);
    scenario.does(Command::TimeUp);
    scenario.does(ended(node, attempt, Outcome::Cancelled));
    let (reserved, attempt) = scenario.attempt(B);
    scenario.does(ended(reserved, attempt, Outcome::Cancelled));
    assert_eq!(
        (scenario.word(C), scenario.word(D)),
        ("pending", "waiting"),
        "C never starts, so nobody waits for it"
    );
    scenario.runs(D, Outcome::Succeeded);
    assert_eq!((scenario.word(D), scenario.word(4)), ("done", "pending"));
    let message =
        "the run took longer than its limit of 50 ms. Not done: 'A', 'B', 'C', 'after'".to_owned();
    assert_eq!(scenario.run.state(), &RunState::Failed { message });
}

#[test]
fn clean_up_that_runs_already_is_not_stopped_by_the_time_limit() {
    let mut plan = plan_of(&["A", "clean up", "long"], &[(A, B)]);
    plan.nodes[B].trigger_rule = Some(TriggerRule::AllDone);
    plan.settings.timeout_ms = Some(50);
    let mut scenario = begun(plan);
    scenario.runs(A, Outcome::Succeeded);
    scenario.starts(B);
    let (long, attempt) = scenario.starts(C);
    scenario.now = scenario.now.plus_ms(50);
    assert_eq!(
        scenario.does(Command::TimeUp).effects,
        [Effect::StopSession {
            node: long,
            attempt
        }]
    );
    scenario.does(ended(long, attempt, Outcome::Cancelled));
    assert!(scenario.run.state().is_running(), "the clean-up goes on");
    let (clean_up, attempt) = scenario.attempt(B);
    let effects = scenario.does(take_over(1)).effects;
    assert!(
        !effects
            .iter()
            .any(|effect| matches!(effect, Effect::StopSession { .. })),
        "{effects:?}"
    );
    scenario.does(ended(clean_up, attempt, Outcome::Succeeded));
    assert!(matches!(scenario.run.state(), RunState::Failed { .. }));
}

/// A condition, its two branches and, if `edges` say so, more.
fn fork(titles: &[&str], edges: &[(usize, usize)]) -> Plan {
    let mut plan = plan_of(titles, edges);
    let (true_step, false_step) = (Some(node_id(B)), Some(node_id(C)));
    plan.nodes[A].kind = NodeKind::Condition(ConditionTask {
        condition: "true".to_owned(),
        true_step,
        false_step,
    });
    plan
}

fn takes(scenario: &mut Scenario, taken: bool) {
    let (node, attempt) = scenario.starts(A);
    let (outcome, artifact, taken) = (Outcome::Succeeded, None, Some(taken));
    scenario.does(Command::SessionEnded {
        node,
        attempt,
        outcome,
        artifact,
        taken,
        doubt: None,
    });
}

fn use_up(scenario: &mut Scenario, position: usize, tokens: u64) -> Step {
    let (node, attempt) = scenario.attempt(position);
    scenario.does(Command::SessionUsed {
        node,
        attempt,
        spent: Spent {
            tokens,
            cost_micros: 0,
        },
    })
}

/// The branch of the latest attempt stayed open, though that attempt was taken back.
#[test]
fn a_rollback_brings_back_the_branch_that_was_taken() {
    let mut scenario = begun(fork(&["A", "B", "C"], &[]));
    takes(&mut scenario, true);
    scenario.runs(B, Outcome::Succeeded);
    scenario.does(Command::Checkpoint {
        name: "yes".to_owned(),
        data: 1.into(),
        files: None,
    });
    scenario.does(Command::RerunFrom { node: node_id(A) });
    takes(&mut scenario, false);
    scenario.runs(C, Outcome::Succeeded);
    scenario.does(Command::Rollback {
        checkpoint: 0,
        files: false,
    });
    assert_eq!(
        (scenario.node(A).taken, scenario.word(B), scenario.word(C)),
        (Some(true), "done", "skipped")
    );
    assert!(
        scenario.node(A).stale,
        "its latest attempt says something else"
    );
    scenario.does(Command::Resume);
    assert_eq!(*scenario.run.state(), RunState::Completed);
}

/// A node that had been asked about before its parent failed was pending after the rollback, for ever.
#[test]
fn a_rollback_asks_the_parents_of_what_was_under_way() {
    let mut plan = plan_of(&["A", "B"], &[(A, B)]);
    plan.nodes[B].kind = NodeKind::UserInput(Question::default());
    let mut scenario = begun(plan);
    scenario.runs(A, Outcome::Succeeded);
    scenario.does(Command::RerunNode { node: node_id(A) });
    scenario.runs(A, lost());
    assert_eq!(
        (scenario.word(A), scenario.word(B)),
        ("interrupted", "waiting")
    );
    scenario.does(Command::Checkpoint {
        name: "lost".to_owned(),
        data: 1.into(),
        files: None,
    });
    scenario.does(Command::Rollback {
        checkpoint: 0,
        files: false,
    });
    assert_eq!(
        (scenario.word(A), scenario.word(B)),
        ("interrupted", "blocked")
    );
}

/// A condition that was done by hand after an earlier attempt had taken a branch kept to that branch.
#[test]
fn by_hand_nobody_chooses_a_branch() {
    let mut scenario = begun(fork(&["A", "B", "C"], &[]));
    takes(&mut scenario, true);
    scenario.does(Command::Pause {
        stop_running: false,
    });
    let (node, attempt) = scenario.attempt(B);
    scenario.does(Command::SessionWithdrawn { node, attempt });
    let step = scenario.run.apply(
        scenario.now,
        &Event::NodesReset {
            nodes: vec![node_id(A)],
            resume: false,
        },
    );
    step.expect("nothing runs");
    scenario.does(Command::MarkDone {
        node: node_id(A),
        handoff: String::new(),
        stop: false,
    });
    scenario.does(Command::Resume);
    assert_eq!((scenario.word(B), scenario.word(C)), ("waiting", "waiting"));
}

/// A branch head that is also where the run goes on after a failure was open whichever branch was taken.
#[test]
fn a_branch_that_also_mends_failures_is_a_branch() {
    let mut plan = fork(&["A", "B", "C"], &[]);
    plan.nodes[A].on_failure = OnFailure::Node(node_id(B));
    let mut scenario = begun(plan.clone());
    takes(&mut scenario, false);
    assert_eq!((scenario.word(B), scenario.word(C)), ("skipped", "waiting"));
    let mut scenario = begun(plan);
    scenario.runs(A, failed());
    assert_eq!((scenario.word(B), scenario.word(C)), ("waiting", "skipped"));
}

/// The mender was left out when the first of two had succeeded, its child ran, and then the second failed.
#[test]
fn where_the_run_may_still_go_on_is_not_left_out() {
    let mut plan = plan_of(&["A", "B", "Mend", "After"], &[(2, 3)]);
    for position in [A, B] {
        plan.nodes[position].on_failure = OnFailure::Node(node_id(2));
    }
    plan.nodes[2].trigger_rule = Some(TriggerRule::AllSuccess);
    plan.nodes[3].trigger_rule = Some(TriggerRule::AllDone);
    let mut scenario = begun(plan);
    scenario.runs(A, Outcome::Succeeded);
    assert_eq!((scenario.word(2), scenario.word(3)), ("pending", "pending"));
    scenario.runs(B, failed());
    assert_eq!((scenario.word(2), scenario.word(3)), ("waiting", "pending"));
}

/// A failure went on at a node that somebody had jumped over: nothing mended it, and the run was completed.
#[test]
fn a_place_that_was_jumped_over_is_open_to_a_failure() {
    let mut plan = plan_of(&["A", "Mend", "C", "D"], &[]);
    plan.nodes[A].on_success = Some(node_id(C));
    plan.nodes[3].on_failure = OnFailure::Node(node_id(1));
    let mut scenario = begun(plan);
    scenario.runs(A, Outcome::Succeeded);
    assert_eq!(scenario.word(1), "skipped");
    scenario.runs(3, failed());
    assert_eq!(scenario.word(1), "waiting");
}

/// What a failure had jumped over stayed skipped when a person had put the failure right.
#[test]
fn a_jump_is_taken_back_with_the_failure_that_made_it() {
    let mut plan = plan_of(&["A", "B", "C", "D"], &[(3, B)]);
    plan.nodes[A].on_failure = OnFailure::Node(node_id(C));
    let mut scenario = begun(plan);
    scenario.runs(A, failed());
    assert_eq!((scenario.word(B), scenario.word(C)), ("skipped", "waiting"));
    scenario.does(Command::MarkDone {
        node: node_id(A),
        handoff: String::new(),
        stop: false,
    });
    assert_eq!(scenario.word(B), "pending");
}

/// The run had reached its goal, though what was wanted had failed and nobody wanted the mender.
#[test]
fn a_failure_is_not_dealt_with_at_a_place_that_nobody_wants() {
    let mut plan = plan_of(&["A", "Mend"], &[]);
    plan.nodes[A].on_failure = OnFailure::Node(node_id(1));
    let mut scenario = Scenario::of(plan);
    let goal = Goal::Only {
        nodes: vec![node_id(A)],
    };
    scenario.does(Command::Start {
        version: 1,
        goal,
        limit: None,
        executor: executor(),
        default_agent: None,
        inherits: None,
        grants: Vec::new(),
        caller: None,
    });
    scenario.runs(A, failed());
    assert!(
        matches!(scenario.run.state(), RunState::Failed { .. }),
        "{:?}",
        scenario.run.state()
    );
}

/// A question that belonged to an earlier goal kept the run from its end.
#[test]
fn what_nobody_wants_any_more_is_not_asked() {
    let mut plan = plan_of(&["A", "B"], &[]);
    plan.nodes[A].kind = NodeKind::UserInput(Question::default());
    let mut scenario = begun(plan);
    scenario.does(Command::Want {
        goal: Goal::Only {
            nodes: vec![node_id(B)],
        },
    });
    assert_eq!((scenario.word(A), scenario.attempt(A).1.0), ("pending", 0));
    scenario.runs(B, Outcome::Succeeded);
    assert_eq!(
        *scenario.run.state(),
        RunState::Paused {
            reason: PauseReason::GoalReached
        }
    );
    scenario.does(Command::Want { goal: Goal::All });
    assert_eq!((scenario.word(A), scenario.attempt(A).1.0), ("waiting", 1));
}

/// Only what was done was stale; what was under way with the old handoff was not, when it was done.
#[test]
fn work_that_was_under_way_when_its_parent_was_done_again_is_stale() {
    let mut scenario = begun(plan_of(&["A", "B"], &[(A, B)]));
    scenario.runs(A, Outcome::Succeeded);
    let (node, attempt) = scenario.starts(B);
    scenario.does(Command::RerunNode { node: node_id(A) });
    scenario.does(ended(node, attempt, Outcome::Succeeded));
    assert_eq!(scenario.run.stale().collect::<Vec<_>>(), [node_id(B)]);
    scenario.runs(A, Outcome::Succeeded);
    scenario.does(Command::RerunStale);
    scenario.runs(B, Outcome::Succeeded);
    assert_eq!(
        (scenario.run.stale().count(), scenario.run.state()),
        (0, &RunState::Completed)
    );
}

/// A pause between the wish to resume and the session's start made it start from the beginning.
#[test]
fn a_withdrawn_attempt_is_resumed_all_the_same() {
    let mut scenario = begun(plan_of(&["A"], &[]));
    scenario.runs(A, lost());
    let first = scenario.node(A).session;
    scenario.does(Command::RetryNode {
        node: node_id(A),
        resume: true,
    });
    scenario.does(Command::Pause {
        stop_running: false,
    });
    let (node, attempt) = scenario.attempt(A);
    scenario.does(Command::SessionWithdrawn { node, attempt });
    assert_eq!(
        scenario.node(A).session,
        first,
        "its attempt is the first one again"
    );
    let effects = scenario.does(Command::Resume).effects;
    assert!(
        matches!(effects[..], [Effect::StartSession { resumes, .. }] if resumes == first),
        "{effects:?}"
    );
}

/// The run failed with "Not done: " and no name.
#[test]
fn a_limit_that_the_last_node_reaches_is_no_failure() {
    let mut plan = plan_of(&["A"], &[]);
    (plan.settings.budget.tokens, plan.settings.timeout_ms) = (Some(100), Some(0));
    for out_of_time in [true, false] {
        let mut scenario = begun(plan.clone());
        let (node, attempt) = scenario.starts(A);
        if out_of_time {
            scenario.does(Command::TimeUp);
        } else {
            use_up(&mut scenario, A, 101);
        }
        scenario.does(ended(node, attempt, Outcome::Succeeded));
        assert_eq!(*scenario.run.state(), RunState::Completed);
    }
}

/// What still ran while the run was pausing could use as much as it liked.
#[test]
fn the_budget_counts_while_the_run_is_pausing() {
    let mut plan = plan_of(&["A"], &[]);
    plan.settings.budget.tokens = Some(100);
    let mut scenario = begun(plan);
    let (node, attempt) = scenario.starts(A);
    scenario.does(Command::Pause {
        stop_running: false,
    });
    let step = use_up(&mut scenario, A, 101);
    assert_eq!(step.effects, [Effect::StopSession { node, attempt }]);
    scenario.does(ended(node, attempt, Outcome::Cancelled));
    let message = "the budget of the plan is spent: 101 of 100 tokens. Not done: 'A'".to_owned();
    assert_eq!(*scenario.run.state(), RunState::Failed { message });
}

/// The order to stop was lost with the executor, and the next one let the session go on.
#[test]
fn a_session_that_overspent_is_stopped_by_the_next_executor_too() {
    let mut plan = plan_of(&["A"], &[]);
    plan.nodes[A].budget.tokens = Some(100);
    let mut scenario = begun(plan);
    let (node, attempt) = scenario.starts(A);
    use_up(&mut scenario, A, 101);
    let effects = scenario.does(take_over(1)).effects;
    assert!(
        effects.contains(&Effect::StopSession { node, attempt }),
        "{effects:?}"
    );
    scenario.does(ended(node, attempt, lost()));
    assert_eq!(
        scenario.word(A),
        "failed",
        "it is not started again with nothing left"
    );
    scenario.does(Command::RetryNode {
        node,
        resume: false,
    });
    scenario.starts(A);
    assert_eq!(
        use_up(&mut scenario, A, 50).effects,
        [],
        "who does it again by hand gives it its budget anew"
    );
}

/// Usage that was told before the start was known made the run forget the start.
#[test]
fn what_uses_something_lives() {
    let mut plan = plan_of(&["A"], &[]);
    plan.nodes[A].budget.tokens = Some(100);
    let mut scenario = begun(plan);
    use_up(&mut scenario, A, 1);
    assert_eq!(scenario.word(A), "running");
}

/// From the 62nd failure on there was no pause at all between attempts: the doubling had run out of bits.
#[test]
fn the_pause_between_attempts_never_shrinks() {
    let mut plan = plan_of(&["A"], &[]);
    plan.nodes[A].max_retries = 100;
    let mut scenario = begun(plan);
    let mut pauses = Vec::new();
    for _ in 0..100 {
        scenario.runs(A, failed());
        let NodeState::Waiting {
            what: WaitingFor::RetryAt { at },
        } = *scenario.state(A)
        else {
            panic!("a retry")
        };
        pauses.push(at.ms_since(scenario.now));
        scenario.does(Command::Due { node: node_id(A) });
    }
    assert_eq!(pauses[..6], [1000, 2000, 4000, 8000, 16_000, 30_000]);
    assert!(
        pauses[6..].iter().all(|&pause| pause == 30_000),
        "{pauses:?}"
    );
}

/// An alarm that rang by a clock that had been set back meanwhile was the last one.
#[test]
fn a_clock_that_was_set_back_is_wound_up_again() {
    let mut plan = plan_of(&["A"], &[]);
    plan.settings.timeout_ms = Some(60_000);
    plan.nodes[A].kind = NodeKind::UserInput(Question {
        timeout: Some(1000),
        ..Question::default()
    });
    let mut scenario = begun(plan);
    let (due, deadline) = (scenario.now.plus_ms(1000), scenario.now.plus_ms(60_000));
    scenario.now = Timestamp(0);
    let step = scenario.does(Command::Due { node: node_id(A) });
    assert_eq!(
        (step.events, step.effects),
        (
            vec![],
            vec![Effect::WakeAt {
                node: node_id(A),
                at: due
            }]
        )
    );
    assert_eq!(
        scenario.does(Command::TimeUp).effects,
        [Effect::AlarmAt { at: deadline }]
    );
    scenario.now = due;
    scenario.does(Command::Due { node: node_id(A) });
    assert_eq!(scenario.word(A), "failed");
}

/// Leave that was given to a node below stayed given when everything above was done again.
#[test]
fn running_again_asks_again_for_leave() {
    let mut plan = plan_of(&["A", "B", "C"], &[(A, B)]);
    plan.settings.autonomy = Some(Autonomy::AskAll);
    let mut scenario = Scenario::of(plan);
    scenario.does(start(Some(1)));
    scenario.does(Command::Approve {
        node: node_id(A),
        allow: true,
    });
    scenario.runs(A, Outcome::Succeeded);
    scenario.does(Command::Pause {
        stop_running: false,
    });
    scenario.does(Command::Approve {
        node: node_id(B),
        allow: true,
    });
    scenario.does(Command::RerunFrom { node: node_id(A) });
    scenario.does(Command::Approve {
        node: node_id(A),
        allow: true,
    });
    scenario.runs(A, Outcome::Succeeded);
    assert!(matches!(
        scenario.state(B),
        NodeState::Waiting {
            what: WaitingFor::Approval { .. }
        }
    ));
}
