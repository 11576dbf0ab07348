//! Tests named locks and limits with several executors on one data directory: they stay exclusive
//! whichever process is killed.

use baton_api::Role;
use baton_api::wire::*;
use baton_model::run::Obstacle;
use baton_model::{NodeState, RunId, RunState};
use baton_tests::shell::RunningCommand;
use baton_tests::test_environment::{node, state, state_labels};
use baton_tests::{Shell, TestEnvironment, processes};

/// A command that detects parallel runs. It writes `name` to the ledger, then waits for the file
/// `go-name` if `waits`.
fn alone(name: &str, waits: bool) -> String {
    let wait = if waits {
        format!("while [ ! -f go-{name} ]; do sleep 0.02; done; ")
    } else {
        String::new()
    };
    format!("mkdir busy || echo collision >> ledger; echo {name} >> ledger; {wait}rmdir busy")
}

/// A plan of one node that holds the lock `build`.
fn plan(name: &str, priority: u8) -> String {
    format!(
        "baton: 1\ntitle: {name}\ncwd: .\npriority: {priority}\nnodes:\n  - {{id: {name}, kind: command, locks: [build], \
         command: '{}'}}\n",
        alone(name, true)
    )
}

fn go(env: &TestEnvironment, name: &str) {
    std::fs::write(env.work_dir.path().join(format!("go-{name}")), "").expect("enough disk space");
}

fn runs(env: &TestEnvironment, run: RunId, slug: &str) {
    env.wait_until(run, |view| {
        *state(view, slug) == NodeState::Running && env.read("ledger").contains(slug)
    });
}

fn waits(env: &TestEnvironment, run: RunId, slug: &str) -> Obstacle {
    let view = env.wait_until(run, |view| node(view, slug).marks.held_back.is_some());
    let node = node(&view, slug);
    assert_eq!(node.state, NodeState::Pending);
    node.marks
        .held_back
        .clone()
        .expect("the obstacle was just found")
        .by
}

/// Waits until the node waits for the lock held by `holder`.
fn waits_for(env: &TestEnvironment, run: RunId, slug: &str, holder: &str) {
    let is_held =
        |by: &Obstacle| matches!(by, Obstacle::Lock { holder: Some(by), .. } if by.title == holder);
    env.wait_until(run, |view| {
        node(view, slug)
            .marks
            .held_back
            .as_ref()
            .is_some_and(|held| is_held(&held.by))
    });
}

/// Starts the plan `first` in this process, and waits until it holds the lock.
fn first_holds(env: &TestEnvironment) -> RunId {
    let first = env.start(&plan("first", 5)).summary.id;
    runs(env, first, "first");
    first
}

/// Starts the plan `first` with `baton run`, and waits until it holds the lock.
fn first_in_a_shell(env: &TestEnvironment) -> RunningCommand {
    let shell = Shell::new(env);
    let file = shell.plan_file("first.yaml", &plan("first", 5));
    let baton = shell.start(&["run", &file, "--yes", "--json"]);
    processes::wait("the node starts", || {
        if env.read("ledger").is_empty() {
            Err("not yet".to_owned())
        } else {
            Ok(())
        }
    });
    baton
}

fn completes(env: &TestEnvironment, run: RunId) {
    let view = env.finish(run);
    assert_eq!(
        view.summary.state,
        RunState::Completed,
        "{:?}",
        state_labels(&view)
    );
}

#[test]
fn lock_is_held_by_one_node_over_all_executors() {
    let env = TestEnvironment::new();
    let other = env.second_process(Role::Cli);
    let first = first_holds(&env);
    let second = other.start(&plan("second", 5)).summary.id;
    let by = waits(&other, second, "second");
    let Obstacle::Lock {
        name,
        holder: Some(holder),
    } = &by
    else {
        panic!("{by}")
    };
    assert_eq!(
        (name.as_str(), holder.title.as_str(), holder.run),
        ("build", "first", Some(first))
    );
    let shown = Shell::new(&env).run(&["runs", "show", &second.to_string()]);
    assert!(
        shown.out.contains(&format!(
            "waits for lock build, held by 'first' in run {first}"
        )),
        "{}",
        shown.out
    );
    go(&env, "second");
    assert_eq!(
        env.read("ledger"),
        "first\n",
        "the second node hasn't started"
    );
    go(&env, "first");
    completes(&env, first);
    completes(&other, second);
    assert_eq!(env.read("ledger"), "first\nsecond\n");
}

