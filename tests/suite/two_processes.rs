//! Several Batons on the same data: windows, servers and shells that do not know of each other.

use std::sync::Barrier;
use std::thread;

use baton_api::wire::*;
use baton_api::{ApiError, Code, Role};
use baton_model::{NodeState, RunState};
use baton_tests::house::{id, state, words};
use baton_tests::{House, Shell, processes};

/// Two nodes of which the first one waits for the file `go`.
const WAITING: &str = "
baton: 1
title: Waiting
nodes:
  - {id: first, kind: command, command: 'echo first >> ledger; while [ ! -f go ]; do sleep 0.02; done'}
  - {id: second, kind: command, dependsOn: [first], command: 'echo second >> ledger'}
";

fn go(house: &House) {
    std::fs::write(house.place.path().join("go"), "").expect("room");
}

#[test]
fn a_run_is_watched_paused_and_resumed_from_another_process() {
    let house = House::new();
    let window = house.neighbor(Role::Window);
    let run = house.start(WAITING).summary.id;
    let seen = window.until(run, |view| *state(view, "first") == NodeState::Running);
    let health = ExecutorHealth::Healthy;
    assert!(
        matches!(seen.summary.attendance, Attendance::Elsewhere { health: found, pid, .. } if found == health && pid == std::process::id()),
        "it is executed, and not here: {:?}",
        seen.summary.attendance
    );
    assert_eq!(house.view(run).summary.attendance, Attendance::Here);
    let error = window.app.adopt(run).expect_err("its executor lives");
    assert_eq!(error.code, Code::Busy);
    assert!(
        error
            .message
            .contains(&format!("process {}", std::process::id())),
        "{}",
        error.message
    );

    let _: RunSummary = window
        .ask(
            "run_pause",
            RunPause {
                run,
                stop_running: false,
            },
        )
        .expect("the executor answers");
    go(&house);
    let paused = window.until(run, |view| {
        matches!(view.summary.state, RunState::Paused { .. })
    });
    assert_eq!(words(&paused), ["first done", "second pending"]);
    // Nobody executes a run that is paused: whoever resumes it does.
    let _: RunSummary = window
        .ask("run_resume", RunRef { run })
        .expect("it is paused");
    let view = house.until(run, |view| view.summary.state.has_ended());
    assert_eq!(view.summary.state, RunState::Completed);
    assert_eq!(house.read("ledger"), "first\nsecond\n");
}

#[test]
fn a_run_is_cancelled_and_its_node_retried_from_another_process() {
    let house = House::new();
    let window = house.neighbor(Role::Window);
    let run = house.start(WAITING).summary.id;
    let view = window.until(run, |view| *state(view, "first") == NodeState::Running);
    let first = NodeRef {
        run,
        node: id(&view, "first"),
    };
    let refused = window
        .ask::<RunSummary>("node_retry", &first)
        .expect_err("it runs");
    assert_eq!(
        refused.code,
        Code::Refused,
        "the executor's own words come back: {}",
        refused.message
    );
    assert!(
        refused.message.contains("'first' is running"),
        "{}",
        refused.message
    );
    let _: RunSummary = window
        .ask("run_cancel", RunRef { run })
        .expect("the executor answers");
    window.until(run, |view| view.summary.state == RunState::Cancelled);
    processes::wait_for_none(house.data());

    go(&house);
    let _: RunSummary = window
        .ask("node_retry", &first)
        .expect("it was interrupted");
    let view = window.until(run, |view| view.summary.state.has_ended());
    assert_eq!(
        view.summary.state,
        RunState::Completed,
        "{:?}",
        words(&view)
    );
    assert_eq!(house.read("ledger"), "first\nfirst\nsecond\n");
}

#[test]
fn a_window_goes_on_with_the_run_of_a_shell_that_was_killed() {
    let house = House::new();
    let shell = Shell::of(&house);
    let window = house.neighbor(Role::Window);
    let file = shell.plan_file("plan.yaml", WAITING);
    let mut baton = shell.start(&["run", &file, "--yes", "--json"]);
    processes::wait("it begins", || {
        if house.read("ledger").is_empty() {
            Err("not yet".to_owned())
        } else {
            Ok(())
        }
    });
    let runs: Vec<RunSummary> = window
        .ask(
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
            Attendance::Elsewhere {
                kind: ExecutorKind::Cli,
                ..
            }
        )
    };
    assert!(shells(runs[0].attendance), "the shell executes it");
    assert_eq!(
        window.app.adopt(run).expect_err("the shell lives").code,
        Code::Busy
    );
    // By its own words it has begun, so there is something to lose.
    assert!(baton.line().is_some());
    assert!(baton.kill());

    processes::wait("the window takes it up by itself", || {
        if window.app.executes(run) {
            Ok(())
        } else {
            Err(format!("{:?}", window.view(run).summary.attendance))
        }
    });
    go(&house);
    assert_eq!(window.finish(run).summary.state, RunState::Completed);
    assert_eq!(
        house.read("ledger"),
        "first\nsecond\n",
        "nothing was started twice"
    );
}

