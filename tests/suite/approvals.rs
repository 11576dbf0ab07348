//! What an approval covers, by the real program: the plan, its criteria, and the files that these run.

use baton_api::wire::*;
use baton_model::RunState;
use baton_model::evidence::Verdict;
use baton_tests::house::id;
use baton_tests::{House, Shell};

/// A plan file whose node does `command` and is checked by `check.sh`.
fn plan(house: &House, command: &str, more: &str) -> String {
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
    let file = house.place.path().join("plan.yaml");
    std::fs::write(&file, text).expect("room");
    file.display().to_string()
}

fn write_check(house: &House, content: &str) {
    std::fs::write(house.place.path().join("check.sh"), content).expect("room");
}

#[test]
fn a_changed_check_is_approved_again_before_it_runs() {
    let house = House::new();
    let shell = Shell::of(&house);
    let file = plan(&house, "echo once >> ran", "");
    write_check(&house, "test -s ran\n");
    let first = shell.say(&["run", "--yes", &file]);
    assert_eq!(first.code, Some(0), "{}", first.err);
    let shown = shell.say(&["plan", "show", "Checked"]);
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

    write_check(&house, "exit 0\n");
    let refused = shell.say(&["run", &file]);
    assert_eq!(refused.code, Some(2), "{}", refused.err);
    assert!(
        refused.err.contains("check.sh (changed)"),
        "{}",
        refused.err
    );
    assert!(refused.err.contains("then add --yes"), "{}", refused.err);
    let plans: Vec<PlanSummary> = house.ask("plans_list", Nothing {}).expect("plans");
    let plan = plans
        .iter()
        .find(|plan| plan.title == "Checked")
        .expect("it was imported")
        .id;
    let input = format!(r#"{{"plan":"{plan}","goal":{{"want":"all"}},"limit":null}}"#);
    let refused = shell.say(&["call", "run_start", &input]);
    assert_eq!(refused.code, Some(2), "{}", refused.err);
    assert!(
        refused.err.contains("check.sh has changed"),
        "{}",
        refused.err
    );
    assert_eq!(house.read("ran"), "once\n", "nothing ran");

    let approved = shell.say(&["plan", "approve", "Checked"]);
    assert_eq!(approved.code, Some(0), "{}", approved.err);
    let again = shell.say(&["run", &file]);
    assert_eq!(again.code, Some(0), "{}", again.err);
    assert_eq!(house.read("ran"), "once\nonce\n");
    write_check(&house, "exit 0 # again\n");
    let at_once = shell.say(&["run", "--yes", &file]);
    assert_eq!(
        at_once.code,
        Some(0),
        "--yes approves again: {}",
        at_once.err
    );
    assert_eq!(house.read("ran"), "once\nonce\nonce\n");
}

#[test]
fn a_node_that_changes_its_own_check_is_told_of() {
    let house = House::new();
    let shell = Shell::of(&house);
    let file = plan(&house, "echo 'exit 0' > check.sh", "");
    write_check(&house, "exit 1\n");
    let ran = shell.say(&["run", "--yes", &file]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let runs: Vec<RunSummary> = house
        .ask(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 1,
            },
        )
        .expect("runs");
    let view = house.view(runs[0].id);
    assert_eq!(view.summary.state, RunState::Completed);
    let attempt = AttemptRef {
        run: runs[0].id,
        node: id(&view, "work"),
        attempt: None,
    };
    let evidence: EvidenceView = house.ask("evidence_get", attempt).expect("it is kept");
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
    let rows: Vec<HistoryRow> = house.ask("run_history", history).expect("a history");
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
fn a_node_in_a_worktree_of_its_own_is_held_to_the_approved_check_too() {
    let house = House::new();
    let shell = Shell::of(&house);
    let file = plan(&house, "echo true > check.sh", "isolation: worktree");
    write_check(&house, "exit 0\n");
    let git = |arguments: &[&str]| {
        let mut command = std::process::Command::new("git");
        command
            .current_dir(house.place.path())
            .args(["-c", "user.name=A", "-c", "user.email=a@b"])
            .args(arguments);
        assert!(
            command.output().expect("git is there").status.success(),
            "{arguments:?}"
        );
    };
    git(&["init"]);
    git(&["add", "-A"]);
    git(&["commit", "-m", "all"]);
    let ran = shell.say(&["run", "--yes", &file]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let runs: Vec<RunSummary> = house
        .ask(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 1,
            },
        )
        .expect("runs");
    let view = house.view(runs[0].id);
    let attempt = AttemptRef {
        run: runs[0].id,
        node: id(&view, "work"),
        attempt: None,
    };
    let evidence: EvidenceView = house.ask("evidence_get", attempt).expect("it is kept");
    assert_eq!(
        evidence.evidence.expect("there was a check").checks[0].changed_since_approval,
        ["check.sh"]
    );
    assert_eq!(
        house.read("check.sh"),
        "exit 0\n",
        "the plan's directory is as it was"
    );
    let again = shell.say(&["run", &file]);
    assert_eq!(again.code, Some(0), "so its approval holds: {}", again.err);
}