#[test]
fn follow_output_names_lock_and_holder() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let first = first_holds(&env);
    let file = shell.plan_file("second.yaml", &plan("second", 5));
    let mut baton = shell.start(&["run", &file, "--yes"]);
    let message = loop {
        let line = baton.next_line().expect("the output names the lock");
        if line.contains("waits for") {
            break line;
        }
    };
    assert!(
        message.contains(&format!(
            "waits for lock build, held by 'first' in run {first}"
        )),
        "{message}"
    );
    go(&env, "first");
    go(&env, "second");
    completes(&env, first);
    assert!(baton.end().0.success());
    assert_eq!(env.read("ledger"), "first\nsecond\n");
}

#[test]
fn session_keeps_its_lock_when_its_executor_is_killed() {
    let env = TestEnvironment::new();
    let baton = first_in_a_shell(&env);
    assert!(baton.kill());
    // No running process takes over runs automatically.
    let second = env.start(&plan("second", 5)).summary.id;
    waits_for(&env, second, "second", "first");
    go(&env, "second");
    assert_eq!(env.read("ledger"), "first\n");
    go(&env, "first");
    // No process records the end of the first session, so that the waiting executor must detect it.
    completes(&env, second);
    assert_eq!(env.read("ledger"), "first\nsecond\n");
}

#[test]
fn lock_of_a_killed_session_is_given_to_the_next() {
    let env = TestEnvironment::new();
    let baton = first_in_a_shell(&env);
    assert!(baton.kill());
    let keepers = processes::keepers(env.data());
    assert_eq!(keepers.len(), 1);
    processes::signal("-KILL", keepers[0]);
    let second = env.start(
        "baton: 1\ntitle: second\ncwd: .\nnodes:\n  - {id: second, kind: command, locks: [build], command: 'true'}\n",
    );
    completes(&env, second.summary.id);
    processes::wait_for_none(env.data());
}

#[test]
fn window_keeps_the_locks_of_a_killed_executor() {
    let env = TestEnvironment::new();
    let window = env.second_process(Role::Window);
    let baton = first_in_a_shell(&env);
    let second = env.start(&plan("second", 5)).summary.id;
    waits_for(&env, second, "second", "first");
    assert!(baton.kill());
    let list: Vec<RunSummary> = window
        .call(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 5,
            },
        )
        .expect("runs");
    let first = list
        .iter()
        .find(|run| run.title == "first")
        .expect("the run exists")
        .id;
    processes::wait("the window takes over", || {
        if window.app.executes(first) {
            Ok(())
        } else {
            Err(String::new())
        }
    });
    go(&env, "second");
    assert_eq!(
        env.read("ledger"),
        "first\n",
        "the session keeps running with its lock"
    );
    go(&env, "first");
    completes(&window, first);
    completes(&env, second);
    assert_eq!(env.read("ledger"), "first\nsecond\n");
}

#[test]
fn locks_go_to_the_highest_priority_then_longest_waiting() {
    let env = TestEnvironment::new();
    let other = env.second_process(Role::Cli);
    let first = first_holds(&env);
    let mut begun = Vec::new();
    // One after the other, in two executors.
    for (place, name, priority) in [
        (&other, "low", 1),
        (&env, "early", 5),
        (&other, "late", 5),
        (&env, "high", 9),
    ] {
        let run = place.start(&plan(name, priority)).summary.id;
        waits(place, run, name);
        begun.push((place, run));
        go(&env, name);
    }
    go(&env, "first");
    completes(&env, first);
    begun
        .into_iter()
        .for_each(|(place, run)| completes(place, run));
    assert_eq!(env.read("ledger"), "first\nhigh\nearly\nlate\nlow\n");
}

