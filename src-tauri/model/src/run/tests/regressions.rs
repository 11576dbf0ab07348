//! Regressions. Each doc comment describes the bug.

use super::scenario::{
    Scenario, ended, executor, failed, lost, start, started, started_run, take_over,
};
use crate::node::{ConditionTask, NodeKind, OnFailure, Question, TriggerRule};
use crate::plan::Autonomy;
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{
    BudgetUsage, Command, Effect, Event, Goal, NodeState, PauseReason, Refusal, RunState,
    SkipReason, Step, WaitingFor,
};
use crate::{Outcome, Plan, Timestamp};

const A: usize = 0;
const B: usize = 1;
const C: usize = 2;
const D: usize = 3;

/// The first cause was still named after that parent had been fixed.
#[test]
fn blocked_node_names_a_current_cause() {
    let mut scenario = Scenario::of(plan_of(&["A", "B", "C"], &[(A, C), (B, C)]));
    scenario.step_ok(start(Some(2)));
    scenario.runs(A, lost());
    scenario.runs(B, lost());
    assert_eq!(state(&scenario, C), NodeState::Blocked { by: node_id(A) });
    scenario.step_ok(Command::MarkDone {
        node: node_id(A),
        handoff: String::new(),
        stop: false,
    });
    assert_eq!(state(&scenario, C), NodeState::Blocked { by: node_id(B) });
}

/// An unneeded handler reported a parent as skipped that a person had since marked as done.
#[test]
fn skip_reason_follows_the_parents_current_state() {
    let mut plan = plan_of(&["A", "B", "C", "D"], &[]);
    plan.nodes[A].on_success = Some(node_id(C));
    plan.nodes[B].on_failure = OnFailure::Node(node_id(D));
    let mut scenario = Scenario::of(plan);
    scenario.step_ok(start(Some(2)));
    let (node, attempt) = scenario.attempt(B);
    scenario.step_ok(Command::MarkDone {
        node,
        handoff: String::new(),
        stop: true,
    });
    scenario.runs(A, Outcome::Succeeded);
    scenario.step_ok(Command::SessionWithdrawn { node, attempt });
    assert_eq!(state(&scenario, B), NodeState::Done { by_hand: true });
    assert_eq!(
        state(&scenario, D),
        NodeState::Skipped {
            reason: SkipReason::NotTaken { by: node }
        }
    );
}

/// The last parent to end was named, although another one had failed.
#[test]
fn skipped_parent_blocks_no_node() {
    let mut plan = plan_of(&["A", "B", "C", "D"], &[(A, C), (B, 3), (C, 3)]);
    plan.nodes[C].trigger_rule = Some(TriggerRule::OneFailed);
    plan.nodes[3].trigger_rule = Some(TriggerRule::OneSuccess);
    let mut scenario = Scenario::of(plan);
    scenario.step_ok(start(Some(2)));
    scenario.runs(B, lost());
    scenario.runs(A, Outcome::Succeeded);
    assert_eq!(scenario.state_name(C), "skipped");
    assert_eq!(state(&scenario, 3), NodeState::Blocked { by: node_id(B) });
}

/// The late end of a stopped session counted as an interruption, and the resumed run stalled.
#[test]
fn resume_during_stop_reruns_stopped_nodes() {
    let mut scenario = Scenario::of(plan_of(&["A"], &[]));
    scenario.step_ok(start(None));
    let (node, attempt) = scenario.attempt(A);
    scenario.step_ok(started(node, attempt));
    scenario.step_ok(Command::Pause { stop_running: true });
    scenario.step_ok(Command::Resume);
    let step = scenario.step_ok(ended(node, attempt, Outcome::Cancelled));
    assert!(
        matches!(step.effects[..], [Effect::StartSession { .. }]),
        "{step:?}"
    );
    scenario.runs(A, Outcome::Succeeded);
    assert_eq!(*scenario.run.state(), RunState::Completed);
}

