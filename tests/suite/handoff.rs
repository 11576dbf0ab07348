//! Tests handoffs and evidence: agents that lie, criteria that are checked, and what edges pass on.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use baton_api::wire::*;
use baton_model::evidence::{Checker, CommandEnd, FileSource, Mismatch, Verdict};
use baton_model::outcome::Failure;
use baton_model::{NodeId, NodeState, RunState};
use baton_tests::model_api::ModelApi;
use baton_tests::shell::RunningCommand;
use baton_tests::test_environment::{id, node, state};
use baton_tests::{Shell, TestEnvironment, processes};
use tempfile::TempDir;

/// Runs a plan with one node for the real claude. `more` contains further keys of the node.
fn run_claude(env: &TestEnvironment, scenario: &str, more: &str) -> RunView {
    run_claude_in(env, scenario, "", more)
}

/// Like `run_claude`, with settings of the plan.
fn run_claude_in(env: &TestEnvironment, scenario: &str, settings: &str, more: &str) -> RunView {
    let (api, home) = (
        ModelApi::start().expect("a port"),
        TempDir::new().expect("a folder"),
    );
    let shell = Shell::new(env);
    let node = format!("  - {{id: work, agent: claude, prompt: Write a greeting., {more}}}\n");
    let file = shell.plan_file(
        "plan.yaml",
        &format!("baton: 1\ncwd: .\n{settings}nodes:\n{node}"),
    );
    let installed = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../target/tools/claude/node_modules/.bin/claude");
    let claude = std::env::var_os("BATON_TEST_CLAUDE").map_or(installed, PathBuf::from);
    let folder = claude
        .parent()
        .expect("a program is in a folder")
        .display()
        .to_string();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = shell.baton(&["run", &file, "--yes"]);
    command
        .env("PATH", format!("{folder}:{path}"))
        .env("HOME", home.path())
        .envs([
            ("ANTHROPIC_BASE_URL", api.base_url(scenario).as_str()),
            ("ANTHROPIC_API_KEY", "sk-ant-fake"),
            ("DISABLE_TELEMETRY", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            ("IS_SANDBOX", "1"),
        ]);
    let (status, said) = RunningCommand::new(command).end();
    assert!(status.success(), "{said}");
    let runs: Vec<RunSummary> = env
        .call(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 1,
            },
        )
        .expect("runs");
    env.view(runs.first().expect("the run has started").id)
}

/// Returns the text of the node's handoff.
fn handoff_of(env: &TestEnvironment, view: &RunView) -> String {
    let artifact = node(view, "work").artifact.expect("a handoff");
    let artifact: ArtifactView = env
        .call("artifact_get", ArtifactRef { artifact })
        .expect("the artifact exists");
    artifact.content.text
}

fn make_repository(place: &Path) {
    let commands: [&[&str]; 3] = [
        &["init", "--quiet"],
        &["add", "--all"],
        &[
            "-c",
            "user.name=A",
            "-c",
            "user.email=a@b",
            "commit",
            "--quiet",
            "--allow-empty",
            "-m",
            "first",
        ],
    ];
    for arguments in commands {
        let status = Command::new("git")
            .args(arguments)
            .current_dir(place)
            .status()
            .expect("git is installed");
        assert!(status.success(), "git {arguments:?}");
    }
}

#[test]
fn claimed_file_that_was_not_written_is_unverified() {
    for in_git in [false, true] {
        let env = TestEnvironment::new();
        if in_git {
            make_repository(env.work_dir.path());
        }
        // The scripted model only says hello, but claims that it changed hello.txt.
        let view = run_claude(&env, "text", "");
        assert_eq!(
            view.summary.state,
            RunState::Completed,
            "a false claim doesn't stop the plan"
        );
        assert!(node(&view, "work").unverified, "in git: {in_git}");
        let evidence = env.evidence(&view, "work");
        let lie = Mismatch::ClaimedUntouched {
            path: "hello.txt".to_owned(),
            exists: false,
        };
        assert_eq!(evidence.mismatches, [lie]);
        let expected = if in_git {
            FileSource::Git
        } else {
            FileSource::Directory
        };
        assert_eq!(evidence.files.source, expected);

        let target = NodeRef {
            run: view.summary.id,
            node: id(&view, "work"),
        };
        let _: RunSummary = env
            .call("evidence_accept", target)
            .expect("a person can accept it");
        assert!(!node(&env.view(view.summary.id), "work").unverified);
    }
}

