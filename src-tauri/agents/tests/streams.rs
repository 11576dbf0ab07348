//! Events and verdicts of gemini's, opencode's and qwen's own streams, from recordings in
//! `tests/fixtures/sessions`.

use std::fs;
use std::io;
use std::path::PathBuf;

use baton_agents::custom::{CustomAgent, Protocol};
use baton_agents::timeline::{ReadAt, TimelineKind};
use baton_agents::{Adapter, Driver, ProcessEnd, Stream, Task, TimelineIndex, ToolScope};
use proptest::prelude::*;
use uuid::Uuid;

/// Names of recordings and how their processes ended.
type Recordings = &'static [(&'static str, ProcessEnd)];

const GEMINI: Recordings = &[
    ("text", ProcessEnd::Exited(0)),
    ("write_bash_yolo", ProcessEnd::Exited(0)),
    ("perm_denied_default", ProcessEnd::Exited(0)),
    ("mode_auto_edit", ProcessEnd::Exited(0)),
    ("envmark", ProcessEnd::Exited(0)),
    ("api_err400", ProcessEnd::Exited(144)),
    // It retries forever, so it was killed.
    ("api_err500", ProcessEnd::Signaled(9)),
    ("api_down", ProcessEnd::Signaled(9)),
    ("no_key", ProcessEnd::Exited(41)),
    ("untrusted", ProcessEnd::Exited(55)),
    ("resume", ProcessEnd::Exited(0)),
    ("resume_unknown", ProcessEnd::Exited(42)),
    ("sig_INT_during_bash", ProcessEnd::Signaled(9)),
    // It was terminated, and still reports success.
    ("sig_TERM_norelaunch", ProcessEnd::Exited(0)),
    ("stdin_big", ProcessEnd::Exited(0)),
];

const OPENCODE: Recordings = &[
    ("text", ProcessEnd::Exited(0)),
    ("write_bash", ProcessEnd::Exited(0)),
    ("perm_ask_auto", ProcessEnd::Exited(0)),
    // A tool was denied: it stops there and reports success.
    ("perm_ask_deny", ProcessEnd::Exited(0)),
    ("envmark", ProcessEnd::Exited(0)),
    ("api_err400", ProcessEnd::Signaled(9)),
    ("api_cut", ProcessEnd::Signaled(9)),
    ("resume_1", ProcessEnd::Exited(0)),
    ("resume_fork", ProcessEnd::Exited(0)),
    ("resume_unknown", ProcessEnd::Exited(1)),
    ("sig_INT_during_bash", ProcessEnd::Signaled(2)),
    ("sig_TERM_during_bash", ProcessEnd::Signaled(15)),
];

const QWEN: Recordings = &[
    ("write_bash", ProcessEnd::Exited(0)),
    ("api_err401", ProcessEnd::Exited(1)),
    // The signal reached only the launcher. The agent continued unobserved.
    ("sig_TERM", ProcessEnd::Signaled(15)),
];

/// The streams and the agents that print them.
const STREAMS: &[(&str, Protocol, Recordings)] = &[
    ("gemini", Protocol::GeminiStream, GEMINI),
    ("opencode", Protocol::OpencodeStream, OPENCODE),
    ("qwen", Protocol::ClaudeStream, QWEN),
];

fn recorded(agent: &str, name: &str, kind: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures/sessions")
        .join(agent);
    fs::read(folder.join(format!("{name}.{kind}"))).unwrap_or_default()
}

fn adapter(protocol: Protocol) -> CustomAgent {
    CustomAgent {
        name: "own".to_owned(),
        argv: vec!["own".to_owned()],
        protocol,
    }
}

fn driver(protocol: Protocol) -> Box<dyn Driver> {
    adapter(protocol).driver(&Task {
        session: Uuid::nil(),
        cwd: "/home/dev/project".to_owned(),
        prompt: "Do the work.".to_owned(),
        resume: None,
        tool_server: None,
        model: None,
        scope: ToolScope::default(),
        handoff_prompt: "Write the handoff.".to_owned(),
    })
}

/// A log in memory, without standard error.
struct Log(Vec<u8>);