/// After pressing Ctrl+C twice a person was asked to resume, and resuming canceled the run.
#[test]
fn pause_revokes_cancellation() {
    let mut plan = plan_of(&["A", "B", "C"], &[(B, C)]);
    plan.settings.concurrency = Some(2);
    let mut scenario = started_run(plan);
    let (quick, first) = scenario.starts(A);
    let (slow, second) = scenario.starts(B);
    scenario.step_ok(Command::Cancel);
    scenario.step_ok(ended(quick, first, Outcome::Cancelled));
    scenario.step_ok(Command::Pause {
        stop_running: false,
    });
    scenario.step_ok(take_over(1));
    let effects = scenario.step_ok(Command::Resume).effects;
    assert!(
        !effects
            .iter()
            .any(|effect| matches!(effect, Effect::StopSession { .. })),
        "{effects:?}"
    );
    assert_eq!(
        (scenario.state_name(A), scenario.state_name(B)),
        ("interrupted", "running"),
        "ended nodes stay ended"
    );
    let step = scenario.step_ok(ended(slow, second, Outcome::Cancelled));
    assert!(
        step.effects
            .iter()
            .any(|effect| matches!(effect, Effect::StartSession { .. })),
        "it is rerun"
    );
    scenario.runs(B, Outcome::Succeeded);
    scenario.runs(C, Outcome::Succeeded);
    assert!(matches!(scenario.run.state(), RunState::Stalled { .. }));
}

#[test]
fn cancel_after_early_resume_cancels() {
    let mut scenario = Scenario::of(plan_of(&["A"], &[]));
    scenario.step_ok(start(None));
    let (node, attempt) = scenario.attempt(A);
    scenario.step_ok(started(node, attempt));
    for command in [
        Command::Pause { stop_running: true },
        Command::Resume,
        Command::Cancel,
    ] {
        scenario.step_ok(command);
    }
    scenario.step_ok(ended(node, attempt, Outcome::Cancelled));
    assert_eq!(
        (scenario.state_name(A), scenario.run.state()),
        ("interrupted", &RunState::Cancelled)
    );
}

/// The event was created although it did not fit.
#[test]
fn outdated_epoch_cannot_take_over() {
    let mut scenario = Scenario::of(plan_of(&["A"], &[]));
    scenario.step_ok(start(None));
    scenario.step_ok(take_over(3));
    assert_eq!(
        scenario.step(&take_over(3)),
        Err(Refusal::OldEpoch {
            current: 3,
            offered: 3
        })
    );
}

/// Used to: resuming, canceling or extending a run without a history gave it one without a start.
#[test]
fn unstarted_run_can_only_start() {
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
            "the run has not started, so it can't be changed"
        );
    }
    scenario.step_ok(start(None));
}

/// A dependent that was due for a retry but had no slot kept its earlier failures.
#[test]
fn rerun_resets_retries_of_dependents() {
    let mut plan = plan_of(&["A", "B", "C"], &[(A, B)]);
    plan.nodes[B].max_retries = 1;
    let mut scenario = Scenario::of(plan);
    scenario.step_ok(start(None));
    scenario.runs(A, Outcome::Succeeded);
    scenario.runs(B, failed());
    scenario.step_ok(Command::Pause {
        stop_running: false,
    });
    let (node, attempt) = scenario.attempt(C);
    scenario.step_ok(Command::SessionWithdrawn { node, attempt });
    scenario.step_ok(Command::Due { node: node_id(B) });
    scenario.step_ok(Command::RerunFrom { node: node_id(A) });
    scenario.runs(A, Outcome::Succeeded);
    scenario.runs(B, failed());
    assert_eq!(scenario.state_name(B), "waiting", "one retry is left");
}

fn state(scenario: &Scenario, position: usize) -> NodeState {
    scenario.state(position).clone()
}

