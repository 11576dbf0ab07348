//! Tests running plans: order, handoffs, outputs, failures, and commands of a person.

use baton_api::wire::*;
use baton_model::outcome::Failure;
use baton_model::run::SkipReason;
use baton_model::{NodeState, Plan, RunState};
use baton_tests::test_environment::{id, node, state, state_labels};
use baton_tests::{TestEnvironment, processes};

#[test]
fn children_run_after_parents_and_receive_their_handoffs() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Handoff
nodes:
  - {id: left, kind: command, command: 'echo left >> order; echo file=left.txt >> $BATON_OUTPUT; echo made it'}
  - {id: right, kind: command, command: ['sh', '-c', 'echo right >> order']}
  - id: join
    kind: command
    dependsOn: [left, right]
    command: 'echo join >> order; cat $BATON_CONTEXT > received; echo {{nodes.left.outputs.file}} > named'
",
    );
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed);
    assert_eq!(
        state_labels(&view),
        ["left done", "right done", "join done"]
    );
    let order = env.read("order");
    assert_eq!(
        order.lines().last(),
        Some("join"),
        "a child waits for all of its parents: {order}"
    );
    assert_eq!(env.read("named"), "left.txt\n");
    let received = env.read("received");
    assert!(
        received.contains("## left\n\n**What was done:**"),
        "the parents' handoffs, under their titles: {received}"
    );
    assert!(
        received.contains("made it"),
        "a command's handoff ends with its output: {received}"
    );
    let artifacts: Vec<ArtifactView> = env
        .call(
            "artifacts_list",
            RunRef {
                run: view.summary.id,
            },
        )
        .expect("handoffs");
    assert_eq!(artifacts.len(), 3);
    assert_eq!(artifacts[0].content.outputs["file"], "left.txt");
}

#[test]
fn run_progress_returns_only_changed_nodes() {
    let env = TestEnvironment::new();
    let changes = env.app.changes();
    let run = env.start(
        "
baton: 1
title: Two
nodes:
  - {id: first, kind: command, command: 'true'}
  - {id: second, kind: command, dependsOn: [first], command: 'true'}
",
    );
    let view = env.finish(run.summary.id);
    let look = |after| -> RunProgress {
        env.call(
            "run_progress",
            RunProgressSince {
                run: run.summary.id,
                after,
            },
        )
        .expect("the run exists")
    };
    let progress = look(0);
    assert_eq!(
        look(1).nodes,
        progress.nodes,
        "both have changed since the start"
    );
    let now = look(progress.seq);
    assert_eq!(
        (now.nodes.len(), &now.summary),
        (0, &progress.summary),
        "nothing has changed since"
    );
    assert_eq!(
        look(progress.seq + 1).nodes,
        progress.nodes,
        "a position past the end returns all nodes"
    );
    let (plan, version) = (progress.summary.plan, progress.summary.version);
    let content: Plan = env
        .call("plan_version_get", PlanVersionRef { plan, version })
        .expect("the plan version exists");
    assert_eq!(
        progress.into_run_view(content),
        view,
        "both together are the full view"
    );

    let reported = std::iter::from_fn(|| changes.try_recv()).filter_map(|change| match change {
        Change::Run { nodes, whole, .. } => Some((nodes, whole)),
        _ => None,
    });
    // Events that arrive together are stored together, so that the number of changes in between
    // varies.
    let reported: Vec<_> = reported.collect();
    let [(_, begun), between @ .., (_, ended)] = reported.as_slice() else {
        panic!("{reported:?}")
    };
    assert!(begun & ended, "start and end were reported: {reported:?}");
    assert!(
        !between.is_empty()
            && between
                .iter()
                .all(|(nodes, whole)| !nodes.is_empty() && !whole),
        "{reported:?}"
    );
}

#[test]
fn failure_blocks_pending_nodes_until_retry() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Failure
concurrency: 1
nodes:
  - {id: first, kind: command, command: 'echo first >> ledger'}
  - {id: second, kind: command, dependsOn: [first], command: 'echo second >> ledger; test -f fixed'}
  - {id: third, kind: command, dependsOn: [second], command: 'echo third >> ledger'}
