//! The states of a run, each reached by commands.

use super::super::scenario::{Scenario, ended, executor, failed, lost, start, started};
use super::super::takeovers;
use super::{A, B, C, ask, proposal, question, tokens};
use crate::node::Criterion;
use crate::plan::{Autonomy, OnTakeover};
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{Command, Goal, PauseReason, RunState};
use crate::{Outcome, Plan};

/// A → B, and C on its own.
pub(super) fn run_states() -> Vec<(&'static str, Scenario)> {
    let mut plan = plan_of(&["A", "B", "C"], &[(A, B)]);
    plan.settings.budget.tokens = Some(100);
    plan.settings.timeout_ms = Some(0);
    let changed = |change: &dyn Fn(&mut Plan)| {
        let mut plan = plan.clone();
        change(&mut plan);
        let mut scenario = Scenario::of(plan);
        scenario.step_ok(start(None));
        scenario
    };
    let at = |lead: &dyn Fn(&mut Scenario)| {
        let mut scenario = Scenario::of(plan.clone());
        lead(&mut scenario);
        scenario
    };
    let after = |command: Command| {
        at(&move |scenario| {
            running(scenario);
            scenario.step_ok(command.clone());
        })
    };
    let goal = Command::Start {
        version: 1,
        goal: Goal::Only {
            nodes: vec![node_id(A)],
        },
        limit: None,
        executor: executor(),
        default_agent: None,
        inherits: None,
        grants: Vec::new(),
        caller: None,
        pinned: Vec::new(),
    };
    let both = |first: Outcome| {
        at(&move |scenario| {
            scenario.step_ok(start(None));
            scenario.runs(A, first.clone());
            if scenario.run.state().is_running() && scenario.state_name(C) == "waiting" {
                scenario.runs(C, Outcome::Succeeded);
            }
        })
    };
    let mut completed = both(Outcome::Succeeded);
    completed.runs(B, Outcome::Succeeded);
    let mut paused = after(Command::Pause { stop_running: true });
    settle(&mut paused);
    let mut cancelled = after(Command::Cancel);
    settle(&mut cancelled);
    let mut rolled_back = at(&|scenario| drop(scenario.step_ok(start(None))));
    rolled_back.step_ok(Command::Checkpoint {
        name: "begun".to_owned(),
        data: 1.into(),
        files: None,
    });
    for command in [
        Command::Pause {
            stop_running: false,
        },
        Command::Rollback {
            checkpoint: 0,
            files: false,
        },
    ] {
        for position in [A, C] {
            let (node, attempt) = rolled_back.attempt(position);
            drop(rolled_back.step(&Command::SessionWithdrawn { node, attempt }));
        }
        rolled_back.step_ok(command);
        for position in [A, C] {
            let (node, attempt) = rolled_back.attempt(position);
            drop(rolled_back.step(&Command::SessionWithdrawn { node, attempt }));
        }
    }
    let mut stale = at(&|scenario| drop(scenario.step_ok(start(None))));
    stale.runs(A, Outcome::Succeeded);
    stale.runs(B, Outcome::Succeeded);
    stale.step_ok(Command::RerunNode { node: node_id(A) });
    stale.runs(A, Outcome::Succeeded);
    let displaced = |on_takeover: OnTakeover| {
        let mut scenario = changed(&|plan| {
            plan.settings.on_takeover = on_takeover;
            plan.nodes[A].acceptance_criteria = vec![Criterion::run("make test")];
        });
        scenario.runs(A, Outcome::Succeeded);
        scenario.starts(C);
        takeovers::displace(&mut scenario);
        scenario
    };
    let (verifying, reviewing) = (displaced(OnTakeover::Verify), displaced(OnTakeover::Review));
    let mut taken_over = reviewing.clone();
    for position in [B, C] {
        let (node, attempt) = taken_over.attempt(position);
        drop(taken_over.step(&Command::SessionWithdrawn { node, attempt }));
        drop(taken_over.step(&ended(node, attempt, Outcome::Succeeded)));
    }
    let states = vec![
        ("not begun", Scenario::of(plan.clone())),
        ("running", at(&running)),
        ("running, A asks", at(&asking)),
        (
            "running, A waits for approval",
            changed(&|plan| plan.settings.autonomy = Some(Autonomy::AskAll)),
        ),
        (
            "running, A waits for input",
            changed(&|plan| plan.nodes[A].kind = question(None)),
        ),
        ("running, A is stale", stale),
        (
            "pausing",
            after(Command::Pause {
                stop_running: false,
            }),
        ),
        (
            "paused, A waits for input",
            at_rest(
                changed(&|plan| plan.nodes[A].kind = question(None)),
                Command::Pause {
                    stop_running: false,
                },
            ),
        ),
        (
            "pausing with stop",
            after(Command::Pause { stop_running: true }),
        ),
        ("cancelling", after(Command::Cancel)),
        ("out of time", after(Command::TimeUp)),
        (
            "out of budget",
            at(&|scenario| {
                running(scenario);
                let (node, attempt) = scenario.attempt(A);
                scenario.step_ok(Command::SessionUsed {
                    node,
                    attempt,
                    spent: tokens(101),
                });
            }),
        ),
        (
            "aborting",
            at(&|scenario| {
                scenario.step_ok(start(None));
                let (node, attempt) = scenario.attempt(C);
                scenario.step_ok(started(node, attempt));
                scenario.runs(A, failed());
            }),
        ),
        ("paused", paused),
        (
            "paused at its goal",
            at(&move |scenario| {
                scenario.step_ok(goal.clone());
                scenario.runs(A, Outcome::Succeeded);
            }),
        ),
        ("paused by a rollback", rolled_back),
        ("verifying inherited work", verifying),
        ("reviewing a takeover", reviewing),
        ("paused after a takeover", taken_over),
        ("stalled", both(lost())),
        ("failed", both(failed())),
        ("replanning, stalled before", replanning(both(lost()))),
        ("replanning, failed before", replanning(both(failed()))),
        ("completed", completed),
        ("cancelled", cancelled),
    ];
    for (name, scenario) in &states {
        assert_eq!(
            name.split([' ', ',']).next(),
            Some(first_word(scenario.run.state())),
            "{name}"
        );
    }
    states
}

