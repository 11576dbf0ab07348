//! Tests what remains after a plan is deleted.

use std::path::Path;
use std::process::Command;

use baton_api::wire::*;
use baton_model::{NodeState, PlanId, RunId};
use baton_tests::TestEnvironment;
use baton_tests::test_environment::{id, state};

fn git(place: &Path, arguments: &[&str]) -> String {
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
    String::from_utf8(done.stdout).expect("names are UTF-8")
}

fn snapshots(place: &Path) -> Vec<String> {
    let listed = git(
        place,
        &["for-each-ref", "--format=%(refname)", "refs/baton/"],
    );
    listed.lines().map(str::to_owned).collect()
}

/// Runs a plan to its end, and creates a checkpoint on the way.
fn run_with_checkpoint(env: &TestEnvironment, title: &str) -> (PlanId, RunId) {
    let run = env.start(&format!(
        "
baton: 1
title: {title}
nodes:
  - {{id: first, kind: command, command: 'echo {title} > {title}.txt'}}
  - {{id: ask, kind: user_input, dependsOn: [first], question: Go on?, inputType: confirm}}
"
    ));
    let run = run.summary.id;
    let view = env.wait_until(run, |view| {
        matches!(state(view, "ask"), NodeState::Waiting { .. })
    });
    let keep = RunCheckpoint {
        run,
        name: "kept".to_owned(),
        data: None,
    };
    let _: RunSummary = env
        .call("run_checkpoint", keep)
        .expect("the checkpoint is created");
    let answer = serde_json::json!({ "run": run, "node": id(&view, "ask"), "value": "yes" });
    let _: RunSummary = env
        .call("node_input", answer)
        .expect("yes is a valid answer");
    env.finish(run);
    (view.summary.plan, run)
}

#[test]
fn deleting_a_plan_deletes_only_its_snapshots() {
    let env = TestEnvironment::new();
    let place = env.work_dir.path();
    git(place, &["init", "-q"]);
    git(place, &["commit", "-q", "--allow-empty", "-m", "before"]);
    git(place, &["update-ref", "refs/baton/somebody/else", "HEAD"]);
    let (gone, gone_run) = run_with_checkpoint(&env, "gone");
    let (_, kept_run) = run_with_checkpoint(&env, "kept");
    let of = |run: RunId| format!("refs/baton/runs/{run}/");
    assert!(
        snapshots(place)
            .iter()
            .any(|name| name.starts_with(&of(gone_run))),
        "{:?}",
        snapshots(place)
    );

    let _: Done = env
        .call("plan_delete", PlanRef { plan: gone })
        .expect("the plan is idle");
    assert_eq!(snapshots(place).len(), 3, "a restored plan needs them");
    let _: Done = env
        .call("plan_purge", PlanRef { plan: gone })
        .expect("the plan is deleted");
    let left = snapshots(place);
    assert_eq!(left.len(), 2, "{left:?}");
    assert!(
        left[0].starts_with(&of(kept_run)),
        "the snapshots of another plan's run are kept: {left:?}"
    );
    assert_eq!(left[1], "refs/baton/somebody/else");
    assert_eq!(
        env.read("gone.txt"),
        "gone\n",
        "the person's files are kept"
    );
}

#[test]
fn plan_is_deleted_even_if_git_fails() {
    let env = TestEnvironment::new();
    let place = env.work_dir.path();
    git(place, &["init", "-q"]);
    let (plan, _) = run_with_checkpoint(&env, "gone");
    std::fs::write(place.join(".git/config"), "[broken").expect("enough disk space");
    let _: Done = env
        .call("plan_delete", PlanRef { plan })
        .expect("the plan is idle");
    let gone = env
        .call::<PlanView>("plan_get", PlanRef { plan })
        .expect_err("the plan is deleted");
    assert_eq!(gone.code, baton_api::Code::Deleted);
}