#[test]
fn overlapping_locks_never_deadlock() {
    let env = TestEnvironment::new();
    let other = env.second_process(Role::Cli);
    let crossing = |title: &str| {
        let node = |id: &str, locks: &str, place: &str| {
            let line = format!(
                "mkdir {place} || echo collision >> ledger; mkdir y || echo collision >> ledger; echo {id} >> ledger; rmdir y {place}"
            );
            format!("  - {{id: {id}, kind: command, locks: [{locks}], command: '{line}'}}\n")
        };
        let nodes: String = (0..4)
            .map(|number| match number % 2 {
                0 => node(&format!("n{number}"), "x, y", "x"),
                _ => node(&format!("n{number}"), "y, z", "z"),
            })
            .collect();
        format!("baton: 1\ntitle: {title}\ncwd: .\nnodes:\n{nodes}")
    };
    let runs: Vec<(&TestEnvironment, RunId)> = (0..6)
        .map(|number| {
            let place = if number % 2 == 0 { &env } else { &other };
            (
                place,
                place
                    .start(&crossing(&format!("crossing {number}")))
                    .summary
                    .id,
            )
        })
        .collect();
    runs.into_iter()
        .for_each(|(place, run)| completes(place, run));
    let ledger = env.read("ledger");
    assert_eq!(ledger.lines().count(), 24, "{ledger}");
    assert!(!ledger.contains("collision"), "{ledger}");
}

#[test]
fn plain_locks_are_per_repository_and_ports_per_machine() {
    let env = TestEnvironment::new();
    let place = env.work_dir.path();
    for folder in ["one/.git", "one/deep", "two"] {
        std::fs::create_dir_all(place.join(folder)).expect("enough disk space");
    }
    std::fs::write(place.join("one/.git/HEAD"), "ref: refs/heads/main\n")
        .expect("enough disk space");
    let plan = |lock: &str, name: &str| {
        let line = format!("while [ ! -f {}/go ]; do sleep 0.02; done", place.display());
        let node = format!("{{id: {name}, kind: command, locks: ['{lock}'], command: '{line}'}}");
        format!("baton: 1\ntitle: {name}\nnodes:\n  - {node}\n")
    };
    let start = |folder: &str, lock: &str, name: &str| {
        let cwd = Some(place.join(folder).display().to_string());
        let input = PlanImport {
            file_name: "plan.yaml".to_owned(),
            text: plan(lock, name),
            cwd,
            ..PlanImport::default()
        };
        let PlanImported { plan, .. } = env
            .call("plan_import", input)
            .expect("a plan file without faults");
        let approve = PlanApprove {
            plan: plan.plan.id,
            revision: plan.revision,
            anyway: true,
        };
        let _: PlanView = env
            .call("plan_approve", approve)
            .expect("no conflicting change");
        let run = env
            .run(plan.plan.id, RunGoal::All)
            .expect("the plan can run")
            .summary
            .id;
        (run, name.to_owned())
    };
    let held = [start("one", "build", "a"), start("one", "port:3000", "p")];
    held.iter().for_each(|(run, name)| {
        drop(env.wait_until(*run, |view| *state(view, name) == NodeState::Running))
    });
    let (elsewhere, name) = start("two", "build", "b");
    env.wait_until(elsewhere, |view| *state(view, &name) == NodeState::Running);
    let (below, name) = start("one/deep", "build", "c");
    waits(&env, below, &name);
    let (port, name) = start("two", "port:3000", "q");
    waits(&env, port, &name);
    std::fs::write(place.join("go"), "").expect("enough disk space");
    for run in [held[0].0, held[1].0, elsewhere, below, port] {
        completes(&env, run);
    }
}

#[test]
fn question_and_retry_hold_no_lock() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Retry
concurrency: 2
nodes:
  - {id: fails, kind: command, locks: [build], priority: 9, maxRetries: 1, command: '[ -f other ]'}
  - {id: other, kind: command, locks: [build], command: 'touch other'}
",
    );
    completes(&env, run.summary.id);
}

