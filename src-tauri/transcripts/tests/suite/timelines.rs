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

/// A message with a number, as Claude writes it. All of these lines have the same length.
fn numbered(number: u64) -> String {
    let message = format!(
        r#"{{"type":"assistant","message":{{"content":[{{"type":"text","text":"number {number}"}}]}}}}"#
    );
    format!("{message:<1023}\n")
}

fn text_of(entries: &[TimelineEntry]) -> &str {
    match &entries.first().expect("an entry").kind {
        TimelineKind::Text { markdown } => markdown,
        other => panic!("{other:?}"),
    }
}

#[test]
fn end_of_200_megabytes_is_read_without_the_rest() {
    const SIZE: u64 = 200 * 1024 * 1024;
    let path = ".claude/projects/-p/a.jsonl";
    let home = Home::new();
    home.write(path, numbered(0));
    let row = only(&home.library());
    // The beginning is a hole, which takes no space and has no line.
    let file = std::fs::File::options().write(true).open(home.path(path));
    file.expect("a file").set_len(SIZE).expect("room");
    let lines: String = (0..6_000).map(numbered).collect();
    home.append(path, format!("\n{lines}"));

    let mut reading = TranscriptReader::new(&row);
    assert!(reading.has_end());
    reading.read_end(&row).expect("readable");
    assert!(reading.index().is_none(), "nothing is read from the start");
    let end = reading.end_index().expect("the end was read").len();
    let page = |seq| reading.page_of_end(seq..seq + 1).expect("readable");
    assert_eq!(text_of(&page(end - 1)), "number 5999");
    assert_eq!(text_of(&page(0)), format!("number {}", 6_000 - end));
    assert!((4_000..4_200).contains(&end), "{end} entries");
    let entry = reading.entry_of_end(end - 1).expect("readable");
    assert_eq!(text_of(&[entry.expect("it exists")]), "number 5999");
}

#[test]
fn end_grows_with_the_file_and_follows_its_replacement() {
    let path = ".claude/projects/-p/a.jsonl";
    let home = Home::new();
    home.write(path, numbered(1));
    let row = only(&home.library());
    let mut reading = TranscriptReader::new(&row);
    let mut last = || {
        reading.read_end(&row).expect("readable");
        let end = reading.end_index().expect("the end was read").len();
        let page = reading.page_of_end(end - 1..end).expect("readable");
        (end, text_of(&page).to_owned())
    };
    assert_eq!(last(), (1, "number 1".to_owned()));
    home.append(path, numbered(2) + &numbered(3));
    assert_eq!(last(), (3, "number 3".to_owned()));
    std::fs::remove_file(home.path(path)).expect("it goes");
    home.write(path, numbered(4));
    assert_eq!(last(), (1, "number 4".to_owned()));
}

#[test]
fn histories_that_are_converted_have_no_end_of_their_own() {
    for (recording, path, has_end) in [
        (
            "gemini/write_bash_yolo.jsonl",
            ".gemini/tmp/p/chats/session-a.jsonl",
            false,
        ),
        (
            "codex/write_bash_ws.jsonl",
            ".codex/sessions/2026/11/21/rollout-a.jsonl",
            true,
        ),
        (
            "pi/write_bash.jsonl",
            ".pi/agent/sessions/--p--/a.jsonl",
            true,
        ),
    ] {
        let home = Home::new();
        home.put(recording, path);
        let row = only(&home.library());
        assert_eq!(TranscriptReader::new(&row).has_end(), has_end, "{path}");
    }
}
