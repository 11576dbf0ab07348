//! Tests several Baton processes on the same data: windows, servers and shells.

use std::sync::Barrier;
use std::thread;

use baton_api::wire::*;
use baton_api::{ApiError, Code, Role};
use baton_model::{NodeState, RunState};
use baton_tests::test_environment::{id, state, state_labels};
use baton_tests::{Shell, TestEnvironment, processes};

/// Two nodes, the first of which waits for the file `go`.
const WAITING: &str = "
baton: 1
title: Waiting
nodes:
  - {id: first, kind: command, command: 'echo first >> ledger; while [ ! -f go ]; do sleep 0.02; done'}
  - {id: second, kind: command, dependsOn: [first], command: 'echo second >> ledger'}
";

fn go(env: &TestEnvironment) {
    std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
}

#[test]
fn another_process_can_watch_pause_and_resume_a_run() {
    let env = TestEnvironment::new();
    let window = env.second_process(Role::Window);
    let run = env.start(WAITING).summary.id;
    let seen = window.wait_until(run, |view| *state(view, "first") == NodeState::Running);
    let health = ExecutorHealth::Healthy;
    assert!(
        matches!(seen.summary.attendance, RunExecutorView::Elsewhere { health: found, pid, .. } if found == health && pid == std::process::id()),
        "another process executes it: {:?}",
        seen.summary.attendance
    );
    assert_eq!(env.view(run).summary.attendance, RunExecutorView::Here);
    let error = window.app.adopt(run).expect_err("its executor is alive");
    assert_eq!(error.code, Code::Busy);
    assert!(
        error
            .message
            .contains(&format!("process {}", std::process::id())),
        "{}",
        error.message
    );

    let _: RunSummary = window
        .call(
            "run_pause",
            RunPause {
                run,
                stop_running: false,
            },
        )
        .expect("the executor responds");
    go(&env);
    let paused = window.wait_until(run, |view| {
        matches!(view.summary.state, RunState::Paused { .. })
    });
    assert_eq!(state_labels(&paused), ["first done", "second pending"]);
    // A paused run has no executor; the process that resumes it becomes its executor.
    let _: RunSummary = window
        .call("run_resume", RunRef { run })
        .expect("the run is paused");
    let view = env.wait_until(run, |view| view.summary.state.has_ended());
    assert_eq!(view.summary.state, RunState::Completed);
    assert_eq!(env.read("ledger"), "first\nsecond\n");
}

#[test]
fn another_process_can_cancel_a_run_and_retry_its_node() {
    let env = TestEnvironment::new();
    let window = env.second_process(Role::Window);
    let run = env.start(WAITING).summary.id;
    let view = window.wait_until(run, |view| *state(view, "first") == NodeState::Running);
    let first = NodeRef {
        run,
        node: id(&view, "first"),
    };
    let refused = window
        .call::<RunSummary>("node_retry", &first)
        .expect_err("the run is active");
    assert_eq!(
        refused.code,
        Code::Refused,
        "the executor's error is returned: {}",
        refused.message
    );
    assert!(
        refused.message.contains("'first' is running"),
        "{}",
        refused.message
    );
    let _: RunSummary = window
        .call("run_cancel", RunRef { run })
        .expect("the executor responds");
    window.wait_until(run, |view| view.summary.state == RunState::Cancelled);
    processes::wait_for_none(env.data());

    go(&env);
    let _: RunSummary = window
        .call("node_retry", &first)
        .expect("the node was interrupted");
    let view = window.wait_until(run, |view| view.summary.state.has_ended());
    assert_eq!(
        view.summary.state,
        RunState::Completed,
        "{:?}",
        state_labels(&view)
    );
    assert_eq!(env.read("ledger"), "first\nfirst\nsecond\n");
}

#[test]
fn window_resumes_the_run_of_a_killed_shell() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let window = env.second_process(Role::Window);
    let file = shell.plan_file("plan.yaml", WAITING);
    let mut baton = shell.start(&["run", &file, "--yes", "--json"]);
    processes::wait("the run starts", || {
        if env.read("ledger").is_empty() {
            Err("not yet".to_owned())
        } else {
            Ok(())
        }
    });
    let runs: Vec<RunSummary> = window
        .call(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 5,
            },
        )
        .expect("runs");
    let run = runs[0].id;
    let shells = |attendance| {
        matches!(
            attendance,
            RunExecutorView::Elsewhere {
                kind: ExecutorKind::Cli,
                ..
            }
        )
    };
    assert!(shells(runs[0].attendance), "the shell is the executor");
    assert_eq!(
        window.app.adopt(run).expect_err("the shell is alive").code,
        Code::Busy
    );
    // The run has started according to its events, so that there is something to lose.
    assert!(baton.next_line().is_some());
    assert!(baton.kill());

    processes::wait("the window takes over automatically", || {
        if window.app.executes(run) {
            Ok(())
        } else {
            Err(format!("{:?}", window.view(run).summary.attendance))
        }
    });
    go(&env);
    assert_eq!(window.finish(run).summary.state, RunState::Completed);
    assert_eq!(
        env.read("ledger"),
        "first\nsecond\n",
        "nothing was started twice"
    );
}

