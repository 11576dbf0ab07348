//! Runs whose executor was displaced: the record, and what happens before anything new starts.

use uuid::Uuid;

use super::scenario::{Scenario, ended, executor, failed, lost, started_run};
use crate::node::{Criterion, OnUnverified};
use crate::plan::OnTakeover;
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{
    CheckEnd, Command, Effect, Ending, Event, FormerExecutor, InheritedCheck, NotRun, PauseReason,
    RecheckResult, Refusal, Run, RunState, Step, TakeoverReason, VERIFY_BUDGET_MS,
};
use crate::{Epoch, ExecutorId, NodeState, Outcome, Plan, Timestamp};

const A: usize = 0;
const B: usize = 1;
const C: usize = 2;

const VERIFYING: RunState = RunState::Running {
    ending: Some(Ending::Verifying),
};
const GOES_ON: RunState = RunState::Running { ending: None };

/// A → B, and C beside them; A and C have a command to check.
fn plan() -> Plan {
    let mut plan = plan_of(&["A", "B", "C"], &[(A, B)]);
    for position in [A, C] {
        plan.nodes[position].acceptance_criteria =
            vec![Criterion::run("make test"), "It is nice".into()];
    }
    plan
}

/// A is done, C is running, and B is about to start.
fn under_way(plan: Plan) -> Scenario {
    let mut scenario = started_run(plan);
    scenario.starts(C);
    scenario.runs(A, Outcome::Succeeded);
    assert_eq!(scenario.state_name(B), "waiting");
    scenario
}

fn former() -> FormerExecutor {
    let executor = ExecutorId(Uuid::from_u128(7));
    FormerExecutor {
        executor,
        pid: Some(70),
        kind: None,
        host: None,
        last_beat: None,
    }
}

fn silent() -> TakeoverReason {
    TakeoverReason::Silent {
        silence_ms: 130_000,
    }
}

fn take_over(scenario: &mut Scenario, reason: TakeoverReason) -> Step {
    let record = scenario.run.takeover_record(former(), reason, scenario.now);
    let epoch = Epoch(scenario.run.epoch().0 + 1);
    scenario.step_ok(Command::TakeOver {
        executor: executor(),
        epoch,
        record: Some(Box::new(record)),
    })
}

/// Another executor displaces the current one.
pub(super) fn displace(scenario: &mut Scenario) {
    take_over(scenario, silent());
}

fn end(code: i32) -> CheckEnd {
    CheckEnd {
        code: Some(code),
        took_ms: 1_500,
    }
}

fn checked(scenario: &Scenario, position: usize, now: RecheckResult) -> Command {
    let (node, attempt) = scenario.attempt(position);
    let checks = vec![InheritedCheck {
        criterion: "make test".to_owned(),
        then: Some(end(0)),
        now,
    }];
    Command::InheritedChecked {
        node,
        attempt,
        epoch: scenario.run.epoch(),
        checks,
        took_ms: 1_600,
    }
}

fn held() -> RecheckResult {
    RecheckResult::Held { end: end(0) }
}

fn broken() -> RecheckResult {
    RecheckResult::Broken {
        end: end(2),
        detail: "one\n3 tests failed".to_owned(),
    }
}

fn starts(step: &Step) -> Vec<usize> {
    let place = |effect: &Effect| match effect {
        Effect::StartSession { node, .. } => (0..3).find(|&position| node_id(position) == *node),
        _ => None,
    };
    step.effects.iter().filter_map(place).collect()
}

/// The positions to check again, and the time limit.
fn orders(step: &Step) -> Option<(Vec<usize>, u64)> {
    step.effects
        .iter()
        .find_map(|effect: &Effect| match effect {
            Effect::VerifyInherited {
                nodes, budget_ms, ..
            } => {
                let place = |node| {
                    (0..3)
                        .find(|&position| node_id(position) == node)
                        .expect("a node of the plan")
                };
                let nodes: Vec<usize> = nodes
                    .iter()
                    .map(|inherited| place(inherited.node))
                    .collect();
                Some((nodes, *budget_ms))
            }
            _ => None,
        })
}

