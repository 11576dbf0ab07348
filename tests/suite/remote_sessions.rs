//! Tests sessions whose keeper isn't visible from here, such as in a container on another machine
//! that shares the data directory.

use std::path::PathBuf;

use baton_api::Role;
use baton_api::wire::*;
use baton_model::{NodeState, RunId, RunState};
use baton_tests::test_environment::{id, node, state, state_labels};
use baton_tests::{Shell, TestEnvironment, processes};

/// Starts a run in a shell, ends that shell, and makes its running session look like one on another
/// machine.
fn left_elsewhere(env: &TestEnvironment, more: &str) -> RunId {
    let shell = Shell::new(env);
    let line = "echo begun >> ledger; while [ ! -f go ]; do sleep 0.02; done; echo ended >> ledger";
    let plan = format!(
        "baton: 1\ntitle: Far\ncwd: .\nnodes:\n  - {{id: far, kind: command, command: '{line}'{more}}}\n"
    );
    let baton = shell.start(&[
        "run",
        &shell.plan_file("far.yaml", &plan),
        "--yes",
        "--json",
    ]);
    processes::wait("the session starts", || {
        if env.read("ledger").is_empty() {
            Err("not yet".to_owned())
        } else {
            Ok(())
        }
    });
    processes::wait("its start is stored", || {
        let list: Vec<RunSummary> = env
            .call(
                "runs_list",
                RunsFilter {
                    plan: None,
                    limit: 1,
                },
            )
            .expect("runs");
        let is_running = |run: &RunSummary| {
            let view: RunView = env
                .call("run_get", RunRef { run: run.id })
                .expect("the run exists");
            *state(&view, "far") == NodeState::Running
        };
        if list.iter().any(is_running) {
            Ok(())
        } else {
            Err("not yet".to_owned())
        }
    });
    assert!(baton.kill());
    let claim = claim(env);
    let mut text: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&claim).expect("a claim")).expect("JSON");
    text["host"] = "far-away".into();
    text["bootId"] = "00000000-0000-0000-0000-000000000000".into();
    text["pidNamespace"] = "pid:[1]".into();
    // Written in place, because the keeper holds a lock on this file.
    std::fs::write(&claim, text.to_string()).expect("enough disk space");
    let list: Vec<RunSummary> = env
        .call(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 1,
            },
        )
        .expect("runs");
    list[0].id
}

fn claim(env: &TestEnvironment) -> PathBuf {
    let sessions = std::fs::read_dir(env.data().join("sessions")).expect("sessions");
    let claims = sessions
        .flatten()
        .map(|session| session.path().join("claim"));
    claims
        .into_iter()
        .find(|claim| claim.exists())
        .expect("a session has started")
}

fn go(env: &TestEnvironment) {
    std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
}

#[test]
fn remote_session_is_followed_and_started_once() {
    let env = TestEnvironment::new();
    let run = left_elsewhere(&env, ", afterCrash: restart");
    let window = env.second_process(Role::Window);
    processes::wait("the window takes over", || {
        if window.app.executes(run) {
            Ok(())
        } else {
            Err(String::new())
        }
    });
    let view: RunView = window
        .call("run_get", RunRef { run })
        .expect("the run exists");
    assert_eq!(
        *state(&view, "far"),
        NodeState::Running,
        "{:?}",
        state_labels(&view)
    );
    go(&env);
    let view = window.finish(run);
    assert_eq!(
        view.summary.state,
        RunState::Completed,
        "{:?}",
        state_labels(&view)
    );
    assert_eq!(
        (env.read("ledger").as_str(), node(&view, "far").attempt.0),
        ("begun\nended\n", 1)
    );
}

#[test]
fn remote_session_is_abandoned_only_by_a_person() {
    let env = TestEnvironment::new();
    let run = left_elsewhere(&env, ", afterCrash: restart");
    let window = env.second_process(Role::Window);
    processes::wait("the window takes over", || {
        if window.app.executes(run) {
            Ok(())
        } else {
            Err(String::new())
        }
    });
    let view: RunView = window
        .call("run_get", RunRef { run })
        .expect("the run exists");
    let _: RunSummary = window
        .call(
            "node_stop",
            NodeRef {
                run,
                node: id(&view, "far"),
            },
        )
        .expect("the run is active");
    let view = window.wait_until(run, |view| {
        matches!(state(view, "far"), NodeState::Interrupted { .. })
    });
    assert_eq!(
        (env.read("ledger").as_str(), node(&view, "far").attempt.0),
        ("begun\n", 1),
        "not started again"
    );
    go(&env);
    processes::wait_for_none(env.data());
}