#[test]
fn time_limit_stops_running_nodes_and_fails() {
    let mut plan = plan_of(&["A"], &[]);
    plan.settings.timeout_ms = Some(0);
    let mut scenario = Scenario::of(plan);
    scenario.step_ok(start(None));
    let (node, attempt) = scenario.attempt(A);
    scenario.step_ok(started(node, attempt));
    let step = scenario.step_ok(Command::TimeUp);
    assert_eq!(step.effects, [Effect::StopSession { node, attempt }]);
    assert_eq!(
        scenario.step_ok(Command::TimeUp).events,
        [],
        "a second alarm has no effect"
    );
    scenario.step_ok(ended(node, attempt, Outcome::Cancelled));
    let message = "the run exceeded its time limit of 0 s. Not finished: 'A'".to_owned();
    assert_eq!(
        scenario.run.state(),
        &RunState::Failed {
            message,
            handler: None
        }
    );
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

/// Nothing started after the time limit, so clean-up nodes never ran.
#[test]
fn clean_up_runs_after_the_time_limit() {
    let mut scenario = started_run(with_clean_up());
    let (node, attempt) = scenario.starts(A);
    scenario.now = scenario.now.plus_ms(50);
    scenario.step_ok(Command::TimeUp);
    scenario.step_ok(ended(node, attempt, Outcome::Cancelled));
    let (reserved, attempt) = scenario.attempt(B);
    scenario.step_ok(ended(reserved, attempt, Outcome::Cancelled));
    assert_eq!(
        (scenario.state_name(C), scenario.state_name(D)),
        ("pending", "waiting"),
        "C never starts, so nothing waits for it"
    );
    scenario.runs(D, Outcome::Succeeded);
    assert_eq!(
        (scenario.state_name(D), scenario.state_name(4)),
        ("done", "pending")
    );
    let message =
        "the run exceeded its time limit of 50 ms. Not finished: 'A', 'B', 'C', 'after'".to_owned();
    assert_eq!(
        scenario.run.state(),
        &RunState::Failed {
            message,
            handler: None
        }
    );
}

#[test]
fn time_limit_does_not_stop_running_clean_up() {
    let mut plan = plan_of(&["A", "clean up", "long"], &[(A, B)]);
    plan.nodes[B].trigger_rule = Some(TriggerRule::AllDone);
    plan.settings.timeout_ms = Some(50);
    let mut scenario = started_run(plan);
    scenario.runs(A, Outcome::Succeeded);
    scenario.starts(B);
    let (long, attempt) = scenario.starts(C);
    scenario.now = scenario.now.plus_ms(50);
    assert_eq!(
        scenario.step_ok(Command::TimeUp).effects,
        [Effect::StopSession {
            node: long,
            attempt
        }]
    );
    scenario.step_ok(ended(long, attempt, Outcome::Cancelled));
    assert!(scenario.run.state().is_running(), "the clean-up continues");
    let (clean_up, attempt) = scenario.attempt(B);
    let effects = scenario.step_ok(take_over(1)).effects;
    assert!(
        !effects
            .iter()
            .any(|effect| matches!(effect, Effect::StopSession { .. })),
        "{effects:?}"
    );
    scenario.step_ok(ended(clean_up, attempt, Outcome::Succeeded));
    assert!(matches!(scenario.run.state(), RunState::Failed { .. }));
}

/// A condition, its two branches and, depending on `edges`, more.
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
    scenario.step_ok(Command::SessionEnded {
        node,
        attempt,
        outcome,
        artifact,
        taken,
        doubt: None,
    });
}

fn spend(scenario: &mut Scenario, position: usize, tokens: u64) -> Step {
    let (node, attempt) = scenario.attempt(position);
    scenario.step_ok(Command::SessionUsed {
        node,
        attempt,
        spent: BudgetUsage {
            tokens,
            cost_micros: 0,
        },
    })
}

