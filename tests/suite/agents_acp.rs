//! Tests real agents with the Agent Client Protocol and the scripted model: gemini, opencode, and
//! claude through its ACP server, configured as a custom agent.
//!
//! Requires the programs, which `cargo xtask test` installs. `BATON_TEST_GEMINI`,
//! `BATON_TEST_OPENCODE` and `BATON_TEST_CLAUDE_ACP` override their paths.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use baton_agents::custom::{CustomAgent, Protocol};
use baton_agents::gemini::Gemini;
use baton_agents::opencode::Opencode;
use baton_agents::timeline::TimelineKind;
use baton_agents::{Decision, SessionEvent, Verdict};
use baton_model::outcome::Failure;
use baton_model::plan::{Autonomy, ToolScopeMode};
use baton_tests::model_api::ModelApi;
use serde_json::json;

use crate::agent_session::{AgentSession, Ended, Setting, program};

fn gemini() -> Gemini {
    Gemini::at(program("BATON_TEST_GEMINI", "gemini").to_string_lossy())
}

fn opencode() -> Opencode {
    Opencode::at(program("BATON_TEST_OPENCODE", "opencode").to_string_lossy())
}

/// Claude through its ACP server, as a user would configure it.
fn claude() -> CustomAgent {
    let program = program("BATON_TEST_CLAUDE_ACP", "claude-agent-acp");
    CustomAgent {
        name: "claude-acp".to_owned(),
        argv: vec![program.to_string_lossy().into_owned()],
        protocol: Protocol::Acp,
    }
}

pub(crate) fn for_gemini(api: &ModelApi, scenario: &str) -> Setting {
    Setting::new()
        .with("GOOGLE_GEMINI_BASE_URL", api.base_url(scenario))
        .with("GEMINI_API_KEY", "scripted")
}

pub(crate) fn for_opencode(api: &ModelApi, scenario: &str) -> Setting {
    let options =
        json!({"baseURL": format!("{}/v1", api.base_url(scenario)), "apiKey": "scripted"});
    let provider = json!({"npm": "@ai-sdk/openai-compatible", "options": options, "models": {"small": {}, "model": {}}});
    let config = json!({"provider": {"scripted": provider}, "model": "scripted/model", "small_model": "scripted/small"});
    Setting::new()
        .with("OPENCODE_DISABLE_MODELS_FETCH", "1")
        .with("OPENCODE_DISABLE_AUTOUPDATE", "1")
        .with("OPENCODE_CONFIG_CONTENT", config.to_string())
}

fn for_claude(api: &ModelApi, scenario: &str) -> Setting {
    Setting::new()
        .with("ANTHROPIC_BASE_URL", api.base_url(scenario))
        .with("ANTHROPIC_API_KEY", "sk-ant-scripted")
        .with("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
        .with("CLAUDE_CODE_MAX_RETRIES", "1")
        .with("DISABLE_AUTOUPDATER", "1")
        .with("IS_SANDBOX", "1")
}

fn api() -> ModelApi {
    ModelApi::start().expect("a port is free")
}

/// Formats a timeline with one line per entry. Tool calls have their name and outcome.
fn story(ended: &Ended) -> Vec<String> {
    let entries = ended.timeline.iter().filter_map(|entry| {
        Some(match &entry.kind {
            TimelineKind::Prompt { text } => {
                format!("prompt {}", text.lines().next().unwrap_or_default())
            }
            TimelineKind::Text { markdown } => {
                format!("text {}", markdown.lines().next().unwrap_or_default())
            }
            TimelineKind::Thinking { .. } => "thinking".to_owned(),
            TimelineKind::ToolCall {
                name,
                result: Some(result),
                ..
            } => {
                let how = if result.denied {
                    "denied"
                } else if result.ok {
                    "ok"
                } else {
                    "failed"
                };
                format!(
                    "{name} {how}{}",
                    if result.diff.is_some() {
                        " with its change"
                    } else {
                        ""
                    }
                )
            }
            TimelineKind::ToolCall {
                name, result: None, ..
            } => format!("{name} runs"),
            TimelineKind::Permission { tool, state, .. } => format!("{tool} {state:?}"),
            TimelineKind::TodoList { .. } => "to-do list".to_owned(),
            TimelineKind::Image { .. } => "image".to_owned(),
            TimelineKind::Error { text } => format!("error {text}"),
            TimelineKind::Unknown { raw } => format!("unknown {raw}"),
            TimelineKind::Usage { .. } => "usage".to_owned(),
            TimelineKind::Note { .. }
            | TimelineKind::Output { .. }
            | TimelineKind::Retry { .. } => return None,
        })
    });
    entries.collect()
}

fn read(ended: &Ended, name: &str) -> Option<String> {
    fs::read_to_string(ended.folder().join(name)).ok()
}

fn detail(verdict: &Verdict) -> &str {
    match verdict {
        Verdict::Failed(Failure::AgentError { detail }) => detail,
        other => panic!("expected a failure of the agent, not {other:?}"),
    }
}

fn waits_for_permission(session: &mut AgentSession) {
    assert!(
        session.wait_until(|driver, _| !driver.pending_permissions().is_empty()),
        "the agent asks for permission"
    );
}

/// Returns the processes whose working directory is the session's folder.
fn working_in(folder: &Path) -> Vec<String> {
    let processes = fs::read_dir("/proc").expect("Linux has it").flatten();
    let inside = processes
        .filter(|process| fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd == folder));
    inside
        .map(|process| {
            String::from_utf8_lossy(&fs::read(process.path().join("cmdline")).unwrap_or_default())
                .into_owned()
        })
        .collect()
}