#[test]
fn a_wish_goes_to_whoever_has_the_run_when_its_executor_dies_meanwhile() {
    let house = House::new();
    let shell = Shell::of(&house);
    let file = shell.plan_file("plan.yaml", WAITING);
    let baton = shell.start(&["run", &file, "--yes", "--json"]);
    processes::wait("it begins", || {
        if house.read("ledger").is_empty() {
            Err("not yet".to_owned())
        } else {
            Ok(())
        }
    });
    let runs: Vec<RunSummary> = house
        .ask(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 5,
            },
        )
        .expect("runs");
    let run = runs[0].id;
    // A stopped process lives and cannot answer.
    processes::stop(baton.pid(), house.data(), false);
    thread::scope(|scope| {
        let asked = scope.spawn(|| house.ask::<RunSummary>("run_cancel", RunRef { run }));
        processes::wait("the wish is left for the executor", || {
            let path = house.data().join("baton.db");
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
            .expect("this process takes the run over and cancels it");
    });
    let view = house.until(run, |view| view.summary.state.has_ended());
    assert_eq!(view.summary.state, RunState::Cancelled);
    processes::wait_for_none(house.data());
    assert!(baton.kill());
}

#[test]
fn of_two_who_change_one_plan_the_second_is_told_and_nothing_is_lost() {
    let house = House::new();
    let window = house.neighbor(Role::Window);
    let opened = house.import(WAITING);
    let same: PlanView = window
        .ask(
            "plan_get",
            PlanRef {
                plan: opened.plan.id,
            },
        )
        .expect("it is there");
    let mut mine = opened.plan.clone();
    mine.title = "Mine".to_owned();
    let mut theirs = same.plan.clone();
    theirs.description = "Theirs".to_owned();
    let saved: PlanSaved = house
        .ask(
            "plan_save",
            PlanSave {
                plan: mine,
                base_revision: opened.revision,
            },
        )
        .expect("the first one");
    let late = PlanSave {
        plan: theirs,
        base_revision: same.revision,
    };
    let error = window
        .ask::<PlanSaved>("plan_save", &late)
        .expect_err("it was made on what is gone");
    assert_eq!(error.code, Code::Conflict);
    assert!(
        error.message.contains("changed meanwhile"),
        "{}",
        error.message
    );

    let stored: PlanView = window
        .ask(
            "plan_get",
            PlanRef {
                plan: opened.plan.id,
            },
        )
        .expect("it is there");
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
        .ask("plan_save", save)
        .expect("made on what is there");
    assert_eq!(both.version, saved.version + 1);
    let first = PlanVersionRef {
        plan: opened.plan.id,
        version: opened.version,
    };
    let first: baton_model::Plan = window
        .ask("plan_version_get", first)
        .expect("versions stay");
    assert_eq!(first.title, "Waiting");
    let error = house.ask::<PlanView>(
        "plan_approve",
        PlanApprove {
            plan: opened.plan.id,
            revision: saved.revision,
            anyway: false,
        },
    );
    assert_eq!(
        error.expect_err("that is not what would run").code,
        Code::Conflict
    );
}

#[test]
fn a_plan_that_runs_cannot_be_deleted_from_anywhere() {
    let house = House::new();
    let window = house.neighbor(Role::Window);
    let run = house.start(WAITING);
    let plan = run.summary.plan;
    for (who, baton) in [("its executor", &house), ("another window", &window)] {
        let error = baton
            .ask::<Done>("plan_delete", PlanRef { plan })
            .expect_err("it runs");
        assert_eq!(error.code, Code::Refused, "{who}: {}", error.message);
        assert!(
            error
                .in_full()
                .contains("The plan is running. Cancel its run first."),
            "{who}: {}",
            error.message
        );
    }
    go(&house);
    house.finish(run.summary.id);
    let _: Done = window
        .ask("plan_delete", PlanRef { plan })
        .expect("it runs no more");
    assert_eq!(
        house
            .ask::<PlanView>("plan_get", PlanRef { plan })
            .expect_err("it is gone")
            .code,
        Code::NotFound
    );
    let left = std::fs::read_dir(house.data().join("sessions"))
        .expect("the folder stays")
        .count();
    assert_eq!(left, 0, "its sessions' files are gone too");
}

#[test]
fn of_two_starts_of_one_plan_at_the_same_moment_one_is_refused() {
    let house = House::new();
    let window = house.neighbor(Role::Window);
    for round in 0..5 {
        let _ = std::fs::remove_file(house.place.path().join("go"));
        let plan = house.approved(WAITING).plan.id;
        let together = Barrier::new(2);
        let start = |baton: &House| -> Result<RunView, ApiError> {
            together.wait();
            baton.run(plan, RunGoal::All)
        };
        let (ours, theirs) = thread::scope(|scope| {
            let theirs = scope.spawn(|| start(&window));
            (start(&house), theirs.join().expect("no panic"))
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
            refused.message.contains("running already"),
            "{}",
            refused.message
        );
        go(&house);
        house.until(first.summary.id, |view| {
            view.summary.state == RunState::Completed
        });
    }
}

#[test]
fn two_shells_that_run_one_new_file_at_once_do_not_run_its_plan_twice() {
    let house = House::new();
    let shell = Shell::of(&house);
    let file = shell.plan_file("plan.yaml", WAITING);
    let both = [0, 1].map(|_| shell.start(&["run", &file, "--yes"]));
    processes::wait("one begins", || {
        if house.read("ledger").is_empty() {
            Err("not yet".to_owned())
        } else {
            Ok(())
        }
    });
    // The node of the first one waits for `go`, so the second one has met a running plan before this.
    let refused = thread::scope(|scope| {
        let ends = both.map(|baton| scope.spawn(|| baton.end().0.code()));
        processes::wait("one is refused", || {
            if ends.iter().any(thread::ScopedJoinHandle::is_finished) {
                Ok(())
            } else {
                Err("both run".to_owned())
            }
        });
        go(&house);
        ends.map(|end| end.join().expect("no panic"))
    });
    let mut codes = refused;
    codes.sort_unstable();
    assert_eq!(
        codes,
        [Some(0), Some(2)],
        "one ran it to its end, the other one could not"
    );
    assert_eq!(house.read("ledger"), "first\nsecond\n");
}

#[test]
fn wishes_that_meet_a_run_on_its_way_to_rest_are_answered_by_its_state() {
    let house = House::new();
    let plan = house
        .approved("baton: 1\ntitle: Short\nnodes:\n  - {id: a, kind: command, command: 'true'}\n")
        .plan
        .id;
    for _ in 0..15 {
        let run = house
            .run(plan, RunGoal::All)
            .expect("it does not run")
            .summary
            .id;
        // The run ends while these are on their way; none may be lost between its two dispatchers.
        loop {
            match house.ask::<RunSummary>(
                "run_want",
                RunWant {
                    run,
                    goal: RunGoal::All,
                },
            ) {
                Ok(_) => {}
                Err(error) => {
                    assert_eq!(error.code, Code::Refused, "{}", error.message);
                    break;
                }
            }
        }
        house.finish(run);
    }
}

#[test]
fn an_executor_that_does_not_answer_is_named_and_the_wish_does_not_come_true_later() {
    let house = House::new();
    let shell = Shell::of(&house);
    let file = shell.plan_file("plan.yaml", WAITING);
    let baton = shell.start(&["run", &file, "--yes"]);
    processes::wait("it begins", || {
        if house.read("ledger").is_empty() {
            Err("not yet".to_owned())
        } else {
            Ok(())
        }
    });
    let runs: Vec<RunSummary> = house
        .ask(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 5,
            },
        )
        .expect("runs");
    let run = runs[0].id;
    // Its start is stored: a process that is stopped in the middle of a write keeps everybody from writing.
    house.until(run, |view| *state(view, "first") == NodeState::Running);
    processes::stop(baton.pid(), house.data(), false);
    let error = house
        .ask::<RunSummary>("run_cancel", RunRef { run })
        .expect_err("it stands still");
    assert_eq!(error.code, Code::Busy);
    assert!(
        error.message.contains(&format!("Process {}", baton.pid())),
        "{}",
        error.message
    );
    processes::signal("-CONT", baton.pid());
    go(&house);
    let (status, told) = baton.end();
    assert_eq!(
        status.code(),
        Some(0),
        "nobody waits for the end of this run any more: {told}"
    );
}
