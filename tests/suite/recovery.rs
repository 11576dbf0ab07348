//! Kills Baton or a session's keeper at any moment, and checks that no work is lost or repeated.

use std::process::Command;
use std::time::{Duration, Instant};

use baton_api::wire::*;
use baton_keeper::Claim;
use baton_model::arbiter::{Team, TeamRule};
use baton_model::outcome::Failure;
use baton_model::{NodeState, Outcome, RunState};
use baton_tests::processes;
use baton_tests::seeded_rng::SeededRng;
use baton_tests::shell::RunningCommand;
use baton_tests::test_environment::{id, node, state};
use baton_tests::{Shell, TestEnvironment};

/// Slugs with their parents.
type Nodes = Vec<(String, Vec<String>)>;

/// Returns the only run of the plan, if it has started.
fn latest(env: &TestEnvironment, title: &str) -> Option<RunSummary> {
    let runs: Vec<RunSummary> = env
        .call(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 1000,
            },
        )
        .expect("runs");
    let mut runs: Vec<RunSummary> = runs.into_iter().filter(|run| run.title == title).collect();
    assert!(runs.len() < 2, "only one run was started: {runs:#?}");
    runs.pop()
}

/// Returns a plan whose nodes write their names to the ledger. Some of them take longer.
fn ledger_plan(title: &str, nodes: &[(String, Vec<String>)]) -> String {
    let mut text = format!("baton: 1\ntitle: {title}\ncwd: .\nconcurrency: 3\nnodes:\n");
    for (number, (slug, parents)) in nodes.iter().enumerate() {
        let pause = if number % 3 == 0 { "sleep 0.05; " } else { "" };
        let command =
            format!("{pause}echo {slug} >> ledger-{title}; echo made={slug} >> $BATON_OUTPUT");
        let parents = parents.join(", ");
        text += &format!(
            "  - {{id: {slug}, kind: command, dependsOn: [{parents}], command: '{command}'}}\n"
        );
    }
    text
}

fn any_plan(title: &str, rng: &mut SeededRng) -> (String, usize) {
    let count = 5 + rng.next_below(8) as usize;
    let mut nodes: Vec<(String, Vec<String>)> = Vec::new();
    for number in 0..count {
        let parents = (0..number)
            .filter(|_| rng.next_below(4) == 0)
            .map(|parent| format!("n{parent}"))
            .collect();
        nodes.push((format!("n{number}"), parents));
    }
    (ledger_plan(title, &nodes), count)
}

