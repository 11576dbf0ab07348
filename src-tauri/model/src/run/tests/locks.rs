//! Locks and limits shared by the runs of a machine: who waits, what waiting costs, and what ends
//! it.

use uuid::Uuid;

use super::scenario::{
    Scenario, ended, failed, format_event, start, started, started_run, take_over,
};
use crate::node::{AgentTask, NodeKind, OnFailure, TriggerRule};
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{Command, Effect, Event, LockHolder, NodeState, Obstacle, Run, RunState};
use crate::{Outcome, Plan, RunId, Timestamp};

const A: usize = 0;
const B: usize = 1;
const C: usize = 2;

fn locked(titles: &[&str], edges: &[(usize, usize)], locks: &[(usize, &[&str])]) -> Plan {
    let mut plan = plan_of(titles, edges);
    for (position, names) in locks {
        plan.nodes[*position].locks = names.iter().map(|&name| name.to_owned()).collect();
    }
    plan
}

fn another() -> LockHolder {
    LockHolder {
        run: Some(RunId(Uuid::from_u128(7))),
        node: node_id(9),
        title: "Build".to_owned(),
    }
}

/// A run of `plan` that started while others held `names`.
fn begun_beside(plan: Plan, names: &[&str]) -> Scenario {
    let mut scenario = Scenario::of(plan);
    scenario.permits.held_by_others = names
        .iter()
        .map(|&name| (name.to_owned(), another()))
        .collect();
    scenario.step_ok(start(None));
    scenario
}

fn obstacle(scenario: &Scenario, position: usize) -> Option<Obstacle> {
    scenario
        .node(position)
        .held_back
        .as_ref()
        .map(|held| held.by.clone())
}

fn freed(scenario: &mut Scenario) -> Vec<String> {
    scenario.permits.held_by_others.clear();
    scenario
        .step_ok(Command::PermitsFreed)
        .events
        .iter()
        .map(format_event)
        .collect()
}

#[test]
fn nodes_with_the_same_lock_run_sequentially() {
    let mut scenario = started_run(locked(
        &["A", "B", "C"],
        &[],
        &[(A, &["build"]), (B, &["build"])],
    ));
    assert_eq!(
        (
            scenario.state_name(A),
            scenario.state_name(B),
            scenario.state_name(C)
        ),
        ("waiting", "pending", "waiting")
    );
    let Some(Obstacle::Lock {
        name,
        holder: Some(holder),
    }) = obstacle(&scenario, B)
    else {
        panic!("B waits")
    };
    assert_eq!((name.as_str(), holder.node), ("build", node_id(A)));
    scenario.runs(A, Outcome::Succeeded);
    assert_eq!(
        (scenario.state_name(B), obstacle(&scenario, B)),
        ("waiting", None)
    );
    scenario.runs(B, Outcome::Succeeded);
    scenario.runs(C, Outcome::Succeeded);
    assert_eq!(*scenario.run.state(), RunState::Completed);
}

#[test]
fn waiting_for_a_lock_takes_no_slot() {
    let mut plan = locked(&["A", "B"], &[], &[(A, &["build"])]);
    (plan.settings.concurrency, plan.nodes[A].priority) = (Some(1), 9);
    let mut scenario = begun_beside(plan, &["build"]);
    assert_eq!(
        (scenario.state_name(A), scenario.state_name(B)),
        ("pending", "waiting"),
        "B has the only place"
    );
    scenario.starts(B);
    assert_eq!(
        scenario.run.waiting_for_permits().count(),
        0,
        "without a slot it lets others go first"
    );
    let (node, attempt) = scenario.attempt(B);
    scenario.step_ok(ended(node, attempt, Outcome::Succeeded));
    assert_eq!(
        scenario.run.waiting_for_permits().collect::<Vec<_>>(),
        [node_id(A)]
    );
    assert!(
        scenario.run.state().is_running(),
        "a node that waits for permits does not stall the run"
    );
    assert_eq!(freed(&mut scenario), ["A reserved"]);
}

