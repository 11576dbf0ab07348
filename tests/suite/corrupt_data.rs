//! Tests unreadable database rows: lists and the doctor report them, and they don't block anything
//! else.

use baton_api::wire::*;
use baton_api::{ApiError, Code};
use baton_model::RunState;
use baton_model::run::PauseReason;
use baton_tests::TestEnvironment;
use baton_tests::shell::Shell;
use rusqlite::Connection;

const PLAN: &str = "baton: 1\nnodes:\n  - {id: a, kind: command, command: 'true'}\n";

/// Runs a plan with this title, and returns it.
fn plan(shell: &Shell, title: &str) -> PlanSummary {
    let file = shell.plan_file(&format!("{title}.yaml"), &format!("{PLAN}title: {title}\n"));
    assert_eq!(shell.run(&["run", &file, "--yes"]).code, Some(0));
    let plans: Vec<PlanSummary> =
        serde_json::from_str(&shell.run(&["plan", "list", "--json"]).out).expect("JSON");
    plans
        .into_iter()
        .find(|plan| plan.title == title)
        .expect("the plan that has just run")
}

/// Four plans: one is intact; the others have a damaged record, version or run; the last one has a
/// damaged event.
struct Damaged {
    env: TestEnvironment,
    shell: Shell,
    row: PlanSummary,
    version: PlanSummary,
    run: PlanSummary,
    event: PlanSummary,
}

impl Damaged {
    fn new() -> Self {
        let env = TestEnvironment::new();
        let shell = Shell::new(&env);
        plan(&shell, "Whole");
        let [row, version, run, event] =
            ["Row", "Version", "Run", "Event"].map(|title| plan(&shell, title));
        let base = Connection::open(env.data().join("baton.db")).expect("a database");
        let spoil = |query: &str, id: &dyn rusqlite::ToSql| {
            assert_eq!(base.execute(query, [id]).expect("a change"), 1, "{query}");
        };
        spoil("UPDATE plans SET tags = '[' WHERE id = ?1", &row.id.0);
        spoil(
            "UPDATE plan_versions SET content = '{\"id\": 1}' WHERE plan = ?1",
            &version.id.0,
        );
        spoil("UPDATE runs SET state = 'x' WHERE plan = ?1", &run.id.0);
        base.execute_batch("DROP TRIGGER run_events_stay_as_they_are")
            .expect("a trigger");
        let of_run = "UPDATE run_events SET event = '{' WHERE seq = 2 AND run = (SELECT id FROM runs WHERE plan = ?1)";
        spoil(of_run, &event.id.0);
        Self {
            env,
            shell,
            row,
            version,
            run,
            event,
        }
    }
}

#[test]
fn damaged_plans_and_runs_are_listed_by_name() {
    let damaged = Damaged::new();
    let plans = damaged.shell.run(&["plan", "list"]);
    assert_eq!(plans.code, Some(0), "{plans:?}");
    for (title, sign) in [
        ("Row", "tags"),
        ("Version", "plan_versions"),
        ("Run", "runs"),
    ] {
        let line = plans
            .out
            .lines()
            .find(|line| line.contains(title))
            .unwrap_or_else(|| panic!("{title}: {plans:?}"));
        assert!(line.contains("damaged"), "{line}");
        let note = plans
            .err
            .lines()
            .find(|line| line.starts_with(&format!("'{title}' is damaged")));
        assert!(
            note.is_some_and(|note| note.contains(sign)),
            "{title}: {}",
            plans.err
        );
    }
    assert!(
        plans
            .out
            .lines()
            .any(|line| line.contains("Whole") && !line.contains("damaged")),
        "{}",
        plans.out
    );

    let runs = damaged.shell.run(&["runs", "list"]);
    assert_eq!(runs.code, Some(0), "{runs:?}");
    let words: Vec<(&str, bool)> = ["Run", "Version", "Whole", "Event"]
        .iter()
        .map(|title| {
            (
                *title,
                runs.out
                    .lines()
                    .any(|line| line.contains(title) && line.contains("damaged")),
            )
        })
        .collect();
    assert_eq!(
        words,
        [
            ("Run", true),
            ("Version", true),
            ("Whole", false),
            ("Event", false)
        ],
        "{}",
        runs.out
    );
    assert_eq!(
        runs.out
            .lines()
            .filter(|line| line.contains("completed"))
            .count(),
        3,
        "{}",
        runs.out
    );
}