/// Checks everything that must hold after the run, however often its executors were killed.
fn assert_whole(env: &TestEnvironment, title: &str, count: usize) {
    let run = latest(env, title).expect("the run has started").id;
    let view = env.view(run);
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    assert!(
        view.nodes
            .iter()
            .all(|node| node.state == NodeState::Done { by_hand: false }),
        "{:#?}",
        view.nodes
    );
    assert!(
        view.nodes.iter().all(|node| node.attempt.0 == 1),
        "a kill doesn't use up attempts: {:#?}",
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
    assert_eq!(ledger, expected, "each node ran exactly once");
    assert_eq!(expected.len(), count);
    let history: Vec<HistoryRow> = env
        .call(
            "run_history",
            RunHistory {
                run,
                after: 0,
                limit: 10_000,
            },
        )
        .expect("history");
    let numbers: Vec<u64> = history.iter().map(|row| row.seq).collect();
    assert_eq!(
        numbers,
        (1..=numbers.len() as u64).collect::<Vec<_>>(),
        "event numbers are consecutive"
    );
    let artifacts: Vec<ArtifactView> = env
        .call("artifacts_list", RunRef { run })
        .expect("handoffs");
    assert_eq!(artifacts.len(), count, "each node has a handoff");
    processes::wait_for_none(env.data());
}

/// Lets `baton` print some lines, then kills it a moment later. Returns false if it finished first.
fn kill_somewhere(mut baton: RunningCommand, lines: u64, rng: &mut SeededRng) -> bool {
    let began = Instant::now();
    let printed_lines = (0..lines)
        .take_while(|_| baton.next_line().is_some())
        .count() as u64;
    if printed_lines == lines {
        // At a random time between two lines, or before the first one.
        let moment =
            Duration::from_micros(rng.next_below(if lines == 0 { 150_000 } else { 6_000 }));
        while began.elapsed() < moment && lines == 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
        if lines > 0 {
            std::thread::sleep(moment);
        }
    }
    baton.kill()
}

/// Measured durations, for their median and maximum.
#[derive(Default)]
struct Spans(Vec<Duration>);

impl Spans {
    fn summary(mut self) -> String {
        self.0.sort_unstable();
        let at = |part: usize| {
            self.0
                .get(self.0.len() * part / 100)
                .copied()
                .unwrap_or_default()
        };
        format!(
            "median {:?}, 99 of 100 within {:?}, at most {:?}",
            at(50),
            at(99),
            self.0.last().copied().unwrap_or_default()
        )
    }
}

#[test]
fn kills_at_random_moments_lose_and_repeat_no_work() {
    let number = |name: &str, usual: u64| {
        std::env::var(name)
            .ok()
            .and_then(|text| text.parse().ok())
            .unwrap_or(usual)
    };
    let (kills, seed) = (number("BATON_KILLS", 100), number("BATON_SEED", 20_260_711));
    println!("{kills} kills with BATON_SEED={seed}");
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let mut rng = SeededRng::new(seed);
    let (mut killed, mut life) = (0, 0);
    let mut recoveries = Spans::default();
    while killed < kills {
        life += 1;
        let title = format!("life-{life}");
        let (text, count) = any_plan(&title, &mut rng);
        let file = shell.plan_file(&format!("{title}.yaml"), &text);
        for _ in 0..3 + rng.next_below(5) {
            let begun = latest(&env, &title).is_some();
            let words: &[&str] = if begun {
                &["resume", "--all", "--json"]
            } else {
                &["run", &file, "--yes", "--json"]
            };
            // Few lines, so that the plan survives several kills.
            let lines = rng.next_below(count as u64);
            killed += u64::from(kill_somewhere(shell.start(words), lines, &mut rng));
        }
        let began = Instant::now();
        if latest(&env, &title).is_none() {
            let said = shell.run(&["run", &file, "--yes"]);
            assert_eq!(said.code, Some(0), "{said:?}");
        }
        let said = shell.run(&["resume", "--all"]);
        assert_eq!(said.code, Some(0), "after {killed} kills: {said:?}");
        recoveries.0.push(began.elapsed());
        assert_whole(&env, &title, count);
    }
    // Parsed by `cargo xtask soak`.
    println!("played: {killed} kills");
    println!(
        "{killed} kills in {life} lives; from the last restart to the end of the plan: {}",
        recoveries.summary()
    );
}

/// Crash points of other tests in this file, with nodes that are stopped.
const ON_STOPPING: &[&str] = &["before stop", "after stop"];
/// Only reached by agents that request permissions. The engine's simulation covers these.
const ON_ANSWERING: &[&str] = &["before answer", "after answer"];
/// Only reached when a person merges work back. Covered by `bring_home`.
const ON_THE_WAY_HOME: &[&str] = &["before homecoming", "after homecoming"];

/// Only reached when a person accepts a proposal. Covered by `replanning`.
const ON_ACCEPTING: &[&str] = &["after acceptance", "after promised run"];

/// Only reached when a plan is replanned automatically. Covered by `replanning`.
const ON_REPLANNING: &[&str] = &["before replan", "after replan", "after planner"];

/// Only reached when a run with an error handler has failed. Covered by `error_handlers`.
const ON_HANDLING: &[&str] = &["before handler", "after handler"];

/// Only reached when another executor takes over. Covered by `takeovers`.
const ON_TAKING_OVER: &[&str] = &["before inherited check", "after inherited check"];

/// What a plan's nodes do before they write their names to the ledger.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Doing {
    Command,
    /// A command that takes longer than the interval of an executor's heartbeat.
    LongCommand,
    /// An agent in a git repository, with a checkpoint before it starts.
    Agent,
    /// A team whose arbiter chooses the agent.
    Team,
    /// A sub-plan.
    Plan,
    /// A command in an isolated worktree.
    Apart,
    /// A command in the plan's directory if it has parents, which run in worktrees.
    BackHome,
}

