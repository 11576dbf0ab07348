//! Tests the outcome of runs with failures, jumps and conditions, for real.

use baton_api::wire::*;
use baton_model::run::SkipReason;
use baton_model::{NodeState, RunState};
use baton_tests::TestEnvironment;
use baton_tests::shell::{CommandOutput, Shell};
use baton_tests::test_environment::{id, node, state, state_labels};

/// Runs a plan file with `baton run`.
fn run(env: &TestEnvironment, text: &str) -> CommandOutput {
    let shell = Shell::new(env);
    let file = shell.plan_file("plan.yaml", text);
    shell.run(&["run", &file, "--yes"])
}

/// Returns the latest run of the only plan.
fn latest(env: &TestEnvironment) -> RunView {
    let runs: Vec<RunSummary> = env
        .call(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 1,
            },
        )
        .expect("a list");
    env.view(runs[0].id)
}

#[test]
fn failure_with_a_started_handler_fails_the_run() {
    let env = TestEnvironment::new();
    let said = run(
        &env,
        "
baton: 1
title: Begun
concurrency: 2
nodes:
  - {id: h, kind: command, command: 'touch handled'}
  - {id: a, kind: command, command: 'exit 1', onFailure: h}
  - {id: b, kind: command, command: 'while [ ! -e handled ]; do sleep 0.05; done; exit 2', onFailure: h}
",
    );
    let view = latest(&env);
    assert_eq!(
        (said.code, state_labels(&view)),
        (Some(1), lines(&["h done", "a failed", "b failed"])),
        "{}",
        said.out
    );
    assert!(matches!(
        state(&view, "a"),
        NodeState::Failed {
            went_on_at: Some(_),
            ..
        }
    ));
    assert!(
        matches!(
            state(&view, "b"),
            NodeState::Failed {
                went_on_at: None,
                ..
            }
        ),
        "no handler runs"
    );
}

#[test]
fn failure_with_a_disabled_handler_fails_the_run() {
    let env = TestEnvironment::new();
    let said = run(
        &env,
        "
baton: 1
title: Disabled
nodes:
  - {id: a, kind: command, command: 'exit 1', onFailure: h}
  - {id: h, kind: command, command: 'touch handled', disabled: true}
",
    );
    assert_eq!(
        (said.code, env.read("handled")),
        (Some(1), String::new()),
        "{}",
        said.out
    );
    assert!(matches!(
        latest(&env).summary.state,
        RunState::Failed { .. }
    ));
}

#[test]
fn failure_with_a_handler_on_a_skipped_branch_fails_the_run() {
    let env = TestEnvironment::new();
    let said = run(
        &env,
        "
baton: 1
title: Not taken
nodes:
  - {id: fork, kind: condition, condition: 'true', trueStep: yes, falseStep: no}
  - {id: yes, kind: command, command: 'true'}
  - {id: no, kind: command, command: 'true'}
  - {id: a, kind: command, command: 'exit 1', dependsOn: [yes], onFailure: h}
  - {id: h, kind: command, command: 'touch handled', dependsOn: [no]}
",
    );
    let view = latest(&env);
    assert_eq!(said.code, Some(1), "{}", said.out);
    assert_eq!(
        state_labels(&view),
        [
            "fork done",
            "yes done",
            "no skipped",
            "a failed",
            "h blocked"
        ]
    );
}

#[test]
fn failure_with_a_skipped_handler_fails_the_run() {
    let env = TestEnvironment::new();
    let start = env.start(
        "
baton: 1
title: Skipped
nodes:
  - {id: a, kind: command, command: 'while [ ! -e go ]; do sleep 0.05; done; exit 1', onFailure: h}
  - {id: h, kind: command, command: 'touch handled'}
",
    );
    let run = start.summary.id;
    let view = env.wait_until(run, |view| *state(view, "a") == NodeState::Running);
    let input = NodeRef {
        run,
        node: id(&view, "h"),
    };
    let _: serde_json::Value = env
        .call("node_skip", input)
        .expect("the node hasn't started");
    std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
    let view = env.finish(run);
    assert_eq!(state_labels(&view), ["a failed", "h skipped"]);
    assert!(
        matches!(view.summary.state, RunState::Failed { .. }),
        "{:?}",
        view.summary.state
    );
}