#[test]
fn verified_handoff_lists_commands() {
    let env = TestEnvironment::new();
    let view = run_claude(&env, "write_bash", "");
    assert!(!node(&view, "work").unverified);
    let evidence = env.evidence(&view, "work");
    assert_eq!(evidence.files.created, ["checked.txt", "hello.txt"]);
    let silent = Mismatch::Unmentioned {
        path: "checked.txt".to_owned(),
    };
    assert_eq!(
        evidence.mismatches,
        [silent],
        "a mismatch, but not a contradiction"
    );
    let commands: Vec<_> = evidence
        .commands
        .iter()
        .map(|run| (run.command.as_str(), run.end))
        .collect();
    assert_eq!(
        commands,
        [("cat hello.txt && touch checked.txt", CommandEnd::Succeeded)]
    );
}

#[test]
fn failed_command_is_listed_with_its_exit_code() {
    let env = TestEnvironment::new();
    let view = run_claude(&env, "bash_fail", "");
    let evidence = env.evidence(&view, "work");
    assert_eq!(evidence.commands[0].end, CommandEnd::Exited { code: 3 });
}

#[test]
fn committed_work_is_detected() {
    let env = TestEnvironment::new();
    make_repository(env.work_dir.path());
    let view = run_claude(&env, "commit", "");
    let evidence = env.evidence(&view, "work");
    assert_eq!(
        evidence.files.created,
        ["hello.txt"],
        "detected although git status is clean"
    );
    assert_eq!(evidence.mismatches, []);
    assert!(!node(&view, "work").unverified);
}

#[test]
fn reviewer_judges_each_criterion() {
    let env = TestEnvironment::new();
    let more =
        "acceptanceCriteria: [{ask: hello.txt exists}, {ask: It is tested}, A word to the agent]";
    let view = run_claude_in(&env, "write_bash", "review: {}\n", more);
    let evidence = env.evidence(&view, "work");
    let results: Vec<_> = evidence
        .checks
        .iter()
        .map(|check| (check.criterion.as_str(), check.verdict))
        .collect();
    assert_eq!(
        results[..2],
        [
            ("hello.txt exists", Verdict::Met),
            ("It is tested", Verdict::NotMet)
        ]
    );
    assert_eq!(evidence.checks[1].detail, "nothing tests it.");
    assert_eq!(
        evidence.checks[0].by,
        Checker::Reviewer {
            agent: "claude".to_owned()
        }
    );
    assert!(node(&view, "work").unverified);
    processes::wait_for_none(env.data());
}

#[test]
fn criterion_without_reviewer_is_not_checked() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let file = shell.plan_file(
        "plan.yaml",
        "
baton: 1
cwd: .
nodes:
  - {id: said, kind: command, command: 'true', acceptanceCriteria: [It is good, {ask: Is it good?}]}
  - {id: run, kind: command, command: 'true', acceptanceCriteria: [It is good, {run: 'true'}]}
  - {id: plain, kind: command, command: 'true'}
",
    );
    let (status, said) = shell.start(&["run", &file, "--yes", "--strict"]).end();
    assert!(status.success(), "no criterion failed: {said}");
    assert!(said.contains("3 done, 1 not checked"), "{said}");
    let is_reported = |line: &str| line.contains("done in") && line.contains(", not checked");
    assert!(said.lines().any(is_reported), "{said}");
    let runs: Vec<RunSummary> = env
        .call(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 1,
            },
        )
        .expect("runs");
    let view = env.view(runs[0].id);
    let marks = ["said", "run", "plain"]
        .map(|slug| (node(&view, slug).not_checked, node(&view, slug).unverified));
    assert_eq!(marks, [(true, false), (false, false), (false, false)]);
    let verdicts = |slug| {
        env.evidence(&view, slug)
            .checks
            .iter()
            .map(|check| check.verdict)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        verdicts("said"),
        [Verdict::NotChecked, Verdict::NotChecked],
        "no reviewer was started"
    );
    assert_eq!(verdicts("run"), [Verdict::NotChecked, Verdict::Met]);
    let (status, shown) = shell
        .start(&["runs", "show", &view.summary.id.to_string()])
        .end();
    assert!(
        status.success() && shown.contains("done, not checked"),
        "{shown}"
    );
}