/// Returns three shapes of plan that reach `point`, each with the passage at which the process
/// crashes.
fn shapes(point: &str) -> (Doing, [(&'static str, u32, Nodes); 3]) {
    let node = |slug: &str, parents: &[&str]| {
        (
            slug.to_owned(),
            parents.iter().map(|&parent| parent.to_owned()).collect(),
        )
    };
    let chain = vec![node("a", &[]), node("b", &["a"]), node("c", &["b"])];
    let diamond = vec![
        node("a", &[]),
        node("b", &["a"]),
        node("c", &["a"]),
        node("d", &["b", "c"]),
    ];
    let fan: Nodes = (0..5)
        .map(|number| node(&format!("n{number}"), &[]))
        .collect();
    let comb = || {
        vec![
            node("a", &[]),
            node("b", &[]),
            node("c", &["a"]),
            node("d", &["b"]),
        ]
    };
    let (doing, later) = match point {
        "before snapshot" | "after snapshot" => (Doing::Agent, 2),
        "before choice" => (Doing::Team, 2),
        "before worktree" | "half a worktree" | "after worktree" | "before keep" | "after keep" => {
            (Doing::Apart, 2)
        }
        "before fan-in" | "after fan-in" => (Doing::BackHome, 1),
        "before nested run" | "after nested run" => (Doing::Plan, 2),
        "before beat" | "after beat" => (Doing::LongCommand, 1),
        // Reached once per process, or once for several nodes.
        "before registration"
        | "after registration"
        | "before leave"
        | "after leave"
        | "amid effects" => (Doing::Command, 1),
        _ => (Doing::Command, 2),
    };
    // In a chain, no event has two effects.
    let first = if point == "amid effects" {
        ("comb", 1, comb())
    } else {
        ("chain", later, chain)
    };
    // Without parents, nothing is merged.
    let last = if doing == Doing::BackHome {
        ("comb", 1, comb())
    } else {
        ("fan", 1, fan)
    };
    (doing, [first, ("diamond", later, diamond), last])
}

/// Returns the plan file of a shape, and creates what it needs.
fn furnished(env: &TestEnvironment, title: &str, doing: Doing, nodes: &Nodes) -> String {
    match doing {
        Doing::Command => return ledger_plan(title, nodes),
        Doing::LongCommand => {
            return ledger_plan(title, nodes).replacen("sleep 0.05", "sleep 6", 1);
        }
        Doing::Agent | Doing::Team => {
            let script =
                "set -- $(grep -o 'ledger-[^ ]* mark-[a-z0-9]*' | head -1); echo ${2#mark-} >> $1";
            let command = ["sh", "-c", script].map(str::to_owned).to_vec();
            let agent = CustomAgent {
                id: "writer".to_owned(),
                command: command.clone(),
                protocol: Default::default(),
            };
            let _: Vec<AgentView> = env.call("agent_save", agent).expect("a new agent");
            let answer = ["sh", "-c", "cat > /dev/null; echo 'scribe: it writes'"]
                .map(str::to_owned)
                .to_vec();
            for (id, command) in [("scribe", command.clone()), ("judge", answer)] {
                let agent = CustomAgent {
                    id: id.to_owned(),
                    command,
                    protocol: Default::default(),
                };
                let _: Vec<AgentView> = env.call("agent_save", agent).expect("a new agent");
            }
            let members = ["writer", "scribe"].map(str::to_owned).to_vec();
            let (name, asks) = ("crew".to_owned(), Some("judge".to_owned()));
            let team = Team {
                name,
                members,
                rule: TeamRule::Ask,
                asks,
                model: None,
            };
            let _: Vec<Team> = env.call("team_save", team).expect("a new team");
            let git = Command::new("git")
                .args(["init", "--quiet"])
                .current_dir(env.work_dir.path())
                .status();
            assert!(git.expect("git is installed").success());
        }
        Doing::Apart | Doing::BackHome => {
            let git = Command::new("git")
                .args(["init", "--quiet"])
                .current_dir(env.work_dir.path())
                .status();
            assert!(git.expect("git is installed").success());
            std::fs::write(
                env.work_dir.path().join(".git/info/exclude"),
                "ledger-*\n*.yaml\n",
            )
            .expect("enough disk space");
            return apart_plan(env, title, doing, nodes);
        }
        Doing::Plan => {
            for (slug, _) in nodes {
                let inner = format!("{title}-{slug}");
                let work = format!("echo {slug} >> ledger-{title}");
                env.import_approved(&format!(
                    "baton: 1\ntitle: {inner}\nnodes:\n  - {{id: inner, kind: command, command: '{work}'}}\n"
                ));
            }
        }
    }
    let mut text = format!("baton: 1\ntitle: {title}\ncwd: .\nconcurrency: 3\nnodes:\n");
    for (slug, parents) in nodes {
        let work = match doing {
            Doing::Team => {
                format!("kind: agent, agent: 'team:crew', prompt: 'ledger-{title} mark-{slug}'")
            }
            Doing::Agent => {
                format!("kind: agent, agent: writer, prompt: 'ledger-{title} mark-{slug}'")
            }
            _ => format!("kind: sub_plan, subPlanId: {title}-{slug}"),
        };
        text += &format!(
            "  - {{id: {slug}, dependsOn: [{}], {work}}}\n",
            parents.join(", ")
        );
    }
    text
}

/// Each node writes its name to the ledger and creates a file. Nodes below it check that this file
/// exists.
fn apart_plan(env: &TestEnvironment, title: &str, doing: Doing, nodes: &Nodes) -> String {
    let ledger = env.work_dir.path().join(format!("ledger-{title}"));
    let mut text =
        format!("baton: 1\ntitle: {title}\ncwd: .\nconcurrency: 3\nisolation: worktree\nnodes:\n");
    for (slug, parents) in nodes {
        let looks: String = parents
            .iter()
            .map(|parent| format!("test -f {title}-{parent}.txt && "))
            .collect();
        let work = format!(
            "{looks}echo {slug} > {title}-{slug}.txt && echo {slug} >> {}",
            ledger.display()
        );
        let home = if doing == Doing::BackHome && !parents.is_empty() {
            ", isolation: shared"
        } else {
            ""
        };
        let parents = parents.join(", ");
        text += &format!(
            "  - {{id: {slug}, dependsOn: [{parents}], kind: command, command: '{work}'{home}}}\n"
        );
    }
    text
}

/// Crashes a plan at `point`, once more during recovery, and checks the result.
fn die_and_recover(env: &TestEnvironment, shell: &Shell, point: &str, number: usize, which: usize) {
    let (doing, shapes) = shapes(point);
    let (shape, passage, nodes) = &shapes[which];
    let title = format!("{shape}-{number}");
    let file = shell.plan_file(
        &format!("{title}.yaml"),
        &furnished(env, &title, doing, nodes),
    );
    let crash_at = |words: &[&str], passage: u32| {
        let output = shell
            .baton(words)
            .env("BATON_CRASH_AT", format!("{point}:{passage}"))
            .output();
        output.expect("baton starts").status.code()
    };
    let code = crash_at(&["run", &file, "--yes"], *passage);
    assert_eq!(
        code, None,
        "'{point}' is reached {passage} times in a {shape}"
    );
    // Crashes again at the same point during recovery. A run that hasn't started yet starts now.
    let begun = latest(env, &title).is_some();
    let words: &[&str] = if begun {
        &["resume", "--all"]
    } else {
        &["run", &file, "--yes"]
    };
    crash_at(words, 1);
    if latest(env, &title).is_none() {
        let said = shell.run(&["run", &file, "--yes"]);
        assert_eq!(said.code, Some(0), "after '{point}': {said:?}");
    }
    let said = shell.run(&["resume", "--all"]);
    assert_eq!(said.code, Some(0), "after '{point}' in a {shape}: {said:?}");
    assert_whole(env, &title, nodes.len());
}

#[test]
fn every_shape_of_plan_survives_every_crash_point() {
    let others = [
        ON_STOPPING,
        ON_ANSWERING,
        ON_THE_WAY_HOME,
        ON_ACCEPTING,
        ON_REPLANNING,
        ON_HANDLING,
        ON_TAKING_OVER,
    ]
    .concat();
    let elsewhere = |point: &&str| !others.contains(point);
    let points: Vec<&str> = baton_engine::CRASH_POINTS
        .iter()
        .copied()
        .filter(elsewhere)
        .collect();
    std::thread::scope(|scope| {
        for which in 0..3 {
            let points = &points;
            scope.spawn(move || {
                // Each shape has its own environment, with one repository for all of its plans.
                let env = TestEnvironment::new();
                let shell = Shell::new(&env);
                for (number, point) in points.iter().enumerate() {
                    die_and_recover(&env, &shell, point, number, which);
                }
            });
        }
    });
}

#[test]
fn session_is_adopted_after_a_restart() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let wait = |file: &str| format!("while [ ! -f {file} ]; do sleep 0.02; done");
    let text = format!(
        "
baton: 1
title: Orphans
cwd: .
nodes:
  - {{id: ended, kind: command, command: 'touch ended-runs; {}; echo all of it; exit 7', onFailure: skip}}
  - {{id: lives, kind: command, command: 'touch lives-runs; echo before; {}; echo after; echo k=v >> $BATON_OUTPUT'}}
",
        wait("end"),
        wait("live"),
    );
    let file = shell.plan_file("orphans.yaml", &text);
    let baton = shell.start(&["run", &file, "--yes", "--json"]);
    let place = env.work_dir.path();
    processes::wait("both run", || {
        let both = place.join("ended-runs").exists() && place.join("lives-runs").exists();
        if both {
            Ok(())
        } else {
            Err("not yet".to_owned())
        }
    });
    assert!(baton.kill(), "baton waits for its nodes");
    let run = latest(&env, "Orphans").expect("the run has started").id;
    let view = env.view(run);
    assert_eq!(
        view.summary.attendance,
        RunExecutorView::None,
        "the dead executor is detected"
    );
    assert!(
        processes::session_processes(env.data()).len() >= 4,
        "two keepers and two shells keep running"
    );

    std::fs::write(place.join("end"), "").expect("enough disk space");
    let session = node(&view, "ended").session.expect("the node has started");
    processes::wait("the first session ends without an executor", || {
        let view: SessionView = env
            .call("session_get", SessionRef { session })
            .expect("its session");
        if view.live {
            Err("still running".to_owned())
        } else {
            Ok(())
        }
    });
    let resumed = shell.start(&["resume", "--all", "--json"]);
    // The executor may have been killed before it stored the start of the running session. That is
    // now detected, too.
    env.wait_until(run, |view| {
        matches!(state(view, "ended"), NodeState::Skipped { .. })
            && *state(view, "lives") == NodeState::Running
    });
    std::fs::write(place.join("live"), "").expect("enough disk space");
    let (status, output) = resumed.end();
    assert_eq!(status.code(), Some(0), "{output}");

    let attempts = |slug: &str| -> Vec<AttemptView> {
        env.call(
            "node_attempts",
            NodeRef {
                run,
                node: id(&view, slug),
            },
        )
        .expect("attempts")
    };
    let outcome = Outcome::Failed {
        failure: Failure::ExitCode { code: 7 },
    };
    assert_eq!(
        attempts("ended")[0].outcome,
        Some(outcome),
        "the exit code is known without an executor"
    );
    assert_eq!(
        (attempts("ended").len(), attempts("lives").len()),
        (1, 1),
        "no session was started again"
    );
    let artifacts: Vec<ArtifactView> = env
        .call("artifacts_list", RunRef { run })
        .expect("handoffs");
    assert!(
        artifacts[0].content.text.contains("before\nafter"),
        "{}",
        artifacts[0].content.text
    );
    assert_eq!(artifacts[0].content.outputs["k"], "v");
    processes::wait_for_none(env.data());
}

#[test]
fn killed_keeper_interrupts_its_node() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Lost
nodes:
  - {id: lost, kind: command, command: 'echo try >> ledger; while [ ! -f go ]; do sleep 0.02; done'}
  - {id: after, kind: command, dependsOn: [lost], command: 'echo after >> ledger'}
",
    );
    let run = run.summary.id;
    let view = env.wait_until(run, |view| {
        *state(view, "lost") == NodeState::Running && !env.read("ledger").is_empty()
    });
    let session = node(&view, "lost").session.expect("the node is running");
    let folder = env.data().join("sessions").join(session.to_string());
    let claim = Claim::read(&folder)
        .expect("readable")
        .expect("the keeper is running");
    let killed = Command::new("kill")
        .args(["-9", &claim.pid.to_string()])
        .status()
        .expect("kill is installed");
    assert!(killed.success());

    let view = env.finish(run);
    let RunState::Stalled { message } = &view.summary.state else {
        panic!("{:?}", view.summary.state)
    };
    assert!(message.contains("'lost'"), "{message}");
    let NodeState::Interrupted { detail } = state(&view, "lost") else {
        panic!("{:?}", state(&view, "lost"))
    };
    assert!(detail.contains("keeper was killed"), "{detail}");
    processes::wait_for_none(env.data());

    std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
    let _: RunSummary = env
        .call(
            "node_retry",
            NodeRef {
                run,
                node: id(&view, "lost"),
            },
        )
        .expect("the node was interrupted");
    let view = env.finish(run);
    assert_eq!(view.summary.state, RunState::Completed);
    assert_eq!(env.read("ledger"), "try\ntry\nafter\n");
}

