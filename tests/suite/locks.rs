//! Named locks and limits over several executors on one data directory: nobody has what another holds, whoever dies.

use baton_api::Role;
use baton_api::wire::*;
use baton_model::run::Obstacle;
use baton_model::{NodeState, RunId, RunState};
use baton_tests::house::{node, state, words};
use baton_tests::shell::Running;
use baton_tests::{House, Shell, processes};

/// A line that works alone, or says that it did not: `name` in the ledger, until the file `go-name` is there.
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

fn go(house: &House, name: &str) {
    std::fs::write(house.place.path().join(format!("go-{name}")), "").expect("room");
}

fn runs(house: &House, run: RunId, slug: &str) {
    house.until(run, |view| {
        *state(view, slug) == NodeState::Running && house.read("ledger").contains(slug)
    });
}

fn waits(house: &House, run: RunId, slug: &str) -> Obstacle {
    let view = house.until(run, |view| node(view, slug).marks.held_back.is_some());
    let node = node(&view, slug);
    assert_eq!(node.state, NodeState::Pending);
    node.marks.held_back.clone().expect("it was just there").by
}

/// Waits until the node waits for the lock that `holder` has.
fn waits_for(house: &House, run: RunId, slug: &str, holder: &str) {
    let is_held =
        |by: &Obstacle| matches!(by, Obstacle::Lock { holder: Some(by), .. } if by.title == holder);
    house.until(run, |view| {
        node(view, slug)
            .marks
            .held_back
            .as_ref()
            .is_some_and(|held| is_held(&held.by))
    });
}

/// The plan `first` runs in this process and holds the lock.
fn first_holds(house: &House) -> RunId {
    let first = house.start(&plan("first", 5)).summary.id;
    runs(house, first, "first");
    first
}

/// `baton run` of the plan `first`, as soon as that holds the lock.
fn first_in_a_shell(house: &House) -> Running {
    let shell = Shell::of(house);
    let file = shell.plan_file("first.yaml", &plan("first", 5));
    let baton = shell.start(&["run", &file, "--yes", "--json"]);
    processes::wait("it begins", || {
        if house.read("ledger").is_empty() {
            Err("not yet".to_owned())
        } else {
            Ok(())
        }
    });
    baton
}

fn completes(house: &House, run: RunId) {
    let view = house.finish(run);
    assert_eq!(
        view.summary.state,
        RunState::Completed,
        "{:?}",
        words(&view)
    );
}

#[test]
fn lock_is_held_by_one_node_over_all_executors() {
    let house = House::new();
    let other = house.neighbor(Role::Cli);
    let first = first_holds(&house);
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
    let shown = Shell::of(&house).say(&["runs", "show", &second.to_string()]);
    assert!(
        shown.out.contains(&format!(
            "waits for lock build, held by 'first' in run {first}"
        )),
        "{}",
        shown.out
    );
    go(&house, "second");
    assert_eq!(house.read("ledger"), "first\n", "it has not begun");
    go(&house, "first");
    completes(&house, first);
    completes(&other, second);
    assert_eq!(house.read("ledger"), "first\nsecond\n");
}

#[test]
fn follow_output_names_lock_and_holder() {
    let house = House::new();
    let shell = Shell::of(&house);
    let first = first_holds(&house);
    let file = shell.plan_file("second.yaml", &plan("second", 5));
    let mut baton = shell.start(&["run", &file, "--yes"]);
    let told = loop {
        let line = baton.line().expect("it goes on until it has told that");
        if line.contains("waits for") {
            break line;
        }
    };
    assert!(
        told.contains(&format!(
            "waits for lock build, held by 'first' in run {first}"
        )),
        "{told}"
    );
    go(&house, "first");
    go(&house, "second");
    completes(&house, first);
    assert!(baton.end().0.success());
    assert_eq!(house.read("ledger"), "first\nsecond\n");
}

#[test]
fn session_keeps_its_lock_when_its_executor_is_killed() {
    let house = House::new();
    let baton = first_in_a_shell(&house);
    assert!(baton.kill());
    // Of those that live, nobody takes runs over by itself.
    let second = house.start(&plan("second", 5)).summary.id;
    waits_for(&house, second, "second", "first");
    go(&house, "second");
    assert_eq!(house.read("ledger"), "first\n");
    go(&house, "first");
    // Nobody appends the end of the first session: whoever waits finds out by itself.
    completes(&house, second);
    assert_eq!(house.read("ledger"), "first\nsecond\n");
}