/// The latest attempt's branch stayed open although that attempt was rolled back.
#[test]
fn rollback_restores_the_taken_branch() {
    let mut scenario = started_run(fork(&["A", "B", "C"], &[]));
    takes(&mut scenario, true);
    scenario.runs(B, Outcome::Succeeded);
    scenario.step_ok(Command::Checkpoint {
        name: "yes".to_owned(),
        data: 1.into(),
        files: None,
    });
    scenario.step_ok(Command::RerunFrom { node: node_id(A) });
    takes(&mut scenario, false);
    scenario.runs(C, Outcome::Succeeded);
    scenario.step_ok(Command::Rollback {
        checkpoint: 0,
        files: false,
    });
    assert_eq!(
        (
            scenario.node(A).taken,
            scenario.state_name(B),
            scenario.state_name(C)
        ),
        (Some(true), "done", "skipped")
    );
    assert!(
        scenario.node(A).stale,
        "its latest attempt took the other branch"
    );
    scenario.step_ok(Command::Resume);
    assert_eq!(*scenario.run.state(), RunState::Completed);
}

/// A node whose question was open before its parent failed was pending forever after the rollback.
#[test]
fn rollback_reevaluates_parents_of_started_nodes() {
    let mut plan = plan_of(&["A", "B"], &[(A, B)]);
    plan.nodes[B].kind = NodeKind::UserInput(Question::default());
    let mut scenario = started_run(plan);
    scenario.runs(A, Outcome::Succeeded);
    scenario.step_ok(Command::RerunNode { node: node_id(A) });
    scenario.runs(A, lost());
    assert_eq!(
        (scenario.state_name(A), scenario.state_name(B)),
        ("interrupted", "waiting")
    );
    scenario.step_ok(Command::Checkpoint {
        name: "lost".to_owned(),
        data: 1.into(),
        files: None,
    });
    scenario.step_ok(Command::Rollback {
        checkpoint: 0,
        files: false,
    });
    assert_eq!(
        (scenario.state_name(A), scenario.state_name(B)),
        ("interrupted", "blocked")
    );
}

/// A condition that a person marked as done kept the branch of an earlier attempt.
#[test]
fn condition_marked_done_chooses_no_branch() {
    let mut scenario = started_run(fork(&["A", "B", "C"], &[]));
    takes(&mut scenario, true);
    scenario.step_ok(Command::Pause {
        stop_running: false,
    });
    let (node, attempt) = scenario.attempt(B);
    scenario.step_ok(Command::SessionWithdrawn { node, attempt });
    let step = scenario.run.apply(
        scenario.now,
        &Event::NodesReset {
            nodes: vec![node_id(A)],
            resume: false,
        },
    );
    step.expect("nothing runs");
    scenario.step_ok(Command::MarkDone {
        node: node_id(A),
        handoff: String::new(),
        stop: false,
    });
    scenario.step_ok(Command::Resume);
    assert_eq!(
        (scenario.state_name(B), scenario.state_name(C)),
        ("waiting", "waiting")
    );
}

/// A branch head that is also the target of a failure was open whichever branch was taken.
#[test]
fn branch_head_that_handles_failures_needs_its_branch() {
    let mut plan = fork(&["A", "B", "C"], &[]);
    plan.nodes[A].on_failure = OnFailure::Node(node_id(B));
    let mut scenario = started_run(plan.clone());
    takes(&mut scenario, false);
    assert_eq!(
        (scenario.state_name(B), scenario.state_name(C)),
        ("skipped", "waiting")
    );
    let mut scenario = started_run(plan);
    scenario.runs(A, failed());
    assert_eq!(
        (scenario.state_name(B), scenario.state_name(C)),
        ("waiting", "skipped")
    );
}

/// The handler was skipped when the first of two nodes had succeeded, its child ran, and then the
/// second failed.
#[test]
fn possible_jump_target_is_not_skipped() {
    let mut plan = plan_of(&["A", "B", "Mend", "After"], &[(2, 3)]);
    for position in [A, B] {
        plan.nodes[position].on_failure = OnFailure::Node(node_id(2));
    }
    plan.nodes[2].trigger_rule = Some(TriggerRule::AllSuccess);
    plan.nodes[3].trigger_rule = Some(TriggerRule::AllDone);
    let mut scenario = started_run(plan);
    scenario.runs(A, Outcome::Succeeded);
    assert_eq!(
        (scenario.state_name(2), scenario.state_name(3)),
        ("pending", "pending")
    );
    scenario.runs(B, failed());
    assert_eq!(
        (scenario.state_name(2), scenario.state_name(3)),
        ("waiting", "pending")
    );
}

