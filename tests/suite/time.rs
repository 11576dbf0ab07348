//! Tests that one node has one worked time, wherever it is shown.

use baton_api::wire::*;
use baton_model::duration::format_elapsed;
use baton_model::{NodeState, RunId};
use baton_tests::processes::{keepers, signal};
use baton_tests::test_environment::{id, node};
use baton_tests::{Shell, TestEnvironment};
use serde_json::Value;

fn attempts(env: &TestEnvironment, view: &RunView, slug: &str) -> Vec<AttemptView> {
    let wanted = NodeRef {
        run: view.summary.id,
        node: id(view, slug),
    };
    env.call("node_attempts", wanted).expect("the node exists")
}

/// The lines that `baton` prints with `--json`.
fn json(shell: &Shell, arguments: &[&str]) -> Vec<Value> {
    let said = shell.run(arguments);
    assert_eq!(said.code, Some(0), "{said:?}");
    serde_json::Deserializer::from_str(&said.out)
        .into_iter()
        .map(|value| value.expect("JSON"))
        .collect()
}

fn latest_run(env: &TestEnvironment) -> RunId {
    let wanted = RunsFilter {
        plan: None,
        limit: 1,
    };
    let runs: Vec<RunSummary> = env.call("runs_list", wanted).expect("a list");
    runs[0].id
}

#[test]
fn worked_time_is_the_same_number_everywhere() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let plan =
        "{baton: 1, title: Sleep, cwd: ., nodes: [{id: a, kind: command, command: 'sleep 2'}]}";
    let file = shell.plan_file("sleep.yaml", plan);
    let printed = json(&shell, &["run", &file, "--yes", "--json"]);
    let run = latest_run(&env);
    let view = env.view(run);
    let times = node(&view, "a").times;
    let worked = times.worked_ms.expect("it was measured");
    assert!(worked >= 2_000, "never below the program's own: {worked}");
    assert!(times.working_since.is_none());

    let attempts = attempts(&env, &view, "a");
    assert_eq!(attempts[0].times, times, "the attempt");
    let wanted = SessionsFilter {
        run: Some(run),
        limit: 9,
    };
    let sessions: Vec<SessionView> = env.call("sessions_list", wanted).expect("a list");
    assert_eq!(sessions[0].times, times, "the session");
    let wanted = StatisticsGet {
        since: None,
        plan: Some(view.summary.plan),
    };
    let figures: Statistics = env.call("statistics_get", wanted).expect("the figures");
    let spans = figures.kinds[0].durations.as_ref().expect("one attempt");
    assert_eq!((spans.count, spans.median_ms), (1, worked), "statistics");
    let wanted = PlanTiming {
        plan: view.summary.plan,
        run: Some(run),
    };
    let timing: PlanTimingView = env.call("plan_pace", wanted).expect("the times");
    assert_eq!(timing.times[0].busy_ms, worked, "the critical path");
    let artifact = node(&view, "a").artifact.expect("a handoff");
    let handoff: ArtifactView = env
        .call("artifact_get", ArtifactRef { artifact })
        .expect("the handoff");
    let words = format!("after {}.", format_elapsed(worked));
    assert!(handoff.content.text.contains(&words), "{handoff:?}");

    let ended = printed
        .iter()
        .find_map(|line| line["workedMs"].as_u64())
        .expect("the event has it");
    assert_eq!(ended, worked, "the followed event");
    let summary = &printed.last().expect("a summary")["summary"];
    assert_eq!(summary["workedMs"], worked, "the summary of the run");
    assert!(summary["elapsedMs"].as_u64() >= Some(worked), "{summary}");
    let listed = shell.run(&["session", "list"]);
    assert!(listed.out.contains(&format_elapsed(worked)), "{listed:?}");
}

#[test]
fn a_rerun_adds_its_work_but_not_the_pause() {
    let env = TestEnvironment::new();
    let start = env
        .start("{baton: 1, title: Again, nodes: [{id: a, kind: command, command: 'sleep 0.1'}]}");
    let run = start.summary.id;
    let first = node(&env.finish(run), "a").times;
    let again = NodeRef {
        run,
        node: id(&start, "a"),
    };
    let _: RunSummary = env.call("node_rerun_alone", again).expect("it is done");
    let view = env.finish(run);
    let times = node(&view, "a").times;
    let parts: Vec<_> = attempts(&env, &view, "a")
        .iter()
        .map(|attempt| attempt.times.worked_ms)
        .collect();
    assert_eq!(
        parts[0], first.worked_ms,
        "the first attempt keeps its time"
    );
    assert_eq!(times.worked_ms, parts.iter().copied().sum::<Option<u64>>());
    assert!(times.worked_ms >= Some(200) && times.worked_ms <= times.elapsed_ms);
}

#[test]
fn a_node_without_an_attempt_worked_for_nothing() {
    let env = TestEnvironment::new();
    let start = env.start(
        "
baton: 1
title: By hand
nodes:
  - {id: a, kind: command, command: 'while [ ! -e go ]; do sleep 0.05; done'}
  - {id: done, kind: command, dependsOn: [a], command: 'true'}
  - {id: skipped, kind: command, dependsOn: [a], command: 'true'}
",
    );
    let run = start.summary.id;
    env.wait_until(run, |view| node(view, "a").state == NodeState::Running);
    let by_hand = NodeMarkDone {
        run,
        node: id(&start, "done"),
        handoff: String::new(),
        stop: None,
    };
    let _: RunSummary = env.call("node_mark_done", by_hand).expect("not started");
    let skip = NodeSkip {
        run,
        node: id(&start, "skipped"),
        stop: None,
    };
    let _: RunSummary = env.call("node_skip", skip).expect("not started");
    std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
    let view = env.finish(run);
    for slug in ["done", "skipped"] {
        let times = node(&view, slug).times;
        assert_eq!(
            (times.worked_ms, times.elapsed_ms),
            (Some(0), None),
            "{slug}"
        );
    }
}

#[test]
fn a_lost_attempt_worked_for_an_unknown_time() {
    let env = TestEnvironment::new();
    let start = env.start(
        "{baton: 1, title: Lost, nodes: [{id: a, kind: command, command: 'touch began; sleep 1000'}]}",
    );
    let run = start.summary.id;
    let begun = env.work_dir.path().join("began");
    let view = env.wait_until(run, |view| {
        begun.exists() && node(view, "a").state == NodeState::Running
    });
    assert_eq!(node(&view, "a").times.elapsed_ms, None, "it is live");
    signal("-KILL", keepers(env.data())[0]);
    let view = env.wait_until(run, |view| {
        matches!(node(view, "a").state, NodeState::Interrupted { .. })
    });
    assert_eq!(node(&view, "a").times.worked_ms, None);
    assert_eq!(attempts(&env, &view, "a")[0].times.worked_ms, None);
}