#[test]
fn sub_plan_shares_the_lock_of_its_node() {
    let env = TestEnvironment::new();
    env.import_approved(
        "baton: 1\ntitle: Inner\ncwd: .\nnodes:\n  - {id: a, kind: command, locks: [build], command: 'mkdir busy; sleep 0.1; rmdir busy'}\n  - {id: b, kind: command, locks: [build], command: 'mkdir busy; sleep 0.1; rmdir busy'}\n",
    );
    let run = env.start(
        "baton: 1\ntitle: Outer\ncwd: .\nnodes:\n  - {id: outer, kind: sub_plan, subPlanId: Inner, locks: [build]}\n",
    );
    completes(&env, run.summary.id);
}

#[test]
fn agent_limit_applies_to_all_executors() {
    let env = TestEnvironment::new();
    // Records a collision if another one is running.
    let line = "mkdir busy || echo collision >> ledger; echo work >> ledger; sleep 0.1; rmdir busy";
    env.add_agent("lonely", line);
    let settings: Settings = env
        .call("settings_get", serde_json::json!({}))
        .expect("the settings exist");
    let limits = |limit| Settings {
        agent_concurrency: Some([("lonely".to_owned(), limit)].into()),
        ..settings.clone()
    };
    assert!(
        env.call::<Settings>("settings_save", limits(0)).is_err(),
        "a limit of zero is invalid"
    );
    let _: Settings = env
        .call("settings_save", limits(1))
        .expect("an agent and a number");
    let other = env.second_process(Role::Cli);
    let plan = |title: &str| {
        let nodes: String = (0..3)
            .map(|number| format!("  - {{id: n{number}, agent: lonely, prompt: Work.}}\n"))
            .collect();
        format!("baton: 1\ntitle: {title}\nnodes:\n{nodes}")
    };
    let first = env.start(&plan("First")).summary.id;
    let second = other.start(&plan("Second")).summary.id;
    completes(&env, first);
    completes(&other, second);
    assert_eq!(
        env.read("ledger"),
        "work\n".repeat(6),
        "never two in parallel"
    );
}

/// Adds agents that run these scripts, with a limit of one session each.
fn lonely(env: &TestEnvironment, agents: &[(&str, &str)]) {
    for (id, line) in agents {
        let input = serde_json::json!({ "id": id, "command": ["sh", "-c", line] });
        let _: serde_json::Value = env.call("agent_save", input).expect("a name and a command");
    }
    let settings: Settings = env
        .call("settings_get", serde_json::json!({}))
        .expect("the settings exist");
    let limits = agents.iter().map(|(id, _)| ((*id).to_owned(), 1)).collect();
    let _: Settings = env
        .call(
            "settings_save",
            Settings {
                agent_concurrency: Some(limits),
                ..settings
            },
        )
        .expect("agents and numbers");
}

/// Records a collision if another one is running.
const ALONE: &str = "cat > /dev/null; mkdir busy || echo collision >> ledger; echo work >> ledger; sleep 0.1; rmdir busy";

#[test]
fn agent_limit_counts_reviews() {
    let env = TestEnvironment::new();
    lonely(&env, &[("judge", ALONE)]);
    let other = env.second_process(Role::Cli);
    let plan = |title: &str| {
        let node = |number| {
            format!(
                "  - {{id: n{number}, kind: command, command: 'true', acceptanceCriteria: [{{ask: Good?}}]}}\n"
            )
        };
        let nodes: String = (0..3).map(node).collect();
        format!("baton: 1\ntitle: {title}\ncwd: .\nreview: {{agent: judge}}\nnodes:\n{nodes}")
    };
    let first = env.start(&plan("First")).summary.id;
    let second = other.start(&plan("Second")).summary.id;
    env.finish(first);
    other.finish(second);
    assert_eq!(
        env.read("ledger"),
        "work\n".repeat(6),
        "never two in parallel"
    );
}

