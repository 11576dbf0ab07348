//! Tests the real `codex` with the scripted model.

use std::path::Path;

use baton_agents::codex::Codex;
use baton_agents::{Decision, PriorSession, SessionEvent, Task, Verdict};
use baton_model::outcome::Failure;
use baton_model::plan::{Autonomy, ToolScopeMode};
use baton_model::time::Timestamp;

use crate::scripted_session::{Ended, Place, Session, program};

/// Configures `codex` for the scripted model. Its sandbox also works as root.
pub(crate) fn settings(home: &Path, base_url: &str) -> Vec<(&'static str, String)> {
    let folder = home.join(".codex");
    std::fs::create_dir_all(&folder).expect("a folder");
    let config = format!(
        "model = \"gpt-5.5\"\nmodel_provider = \"scripted\"\n\n[model_providers.scripted]\nname = \"scripted\"\n\
         base_url = \"{base_url}/v1\"\nwire_api = \"responses\"\nenv_key = \"SCRIPTED_KEY\"\nrequest_max_retries = 1\n\
         stream_max_retries = 1\n"
    );
    std::fs::write(folder.join("config.toml"), config).expect("a file");
    // Codex stores its sandbox helper in its home, and refuses to if that is below the temporary
    // folder.
    let temporary = home.join("temporary");
    std::fs::create_dir_all(&temporary).expect("a folder");
    vec![
        ("SCRIPTED_KEY", "scripted".to_owned()),
        ("TMPDIR", temporary.display().to_string()),
    ]
}

fn start(scenario: &str, change: impl FnOnce(&mut Task)) -> Session {
    start_in(Place::new(), scenario, change)
}

fn start_in(place: Place, scenario: &str, change: impl FnOnce(&mut Task)) -> Session {
    let task = place.task(change);
    place.start(
        &Codex::at(program("codex").to_string_lossy()),
        &task,
        scenario,
        settings,
    )
}

fn has_denial(ended: &Ended, words: &str) -> bool {
    ended
        .events
        .iter()
        .any(|event| matches!(event, SessionEvent::Prompt { text } if text.contains(words)))
}

#[test]
fn session_ends_with_a_handoff() {
    let ended = start("text", |_| {}).end();
    ended.assert_known();
    ended.assert_handed_on();
    assert_eq!(
        ended.keys(),
        ["initialize", "thread", "prompt", "handoff", "close"]
    );
    assert_eq!(
        ended.prompts()[0],
        "-p begins like a flag and goes on\nover \"two\" lines."
    );
    let usage = ended.driver.usage();
    assert_eq!(
        (usage.output_tokens, usage.input_tokens, usage.usd),
        (Some(84), Some(3000), None),
        "two turns"
    );
    assert!(
        ended
            .driver
            .native_session()
            .is_some_and(|id| id.len() == 36)
    );
}

#[test]
fn tools_work_and_are_shown() {
    let ended = start("write_bash", |_| {}).end();
    ended.assert_known();
    ended.assert_handed_on();
    assert!(
        ended.has_file("hello.txt") && ended.has_file("checked.txt"),
        "{:#?}",
        ended.events
    );
    let tools = ended.events.iter().filter_map(|event| match event {
        SessionEvent::ToolStarted { name, .. } => Some(name.as_str()),
        _ => None,
    });
    let tools: Vec<&str> = tools.collect();
    assert_eq!(tools, ["apply_patch", "shell"]);
    let added = ended.events.iter().any(|event| {
        matches!(event, SessionEvent::ToolEnded { result, .. } if result.diff.as_ref().is_some_and(|hunks|
            hunks[0].lines == ["+hello from the scripted model"]))
    });
    assert!(added, "{:#?}", ended.events);
    assert!(ended.timeline.len() > 8, "prompts, texts, tools and usage");
}

#[test]
fn denied_permission_reaches_the_agent() {
    let mut session = start("write_bash", |task| task.scope.autonomy = Autonomy::AskAll);
    let write = session.until_asked();
    assert_eq!(
        (write.tool.as_str(), write.summary.ends_with("hello.txt")),
        ("apply_patch", true),
        "{write:?}"
    );
    assert!(
        write.input["changes"][0]["diff"]
            .as_str()
            .is_some_and(|diff| diff.contains("hello from")),
        "{write:?}"
    );
    let allowed = session.driver.answer(&write.request, &Decision::Allow);
    session.write(allowed);
    assert!(session.wait_until(|driver, _| driver.pending_permissions().is_empty()));

    let shell = session.until_asked();
    assert_eq!(shell.summary, "cat hello.txt && touch checked.txt");
    let denied = session.driver.answer(
        &shell.request,
        &Decision::Deny {
            reason: "Not today.".to_owned(),
        },
    );
    session.write(denied);
    assert_eq!(
        session.driver.answer(&shell.request, &Decision::Allow),
        None,
        "one answer per request"
    );

    let ended = session.end();
    ended.assert_known();
    assert!(ended.has_file("hello.txt") && !ended.has_file("checked.txt"));
    let refused = ended
        .events
        .iter()
        .any(|event| matches!(event, SessionEvent::ToolEnded { result, .. } if result.denied && !result.ok));
    assert!(refused, "{:#?}", ended.events);
    assert!(
        has_denial(&ended, "Not today."),
        "the agent gets the reason: {:#?}",
        ended.events
    );
    assert_eq!(ended.verdict, Verdict::Succeeded);
}

