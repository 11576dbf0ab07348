//! Forks nested in branches: which nodes run, are skipped or are blocked, as in the README's table.
//!
//! The plan, in its order; `true` branches on the left:
//!
//! ```text
//!            Outer
//!       Work       Else
//!       Inner       |
//!     Yes   No      |
//!      Meets        |
//!            Joins
//!            Last      Handler
//! ```

use super::scenario::{Scenario, failed, started, started_run};
use crate::node::{
    ConditionTask, LoopBody, LoopTask, NodeKind, OnFailure, SubPlanTask, TriggerRule,
};
use crate::plan_fixture::{edge, node_id, plan_of};
use crate::run::{Command, NodeState, RunState, SkipReason};
use crate::{Outcome, Plan};

const OUTER: usize = 0;
const WORK: usize = 1;
const INNER: usize = 2;
const YES: usize = 3;
const NO: usize = 4;
const MEETS: usize = 5;
const ELSE: usize = 6;
const JOINS: usize = 7;
const LAST: usize = 8;
const HANDLER: usize = 9;

fn fork(plan: &mut Plan, position: usize, if_true: Option<usize>, if_false: Option<usize>) {
    let (true_step, false_step) = (if_true.map(node_id), if_false.map(node_id));
    let task = ConditionTask {
        condition: "true".to_owned(),
        true_step,
        false_step,
    };
    plan.nodes[position].kind = NodeKind::Condition(task);
}

fn nested() -> Plan {
    let titles = [
        "Outer", "Work", "Inner", "Yes", "No", "Meets", "Else", "Joins", "Last",
    ];
    let edges = [
        (WORK, INNER),
        (YES, MEETS),
        (NO, MEETS),
        (MEETS, JOINS),
        (ELSE, JOINS),
        (JOINS, LAST),
    ];
    let mut plan = plan_of(&titles, &edges);
    fork(&mut plan, OUTER, Some(WORK), Some(ELSE));
    fork(&mut plan, INNER, Some(YES), Some(NO));
    plan
}

/// Fails with `onFailure: skip`.
fn tolerates(plan: &mut Plan, position: usize) {
    plan.nodes[position].on_failure = OnFailure::Skip;
}

fn hands_to(plan: &mut Plan, position: usize, handler: usize) {
    plan.nodes[position].on_failure = OnFailure::Node(node_id(handler));
}

/// A handler after all other nodes, reachable only through a failure.
fn with_handler(plan: &mut Plan) {
    let handler = plan_of(&["Handler"; HANDLER + 1], &[]).nodes.pop();
    plan.nodes.extend(handler);
}

/// Runs to the end. Conditions take the branch in `taken`, outer first; the nodes in `fails` fail.
fn play(plan: Plan, taken: [bool; 2], fails: &[usize]) -> Scenario {
    let mut scenario = started_run(plan);
    play_on(&mut scenario, taken, fails);
    scenario
}

fn play_on(scenario: &mut Scenario, taken: [bool; 2], fails: &[usize]) {
    let count = scenario.run.plan().nodes.len();
    while let Some(position) =
        (0..count).find(|&position| scenario.state_name(position) == "waiting")
    {
        let (node, attempt) = scenario.attempt(position);
        scenario.step_ok(started(node, attempt));
        let outcome = if fails.contains(&position) {
            failed()
        } else {
            Outcome::Succeeded
        };
        let taken = match position {
            OUTER => Some(taken[0]),
            INNER => Some(taken[1]),
            _ => None,
        };
        let (artifact, doubt) = (None, None);
        scenario.step_ok(Command::SessionEnded {
            node,
            attempt,
            outcome,
            artifact,
            taken,
            doubt,
        });
    }
}

/// The end of each node in the letters of the README; `B` is an `F` that is blocked.
fn ends(scenario: &Scenario) -> String {
    let letter = |state: &NodeState| match state {
        NodeState::Done { .. } => 'D',
        NodeState::Skipped {
            reason: SkipReason::AfterFailure { .. },
        } => 'T',
        NodeState::Skipped { reason } if reason.lets_children_run() => 'P',
        NodeState::Skipped { .. } => 'N',
        NodeState::Failed {
            went_on_at: Some(_),
            ..
        } => 'H',
        NodeState::Failed { .. } | NodeState::Interrupted { .. } => 'F',
        NodeState::Blocked { .. } => 'B',
        NodeState::Pending | NodeState::Waiting { .. } | NodeState::Running => '.',
    };
    (0..scenario.run.plan().nodes.len())
        .map(|position| letter(scenario.state(position)))
        .collect()
}