/// Regression: the slot of a failed node went to the next reserved node before
/// the failure was handled.
#[test]
fn nodes_skipped_by_a_jump_never_start() {
    for concurrency in [1, 2, 3] {
        let env = TestEnvironment::new();
        let plan = format!(
            "
baton: 1
title: Jump
concurrency: {concurrency}
nodes:
  - {{id: root, kind: command, command: 'true'}}
  - {{id: beside, kind: command, command: 'while [ ! -e handled ]; do sleep 0.05; done', dependsOn: [root], priority: 10, disabled: {alone}}}
  - {{id: other, kind: command, command: 'while [ ! -e handled ]; do sleep 0.05; done', dependsOn: [root], priority: 10, disabled: {few}}}
  - {{id: a, kind: command, command: 'exit 1', dependsOn: [root], priority: 9, onFailure: h}}
  - {{id: b, kind: command, command: 'echo b >> ledger', dependsOn: [root]}}
  - {{id: c, kind: command, command: 'echo c >> ledger', dependsOn: [root]}}
  - {{id: d, kind: command, command: 'echo d >> ledger', dependsOn: [root]}}
  - {{id: h, kind: command, command: 'touch handled', priority: 10}}
",
            alone = concurrency < 2,
            few = concurrency < 3,
        );
        let said = run(&env, &plan);
        let view = latest(&env);
        assert_eq!(
            (said.code, env.read("ledger")),
            (Some(0), String::new()),
            "at {concurrency}: {}",
            said.out
        );
        for between in ["b", "c", "d"] {
            let reason = SkipReason::JumpedOver { by: id(&view, "a") };
            assert_eq!(
                state(&view, between),
                &NodeState::Skipped { reason },
                "at {concurrency}"
            );
            assert_eq!(
                node(&view, between).attempt.0,
                0,
                "the node was never started"
            );
        }
    }
}

/// The low-priority node was reserved while the other one still waited for its parent. The slot of
/// the parent must go to the higher priority.
#[test]
fn higher_priority_node_starts_before_a_reserved_one() {
    let env = TestEnvironment::new();
    let said = run(
        &env,
        "
baton: 1
title: Priorities
concurrency: 1
nodes:
  - {id: first, kind: command, command: 'echo first >> ledger', priority: 9}
  - {id: low, kind: command, command: 'echo low >> ledger', priority: 1}
  - {id: high, kind: command, command: 'echo high >> ledger', priority: 10, dependsOn: [first]}
",
    );
    assert_eq!(
        (said.code, env.read("ledger").as_str()),
        (Some(0), "first\nhigh\nlow\n"),
        "{}",
        said.out
    );
}

#[test]
fn failed_condition_takes_no_branch() {
    let env = TestEnvironment::new();
    let said = run(
        &env,
        "
baton: 1
title: Fork
nodes:
  - {id: n, kind: command, command: 'echo n=1 >> $BATON_OUTPUT'}
  - {id: fork, kind: condition, condition: 'nodes.n.outputs.nothing > 3', dependsOn: [n], trueStep: yes, falseStep: no, onFailure: skip}
  - {id: yes, kind: command, command: 'echo yes >> ledger'}
  - {id: no, kind: command, command: 'echo no >> ledger'}
  - {id: after, kind: command, command: 'echo after >> ledger', dependsOn: [fork]}
",
    );
    let view = latest(&env);
    assert_eq!(env.read("ledger"), "after\n", "{}", said.out);
    assert_eq!(
        state_labels(&view),
        [
            "n done",
            "fork skipped",
            "yes skipped",
            "no skipped",
            "after done"
        ]
    );
    assert_eq!(said.code, Some(0));
}

/// The rows of the README's table that aren't covered by other tests in this file.
#[test]
fn trigger_rules_depend_on_parent_outcomes() {
    let env = TestEnvironment::new();
    let said = run(
        &env,
        "
baton: 1
title: Rules
nodes:
  - {id: tolerated, kind: command, command: 'exit 1', onFailure: skip}
  - {id: handled, kind: command, command: 'exit 1', onFailure: h}
  - {id: h, kind: command, command: 'true'}
  - {id: off, kind: command, command: 'true', disabled: true}
  - {id: t_all, kind: command, command: 'true', dependsOn: [tolerated], triggerRule: all_success}
  - {id: t_none_failed, kind: command, command: 'true', dependsOn: [tolerated], triggerRule: none_failed}
  - {id: t_one_success, kind: command, command: 'true', dependsOn: [tolerated], triggerRule: one_success}
  - {id: t_one_failed, kind: command, command: 'true', dependsOn: [tolerated], triggerRule: one_failed}
  - {id: h_all, kind: command, command: 'true', dependsOn: [handled]}
  - {id: h_one_failed, kind: command, command: 'true', dependsOn: [handled], triggerRule: one_failed}
  - {id: h_all_done, kind: command, command: 'true', dependsOn: [handled], triggerRule: all_done}
  - {id: p_one_success, kind: command, command: 'true', dependsOn: [off], triggerRule: one_success}
  - {id: around, kind: command, command: 'true', dependsOn: [handled, h]}
",
    );
    let view = latest(&env);
    let expected = [
        "tolerated skipped",
        "handled failed",
        "h done",
        "off skipped",
        "t_all done",
        "t_none_failed skipped",
        "t_one_success skipped",
        "t_one_failed done",
        "h_all skipped",
        "h_one_failed done",
        "h_all_done done",
        "p_one_success done",
        "around skipped",
    ];
    assert_eq!(
        (said.code, state_labels(&view)),
        (Some(0), lines(&expected)),
        "{}",
        said.out
    );
    let because = |slug: &str| NodeState::Skipped {
        reason: SkipReason::RuleNotMet {
            because: Some(id(&view, slug)),
        },
    };
    assert_eq!(state(&view, "t_none_failed"), &because("tolerated"));
    assert_eq!(state(&view, "h_all"), &because("handled"));
}

fn lines(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}