#[test]
fn tools_outside_the_list_are_blocked() {
    let listed = |task: &mut Task| {
        task.scope.mode = ToolScopeMode::Enforce;
        task.scope.tools = vec!["Write".to_owned()];
    };
    let ended = start("write_bash", listed).end();
    ended.assert_known();
    assert!(
        ended.has_file("hello.txt") && !ended.has_file("checked.txt"),
        "{:#?}",
        ended.events
    );
    assert!(
        has_denial(
            &ended,
            "Tool shell is not available in this plan. Only: Write"
        ),
        "{:#?}",
        ended.events
    );
}

#[test]
fn interrupted_turn_is_cancelled() {
    let mut session = start("bash", |_| {});
    assert!(session.wait_until(|_, events| {
        events
            .iter()
            .any(|event| matches!(event, SessionEvent::ToolStarted { .. }))
    }));
    let interrupt = session.driver.interrupt();
    assert!(interrupt.is_some());
    session.write(interrupt);
    let ended = session.end();
    ended.assert_known();
    assert_eq!(ended.verdict, Verdict::Cancelled);
    assert_eq!(ended.written.last().map(String::as_str), Some("close"));
}

#[test]
fn refused_login_is_a_failure_with_a_fix() {
    let ended = start("err401", |_| {}).end();
    let Verdict::Failed(Failure::AgentError { detail }) = &ended.verdict else {
        panic!("{:?}", ended.verdict)
    };
    assert!(
        detail.contains("invalid x-api-key") && detail.contains("codex login"),
        "{detail}"
    );
    assert_eq!(ended.keys(), ["initialize", "thread", "prompt", "close"]);
    assert_eq!(
        ended.driver.usage().output_tokens,
        None,
        "no cost is reported"
    );
}

#[test]
fn overload_does_not_count_as_node_failure() {
    for scenario in ["err529", "err500"] {
        let ended = start(scenario, |_| {}).end();
        ended.assert_known();
        assert!(
            matches!(ended.verdict, Verdict::Unavailable { .. }),
            "{scenario}: {:?}",
            ended.verdict
        );
    }
    let ended = start("err429", |_| {}).end();
    ended.assert_known();
    assert!(
        matches!(ended.verdict, Verdict::Limit { reset_at: None, .. }),
        "{:?}",
        ended.verdict
    );
    let ended = start("err529_once", |_| {}).end();
    ended.assert_handed_on();
}

#[test]
fn invalid_request_is_an_agent_error() {
    let ended = start("err400", |_| {}).end();
    assert!(
        matches!(ended.verdict, Verdict::Failed(Failure::AgentError { .. })),
        "{:?}",
        ended.verdict
    );
}

#[test]
fn usage_limit_reports_its_reset_time() {
    let ended = start("limit", |_| {}).end();
    ended.assert_known();
    let Verdict::Limit { reset_at, detail } = &ended.verdict else {
        panic!("{:?} {:#?}", ended.verdict, ended.events)
    };
    assert_eq!(*reset_at, Some(Timestamp(1_893_456_000_000)), "{detail}");
}

#[test]
fn unreachable_service_shows_its_retries() {
    let place = Place::new();
    let task = place.task(|_| {});
    let unreachable: crate::scripted_session::Settings =
        |home, _| settings(home, "http://127.0.0.1:9/s/text");
    let mut session = place.start(
        &Codex::at(program("codex").to_string_lossy()),
        &task,
        "text",
        unreachable,
    );
    assert!(session.wait_until(|_, events| {
        events
            .iter()
            .any(|event| matches!(event, SessionEvent::Retrying { .. }))
    }));
    assert!(
        session
            .driver
            .activity()
            .is_some_and(|line| line.starts_with("retrying"))
    );
    session.kill();
}

#[test]
fn continued_session_counts_only_its_own_usage() {
    let first = start("text", |_| {}).end();
    let native = first
        .driver
        .native_session()
        .expect("the session has an id")
        .to_owned();
    let ended = start_in(first.place, "text", |task| {
        task.resume = Some(PriorSession::resume(&native))
    })
    .end();
    ended.assert_known();
    ended.assert_handed_on();
    assert_eq!(ended.driver.native_session(), Some(native.as_str()));
    assert_eq!(
        ended.driver.usage().output_tokens,
        Some(84),
        "the first session counts its own two turns"
    );

    let ended = start("text", |task| {
        task.resume = Some(PriorSession::resume("01a1fc11-c7c7-7303-b810-7dd3e346f3e8"))
    })
    .end();
    assert!(
        matches!(ended.verdict, Verdict::Failed(Failure::AgentError { .. })),
        "{:?}",
        ended.verdict
    );
}