/// A failure continued at a node that had been jumped over: nothing handled it, and the run
/// completed.
#[test]
fn jumped_over_handler_still_handles_failures() {
    let mut plan = plan_of(&["A", "Mend", "C", "D"], &[]);
    plan.nodes[A].on_success = Some(node_id(C));
    plan.nodes[3].on_failure = OnFailure::Node(node_id(1));
    let mut scenario = started_run(plan);
    scenario.runs(A, Outcome::Succeeded);
    assert_eq!(scenario.state_name(1), "skipped");
    scenario.runs(3, failed());
    assert_eq!(scenario.state_name(1), "waiting");
}

/// What a failure had jumped over stayed skipped after a person had fixed the failure.
#[test]
fn fixing_a_failure_undoes_its_jump() {
    let mut plan = plan_of(&["A", "B", "C", "D"], &[(3, B)]);
    plan.nodes[A].on_failure = OnFailure::Node(node_id(C));
    let mut scenario = started_run(plan);
    scenario.runs(A, failed());
    assert_eq!(
        (scenario.state_name(B), scenario.state_name(C)),
        ("skipped", "waiting")
    );
    scenario.step_ok(Command::MarkDone {
        node: node_id(A),
        handoff: String::new(),
        stop: false,
    });
    assert_eq!(scenario.state_name(B), "pending");
}

/// The run had reached its goal, although a wanted node had failed and its handler was not wanted.
#[test]
fn unwanted_handler_handles_no_failure() {
    let mut plan = plan_of(&["A", "Mend"], &[]);
    plan.nodes[A].on_failure = OnFailure::Node(node_id(1));
    let mut scenario = Scenario::of(plan);
    let goal = Goal::Only {
        nodes: vec![node_id(A)],
    };
    scenario.step_ok(Command::Start {
        version: 1,
        goal,
        limit: None,
        executor: executor(),
        default_agent: None,
        inherits: None,
        grants: Vec::new(),
        caller: None,
        pinned: Vec::new(),
    });
    scenario.runs(A, failed());
    assert!(
        matches!(scenario.run.state(), RunState::Failed { .. }),
        "{:?}",
        scenario.run.state()
    );
}

/// A node that the caller had seen finished ran again, because it was reset in between.
#[test]
fn goal_is_refused_if_a_finished_node_is_not_finished_any_more() {
    let mut scenario = started_run(plan_of(&["A", "B"], &[(A, B)]));
    let want = Command::Want {
        goal: Goal::Only {
            nodes: vec![node_id(B)],
        },
        finished: vec![node_id(A)],
    };
    let is_refused = |scenario: &mut Scenario| {
        let refusal = scenario.step(&want);
        matches!(refusal, Err(Refusal::NodeState { title, .. }) if title == "A")
    };
    assert!(is_refused(&mut scenario), "it has not run yet");
    scenario.runs(A, Outcome::Succeeded);
    scenario.step_ok(want.clone());
    scenario.step_ok(Command::RerunNode { node: node_id(A) });
    assert!(is_refused(&mut scenario), "it was reset");
}

/// A question of an earlier goal kept the run from ending.
#[test]
fn unwanted_questions_are_withdrawn() {
    let mut plan = plan_of(&["A", "B"], &[]);
    plan.nodes[A].kind = NodeKind::UserInput(Question::default());
    let mut scenario = started_run(plan);
    scenario.step_ok(Command::Want {
        finished: Vec::new(),
        goal: Goal::Only {
            nodes: vec![node_id(B)],
        },
    });
    assert_eq!(
        (scenario.state_name(A), scenario.attempt(A).1.0),
        ("pending", 0)
    );
    scenario.runs(B, Outcome::Succeeded);
    assert_eq!(
        *scenario.run.state(),
        RunState::Paused {
            reason: PauseReason::GoalReached
        }
    );
    scenario.step_ok(Command::Want {
        goal: Goal::All,
        finished: Vec::new(),
    });
    assert_eq!(
        (scenario.state_name(A), scenario.attempt(A).1.0),
        ("waiting", 1)
    );
}

