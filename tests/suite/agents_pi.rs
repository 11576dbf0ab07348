//! Tests the real `pi` with the scripted model.

use std::path::Path;

use baton_agents::pi::Pi;
use baton_agents::{PriorSession, SessionEvent, Task, Verdict};
use baton_model::outcome::Failure;
use serde_json::json;

use crate::scripted_session::{Place, Session, program};

/// Configures `pi` for the scripted model, with short retry delays.
pub(crate) fn settings(home: &Path, base_url: &str) -> Vec<(&'static str, String)> {
    let folder = home.join(".pi/agent");
    std::fs::create_dir_all(&folder).expect("a folder");
    let price = json!({"input": 1, "output": 2, "cacheRead": 0.1, "cacheWrite": 0});
    let model = json!({"id": "scripted-model", "name": "Scripted", "reasoning": false, "input": ["text"], "cost": price,
        "contextWindow": 200_000, "maxTokens": 8000});
    let provider = json!({"baseUrl": format!("{base_url}/v1"), "api": "openai-completions", "apiKey": "SCRIPTED_KEY",
        "models": [model]});
    let settings = json!({"defaultProvider": "scripted", "defaultModel": "scripted-model",
        "retry": {"enabled": true, "maxRetries": 1, "baseDelayMs": 50}});
    let write =
        |name: &str, content: String| std::fs::write(folder.join(name), content).expect("a file");
    write(
        "models.json",
        json!({"providers": {"scripted": provider}}).to_string(),
    );
    write("settings.json", settings.to_string());
    vec![
        ("SCRIPTED_KEY", "scripted".to_owned()),
        ("PI_OFFLINE", "1".to_owned()),
    ]
}

fn start(scenario: &str, change: impl FnOnce(&mut Task)) -> Session {
    start_in(Place::new(), scenario, change)
}

fn start_in(place: Place, scenario: &str, change: impl FnOnce(&mut Task)) -> Session {
    let task = place.task(change);
    place.start(
        &Pi::at(program("pi").to_string_lossy()),
        &task,
        scenario,
        settings,
    )
}

#[test]
fn session_ends_with_a_handoff() {
    let ended = start("text", |_| {}).end();
    ended.assert_known();
    ended.assert_handed_on();
    assert_eq!(ended.keys(), ["prompt", "handoff", "close"]);
    assert_eq!(
        ended.prompts()[0],
        "-p begins like a flag and goes on\nover \"two\" lines."
    );
    let usage = ended.driver.usage();
    assert_eq!(
        (usage.output_tokens, usage.input_tokens),
        (Some(84), Some(3000)),
        "two turns"
    );
    assert!(
        usage.usd.is_some_and(|usd| (usd - 0.004_168).abs() < 1e-9),
        "{usage:?}"
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
    assert!(ended.has_file("hello.txt") && ended.has_file("checked.txt"));
    let tools = ended.events.iter().filter_map(|event| match event {
        SessionEvent::ToolStarted { name, .. } => Some(name.as_str()),
        _ => None,
    });
    assert_eq!(tools.collect::<Vec<_>>(), ["write", "bash"]);
    assert!(ended.timeline.len() > 8, "prompts, texts, tools and usage");
}

#[test]
fn tools_outside_the_list_are_unavailable() {
    let ended = start("write_bash", |task| {
        task.scope.tools = vec!["Write".to_owned()]
    })
    .end();
    ended.assert_known();
    assert!(
        ended.has_file("hello.txt") && !ended.has_file("checked.txt"),
        "{:#?}",
        ended.events
    );
    assert_eq!(ended.verdict, Verdict::Succeeded);
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
    session.write(interrupt);
    let ended = session.end();
    ended.assert_known();
    assert_eq!(ended.verdict, Verdict::Cancelled);
    assert_eq!(ended.written.last().map(String::as_str), Some("close"));
}

#[test]
fn service_error_fails_even_if_pi_exits_cleanly() {
    let ended = start("err401", |_| {}).end();
    let Verdict::Failed(Failure::AgentError { detail }) = &ended.verdict else {
        panic!("{:?}", ended.verdict)
    };
    assert!(
        detail.contains("invalid x-api-key") && detail.contains("/login"),
        "{detail}"
    );
    assert_eq!(ended.keys(), ["prompt", "close"]);
    assert_eq!(
        ended.driver.usage().output_tokens,
        None,
        "no cost is reported"
    );
    let ended = start("err400", |_| {}).end();
    assert!(
        matches!(ended.verdict, Verdict::Failed(Failure::AgentError { .. })),
        "{:?}",
        ended.verdict
    );
    let ended = start("maxtok", |_| {}).end();
    assert!(
        matches!(ended.verdict, Verdict::Failed(Failure::AgentError { .. })),
        "{:?}",
        ended.verdict
    );
}

#[test]
fn overload_is_retried_without_node_failure() {
    let ended = start("err529", |_| {}).end();
    ended.assert_known();
    assert!(ended.events.iter().any(|event| matches!(
        event,
        SessionEvent::Retrying {
            attempt: 1,
            max: 1,
            ..
        }
    )));
    assert!(
        matches!(ended.verdict, Verdict::Unavailable { .. }),
        "{:?}",
        ended.verdict
    );

    let ended = start("err529_once", |_| {}).end();
    ended.assert_handed_on();
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