#[test]
fn doctor_lists_damaged_rows_with_a_fix() {
    let damaged = Damaged::new();
    let said = damaged.shell.run(&["doctor", "--json"]);
    assert_eq!(said.code, Some(1), "damage counts as a failure: {said:?}");
    let view: DoctorView = serde_json::from_str(&said.out).expect("JSON");
    let data = view
        .sections
        .iter()
        .find(|section| section.subject == DoctorSubject::Data)
        .expect("the data");
    let sentence = |begin: &str| {
        let found = data
            .checks
            .iter()
            .find(|check| check.sentence.starts_with(begin));
        let check = found.unwrap_or_else(|| panic!("{begin}: {:#?}", data.checks));
        assert!(
            check
                .mend
                .as_ref()
                .is_some_and(|mend| mend.contains("baton.db")),
            "{check:?}"
        );
        check.sentence.clone()
    };
    assert!(sentence("the record of 'Row' is damaged").contains("tags"));
    assert!(
        data.checks
            .iter()
            .all(|check| !check.sentence.contains("'Whole'")),
        "{:#?}",
        data.checks
    );
    sentence("a version of 'Version' is damaged");
    sentence("a run of 'Run' is damaged");
    assert!(sentence("an event of a run of 'Event' is damaged").contains("event 2"));
}