/// A change to the plan, the branches of both forks, the failing nodes, the ends, and whether the
/// run completes.
type Case = (
    &'static str,
    fn(&mut Plan),
    [bool; 2],
    &'static [usize],
    &'static str,
    bool,
);

fn hold(cases: &[Case]) {
    for &(name, change, taken, fails, expected, completes) in cases {
        let mut plan = nested();
        change(&mut plan);
        let scenario = play(plan, taken, fails);
        assert_eq!(ends(&scenario), expected, "{name}");
        let state = scenario.run.state();
        assert_eq!(
            state == &RunState::Completed,
            completes,
            "{name}: {state:?}"
        );
        assert!(
            completes || matches!(state, RunState::Failed { .. }),
            "{name}: {state:?}"
        );
    }
}

#[test]
fn only_the_taken_branches_of_nested_forks_run() {
    hold(&[
        ("both true", |_| {}, [true, true], &[], "DDDDNDNDD", true),
        (
            "inner branch not chosen",
            |_| {},
            [true, false],
            &[],
            "DDDNDDNDD",
            true,
        ),
        (
            "whole inner fork in the branch not chosen",
            |_| {},
            [false, true],
            &[],
            "DNNNNNDDD",
            true,
        ),
        (
            "inner fork without an else",
            |plan| fork(plan, INNER, Some(YES), None),
            [true, true],
            &[],
            "DDDDDDNDD",
            true,
        ),
        (
            "inner fork around one branch",
            |plan| {
                fork(plan, INNER, Some(YES), None);
                plan.edges.push(edge(plan, INNER, MEETS));
                plan.edges.retain(|edge| edge.parent != node_id(NO));
                plan.nodes[NO].disabled = true;
            },
            [true, false],
            &[],
            "DDDNPDNDD",
            true,
        ),
        (
            "outer fork around the branch with the inner one",
            |plan| {
                fork(plan, OUTER, Some(WORK), None);
                plan.edges.push(edge(plan, OUTER, JOINS));
                plan.edges.retain(|edge| edge.parent != node_id(ELSE));
                plan.nodes[ELSE].disabled = true;
            },
            [false, true],
            &[],
            "DNNNNNPDD",
            true,
        ),
    ]);
}

/// A node that waited for an inner branch and for something beside the inner fork ran although the
/// branch was not taken, and a node directly at the head of a branch never ran.
#[test]
fn joins_inside_and_outside_of_branches_are_alike() {
    fn waits_beside(plan: &mut Plan) {
        plan.edges.retain(|edge| edge.child != node_id(LAST));
        plan.edges
            .extend([WORK, YES].map(|parent| edge(plan, parent, LAST)));
    }
    fn leads_straight(plan: &mut Plan) {
        fork(plan, INNER, Some(YES), Some(MEETS));
        plan.edges.retain(|edge| edge.parent != node_id(NO));
        plan.nodes[NO].disabled = true;
    }
    hold(&[
        (
            "beside, taken",
            waits_beside,
            [true, true],
            &[],
            "DDDDNDNDD",
            true,
        ),
        (
            "beside, not taken",
            waits_beside,
            [true, false],
            &[],
            "DDDNDDNDN",
            true,
        ),
        (
            "straight, through the other branch",
            leads_straight,
            [true, true],
            &[],
            "DDDDPDNDD",
            true,
        ),
        (
            "straight",
            leads_straight,
            [true, false],
            &[],
            "DDDNPDNDD",
            true,
        ),
        (
            "straight, outer branch not taken",
            leads_straight,
            [false, true],
            &[],
            "DNNNPNDDD",
            true,
        ),
    ]);
}

#[test]
fn failed_or_skipped_fork_opens_no_branch() {
    hold(&[
        (
            "inner fork fails",
            |_| {},
            [true, true],
            &[INNER],
            "DDFBBBNBB",
            false,
        ),
        (
            "inner fork tolerated",
            |plan| tolerates(plan, INNER),
            [true, true],
            &[INNER],
            "DDTNNNNNN",
            true,
        ),
        (
            "inner fork disabled",
            |plan| plan.nodes[INNER].disabled = true,
            [true, true],
            &[],
            "DDPNNNNNN",
            true,
        ),
        (
            "outer fork fails",
            |_| {},
            [true, true],
            &[OUTER],
            "FBBBBBBBB",
            false,
        ),
        (
            "outer fork tolerated",
            |plan| tolerates(plan, OUTER),
            [true, true],
            &[OUTER],
            "TNNNNNNNN",
            true,
        ),
        (
            "outer fork disabled",
            |plan| plan.nodes[OUTER].disabled = true,
            [true, true],
            &[],
            "PNNNNNNNN",
            true,
        ),
        (
            "tolerated inner fork in the branch not chosen",
            |plan| tolerates(plan, INNER),
            [false, true],
            &[INNER],
            "DNNNNNDDD",
            true,
        ),
    ]);
}

