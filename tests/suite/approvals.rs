//! Tests what an approval covers with the real program: the plan, its criteria, and the files that
//! these run.

use baton_api::wire::*;
use baton_model::RunState;
use baton_model::evidence::Verdict;
use baton_tests::test_environment::id;
use baton_tests::{Shell, TestEnvironment};

/// Returns a plan file whose node runs `command` and is checked by `check.sh`.
fn plan(env: &TestEnvironment, command: &str, more: &str) -> String {
    let text = format!(
        "
baton: 1
title: Checked
cwd: .
{more}
nodes:
  - id: work
    kind: command
    command: {command}
    acceptanceCriteria:
      - run: sh check.sh
"
    );
    let file = env.work_dir.path().join("plan.yaml");
    std::fs::write(&file, text).expect("enough disk space");
    file.display().to_string()
}

fn write_check(env: &TestEnvironment, content: &str) {
    std::fs::write(env.work_dir.path().join("check.sh"), content).expect("enough disk space");
}

#[test]
fn changed_check_needs_a_new_approval() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let file = plan(&env, "echo once >> ran", "");
    write_check(&env, "test -s ran\n");
    let first = shell.run(&["run", "--yes", &file]);
    assert_eq!(first.code, Some(0), "{}", first.err);
    let shown = shell.run(&["plan", "show", "Checked"]);
    assert!(
        shown.out.contains("version 1 approved by person:shell, "),
        "{}",
        shown.out
    );
    assert!(
        shown
            .out
            .contains("covers the plan, its criteria, and check.sh ("),
        "{}",
        shown.out
    );

    write_check(&env, "exit 0\n");
    let refused = shell.run(&["run", &file]);
    assert_eq!(refused.code, Some(2), "{}", refused.err);
    assert!(
        refused.err.contains("check.sh (changed)"),
        "{}",
        refused.err
    );
    assert!(
        refused.err.contains("then rerun with --yes"),
        "{}",
        refused.err
    );
    let plans: Vec<PlanSummary> = env.call("plans_list", Nothing {}).expect("plans");
    let plan = plans
        .iter()
        .find(|plan| plan.title == "Checked")
        .expect("the plan was imported")
        .id;
    let input = format!(r#"{{"plan":"{plan}","goal":{{"want":"all"}},"limit":null}}"#);
    let refused = shell.run(&["call", "run_start", &input]);
    assert_eq!(refused.code, Some(2), "{}", refused.err);
    assert!(
        refused.err.contains("check.sh has changed"),
        "{}",
        refused.err
    );
    assert_eq!(env.read("ran"), "once\n", "nothing ran");

    let approved = shell.run(&["plan", "approve", "Checked"]);
    assert_eq!(approved.code, Some(0), "{}", approved.err);
    let again = shell.run(&["run", &file]);
    assert_eq!(again.code, Some(0), "{}", again.err);
    assert_eq!(env.read("ran"), "once\nonce\n");
    write_check(&env, "exit 0 # again\n");
    let at_once = shell.run(&["run", "--yes", &file]);
    assert_eq!(
        at_once.code,
        Some(0),
        "--yes approves again: {}",
        at_once.err
    );
    assert_eq!(env.read("ran"), "once\nonce\nonce\n");
}

#[test]
fn node_that_changes_its_own_check_is_reported() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let file = plan(&env, "echo 'exit 0' > check.sh", "");
    write_check(&env, "exit 1\n");
    let ran = shell.run(&["run", "--yes", &file]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
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
    let attempt = AttemptRef {
        run: runs[0].id,
        node: id(&view, "work"),
        attempt: None,
    };
    let evidence: EvidenceView = env
        .call("evidence_get", attempt)
        .expect("the evidence exists");
    let check = &evidence.evidence.expect("there was a check").checks[0];
    assert_eq!(
        (check.verdict, check.changed_since_approval.as_slice()),
        (Verdict::Met, ["check.sh".to_owned()].as_slice())
    );
    let history = RunHistory {
        run: runs[0].id,
        after: 0,
        limit: 5,
    };
    let rows: Vec<HistoryRow> = env.call("run_history", history).expect("a history");
    let details: Vec<&str> = rows
        .iter()
        .flat_map(|row| &row.details)
        .map(String::as_str)
        .collect();
    assert_eq!(
        details,
        ["approved by a person in a shell, which covers the plan, its criteria and check.sh"]
    );
}

#[test]
fn isolated_node_uses_the_approved_check() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let file = plan(&env, "echo true > check.sh", "isolation: worktree");
    write_check(&env, "exit 0\n");
    let git = |arguments: &[&str]| {
        let mut command = std::process::Command::new("git");
        command
            .current_dir(env.work_dir.path())
            .args(["-c", "user.name=A", "-c", "user.email=a@b"])
            .args(arguments);
        assert!(
            command.output().expect("git is installed").status.success(),
            "{arguments:?}"
        );
    };
    git(&["init"]);
    git(&["add", "-A"]);
    git(&["commit", "-m", "all"]);
    let ran = shell.run(&["run", "--yes", &file]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
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
    let attempt = AttemptRef {
        run: runs[0].id,
        node: id(&view, "work"),
        attempt: None,
    };
    let evidence: EvidenceView = env
        .call("evidence_get", attempt)
        .expect("the evidence exists");
    assert_eq!(
        evidence.evidence.expect("there was a check").checks[0].changed_since_approval,
        ["check.sh"]
    );
    assert_eq!(
        env.read("check.sh"),
        "exit 0\n",
        "the plan's directory is unchanged"
    );
    let again = shell.run(&["run", &file]);
    assert_eq!(
        again.code,
        Some(0),
        "the approval is still valid: {}",
        again.err
    );
}