#[test]
fn failed_criterion_fails_its_node() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let nodes = "
nodes:
  - {id: work, kind: command, command: 'true', acceptanceCriteria: [{run: 'echo 2 tests failed >&2; exit 3'}]}
  - {id: after, kind: command, command: 'touch after.txt', dependsOn: [work]}
";
    let run = |name: &str, settings: &str, options: &[&str]| {
        let file = shell.plan_file(name, &format!("baton: 1\ncwd: .{settings}{nodes}"));
        let words = [&["run", file.as_str(), "--yes"][..], options].concat();
        let (status, said) = shell.start(&words).end();
        (status.code(), said)
    };
    let after = env.work_dir.path().join("after.txt");
    let (code, said) = run("fails.yaml", "", &[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(!after.exists(), "the next node doesn't run");
    assert!(
        said.contains("ended with exit code 3 (2 tests failed)"),
        "{said}"
    );
    let (code, said) = run("continues.yaml", "\nonFailedCriterion: continue", &[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        after.exists() && said.contains("2 done, 1 unverified"),
        "{said}"
    );
    let (code, said) = run(
        "continues.yaml",
        "\nonFailedCriterion: continue",
        &["--strict"],
    );
    assert_eq!(code, Some(1), "{said}");
}

#[test]
fn failed_criterion_is_handled_like_any_failure() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
nodes:
  - {id: work, kind: command, command: 'true', onFailure: repair, acceptanceCriteria: [{run: 'exit 1'}]}
  - {id: next, kind: command, command: 'touch next.txt', dependsOn: [work]}
  - {id: repair, kind: command, command: 'touch repaired.txt'}
",
    );
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed);
    let is_there = |name: &str| env.work_dir.path().join(name).exists();
    assert!(is_there("repaired.txt") && !is_there("next.txt"));
}

#[test]
fn handoff_without_headings_is_still_verified() {
    let env = TestEnvironment::new();
    let view = run_claude(&env, "lie_unasked", "");
    assert!(node(&view, "work").unverified);
    let lie = Mismatch::ClaimedUntouched {
        path: "ghost.txt".to_owned(),
        exists: false,
    };
    assert_eq!(env.evidence(&view, "work").mismatches, [lie]);
    let text = handoff_of(&env, &view);
    assert_eq!(
        text,
        "**What was done:**\nAll done. I created `ghost.txt` and ran it."
    );
}

#[test]
fn failed_handoff_turn_keeps_the_last_message() {
    let env = TestEnvironment::new();
    let view = run_claude(&env, "handoff_fails", "");
    assert_eq!(
        handoff_of(&env, &view),
        "**What was done:**\nI wrote `hello.txt` with one line."
    );
    assert!(!node(&view, "work").unverified);
    assert_eq!(env.evidence(&view, "work").mismatches, []);
}

#[test]
fn empty_work_is_unverified() {
    for (script, is_doubted) in [
        ("true", true),
        ("touch done.txt", false),
        ("echo I looked.", false),
    ] {
        let env = TestEnvironment::new();
        crate::planning::teach(&env, &format!("cat >/dev/null; {script}"));
        let run = env.start("\nbaton: 1\nnodes:\n  - {id: work, agent: planner, prompt: Do it.}\n");
        let view = env.finish(run.summary.id);
        assert_eq!(view.summary.state, RunState::Completed);
        assert_eq!(node(&view, "work").unverified, is_doubted, "{script}");
        let input = AttemptRef {
            run: view.summary.id,
            node: id(&view, "work"),
            attempt: None,
        };
        let known: EvidenceView = env
            .call("evidence_get", input)
            .expect("the node has an attempt");
        let doubt = is_doubted.then(|| "the agent did nothing and gave no answer".to_owned());
        assert_eq!(known.doubt, doubt, "{script}");
    }
}