#[test]
fn command_reaches_the_new_executor_after_a_crash() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let file = shell.plan_file("plan.yaml", WAITING);
    let baton = shell.start(&["run", &file, "--yes", "--json"]);
    processes::wait("the run starts", || {
        if env.read("ledger").is_empty() {
            Err("not yet".to_owned())
        } else {
            Ok(())
        }
    });
    let runs: Vec<RunSummary> = env
        .call(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 5,
            },
        )
        .expect("runs");
    let run = runs[0].id;
    // A stopped process is alive, but can't respond.
    processes::stop_at_write(baton.pid(), env.data(), false);
    thread::scope(|scope| {
        let asked = scope.spawn(|| env.call::<RunSummary>("run_cancel", RunRef { run }));
        processes::wait("the request is stored for the executor", || {
            let path = env.data().join("baton.db");
            let database = rusqlite::Connection::open(path).map_err(|error| error.to_string())?;
            let open = "SELECT COUNT(*) FROM requests WHERE outcome IS NULL";
            let open: i64 = database
                .query_row(open, [], |row| row.get(0))
                .map_err(|error| error.to_string())?;
            if open == 1 {
                Ok(())
            } else {
                Err("not yet".to_owned())
            }
        });
        processes::signal("-KILL", baton.pid());
        asked
            .join()
            .expect("no panic")
            .expect("this process takes over the run and cancels it");
    });
    let view = env.wait_until(run, |view| view.summary.state.has_ended());
    assert_eq!(view.summary.state, RunState::Cancelled);
    processes::wait_for_none(env.data());
    assert!(baton.kill());
}

#[test]
fn concurrent_edits_conflict_without_data_loss() {
    let env = TestEnvironment::new();
    let window = env.second_process(Role::Window);
    let opened = env.import(WAITING);
    let same: PlanView = window
        .call(
            "plan_get",
            PlanRef {
                plan: opened.plan.id,
            },
        )
        .expect("the plan exists");
    let mut mine = opened.plan.clone();
    mine.title = "Mine".to_owned();
    let mut theirs = same.plan.clone();
    theirs.description = "Theirs".to_owned();
    let saved: PlanSaved = env
        .call(
            "plan_save",
            PlanSave {
                plan: mine,
                base_revision: opened.revision,
            },
        )
        .expect("the first edit succeeds");
    let late = PlanSave {
        plan: theirs,
        base_revision: same.revision,
    };
    let error = window
        .call::<PlanSaved>("plan_save", &late)
        .expect_err("the base revision is outdated");
    assert_eq!(error.code, Code::Conflict);
    assert!(
        error.message.contains("changed in the meantime"),
        "{}",
        error.message
    );

    let stored: PlanView = window
        .call(
            "plan_get",
            PlanRef {
                plan: opened.plan.id,
            },
        )
        .expect("the plan exists");
    assert_eq!(
        (stored.plan.title.as_str(), stored.plan.description.as_str()),
        ("Mine", "")
    );
    let mut again = stored.plan.clone();
    again.description = "Theirs".to_owned();
    let save = PlanSave {
        plan: again,
        base_revision: stored.revision,
    };
    let both: PlanSaved = window
        .call("plan_save", save)
        .expect("the base revision is current");
    assert_eq!(both.version, saved.version + 1);
    let first = PlanVersionRef {
        plan: opened.plan.id,
        version: opened.version,
    };
    let first: baton_model::Plan = window
        .call("plan_version_get", first)
        .expect("versions are kept");
    assert_eq!(first.title, "Waiting");
    let error = env.call::<PlanView>(
        "plan_approve",
        PlanApprove {
            plan: opened.plan.id,
            revision: saved.revision,
            anyway: false,
        },
    );
    assert_eq!(
        error.expect_err("the approved revision is outdated").code,
        Code::Conflict
    );
}

#[test]
fn running_plan_cannot_be_deleted() {
    let env = TestEnvironment::new();
    let window = env.second_process(Role::Window);
    let run = env.start(WAITING);
    let plan = run.summary.plan;
    for (who, baton) in [("its executor", &env), ("another window", &window)] {
        let error = baton
            .call::<Done>("plan_delete", PlanRef { plan })
            .expect_err("the plan is running");
        assert_eq!(error.code, Code::Refused, "{who}: {}", error.message);
        assert!(
            error
                .full_message()
                .contains("The plan is running. Cancel its run first."),
            "{who}: {}",
            error.message
        );
    }
    go(&env);
    env.finish(run.summary.id);
    let _: Done = window
        .call("plan_delete", PlanRef { plan })
        .expect("the run has ended");
    assert_eq!(
        env.call::<PlanView>("plan_get", PlanRef { plan })
            .expect_err("the plan is deleted")
            .code,
        Code::Deleted
    );
    let _: Done = window
        .call("plan_purge", PlanRef { plan })
        .expect("the plan is deleted");
    let left = std::fs::read_dir(env.data().join("sessions"))
        .expect("the sessions folder exists")
        .count();
    assert_eq!(left, 0, "its session files are deleted");
}

