//! Tests a plan's policies for failures, crashes, limits and rollbacks for real.

use std::path::Path;
use std::process::Command;

use baton_api::wire::*;
use baton_keeper::Claim;
use baton_model::outcome::Failure;
use baton_model::run::{SkipReason, WaitingFor};
use baton_model::{NodeState, RunId, RunState};
use baton_tests::TestEnvironment;
use baton_tests::test_environment::{id, node, state, state_labels};

fn git(place: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=Test", "-c", "user.email=test@localhost"];
    let done = Command::new("git")
        .args(identity)
        .args(arguments)
        .current_dir(place)
        .output()
        .expect("git is installed");
    assert!(
        done.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
}

fn kill_keeper(env: &TestEnvironment, view: &RunView, slug: &str) {
    let session = node(view, slug).session.expect("the node is running");
    let claim =
        Claim::read(&env.data().join("sessions").join(session.to_string())).expect("readable");
    let pid = claim.expect("the keeper is running").pid.to_string();
    assert!(
        Command::new("kill")
            .args(["-9", &pid])
            .status()
            .expect("kill is installed")
            .success()
    );
}

fn reference(run: RunId, view: &RunView, slug: &str) -> NodeRef {
    NodeRef {
        run,
        node: id(view, slug),
    }
}

#[test]
fn only_listed_exit_codes_are_retried() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Codes
nodes:
  - {id: worth, kind: command, maxRetries: 1, retryExitCodes: [75], onFailure: skip, command: 'echo worth >> ledger; exit 75'}
  - {id: vain, kind: command, maxRetries: 1, retryExitCodes: [75], onFailure: skip, command: 'echo vain >> ledger2; exit 1'}
",
    );
    let view = env.finish(run.summary.id);
    assert_eq!(state_labels(&view), ["worth skipped", "vain skipped"]);
    assert_eq!(env.read("ledger"), "worth\nworth\n");
    assert_eq!(env.read("ledger2"), "vain\n");
}

#[test]
fn lost_attempt_restarts_from_its_checkpoint() {
    let env = TestEnvironment::new();
    let place = env.work_dir.path().to_owned();
    git(&place, &["init", "-q"]);
    std::fs::write(place.join("work.txt"), "clean\n").expect("enough disk space");
    git(&place, &["add", "."]);
    git(&place, &["commit", "-q", "-m", "before"]);
    // Outside of the work tree, so that restoring the checkpoint keeps it.
    let outside = tempfile::tempdir().expect("a folder");
    let ledger = outside.path().join("ledger");
    let line = format!(
        "cat work.txt >> {0}; echo dirty >> work.txt; touch half; [ $(wc -l < {0}) -ge 2 ] || sleep 1000",
        ledger.display()
    );
    env.add_agent("tester", &line);
    let run = env.start(
        "
baton: 1
title: Restart
nodes:
  - {id: work, agent: tester, prompt: Work., afterCrash: restart}
",
    );
    let run = run.summary.id;
    let view = env.wait_until(run, |view| {
        *state(view, "work") == NodeState::Running && place.join("half").exists()
    });
    assert!(
        node(&view, "work").marks.checkpoint.is_some(),
        "the checkpoint was created before the agent started"
    );
    kill_keeper(&env, &view, "work");
    let view = env.finish(run);
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    let seen = std::fs::read_to_string(&ledger).expect("the file exists");
    assert_eq!(
        seen, "clean\nclean\n",
        "the second attempt starts with the same files as the first"
    );
    let marks = &node(&view, "work").marks;
    assert_eq!(
        (node(&view, "work").attempt.0, marks.losses),
        (2, 1),
        "a loss doesn't count as a retry"
    );
}

#[test]
fn lost_command_restarts_from_its_checkpoint() {
    let env = TestEnvironment::new();
    let place = env.work_dir.path().to_owned();
    git(&place, &["init", "-q"]);
    std::fs::write(place.join("work.txt"), "clean\n").expect("enough disk space");
    // Outside of the work tree, so that restoring the checkpoint keeps it.
    let outside = tempfile::tempdir().expect("a folder");
    let ledger = outside.path().join("ledger");
    let line = format!(
        "cat work.txt >> {0}; echo dirty >> work.txt; touch half; [ $(wc -l < {0}) -ge 2 ] || sleep 1000",
        ledger.display()
    );
    let run = env.start(&format!(
        "
baton: 1
title: Restart
nodes:
  - {{id: work, kind: command, command: '{line}', afterCrash: restart}}
"
    ));
    let run = run.summary.id;
    let view = env.wait_until(run, |view| {
        *state(view, "work") == NodeState::Running && place.join("half").exists()
    });
    assert!(
        node(&view, "work").marks.checkpoint.is_some(),
        "the checkpoint was created before the command started"
    );
    kill_keeper(&env, &view, "work");
    let view = env.finish(run);
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    let seen = std::fs::read_to_string(&ledger).expect("the file exists");
    assert_eq!(
        seen, "clean\nclean\n",
        "the second attempt starts with the same files as the first"
    );
    assert_eq!(env.read("work.txt"), "clean\ndirty\n");
}