#[test]
fn check_commands_decide_by_exit_code() {
    let env = TestEnvironment::new();
    // Git detects the created files, however slow the machine is.
    let made = std::process::Command::new("git")
        .args(["init", "--quiet"])
        .current_dir(env.work_dir.path())
        .status();
    assert!(made.expect("git").success());
    let run = env.start(
        "
baton: 1
onFailedCriterion: continue
nodes:
  - id: work
    kind: command
    command: 'echo made > made.txt; echo name=made >> $BATON_OUTPUT'
    acceptanceCriteria:
      - {run: 'test -s made.txt'}
      - {run: 'echo broken >&2; exit 3'}
      - A word to the reader
  - {id: after, kind: command, command: 'true', dependsOn: [work]}
",
    );
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed);
    assert!(node(&view, "work").unverified && !node(&view, "after").unverified);
    let evidence = env.evidence(&view, "work");
    let results: Vec<_> = evidence
        .checks
        .iter()
        .map(|check| (check.by.clone(), check.verdict))
        .collect();
    let command = |code| Checker::Command { code: Some(code) };
    assert_eq!(
        results[..2],
        [(command(0), Verdict::Met), (command(3), Verdict::NotMet)]
    );
    assert_eq!(evidence.checks[1].detail, "broken", "the end of the output");
    assert_eq!(evidence.files.created, ["made.txt"]);
}

#[test]
fn failed_criterion_is_retried() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
nodes:
  - id: work
    kind: command
    command: 'echo round >> rounds.txt'
    maxRetries: 1
    acceptanceCriteria: [{run: 'test $(wc -l < rounds.txt) -ge 3'}]
",
    );
    let view = env.finish(run.summary.id);
    assert_eq!(
        env.read("rounds.txt"),
        "round\nround\n",
        "the node had two attempts"
    );
    let NodeState::Failed {
        failure: Failure::CriteriaFailed { detail },
        ..
    } = state(&view, "work")
    else {
        panic!("{:?}", state(&view, "work"))
    };
    assert_eq!(
        detail,
        "`test $(wc -l < rounds.txt) -ge 3` ended with exit code 1"
    );
}

#[test]
fn long_check_is_cancelled_with_its_run() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
nodes:
  - {id: work, kind: command, command: 'true', acceptanceCriteria: [{run: 'touch began; sleep 301 & sleep 300'}]}
",
    );
    processes::wait("the check starts", || {
        env.work_dir
            .path()
            .join("began")
            .exists()
            .then_some(())
            .ok_or_else(|| "not yet".to_owned())
    });
    let began = Instant::now();
    let _: RunSummary = env
        .call(
            "run_cancel",
            RunRef {
                run: run.summary.id,
            },
        )
        .expect("the run is active");
    let view = env.wait_until(run.summary.id, |view| view.summary.state.has_ended());
    assert_eq!(view.summary.state, RunState::Cancelled);
    assert!(
        began.elapsed() < Duration::from_secs(30),
        "the run didn't wait for the check"
    );
    processes::wait_for_none(env.data());
}

#[test]
fn checks_survive_baton_being_killed() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let file = shell.plan_file(
        "plan.yaml",
        "
baton: 1
cwd: .
nodes:
  - id: work
    kind: command
    command: 'echo once >> work.txt'
    acceptanceCriteria: [{run: 'echo once >> check.txt; while ! test -e go; do sleep 0.05; done'}]
",
    );
    let first = shell.start(&["run", &file, "--yes"]);
    processes::wait("the check starts", || {
        env.work_dir
            .path()
            .join("check.txt")
            .exists()
            .then_some(())
            .ok_or_else(|| "not yet".to_owned())
    });
    assert!(first.kill(), "baton is killed during the check");
    std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
    let (status, said) = shell.start(&["resume", "--all"]).end();
    assert!(status.success(), "{said}");
    let runs: Vec<RunSummary> = env
        .call(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 1,
            },
        )
        .expect("runs");
    let view = env.view(runs[0].id);
    assert_eq!(view.summary.state, RunState::Completed);
    assert_eq!(
        (
            env.read("work.txt").as_str(),
            env.read("check.txt").as_str()
        ),
        ("once\n", "once\n")
    );
    assert_eq!(env.evidence(&view, "work").checks[0].verdict, Verdict::Met);
}

