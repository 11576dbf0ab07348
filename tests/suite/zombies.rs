//! Tests executors that stall, crash or are closed while they execute a run, and takeovers of these
//! runs.
//!
//! A zombie is an executor that was stopped for longer than its lease, lost its run, and then wakes
//! up. None of its pending actions may take effect.

use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use baton_api::wire::*;
use baton_api::{Code, Role};
use baton_engine::Lease;
use baton_model::run::Event;
use baton_model::{NodeState, RunId, RunState};
use baton_tests::processes::{self, is_stopped, signal, wait};
use baton_tests::seeded_rng::SeededRng;
use baton_tests::shell::RunningCommand;
use baton_tests::test_environment::{id, state};
use baton_tests::{Shell, TestEnvironment};

/// Heartbeat interval, unhealthy and stale thresholds in milliseconds: short enough for a test, and
/// long enough for a busy machine.
const LEASE: &str = "100,500,2000";

/// A plan whose nodes record in a ledger that they ran. The last one waits for a file, so that the
/// run doesn't end early.
fn plan(title: &str, chain: usize) -> String {
    let mut text = format!("baton: 1\ntitle: {title}\ncwd: .\nconcurrency: 2\nnodes:\n");
    for number in 0..chain {
        let parents = if number == 0 {
            String::new()
        } else {
            format!("n{}", number - 1)
        };
        let command = format!("echo n{number} >> ledger-{title}");
        text += &format!(
            "  - {{id: n{number}, kind: command, dependsOn: [{parents}], command: '{command}'}}\n"
        );
    }
    let command =
        format!("echo last >> ledger-{title}; while [ ! -f go-{title} ]; do sleep 0.02; done");
    text += &format!(
        "  - {{id: last, kind: command, dependsOn: [n{}], command: '{command}'}}\n",
        chain - 1
    );
    text += &format!(
        "  - {{id: side, kind: command, command: 'echo side >> ledger-{title}; sleep 0.05'}}\n"
    );
    text
}

fn go(env: &TestEnvironment, title: &str) {
    std::fs::write(env.work_dir.path().join(format!("go-{title}")), "").expect("enough disk space");
}

/// Returns `baton` with a short lease.
fn baton(shell: &Shell, words: &[&str]) -> Command {
    let mut command = shell.baton(words);
    command.env("BATON_LEASE", LEASE);
    command
}

/// A worker that is ready. Killed when dropped.
struct Worker {
    child: Child,
    /// Its standard error.
    log: std::path::PathBuf,
}

impl Worker {
    fn start(shell: &Shell, lease: Option<&str>, name: &str, env: &TestEnvironment) -> Self {
        let mut command = shell.baton(&["worker", "--json"]);
        if let Some(lease) = lease {
            command.env("BATON_LEASE", lease);
        }
        let log = env.work_dir.path().join(format!("{name}.log"));
        let file = std::fs::File::create(&log).expect("enough disk space");
        let child = command
            .env("BATON_LOG", "warn")
            .stdout(Stdio::null())
            .stderr(file)
            .spawn()
            .expect("baton starts");
        let worker = Self { child, log };
        wait("the worker is listed", || {
            worker
                .view(env)
                .map(|_| ())
                .ok_or_else(|| "not yet".to_owned())
        });
        worker
    }

    fn pid(&self) -> u32 {
        self.child.id()
    }

    fn view(&self, env: &TestEnvironment) -> Option<ExecutorView> {
        let view: ExecutorsView = env.call("executors_list", Nothing {}).expect("executors");
        view.executors
            .into_iter()
            .find(|executor| executor.pid == self.pid())
    }

    fn has(&self, env: &TestEnvironment, run: RunId) -> bool {
        self.view(env)
            .is_some_and(|view| view.runs.iter().any(|executed| executed.run == run))
    }