#[test]
fn run_is_rolled_back_with_its_files() {
    let env = TestEnvironment::new();
    let place = env.work_dir.path().to_owned();
    git(&place, &["init", "-q"]);
    let run = env.start(
        "
baton: 1
title: Back
nodes:
  - {id: first, kind: command, command: 'echo first >> work.txt'}
  - {id: ask, kind: user_input, dependsOn: [first], question: Go on?, inputType: confirm}
  - {id: second, kind: command, dependsOn: [ask], command: 'echo second >> work.txt; touch new'}
",
    );
    let run = run.summary.id;
    let asks = |view: &RunView| {
        matches!(
            state(view, "ask"),
            NodeState::Waiting {
                what: WaitingFor::Input { .. }
            }
        )
    };
    let view = env.wait_until(run, asks);
    let keep = RunCheckpoint {
        run,
        name: "before the second".to_owned(),
        data: None,
    };
    let _: RunSummary = env
        .call("run_checkpoint", keep)
        .expect("the checkpoint is created");
    let answer = || serde_json::json!({ "run": run, "node": id(&view, "ask"), "value": "yes" });
    let _: RunSummary = env
        .call("node_input", answer())
        .expect("yes is a valid answer");
    env.finish(run);
    assert_eq!(env.read("work.txt"), "first\nsecond\n");

    let kept: Vec<CheckpointView> = env.call("run_checkpoints", RunRef { run }).expect("a list");
    assert_eq!(
        (kept.len(), kept[0].name.as_str(), kept[0].done),
        (1, "before the second", 1)
    );
    assert!(
        kept[0].changed_files.contains(&"work.txt".to_owned()),
        "{:?}",
        kept[0].changed_files
    );
    let back = RunRollback {
        run,
        checkpoint: 0,
        files: true,
    };
    let _: RunSummary = env.call("run_rollback", back).expect("the run is idle");
    assert_eq!(env.read("work.txt"), "first\n", "the files are restored");
    assert!(!place.join("new").exists(), "new files are removed");
    let view = env.view(run);
    assert_eq!(
        state_labels(&view),
        ["first done", "ask pending", "second pending"]
    );
    let _: RunSummary = env
        .call("run_resume", RunRef { run })
        .expect("the answer was rolled back");
    env.wait_until(run, asks);
    let _: RunSummary = env
        .call("node_input", answer())
        .expect("the question is open again");
    let view = env.finish(run);
    assert_eq!(view.summary.state, RunState::Completed);
    assert_eq!(env.read("work.txt"), "first\nsecond\n");
}

#[test]
fn only_stale_nodes_are_rerun() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Stale
nodes:
  - {id: a, kind: command, command: 'echo a >> ledger'}
  - {id: b, kind: command, dependsOn: [a], command: 'echo b >> ledger; cp $BATON_CONTEXT seen'}
  - {id: c, kind: command, command: 'echo c >> other'}
",
    );
    let run = run.summary.id;
    let view = env.finish(run);
    let edit = ArtifactEdit {
        run,
        node: id(&view, "a"),
        text: "**What was done:**\nSomething else.".to_owned(),
    };
    let _: RunSummary = env.call("artifact_edit", edit).expect("the node is done");
    let view = env.view(run);
    assert_eq!(
        (
            node(&view, "a").stale,
            node(&view, "b").stale,
            node(&view, "c").stale
        ),
        (false, true, false)
    );
    let _: RunSummary = env
        .call("run_rerun_stale", RunRef { run })
        .expect("b is stale");
    env.finish(run);
    assert_eq!(env.read("ledger"), "a\nb\nb\n");
    assert!(
        env.read("seen").contains("Something else."),
        "b receives the edited handoff"
    );

    let _: RunSummary = env
        .call("node_rerun_alone", reference(run, &view, "a"))
        .expect("the node is done");
    let view = env.finish(run);
    assert_eq!(
        env.read("ledger"),
        "a\nb\nb\na\n",
        "only the one node ran again"
    );
    assert!(node(&view, "b").stale);
    assert_eq!(view.summary.state, RunState::Completed);
    assert_eq!(env.read("other"), "c\n");
}

