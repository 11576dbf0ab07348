//! Tests runs as objects: their numbers, pages, deletion and retention, and archived plans.

use std::path::Path;
use std::process::Command;

use baton_api::wire::*;
use baton_api::{Code, Role};
use baton_model::{NodeState, PlanId, RunId};
use baton_tests::test_environment::state;
use baton_tests::{Shell, TestEnvironment, processes};
use rusqlite::Connection;
use serde_json::{Value, json};

const RELEASE: &str = "
baton: 1
title: Release
nodes:
  - {id: only, kind: command, command: 'echo done'}
";

const QUESTION: &str = "
baton: 1
title: Question
nodes:
  - {id: ask, kind: user_input, question: Go on?, inputType: confirm}
";

/// Each run makes a file of another name.
const ISOLATED: &str = "
baton: 1
title: Isolated
cwd: .
isolation: worktree
nodes:
  - {id: only, kind: command, command: 'echo made > made-$$.txt'}
";

fn git(place: &Path, arguments: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@b"])
        .args(arguments)
        .current_dir(place)
        .output()
        .expect("git is installed");
    assert!(done.status.success(), "git {arguments:?}: {done:?}");
}

/// Runs a plan to its end.
fn run(env: &TestEnvironment, plan: PlanId) -> RunSummary {
    let begun = env.run(plan, RunGoal::All).expect("the plan can run");
    env.finish(begun.summary.id).summary
}

/// The numbers of a plan's runs, newest first.
fn numbers(env: &TestEnvironment, plan: PlanId) -> Vec<u32> {
    let query = json!({"plan": plan, "states": [], "search": "", "sort": "newest", "limit": 100});
    let page: RunsPage = env.call("runs_page", query).expect("a page");
    assert!(
        page.rows.iter().all(|row| !row.agents_worked),
        "commands only"
    );
    page.rows.iter().map(|row| row.number).collect()
}

fn error_of(env: &TestEnvironment, run: RunId) -> Option<Code> {
    let view: Result<RunView, _> = env.call("run_get", RunRef { run });
    view.err().map(|error| error.code)
}

#[test]
fn numbers_are_never_used_again_and_name_runs_in_the_shell() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let plan = env.import_approved(RELEASE).plan.id;
    let runs = [(); 3].map(|()| run(&env, plan));
    assert_eq!(runs.each_ref().map(|run| run.number), [1, 2, 3]);
    let session = env.view(runs[1].id).nodes[0].session.expect("a session");
    let folder = env.data().join("sessions").join(session.to_string());
    assert!(folder.is_dir());

    let unsure = shell.run(&["runs", "delete", "Release#2"]);
    assert_eq!(unsure.code, Some(2), "{unsure:?}");
    let deleted = shell.run(&["runs", "delete", "Release#2", "--yes"]);
    assert_eq!(deleted.code, Some(0), "{deleted:?}");
    assert!(deleted.err.contains("Deleted 1 run."), "{deleted:?}");
    assert_eq!(error_of(&env, runs[1].id), Some(Code::NotFound));
    assert!(!folder.exists(), "its session's files are deleted");
    assert_eq!(numbers(&env, plan), [3, 1]);
    let gone = shell.run(&["runs", "show", "Release#2"]);
    assert_eq!(gone.code, Some(2), "{gone:?}");
    assert!(gone.err.contains("no run matches 'Release#2'"), "{gone:?}");

    let newest = shell.run(&["runs", "delete", "Release#3", "--yes"]);
    assert_eq!(newest.code, Some(0), "{newest:?}");
    assert_eq!(run(&env, plan).number, 4);
    let shown = shell.run(&["runs", "show", "#4"]);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    assert!(shown.out.contains("\n#4 "), "{shown:?}");

    let copy: PlanView = env
        .call("plan_duplicate", PlanRef { plan })
        .expect("a copy");
    let approve = PlanApprove {
        plan: copy.plan.id,
        revision: copy.revision,
        anyway: false,
    };
    let _: PlanView = env.call("plan_approve", approve).expect("nobody edits it");
    assert_eq!(run(&env, copy.plan.id).number, 1, "a copy starts at 1");
}