    fn complaints(&self) -> String {
        let text = std::fs::read_to_string(&self.log).expect("the log exists");
        text.lines()
            .filter(|line| line.contains("ERROR"))
            .collect::<Vec<_>>()
            .join("\n")
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may already be dead.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn latest(env: &TestEnvironment, title: &str) -> Option<RunSummary> {
    let runs: Vec<RunSummary> = env
        .call(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 10_000,
            },
        )
        .expect("runs");
    runs.into_iter().find(|run| run.title == title)
}

fn begun(env: &TestEnvironment, title: &str) -> RunId {
    wait("the run starts", || {
        latest(env, title)
            .map(|run| run.id)
            .ok_or_else(|| "not yet".to_owned())
    })
}

fn history(env: &TestEnvironment, run: RunId) -> Vec<HistoryRow> {
    env.call(
        "run_history",
        RunHistory {
            run,
            after: 0,
            limit: 100_000,
        },
    )
    .expect("history")
}

/// Waits until the run has a new executor that has recorded the takeover.
fn taken_over(env: &TestEnvironment, run: RunId) -> TakeoverView {
    wait("the run is taken over", || {
        env.view(run).takeover.ok_or_else(|| "not yet".to_owned())
    })
}

/// Checks everything that must hold after the run, whichever processes executed it.
fn assert_whole(env: &TestEnvironment, title: &str, run: RunId) {
    let view = env.wait_until(run, |view| view.summary.state.has_ended());
    assert_eq!(
        view.summary.state,
        RunState::Completed,
        "{title}: {:#?}",
        view.nodes
    );
    assert!(
        view.nodes.iter().all(|node| node.attempt.0 == 1),
        "{title}: no attempt is lost: {:#?}",
        view.nodes
    );
    let text = env.read(&format!("ledger-{title}"));
    let mut ledger: Vec<&str> = text.lines().collect();
    ledger.sort_unstable();
    let mut expected: Vec<&str> = view
        .plan
        .nodes
        .iter()
        .map(|node| node.slug.as_str())
        .collect();
    expected.sort_unstable();
    assert_eq!(ledger, expected, "{title}: each node ran exactly once");
    let rows = history(env, run);
    let numbers: Vec<u64> = rows.iter().map(|row| row.seq).collect();
    assert_eq!(
        numbers,
        (1..=numbers.len() as u64).collect::<Vec<_>>(),
        "{title}: event numbers are consecutive"
    );
    for node in &view.nodes {
        let of = |what: fn(&Event) -> bool| {
            rows.iter()
                .filter(|row| row.event.node() == Some(node.node) && what(&row.event))
                .count()
        };
        assert_eq!(
            of(|event| matches!(event, Event::NodeReserved { .. })),
            1,
            "{title}: {rows:#?}"
        );
        assert_eq!(
            of(|event| matches!(event, Event::NodeEnded { .. })),
            1,
            "{title}: {rows:#?}"
        );
    }
}

/// Wakes a zombie and waits until it exits, which must happen without errors. Returns whether it
/// was still alive.
///
/// A zombie that was stopped during a write kept the database locked, so that the worker has killed
/// it.
fn wake(mut zombie: Child, complaints: &std::path::Path, what: &str) -> bool {
    signal("-CONT", zombie.id());
    let status = wait("the displaced process exits", || {
        match zombie.try_wait().expect("a child of this process") {
            Some(status) => Ok(status),
            None => Err(format!("{what}: still running")),
        }
    });
    let was_ended = status.signal() == Some(9);
    assert!(
        was_ended || matches!(status.code(), Some(0 | 1 | 130)),
        "{what}: {status:?}"
    );
    let said = std::fs::read_to_string(complaints).expect("the log exists");
    assert!(
        !said.contains("ERROR") && !said.contains("panicked"),
        "{what}: {said}"
    );
    !was_ended
}

/// Starts `baton run` with its standard error in a file.
fn executor(
    shell: &Shell,
    env: &TestEnvironment,
    file: &str,
    name: &str,
    stop_at: Option<&str>,
) -> (RunningCommand, std::path::PathBuf) {
    let log = env.work_dir.path().join(format!("{name}.complaints"));
    let mut command = baton(shell, &["run", file, "--yes", "--json"]);
    command.env("BATON_LOG", "warn");
    if let Some(point) = stop_at {
        command.env("BATON_STOP_AT", point);
    }
    let running = RunningCommand::with_stderr(
        command,
        std::fs::File::create(&log).expect("enough disk space"),
    );
    (running, log)
}

#[test]
fn woken_zombie_does_nothing_after_takeover() {
    let number = |name: &str, usual: u64| {
        std::env::var(name)
            .ok()
            .and_then(|text| text.parse().ok())
            .unwrap_or(usual)
    };
    let (rounds, seed) = (number("BATON_ROUNDS", 20), number("BATON_SEED", 20_261_121));
    println!("{rounds} rounds with BATON_SEED={seed}");
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let worker = Worker::start(&shell, Some(LEASE), "worker", &env);
    let mut rng = SeededRng::new(seed);
    let (mut woken, mut played) = (0, 0);
    for round in 0..rounds {
        let title = format!("round-{round}");
        let file = shell.plan_file(&format!("{title}.yaml"), &plan(&title, 4));
        let (mut zombie, log) = executor(&shell, &env, &file, &title, None);
        let lines = 1 + rng.next_below(12);
        let printed_lines = (0..lines)
            .take_while(|_| zombie.next_line().is_some())
            .count() as u64;
        assert_eq!(printed_lines, lines, "{title}: the last node waits");
        let moment = Duration::from_micros(rng.next_below(4000));
        let began = Instant::now();
        while began.elapsed() < moment {
            std::hint::spin_loop();
        }
        signal("-STOP", zombie.pid());
        let run = begun(&env, &title);
        let takeover = taken_over(&env, run);
        assert_eq!(takeover.from_pid, Some(zombie.pid()));
        // Wakes up during the worker's execution, or after the run has ended.
        let late = rng.next_below(2) == 0;
        if late {
            go(&env, &title);
            env.wait_until(run, |view| view.summary.state.has_ended());
        }
        let before = history(&env, run).len();
        let lived = wake(zombie.into_child(), &log, &title);
        woken += u64::from(lived);
        if late {
            assert_eq!(
                history(&env, run).len(),
                before,
                "{title}: a late write was accepted"
            );
        }
        go(&env, &title);
        assert_whole(&env, &title, run);
        let noticed = env
            .view(run)
            .takeover
            .is_some_and(|takeover| takeover.displaced_at.is_some());
        assert_eq!(noticed, lived, "{title}: each zombie that wakes up notices");
        played += 1;
    }
    processes::wait_for_none(env.data());
    let view: ExecutorsView = env.call("executors_list", Nothing {}).expect("executors");
    assert_eq!(
        (view.numbers.takeovers, view.numbers.displacements),
        (rounds, woken),
        "{:?}",
        view.numbers
    );
    assert_eq!(view.numbers.inherited_whole, rounds, "no session was lost");
    // Parsed by `cargo xtask soak`.
    println!("played: {played} zombies");
    println!(
        "{woken} of {rounds} woke up; mean recovery: {:?} ms",
        view.numbers.mean_recovery_ms
    );
    assert_eq!(worker.complaints(), "");
}

/// Where a zombie may be stopped: between any two steps of an attempt.
const POINTS: &[&str] = &[
    "after append:1",
    "before effects:1",
    "after effects:1",
    "before effects:2",
    "before folder:1",
    "half a folder:2",
    "before spawn:1",
    "after spawn:1",
    "before report:1",
    "before append of a handoff:1",
    "after append of a handoff:1",
];

#[test]
fn work_of_a_stopped_zombie_is_done_once() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let worker = Worker::start(&shell, Some(LEASE), "worker", &env);
    for (number, point) in POINTS.iter().enumerate() {
        let title = format!("point-{number}");
        let file = shell.plan_file(&format!("{title}.yaml"), &plan(&title, 2));
        let (zombie, log) = executor(&shell, &env, &file, &title, Some(point));
        wait(point, || {
            if is_stopped(zombie.pid()) {
                Ok(())
            } else {
                Err("it was not stopped".to_owned())
            }
        });
        let run = begun(&env, &title);
        taken_over(&env, run);
        go(&env, &title);
        env.wait_until(run, |view| view.summary.state.has_ended());
        wake(zombie.into_child(), &log, point);
        assert_whole(&env, &title, run);
    }
    processes::wait_for_none(env.data());
    assert_eq!(worker.complaints(), "");
}