#[test]
fn damaged_rows_do_not_block_others() {
    let damaged = Damaged::new();
    let (shell, env) = (&damaged.shell, &damaged.env);
    let paused = serde_json::to_string(&RunState::Paused {
        reason: PauseReason::Asked,
    })
    .expect("JSON");
    let base = Connection::open(env.data().join("baton.db")).expect("a database");
    let unfinished = "UPDATE runs SET ended_at = NULL, state = ?2 WHERE plan = ?1";
    assert_eq!(
        base.execute(unfinished, rusqlite::params![damaged.event.id.0, paused])
            .expect("a change"),
        1
    );
    let text = format!("{PLAN}title: Next\n");
    let other = env.start(
        "baton: 1\ntitle: Other\nnodes:\n  - {id: a, kind: command, command: 'touch began; [ -e go ] || sleep 600'}\n",
    );
    env.wait_until(other.summary.id, |_| {
        env.work_dir.path().join("began").exists()
    });
    let pause = RunPause {
        run: other.summary.id,
        stop_running: true,
    };
    let _: RunSummary = env.call("run_pause", pause).expect("the run is active");
    env.wait_until(other.summary.id, |view| {
        matches!(view.summary.state, RunState::Paused { .. })
    });
    std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
    let file = shell.plan_file("next.yaml", &text);
    let said = shell.run(&["run", &file, "--yes"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let said = shell.run(&["resume", "--all"]);
    assert_eq!(said.code, Some(1), "one could not be resumed: {said:?}");
    assert!(
        said.err.contains("'Event' (run ") && said.err.contains("was not resumed"),
        "{said:?}"
    );
    assert_eq!(
        env.view(other.summary.id).summary.state,
        RunState::Completed,
        "the other one was resumed"
    );
    for plan in [&damaged.row, &damaged.version, &damaged.run, &damaged.event] {
        let said = shell.run(&["plan", "delete", &plan.id.to_string(), "--yes"]);
        assert_eq!(said.code, Some(0), "{}: {said:?}", plan.title);
    }
    let plans: Vec<PlanSummary> = env.call("plans_list", Nothing {}).expect("plans");
    assert!(plans.iter().all(|plan| plan.damage.is_none()), "{plans:#?}");
    let said = shell.run(&["doctor", "--json"]);
    let view: DoctorView = serde_json::from_str(&said.out).expect("JSON");
    let data = view
        .sections
        .iter()
        .find(|section| section.subject == DoctorSubject::Data)
        .expect("the data");
    assert!(
        data.checks
            .iter()
            .all(|check| check.verdict == CheckVerdict::Passed),
        "{:#?}",
        data.checks
    );
}

/// Returns a paused run of the plan, whose second event is illegal in its state.
fn with_illegal_event(env: &TestEnvironment, plan: &PlanSummary) -> RunSummary {
    let runs: Vec<RunSummary> = env
        .call(
            "runs_list",
            RunsFilter {
                plan: Some(plan.id),
                limit: 1,
            },
        )
        .expect("runs");
    let run = runs.into_iter().next().expect("the plan has a run");
    let base = Connection::open(env.data().join("baton.db")).expect("a database");
    base.execute_batch("DROP TRIGGER run_events_stay_as_they_are")
        .expect("a trigger");
    let stranger = r#"{"event":"node_accepted","node":"00000000-0000-0000-0000-000000000000"}"#;
    let changed = base.execute(
        "UPDATE run_events SET event = ?2 WHERE seq = 2 AND run = ?1",
        rusqlite::params![run.id.0, stranger],
    );
    assert_eq!(changed.expect("a change"), 1);
    let paused = RunState::Paused {
        reason: PauseReason::Asked,
    };
    let paused = serde_json::to_string(&paused).expect("JSON");
    let changed = base.execute(
        "UPDATE runs SET ended_at = NULL, state = ?2 WHERE id = ?1",
        rusqlite::params![run.id.0, paused],
    );
    assert_eq!(changed.expect("a change"), 1);
    run
}

#[test]
fn illegal_stored_event_is_an_error_that_names_run_and_event() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let broken = with_illegal_event(&env, &plan(&shell, "Broken"));
    let run = broken.id;

    let shown: Result<RunView, ApiError> = env.call("run_get", RunRef { run });
    let resumed: Result<RunSummary, ApiError> = env.call("run_resume", RunRef { run });
    for error in [shown.expect_err("broken"), resumed.expect_err("broken")] {
        assert_eq!((error.code, error.retryable), (Code::Unavailable, false));
        assert_eq!(
            error.message,
            format!(
                "Run {run} can't be read from its history: \
                 event 2 of run {run} isn't valid while the run is running."
            )
        );
        assert_eq!(
            error.fix.as_deref(),
            Some(
                "Restore a backup of baton.db, or start over with a new plan. \
                 If only Baton wrote to baton.db, report this bug."
            )
        );
    }
    let said = shell.run(&["resume", &run.to_string()]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(
        said.err.contains("event 2 of run") && !said.err.contains("panicked"),
        "{said:?}"
    );

    let listed: Vec<RunSummary> = env
        .call(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 10,
            },
        )
        .expect("runs");
    assert!(listed.iter().any(|listed| listed.id == run));
    let other = plan(&shell, "Other");
    let runs = shell.run(&["runs", "list"]);
    assert!(
        runs.out
            .lines()
            .any(|line| line.contains(&other.title) && line.contains("completed")),
        "{runs:?}"
    );
}

#[test]
fn version_before_a_damaged_one_can_be_exported() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let plan = plan(&shell, "Kept");
    let view: PlanView = env
        .call("plan_get", PlanRef { plan: plan.id })
        .expect("a plan");
    let mut changed = view.plan.clone();
    changed.nodes[0].title = "Second".to_owned();
    let save = PlanSave {
        plan: changed,
        base_revision: view.revision,
    };
    let _: PlanSaved = env.call("plan_save", save).expect("version 2");
    let base = Connection::open(env.data().join("baton.db")).expect("a database");
    base.execute(
        "UPDATE plan_versions SET content = 'x' WHERE version = 2",
        [],
    )
    .expect("a change");
    let id = plan.id.to_string();
    assert_ne!(shell.run(&["plan", "export", &id]).code, Some(0));
    let first = shell.run(&["plan", "export", &id, "--version", "1"]);
    assert!(
        first.code == Some(0) && first.out.contains("title: Kept"),
        "{first:?}"
    );
}