const WRITES_AND_RUNS: [&str; 11] = [
    "prompt -p begins like a flag and goes on",
    "text I write the file first.",
    "write ok with its change",
    "write Allowed",
    "shell ok",
    "shell Allowed",
    "text Done: wrote hello.txt and checked it.",
    "usage",
    "prompt Write the handoff. It begins with **What was done:**",
    "text Sure, here is the handoff.",
    "usage",
];

/// Checks a typical session: the agent writes a file, runs a command and writes a handoff.
fn check_typical_session(ended: &Ended, write: &str, shell: &str) {
    assert_eq!(ended.verdict, Verdict::Succeeded, "{:#?}", ended.events);
    assert_eq!(
        read(ended, "hello.txt").as_deref(),
        Some("hello from the scripted model\n")
    );
    assert!(read(ended, "checked.txt").is_some(), "the command ran");
    assert!(
        ended
            .driver
            .handoff()
            .is_some_and(|text| text.contains("**What was done:**\nThe scripted work"))
    );
    assert_eq!(
        ended.written.first().map(String::as_str),
        Some("initialize")
    );
    assert_eq!(ended.written.last().map(String::as_str), Some("close"));
    let mut lines = story(ended);
    // Claude reports the price of a turn separately from its tokens.
    lines.dedup_by(|one, before| one == "usage" && before == "usage");
    let expected = WRITES_AND_RUNS.map(|line| match line.split_once(' ') {
        Some(("write", rest)) => format!("{write} {rest}"),
        Some(("shell", rest)) => format!("{shell} {rest}"),
        _ => line.to_owned(),
    });
    assert_eq!(lines, expected);
}

#[test]
fn gemini_writes_runs_and_hands_off() {
    let api = api();
    let ended = for_gemini(&api, "write_bash").start(&gemini()).end();
    check_typical_session(&ended, "write_file", "run_shell_command");
    // Four requests of 6500 tokens. The cached part isn't reported.
    assert_eq!(ended.driver.usage().input_tokens, Some(26_000));
    assert!(
        api.seen()
            .iter()
            .any(|seen| seen.prompt.starts_with("-p begins like a flag")),
        "{:?}",
        api.seen()
    );
}

#[test]
fn opencode_writes_runs_and_hands_off() {
    let ended = for_opencode(&api(), "write_bash").start(&opencode()).end();
    check_typical_session(&ended, "write", "bash");
    assert!(
        ended.written.contains(&"answer:2".to_owned()),
        "it reports the written file and continues: {:?}",
        ended.written
    );
    assert_eq!(
        ended.driver.usage().input_tokens,
        None,
        "only the last of three requests is reported"
    );
}

#[test]
fn claude_as_custom_agent_writes_runs_and_hands_off() {
    let ended = for_claude(&api(), "write_bash").start(&claude()).end();
    check_typical_session(&ended, "Write", "Bash");
    let usage = ended.driver.usage();
    assert_eq!(
        (usage.input_tokens, usage.cache_read_tokens),
        (Some(4 * 1200), Some(4 * 5000)),
        "the turns are added up"
    );
    assert!(usage.usd.is_some_and(|usd| usd > 0.0));
}