/// Starts a plan of one long node with `baton run`, which crashes at `point`, and calls an
/// operation once the node is running.
fn ask_of_one_that_dies(
    point: &str,
    ask: impl Fn(&TestEnvironment, baton_model::RunId),
) -> (TestEnvironment, baton_model::RunId) {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let text = "baton: 1\ntitle: Long\ncwd: .\nnodes:\n  - {id: long, kind: command, command: 'echo try >> ledger; sleep 600'}\n";
    let file = shell.plan_file("long.yaml", text);
    let mut command = shell.baton(&["run", &file, "--yes", "--json"]);
    command.env("BATON_CRASH_AT", point);
    let baton = RunningCommand::new(command);
    processes::wait("the node is running", || {
        let running = latest(&env, "Long").filter(|_| !env.read("ledger").is_empty());
        let running = running.filter(|run| *state(&env.view(run.id), "long") == NodeState::Running);
        running.map(|_| ()).ok_or_else(|| "not yet".to_owned())
    });
    let run = latest(&env, "Long").expect("the run has started").id;
    ask(&env, run);
    let (status, _) = baton.end();
    assert_eq!(status.code(), None, "baton crashes at '{point}'");
    (env, run)
}

#[test]
fn executor_killed_while_cancelling_leaves_no_process() {
    // The third commit, after the starts of the run and the node, contains the command.
    for point in ["before append:3", "after append:3"]
        .iter()
        .chain(ON_STOPPING)
    {
        let (env, run) = ask_of_one_that_dies(point, |env, run| {
            let _: RunSummary = env
                .call("run_cancel", RunRef { run })
                .expect("the executor cancels the run");
        });
        let view = env.wait_until(run, |view| view.summary.state.has_ended());
        assert_eq!(view.summary.state, RunState::Cancelled, "{point}");
        assert!(
            matches!(state(&view, "long"), NodeState::Interrupted { .. }),
            "{point}: {:?}",
            state(&view, "long")
        );
        processes::wait_for_none(env.data());
    }
}