#[test]
fn waiting_for_a_lock_withdraws_no_node() {
    let mut plan = locked(&["A", "B", "C"], &[], &[(A, &["build"])]);
    (plan.settings.concurrency, plan.nodes[A].priority) = (Some(1), 9);
    let mut scenario = begun_beside(plan, &["build"]);
    let step = scenario.step_ok(started(node_id(B), scenario.attempt(B).1));
    assert!(
        !step
            .effects
            .iter()
            .any(|effect| matches!(effect, Effect::WithdrawSession { .. })),
        "{step:?}"
    );
    assert_eq!(
        scenario.state_name(C),
        "waiting",
        "C is reserved ahead of the waiting A"
    );
}

#[test]
fn node_with_a_lock_is_not_reserved_ahead() {
    let mut plan = locked(&["A", "B"], &[], &[(B, &["build"])]);
    plan.settings.concurrency = Some(1);
    let mut scenario = started_run(plan);
    scenario.starts(A);
    assert_eq!(
        scenario.state_name(B),
        "pending",
        "it would hold the lock without using it"
    );
    let (node, attempt) = scenario.attempt(A);
    scenario.step_ok(ended(node, attempt, Outcome::Succeeded));
    assert_eq!(scenario.state_name(B), "waiting");
}

#[test]
fn waiting_node_records_time_and_holder() {
    let mut scenario = begun_beside(
        locked(&["A", "B"], &[], &[(A, &["build"]), (B, &["build"])]),
        &["build"],
    );
    let by = Obstacle::Lock {
        name: "build".to_owned(),
        holder: Some(another()),
    };
    assert_eq!(obstacle(&scenario, A), Some(by.clone()));
    let run = RunId(Uuid::from_u128(7));
    assert_eq!(
        by.to_string(),
        format!("waits for lock build, held by 'Build' in run {run}")
    );
    assert_eq!(
        obstacle(&scenario, B),
        Some(Obstacle::Lock {
            name: "build".to_owned(),
            holder: None
        })
    );
    scenario.now = Timestamp(9000);
    scenario.permits.held_by_others.insert(
        "build".to_owned(),
        LockHolder {
            title: "Other".to_owned(),
            ..another()
        },
    );
    let step = scenario.step_ok(Command::PermitsFreed);
    assert_eq!(
        step.events.iter().map(format_event).collect::<Vec<_>>(),
        ["A held back"],
        "only changes are reported"
    );
    assert_eq!(
        scenario.node(A).held_back.as_ref().map(|held| held.since),
        Some(Timestamp(1000))
    );
    assert_eq!(
        scenario.permits.asked.borrow().last(),
        Some(&(node_id(A), Some(Timestamp(1000))))
    );
    assert!(scenario.step_ok(Command::PermitsFreed).events.is_empty());
}

#[test]
fn crossing_lock_lists_do_not_deadlock() {
    let locks: &[(usize, &[&str])] = &[(A, &["x", "y"]), (B, &["y", "x"]), (C, &["y"])];
    let mut scenario = started_run(locked(&["A", "B", "C"], &[], locks));
    for position in [A, B, C] {
        scenario.runs(position, Outcome::Succeeded);
    }
    assert_eq!(*scenario.run.state(), RunState::Completed);
}

#[test]
fn retry_and_permission_hold_no_lock() {
    let mut plan = locked(&["A", "B"], &[], &[(A, &["build"]), (B, &["build"])]);
    plan.nodes[A].max_retries = 1;
    let mut scenario = started_run(plan);
    scenario.runs(A, failed());
    assert_eq!(scenario.state_name(A), "waiting", "for its next attempt");
    assert!(!scenario.run.holds_permits(node_id(A)));
    assert_eq!(scenario.attempt(B).1.0, 1, "B has the lock now");
}