#[test]
fn zombie_does_not_start_cancelled_work() {
    let points = [
        "after append:1",
        "before effects:1",
        "before folder:1",
        "half a folder:1",
        "before spawn:1",
    ];
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let worker = Worker::start(&shell, Some(LEASE), "worker", &env);
    for (number, point) in points.iter().enumerate() {
        let title = format!("cancelled-{number}");
        // With one slot, the second node is queued by the run's executor while the first one waits.
        let file = format!(
            "baton: 1\ntitle: {title}\ncwd: .\nconcurrency: 1\nnodes:\n  \
             - {{id: first, kind: command, command: 'echo first >> ledger-{title}; sleep 600'}}\n  \
             - {{id: second, kind: command, command: 'echo second >> ledger-{title}; sleep 600'}}\n"
        );
        let file = shell.plan_file(&format!("{title}.yaml"), &file);
        let (zombie, log) = executor(&shell, &env, &file, &title, Some(point));
        wait(point, || {
            if is_stopped(zombie.pid()) {
                Ok(())
            } else {
                Err("it was not stopped".to_owned())
            }
        });
        let run = begun(&env, &title);
        taken_over(&env, run);
        let _: RunSummary = env
            .call("run_cancel", RunRef { run })
            .expect("the worker responds");
        let view = env.wait_until(run, |view| view.summary.state.has_ended());
        assert_eq!(view.summary.state, RunState::Cancelled, "{point}");
        processes::wait_for_none(env.data());
        let ledger = env.read(&format!("ledger-{title}"));
        wake(zombie.into_child(), &log, point);
        // Anything that the zombie started would be visible by now: the zombie has exited, and
        // keepers outlive it.
        processes::wait_for_none(env.data());
        assert_eq!(
            env.read(&format!("ledger-{title}")),
            ledger,
            "{point}: a canceled node ran"
        );
    }
    assert_eq!(worker.complaints(), "");
}