#[test]
fn fork_marked_done_opens_both_branches() {
    let mut scenario = play(nested(), [true, true], &[INNER]);
    scenario.step_ok(Command::MarkDone {
        node: node_id(INNER),
        handoff: String::new(),
        stop: false,
    });
    scenario.step_ok(Command::Resume);
    play_on(&mut scenario, [true, true], &[]);
    assert_eq!(ends(&scenario), "DDDDDDNDD");
}

#[test]
fn inner_branch_failures_reach_joins_as_documented() {
    hold(&[
        ("fails", |_| {}, [true, true], &[YES], "DDDFNBNBB", false),
        (
            "tolerated",
            |plan| tolerates(plan, YES),
            [true, true],
            &[YES],
            "DDDTNDNDD",
            true,
        ),
        (
            "work before the inner fork tolerated",
            |plan| tolerates(plan, WORK),
            [true, false],
            &[WORK],
            "DTDNDDNDD",
            true,
        ),
        (
            "work before the inner fork fails",
            |_| {},
            [true, true],
            &[WORK],
            "DFBBBBNBB",
            false,
        ),
        (
            "inner join tolerated",
            |plan| tolerates(plan, MEETS),
            [true, true],
            &[MEETS],
            "DDDDNTNDD",
            true,
        ),
        (
            "in the branch not chosen",
            |_| {},
            [true, false],
            &[YES, ELSE],
            "DDDNDDNDD",
            true,
        ),
        (
            "other outer branch fails",
            |_| {},
            [false, true],
            &[ELSE],
            "DNNNNNFBB",
            false,
        ),
        (
            "other outer branch tolerated",
            |plan| tolerates(plan, ELSE),
            [false, true],
            &[ELSE],
            "DNNNNNTDD",
            true,
        ),
    ]);
}

