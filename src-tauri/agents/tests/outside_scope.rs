//! Out-of-scope calls in each agent's recordings, when the node's list is only logged.

use std::fs;
use std::path::PathBuf;

use baton_agents::codex::Codex;
use baton_agents::custom::{CustomAgent, Protocol};
use baton_agents::pi::Pi;
use baton_agents::{Adapter, Driver, SessionEvent, Stream, Task, ToolScope, acp};
use baton_model::plan::ToolScopeMode;
use uuid::Uuid;

fn task(mode: ToolScopeMode, tools: &[&str]) -> Task {
    let tools = tools.iter().map(|&tool| tool.to_owned()).collect();
    Task {
        session: Uuid::nil(),
        cwd: "/home/dev/project".to_owned(),
        prompt: "Do the work.".to_owned(),
        resume: None,
        tool_server: None,
        model: None,
        scope: ToolScope {
            mode,
            tools,
            ..ToolScope::default()
        },
        handoff_prompt: String::new(),
    }
}

fn recorded(path: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/sessions");
    fs::read(folder.join(path)).expect("recording exists")
}

/// The out-of-scope calls, and whether they were denied.
fn outside(mut driver: Box<dyn Driver>, log: &[u8]) -> Vec<String> {
    let lines = log
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty() && !line.starts_with(b"%%STDIN"));
    let events = lines
        .flat_map(|line| driver.handle_line(Stream::Stdout, line))
        .collect::<Vec<_>>();
    let actual = events.into_iter().filter_map(|event| match event {
        SessionEvent::OutsideScope {
            what,
            note,
            refused,
            ..
        } => {
            assert_eq!(
                note.starts_with("would have been blocked"),
                !refused,
                "{note}"
            );
            let what: String = what
                .lines()
                .next()
                .unwrap_or_default()
                .chars()
                .take(60)
                .collect();
            Some(format!("{what}{}", if refused { " (refused)" } else { "" }))
        }
        _ => None,
    });
    actual.collect()
}

fn driver(agent: &str, task: &Task) -> Box<dyn Driver> {
    let own = |protocol| CustomAgent {
        name: "own".to_owned(),
        argv: vec!["own".to_owned()],
        protocol,
    };
    match agent {
        "codex" => Codex::default().driver(task),
        "pi" => Pi::default().driver(task),
        "qwen" => own(Protocol::ClaudeStream).driver(task),
        "gemini" => own(Protocol::GeminiStream).driver(task),
        "opencode" => own(Protocol::OpencodeStream).driver(task),
        _ => acp::driver(task, "Agent", "Log in."),
    }
}

const RECORDINGS: &[(&str, &str)] = &[
    ("codex", "codex/app_server_approval.jsonl"),
    ("pi", "pi/write_bash.jsonl"),
    ("acp", "acp/claude_prompt.jsonl"),
    ("acp", "acp/gemini_prompt.jsonl"),
    ("acp", "acp/opencode_prompt.jsonl"),
    ("gemini", "gemini/write_bash_yolo.jsonl"),
    ("opencode", "opencode/write_bash.jsonl"),
    ("qwen", "qwen/write_bash.jsonl"),
];

#[test]
fn log_mode_reports_would_block_calls() {
    let mut actual = String::new();
    for &(agent, path) in RECORDINGS {
        let found = outside(
            driver(agent, &task(ToolScopeMode::Log, &["Read"])),
            &recorded(path),
        );
        assert!(!found.is_empty(), "{path} has calls outside the list");
        actual.extend([path, ": ", &found.join(" | "), "\n"]);
    }
    insta::assert_snapshot!(actual, @r"
    codex/app_server_approval.jsonl: apply_patch: /home/dev/project/hello.txt | shell: cat hello.txt && git status --short
    pi/write_bash.jsonl: write: /home/dev/project/hello.txt | bash: cat hello.txt && git status --short
    acp/claude_prompt.jsonl: Write: /home/dev/project/feature.txt | Bash: git add -A && git commit -qm 'Add feature' && git log 
    acp/gemini_prompt.jsonl: write_file: Writing to hello.txt | run_shell_command: cat hello.txt && git status --short
    acp/opencode_prompt.jsonl: write: /home/dev/project/feature.txt | bash: /home/dev/project
    gemini/write_bash_yolo.jsonl: write_file: hello.txt | run_shell_command: cat hello.txt && git status --short
    opencode/write_bash.jsonl: write: /home/dev/project/hello.txt | bash: cat hello.txt && git status --short
    qwen/write_bash.jsonl: write_file: /home/dev/project/hello.txt | run_shell_command: cat hello.txt && git status --short
    ");
}

#[test]
fn no_scope_events_without_restrictions() {
    for &(agent, path) in RECORDINGS {
        for task in [
            task(ToolScopeMode::Off, &["Read"]),
            task(ToolScopeMode::Log, &[]),
        ] {
            assert_eq!(
                outside(driver(agent, &task), &recorded(path)),
                Vec::<String>::new(),
                "{path}"
            );
        }
    }
}