#[test]
fn mutual_reviews_never_deadlock() {
    let env = TestEnvironment::new();
    let line = |name: &str| {
        format!(
            "cat > /dev/null; mkdir {name} || echo collision >> ledger; sleep 0.1; rmdir {name}; echo '**What was done:** it'; echo {name} >> ledger"
        )
    };
    let (ann, bob) = (line("ann"), line("bob"));
    lonely(&env, &[("ann", ann.as_str()), ("bob", bob.as_str())]);
    let other = env.second_process(Role::Cli);
    let plan = |agent: &str, reviewer: &str| {
        let node = |number| {
            format!(
                "  - {{id: n{number}, agent: {agent}, prompt: Work., acceptanceCriteria: [{{ask: Good?}}]}}\n"
            )
        };
        let nodes: String = (0..3).map(node).collect();
        format!("baton: 1\ntitle: {agent}\ncwd: .\nreview: {{agent: {reviewer}}}\nnodes:\n{nodes}")
    };
    let first = env.start(&plan("ann", "bob")).summary.id;
    let second = other.start(&plan("bob", "ann")).summary.id;
    env.finish(first);
    other.finish(second);
    let ledger = env.read("ledger");
    assert_eq!(
        (ledger.lines().count(), ledger.contains("collision")),
        (12, false),
        "{ledger}"
    );
}

#[test]
fn agent_limit_counts_arbiters() {
    let env = TestEnvironment::new();
    let works = "cat > /dev/null; echo '**What was done:** it'";
    for id in ["ann", "bob"] {
        let input = serde_json::json!({ "id": id, "command": ["sh", "-c", works] });
        let _: serde_json::Value = env.call("agent_save", input).expect("a name and a command");
    }
    let judge = format!("{ALONE}; echo 'bob: knows the tests'");
    lonely(&env, &[("judge", judge.as_str())]);
    let team = serde_json::json!({ "name": "crew", "members": ["ann", "bob"], "rule": "ask", "asks": "judge" });
    let _: serde_json::Value = env.call("team_save", team).expect("a new team");
    let other = env.second_process(Role::Cli);
    let plan = |title: &str| {
        let node = |number| format!("  - {{id: n{number}, agent: 'team:crew', prompt: Work.}}\n");
        let nodes: String = (0..3).map(node).collect();
        format!("baton: 1\ntitle: {title}\ncwd: .\nnodes:\n{nodes}")
    };
    let first = env.start(&plan("First")).summary.id;
    let second = other.start(&plan("Second")).summary.id;
    completes(&env, first);
    completes(&other, second);
    assert_eq!(
        env.read("ledger"),
        "work\n".repeat(6),
        "never two in parallel"
    );
}

#[test]
fn team_chooses_a_member_below_its_limit() {
    let env = TestEnvironment::new();
    let waits = "cat > /dev/null; echo ann >> ledger; while [ ! -f go-ann ]; do sleep 0.02; done; echo '**What was done:** it'";
    let works = "cat > /dev/null; echo bob >> ledger; echo '**What was done:** it'";
    lonely(&env, &[("ann", waits), ("bob", works)]);
    let team = serde_json::json!({ "name": "crew", "members": ["ann", "bob"], "rule": "first" });
    let _: serde_json::Value = env.call("team_save", team).expect("a new team");
    let other = env.second_process(Role::Cli);
    let plan = |title: &str| {
        format!(
            "baton: 1\ntitle: {title}\ncwd: .\nnodes:\n  - {{id: {title}, agent: 'team:crew', prompt: Work.}}\n"
        )
    };
    let first = env.start(&plan("first")).summary.id;
    env.wait_until(first, |view| {
        *state(view, "first") == NodeState::Running && env.read("ledger") == "ann\n"
    });
    let second = other.start(&plan("second")).summary.id;
    completes(&other, second);
    assert_eq!(
        env.read("ledger"),
        "ann\nbob\n",
        "ann is at its session limit"
    );
    go(&env, "ann");
    completes(&env, first);
}

#[test]
fn port_collision_suggests_a_lock() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let file = shell.plan_file(
        "plan.yaml",
        "baton: 1
title: Collision
nodes:
  - {id: server, kind: command, command: 'touch server-runs; while [ ! -f client-ran ]; do sleep 0.02; done'}
  - id: client
    kind: command
    command: |
      while [ ! -f server-runs ]; do sleep 0.02; done
      echo 'Error: listen EADDRINUSE: address already in use :::3000' >&2
      touch client-ran
      exit 1
",
    );
    let said = shell.run(&["run", &file, "--yes"]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(
        said.out.contains("while 'server' was running"),
        "{}",
        said.out
    );
    assert!(said.out.contains("locks: [\"port:3000\"]"), "{}", said.out);
}