#[test]
fn waits_end_and_restart_with_the_run() {
    let mut scenario = begun_beside(locked(&["A"], &[], &[(A, &["build"])]), &["build"]);
    scenario.step_ok(Command::Pause {
        stop_running: false,
    });
    assert_eq!(
        (
            obstacle(&scenario, A),
            scenario.run.waiting_for_permits().count()
        ),
        (None, 0)
    );
    scenario.step_ok(Command::Resume);
    assert!(obstacle(&scenario, A).is_some());
    scenario.step_ok(Command::SkipNode {
        node: node_id(A),
        stop: false,
    });
    assert_eq!(
        (
            obstacle(&scenario, A),
            scenario.run.waiting_for_permits().count()
        ),
        (None, 0)
    );
    assert_eq!(*scenario.run.state(), RunState::Completed);
}

#[test]
fn clean_up_waits_for_its_lock_before_the_run_fails() {
    let mut plan = locked(&["A", "B"], &[(A, B)], &[(B, &["build"])]);
    plan.nodes[B].trigger_rule = Some(TriggerRule::AllDone);
    plan.nodes[A].on_failure = OnFailure::Abort;
    let mut scenario = begun_beside(plan, &["build"]);
    scenario.runs(A, failed());
    assert!(scenario.run.state().is_running());
    assert_eq!(freed(&mut scenario), ["B reserved"]);
    scenario.runs(B, Outcome::Succeeded);
    assert!(matches!(scenario.run.state(), RunState::Failed { .. }));
}

#[test]
fn late_clean_up_waits_for_its_lock() {
    let mut plan = locked(&["A", "B", "C"], &[(A, B), (B, C)], &[(C, &["build"])]);
    plan.nodes[C].trigger_rule = Some(TriggerRule::AllDone);
    plan.settings.timeout_ms = Some(5000);
    let mut scenario = begun_beside(plan, &["build"]);
    let (node, attempt) = scenario.starts(A);
    scenario.now = Timestamp(7000);
    scenario.step_ok(Command::TimeUp);
    scenario.step_ok(ended(node, attempt, Outcome::Cancelled));
    assert!(
        scenario.run.state().is_running(),
        "{:?}",
        scenario.run.state()
    );
    assert_eq!(freed(&mut scenario), ["C reserved"]);
}

#[test]
fn agent_limit_of_all_runs_holds_back_that_agent_alone() {
    let mut plan = plan_of(&["A", "B", "C"], &[]);
    for (position, agent) in [(A, "claude"), (B, "claude"), (C, "codex")] {
        plan.nodes[position].kind = NodeKind::Agent(AgentTask {
            agent: Some(agent.to_owned()),
            ..AgentTask::default()
        });
    }
    let mut scenario = Scenario::of(plan);
    scenario.permits.agent_limits.insert("claude".to_owned(), 1);
    scenario.step_ok(start(None));
    assert_eq!(
        (
            scenario.state_name(A),
            scenario.state_name(B),
            scenario.state_name(C)
        ),
        ("waiting", "pending", "waiting")
    );
    assert_eq!(
        obstacle(&scenario, B),
        Some(Obstacle::Agent {
            agent: "claude".to_owned(),
            limit: 1
        })
    );
    scenario.runs(A, Outcome::Succeeded);
    assert_eq!(scenario.state_name(B), "waiting");
}

#[test]
fn history_with_waits_replays_without_asking() {
    let plan = locked(&["A", "B"], &[], &[(A, &["build"]), (B, &["build"])]);
    let mut scenario = Scenario::of(plan);
    let mut history: Vec<Event> = scenario.step_ok(start(None)).events;
    let (node, attempt) = scenario.attempt(A);
    for command in [
        started(node, attempt),
        ended(node, attempt, Outcome::Succeeded),
        take_over(1),
    ] {
        history.extend(scenario.step_ok(command).events);
    }
    let events = history.into_iter().map(|event| (Timestamp(1000), event));
    let replayed =
        Run::replay(scenario.run.id(), scenario.run.plan().clone(), events).expect("it was legal");
    for position in [A, B] {
        assert_eq!(
            replayed.node(node_id(position)),
            scenario.run.node(node_id(position))
        );
    }
    assert_eq!(scenario.state_name(A), "done");
    assert!(matches!(scenario.state(B), NodeState::Waiting { .. }));
}