#[test]
fn simultaneous_starts_run_the_plan_once() {
    let env = TestEnvironment::new();
    let window = env.second_process(Role::Window);
    for round in 0..5 {
        let _ = std::fs::remove_file(env.work_dir.path().join("go"));
        let plan = env.import_approved(WAITING).plan.id;
        let together = Barrier::new(2);
        let start = |baton: &TestEnvironment| -> Result<RunView, ApiError> {
            together.wait();
            baton.run(plan, RunGoal::All)
        };
        let (ours, theirs) = thread::scope(|scope| {
            let theirs = scope.spawn(|| start(&window));
            (start(&env), theirs.join().expect("no panic"))
        });
        let (first, refused) = match (ours, theirs) {
            (Ok(run), Err(refused)) | (Err(refused), Ok(run)) => (run, refused),
            (ours, theirs) => {
                panic!(
                    "round {round}: {:?} and {:?}",
                    ours.map(|run| run.summary),
                    theirs.map(|run| run.summary)
                )
            }
        };
        assert_eq!(refused.code, Code::Refused);
        assert!(
            refused.message.contains("already running"),
            "{}",
            refused.message
        );
        go(&env);
        env.wait_until(first.summary.id, |view| {
            view.summary.state == RunState::Completed
        });
    }
}

#[test]
fn simultaneous_shells_run_a_new_file_once() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let file = shell.plan_file("plan.yaml", WAITING);
    let both = [0, 1].map(|_| shell.start(&["run", &file, "--yes"]));
    processes::wait("one run starts", || {
        if env.read("ledger").is_empty() {
            Err("not yet".to_owned())
        } else {
            Ok(())
        }
    });
    // The first one's node waits for `go`, so that the second one has found a running plan by then.
    let refused = thread::scope(|scope| {
        let ends = both.map(|baton| scope.spawn(|| baton.end().0.code()));
        processes::wait("one is refused", || {
            if ends.iter().any(thread::ScopedJoinHandle::is_finished) {
                Ok(())
            } else {
                Err("both run".to_owned())
            }
        });
        go(&env);
        ends.map(|end| end.join().expect("no panic"))
    });
    let mut codes = refused;
    codes.sort_unstable();
    assert_eq!(
        codes,
        [Some(0), Some(2)],
        "one shell completed the run, the other was rejected"
    );
    assert_eq!(env.read("ledger"), "first\nsecond\n");
}

#[test]
fn commands_during_shutdown_are_answered_by_run_state() {
    let env = TestEnvironment::new();
    let plan = env
        .import_approved(
            "baton: 1\ntitle: Short\nnodes:\n  - {id: a, kind: command, command: 'true'}\n",
        )
        .plan
        .id;
    for _ in 0..15 {
        let run = env
            .run(plan, RunGoal::All)
            .expect("the run has ended")
            .summary
            .id;
        // The run ends while these commands are on their way. None may be lost between its two
        // dispatchers.
        loop {
            match env.call::<RunSummary>(
                "run_want",
                RunSetGoal {
                    run,
                    goal: RunGoal::All,
                    finished: Vec::new(),
                },
            ) {
                Ok(_) => {}
                Err(error) => {
                    assert_eq!(error.code, Code::Refused, "{}", error.message);
                    break;
                }
            }
        }
        env.finish(run);
    }
}

#[test]
fn unresponsive_executor_is_named_and_the_command_dropped() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let file = shell.plan_file("plan.yaml", WAITING);
    let baton = shell.start(&["run", &file, "--yes"]);
    processes::wait("the run starts", || {
        if env.read("ledger").is_empty() {
            Err("not yet".to_owned())
        } else {
            Ok(())
        }
    });
    let runs: Vec<RunSummary> = env
        .call(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 5,
            },
        )
        .expect("runs");
    let run = runs[0].id;
    // The start is stored by now: a process stopped during a write would block all other writers.
    env.wait_until(run, |view| *state(view, "first") == NodeState::Running);
    processes::stop_at_write(baton.pid(), env.data(), false);
    let error = env
        .call::<RunSummary>("run_cancel", RunRef { run })
        .expect_err("the executor is stopped");
    assert_eq!(error.code, Code::Busy);
    assert!(
        error.message.contains(&format!("Process {}", baton.pid())),
        "{}",
        error.message
    );
    processes::signal("-CONT", baton.pid());
    go(&env);
    let (status, output) = baton.end();
    assert_eq!(status.code(), Some(0), "the request was dropped: {output}");
}