#[test]
fn a_written_rule_below_both_forks_follows_the_table() {
    use TriggerRule::{
        AllDone, AllSuccess, NoneFailed, NoneFailedMinOneSuccess, OneFailed, OneSuccess,
    };
    // The join's parents end as D and N; N and D; T and N; N and N; F and N; H and N with its
    // handler elsewhere.
    let table = [
        (None, ['D', 'D', 'D', 'N', 'B', 'N']),
        (Some(AllSuccess), ['N', 'N', 'N', 'N', 'N', 'N']),
        (Some(OneSuccess), ['D', 'D', 'N', 'N', 'B', 'N']),
        (Some(OneFailed), ['N', 'N', 'D', 'N', 'D', 'D']),
        (Some(NoneFailed), ['D', 'D', 'N', 'D', 'B', 'N']),
        (
            Some(NoneFailedMinOneSuccess),
            ['D', 'D', 'N', 'N', 'B', 'N'],
        ),
        (Some(AllDone), ['D', 'D', 'D', 'D', 'D', 'D']),
    ];
    type End = (fn(&mut Plan), [bool; 2], &'static [usize]);
    let ends: [End; 6] = [
        (|_| {}, [true, true], &[]),
        (|_| {}, [false, true], &[]),
        (|plan| tolerates(plan, MEETS), [true, true], &[MEETS]),
        (|plan| tolerates(plan, INNER), [true, true], &[INNER]),
        (|_| {}, [true, true], &[MEETS]),
        (
            |plan| {
                // Before the join, so the jump passes no node.
                plan.nodes[ELSE].disabled = false;
                hands_to(plan, MEETS, ELSE);
                fork(plan, OUTER, Some(WORK), None);
                plan.edges.retain(|edge| edge.parent != node_id(ELSE));
                plan.edges.push(edge(plan, NO, JOINS));
            },
            [true, true],
            &[MEETS],
        ),
    ];
    for (rule, letters) in table {
        for ((change, taken, fails), letter) in ends.into_iter().zip(letters) {
            let mut plan = nested();
            change(&mut plan);
            plan.nodes[JOINS].trigger_rule = rule;
            let scenario = play(plan, taken, fails);
            let found = self::ends(&scenario);
            assert_eq!(
                found.chars().nth(JOINS),
                Some(letter),
                "{rule:?} in {found}"
            );
            let is_blocked = found.contains('B') && scenario.run.state() == &RunState::Completed;
            assert!(!is_blocked, "no run completes with a blocked node: {found}");
        }
    }
}

#[test]
fn nested_fork_handlers_run_once_and_skip_the_rest() {
    hold(&[
        (
            "inner fork to its own join",
            |plan| hands_to(plan, INNER, MEETS),
            [true, true],
            &[INNER],
            "DDHNNDNDD",
            true,
        ),
        (
            "inner fork to the outer join",
            |plan| hands_to(plan, INNER, JOINS),
            [true, true],
            &[INNER],
            "DDHNNNNDD",
            true,
        ),
        (
            "inner fork to one of its branches",
            |plan| hands_to(plan, INNER, NO),
            [true, true],
            &[INNER],
            "DDHNDDNDD",
            true,
        ),
        (
            "inner fork to the outer branch that was not taken",
            |plan| hands_to(plan, INNER, ELSE),
            [true, true],
            &[INNER],
            "DDFBBBNBB",
            false,
        ),
        (
            "outer fork to the join",
            |plan| hands_to(plan, OUTER, JOINS),
            [true, true],
            &[OUTER],
            "HNNNNNNDD",
            true,
        ),
        (
            "outer fork to its other branch",
            |plan| hands_to(plan, OUTER, ELSE),
            [true, true],
            &[OUTER],
            "HNNNNNDDD",
            true,
        ),
        (
            "outer fork into the inner one",
            |plan| hands_to(plan, OUTER, INNER),
            [true, true],
            &[OUTER],
            "HNDDNDNDD",
            true,
        ),
        (
            "node of an inner branch to the outer join",
            |plan| hands_to(plan, YES, JOINS),
            [true, true],
            &[YES],
            "DDDHNNNDD",
            true,
        ),
        (
            "node of an inner branch to the last node",
            |plan| hands_to(plan, YES, LAST),
            [true, true],
            &[YES],
            "DDDHNNNND",
            true,
        ),
        (
            "handler that fails too",
            |plan| hands_to(plan, INNER, JOINS),
            [true, true],
            &[INNER, JOINS],
            "DDHNNNNFB",
            false,
        ),
        (
            "handler apart from everything, not needed",
            |plan| {
                with_handler(plan);
                hands_to(plan, INNER, HANDLER);
            },
            [true, true],
            &[],
            "DDDDNDNDDN",
            true,
        ),
        (
            "handler apart from everything",
            |plan| {
                with_handler(plan);
                hands_to(plan, INNER, HANDLER);
            },
            [true, true],
            &[INNER],
            "DDHNNNNNND",
            true,
        ),
        (
            "handler of an inner fork that never ran",
            |plan| {
                with_handler(plan);
                hands_to(plan, INNER, HANDLER);
            },
            [false, true],
            &[INNER],
            "DNNNNNDDDN",
            true,
        ),
    ]);
}

#[test]
fn jumps_after_success_lead_into_and_out_of_nested_branches() {
    hold(&[
        (
            "over the inner fork into one of its branches",
            |plan| plan.nodes[WORK].on_success = Some(node_id(YES)),
            [true, true],
            &[],
            "DDNDNDNDD",
            true,
        ),
        (
            "out of the inner branch to the outer join",
            |plan| plan.nodes[YES].on_success = Some(node_id(JOINS)),
            [true, true],
            &[],
            "DDDDNNNDD",
            true,
        ),
        (
            "of a branch that was not taken",
            |plan| plan.nodes[NO].on_success = Some(node_id(JOINS)),
            [true, true],
            &[],
            "DDDDNDNDD",
            true,
        ),
    ]);
}

#[test]
fn a_loop_in_a_nested_branch_ends_like_any_node() {
    fn looping(plan: &mut Plan) {
        let body = LoopBody::Plan(SubPlanTask {
            sub_plan_id: "Round".to_owned(),
            prompt: String::new(),
        });
        plan.nodes[YES].kind = NodeKind::Loop(LoopTask {
            body,
            max_iterations: 3,
            loop_condition: None,
        });
    }
    hold(&[
        ("done", looping, [true, true], &[], "DDDDNDNDD", true),
        (
            "in the inner branch not chosen",
            looping,
            [true, false],
            &[YES],
            "DDDNDDNDD",
            true,
        ),
        (
            "in the outer branch not chosen",
            looping,
            [false, true],
            &[YES],
            "DNNNNNDDD",
            true,
        ),
        ("fails", looping, [true, true], &[YES], "DDDFNBNBB", false),
        (
            "tolerated",
            |plan| {
                looping(plan);
                tolerates(plan, YES);
            },
            [true, true],
            &[YES],
            "DDDTNDNDD",
            true,
        ),
        (
            "handled at the outer join",
            |plan| {
                looping(plan);
                hands_to(plan, YES, JOINS);
            },
            [true, true],
            &[YES],
            "DDDHNNNDD",
            true,
        ),
    ]);
}