#[test]
fn executor_without_heartbeats_is_displaced() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let worker = Worker::start(&shell, Some(LEASE), "worker", &env);
    let file = shell.plan_file("mute.yaml", &plan("mute", 1));
    let mut command = shell.baton(&["run", &file, "--yes", "--json"]);
    // Its registration is its only heartbeat within the hour.
    command.env("BATON_LEASE", "3600000,3600001,3600002");
    let mute = RunningCommand::new(command);
    let run = begun(&env, "mute");
    let takeover = taken_over(&env, run);
    assert_eq!(takeover.from_pid, Some(mute.pid()));
    assert!(
        takeover.recovery_ms.is_some_and(|ms| ms >= 600),
        "{takeover:?}"
    );
    go(&env, "mute");
    assert_whole(&env, "mute", run);
    // It is still alive, and only notices when it tries to record the end of its session.
    let (status, printed) = mute.end();
    assert!(
        matches!(status.code(), Some(0 | 1)),
        "{status:?}: {printed}"
    );
    assert_eq!(worker.complaints(), "");
}

#[test]
fn worker_takes_over_from_a_closed_window() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let worker = Worker::start(&shell, None, "worker", &env);
    let window = env.second_process(Role::Window);
    let run = window.start(&plan("closed", 2)).summary.id;
    env.wait_until(run, |view| *state(view, "last") == NodeState::Running);
    assert!(!worker.has(&env, run), "the window is the executor");
    let keepers = || {
        let all = processes::session_processes(env.data()).into_iter();
        all.filter(|words| words.contains("baton-keeper"))
            .collect::<Vec<_>>()
    };
    env.wait_until(run, |view| {
        matches!(state(view, "side"), NodeState::Done { .. })
    });
    wait("only the last node's keeper is running", || {
        if keepers().len() == 1 {
            Ok(())
        } else {
            Err(keepers().join("\n"))
        }
    });
    let before = keepers();
    let closed = Instant::now();
    window.app.shut_down();
    wait("the worker is the executor", || {
        if worker.has(&env, run) {
            Ok(())
        } else {
            Err("not yet".to_owned())
        }
    });
    let took = closed.elapsed();
    assert!(
        took < Lease::default().unhealthy,
        "a takeover doesn't wait for the lease of a closed executor: {took:?}"
    );
    let attendance = env.view(run).summary.attendance;
    assert!(
        matches!(attendance, RunExecutorView::Elsewhere { pid, kind: ExecutorKind::Worker, .. } if pid == worker.pid()),
        "{attendance:?}"
    );
    assert_eq!(keepers(), before, "the session keeps running");
    go(&env, "closed");
    assert_whole(&env, "closed", run);
    processes::wait_for_none(env.data());
}

