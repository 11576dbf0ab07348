//! Tests plans that run after the failure of another: what they receive, that they run once for each
//! failure, and what happens if they can't run.

use std::path::Path;

use baton_api::Role;
use baton_api::wire::*;
use baton_model::run::{HandlerProblem, HandlerState};
use baton_model::{PlanId, RunId, RunState};
use baton_tests::processes::{is_stopped, signal, wait};
use baton_tests::shell::RunningCommand;
use baton_tests::test_environment::state;
use baton_tests::{Shell, TestEnvironment};
use serde_json::json;

const HANDLER: &str = "
baton: 1
title: Clean up
nodes:
  - {id: facts, kind: command, command: 'cat $BATON_CONTEXT > facts; echo cleaned >> ledger'}
  - {id: after, kind: command, dependsOn: [facts], command: 'cat $BATON_CONTEXT > not-first'}
";
/// Fails until somebody creates the file.
const FAILING: &str = "
baton: 1
title: Nightly
onFailure: Clean up
nodes:
  - {id: build, title: \"Build #1\", kind: command, command: 'echo the compiler stopped; test -e fixed'}
  - {id: deploy, kind: command, dependsOn: [build], command: 'true'}
";

fn fix(env: &TestEnvironment) {
    std::fs::write(env.work_dir.path().join("fixed"), "").expect("enough disk space");
}

/// Ends a run of [`FAILING`].
fn failed(env: &TestEnvironment) -> RunView {
    let view = env.finish(env.start(FAILING).summary.id);
    assert!(
        matches!(view.summary.state, RunState::Failed { .. }),
        "{:?}",
        view.summary.state
    );
    view
}

/// Waits until another process has started the handler of `run`.
fn started_handler(env: &TestEnvironment, run: RunId) -> HandlerRun {
    let started = |view: &RunView| matches!(view.handler, Some(HandlerView::Started { .. }));
    let view = env.wait_until(run, started);
    match view.handler {
        Some(HandlerView::Started {
            handler: Some(handler),
        }) => handler,
        other => panic!("{other:?}"),
    }
}

/// Starts the handler as a shell command does before it ends, and waits for its end.
fn handle(env: &TestEnvironment, run: RunId) -> Option<RunView> {
    let handler = env.app.start_error_handler(run).expect("the run exists");
    handler.map(|handler| env.finish(handler))
}

fn runs_of(env: &TestEnvironment, title: &str) -> Vec<RunSummary> {
    let filter = RunsFilter {
        plan: None,
        limit: 100,
    };
    let mut runs: Vec<RunSummary> = env.call("runs_list", filter).expect("runs");
    runs.retain(|run| run.title == title);
    runs
}

fn inbox(env: &TestEnvironment) -> Vec<InboxItem> {
    env.call("inbox_list", Nothing {}).expect("the inbox")
}

fn history(env: &TestEnvironment, run: RunId) -> Vec<String> {
    let (after, limit) = (0, 1000);
    let rows: Vec<HistoryRow> = env
        .call("run_history", RunHistory { run, after, limit })
        .expect("history");
    rows.into_iter().map(|row| row.sentence).collect()
}

#[test]
fn handler_receives_the_facts_about_the_failure() {
    let env = TestEnvironment::new();
    env.import_approved(HANDLER);
    let run = failed(&env);
    let handler = handle(&env, run.summary.id).expect("a handler was started");
    assert_eq!(handler.summary.state, RunState::Completed);
    let facts = env.read("facts");
    for fact in [
        "## Run #1 of Nightly failed\n",
        "- Plan: Nightly\n",
        "- Failed nodes: build\n",
        "- Not started: deploy\n",
        "## What failed: Build #1\n",
        "exit code 1",
        "the compiler stopped",
        &format!("- Run ID: {}\n", run.summary.id),
        &format!(
            "- Address: baton://blueprints/{}/runs/{}\n",
            run.plan.id, run.summary.id
        ),
        &format!("- Directory: {}\n", env.work_dir.path().display()),
    ] {
        assert!(facts.contains(fact), "{fact:?} is missing: {facts}");
    }
    assert!(
        !env.read("not-first").contains("What failed"),
        "only for first nodes"
    );

    let handled = handler.handles.expect("it says why it runs");
    assert_eq!(
        (
            handled.run,
            handled.number,
            handled.title.as_str(),
            handled.is_deleted
        ),
        (run.summary.id, 1, "Nightly", false)
    );
    let Some(HandlerView::Started {
        handler: Some(link),
    }) = env.view(run.summary.id).handler
    else {
        panic!("{:?}", env.view(run.summary.id).handler)
    };
    assert_eq!((link.run, link.number), (handler.summary.id, 1));
    let sentences = history(&env, run.summary.id);
    assert!(
        sentences
            .iter()
            .any(|sentence| sentence.starts_with("the error handler was started")),
        "{sentences:#?}"
    );
    let page: RunsPage = env
        .call(
            "runs_page",
            json!({"states": [], "search": "", "sort": "newest", "limit": 10}),
        )
        .expect("a page of runs");
    let row = page.rows.iter().find(|row| row.id == handler.summary.id);
    assert_eq!(
        row.and_then(|row| row.handles.as_ref())
            .map(|failed| failed.number),
        Some(1)
    );
}

#[test]
fn each_failure_of_a_run_has_one_handler_run() {
    let env = TestEnvironment::new();
    env.import_approved(HANDLER);
    let run = failed(&env).summary.id;
    let first = handle(&env, run).expect("a handler was started");
    let same = env.app.start_error_handler(run).expect("the run exists");
    assert_eq!(same, Some(first.summary.id), "asked twice, it runs once");
    let sentences = history(&env, run);
    let told = |part: &str| sentences.iter().any(|sentence| sentence.contains(part));
    assert!(told("the error handler was started"), "{sentences:#?}");
    assert!(told("picked up by an executor"), "{sentences:#?}");
    assert!(
        !told("took over") && !told("taken over"),
        "no other executor had the run: {sentences:#?}"
    );
    assert_eq!(env.read("ledger"), "cleaned\n");

    let _: RunSummary = env
        .call("run_rerun_failed", RunRef { run })
        .expect("it has failed");
    env.finish(run);
    let second = handle(&env, run).expect("it failed again");
    assert_ne!(second.summary.id, first.summary.id);
    assert_eq!(env.read("ledger"), "cleaned\ncleaned\n");

    fix(&env);
    let _: RunSummary = env
        .call("run_rerun_failed", RunRef { run })
        .expect("it has failed");
    assert_eq!(env.finish(run).summary.state, RunState::Completed);
    assert!(handle(&env, run).is_none());
    assert_eq!(runs_of(&env, "Clean up").len(), 2);
}

#[test]
fn nested_and_canceled_runs_have_no_handler() {
    let env = TestEnvironment::new();
    env.import_approved(HANDLER);
    env.import_approved(FAILING);
    let outer = env.start(
        "baton: 1\ntitle: Outer\nnodes:\n  - {id: inner, kind: sub_plan, subPlanId: Nightly}\n",
    );
    let outer = env.finish(outer.summary.id);
    assert!(matches!(outer.summary.state, RunState::Failed { .. }));
    assert!(handle(&env, outer.summary.id).is_none());
    assert!(handle(&env, outer.children[0].run).is_none());

    let asks = "baton: 1\ntitle: Asks\nonFailure: Clean up\nnodes:\n  - {id: ask, kind: user_input, question: Go?}\n";
    let run = env.start(asks).summary.id;
    let _: RunSummary = env.call("run_cancel", RunRef { run }).expect("it waits");
    assert_eq!(env.finish(run).summary.state, RunState::Cancelled);
    assert!(handle(&env, run).is_none());
    assert!(runs_of(&env, "Clean up").is_empty());
}

#[test]
fn handler_of_a_handler_does_not_run() {
    let env = TestEnvironment::new();
    let second = "baton: 1\ntitle: Second\nnodes:\n  - {id: a, kind: command, command: 'true'}\n";
    env.import_approved(second);
    let first = "baton: 1\ntitle: Clean up\nonFailure: Second\nnodes:\n  - {id: a, kind: command, command: exit 3}\n";
    env.import_approved(first);
    let run = failed(&env).summary.id;
    let handler = handle(&env, run).expect("a handler was started");
    assert!(matches!(
        handler.summary.state,
        RunState::Failed { handler: None, .. }
    ));
    assert!(handle(&env, handler.summary.id).is_none());
    assert!(runs_of(&env, "Second").is_empty());
}

#[test]
fn newest_approved_version_runs_while_a_later_one_is_edited() {
    let env = TestEnvironment::new();
    let approved = env.import_approved(HANDLER);
    let mut edited = approved.plan.clone();
    edited.nodes.truncate(1);
    edited.edges.clear();
    let save = json!({"plan": edited, "baseRevision": approved.revision});
    let _: serde_json::Value = env.call("plan_save", save).expect("no conflicting change");
    let run = failed(&env).summary.id;
    let handler = handle(&env, run).expect("a handler was started");
    assert_eq!(handler.summary.version, approved.version);
    assert_eq!(env.read("ledger"), "cleaned\n");
}

#[test]
fn person_is_told_if_the_handler_is_not_approved_or_deleted() {
    let env = TestEnvironment::new();
    let draft = env.import(HANDLER);
    let first = failed(&env).summary.id;
    assert!(handle(&env, first).is_none(), "only approved versions run");
    let told = |run: RunId, reason: &str| {
        let items = inbox(&env);
        let found = items
            .iter()
            .find(|item| item.run == run)
            .map(|item| &item.ask);
        let Some(InboxRequest::HandlerNotStarted { message, fix }) = found else {
            panic!("{items:#?}")
        };
        assert!(
            message.contains(reason) && !fix.is_empty(),
            "{message}: {fix}"
        );
        let sentences = history(&env, run);
        assert!(
            sentences.iter().any(|sentence| sentence.contains(reason)),
            "{sentences:#?}"
        );
    };
    told(first, "no version of it is approved");

    let plan = env.view(first).summary.plan;
    let again = env
        .run(plan, RunGoal::All)
        .expect("a draft handler is only a warning");
    assert!(inbox(&env).is_empty(), "the person ran the plan again");
    let second = env.finish(again.summary.id).summary.id;
    let _: serde_json::Value = env
        .call("plan_delete", json!({"plan": draft.plan.id}))
        .expect("nothing runs it");
    assert!(handle(&env, second).is_none());
    told(second, "there is no such plan");
    assert!(matches!(
        env.view(second).summary.state.handler(),
        Some(HandlerState::NotStarted {
            problem: HandlerProblem::Unknown,
            ..
        })
    ));
}

fn approve(env: &TestEnvironment, draft: &PlanView) {
    let input = PlanApprove {
        plan: draft.plan.id,
        revision: draft.revision,
        anyway: true,
    };
    let _: PlanView = env
        .call("plan_approve", input)
        .expect("no conflicting change");
}

fn start_handler(env: &TestEnvironment, run: RunId) -> Result<RunSummary, baton_api::ApiError> {
    env.call("run_start_handler", RunRef { run })
}

/// The plan to which the window leads from the refusal.
fn refused_plan(env: &TestEnvironment, run: RunId) -> Option<PlanId> {
    match env.view(run).handler {
        Some(HandlerView::NotStarted { plan, .. }) => plan,
        other => panic!("{other:?}"),
    }
}

#[test]
fn person_starts_a_refused_handler_once_after_fixing_the_cause() {
    let env = TestEnvironment::new();
    let draft = env.import(HANDLER);
    let run = failed(&env).summary.id;
    assert!(handle(&env, run).is_none(), "it isn't approved");
    assert_eq!(refused_plan(&env, run), Some(draft.plan.id));
    let refused = start_handler(&env, run).expect_err("it still isn't approved");
    assert_eq!(
        refused.message,
        "The error handler 'Clean up' did not start: no version of it is approved."
    );
    assert!(refused.fix.is_some(), "{refused:?}");
    assert_eq!(inbox(&env).len(), 1, "it still waits for a person");

    approve(&env, &draft);
    let handler = start_handler(&env, run).expect("it is approved now").id;
    let elsewhere = env.second_process(Role::Cli);
    let again = start_handler(&elsewhere, run).expect("it has started");
    assert_eq!(again.id, handler, "it starts once");
    assert_eq!(env.finish(handler).summary.state, RunState::Completed);
    assert!(env.read("facts").contains("## Run #1 of Nightly failed\n"));
    assert_eq!(env.read("ledger"), "cleaned\n");
    assert_eq!(started_handler(&env, run).run, handler);
    assert!(inbox(&env).is_empty());
    let sentences = history(&env, run);
    let last = sentences.last().expect("events");
    assert!(last.contains("the error handler was started"), "{last}");

    let _: RunSummary = env
        .call("run_rerun_failed", RunRef { run })
        .expect("it has failed");
    env.finish(run);
    assert!(handle(&env, run).is_some(), "another failure");
    assert_eq!(env.read("ledger"), "cleaned\ncleaned\n");
}

#[test]
fn refusal_shows_the_title_of_a_handler_that_is_named_by_its_id() {
    let env = TestEnvironment::new();
    let draft = env.import(HANDLER);
    let id = draft.plan.id.to_string();
    let named = FAILING.replace("onFailure: Clean up", &format!("onFailure: {id}"));
    let run = env.finish(env.start(&named).summary.id).summary.id;
    assert!(handle(&env, run).is_none());
    let refused = start_handler(&env, run).expect_err("it isn't approved");
    assert!(refused.message.contains("'Clean up'"), "{refused:?}");
    let items = inbox(&env);
    let [
        InboxItem {
            ask: InboxRequest::HandlerNotStarted { message, .. },
            ..
        },
    ] = &items[..]
    else {
        panic!("{items:#?}")
    };
    assert!(message.contains("'Clean up'"), "{message}");
}

#[test]
fn refused_handler_that_was_missing_starts_once_it_exists() {
    let env = TestEnvironment::new();
    let draft = env.import(HANDLER);
    let run = failed(&env).summary.id;
    let _: serde_json::Value = env
        .call("plan_delete", json!({"plan": draft.plan.id}))
        .expect("nothing runs it");
    assert!(handle(&env, run).is_none());
    assert_eq!(refused_plan(&env, run), None, "nothing to open");
    let refused = start_handler(&env, run).expect_err("there is no such plan");
    assert!(
        refused.message.contains("there is no such plan"),
        "{refused:?}"
    );
    let handler = env.import_approved(HANDLER).plan.id;
    assert_eq!(refused_plan(&env, run), Some(handler));
    let started = start_handler(&env, run).expect("it exists now");
    assert_eq!(env.finish(started.id).summary.state, RunState::Completed);
}

#[test]
fn only_a_refused_handler_of_the_last_failure_is_started() {
    let env = TestEnvironment::new();
    let draft = env.import(HANDLER);
    let run = failed(&env).summary.id;
    assert!(handle(&env, run).is_none());
    fix(&env);
    let _: RunSummary = env
        .call("run_rerun_failed", RunRef { run })
        .expect("it has failed");
    env.finish(run);
    approve(&env, &draft);
    let refused = start_handler(&env, run).expect_err("the run is completed now");
    assert_eq!(
        refused.message,
        "No error handler of this run waits for you."
    );
    assert!(runs_of(&env, "Clean up").is_empty());
}

#[test]
fn shell_starts_a_refused_handler_and_waits_for_its_end() {
    let env = TestEnvironment::new();
    let draft = env.import(HANDLER);
    let run = failed(&env).summary.id.to_string();
    assert!(handle(&env, runs_of(&env, "Nightly")[0].id).is_none());
    let shell = Shell::new(&env);
    let waits = shell.run(&["inbox"]);
    assert!(waits.out.contains("baton runs start-handler"), "{waits:?}");
    let refused = shell.run(&["runs", "start-handler", &run]);
    assert_ne!(refused.code, Some(0), "{refused:?}");
    assert!(
        refused.err.contains("no version of it is approved")
            && refused
                .err
                .contains("Review and approve it, then start it."),
        "{refused:?}"
    );
    approve(&env, &draft);
    let started = shell.run(&["runs", "start-handler", &run]);
    assert_eq!(started.code, Some(0), "{started:?}");
    assert!(started.out.contains("Clean up: completed"), "{started:?}");
    assert_eq!(env.read("ledger"), "cleaned\n");
}

/// The handler's run exists, but the failed run doesn't know it yet.
#[test]
fn start_of_a_refused_handler_survives_a_crash() {
    let env = TestEnvironment::new();
    let draft = env.import(HANDLER);
    let run = failed(&env).summary.id;
    assert!(handle(&env, run).is_none());
    approve(&env, &draft);
    let shell = Shell::new(&env);
    let mut crash = shell.baton(&["runs", "start-handler", &run.to_string()]);
    let crashed = crash.env("BATON_CRASH_AT", "after handler").output();
    assert_eq!(crashed.expect("baton starts").status.code(), None);
    assert!(matches!(
        env.view(run).handler,
        Some(HandlerView::NotStarted { .. })
    ));
    let servers = [Role::Server, Role::Window].map(|role| env.second_process(role));
    let handler = started_handler(&env, run).run;
    let again = start_handler(&env, run).expect("it has started");
    assert_eq!(again.id, handler);
    let ended = servers[0].wait_until(handler, |view| view.summary.state.has_ended());
    assert_eq!(ended.summary.state, RunState::Completed);
    assert_eq!(runs_of(&env, "Clean up").len(), 1);
    assert_eq!(env.read("ledger"), "cleaned\n");
}

#[test]
fn unknown_handler_and_the_plan_itself_are_refused_before_a_run() {
    let env = TestEnvironment::new();
    for (name, fault) in [("Nobody", "doesn't exist"), ("Nightly", "the plan itself")] {
        let view = env.import(&FAILING.replace("Clean up", name));
        let checked: Preflight = env
            .call("plan_preflight", json!({"plan": view.plan.id}))
            .expect("a stored plan");
        let sentences: Vec<String> = checked
            .checks
            .iter()
            .map(|check| check.sentence.clone())
            .collect();
        assert!(!checked.may_run, "{sentences:#?}");
        assert!(
            sentences.iter().any(|sentence| sentence.starts_with("onFailure names") && sentence.contains(fault)),
            "{sentences:#?}"
        );
        let _: serde_json::Value = env
            .call("plan_delete", json!({"plan": view.plan.id}))
            .expect("nothing runs it");
    }
}

#[test]
fn server_starts_the_handler_of_a_run_elsewhere() {
    let env = TestEnvironment::new();
    env.import_approved(HANDLER);
    let server = env.second_process(Role::Server);
    let run = failed(&env).summary.id;
    let handler = started_handler(&server, run);
    assert_eq!(
        server.finish(handler.run).summary.state,
        RunState::Completed
    );
    assert_eq!(runs_of(&env, "Clean up").len(), 1);
}

#[test]
fn shell_follows_the_handler_and_exits_as_the_failed_run() {
    let env = TestEnvironment::new();
    env.import_approved(HANDLER);
    let shell = Shell::new(&env);
    let said = shell.run(&["run", &shell.plan_file("nightly.yaml", FAILING), "--yes"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert_eq!(env.read("ledger"), "cleaned\n", "it has ended");
    assert!(
        said.out.contains("Error handler: #1 of Clean up"),
        "{said:?}"
    );
    assert!(
        said.out
            .contains("Started after the failure of #1 of Nightly"),
        "{said:?}"
    );
    let run = runs_of(&env, "Nightly")[0].id.to_string();
    let shown = shell.run(&["runs", "show", &run]);
    assert!(
        shown
            .out
            .contains("Error handler: #1 of Clean up, completed"),
        "{shown:?}"
    );
}

/// Runs the failing plan in a shell that dies at `point`.
fn crash(shell: &Shell, file: &str, point: &str) {
    let mut command = shell.baton(&["run", file, "--yes"]);
    command.env("BATON_CRASH_AT", point);
    let (status, said) = RunningCommand::new(command).end();
    assert!(!status.success(), "baton crashes at '{point}': {said}");
}

#[test]
fn handler_runs_once_after_a_crash_at_any_point() {
    for point in ["before handler", "after handler"] {
        let env = TestEnvironment::new();
        env.import_approved(HANDLER);
        let shell = Shell::new(&env);
        crash(&shell, &shell.plan_file("nightly.yaml", FAILING), point);
        let run = runs_of(&env, "Nightly")[0].id;
        assert!(
            env.view(run)
                .handler
                .is_some_and(|handler| matches!(handler, HandlerView::Due { .. }))
        );

        let servers = [Role::Server, Role::Window].map(|role| env.second_process(role));
        let handler = started_handler(&env, run);
        let ended = servers[0].wait_until(handler.run, |view| view.summary.state.has_ended());
        assert_eq!(ended.summary.state, RunState::Completed, "{point}");
        assert_eq!(runs_of(&env, "Clean up").len(), 1, "{point}");
        assert_eq!(env.read("ledger"), "cleaned\n", "{point}");
    }
}

/// Runs the failing plan in a shell that stops just before it starts the handler.
fn stop_before_handler(shell: &Shell, file: &str, log: &Path) -> RunningCommand {
    let mut command = shell.baton(&["run", file, "--yes"]);
    command.env("BATON_STOP_AT", "before handler");
    let log = std::fs::File::create(log).expect("enough disk space");
    let running = RunningCommand::with_stderr(command, log);
    wait("the shell stops", || {
        is_stopped(running.pid())
            .then_some(())
            .ok_or_else(|| "it runs".to_owned())
    });
    running
}

#[test]
fn stopped_process_starts_no_second_handler() {
    let env = TestEnvironment::new();
    env.import_approved(HANDLER);
    let shell = Shell::new(&env);
    let file = shell.plan_file("nightly.yaml", FAILING);
    let zombie = stop_before_handler(&shell, &file, &env.work_dir.path().join("log"));
    let run = runs_of(&env, "Nightly")[0].id;
    handle(&env, run).expect("another process starts it");
    signal("-CONT", zombie.pid());
    let (_status, said) = zombie.end();
    assert!(!said.contains("internal error"), "{said}");
    assert_eq!(runs_of(&env, "Clean up").len(), 1);
    assert_eq!(env.read("ledger"), "cleaned\n");
}

#[test]
fn stopped_process_starts_no_handler_of_a_run_that_was_resumed() {
    let env = TestEnvironment::new();
    env.import_approved(HANDLER);
    let shell = Shell::new(&env);
    let file = shell.plan_file("nightly.yaml", FAILING);
    let zombie = stop_before_handler(&shell, &file, &env.work_dir.path().join("log"));
    let run = runs_of(&env, "Nightly")[0].id;
    fix(&env);
    let _: RunSummary = env
        .call("run_rerun_failed", RunRef { run })
        .expect("it has failed");
    let view = env.finish(run);
    assert_eq!(
        view.summary.state,
        RunState::Completed,
        "{:?}",
        state(&view, "build")
    );
    signal("-CONT", zombie.pid());
    let (_status, said) = zombie.end();
    assert!(!said.contains("Error handler"), "{said}");
    assert!(runs_of(&env, "Clean up").is_empty(), "{}", env.read("log"));
}

#[test]
fn plan_file_names_the_handler_by_its_title() {
    let env = TestEnvironment::new();
    let handler = env.import_approved(HANDLER).plan.id;
    let mut nightly = env.import(FAILING);
    nightly.plan.settings.on_failure = Some(handler.to_string());
    let save = json!({"plan": nightly.plan, "baseRevision": nightly.revision});
    let _: serde_json::Value = env.call("plan_save", save).expect("no conflicting change");
    let exported: serde_json::Value = env
        .call(
            "plan_export",
            json!({"plan": nightly.plan.id, "format": "yaml"}),
        )
        .expect("a stored plan");
    assert!(
        exported.to_string().contains("onFailure: Clean up"),
        "{exported}"
    );
}
