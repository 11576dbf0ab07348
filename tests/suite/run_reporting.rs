//! Tests how the command line reports runs.

use std::process::Stdio;

use baton_api::wire::*;
use baton_model::{NodeState, RunState};
use baton_tests::processes::{signal, wait};
use baton_tests::{Shell, TestEnvironment};

const CHAIN: &str = "baton: 1
title: Chain
cwd: .
nodes:
  - {id: a, kind: command, command: 'echo a >> ledger'}
  - {id: b, kind: command, dependsOn: [a], command: 'echo b >> ledger'}
  - {id: c, kind: command, dependsOn: [b], command: 'echo c >> ledger'}
";

#[test]
fn single_node_run_is_complete_and_can_be_continued() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let file = shell.plan_file("chain.yaml", CHAIN);
    let first = shell.run(&["run", &file, "--yes", "--node", "a"]);
    assert_eq!(first.code, Some(0), "{first:?}");
    assert!(
        first.out.contains("node done, 2 nodes not run"),
        "{first:?}"
    );
    let listed = shell.run(&["runs", "list"]);
    assert!(
        listed.out.contains("node done, 2 nodes not run"),
        "{listed:?}"
    );
    let resumed = shell.run(&["resume", "--all"]);
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
    assert!(resumed.err.contains("No unfinished runs"), "{resumed:?}");
    let second = shell.run(&["run", &file, "--yes"]);
    assert_eq!(second.code, Some(0), "{second:?}");
    assert!(
        !second.err.contains("is not finished"),
        "no warning of an unfinished run: {second:?}"
    );
    assert_eq!(
        env.read("ledger"),
        "a\nb\nc\n",
        "finished nodes don't run again"
    );
    let runs: Vec<RunSummary> = env
        .call(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 9,
            },
        )
        .expect("runs");
    assert_eq!(runs.len(), 1, "one run: {runs:?}");
    assert_eq!(runs[0].state, RunState::Completed);
}

#[test]
fn skipped_failure_is_shown_in_summary_and_lists() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let plan = "baton: 1
title: Tolerant
cwd: .
nodes:
  - {id: lint, kind: command, command: 'exit 3', onFailure: skip}
  - {id: build, kind: command, dependsOn: [lint], command: 'true'}
";
    let file = shell.plan_file("tolerant.yaml", plan);
    let said = shell.run(&["run", &file, "--yes"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(
        said.out.contains("completed, 1 failure skipped"),
        "{said:?}"
    );
    assert!(
        said.out
            .contains("lint: ended with exit code 3; the run continued without it"),
        "{said:?}"
    );
    let shown = shell.run(&["runs", "show", "Tolerant"]);
    assert!(shown.out.contains("failed, skipped"), "{shown:?}");
    assert!(
        shown.out.contains("completed, 1 failure skipped"),
        "{shown:?}"
    );
    let plans: Vec<PlanSummary> = env.call("plans_list", Nothing {}).expect("plans");
    let last = plans
        .into_iter()
        .find(|plan| plan.title == "Tolerant")
        .and_then(|plan| plan.last_run)
        .expect("the plan has a run");
    let runs: Vec<RunSummary> = env
        .call(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 9,
            },
        )
        .expect("runs");
    for progress in [&last.progress, &runs[0].progress] {
        assert_eq!(
            progress[..],
            [NodeStatus::FailedSkipped, NodeStatus::Done],
            "the progress bar distinguishes it from other skips"
        );
    }
    let listed = shell.run(&["runs", "list"]);
    assert!(
        listed.out.contains("2/2"),
        "it counts as completed: {listed:?}"
    );
    let counted = shell.run(&["stats"]);
    assert!(
        counted.out.contains("1 completed with skipped failures"),
        "{counted:?}"
    );
}

#[test]
fn clean_up_runs_after_the_time_limit_and_the_run_fails_for_time() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let plan = "baton: 1
title: Late
cwd: .
timeoutMs: 50
nodes:
  - {id: endless, kind: command, command: 'sleep 600'}
  - {id: clean, kind: command, dependsOn: [endless], triggerRule: all_done, command: 'echo clean > cleaned'}
";
    let file = shell.plan_file("late.yaml", plan);
    let said = shell.run(&["run", &file, "--yes"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert_eq!(env.read("cleaned"), "clean\n");
    assert!(
        said.out
            .contains("the run exceeded its time limit of 50 ms. Not finished: 'endless'"),
        "{said:?}"
    );
}

#[test]
fn second_ctrl_c_detaches_and_resume_continues() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    // Ignores SIGTERM until the file exists.
    let plan = "baton: 1
title: Stubborn
cwd: .
nodes:
  - {id: deaf, kind: command, command: 'trap \"\" TERM; touch began; while [ ! -e go ]; do sleep 0.05; done; echo done > ledger'}
  - {id: after, kind: command, dependsOn: [deaf], command: 'echo after >> ledger'}
";
    let file = shell.plan_file("stubborn.yaml", plan);
    let complaints = env.work_dir.path().join("complaints");
    let errors = std::fs::File::create(&complaints).expect("enough disk space");
    let running = baton_tests::shell::RunningCommand::with_stderr(
        shell.baton(&["run", &file, "--yes"]),
        Stdio::from(errors),
    );
    let began = env.work_dir.path().join("began");
    wait("the node starts", || {
        began
            .exists()
            .then_some(())
            .ok_or_else(|| "not yet".to_owned())
    });
    wait("the start is stored", || {
        let runs: Vec<RunSummary> = env
            .call(
                "runs_list",
                RunsFilter {
                    plan: None,
                    limit: 9,
                },
            )
            .expect("runs");
        let nodes = runs
            .first()
            .map(|run| env.view(run.id).nodes)
            .unwrap_or_default();
        let is_running = nodes
            .first()
            .is_some_and(|node| node.state == NodeState::Running);
        is_running.then_some(()).ok_or_else(|| format!("{nodes:?}"))
    });
    let said = |words: &'static str| {
        let complaints = complaints.clone();
        move || {
            let text = std::fs::read_to_string(&complaints).expect("a file");
            if text.contains(words) {
                Ok(text)
            } else {
                Err(text)
            }
        }
    };
    signal("-INT", running.pid());
    wait("the cancellation is reported", said("ending 1 session"));
    signal("-INT", running.pid());
    let (status, _) = running.end();
    assert_eq!(status.code(), Some(130));
    let text = said("still running: 'deaf'")().expect("the running node is named");
    assert!(text.contains("Resume with: baton resume"), "{text}");
    std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
    let resumed = shell.run(&["resume", "--all"]);
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
    assert_eq!(env.read("ledger"), "done\nafter\n");
    let runs: Vec<RunSummary> = env
        .call(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 9,
            },
        )
        .expect("runs");
    assert_eq!(
        runs[0].state,
        RunState::Completed,
        "the run wasn't canceled"
    );
    let view = env.view(runs[0].id);
    assert!(
        view.nodes
            .iter()
            .all(|node| matches!(node.state, NodeState::Done { .. })),
        "{view:?}"
    );
}