impl ReadAt for Log {
    fn read_at(&mut self, _: Stream, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = self
            .0
            .get(usize::try_from(offset).map_err(io::Error::other)?..)
            .unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

fn cut(text: &str) -> String {
    let line = text.replace('\n', "\\n");
    if line.chars().count() <= 90 {
        line
    } else {
        line.chars().take(90).chain(['…']).collect()
    }
}

fn timeline(protocol: Protocol, stdout: Vec<u8>) -> Vec<TimelineKind> {
    let mut index = TimelineIndex::new(adapter(protocol).log_format());
    index.feed(Stream::Stdout, 0, &stdout).expect("no gap");
    index.finish();
    let entries = index
        .page(0..u64::MAX, &mut Log(stdout))
        .expect("in-memory log is readable");
    entries.into_iter().map(|entry| entry.kind).collect()
}

fn entry_line(kind: &TimelineKind) -> String {
    cut(&match kind {
        TimelineKind::ToolCall {
            name,
            summary,
            result,
            ..
        } => {
            let result = result.as_ref().map_or("no end".to_owned(), |result| {
                let how = if result.denied {
                    "denied"
                } else if result.ok {
                    "ok"
                } else {
                    "failed"
                };
                format!("{how} {:?}", result.text)
            });
            return format!("call {name} ({}): {}", cut(summary), cut(&result));
        }
        TimelineKind::Prompt { text } => format!("prompt {text}"),
        TimelineKind::Text { markdown } => format!("text {markdown}"),
        TimelineKind::Note { text } => format!("note {text}"),
        TimelineKind::Error { text } => format!("error {text}"),
        TimelineKind::Usage { usage } => {
            return format!(
                "usage {}",
                serde_json::to_string(usage).expect("serializable")
            );
        }
        other => format!("{other:?}"),
    })
}

/// Verdict, usage and timeline of a recording. Repeated lines are counted.
fn summarize(agent: &str, protocol: Protocol, name: &str, end: &ProcessEnd) -> String {
    let (stdout, stderr) = (
        recorded(agent, name, "jsonl"),
        recorded(agent, name, "stderr"),
    );
    let mut driver = driver(protocol);
    for (stream, bytes) in [(Stream::Stdout, &stdout), (Stream::Stderr, &stderr)] {
        for line in bytes
            .split(|&byte| byte == b'\n')
            .filter(|line| !line.is_empty())
        {
            driver.handle_line(stream, line);
            assert!(driver.take_inputs().is_empty(), "there is no input");
        }
    }
    let mut actual = vec![
        format!("{name}: {}", cut(&format!("{:?}", driver.verdict(end)))),
        format!("  session {}", driver.native_session().unwrap_or("-")),
        format!(
            "  {}",
            serde_json::to_string(&driver.usage()).expect("serializable")
        ),
    ];
    let lines: Vec<String> = timeline(protocol, stdout).iter().map(entry_line).collect();
    actual.extend(lines.iter().take(12).map(|line| format!("  {line}")));
    actual.extend((lines.len() > 12).then(|| format!("  and {} more", lines.len() - 12)));
    actual.join("\n")
}

#[test]
fn gemini_recordings_match_snapshots() {
    let actual: Vec<String> = GEMINI
        .iter()
        .map(|(name, end)| summarize("gemini", Protocol::GeminiStream, name, end))
        .collect();
    insta::assert_snapshot!("streams_gemini", actual.join("\n\n"));
}

#[test]
fn opencode_recordings_match_snapshots() {
    let actual: Vec<String> = OPENCODE
        .iter()
        .map(|(name, end)| summarize("opencode", Protocol::OpencodeStream, name, end))
        .collect();
    insta::assert_snapshot!("streams_opencode", actual.join("\n\n"));
}

#[test]
fn qwen_recordings_match_snapshots() {
    let actual: Vec<String> = QWEN
        .iter()
        .map(|(name, end)| summarize("qwen", Protocol::ClaudeStream, name, end))
        .collect();
    insta::assert_snapshot!("streams_qwen", actual.join("\n\n"));
}

#[test]
fn every_recorded_line_is_understood() {
    for (agent, protocol, recordings) in STREAMS {
        for (name, _) in *recordings {
            for kind in timeline(*protocol, recorded(agent, name, "jsonl")) {
                assert!(
                    !matches!(
                        kind,
                        TimelineKind::Unknown { .. } | TimelineKind::Output { .. }
                    ),
                    "{name}: {kind:?}"
                );
            }
        }
    }
}

#[test]
fn non_event_output_is_shown_raw() {
    let log = b"a banner\n{\"type\":\"later\",\"n\":1}\n[1]\n";
    for (_, protocol, _) in STREAMS {
        let actual: Vec<String> = timeline(*protocol, log.to_vec())
            .iter()
            .map(entry_line)
            .collect();
        assert!(
            actual[0].starts_with("Output") && actual[1].starts_with("Unknown"),
            "{actual:?}"
        );
    }
}

#[test]
fn handoff_is_last_message_from_marker() {
    let mut driver = driver(Protocol::GeminiStream);
    for text in ["Done. **What was", " done:** all of it", "\\n\\nIndeed."] {
        let line =
            format!(r#"{{"type":"message","role":"assistant","content":"{text}","delta":true}}"#);
        driver.handle_line(Stream::Stdout, line.as_bytes());
    }
    assert_eq!(
        driver.handoff(),
        Some("**What was done:** all of it\n\nIndeed.")
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn arbitrary_bytes_never_panic(
        which in prop::sample::select(STREAMS),
        place in any::<prop::sample::Index>(),
        noise in prop::collection::vec((any::<usize>(), any::<u8>()), 0..30),
    ) {
        let (agent, protocol, recordings) = which;
        let mut log = recorded(agent, place.get(recordings).0, "jsonl");
        for (place, byte) in noise.into_iter().filter(|_| !log.is_empty()).collect::<Vec<_>>() {
            let place = place % log.len();
            log[place] = byte;
        }
        let mut driver = driver(protocol);
        for line in log.split(|&byte| byte == b'\n') {
            driver.handle_line(Stream::Stdout, line);
        }
        driver.verdict(&ProcessEnd::Exited(0));
        timeline(protocol, log);
    }
}