/// Used to: only finished work became stale. Work in progress with the old handoff did not, once
/// it finished.
#[test]
fn work_in_progress_becomes_stale_with_its_parent() {
    let mut scenario = started_run(plan_of(&["A", "B"], &[(A, B)]));
    scenario.runs(A, Outcome::Succeeded);
    let (node, attempt) = scenario.starts(B);
    scenario.step_ok(Command::RerunNode { node: node_id(A) });
    scenario.step_ok(ended(node, attempt, Outcome::Succeeded));
    assert_eq!(scenario.run.stale().collect::<Vec<_>>(), [node_id(B)]);
    scenario.runs(A, Outcome::Succeeded);
    scenario.step_ok(Command::RerunStale);
    scenario.runs(B, Outcome::Succeeded);
    assert_eq!(
        (scenario.run.stale().count(), scenario.run.state()),
        (0, &RunState::Completed)
    );
}

/// A pause between the request to resume and the session's start made it start from the beginning.
#[test]
fn withdrawn_attempt_still_resumes() {
    let mut scenario = started_run(plan_of(&["A"], &[]));
    scenario.runs(A, lost());
    let first = scenario.node(A).session;
    scenario.step_ok(Command::RetryNode {
        node: node_id(A),
        resume: true,
    });
    scenario.step_ok(Command::Pause {
        stop_running: false,
    });
    let (node, attempt) = scenario.attempt(A);
    scenario.step_ok(Command::SessionWithdrawn { node, attempt });
    assert_eq!(
        scenario.node(A).session,
        first,
        "its attempt is the first one again"
    );
    let effects = scenario.step_ok(Command::Resume).effects;
    assert!(
        matches!(effects[..], [Effect::StartSession { resumes, .. }] if resumes == first),
        "{effects:?}"
    );
}

/// The run failed with "Not done: " and no names.
#[test]
fn limit_reached_by_the_last_node_is_no_failure() {
    let mut plan = plan_of(&["A"], &[]);
    (plan.settings.budget.tokens, plan.settings.timeout_ms) = (Some(100), Some(0));
    for out_of_time in [true, false] {
        let mut scenario = started_run(plan.clone());
        let (node, attempt) = scenario.starts(A);
        if out_of_time {
            scenario.step_ok(Command::TimeUp);
        } else {
            spend(&mut scenario, A, 101);
        }
        scenario.step_ok(ended(node, attempt, Outcome::Succeeded));
        assert_eq!(*scenario.run.state(), RunState::Completed);
    }
}

/// Nodes still running during a pause were not limited by the budget.
#[test]
fn the_budget_counts_while_the_run_is_pausing() {
    let mut plan = plan_of(&["A"], &[]);
    plan.settings.budget.tokens = Some(100);
    let mut scenario = started_run(plan);
    let (node, attempt) = scenario.starts(A);
    scenario.step_ok(Command::Pause {
        stop_running: false,
    });
    let step = spend(&mut scenario, A, 101);
    assert_eq!(step.effects, [Effect::StopSession { node, attempt }]);
    scenario.step_ok(ended(node, attempt, Outcome::Cancelled));
    let message = "the plan's budget ran out: 101 of 100 tokens. Not finished: 'A'".to_owned();
    assert_eq!(
        *scenario.run.state(),
        RunState::Failed {
            message,
            handler: None
        }
    );
}

