//! Error handlers: when one is due, and what becomes of it.

use std::sync::Arc;

use super::scenario::{Scenario, failed, lost, start, started_run};
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{
    Caller, Command, Event, FailedRun, HandlerOutcome, HandlerProblem, HandlerState, ReplanEnd,
    RunState,
};
use crate::{Outcome, Plan, PlanId, ProposalId, RunId};

const HANDLER: RunId = RunId(uuid::Uuid::from_u128(8));
const PROPOSAL: ProposalId = ProposalId(uuid::Uuid::from_u128(1));

/// A → B, with an error handler.
fn plan() -> Plan {
    let mut plan = plan_of(&["A", "B"], &[(0, 1)]);
    plan.settings.on_failure = Some(" Clean up ".to_owned());
    plan
}

fn started() -> HandlerOutcome {
    HandlerOutcome::Started {
        run: HANDLER,
        plan: PlanId(uuid::Uuid::from_u128(9)),
    }
}

/// The event number of the failure whose handler is due.
fn due(scenario: &Scenario) -> Option<u64> {
    match scenario.run.state().handler() {
        Some(HandlerState::Due { plan, end }) => {
            assert_eq!(plan, "Clean up");
            Some(*end)
        }
        _ => None,
    }
}

fn decide(scenario: &mut Scenario, end: u64, outcome: HandlerOutcome) -> Vec<Event> {
    scenario
        .step_ok(Command::DecideHandler { end, outcome })
        .events
}

fn nightly() -> FailedRun {
    FailedRun {
        run: RunId(uuid::Uuid::from_u128(5)),
        end: 7,
        plan: PlanId(uuid::Uuid::from_u128(6)),
        number: 41,
        title: "Nightly".to_owned(),
    }
}

fn called_by(handles: Option<FailedRun>) -> Command {
    let mut command = start(None);
    if let Command::Start { caller, .. } = &mut command {
        *caller = Some(Arc::new(Caller {
            handles,
            ..Caller::of_handler(nightly(), Vec::new())
        }));
    }
    command
}

