//! Tests failed runs that are retried from their failed nodes, for real.

use baton_api::wire::*;
use baton_model::RunState;
use baton_tests::TestEnvironment;
use baton_tests::shell::Shell;
use baton_tests::test_environment::{node, state_labels};

/// `b` fails until the file `fixed` exists, which it creates when it fails. `clean` always runs.
const PLAN: &str = "
baton: 1
title: Retried
planRetries: 1
nodes:
  - {id: a, kind: command, command: 'echo a >> ledger'}
  - {id: b, kind: command, dependsOn: [a], command: 'echo b >> ledger; [ -e fixed ] || { touch fixed; exit 3; }'}
  - {id: c, kind: command, dependsOn: [b], command: 'echo c >> ledger'}
  - {id: clean, kind: command, dependsOn: [c], triggerRule: all_done, command: 'echo clean >> ledger'}
";

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
fn failed_run_is_retried_and_completes() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let file = shell.plan_file("plan.yaml", PLAN);
    let said = shell.run(&["run", &file, "--yes"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(
        said.out.contains(
            "the run failed and restarts from 'b', and 1 node after it: retry 1 of 1, in "
        ),
        "{}",
        said.out
    );
    assert_eq!(env.read("ledger"), "a\nb\nclean\nb\nc\nclean\n");
    let view = latest(&env);
    assert_eq!(
        (view.summary.state.clone(), node(&view, "b").attempt.0),
        (RunState::Completed, 2)
    );
    let progress = |after| -> RunProgress {
        let run = view.summary.id;
        env.call("run_progress", RunProgressSince { run, after })
            .expect("progress")
    };
    assert_eq!(progress(0).retries, Some(1));
    assert_eq!(progress(1).retries, None, "only with everything");
}

#[test]
fn pending_retry_survives_its_executor() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let file = shell.plan_file("plan.yaml", PLAN);
    let mut baton = shell.start(&["run", &file, "--yes"]);
    let lines: Vec<String> = std::iter::from_fn(|| baton.next_line())
        .take_while(|line| !line.contains("retry 1 of 1"))
        .collect();
    assert!(baton.kill(), "baton exited before it was killed: {lines:?}");
    let said = shell.run(&["resume", "--all"]);
    assert_eq!(
        (said.code, env.read("ledger")),
        (Some(0), "a\nb\nclean\nb\nc\nclean\n".to_owned()),
        "{said:?}"
    );
    assert_eq!(latest(&env).summary.state, RunState::Completed);
}

#[test]
fn failed_run_without_retries_left_fails() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let file = shell.plan_file("plan.yaml", &PLAN.replace("touch fixed; ", ""));
    let said = shell.run(&["run", &file, "--yes"]);
    assert_eq!(
        (said.code, env.read("ledger")),
        (Some(1), "a\nb\nclean\nb\nclean\n".to_owned()),
        "{said:?}"
    );
    assert_eq!(state_labels(&latest(&env)).len(), 4);
}