#[test]
fn runs_are_listed_by_filter_and_order() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let plan = env.import_approved(RELEASE).plan.id;
    for _ in 0..3 {
        run(&env, plan);
    }
    let list = |options: &[&str]| {
        let listed = shell.run(&[&["runs", "list"], options].concat());
        assert_eq!(listed.code, Some(0), "{listed:?}");
        let rows = listed.out.lines().skip(1);
        let numbers: Vec<String> = rows
            .map(|row| row.split(' ').next().unwrap_or_default().to_owned())
            .collect();
        (numbers, listed.err)
    };
    assert_eq!(list(&[]).0, ["#3", "#2", "#1"]);
    assert_eq!(list(&["--sort", "oldest", "--limit", "2"]).0, ["#1", "#2"]);
    assert!(
        list(&["--sort", "oldest", "--limit", "2"])
            .1
            .contains("3 runs match; the first 2 are listed"),
    );
    assert_eq!(list(&["--search", "release #2"]).0, ["#2"]);
    assert_eq!(
        list(&["--state", "completed", "--plan", "Release"]).0.len(),
        3
    );
    let (none, note) = list(&["--state", "failed,canceled"]);
    assert_eq!((none.len(), note.trim()), (0, "No runs match."));
    assert_eq!(list(&["--started-by", "run"]).0.len(), 0);

    let json = shell.run(&["runs", "list", "--limit", "1", "--json"]);
    let rows: Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(rows[0]["number"], 3);
    assert_eq!(rows[0]["state"]["state"], "completed");
    assert_eq!(rows[0]["nodes"]["done"], 1);
}