#[test]
fn other_worker_takes_over_immediately_from_a_killed_one() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let run = env.start(&plan("killed", 2)).summary.id;
    env.wait_until(run, |view| *state(view, "last") == NodeState::Running);
    let mut workers: Vec<Worker> = ["one", "two"]
        .map(|name| Worker::start(&shell, None, name, &env))
        .into_iter()
        .collect();
    env.app.shut_down();
    let observer = env.second_process(Role::Cli);
    let first = wait("one worker is the executor", || {
        workers
            .iter()
            .position(|worker| worker.has(&observer, run))
            .ok_or_else(|| "not yet".to_owned())
    });
    let killed = Instant::now();
    drop(workers.remove(first));
    let other = &workers[0];
    wait("the other worker is the executor", || {
        if other.has(&observer, run) {
            Ok(())
        } else {
            Err("not yet".to_owned())
        }
    });
    let took = killed.elapsed();
    assert!(
        took < Lease::default().unhealthy,
        "a takeover doesn't wait for the lease of a dead process: {took:?}"
    );
    go(&env, "killed");
    assert_whole(&observer, "killed", run);
    let numbers = observer
        .call::<ExecutorsView>("executors_list", Nothing {})
        .expect("executors")
        .numbers;
    assert_eq!(
        (
            numbers.takeovers,
            numbers.displacements,
            numbers.inherited_whole
        ),
        (2, 0, 2)
    );
    processes::wait_for_none(env.data());
}

#[test]
fn simultaneous_workers_share_runs_without_duplicates() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let titles: Vec<String> = (0..6).map(|number| format!("left-{number}")).collect();
    let runs: Vec<RunId> = titles
        .iter()
        .map(|title| env.start(&plan(title, 3)).summary.id)
        .collect();
    env.app.shut_down();
    let workers: Vec<RunningCommand> = (0..2)
        .map(|_| shell.start(&["worker", "--once", "--json"]))
        .collect();
    let observer = env.second_process(Role::Cli);
    for run in &runs {
        taken_over(&observer, *run);
    }
    titles.iter().for_each(|title| go(&env, title));
    let mut finished = 0;
    for worker in workers {
        let (status, text) = worker.end();
        assert_eq!(status.code(), Some(0), "{text}");
        finished += text
            .lines()
            .filter(|line| line.contains("\"summary\""))
            .count();
    }
    // A worker that lost the race for all runs exits immediately. The other one has then finished
    // all of them.
    assert_eq!(finished, runs.len(), "each run was finished by one of them");
    for (title, run) in titles.iter().zip(&runs) {
        assert_whole(&observer, title, *run);
        let taken = history(&observer, *run)
            .iter()
            .filter(|row| matches!(row.event, Event::TakenOver { .. }))
            .count();
        assert_eq!(taken, 1, "{title}: exactly one worker took over");
    }
    processes::wait_for_none(env.data());
}

#[test]
fn duplicate_start_is_rejected_or_takes_over() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let text = plan("active", 1).replace("cwd: .", "cwd: .\ndescription: Make it whole");
    let file = shell.plan_file("active.yaml", &text);
    let same_goal = text
        .replace("title: active", "title: another")
        .replace("n0", "m0");
    let same_goal = shell.plan_file("another.yaml", &same_goal);
    let first = RunningCommand::new(baton(&shell, &["run", &file, "--yes", "--json"]));
    let run = begun(&env, "active");
    env.wait_until(run, |view| *state(view, "last") == NodeState::Running);
    let start = |file: &str, lease: &str| {
        let output = shell
            .baton(&["run", file, "--yes"])
            .env("BATON_LEASE", lease)
            .output()
            .expect("baton starts");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };

    let pid = format!("process {}", first.pid());
    for (file, words) in [
        (&file, "the plan is already running"),
        (&same_goal, "has the same goal"),
    ] {
        let (code, said) = start(file, "100,60000,120000");
        assert_eq!(code, Some(2), "{said}");
        assert!(
            said.contains(words) && said.contains(&pid) && said.contains("nodes done"),
            "{said}"
        );
    }

    processes::stop_at_write(first.pid(), env.data(), false);
    wait("the executor is unhealthy", || {
        match start(&file, "100,300,600000") {
            (Some(2), said) if said.contains("is being watched") => Ok(()),
            (code, said) => Err(format!("{code:?}: {said}")),
        }
    });
    go(&env, "active");
    let (code, said) = wait("the executor is stale", || match start(&same_goal, LEASE) {
        (Some(0), said) => Ok((0, said)),
        (code, said) => Err(format!("{code:?}: {said}")),
    });
    assert_eq!(code, 0);
    assert!(
        said.contains(&format!("Took over the run of {pid}")),
        "{said}"
    );
    assert_whole(&env, "active", run);
    let runs: Vec<RunSummary> = env
        .call(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 10,
            },
        )
        .expect("runs");
    assert_eq!(runs.len(), 1, "no second run was started: {runs:#?}");
    signal("-CONT", first.pid());
    let (status, printed) = first.end();
    assert!(
        matches!(status.code(), Some(0 | 1)),
        "{status:?}: {printed}"
    );
    processes::wait_for_none(env.data());
}