fn stops(step: &Step) -> bool {
    step.effects.contains(&Effect::StopVerifying)
}

#[test]
fn inherited_work_is_verified_before_anything_new_starts() {
    let mut scenario = under_way(plan());
    let step = take_over(&mut scenario, silent());
    assert_eq!(
        orders(&step),
        Some((vec![A], VERIFY_BUDGET_MS)),
        "C is not done yet"
    );
    assert_eq!(
        starts(&step),
        [C],
        "running sessions are found again, and reserved ones wait"
    );
    assert_eq!(*scenario.run.state(), VERIFYING);

    let (node, attempt) = scenario.attempt(C);
    let step = scenario.step_ok(ended(node, attempt, Outcome::Succeeded));
    assert!(
        starts(&step).is_empty(),
        "a slot became free, but nothing starts"
    );
    let step = scenario.step_ok(checked(&scenario, A, held()));
    assert_eq!(starts(&step), [B], "the reserved attempt continues");
    assert_eq!(*scenario.run.state(), GOES_ON);
    assert!(!scenario.node(A).unverified);
    scenario.runs(B, Outcome::Succeeded);
    assert_eq!(*scenario.run.state(), RunState::Completed);
}

#[test]
fn failed_recheck_marks_the_node_unverified() {
    let mut plan = plan();
    plan.settings.on_unverified = OnUnverified::Fail;
    let mut scenario = under_way(plan);
    take_over(&mut scenario, silent());
    let step = scenario.step_ok(checked(&scenario, A, broken()));
    assert_eq!(*scenario.state(A), NodeState::Done { by_hand: false });
    assert!(scenario.node(A).unverified);
    let doubt = step.events.iter().find_map(|event| match event {
        Event::NodeUnverified { doubt, .. } => Some(doubt.as_str()),
        _ => None,
    });
    let expected = "`make test` passed before the takeover (exit 0 after 1.5 s) and now fails (exit 2 after 1.5 s): \
                    3 tests failed";
    assert_eq!(doubt, Some(expected));
    assert_eq!(starts(&step), [B], "its children start");
}

#[test]
fn only_a_displaced_executor_is_distrusted() {
    for (reason, verified) in [
        (TakeoverReason::Left, None),
        (silent(), Some(vec![A])),
        (TakeoverReason::Foreign { silence_ms: 1 }, Some(vec![A])),
    ] {
        let mut scenario = under_way(plan());
        let step = take_over(&mut scenario, reason);
        assert_eq!(
            orders(&step).map(|(nodes, _)| nodes),
            verified,
            "{reason:?}"
        );
        assert_eq!(
            *scenario.run.state() == GOES_ON,
            verified.is_none(),
            "{reason:?}"
        );
    }
    let mut scenario = under_way(plan());
    let step = scenario.step_ok(super::scenario::take_over(1));
    assert_eq!(
        (orders(&step), starts(&step)),
        (None, vec![C, B]),
        "histories without a record replay unchanged"
    );
}