#[test]
fn run_that_waits_for_an_answer_is_not_deleted() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let view = env.start(QUESTION);
    let run = view.summary.id;
    env.wait_until(run, |view| {
        matches!(state(view, "ask"), NodeState::Waiting { .. })
    });
    let refused = shell.run(&["runs", "delete", "Question#1", "--yes"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(
        refused.err.contains("is waiting for your answer"),
        "{refused:?}"
    );
    assert_eq!(error_of(&env, run), None);
}

#[test]
fn child_run_is_deleted_with_its_parent_only() {
    let env = TestEnvironment::new();
    env.import_approved(
        "baton: 1\ntitle: Inner\nnodes:\n  - {id: work, kind: command, command: 'echo done'}\n",
    );
    let outer = env.start(
        "baton: 1\ntitle: Outer\nnodes:\n  - {id: inner, kind: sub_plan, subPlanId: Inner}\n",
    );
    let view = env.finish(outer.summary.id);
    let (parent, child) = (view.summary.id, view.children[0].run);
    let delete = |runs: &[RunId]| -> RunsDeleted {
        let input = RunsDelete {
            runs: runs.to_vec(),
        };
        env.call("runs_delete", input).expect("a result per run")
    };
    let refused = |done: &RunsDeleted| -> Vec<(RunId, Option<String>)> {
        let refusals = done.refused.iter();
        refusals
            .map(|refusal| (refusal.run, refusal.error.fix.clone()))
            .collect()
    };
    let alone = delete(&[child]);
    assert!(alone.deleted.is_empty(), "{alone:?}");
    let fix = refused(&alone)[0].1.clone().expect("a fix");
    assert!(
        fix.to_lowercase().contains("delete the run it belongs to"),
        "{fix}"
    );

    let mut both = delete(&[child, parent]);
    both.deleted.sort();
    let mut family = [child, parent];
    family.sort();
    assert_eq!((&both.deleted[..], refused(&both)), (&family[..], vec![]));
    assert_eq!(error_of(&env, child), Some(Code::NotFound));
}

#[test]
fn every_run_that_stays_is_reported() {
    let env = TestEnvironment::new();
    env.import_approved(QUESTION);
    let outer = env.start(
        "baton: 1\ntitle: Outer\nnodes:\n  - {id: inner, kind: sub_plan, subPlanId: Question}\n",
    );
    let parent = outer.summary.id;
    let view = env.wait_until(parent, |view| !view.children.is_empty());
    let child = view.children[0].run;
    let unknown = RunId(uuid::Uuid::nil());
    let input = RunsDelete {
        runs: vec![child, parent, unknown],
    };
    let done: RunsDeleted = env.call("runs_delete", input).expect("a result per run");
    assert!(done.deleted.is_empty(), "{done:?}");
    let mut stay: Vec<RunId> = done.refused.iter().map(|refusal| refusal.run).collect();
    stay.sort();
    let mut asked = vec![child, parent, unknown];
    asked.sort();
    assert_eq!(stay, asked);
}

#[test]
fn retention_deletes_old_runs_but_no_unmerged_work() {
    let first = TestEnvironment::new();
    let place = first.work_dir.path();
    git(place, &["init", "--quiet", "--initial-branch=main"]);
    std::fs::write(place.join(".git/info/exclude"), "*.yaml\n").expect("enough disk space");
    git(
        place,
        &["commit", "--quiet", "--allow-empty", "-m", "first"],
    );
    let env = first.second_process(Role::Server);
    let shell = Shell::new(&env);
    let plan = env.import_approved(ISOLATED).plan.id;
    let [old, unmerged] = [(); 2].map(|()| run(&env, plan).id);
    let merged = shell.run(&["worktrees", "merge-back", &old.to_string()]);
    assert_eq!(merged.code, Some(0), "{merged:?}");
    let rule = shell.run(&["plan", "retention", "Isolated", "--keep-last", "1"]);
    assert_eq!(rule.code, Some(0), "{rule:?}");
    assert!(rule.out.contains("keeps the last 1 run"), "{rule:?}");

    let newest = run(&env, plan).id;
    processes::wait("retention applies when a run ends", || {
        match error_of(&first, old) {
            Some(Code::NotFound) => Ok(()),
            other => Err(format!("the old run is still there: {other:?}")),
        }
    });
    assert_eq!(error_of(&first, unmerged), None, "its work isn't merged");
    assert_eq!(error_of(&first, newest), None);
    assert_eq!(numbers(&first, plan), [3, 2], "in every process");
    let query = json!({"plan": plan, "states": [], "search": "", "sort": "newest", "limit": 9});
    let page: RunsPage = first.call("runs_page", query).expect("a page");
    assert_eq!(
        page.rows[1].kept_because,
        Some(KeptBecause::UnmergedWorktree)
    );
}

#[test]
fn retention_keeps_an_old_run_that_waits_for_an_answer() {
    let first = TestEnvironment::new();
    let shell = Shell::new(&first);
    // The rules are applied to the oldest plan first.
    let waiting = first.start(QUESTION).summary.id;
    first.wait_until(waiting, |view| {
        matches!(state(view, "ask"), NodeState::Waiting { .. })
    });
    let plan = first.import_approved(RELEASE).plan.id;
    let ended = run(&first, plan).id;
    for title in ["Release", "Question"] {
        let rule = shell.run(&["plan", "retention", title, "--keep-days", "1"]);
        assert_eq!(rule.code, Some(0), "{rule:?}");
    }
    let base = Connection::open(first.data().join("baton.db")).expect("a database");
    let two_days_ms = 2 * 24 * 60 * 60 * 1000_i64;
    let changed = base.execute(
        "UPDATE runs SET created_at = created_at - ?1, ended_at = ended_at - ?1",
        [two_days_ms],
    );
    assert_eq!(changed, Ok(2));

    let _server = first.second_process(Role::Server);
    processes::wait("the rules are applied after a start", || {
        match error_of(&first, ended) {
            Some(Code::NotFound) => Ok(()),
            other => Err(format!("the old run is still there: {other:?}")),
        }
    });
    assert_eq!(error_of(&first, waiting), None, "its question is open");
}

#[test]
fn unused_plan_is_archived_by_its_rule() {
    let first = TestEnvironment::new();
    let shell = Shell::new(&first);
    // The rules are applied to the oldest plan first.
    let [used, unused] = ["Used", "Unused"].map(|title| {
        let plan = first.import_approved(&RELEASE.replace("Release", title));
        let rule = shell.run(&["plan", "retention", title, "--archive-after-days", "30"]);
        assert_eq!(rule.code, Some(0), "{rule:?}");
        plan.plan.id
    });
    let base = Connection::open(first.data().join("baton.db")).expect("a database");
    let month_and_a_day_ms = 31 * 24 * 60 * 60 * 1000_i64;
    base.execute(
        "UPDATE plans SET updated_at = updated_at - ?1",
        [month_and_a_day_ms],
    )
    .expect("the plans are there");
    run(&first, used);

    let _server = first.second_process(Role::Server);
    let archived = |plan| {
        let view: PlanView = first.call("plan_get", PlanRef { plan }).expect("a plan");
        view.archived_at.is_some()
    };
    processes::wait("the rules are applied after a start", || {
        archived(unused)
            .then_some(())
            .ok_or_else(|| "the unused plan is still in the list".to_owned())
    });
    assert!(!archived(used), "it ran today");
}

#[test]
fn archived_plan_returns_when_it_runs() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let plan = env.import_approved(RELEASE).plan.id;
    let archived = |env: &TestEnvironment| {
        let view: PlanView = env.call("plan_get", PlanRef { plan }).expect("a plan");
        view.archived_at.is_some()
    };
    let done = shell.run(&["plan", "archive", "Release"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(archived(&env));
    run(&env, plan);
    assert!(!archived(&env));
    let again = shell.run(&["plan", "archive", "Release"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    let back = shell.run(&["plan", "unarchive", "Release"]);
    assert_eq!(back.code, Some(0), "{back:?}");
    assert!(!archived(&env));
}

#[test]
fn versions_are_listed_named_and_restored_in_the_shell() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let view = env.import_approved(RELEASE);
    let plan = view.plan.id;
    let mut changed = view.plan.clone();
    changed.nodes[0].title = "Second".to_owned();
    let save = PlanSave {
        plan: changed,
        base_revision: view.revision,
    };
    let _: PlanSaved = env.call("plan_save", save).expect("version 2");
    let named = shell.run(&["plan", "name-version", "Release", "1", "Before the rename"]);
    assert_eq!(named.code, Some(0), "{named:?}");
    let restored = shell.run(&["plan", "restore", "Release", "1"]);
    assert_eq!(restored.code, Some(0), "{restored:?}");
    assert!(restored.err.contains("as version 3"), "{restored:?}");
    let listed = shell.run(&["plan", "versions", "Release"]);
    let lines: Vec<&str> = listed.out.lines().collect();
    assert_eq!(lines.len(), 4, "{listed:?}");
    assert!(lines[1].contains("restored version 1"), "{listed:?}");
    assert!(lines[2].contains("to Second"), "{listed:?}");
    assert!(lines[3].contains("Before the rename"), "{listed:?}");
    let now: PlanView = env.call("plan_get", PlanRef { plan }).expect("a plan");
    assert_eq!((now.version, &now.plan.nodes), (3, &view.plan.nodes));
}

#[test]
fn deleted_plan_is_restored_or_purged_in_the_shell() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let plan = env.import_approved(RELEASE).plan.id;
    let ended = run(&env, plan).id;
    let ok = |arguments: &[&str]| {
        let done = shell.run(arguments);
        assert_eq!(done.code, Some(0), "{arguments:?}: {done:?}");
        done
    };
    ok(&["plan", "delete", "Release", "--yes"]);
    assert_eq!(error_of(&env, ended), Some(Code::Deleted));
    let page: Result<RunsPage, _> = env.call(
        "runs_page",
        json!({"plan": plan, "states": [], "search": "", "sort": "newest", "limit": 9}),
    );
    assert_eq!(page.expect_err("it is deleted").code, Code::Deleted);
    assert!(ok(&["plan", "deleted"]).out.contains("Release"));
    ok(&["plan", "undelete", "Release"]);
    assert_eq!(error_of(&env, ended), None);
    ok(&["plan", "delete", "Release", "--yes"]);
    let unsure = shell.run(&["plan", "purge", "Release"]);
    assert_eq!(unsure.code, Some(2), "{unsure:?}");
    ok(&["plan", "purge", "Release", "--yes"]);
    assert_eq!(error_of(&env, ended), Some(Code::NotFound));
    assert!(ok(&["plan", "deleted"]).err.contains("No deleted plans."));
}

#[test]
fn runs_of_older_databases_are_numbered_by_their_start() {
    let databases = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/databases");
    let env = TestEnvironment::with_database(&databases.join("format-9/baton.db"));
    let query = json!({"states": [], "search": "", "sort": "oldest", "limit": 200});
    let page: RunsPage = env.call("runs_page", query).expect("a page");
    assert!(!page.rows.is_empty());
    let mut counted = std::collections::HashMap::new();
    for row in &page.rows {
        let last = counted.entry(row.plan).or_insert(0);
        assert!(row.number > *last, "{page:#?}");
        *last = row.number;
    }
}