#[test]
fn stale_executor_stopped_in_a_write_is_ended() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let file = shell.plan_file("stuck.yaml", &plan("stuck", 1));
    let mut command = baton(&shell, &["run", &file, "--yes", "--json"]);
    // It writes so often that it can be stopped during a write.
    command.env("BATON_LEASE", "1,60000,120000");
    let stuck = RunningCommand::new(command);
    let run = begun(&env, "stuck");
    env.wait_until(run, |view| *state(view, "last") == NodeState::Running);
    env.app.shut_down();
    processes::stop_at_write(stuck.pid(), env.data(), true);
    let start = |lease: &str| {
        let output = shell
            .baton(&["resume", &run.to_string()])
            .env("BATON_LEASE", lease)
            .output();
        let output = output.expect("baton starts");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };

    let (code, said) = start("100,60000,120000");
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains(&format!("stopped Baton process {}", stuck.pid())),
        "{said}"
    );
    assert!(
        is_stopped(stuck.pid()),
        "an executor that may come back isn't killed"
    );

    go(&env, "stuck");
    let (code, said) = wait("the executor is stale", || match start(LEASE) {
        (Some(0), said) => Ok((0, said)),
        (code, said) => Err(format!("{code:?}: {said}")),
    });
    assert_eq!(code, 0, "{said}");
    assert_whole(&env, "stuck", run);
    assert_eq!(
        stuck.end().0.signal(),
        Some(9),
        "killing it was the only way to get the lock"
    );
    processes::wait_for_none(env.data());
}

#[test]
fn stale_executor_keeps_its_run_without_takeover() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let allow = |takeover_allowed| {
        let settings: Settings = env.call("settings_get", Nothing {}).expect("settings");
        assert!(
            settings.takeover_allowed != takeover_allowed,
            "takeover is allowed by default"
        );
        let _: Settings = env
            .call(
                "settings_save",
                Settings {
                    takeover_allowed,
                    ..settings
                },
            )
            .expect("enough disk space");
    };
    allow(false);
    let worker = Worker::start(&shell, Some(LEASE), "worker", &env);
    let file = shell.plan_file("kept.yaml", &plan("kept", 1));
    let zombie = RunningCommand::new(baton(&shell, &["run", &file, "--yes", "--json"]));
    let run = begun(&env, "kept");
    env.wait_until(run, |view| *state(view, "last") == NodeState::Running);
    processes::stop_at_write(zombie.pid(), env.data(), false);
    // The worker only logs that the executor has been silent for too long.
    wait("the executor is stale", || {
        let said = std::fs::read_to_string(&worker.log).expect("the log exists");
        if said.contains("silent for too long") {
            Ok(())
        } else {
            Err(said)
        }
    });
    let resumed = baton(&shell, &["resume", &run.to_string()])
        .output()
        .expect("baton starts");
    let said = String::from_utf8_lossy(&resumed.stderr).into_owned();
    assert!(
        said.contains(&format!("process {} executes it", zombie.pid())),
        "{said}"
    );
    assert!(env.view(run).takeover.is_none());
    allow(true);
    taken_over(&env, run);
    let node = NodeRef {
        run,
        node: id(&env.view(run), "last"),
    };
    let refused = env
        .call::<RunSummary>("node_retry", &node)
        .expect_err("the run is active");
    assert_eq!(
        refused.code,
        Code::Refused,
        "the worker reports it: {}",
        refused.message
    );
    go(&env, "kept");
    assert_whole(&env, "kept", run);
    assert!(zombie.kill(), "the executor is still stopped");
    processes::wait_for_none(env.data());
}
