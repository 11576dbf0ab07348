//! Runs called by a node of another run.

use std::sync::Arc;

use uuid::Uuid;

use crate::SessionId;
use crate::node::{Budget, NodeKind, SubPlanTask};
use crate::plan::Autonomy;
use crate::plan_fixture::plan_of;
use crate::run::{Allowance, BudgetUsage, Caller, Command, Effect, Event, RunState};
use crate::{Outcome, Plan, Run};

use super::scenario::{Scenario, ended, start, started, started_run};

const A: usize = 0;

fn caller(autonomy: Autonomy, allowance: Allowance) -> Caller {
    Caller {
        handles: None,
        title: "Deploy".to_owned(),
        session: SessionId(Uuid::from_u128(7)),
        spent_before: BudgetUsage::default(),
        prompt: String::new(),
        received: Vec::new(),
        round: None,
        autonomy,
        allowance,
    }
}

fn plan_with(autonomy: Autonomy, budget: Budget) -> Plan {
    let mut plan = plan_of(&["A"], &[]);
    plan.settings.autonomy = Some(autonomy);
    plan.settings.budget = budget;
    plan
}

#[test]
fn stricter_autonomy_and_smaller_budget_apply() {
    let budget = |tokens, cost_usd| Budget { tokens, cost_usd };
    let allowance = |tokens, cost_micros| Allowance {
        tokens,
        cost_micros,
    };
    for (own, above, holds) in [
        (
            (Autonomy::Free, budget(None, None)),
            (Autonomy::AskAll, allowance(None, None)),
            (Autonomy::AskAll, budget(None, None)),
        ),
        (
            (Autonomy::AskNew, budget(Some(5), None)),
            (Autonomy::Free, allowance(Some(9), Some(1_500_000))),
            (Autonomy::AskNew, budget(Some(5), Some(1.5))),
        ),
        (
            (Autonomy::Free, budget(Some(9), Some(0.1))),
            (Autonomy::Free, allowance(Some(0), Some(2_000_000))),
            (Autonomy::Free, budget(Some(0), Some(0.1))),
        ),
    ] {
        let restricted = caller(above.0, above.1).restrict(&plan_with(own.0, own.1));
        assert_eq!(
            (
                restricted.settings.effective_autonomy(),
                restricted.settings.budget
            ),
            holds
        );
        let again = caller(above.0, above.1).restrict(&restricted);
        assert_eq!(again.settings, restricted.settings, "twice is once");
    }
}

#[test]
fn remaining_budget_is_never_negative() {
    let budget = Budget {
        tokens: Some(10),
        cost_usd: Some(0.5),
    };
    let left = Allowance::remaining_of(
        &budget,
        BudgetUsage {
            tokens: 4,
            cost_micros: 900_000,
        },
    );
    assert_eq!(
        left,
        Allowance {
            tokens: Some(6),
            cost_micros: Some(0)
        }
    );
    assert_eq!(
        left.minus(BudgetUsage {
            tokens: 5,
            cost_micros: 1
        })
        .tokens,
        Some(1)
    );
    assert!(
        Allowance::remaining_of(
            &Budget::default(),
            BudgetUsage {
                tokens: 4,
                cost_micros: 4
            }
        )
        .is_unlimited()
    );
}

/// A run also keeps its limits when its history is replayed.
#[test]
fn the_limits_of_a_called_run_are_part_of_its_history() {
    let plan = plan_with(Autonomy::Free, Budget::default());
    let mut scenario = Scenario::of(plan.clone());
    let mut command = start(None);
    let Command::Start { caller: got, .. } = &mut command else {
        unreachable!("it is a start")
    };
    *got = Some(Arc::new(caller(
        Autonomy::AskAll,
        Allowance {
            tokens: Some(5),
            cost_micros: None,
        },
    )));
    let step = scenario.step_ok(command);
    assert_eq!(
        scenario.state_name(A),
        "waiting",
        "a node of the free plan waits for approval"
    );
    let history = step.events.into_iter().map(|event| (scenario.now, event));
    let again = Run::replay(scenario.run.id(), Arc::new(plan), history).expect("its own history");
    assert_eq!(again.plan().settings, scenario.run.plan().settings);
    assert_eq!(
        (again.plan().settings.budget.tokens, again.caller()),
        (Some(5), scenario.run.caller())
    );
}

fn calling() -> Scenario {
    let mut plan = plan_of(&["A"], &[]);
    plan.nodes[A].kind = NodeKind::SubPlan(SubPlanTask {
        sub_plan_id: "another".to_owned(),
        ..SubPlanTask::default()
    });
    started_run(plan)
}

#[test]
fn calling_node_resumes_the_same_runs_after_a_pause() {
    for stop_running in [false, true] {
        let mut scenario = calling();
        let (node, attempt) = scenario.starts(A);
        let first = scenario.node(A).session;
        scenario.step_ok(Command::Pause { stop_running });
        scenario.step_ok(ended(node, attempt, Outcome::Cancelled));
        assert!(
            matches!(scenario.run.state(), RunState::Paused { .. }),
            "{:?}",
            scenario.run.state()
        );
        assert_eq!(scenario.state_name(A), "pending");
        let step = scenario.step_ok(Command::Resume);
        let resumed = step.effects.iter().find_map(|effect| match effect {
            Effect::StartSession { resumes, .. } => Some(*resumes),
            _ => None,
        });
        assert_eq!(
            resumed,
            Some(first),
            "pausing with stop_running {stop_running}"
        );
        scenario.runs(A, Outcome::Succeeded);
        assert_eq!(*scenario.run.state(), RunState::Completed);
    }
}

#[test]
fn rerun_calling_node_starts_from_the_beginning() {
    let mut scenario = calling();
    let (node, attempt) = scenario.starts(A);
    scenario.step_ok(Command::StopNode { node });
    scenario.step_ok(ended(node, attempt, Outcome::Cancelled));
    let step = scenario.step_ok(Command::RetryNode {
        node,
        resume: false,
    });
    let reserved = step.events.iter().find_map(|event| match event {
        Event::NodeReserved { resumes, .. } => Some(*resumes),
        _ => None,
    });
    assert_eq!(reserved, Some(None));
}

#[test]
fn nested_usage_counts_in_both_budgets() {
    let mut scenario = calling();
    let mut plan = Plan::clone(scenario.run.plan());
    plan.settings.budget.tokens = Some(100);
    plan.nodes[A].budget.tokens = Some(60);
    scenario = started_run(plan);
    let (node, attempt) = scenario.attempt(A);
    scenario.step_ok(started(node, attempt));
    let used = BudgetUsage {
        tokens: 70,
        cost_micros: 0,
    };
    let step = scenario.step_ok(Command::SessionUsed {
        node,
        attempt,
        spent: used,
    });
    assert_eq!(scenario.run.spent(), used);
    assert!(
        step.effects
            .iter()
            .any(|effect| matches!(effect, Effect::StopSession { .. })),
        "{:?}",
        step.effects
    );
}