#[test]
fn child_receives_the_pinned_handoff() {
    let env = TestEnvironment::new();
    let text = "
baton: 1
nodes:
  - {id: first, kind: command, command: 'echo a=1 >> $BATON_OUTPUT'}
  - {id: second, kind: command, command: 'cp $BATON_CONTEXT second.md; echo {{nodes.first.outputs.a}} > a.txt', dependsOn: [first]}
  - {id: third, kind: command, command: 'cp $BATON_CONTEXT third.md', dependsOn: [first]}
";
    let plan = env.import_approved(text);
    let first = plan.plan.nodes[0].id;
    let run = env
        .run(plan.plan.id, RunGoal::Node { node: first })
        .expect("the plan can run")
        .summary
        .id;
    let view = env.finish(run);
    let edge = EdgeRef {
        run,
        parent: first,
        child: id(&view, "second"),
    };
    let before: EdgeView = env.call("edge_context", edge.clone()).expect("an edge");
    assert!(
        before.text.starts_with("## first\n\n**What was done:**") && before.tokens > 10,
        "{before:?}"
    );
    let (pinned, artifact) = ("Only this.".to_owned(), before.artifact);
    let EdgeRef { parent, child, .. } = edge;
    let pin = HandoffPin {
        run,
        parent,
        child,
        text: pinned,
        artifact,
    };
    let _: RunSummary = env
        .call("handoff_pin", pin)
        .expect("the child has not started");
    let after: EdgeView = env.call("edge_context", edge.clone()).expect("an edge");
    assert_eq!(
        (after.text.as_str(), after.body.as_str()),
        ("## first\n\nOnly this.\n\n", "Only this.")
    );
    assert!(after.pin.is_some_and(|pin| !pin.stale));
    let pinned = |view: &RunView| {
        view.nodes
            .iter()
            .map(|node| node.pinned.clone())
            .collect::<Vec<_>>()
    };
    assert!(
        pinned(&env.view(run)).contains(&vec![parent]),
        "the child is marked as pinned"
    );
    let moved = |after| -> Vec<(NodeId, usize)> {
        let now: RunProgress = env
            .call("run_progress", RunProgressSince { run, after })
            .expect("a run");
        now.nodes
            .iter()
            .map(|node| (node.node, node.pinned.len()))
            .collect()
    };
    assert_eq!(
        moved(view.seq),
        [(child, 1)],
        "the change is also reported as progress"
    );

    let other = env.second_process(baton_api::Role::Cli);
    let _: RunSummary = other
        .call(
            "run_want",
            RunSetGoal {
                run,
                goal: RunGoal::All,
                finished: Vec::new(),
            },
        )
        .expect("another process resumes the run");
    let view = env.wait_until(run, |view| view.summary.state.has_ended());
    assert_eq!(view.summary.state, RunState::Completed);
    assert_eq!(
        env.read("second.md"),
        after.text,
        "the child receives the pinned text"
    );
    assert_eq!(env.read("a.txt"), "1\n", "named outputs are unchanged");
    assert!(
        env.read("third.md").contains("**What was done:**"),
        "the other child gets the handoff itself"
    );

    let input = ArtifactEdit {
        run,
        node: parent,
        text: "**What was done:**\nSomething else.".to_owned(),
    };
    let _: RunSummary = env.call("artifact_edit", input).expect("the node is done");
    let stale: EdgeView = env.call("edge_context", edge.clone()).expect("an edge");
    assert!(
        stale.pin.is_some_and(|pin| pin.stale),
        "the parent's handoff has changed"
    );
    let before = env.view(run).seq;
    let _: RunSummary = env
        .call("handoff_unpin", edge.clone())
        .expect("the edge is pinned");
    assert_eq!(moved(before), [(child, 0)], "no longer pinned");
    let free: EdgeView = env.call("edge_context", edge).expect("an edge");
    assert!(pinned(&env.view(run)).iter().all(Vec::is_empty));
    assert!(
        free.pin.is_none() && free.text.contains("Something else."),
        "{free:?}"
    );
}

#[test]
fn pin_requires_an_edge() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
nodes:
  - {id: a, kind: command, command: 'true'}
  - {id: b, kind: command, command: 'true'}
",
    );
    let view = env.finish(run.summary.id);
    let edge = EdgeRef {
        run: view.summary.id,
        parent: id(&view, "a"),
        child: id(&view, "b"),
    };
    assert!(env.call::<EdgeView>("edge_context", edge.clone()).is_err());
    let EdgeRef { run, parent, child } = edge;
    let pin = HandoffPin {
        run,
        parent,
        child,
        text: "x".to_owned(),
        artifact: None,
    };
    let refused = env
        .call::<RunSummary>("handoff_pin", pin)
        .expect_err("there is no edge");
    assert_eq!(refused.message, "No edge leads from 'a' to 'b'.");
}