#[test]
fn preview_lists_what_a_rerun_of_what_failed_then_runs() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Fixed
nodes:
  - {id: a, kind: command, command: 'echo a >> ledger'}
  - {id: b, kind: command, dependsOn: [a], command: 'echo b >> ledger; test -e fixed'}
  - {id: c, kind: command, dependsOn: [b], command: 'echo c >> ledger'}
",
    );
    let run = run.summary.id;
    let view = env.finish(run);
    let ask = |scope, nodes: &[&str]| -> RerunPreviewView {
        let nodes = nodes.iter().map(|slug| id(&view, slug)).collect();
        env.call("run_rerun_preview", RerunPreview { run, nodes, scope })
            .expect("nothing is running")
    };
    let from_a = ask(RerunScope::FromHere, &["a"]);
    let titles: Vec<_> = from_a.nodes.iter().map(|row| row.node).collect();
    assert_eq!(titles, ["a", "b", "c"].map(|slug| id(&view, slug)));
    let failed = ask(RerunScope::Failed, &[]);
    assert_eq!(failed.nodes.len(), 1);
    assert_eq!(failed.nodes[0].node, id(&view, "b"));
    assert!(failed.nodes[0].last_ms.is_some());
    assert_eq!(failed.unknown_costs, 0, "commands cost nothing");

    std::fs::write(env.work_dir.path().join("fixed"), "").expect("writable");
    let _: RunSummary = env
        .call("run_rerun_failed", RunRef { run })
        .expect("b failed");
    let view = env.finish(run);
    assert_eq!(view.summary.state, RunState::Completed);
    assert_eq!(env.read("ledger"), "a\nb\nb\nc\n");
}

#[test]
fn lost_node_can_be_marked_failed() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Lost
nodes:
  - {id: lost, kind: command, command: 'touch began; sleep 1000', onFailure: repair}
  - {id: between, kind: command, dependsOn: [lost], command: 'echo between >> ledger'}
  - {id: repair, kind: command, command: 'echo repair >> ledger'}
",
    );
    let run = run.summary.id;
    let place = env.work_dir.path().to_owned();
    let view = env.wait_until(run, |view| {
        *state(view, "lost") == NodeState::Running && place.join("began").exists()
    });
    kill_keeper(&env, &view, "lost");
    let view = env.finish(run);
    assert!(
        matches!(view.summary.state, RunState::Stalled { .. }),
        "{:?}",
        view.summary.state
    );
    let _: RunSummary = env
        .call("node_mark_failed", reference(run, &view, "lost"))
        .expect("the node was interrupted");
    let view = env.finish(run);
    assert_eq!(
        view.summary.state,
        RunState::Completed,
        "its failure jump is taken: {:#?}",
        view.nodes
    );
    assert_eq!(env.read("ledger"), "repair\n");
}

#[test]
fn agent_sessions_are_limited_by_the_plan() {
    let env = TestEnvironment::new();
    // A node that finds another one running records that. The commands have no limit, and show that
    // there were free slots.
    env.add_agent(
        "lonely",
        "mkdir at-work || echo two >> ledger; sleep 0.2; rmdir at-work",
    );
    let run = env.start(
        "
baton: 1
title: One at a time
concurrency: 8
agentConcurrency: {lonely: 1}
nodes:
  - {id: a, agent: lonely, prompt: Work.}
  - {id: b, agent: lonely, prompt: Work.}
  - {id: c, agent: lonely, prompt: Work.}
  - {id: x, kind: command, command: 'until [ -f y ]; do sleep 0.02; done'}
  - {id: y, kind: command, command: 'touch y'}
",
    );
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    assert_eq!(env.read("ledger"), "", "never two in parallel");
}

#[test]
fn silent_session_is_reported_but_not_ended() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Silent
nodes:
  - {id: quiet, kind: command, silentAfterMs: 100, command: 'until [ -f go ]; do sleep 0.02; done; echo done'}
",
    );
    let run = run.summary.id;
    env.wait_until(run, |view| node(view, "quiet").marks.silent);
    std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
    let view = env.finish(run);
    assert_eq!(view.summary.state, RunState::Completed);
    assert!(!node(&view, "quiet").marks.silent);
}

#[test]
fn stopping_one_node_lets_the_others_continue() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Stop one
nodes:
  - {id: stuck, kind: command, command: 'touch stuck; trap \"\" INT; sleep 600'}
  - {id: next, kind: command, command: 'touch next', dependsOn: [stuck]}
  - {id: other, kind: command, command: 'until [ -f go ]; do sleep 0.02; done'}