",
    );
    let failed = env.finish(run.summary.id);
    let RunState::Failed { message, .. } = &failed.summary.state else {
        panic!("{:?}", failed.summary.state)
    };
    assert_eq!(
        message,
        "'second' ended with exit code 1. Not started: 'third'"
    );
    assert_eq!(
        state_labels(&failed),
        ["first done", "second failed", "third blocked"]
    );
    assert_eq!(
        *state(&failed, "second"),
        NodeState::Failed {
            failure: Failure::ExitCode { code: 1 },
            went_on_at: None
        }
    );

    std::fs::write(env.work_dir.path().join("fixed"), "").expect("enough disk space");
    let second = NodeRef {
        run: run.summary.id,
        node: id(&failed, "second"),
    };
    let _: RunSummary = env
        .call("node_retry", &second)
        .expect("a failed node can be retried");
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed);
    assert_eq!(
        env.read("ledger"),
        "first\nsecond\nsecond\nthird\n",
        "finished nodes don't run again"
    );
    let attempts: Vec<AttemptView> = env.call("node_attempts", &second).expect("attempts");
    let sentences: Vec<&str> = attempts
        .iter()
        .map(|attempt| attempt.sentence.as_str())
        .collect();
    assert_eq!(
        sentences,
        ["ended with exit code 1", "done"],
        "earlier attempts are kept"
    );
}

#[test]
fn skip_policy_lets_the_run_continue() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Skip
nodes:
  - {id: optional, kind: command, command: 'exit 3', onFailure: skip}
  - {id: after, kind: command, dependsOn: [optional], command: 'echo after > after'}
",
    );
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed);
    let failure = Failure::ExitCode { code: 3 };
    assert_eq!(
        *state(&view, "optional"),
        NodeState::Skipped {
            reason: SkipReason::AfterFailure { failure }
        }
    );
    assert_eq!(env.read("after"), "after\n");
}

#[test]
fn node_is_retried_before_it_fails() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Retry
nodes:
  - {id: flaky, kind: command, maxRetries: 2, command: 'echo try >> ledger; test $(wc -l < ledger) -ge 2'}
",
    );
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed);
    assert_eq!(env.read("ledger"), "try\ntry\n");
    assert_eq!(node(&view, "flaky").attempt.0, 2);
}

#[test]
fn missing_commands_and_directories_are_reported_with_a_fix() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Missing
nodes:
  - {id: program, kind: command, command: [no-such-program-here], onFailure: skip}
  - {id: folder, kind: command, command: 'true', cwd: gone, onFailure: skip}
  - {id: output, kind: command, command: 'echo {{nodes.program.outputs.x}}', onFailure: skip, dependsOn: [program]}
",
    );
    let view = env.finish(run.summary.id);
    let sentence = |slug: &str| {
        let node = NodeRef {
            run: run.summary.id,
            node: id(&view, slug),
        };
        let attempts: Vec<AttemptView> = env.call("node_attempts", node).expect("attempts");
        attempts[0].sentence.clone()
    };
    let place = env.work_dir.path().display().to_string();
    assert!(
        sentence("program").contains("no-such-program-here"),
        "{}",
        sentence("program")
    );
    assert!(
        sentence("program").contains("install it, or give its full path"),
        "{}",
        sentence("program")
    );
    assert!(
        sentence("folder").contains(&format!("the directory {place}/gone doesn't exist")),
        "{}",
        sentence("folder")
    );
    assert!(
        sentence("output").contains("node 'program' wrote no outputs"),
        "{}",
        sentence("output")
    );
}

#[test]
fn timeout_stops_a_slow_node() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Slow
nodes:
  - {id: slow, kind: command, command: 'sleep 600', timeoutMs: 200}
",
    );
    let view = env.finish(run.summary.id);
    assert_eq!(
        *state(&view, "slow"),
        NodeState::Failed {
            failure: Failure::TimedOut { limit_ms: 200 },
            went_on_at: None
        }
    );
}

#[test]
fn run_time_limit_stops_the_run() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Limit
timeoutMs: 8000
nodes:
  - {id: quick, kind: command, command: 'true'}
  - {id: endless, kind: command, dependsOn: [quick], command: 'sleep 600'}
  - {id: later, kind: command, dependsOn: [endless], command: 'true'}
",
    );
    let view = env.finish(run.summary.id);
    let RunState::Failed { message, .. } = &view.summary.state else {
        panic!("{:?}", view.summary.state)
    };
    assert_eq!(
        message,
        "the run exceeded its time limit of 8 s. Not finished: 'endless', 'later'"
    );
    assert_eq!(
        state_labels(&view),
        ["quick done", "endless interrupted", "later blocked"]
    );
    processes::wait_for_none(env.data());
}