#[test]
fn gemini_permission_can_be_allowed_or_denied() {
    let api = api();
    let mut setting = for_gemini(&api, "write_bash");
    setting.task.scope.autonomy = Autonomy::AskAll;
    let mut session = setting.start(&gemini());
    for (tool, decision) in [
        ("write_file", Decision::Allow),
        (
            "run_shell_command",
            Decision::Deny {
                reason: "Not on a Sunday.".to_owned(),
            },
        ),
    ] {
        waits_for_permission(&mut session);
        let asked = session.driver().pending_permissions()[0].clone();
        assert_eq!(asked.tool, tool);
        let answer = session.driver().answer(&asked.request, &decision);
        session.write(answer);
    }
    let ended = session.end();
    assert_eq!(ended.verdict, Verdict::Succeeded, "{:#?}", ended.events);
    assert!(
        read(&ended, "hello.txt").is_some() && read(&ended, "checked.txt").is_none(),
        "only one of two was allowed"
    );
    let lines = story(&ended);
    for entry in [
        "write_file Allowed",
        "run_shell_command denied",
        "run_shell_command Denied",
    ] {
        assert!(lines.contains(&entry.to_owned()), "{entry}: {lines:#?}");
    }
}

#[test]
fn opencode_is_limited_to_its_tool_list() {
    let api = api();
    let mut setting = for_opencode(&api, "bash_fail");
    setting.task.scope.mode = ToolScopeMode::Enforce;
    setting.task.scope.tools = vec!["Write".to_owned()];
    let ended = setting.start(&opencode()).end();
    assert!(read(&ended, "x").is_none(), "the command did not run");
    assert!(
        story(&ended).contains(&"bash denied".to_owned()),
        "{:#?}",
        story(&ended)
    );
    let reason = "Tool bash is not available in this plan. Only: Write";
    assert!(
        api.seen().iter().any(|seen| seen.prompt.contains(reason)),
        "{:?}",
        api.seen()
    );
}

#[test]
fn service_error_is_shown_verbatim() {
    let api = api();
    for (scenario, words, names_key) in [
        ("err400", "the request is wrong (scripted)", false),
        ("err401", "(scripted)", true),
    ] {
        let ended = for_gemini(&api, scenario).start(&gemini()).end();
        let detail = detail(&ended.verdict);
        assert!(detail.contains(words), "{detail}");
        assert_eq!(detail.contains("GEMINI_API_KEY"), names_key, "{detail}");
        assert_eq!(ended.written, ["initialize", "session", "prompt", "close"]);
    }
}

#[test]
fn gemini_reports_limits_and_outages() {
    let api = api();
    // By default it retries ten times within six minutes.
    let settings = json!({"general": {"maxAttempts": 1}}).to_string();
    for (scenario, expected) in [
        (
            "err429",
            Verdict::Limit {
                reset_at: None,
                detail: "rate limited (scripted)".to_owned(),
            },
        ),
        (
            "err529",
            Verdict::Unavailable {
                detail: "Overloaded (scripted)".to_owned(),
            },
        ),
    ] {
        let mut setting = for_gemini(&api, scenario).with_file(".gemini/settings.json", &settings);
        // Otherwise it asks a model which model to use, with five tries regardless of the settings.
        setting.task.model = Some("gemini-2.5-flash".to_owned());
        let ended = setting.start(&gemini()).end();
        assert_eq!(ended.verdict, expected, "{scenario}: {:#?}", ended.events);
        assert_eq!(ended.written, ["initialize", "session", "prompt", "close"]);
    }
}

#[test]
fn stopping_leaves_no_gemini_process() {
    let api = api();
    let mut session = for_gemini(&api, "bash").start(&gemini());
    let runs = |event: &SessionEvent| matches!(event, SessionEvent::PermissionAsked { .. });
    assert!(
        session.wait_until(|_, events| events.iter().any(runs)),
        "it asks for permission to run the command"
    );
    let folder = session.folder().to_owned();
    let deadline = Instant::now() + Duration::from_secs(30);
    while !working_in(&folder)
        .iter()
        .any(|words| words.contains("time.sleep(301)"))
    {
        assert!(
            Instant::now() < deadline,
            "the command runs: {:?}",
            working_in(&folder)
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    let stop = session.driver().interrupt();
    session.write(stop);
    let ended = session.end();
    assert_eq!(ended.verdict, Verdict::Cancelled, "{:#?}", ended.events);
    assert_eq!(working_in(&folder), Vec::<String>::new());
}

#[test]
fn missing_login_explains_how_to_log_in() {
    let ended = Setting::new().start(&gemini()).end();
    let detail = detail(&ended.verdict).to_owned();
    assert!(
        detail.contains("Run `gemini` in a terminal and log in"),
        "{detail}"
    );
}