#[test]
fn unverifiable_checks_do_not_block_the_run() {
    type Change<'a> = &'a dyn Fn(&mut Plan);
    let changes: [(&str, Change<'_>); 4] = [
        ("exempt", &|plan| {
            let run = "make test".to_owned();
            plan.nodes[A].acceptance_criteria = vec![Criterion::Run {
                run,
                verify_on_takeover: false,
            }];
        }),
        ("a sentence", &|plan| {
            plan.nodes[A].acceptance_criteria = vec!["It is nice".into()]
        }),
        ("nothing", &|plan| plan.nodes[A].acceptance_criteria.clear()),
        ("continue", &|plan| {
            plan.settings.on_takeover = OnTakeover::Continue
        }),
    ];
    for (name, change) in changes {
        let mut plan = plan();
        change(&mut plan);
        let mut scenario = under_way(plan);
        let step = take_over(&mut scenario, silent());
        assert_eq!(
            (orders(&step), scenario.run.state()),
            (None, &GOES_ON),
            "{name}"
        );
        assert_eq!(starts(&step), [C, B], "{name}");
    }
    let mut scenario = started_run(plan());
    scenario.runs(A, failed());
    assert_eq!(
        orders(&take_over(&mut scenario, silent())),
        None,
        "checks do not delay an aborting run"
    );
}

#[test]
fn adopted_run_continues_its_remaining_checks() {
    let mut plan = plan_of(&["A", "B", "C"], &[(A, C), (B, C)]);
    for position in [A, B] {
        plan.nodes[position].acceptance_criteria = vec![Criterion::run("make test")];
    }
    let mut scenario = started_run(plan);
    scenario.runs(A, Outcome::Succeeded);
    scenario.runs(B, Outcome::Succeeded);
    let step = take_over(&mut scenario, silent());
    assert_eq!(orders(&step).map(|(nodes, _)| nodes), Some(vec![A, B]));
    let asked = scenario.run.epoch();
    scenario.step_ok(checked(&scenario, A, held()));
    let step = take_over(&mut scenario, TakeoverReason::Left);
    assert_eq!(
        orders(&step),
        Some((vec![B], VERIFY_BUDGET_MS - 1_600)),
        "the first result and its duration are kept"
    );
    assert_eq!(*scenario.run.state(), VERIFYING);

    let late = checked(&scenario, B, held());
    assert!(
        matches!(scenario.step(&late), Err(Refusal::Late { .. })),
        "the checks belong to the first takeover"
    );
    let (node, attempt) = scenario.attempt(B);
    let step = scenario.step_ok(Command::InheritedChecked {
        node,
        attempt,
        epoch: asked,
        checks: Vec::new(),
        took_ms: 0,
    });
    assert_eq!(starts(&step), [C]);

    let mut again = started_run(scenario.run.plan().as_ref().clone());
    again.runs(A, Outcome::Succeeded);
    again.runs(B, Outcome::Succeeded);
    take_over(&mut again, silent());
    let step = take_over(&mut again, silent());
    assert_eq!(
        orders(&step),
        Some((vec![A, B], VERIFY_BUDGET_MS)),
        "another displacement requests new checks"
    );
}

#[test]
fn ending_a_run_ends_its_checks_first() {
    let ways = [Command::Cancel, Command::Pause { stop_running: true }];
    for way in ways {
        let mut scenario = started_run(plan_with_one());
        scenario.runs(A, Outcome::Succeeded);
        take_over(&mut scenario, silent());
        let step = scenario.step_ok(way.clone());
        assert!(stops(&step), "{way:?}: {:?}", step.effects);
        withdraw(&mut scenario);
        assert!(
            scenario.run.state().is_running(),
            "{way:?}: a check may still run"
        );
        let step = take_over(&mut scenario, TakeoverReason::Left);
        assert!(
            orders(&step).is_some() && stops(&step),
            "the adopting executor finds the check and ends it"
        );
        let epoch = Epoch(1);
        let (node, attempt) = scenario.attempt(A);
        let now = RecheckResult::NotRun {
            why: NotRun::Stopped,
        };
        let checks = vec![InheritedCheck {
            criterion: "make test".to_owned(),
            then: None,
            now,
        }];
        scenario.step_ok(Command::InheritedChecked {
            node,
            attempt,
            epoch,
            checks,
            took_ms: 0,
        });
        assert!(
            !scenario.run.state().is_running(),
            "{way:?}: {:?}",
            scenario.run.state()
        );
        assert!(!scenario.node(A).unverified);
    }
}

#[test]
fn checks_finish_during_a_pause() {
    let mut scenario = started_run(plan_with_one());
    scenario.runs(A, Outcome::Succeeded);
    take_over(&mut scenario, silent());
    let step = scenario.step_ok(Command::Pause {
        stop_running: false,
    });
    assert!(!stops(&step), "{:?}", step.effects);
    withdraw(&mut scenario);
    scenario.step_ok(Command::Resume);
    assert_eq!(
        (scenario.run.state(), scenario.state_name(B)),
        (&VERIFYING, "pending")
    );
    let epoch = Epoch(1);
    let (node, attempt) = scenario.attempt(A);
    scenario.step_ok(Command::InheritedChecked {
        node,
        attempt,
        epoch,
        checks: Vec::new(),
        took_ms: 0,
    });
    assert_eq!(
        (scenario.run.state(), scenario.state_name(B)),
        (&GOES_ON, "waiting")
    );
}

#[test]
fn failure_during_checks_aborts_and_clean_up_waits() {
    let mut scenario = under_way(plan());
    take_over(&mut scenario, silent());
    let (node, attempt) = scenario.attempt(C);
    let step = scenario.step_ok(ended(node, attempt, failed()));
    assert!(stops(&step), "{:?}", step.effects);
    withdraw(&mut scenario);
    assert!(scenario.run.state().is_running());
    scenario.step_ok(checked(&scenario, A, broken()));
    assert!(
        scenario.node(A).unverified,
        "the results found so far count"
    );
    assert!(
        matches!(scenario.run.state(), RunState::Failed { .. }),
        "{:?}",
        scenario.run.state()
    );
}

#[test]
fn node_reset_during_checks_is_not_marked() {
    let mut scenario = started_run(plan_with_one());
    scenario.runs(A, Outcome::Succeeded);
    take_over(&mut scenario, silent());
    let (node, attempt) = scenario.attempt(B);
    scenario.step_ok(Command::SessionWithdrawn { node, attempt });
    scenario.step_ok(Command::RerunFrom { node: node_id(A) });
    assert_eq!(
        (scenario.state_name(A), scenario.run.state()),
        ("pending", &VERIFYING),
        "its check may still run"
    );
    scenario.step_ok(checked(&scenario, A, broken()));
    assert_eq!(
        (scenario.state_name(A), scenario.node(A).unverified),
        ("waiting", false)
    );
}

#[test]
fn review_starts_nothing_until_decided() {
    let mut plan = plan();
    plan.settings.on_takeover = OnTakeover::Review;
    let mut scenario = under_way(plan);
    let step = take_over(&mut scenario, silent());
    assert_eq!(
        (orders(&step), starts(&step)),
        (None, vec![C]),
        "running sessions are found again"
    );
    assert!(scenario.run.state().waits_for_review());
    withdraw(&mut scenario);
    let (node, attempt) = scenario.attempt(C);
    scenario.step_ok(ended(node, attempt, Outcome::Succeeded));
    let asks = RunState::Paused {
        reason: PauseReason::TakenOver,
    };
    assert_eq!(
        (scenario.run.state(), scenario.run.live_attempts().count()),
        (&asks, 0),
        "the run has no process"
    );
    assert!(scenario.run.state().waits_for_review());

    let mut cancelled = scenario.clone();
    cancelled.step_ok(Command::Cancel);
    assert_eq!(*cancelled.run.state(), RunState::Cancelled);
    scenario.step_ok(Command::Resume);
    assert_eq!(
        (scenario.run.state(), scenario.state_name(B)),
        (&GOES_ON, "waiting")
    );
}

#[test]
fn review_survives_its_executor() {
    let mut plan = plan();
    plan.settings.on_takeover = OnTakeover::Review;
    let mut scenario = under_way(plan);
    take_over(&mut scenario, silent());
    take_over(&mut scenario, TakeoverReason::Left);
    assert_eq!(
        *scenario.run.state(),
        RunState::Running {
            ending: Some(Ending::Reviewing)
        }
    );
    withdraw(&mut scenario);
    scenario.step_ok(Command::Resume);
    assert_eq!(
        (scenario.run.state(), scenario.state_name(B)),
        (&GOES_ON, "waiting")
    );
}

#[test]
fn takeover_record_lists_inherited_nodes_and_failures() {
    let mut plan = plan_of(&["A", "B", "C"], &[]);
    plan.description = "Make it whole".to_owned();
    plan.nodes[B].max_retries = 1;
    let mut scenario = started_run(plan);
    scenario.runs(A, Outcome::Succeeded);
    scenario.runs(B, failed());
    let (node, attempt) = scenario.starts(C);
    scenario.now = Timestamp(61_000);
    let record = scenario
        .run
        .takeover_record(former(), silent(), scenario.now);
    assert_eq!(
        (record.goal.as_str(), record.elapsed_ms),
        ("Make it whole", 60_000)
    );
    assert_eq!(
        (record.inherited.as_slice(), record.inherited_count),
        (&[node_id(A)][..], 1)
    );
    assert_eq!(record.remaining_count, 2);
    let [unfinished] = &record.unfinished[..] else {
        panic!("{:?}", record.unfinished)
    };
    assert_eq!(
        (unfinished.node, unfinished.attempt, unfinished.started),
        (node, attempt, true)
    );
    let [failure] = &record.failures[..] else {
        panic!("{:?}", record.failures)
    };
    assert_eq!(
        (failure.node, failure.message.as_str()),
        (node_id(B), "1 failed attempt")
    );

    scenario.step_ok(ended(node, attempt, lost()));
    let record = scenario
        .run
        .takeover_record(former(), silent(), scenario.now);
    let messages: Vec<&str> = record
        .failures
        .iter()
        .map(|failure| failure.message.as_str())
        .collect();
    assert_eq!(messages, ["1 failed attempt", "the machine went down"]);
}

#[test]
fn a_stored_history_replays_to_the_same_checks() {
    let mut scenario = Scenario::of(plan());
    let mut history: Vec<(Timestamp, Event)> = Vec::new();
    let keep = |history: &mut Vec<(Timestamp, Event)>, step: Step| {
        let stored = step
            .events
            .iter()
            .map(|event| serde_json::to_string(event).expect("an event"));
        history.extend(stored.map(|text| {
            (
                Timestamp(1000),
                serde_json::from_str(&text).expect("the same event"),
            )
        }));
    };
    let step = scenario.step_ok(super::scenario::start(None));
    keep(&mut history, step);
    let (node, attempt) = scenario.attempt(A);
    for command in [
        super::scenario::started(node, attempt),
        ended(node, attempt, Outcome::Succeeded),
    ] {
        let step = scenario.step_ok(command);
        keep(&mut history, step);
    }
    let step = take_over(&mut scenario, silent());
    keep(&mut history, step);
    for command in [None, Some(checked(&scenario, A, broken()))] {
        if let Some(command) = command {
            let step = scenario.step_ok(command);
            keep(&mut history, step);
        }
        let replayed = Run::replay(
            scenario.run.id(),
            scenario.run.plan().clone(),
            history.clone(),
        )
        .expect("legal");
        assert_eq!(replayed.state(), scenario.run.state());
        assert_eq!(replayed.is_verifying(), scenario.run.is_verifying());
        assert_eq!(
            replayed.node(node).map(|run| run.unverified),
            Some(scenario.node(A).unverified)
        );
    }
}

#[test]
fn returned_executor_is_recorded() {
    let mut scenario = under_way(plan());
    let back = Command::ExecutorReturned {
        since: Timestamp(5),
        silence_ms: 70_000,
    };
    let step = scenario.step_ok(back.clone());
    assert_eq!(
        step.events,
        [Event::ExecutorReturned {
            since: Timestamp(5),
            silence_ms: 70_000
        }]
    );
    assert_eq!(step.effects, []);
    let mut over = started_run(plan_of(&["A"], &[]));
    over.runs(A, Outcome::Succeeded);
    assert_eq!(over.step_ok(back).events, []);
}

/// A → B, of which A has a command to check.
fn plan_with_one() -> Plan {
    let mut plan = plan_of(&["A", "B"], &[(A, B)]);
    plan.nodes[A].acceptance_criteria = vec![Criterion::run("make test")];
    plan
}

/// Reports withdrawn attempts as never started.
fn withdraw(scenario: &mut Scenario) {
    let (node, attempt) = scenario.attempt(B);
    scenario.step_ok(Command::SessionWithdrawn { node, attempt });
}