#[test]
fn node_output_is_never_executed_by_the_shell() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Injection
nodes:
  - {id: evil, kind: command, command: [sh, -c, 'printf \"x=%s\\n\" \"$(printf \"\\044(touch pwned); touch pwned\")\" >> $BATON_OUTPUT']}
  - {id: use, kind: command, dependsOn: [evil], command: 'printf %s \"{{nodes.evil.outputs.x}}\" > got'}
",
    );
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed);
    assert_eq!(env.read("got"), "$(touch pwned); touch pwned");
    assert!(!env.work_dir.path().join("pwned").exists());
}

#[test]
fn pause_lets_running_nodes_finish() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Pause
concurrency: 1
nodes:
  - {id: a, kind: command, command: 'touch a-runs; while [ ! -f go ]; do sleep 0.02; done'}
  - {id: b, kind: command, dependsOn: [a], command: 'echo b > b'}
",
    );
    let id = run.summary.id;
    env.wait_until(id, |view| *state(view, "a") == NodeState::Running);
    let paused: RunSummary = env
        .call(
            "run_pause",
            RunPause {
                run: id,
                stop_running: false,
            },
        )
        .expect("the run is active");
    assert!(
        matches!(paused.state, RunState::Running { ending: Some(_) }),
        "a is still running: {:?}",
        paused.state
    );
    std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
    let view = env.finish(id);
    assert!(
        matches!(view.summary.state, RunState::Paused { .. }),
        "{:?}",
        view.summary.state
    );
    assert_eq!(state_labels(&view), ["a done", "b pending"]);
    let _: RunSummary = env
        .call("run_resume", RunRef { run: id })
        .expect("the run is paused");
    assert_eq!(env.finish(id).summary.state, RunState::Completed);
    assert_eq!(env.read("b"), "b\n");
}

#[test]
fn cancel_ends_every_process() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Cancel
nodes:
  - id: stubborn
    kind: command
    command: |
      trap '' TERM
      setsid sh -c 'trap \"\" TERM; echo $$ > escaped; while :; do sleep 0.1; done' &
      while [ ! -s escaped ]; do sleep 0.02; done
      echo $$ > main
      while :; do sleep 0.1; done
  - {id: later, kind: command, dependsOn: [stubborn], command: 'true'}
",
    );
    let id = run.summary.id;
    env.wait_until(id, |_| !env.read("main").is_empty());
    let _: RunSummary = env
        .call("run_cancel", RunRef { run: id })
        .expect("the run is active");
    let view = env.finish(id);
    assert_eq!(view.summary.state, RunState::Cancelled);
    assert_eq!(
        state_labels(&view),
        ["stubborn interrupted", "later blocked"]
    );
    for file in ["main", "escaped"] {
        let pid = env.read(file).trim().to_owned();
        assert!(
            !std::path::Path::new(&format!("/proc/{pid}")).exists(),
            "{file} ({pid}) must be gone"
        );
    }
}

#[test]
fn single_node_runs_with_its_ancestors() {
    let env = TestEnvironment::new();
    let plan = env.import_approved(
        "
baton: 1
title: Part
nodes:
  - {id: a, kind: command, command: 'echo a >> ledger'}
  - {id: b, kind: command, dependsOn: [a], command: 'echo b >> ledger'}
  - {id: c, kind: command, dependsOn: [b], command: 'echo c >> ledger'}
  - {id: other, kind: command, command: 'echo other >> ledger'}
",
    );
    let wanted = plan.plan.nodes[1].id;
    let run = env
        .run(plan.plan.id, RunGoal::Node { node: wanted })
        .expect("the plan can run");
    let view = env.finish(run.summary.id);
    assert_eq!(
        state_labels(&view),
        ["a done", "b done", "c pending", "other pending"]
    );
    assert!(
        matches!(view.summary.state, RunState::Paused { .. }),
        "the run can be resumed for the rest: {:?}",
        view.summary.state
    );
    let _: RunSummary = env
        .call(
            "run_want",
            RunSetGoal {
                run: run.summary.id,
                goal: RunGoal::All,
                finished: Vec::new(),
            },
        )
        .expect("the run is paused");
    assert_eq!(
        env.finish(run.summary.id).summary.state,
        RunState::Completed
    );
    let mut ledger: Vec<String> = env.read("ledger").lines().map(str::to_owned).collect();
    ledger.sort();
    assert_eq!(
        ledger,
        ["a", "b", "c", "other"],
        "each node ran exactly once"
    );
}
