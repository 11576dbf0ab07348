//! Tests the run defaults in the settings, for plans that don't set their own.

use baton_api::wire::*;
use baton_api::{ApiError, Code, Role};
use baton_model::outcome::Failure;
use baton_model::plan::{Autonomy, RunDefaults};
use baton_model::run::{Event, SkipReason, WaitingFor};
use baton_model::{NodeState, RunState};
use baton_tests::TestEnvironment;
use baton_tests::test_environment::{state, state_labels};

fn save(env: &TestEnvironment, defaults: RunDefaults) -> Result<Settings, ApiError> {
    let settings: Settings = env
        .call("settings_get", serde_json::json!({}))
        .expect("the settings exist");
    env.call(
        "settings_save",
        Settings {
            run_defaults: Some(defaults),
            ..settings
        },
    )
}

fn waits_for_permission(view: &RunView, slug: &str) -> bool {
    matches!(
        state(view, slug),
        NodeState::Waiting {
            what: WaitingFor::Approval { .. }
        }
    )
}

#[test]
fn run_keeps_the_defaults_it_started_with() {
    let env = TestEnvironment::new();
    let defaults = RunDefaults {
        autonomy: Autonomy::AskAll,
        concurrency: 1,
        ..RunDefaults::default()
    };
    save(&env, defaults).expect("both are valid");
    let nodes = "nodes:\n  - {id: a, kind: command, command: 'true'}\n  - {id: b, kind: command, command: 'true'}\n";
    let silent = env
        .start(&format!("baton: 1\ntitle: Silent\n{nodes}"))
        .summary
        .id;
    let explicit = env
        .start(&format!(
            "baton: 1\ntitle: Explicit\nautonomy: 1\nconcurrency: 2\n{nodes}"
        ))
        .summary
        .id;
    assert_eq!(
        env.finish(explicit).summary.state,
        RunState::Completed,
        "the plan sets its own autonomy"
    );
    let view = env.wait_until(silent, |view| {
        waits_for_permission(view, "a") && waits_for_permission(view, "b")
    });
    assert_eq!(view.limit, 1);

    // Later changes of the settings only apply to later runs, even after a crash.
    save(&env, RunDefaults::default()).expect("the defaults are valid");
    env.app.shut_down();
    let env = env.second_process(Role::Window);
    let view = env.wait_until(silent, |view| {
        view.summary.attendance == RunExecutorView::Here
    });
    assert_eq!(view.limit, 1);
    assert!(
        waits_for_permission(&view, "a") && waits_for_permission(&view, "b"),
        "{:?}",
        state_labels(&view)
    );
    let history: Vec<HistoryRow> = env
        .call(
            "run_history",
            serde_json::json!({ "run": silent, "after": 0, "limit": 1 }),
        )
        .expect("the run has a history");
    let Event::Started {
        settings: Some(kept),
        ..
    } = &history[0].event
    else {
        panic!("{:?}", history[0])
    };
    assert_eq!(kept.autonomy, Autonomy::AskAll);
    let first = &history[0].sentence;
    assert!(
        first.contains(": autonomy 0") && first.contains("up to 1 node at once"),
        "{first}"
    );
}

#[test]
fn default_time_limits_apply_without_plan_or_node_limits() {
    let env = TestEnvironment::new();
    save(
        &env,
        RunDefaults {
            command_timeout_ms: Some(300),
            ..RunDefaults::default()
        },
    )
    .expect("the limits are valid");
    let run = env.start(
        "
baton: 1
title: Limits
nodes:
  - {id: default, kind: command, onFailure: skip, command: 'sleep 60'}
  - {id: own, kind: command, timeoutMs: 400, onFailure: skip, command: 'sleep 60'}
",
    );
    let view = env.finish(run.summary.id);
    let limit = |view: &RunView, slug: &str| match state(view, slug) {
        NodeState::Skipped {
            reason:
                SkipReason::AfterFailure {
                    failure: Failure::TimedOut { limit_ms },
                },
        } => *limit_ms,
        other => panic!("{other:?}"),
    };
    assert_eq!((limit(&view, "default"), limit(&view, "own")), (300, 400));
    let of_plan = env.start(
        "
baton: 1
title: Limit of the plan
commandTimeoutMs: 200
nodes:
  - {id: a, kind: command, onFailure: skip, command: 'sleep 60'}
",
    );
    assert_eq!(
        limit(&env.finish(of_plan.summary.id), "a"),
        200,
        "the plan's limit takes precedence"
    );
}

#[test]
fn invalid_run_defaults_are_rejected() {
    let env = TestEnvironment::new();
    for wrong in [
        RunDefaults {
            concurrency: 0,
            ..RunDefaults::default()
        },
        RunDefaults {
            concurrency: 1001,
            ..RunDefaults::default()
        },
        RunDefaults {
            timeout_ms: Some(0),
            ..RunDefaults::default()
        },
        RunDefaults {
            agent_timeout_ms: Some(0),
            ..RunDefaults::default()
        },
    ] {
        assert_eq!(
            save(&env, wrong).expect_err("the setting is invalid").code,
            Code::BadInput,
            "{wrong:?}"
        );
    }
    let settings: Settings = env
        .call("settings_get", serde_json::json!({}))
        .expect("the settings exist");
    assert_eq!(
        settings.run_defaults,
        Some(RunDefaults::default()),
        "the settings are unchanged"
    );
}

/// A limit raised in a window applies to the run that waits in a shell.
#[test]
fn settings_of_another_process_are_applied() {
    let env = TestEnvironment::new();
    let line = "touch runs-$$; while [ ! -f go ]; do sleep 0.02; done";
    let command = ["sh", "-c", line].map(str::to_owned).to_vec();
    let input = serde_json::json!({ "id": "patient", "command": command });
    let _: serde_json::Value = env.call("agent_save", input).expect("a name and a command");
    let settings: Settings = env
        .call("settings_get", serde_json::json!({}))
        .expect("the settings exist");
    let limits = |limit| Settings {
        agent_concurrency: Some([("patient".to_owned(), limit)].into()),
        ..settings.clone()
    };
    let _: Settings = env
        .call("settings_save", limits(1))
        .expect("an agent and a number");
    let window = env.second_process(Role::Window);
    let run = env
        .start("baton: 1\ntitle: Two\nnodes:\n  - {id: a, agent: patient, prompt: Work.}\n  - {id: b, agent: patient, prompt: Work.}\n")
        .summary
        .id;
    let runs = |view: &RunView| {
        ["a", "b"]
            .into_iter()
            .filter(|slug| *state(view, slug) == NodeState::Running)
            .count()
    };
    env.wait_until(run, |view| runs(view) == 1);
    let _: Settings = window
        .call("settings_save", limits(2))
        .expect("an agent and a number");
    env.wait_until(run, |view| runs(view) == 2);
    std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
    assert_eq!(env.finish(run).summary.state, RunState::Completed);
}