/// The order to stop was lost with the executor, and the next one let the session continue.
#[test]
fn next_executor_stops_overspent_sessions() {
    let mut plan = plan_of(&["A"], &[]);
    plan.nodes[A].budget.tokens = Some(100);
    let mut scenario = started_run(plan);
    let (node, attempt) = scenario.starts(A);
    spend(&mut scenario, A, 101);
    let effects = scenario.step_ok(take_over(1)).effects;
    assert!(
        effects.contains(&Effect::StopSession { node, attempt }),
        "{effects:?}"
    );
    scenario.step_ok(ended(node, attempt, lost()));
    assert_eq!(
        scenario.state_name(A),
        "failed",
        "it is not started again without a budget"
    );
    scenario.step_ok(Command::RetryNode {
        node,
        resume: false,
    });
    scenario.starts(A);
    assert_eq!(
        spend(&mut scenario, A, 50).effects,
        [],
        "a manual rerun resets its budget"
    );
}

/// Usage reported before the start made the run lose the start.
#[test]
fn usage_implies_a_live_session() {
    let mut plan = plan_of(&["A"], &[]);
    plan.nodes[A].budget.tokens = Some(100);
    let mut scenario = started_run(plan);
    spend(&mut scenario, A, 1);
    assert_eq!(scenario.state_name(A), "running");
}

/// From the 62nd failure on there was no wait between attempts, because the doubling overflowed.
#[test]
fn retry_wait_never_shrinks() {
    let mut plan = plan_of(&["A"], &[]);
    plan.nodes[A].max_retries = 100;
    let mut scenario = started_run(plan);
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
        scenario.step_ok(Command::Due { node: node_id(A) });
    }
    assert_eq!(pauses[..6], [1000, 2000, 4000, 8000, 16_000, 30_000]);
    assert!(
        pauses[6..].iter().all(|&pause| pause == 30_000),
        "{pauses:?}"
    );
}

/// A timer that fired early because the clock had been set back was the last one.
#[test]
fn timers_are_rescheduled_after_the_clock_moves_back() {
    let mut plan = plan_of(&["A"], &[]);
    plan.settings.timeout_ms = Some(60_000);
    plan.nodes[A].kind = NodeKind::UserInput(Question {
        timeout: Some(1000),
        ..Question::default()
    });
    let mut scenario = started_run(plan);
    let (due, deadline) = (scenario.now.plus_ms(1000), scenario.now.plus_ms(60_000));
    scenario.now = Timestamp(0);
    let step = scenario.step_ok(Command::Due { node: node_id(A) });
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
        scenario.step_ok(Command::TimeUp).effects,
        [Effect::AlarmAt { at: deadline }]
    );
    scenario.now = due;
    scenario.step_ok(Command::Due { node: node_id(A) });
    assert_eq!(scenario.state_name(A), "failed");
}

/// Approval for a dependent was kept when everything above it ran again.
#[test]
fn rerun_asks_for_approval_again() {
    let mut plan = plan_of(&["A", "B", "C"], &[(A, B)]);
    plan.settings.autonomy = Some(Autonomy::AskAll);
    let mut scenario = Scenario::of(plan);
    scenario.step_ok(start(Some(1)));
    scenario.step_ok(Command::Approve {
        node: node_id(A),
        allow: true,
    });
    scenario.runs(A, Outcome::Succeeded);
    scenario.step_ok(Command::Pause {
        stop_running: false,
    });
    scenario.step_ok(Command::Approve {
        node: node_id(B),
        allow: true,
    });
    scenario.step_ok(Command::RerunFrom { node: node_id(A) });
    scenario.step_ok(Command::Approve {
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

/// A long title was given in full, so that no one saw the reason behind it.
#[test]
fn failure_message_names_long_titles_by_their_beginning() {
    let mut plan = plan_of(&["A", "B"], &[(A, B)]);
    for node in &mut plan.nodes {
        node.title = format!("{}{}", node.title, "x".repeat(499));
    }
    let mut scenario = started_run(plan);
    scenario.runs(A, failed());
    let RunState::Failed { message, .. } = scenario.run.state() else {
        panic!("it has failed")
    };
    let rest = "x".repeat(59);
    let Outcome::Failed { failure } = failed() else {
        panic!("a failure")
    };
    assert_eq!(
        *message,
        format!("'A{rest}…' {failure}. Not started: 'B{rest}…'")
    );
}