fn running(scenario: &mut Scenario) {
    scenario.step_ok(start(None));
    scenario.starts(A);
}

fn asking(scenario: &mut Scenario) {
    scenario.step_ok(start(None));
    ask(scenario);
}

/// The scenario after a proposal for it was made.
fn replanning(mut scenario: Scenario) -> Scenario {
    scenario.step_ok(Command::BeginReplan {
        proposal: proposal(1),
    });
    scenario
}

/// The scenario after `command`, when all sessions have ended.
fn at_rest(mut scenario: Scenario, command: Command) -> Scenario {
    scenario.step_ok(command);
    for (node, attempt, _) in scenario.run.live_attempts().collect::<Vec<_>>() {
        scenario.step_ok(Command::SessionWithdrawn { node, attempt });
    }
    scenario
}

/// Ends the sessions that a pause or a cancellation stops.
fn settle(scenario: &mut Scenario) {
    let (node, attempt) = scenario.attempt(A);
    scenario.step_ok(ended(node, attempt, Outcome::Cancelled));
    let (node, attempt) = scenario.attempt(C);
    scenario.step_ok(Command::SessionWithdrawn { node, attempt });
}

fn first_word(state: &RunState) -> &'static str {
    use crate::run::Ending;
    match state {
        RunState::Paused {
            reason: PauseReason::NotBegun,
        } => "not",
        RunState::Running {
            ending: Some(Ending::Pausing { .. }),
        } => "pausing",
        RunState::Running {
            ending: Some(Ending::Cancelling),
        } => "cancelling",
        RunState::Running {
            ending: Some(Ending::Aborting { .. }),
        } => "aborting",
        RunState::Running {
            ending: Some(Ending::TimeUp { .. }),
        } => "out",
        RunState::Running {
            ending: Some(Ending::BudgetSpent),
        } => "out",
        RunState::Running {
            ending: Some(Ending::Verifying),
        } => "verifying",
        RunState::Running {
            ending: Some(Ending::Reviewing),
        } => "reviewing",
        state => state.as_str(),
    }
}