#[test]
fn lock_of_a_killed_session_is_given_to_the_next() {
    let house = House::new();
    let baton = first_in_a_shell(&house);
    assert!(baton.kill());
    let keepers = processes::keepers(house.data());
    assert_eq!(keepers.len(), 1);
    processes::signal("-KILL", keepers[0]);
    let second = house.start(
        "baton: 1\ntitle: second\ncwd: .\nnodes:\n  - {id: second, kind: command, locks: [build], command: 'true'}\n",
    );
    completes(&house, second.summary.id);
    processes::wait_for_none(house.data());
}

#[test]
fn window_goes_on_with_what_the_killed_executor_held() {
    let house = House::new();
    let window = house.neighbor(Role::Window);
    let baton = first_in_a_shell(&house);
    let second = house.start(&plan("second", 5)).summary.id;
    waits_for(&house, second, "second", "first");
    assert!(baton.kill());
    let list: Vec<RunSummary> = window
        .ask(
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
        .expect("it is there")
        .id;
    processes::wait("the window takes it up", || {
        if window.app.executes(first) {
            Ok(())
        } else {
            Err(String::new())
        }
    });
    go(&house, "second");
    assert_eq!(
        house.read("ledger"),
        "first\n",
        "the session lives on, with its lock"
    );
    go(&house, "first");
    completes(&window, first);
    completes(&house, second);
    assert_eq!(house.read("ledger"), "first\nsecond\n");
}

#[test]
fn higher_priority_goes_first_and_then_the_longest_waiter() {
    let house = House::new();
    let other = house.neighbor(Role::Cli);
    let first = first_holds(&house);
    let mut begun = Vec::new();
    // One after the other, at two executors.
    for (place, name, priority) in [
        (&other, "low", 1),
        (&house, "early", 5),
        (&other, "late", 5),
        (&house, "high", 9),
    ] {
        let run = place.start(&plan(name, priority)).summary.id;
        waits(place, run, name);
        begun.push((place, run));
        go(&house, name);
    }
    go(&house, "first");
    completes(&house, first);
    begun
        .into_iter()
        .for_each(|(place, run)| completes(place, run));
    assert_eq!(house.read("ledger"), "first\nhigh\nearly\nlate\nlow\n");
}

#[test]
fn crossing_lists_of_locks_never_block_each_other() {
    let house = House::new();
    let other = house.neighbor(Role::Cli);
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
    let runs: Vec<(&House, RunId)> = (0..6)
        .map(|number| {
            let place = if number % 2 == 0 { &house } else { &other };
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
    let ledger = house.read("ledger");
    assert_eq!(ledger.lines().count(), 24, "{ledger}");
    assert!(!ledger.contains("collision"), "{ledger}");
}

#[test]
fn plain_names_count_in_one_repository_and_ports_on_the_machine() {
    let house = House::new();
    let place = house.place.path();
    for folder in ["one/.git", "one/deep", "two"] {
        std::fs::create_dir_all(place.join(folder)).expect("room");
    }
    std::fs::write(place.join("one/.git/HEAD"), "ref: refs/heads/main\n").expect("room");
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
        };
        let PlanImported { plan, .. } = house
            .ask("plan_import", input)
            .expect("a plan file without faults");
        let approve = PlanApprove {
            plan: plan.plan.id,
            revision: plan.revision,
            anyway: true,
        };
        let _: PlanView = house
            .ask("plan_approve", approve)
            .expect("nobody else has changed it");
        let run = house
            .run(plan.plan.id, RunGoal::All)
            .expect("the plan may run")
            .summary
            .id;
        (run, name.to_owned())
    };
    let held = [start("one", "build", "a"), start("one", "port:3000", "p")];
    held.iter().for_each(|(run, name)| {
        drop(house.until(*run, |view| *state(view, name) == NodeState::Running))
    });
    let (elsewhere, name) = start("two", "build", "b");
    house.until(elsewhere, |view| *state(view, &name) == NodeState::Running);
    let (below, name) = start("one/deep", "build", "c");
    waits(&house, below, &name);
    let (port, name) = start("two", "port:3000", "q");
    waits(&house, port, &name);
    std::fs::write(place.join("go"), "").expect("room");
    for run in [held[0].0, held[1].0, elsewhere, below, port] {
        completes(&house, run);
    }
}

#[test]
fn question_and_retry_hold_no_lock() {
    let house = House::new();
    let run = house.start(
        "
baton: 1
title: Retry
concurrency: 2
nodes:
  - {id: fails, kind: command, locks: [build], priority: 9, maxRetries: 1, command: '[ -f other ]'}
  - {id: other, kind: command, locks: [build], command: 'touch other'}
",
    );
    completes(&house, run.summary.id);
}

#[test]
fn plan_within_a_plan_shares_the_lock_of_its_node() {
    let house = House::new();
    house.approved(
        "baton: 1\ntitle: Inner\ncwd: .\nnodes:\n  - {id: a, kind: command, locks: [build], command: 'mkdir busy; sleep 0.1; rmdir busy'}\n  - {id: b, kind: command, locks: [build], command: 'mkdir busy; sleep 0.1; rmdir busy'}\n",
    );
    let run = house.start(
        "baton: 1\ntitle: Outer\ncwd: .\nnodes:\n  - {id: outer, kind: sub_plan, subPlanId: Inner, locks: [build]}\n",
    );
    completes(&house, run.summary.id);
}

#[test]
fn agent_limit_of_the_settings_holds_over_all_executors() {
    let house = House::new();
    // Whoever finds another at work says so.
    let line = "mkdir busy || echo collision >> ledger; echo work >> ledger; sleep 0.1; rmdir busy";
    house.employ("lonely", line);
    let settings: Settings = house
        .ask("settings_get", serde_json::json!({}))
        .expect("there are some");
    let limits = |limit| Settings {
        agent_concurrency: Some([("lonely".to_owned(), limit)].into()),
        ..settings.clone()
    };
    assert!(
        house.ask::<Settings>("settings_save", limits(0)).is_err(),
        "none could ever work"
    );
    let _: Settings = house
        .ask("settings_save", limits(1))
        .expect("an agent and a number");
    let other = house.neighbor(Role::Cli);
    let plan = |title: &str| {
        let nodes: String = (0..3)
            .map(|number| format!("  - {{id: n{number}, agent: lonely, prompt: Work.}}\n"))
            .collect();
        format!("baton: 1\ntitle: {title}\nnodes:\n{nodes}")
    };
    let first = house.start(&plan("First")).summary.id;
    let second = other.start(&plan("Second")).summary.id;
    completes(&house, first);
    completes(&other, second);
    assert_eq!(
        house.read("ledger"),
        "work\n".repeat(6),
        "never two at once"
    );
}

/// Agents that run this script, of which the settings allow one session each.
fn lonely(house: &House, agents: &[(&str, &str)]) {
    for (id, line) in agents {
        let input = serde_json::json!({ "id": id, "command": ["sh", "-c", line] });
        let _: serde_json::Value = house
            .ask("agent_save", input)
            .expect("a name and a command");
    }
    let settings: Settings = house
        .ask("settings_get", serde_json::json!({}))
        .expect("there are some");
    let limits = agents.iter().map(|(id, _)| ((*id).to_owned(), 1)).collect();
    let _: Settings = house
        .ask(
            "settings_save",
            Settings {
                agent_concurrency: Some(limits),
                ..settings
            },
        )
        .expect("agents and numbers");
}

/// Whoever finds another at work says so.
const ALONE: &str = "cat > /dev/null; mkdir busy || echo collision >> ledger; echo work >> ledger; sleep 0.1; rmdir busy";

#[test]
fn agent_limit_of_the_settings_counts_reviews() {
    let house = House::new();
    lonely(&house, &[("judge", ALONE)]);
    let other = house.neighbor(Role::Cli);
    let plan = |title: &str| {
        let node = |number| {
            format!(
                "  - {{id: n{number}, kind: command, command: 'true', acceptanceCriteria: [{{ask: Good?}}]}}\n"
            )
        };
        let nodes: String = (0..3).map(node).collect();
        format!("baton: 1\ntitle: {title}\ncwd: .\nreview: {{agent: judge}}\nnodes:\n{nodes}")
    };
    let first = house.start(&plan("First")).summary.id;
    let second = other.start(&plan("Second")).summary.id;
    house.finish(first);
    other.finish(second);
    assert_eq!(
        house.read("ledger"),
        "work\n".repeat(6),
        "never two at once"
    );
}

#[test]
fn agents_that_review_each_other_never_block_each_other() {
    let house = House::new();
    let line = |name: &str| {
        format!(
            "cat > /dev/null; mkdir {name} || echo collision >> ledger; sleep 0.1; rmdir {name}; echo '**What was done:** it'; echo {name} >> ledger"
        )
    };
    let (ann, bob) = (line("ann"), line("bob"));
    lonely(&house, &[("ann", ann.as_str()), ("bob", bob.as_str())]);
    let other = house.neighbor(Role::Cli);
    let plan = |agent: &str, reviewer: &str| {
        let node = |number| {
            format!(
                "  - {{id: n{number}, agent: {agent}, prompt: Work., acceptanceCriteria: [{{ask: Good?}}]}}\n"
            )
        };
        let nodes: String = (0..3).map(node).collect();
        format!("baton: 1\ntitle: {agent}\ncwd: .\nreview: {{agent: {reviewer}}}\nnodes:\n{nodes}")
    };
    let first = house.start(&plan("ann", "bob")).summary.id;
    let second = other.start(&plan("bob", "ann")).summary.id;
    house.finish(first);
    other.finish(second);
    let ledger = house.read("ledger");
    assert_eq!(
        (ledger.lines().count(), ledger.contains("collision")),
        (12, false),
        "{ledger}"
    );
}

#[test]
fn agent_limit_of_the_settings_counts_who_is_asked_for_an_agent() {
    let house = House::new();
    let works = "cat > /dev/null; echo '**What was done:** it'";
    for id in ["ann", "bob"] {
        let input = serde_json::json!({ "id": id, "command": ["sh", "-c", works] });
        let _: serde_json::Value = house
            .ask("agent_save", input)
            .expect("a name and a command");
    }
    let judge = format!("{ALONE}; echo 'bob: knows the tests'");
    lonely(&house, &[("judge", judge.as_str())]);
    let team = serde_json::json!({ "name": "crew", "members": ["ann", "bob"], "rule": "ask", "asks": "judge" });
    let _: serde_json::Value = house.ask("team_save", team).expect("a new team");
    let other = house.neighbor(Role::Cli);
    let plan = |title: &str| {
        let node = |number| format!("  - {{id: n{number}, agent: 'team:crew', prompt: Work.}}\n");
        let nodes: String = (0..3).map(node).collect();
        format!("baton: 1\ntitle: {title}\ncwd: .\nnodes:\n{nodes}")
    };
    let first = house.start(&plan("First")).summary.id;
    let second = other.start(&plan("Second")).summary.id;
    completes(&house, first);
    completes(&other, second);
    assert_eq!(
        house.read("ledger"),
        "work\n".repeat(6),
        "never two at once"
    );
}

#[test]
fn team_takes_a_member_that_has_room_in_all_runs() {
    let house = House::new();
    let waits = "cat > /dev/null; echo ann >> ledger; while [ ! -f go-ann ]; do sleep 0.02; done; echo '**What was done:** it'";
    let works = "cat > /dev/null; echo bob >> ledger; echo '**What was done:** it'";
    lonely(&house, &[("ann", waits), ("bob", works)]);
    let team = serde_json::json!({ "name": "crew", "members": ["ann", "bob"], "rule": "first" });
    let _: serde_json::Value = house.ask("team_save", team).expect("a new team");
    let other = house.neighbor(Role::Cli);
    let plan = |title: &str| {
        format!(
            "baton: 1\ntitle: {title}\ncwd: .\nnodes:\n  - {{id: {title}, agent: 'team:crew', prompt: Work.}}\n"
        )
    };
    let first = house.start(&plan("first")).summary.id;
    house.until(first, |view| {
        *state(view, "first") == NodeState::Running && house.read("ledger") == "ann\n"
    });
    let second = other.start(&plan("second")).summary.id;
    completes(&other, second);
    assert_eq!(
        house.read("ledger"),
        "ann\nbob\n",
        "ann has all the sessions that it may have"
    );
    go(&house, "ann");
    completes(&house, first);
}

#[test]
fn failure_that_looks_like_a_collision_suggests_the_lock() {
    let house = House::new();
    let shell = Shell::of(&house);
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
    let said = shell.say(&["run", &file, "--yes"]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(
        said.out.contains("while 'server' ran beside it"),
        "{}",
        said.out
    );
    assert!(said.out.contains("locks: [\"port:3000\"]"), "{}", said.out);
}