#[test]
fn only_a_failed_run_that_nothing_called_has_a_handler() {
    let cancelled = |scenario: &mut Scenario| {
        scenario.step_ok(Command::Cancel);
    };
    let fails = |scenario: &mut Scenario| scenario.runs(0, failed());
    let stalls = |scenario: &mut Scenario| scenario.runs(0, lost());
    let completes = |scenario: &mut Scenario| {
        scenario.runs(0, Outcome::Succeeded);
        scenario.runs(1, Outcome::Succeeded);
    };
    let without = Plan {
        settings: crate::plan::PlanSettings::default(),
        ..plan()
    };
    let mut blank = plan();
    blank.settings.on_failure = Some("  ".to_owned());
    type End<'a> = &'a dyn Fn(&mut Scenario);
    let table: [(&str, Plan, Command, End<'_>, bool); 8] = [
        ("failed", plan(), start(None), &fails, true),
        ("completed", plan(), start(None), &completes, false),
        ("canceled", plan(), start(None), &cancelled, false),
        ("stalled", plan(), start(None), &stalls, false),
        ("no handler", without, start(None), &fails, false),
        ("a blank one", blank, start(None), &fails, false),
        ("a nested run", plan(), called_by(None), &fails, false),
        (
            "a handler",
            plan(),
            called_by(Some(nightly())),
            &fails,
            false,
        ),
    ];
    for (name, plan, start, end, is_due) in table {
        let mut scenario = Scenario::of(plan);
        scenario.step_ok(start);
        end(&mut scenario);
        assert_eq!(due(&scenario).is_some(), is_due, "{name}");
    }
}

#[test]
fn retries_of_the_run_come_first() {
    let mut plan = plan();
    plan.settings.plan_retries = 1;
    let mut scenario = started_run(plan);
    scenario.runs(0, failed());
    assert_eq!(due(&scenario), None, "it is retried");
    scenario.now = scenario.now.plus_ms(60_000);
    scenario.step_ok(Command::Due { node: node_id(0) });
    scenario.runs(0, failed());
    assert!(due(&scenario).is_some());
}

#[test]
fn first_report_on_a_failure_counts() {
    let mut scenario = started_run(plan());
    scenario.runs(0, failed());
    let end = due(&scenario).expect("a failed run");
    assert_eq!(decide(&mut scenario, end + 1, started()), []);
    assert_eq!(
        decide(&mut scenario, end, started()),
        [Event::HandlerDecided { outcome: started() }]
    );
    let problem = HandlerProblem::NotApproved;
    let other = HandlerOutcome::NotStarted { problem };
    assert_eq!(decide(&mut scenario, end, other), []);
    assert!(matches!(
        scenario.run.state().handler(),
        Some(HandlerState::Started { run: HANDLER, .. })
    ));
}

#[test]
fn refused_handler_can_be_started_once() {
    let mut scenario = started_run(plan());
    scenario.runs(0, failed());
    let end = due(&scenario).expect("a failed run");
    let refused = |problem| HandlerOutcome::NotStarted { problem };
    decide(&mut scenario, end, refused(HandlerProblem::NotApproved));
    let known = HandlerState::NotStarted {
        plan: "Clean up".to_owned(),
        problem: HandlerProblem::NotApproved,
        end: Some(end),
    };
    assert_eq!(scenario.run.state().handler(), Some(&known));
    let again = refused(HandlerProblem::Outdated);
    assert_eq!(decide(&mut scenario, end, again), [], "it is known already");
    assert_eq!(decide(&mut scenario, end + 1, started()), []);
    assert!(known.may_start(end) && !known.may_start(end + 1));

    let decided = [Event::HandlerDecided { outcome: started() }];
    assert_eq!(decide(&mut scenario, end, started()), decided);
    assert_eq!(decide(&mut scenario, end, started()), [], "it has started");
    let handler = scenario.run.state().handler().cloned();
    let handler = handler.expect("the run has failed");
    assert!(matches!(
        handler,
        HandlerState::Started { run: HANDLER, .. }
    ));
    assert!(!handler.may_start(end));
}

#[test]
fn rerun_ends_the_chance_to_start_a_refused_handler() {
    let mut scenario = started_run(plan());
    scenario.runs(0, failed());
    let end = due(&scenario).expect("a failed run");
    let problem = HandlerProblem::Unknown;
    decide(&mut scenario, end, HandlerOutcome::NotStarted { problem });
    scenario.step_ok(Command::RerunFailed);
    assert_eq!(decide(&mut scenario, end, started()), []);
}

/// Earlier versions of Baton stored states without the number of the event.
#[test]
fn stored_refusals_of_earlier_versions_are_read() {
    let stored = r#"{"state":"not_started","plan":"Clean up","problem":{"problem":"unknown"}}"#;
    let handler: HandlerState = serde_json::from_str(stored).expect("the earlier format");
    assert!(matches!(
        handler,
        HandlerState::NotStarted { end: None, .. }
    ));
    assert!(handler.may_start(7), "the history has the number");
    assert_eq!(serde_json::to_string(&handler).expect("JSON"), stored);
}

#[test]
fn each_failure_has_its_own_handler() {
    let mut scenario = started_run(plan());
    scenario.runs(0, failed());
    let first = due(&scenario).expect("a failed run");
    decide(&mut scenario, first, started());
    scenario.step_ok(Command::RerunFailed);
    assert_eq!(scenario.run.state().handler(), None);
    scenario.runs(0, failed());
    let second = due(&scenario).expect("it failed again");
    assert!(second > first);
    assert_eq!(decide(&mut scenario, first, started()), [], "too late");
}

#[test]
fn rerun_before_the_handler_starts_needs_none() {
    let mut scenario = started_run(plan());
    scenario.runs(0, failed());
    let end = due(&scenario).expect("a failed run");
    scenario.step_ok(Command::RerunFailed);
    assert_eq!(decide(&mut scenario, end, started()), []);
    scenario.runs(0, Outcome::Succeeded);
    scenario.runs(1, Outcome::Succeeded);
    assert_eq!(*scenario.run.state(), RunState::Completed);
}

#[test]
fn handler_waits_for_replanning() {
    let run = Some(HANDLER);
    for (end, is_due) in [
        (ReplanEnd::Accepted { run }, false),
        (ReplanEnd::Accepted { run: None }, false),
        (ReplanEnd::Rejected, true),
        (ReplanEnd::GivenUp, true),
    ] {
        let mut scenario = started_run(plan());
        scenario.runs(0, failed());
        let before = due(&scenario).expect("a failed run");
        scenario.step_ok(Command::BeginReplan { proposal: PROPOSAL });
        assert_eq!(decide(&mut scenario, before, started()), []);
        let proposal = PROPOSAL;
        scenario.step_ok(Command::EndReplan { proposal, end });
        assert_eq!(due(&scenario), is_due.then_some(before), "{end:?}");
    }
}

#[test]
fn handler_keeps_its_own_limits() {
    let failed = FailedRun {
        run: HANDLER,
        end: 7,
        plan: PlanId(uuid::Uuid::from_u128(6)),
        number: 41,
        title: "Nightly".to_owned(),
    };
    let received = Caller::of_handler(failed, Vec::new());
    let mut plan = plan();
    plan.settings.budget.tokens = Some(10);
    let restricted = received.restrict(&plan);
    assert_eq!(restricted.settings.budget, plan.settings.budget);
    assert_eq!(
        restricted.settings.effective_autonomy(),
        plan.settings.effective_autonomy()
    );
}