#[test]
fn executor_killed_while_pausing_leaves_a_resumable_run() {
    for point in ["before append:3", "after append:3"]
        .iter()
        .chain(ON_STOPPING)
    {
        let (env, run) = ask_of_one_that_dies(point, |env, run| {
            let pause = RunPause {
                run,
                stop_running: true,
            };
            let _: RunSummary = env
                .call("run_pause", pause)
                .expect("the executor pauses the run");
        });
        let view = env.wait_until(run, |view| {
            matches!(view.summary.state, RunState::Paused { .. })
        });
        assert_eq!(*state(&view, "long"), NodeState::Pending, "{point}");
        processes::wait_for_none(env.data());
        let _: RunSummary = env
            .call("run_resume", RunRef { run })
            .expect("the run is paused");
        env.wait_until(run, |view| {
            *state(view, "long") == NodeState::Running && env.read("ledger") == "try\ntry\n"
        });
        let _: RunSummary = env
            .call("run_cancel", RunRef { run })
            .expect("the run is active");
        env.finish(run);
        processes::wait_for_none(env.data());
    }
}

#[test]
fn plan_with_running_sessions_cannot_be_deleted() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let text = "baton: 1\ntitle: Orphan\ncwd: .\nnodes:\n  - {id: long, kind: command, command: 'echo try >> ledger; sleep 600'}\n";
    let file = shell.plan_file("orphan.yaml", text);
    let baton = shell.start(&["run", &file, "--yes", "--json"]);
    processes::wait("the node is running", || {
        if env.read("ledger").is_empty() {
            Err("not yet".to_owned())
        } else {
            Ok(())
        }
    });
    assert!(baton.kill());
    let run = latest(&env, "Orphan").expect("the run is active");
    let plan = PlanRef { plan: run.plan };
    let error = env
        .call::<Done>("plan_delete", &plan)
        .expect_err("its session is running");
    assert_eq!(error.code, baton_api::Code::Refused);
    assert!(
        error.full_message().contains("Cancel its run first."),
        "{}",
        error.full_message()
    );
    let _: RunSummary = env
        .call("run_cancel", RunRef { run: run.id })
        .expect("the run has no executor");
    env.finish(run.id);
    processes::wait_for_none(env.data());
    let _: Done = env.call("plan_delete", &plan).expect("the plan is idle");
}

#[test]
fn plan_with_an_orphaned_run_is_not_started_again() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let text = "
baton: 1
title: Left
cwd: .
nodes:
  - {id: only, kind: command, command: 'echo once >> ledger; while [ ! -f go ]; do sleep 0.02; done'}
";
    let file = shell.plan_file("left.yaml", text);
    let baton = shell.start(&["run", &file, "--yes"]);
    processes::wait("the node runs", || {
        if env.read("ledger").is_empty() {
            Err("not yet")
        } else {
            Ok(())
        }
        .map_err(str::to_owned)
    });
    assert!(baton.kill(), "baton waits for its node");

    let again = shell.run(&["run", &file, "--yes"]);
    assert_eq!(again.code, Some(2), "{again:?}");
    assert!(
        again
            .err
            .contains("an earlier run of the plan has no executor"),
        "{}",
        again.err
    );
    std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
    let resumed = shell.run(&["resume", "--all"]);
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
    assert_eq!(
        env.read("ledger"),
        "once\n",
        "the running session did the work, and it wasn't repeated"
    );
}