",
    );
    let run = run.summary.id;
    let view = env.wait_until(run, |view| {
        env.work_dir.path().join("stuck").exists() && *state(view, "stuck") == NodeState::Running
    });
    let stuck = reference(run, &view, "stuck");
    env.call::<RunSummary>("node_stop", &stuck)
        .expect("the node is running");
    let view = env.wait_until(run, |view| {
        matches!(state(view, "stuck"), NodeState::Interrupted { .. })
    });
    assert_eq!(
        *state(&view, "other"),
        NodeState::Running,
        "the rest of the run continues"
    );
    let session = node(&view, "stuck")
        .session
        .expect("the node has a session");
    let folder = baton_engine::session_folder(env.data(), session);
    assert!(
        folder.join("exit.json").exists(),
        "its processes have ended"
    );

    std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
    let NodeRef { run, node: stuck } = stuck;
    env.call::<RunSummary>(
        "node_skip",
        NodeSkip {
            run,
            node: stuck,
            stop: Some(true),
        },
    )
    .expect("the node isn't running");
    let view = env.finish(run);
    assert_eq!(view.summary.state, RunState::Completed);
    assert!(env.work_dir.path().join("next").exists());
}

#[test]
fn running_node_is_stopped_before_it_is_skipped() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Skip a running node
nodes:
  - {id: stuck, kind: command, command: 'touch stuck; sleep 600'}
  - {id: next, kind: command, command: 'touch next', dependsOn: [stuck]}
",
    );
    let run = run.summary.id;
    let view = env.wait_until(run, |view| {
        env.work_dir.path().join("stuck").exists() && *state(view, "stuck") == NodeState::Running
    });
    let NodeRef { node: stuck, .. } = reference(run, &view, "stuck");
    let refused = env.call::<RunSummary>(
        "node_skip",
        NodeSkip {
            run,
            node: stuck,
            stop: None,
        },
    );
    assert!(
        refused.is_err(),
        "a running node is only skipped if it may be stopped"
    );
    env.call::<RunSummary>(
        "node_skip",
        NodeSkip {
            run,
            node: stuck,
            stop: Some(true),
        },
    )
    .expect("the node is running");
    let view = env.finish(run);
    assert_eq!(view.summary.state, RunState::Completed);
    assert_eq!(
        *state(&view, "stuck"),
        NodeState::Skipped {
            reason: SkipReason::ByHand
        }
    );
    assert!(env.work_dir.path().join("next").exists());
}

#[test]
fn recursive_sub_plan_is_rejected() {
    let env = TestEnvironment::new();
    let inner = "baton: 1\ntitle: Snake\nnodes:\n  - {id: a, kind: sub_plan, subPlanId: Tail}\n";
    let tail = "baton: 1\ntitle: Tail\nnodes:\n  - {id: b, kind: sub_plan, subPlanId: Snake}\n";
    let snake = env.import_approved(inner);
    env.import_approved(tail);
    match env.run(snake.plan.id, RunGoal::All) {
        Err(error) => assert!(
            error.message.contains("Snake") && error.message.contains("Tail"),
            "{}",
            error.message
        ),
        Ok(run) => {
            let view = env.finish(run.summary.id);
            let NodeState::Failed { failure, .. } = state(&view, "a") else {
                panic!("{:?}", state(&view, "a"))
            };
            assert!(matches!(failure, Failure::SubPlan { .. }), "{failure}");
        }
    }
}

#[test]
fn disabled_node_is_skipped_and_children_run() {
    let env = TestEnvironment::new();
    // Its agent doesn't exist, but that doesn't matter: the node isn't started.
    let run = env.start(
        "
baton: 1
title: Passed over
nodes:
  - {id: before, kind: command, command: 'echo before > before.txt'}
  - {id: off, kind: agent, agent: nobody-has-this, prompt: Work., disabled: true, dependsOn: [before]}
  - {id: after, kind: command, command: 'cp $BATON_CONTEXT after.md', dependsOn: [before, off]}
  - {id: only, kind: command, command: 'echo yes > only.txt', dependsOn: [off]}
",
    );
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed);
    let reason = SkipReason::Disabled;
    assert_eq!(state(&view, "off"), &NodeState::Skipped { reason });
    assert!(
        node(&view, "off").session.is_none(),
        "no session was started"
    );
    assert_eq!(
        state_labels(&view),
        ["before done", "off skipped", "after done", "only done"]
    );
    let received = env.read("after.md");
    assert!(
        received.contains("## before"),
        "the handoffs of the others are received: {received}"
    );
    assert_eq!(
        env.read("only.txt"),
        "yes\n",
        "a node that only depends on it also runs"
    );
}
