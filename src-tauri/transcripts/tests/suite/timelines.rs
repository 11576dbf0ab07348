//! The timelines of recorded histories: the same kinds of entries for every agent.

use baton_agents::TimelineEntry;
use baton_agents::timeline::TimelineKind;
use baton_transcripts::TranscriptReader;

use crate::home::{Home, only};

fn describe(entry: &TimelineEntry) -> String {
    let short = |text: &str| text.chars().take(60).collect::<String>().replace('\n', "⏎");
    match &entry.kind {
        TimelineKind::Prompt { text } => format!("prompt {}", short(text)),
        TimelineKind::Text { markdown } => format!("text {}", short(markdown)),
        TimelineKind::Thinking { text } => format!("thinking {}", short(text)),
        TimelineKind::ToolCall {
            name,
            summary,
            result,
            ..
        } => {
            let result = result
                .as_ref()
                .map(|result| format!("{} {}", result.ok, short(&result.text)));
            format!(
                "call {name} {} → {}",
                short(summary),
                result.unwrap_or_else(|| "nothing".to_owned())
            )
        }
        TimelineKind::Note { text } => format!("note {}", short(text)),
        TimelineKind::Error { text } => format!("error {}", short(text)),
        TimelineKind::Unknown { raw } => format!("UNKNOWN {}", short(raw)),
        other => format!("{other:?}").chars().take(60).collect(),
    }
}

fn timeline(recording: &str, path: &str) -> String {
    let home = Home::new();
    home.put(recording, path);
    let row = only(&home.library());
    let mut reading = TranscriptReader::new(&row);
    reading.catch_up(&row).expect("readable");
    let entries = reading.page(0..1_000).expect("readable");
    assert!(
        entries.iter().any(|entry| entry.at.at_ms.is_some()),
        "{recording}: records have times"
    );
    entries.iter().map(describe).collect::<Vec<_>>().join("\n")
}

#[test]
fn recordings_make_the_same_entry_kinds() {
    let mut all = String::new();
    for (recording, path) in [
        (
            "claude/write_bash_bypass.jsonl",
            ".claude/projects/-p/a.jsonl",
        ),
        (
            "claude/write_bash_2.1.197.jsonl",
            ".claude/projects/-p/a.jsonl",
        ),
        ("claude/hook_exit2.jsonl", ".claude/projects/-p/a.jsonl"),
        ("claude/thinking.jsonl", ".claude/projects/-p/a.jsonl"),
        ("claude/api_err500.jsonl", ".claude/projects/-p/a.jsonl"),
        (
            "codex/write_bash_ws.jsonl",
            ".codex/sessions/2026/11/21/rollout-a.jsonl",
        ),
        (
            "codex/model_gpt-5.5.jsonl",
            ".codex/sessions/2026/11/21/rollout-a.jsonl",
        ),
        (
            "codex/sig_TERM_during_bash.jsonl",
            ".codex/sessions/2026/11/21/rollout-a.jsonl",
        ),
        (
            "gemini/write_bash_yolo.jsonl",
            ".gemini/tmp/p/chats/session-a.jsonl",
        ),
        (
            "gemini/session_id.jsonl",
            ".gemini/tmp/p/chats/session-a.jsonl",
        ),
        ("pi/write_bash.jsonl", ".pi/agent/sessions/--p--/a.jsonl"),
        ("pi/fork.jsonl", ".pi/agent/sessions/--p--/a.jsonl"),
    ] {
        all.extend(["## ", recording, "\n", &timeline(recording, path), "\n"]);
    }
    assert!(
        !all.contains("UNKNOWN"),
        "every kind of record in the recordings is known:\n{all}"
    );
    insta::assert_snapshot!(all);
}
