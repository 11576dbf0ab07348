//! Events, verdicts, usage and timelines of recorded `codex` and `pi` sessions.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::PathBuf;

use baton_agents::codex::{Codex, ExecSession};
use baton_agents::pi::Pi;
use baton_agents::timeline::ReadAt;
use baton_agents::{
    Adapter, Driver, LogFormat, ProcessEnd, SessionEvent, Stream, Task, TimelineIndex, ToolScope,
    Usage,
};
use proptest::prelude::*;
use uuid::Uuid;

/// The recordings of `codex` and how their processes ended.
const CODEX: &[(&str, ProcessEnd)] = &[
    ("api_credit", ProcessEnd::Exited(1)),
    ("api_down", ProcessEnd::Signaled(9)),
    ("api_err400", ProcessEnd::Exited(1)),
    ("api_err401", ProcessEnd::Exited(1)),
    ("api_err429", ProcessEnd::Exited(1)),
    ("api_err500", ProcessEnd::Exited(1)),
    ("api_err529", ProcessEnd::Exited(1)),
    ("app_server_approval", ProcessEnd::Exited(0)),
    ("app_server_interrupt", ProcessEnd::Exited(0)),
    ("badtool", ProcessEnd::Exited(0)),
    ("bash_fail", ProcessEnd::Exited(0)),
    ("bigout", ProcessEnd::Exited(0)),
    ("envmark", ProcessEnd::Exited(0)),
    ("fork", ProcessEnd::Exited(0)),
    ("model_gpt-5.1-codex", ProcessEnd::Exited(0)),
    ("model_gpt-5.5", ProcessEnd::Exited(0)),
    ("model_gpt-5", ProcessEnd::Exited(0)),
    ("node20_sig_INT", ProcessEnd::Exited(1)),
    ("node20_sig_KILL", ProcessEnd::Signaled(9)),
    ("node20_sig_TERM", ProcessEnd::Signaled(15)),
    ("not_git", ProcessEnd::Exited(1)),
    ("output_schema", ProcessEnd::Exited(0)),
    ("parallel", ProcessEnd::Exited(0)),
    ("resume_1", ProcessEnd::Exited(0)),
    ("resume_2", ProcessEnd::Exited(0)),
    ("resume_last", ProcessEnd::Exited(0)),
    ("resume_unknown", ProcessEnd::Exited(1)),
    ("sig_KILL_during_bash", ProcessEnd::Signaled(9)),
    ("sig_TERM_during_bash", ProcessEnd::Signaled(15)),
    ("sig_TERM_sandboxed", ProcessEnd::Signaled(15)),
    ("stdin_big", ProcessEnd::Exited(0)),
    ("stdin_prompt", ProcessEnd::Exited(0)),
    ("text", ProcessEnd::Exited(0)),
    ("thinking", ProcessEnd::Exited(0)),
    ("write_bash_default", ProcessEnd::Exited(0)),
    ("write_bash_ws", ProcessEnd::Exited(0)),
];

/// The recordings of `pi` and how their processes ended.
const PI: &[(&str, ProcessEnd)] = &[
    ("api_cut", ProcessEnd::Exited(0)),
    ("api_err400", ProcessEnd::Exited(0)),
    ("api_err401", ProcessEnd::Exited(0)),
    ("api_err429", ProcessEnd::Exited(0)),
    ("api_err529_once", ProcessEnd::Exited(0)),
    ("envmark", ProcessEnd::Exited(0)),
    ("fork", ProcessEnd::Exited(0)),
    ("no_key", ProcessEnd::Exited(0)),
    ("resume_1", ProcessEnd::Exited(0)),
    ("resume_2", ProcessEnd::Exited(0)),
    ("resume_unknown", ProcessEnd::Exited(1)),
    ("rpc", ProcessEnd::Exited(0)),
    ("sig_HUP_during_bash", ProcessEnd::Exited(129)),
    ("sig_INT_during_bash", ProcessEnd::Signaled(2)),
    ("sig_TERM_during_bash", ProcessEnd::Exited(143)),
    ("stdin", ProcessEnd::Exited(0)),
    ("text", ProcessEnd::Exited(0)),
    ("tools_ro", ProcessEnd::Exited(0)),
    ("write_bash", ProcessEnd::Exited(0)),
];
/// A recording with its driver and format.
struct Recording {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    driver: Box<dyn Driver>,
    format: LogFormat,
}

fn task() -> Task {
    Task {
        session: Uuid::from_u128(7),
        cwd: "/home/dev/project".to_owned(),
        prompt: "Do the work.".to_owned(),
        resume: None,
        tool_server: None,
        model: None,
        scope: ToolScope::default(),
        handoff_prompt: String::new(),
    }
}

fn folder(agent: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures/sessions")
        .join(agent)
}

fn load(agent: &str, name: &str) -> Recording {
    let stdout = fs::read(folder(agent).join(format!("{name}.jsonl"))).expect("recording exists");
    let stderr = fs::read(folder(agent).join(format!("{name}.stderr"))).unwrap_or_default();
    // Lines that the recorder wrote to the session are marked.
    let lines = stdout
        .split_inclusive(|&byte| byte == b'\n')
        .filter(|line| !line.starts_with(b"%%STDIN"));
    let (driver, format): (Box<dyn Driver>, _) = match agent {
        "pi" => (
            Pi::default().driver(&task()),
            baton_agents::pi::EVENTS_FORMAT,
        ),
        _ if name.starts_with("app_server") => (
            Codex::default().driver(&task()),
            baton_agents::codex::APP_SERVER_FORMAT,
        ),
        _ => (
            Box::new(ExecSession::new(name.starts_with("resume_"))),
            baton_agents::codex::EXEC_FORMAT,
        ),
    };
    Recording {
        stdout: lines.flatten().copied().collect(),
        stderr,
        driver,
        format,
    }
}

impl Recording {
    fn lines(&self) -> Vec<(Stream, Vec<u8>)> {
        let of = |stream, bytes: &[u8]| {
            let lines = bytes
                .split(|&byte| byte == b'\n')
                .filter(|line| !line.is_empty());
            lines
                .map(|line| (stream, line.to_vec()))
                .collect::<Vec<_>>()
        };
        [
            of(Stream::Stdout, &self.stdout),
            of(Stream::Stderr, &self.stderr),
        ]
        .concat()
    }
}

struct Log<'a>(&'a [u8]);

impl ReadAt for Log<'_> {
    fn read_at(&mut self, _: Stream, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let from = usize::try_from(offset)
            .map_err(io::Error::other)?
            .min(self.0.len());
        let count = buffer.len().min(self.0.len() - from);
        buffer[..count].copy_from_slice(&self.0[from..from + count]);
        Ok(count)
    }
}

/// The kinds of a timeline's entries, in order; calls with their results.
fn timeline(format: LogFormat, log: &[u8]) -> Vec<String> {
    let mut index = TimelineIndex::new(format);
    index.feed(Stream::Stdout, 0, log).expect("no gap");
    index.finish();
    let entries = index
        .page(0..index.len(), &mut Log(log))
        .expect("log is readable");
    let word = |entry: baton_agents::TimelineEntry| {
        let value = serde_json::to_value(&entry.kind).expect("serializable");
        let kind = value["type"].as_str().unwrap_or_default().to_owned();
        match kind.as_str() {
            "toolCall" => {
                let went = match (&value["result"]["ok"], &value["result"]["denied"]) {
                    (_, serde_json::Value::Bool(true)) => "denied",
                    (serde_json::Value::Bool(true), _) => "ok",
                    (serde_json::Value::Bool(false), _) => "failed",
                    _ => "open",
                };
                let diff = if value["result"]["diff"].is_null() {
                    ""
                } else {
                    " with diff"
                };
                format!(
                    "{} {went}{diff}",
                    value["name"].as_str().unwrap_or_default()
                )
            }
            "permission" => format!("permission {}", value["state"].as_str().unwrap_or_default()),
            _ => kind,
        }
    };
    entries.into_iter().map(word).collect()
}

fn bill(usage: Usage) -> String {
    let count = |count: Option<u64>| count.map_or("?".to_owned(), |count| count.to_string());
    let usd = usage.usd.map_or("?".to_owned(), |usd| format!("{usd:.6}"));
    format!(
        "in {} out {} cached {} usd {usd}",
        count(usage.input_tokens),
        count(usage.output_tokens),
        count(usage.cache_read_tokens)
    )
}

/// A summary of each recording.
fn summarize(agent: &str, ends: &[(&str, ProcessEnd)]) -> String {
    let mut actual = Vec::new();
    for (name, end) in ends {
        let mut recording = load(agent, name);
        let mut inputs = Vec::new();
        for (stream, line) in recording.lines() {
            recording.driver.handle_line(stream, &line);
            inputs.extend(
                recording
                    .driver
                    .take_inputs()
                    .into_iter()
                    .map(|input| input.key),
            );
        }
        let driver = &recording.driver;
        actual.push(format!(
            "{name}\n  timeline: {}",
            timeline(recording.format, &recording.stdout).join(", ")
        ));
        actual.push(format!(
            "  said: {}\n  used: {}",
            inputs.join(", "),
            bill(driver.usage())
        ));
        actual.push(format!(
            "  session: {:?}\n  verdict: {:?}",
            driver.native_session(),
            driver.verdict(end)
        ));
    }
    actual.join("\n")
}

#[test]
fn codex_recordings_match_snapshots() {
    insta::assert_snapshot!("codex", summarize("codex", CODEX));
}

#[test]
fn pi_recordings_match_snapshots() {
    insta::assert_snapshot!("pi", summarize("pi", PI));
}

#[test]
fn every_recording_is_listed_and_known() {
    for (agent, ends) in [("codex", CODEX), ("pi", PI)] {
        let files = fs::read_dir(folder(agent))
            .expect("folder exists")
            .flatten();
        let names = files.filter_map(|file| {
            Some(
                file.file_name()
                    .to_str()?
                    .strip_suffix(".jsonl")?
                    .to_owned(),
            )
        });
        let mut names: Vec<String> = names.collect();
        names.sort_unstable();
        let mut listed: Vec<&str> = ends.iter().map(|(name, _)| *name).collect();
        listed.sort_unstable();
        assert_eq!(names, listed);
        for name in listed {
            let mut recording = load(agent, name);
            let lines = recording.lines();
            let events = lines
                .iter()
                .flat_map(|(stream, line)| recording.driver.handle_line(*stream, line));
            let unknown: Vec<_> = events
                .filter(|event| matches!(event, SessionEvent::Unknown { .. }))
                .collect();
            assert_eq!(unknown, [], "{agent} {name}");
        }
    }
}

#[test]
fn unknown_messages_and_banners_are_kept_raw() {
    for (agent, name, unknown) in [
        ("pi", "text", r#"{"type":"hologram","x":1}"#),
        (
            "codex",
            "app_server_approval",
            r#"{"method":"hologram/shown","params":{"x":1}}"#,
        ),
        (
            "codex",
            "app_server_approval",
            r#"{"method":"item/completed","params":{"item":{"type":"hologram","id":"1"}}}"#,
        ),
        ("codex", "text", r#"{"type":"hologram.shown"}"#),
        ("codex", "text", r#"{"no":"type"}"#),
    ] {
        let mut recording = load(agent, name);
        let banner = recording
            .driver
            .handle_line(Stream::Stdout, b"Welcome to the agent 3000");
        assert!(
            matches!(&banner[..], [SessionEvent::Output { .. }]),
            "{banner:?}"
        );
        let events = recording
            .driver
            .handle_line(Stream::Stdout, unknown.as_bytes());
        assert_eq!(
            events,
            [SessionEvent::Unknown {
                raw: unknown.to_owned()
            }],
            "{agent}"
        );
        assert_eq!(
            recording.driver.handle_line(Stream::Stdout, b""),
            [],
            "{agent}"
        );
        assert_eq!(
            recording.driver.take_inputs(),
            [],
            "none of this needs an answer"
        );
        let log = [b"Welcome\n", unknown.as_bytes(), b"\n"].concat();
        assert_eq!(
            timeline(recording.format, &log),
            ["output", "unknown"],
            "{agent}"
        );
    }
}

#[test]
fn replay_after_crash_gives_same_inputs() {
    // A driver that reads the whole log again writes the same under the same keys, so that
    // nothing is written twice.
    for (agent, name) in [("codex", "app_server_approval"), ("pi", "rpc")] {
        let inputs = || {
            let mut recording = load(agent, name);
            let lines = recording.lines();
            let mut inputs = Vec::new();
            for (stream, line) in lines {
                recording.driver.handle_line(stream, &line);
                inputs.extend(recording.driver.take_inputs());
            }
            inputs
        };
        assert_eq!(inputs(), inputs(), "{agent}");
        let mut keys: BTreeMap<String, u32> = BTreeMap::new();
        inputs()
            .into_iter()
            .for_each(|input| *keys.entry(input.key).or_default() += 1);
        assert!(keys.values().all(|&count| count == 1), "{agent}: {keys:?}");
    }
}

/// Recordings with many kinds of messages, for the property tests.
const VARIED: &[(&str, &str)] = &[
    ("codex", "app_server_approval"),
    ("codex", "model_gpt-5.5"),
    ("codex", "api_err529"),
    ("pi", "rpc"),
    ("pi", "api_cut"),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_never_break_readers(
        which in 0..VARIED.len(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..40),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
        tail in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let (agent, name) = VARIED[which];
        let mut recording = load(agent, name);
        let mut log = [recording.stdout.clone(), tail].concat();
        for (place, byte) in damage {
            let place = place.index(log.len());
            log[place] = byte;
        }
        for line in log.split(|&byte| byte == b'\n') {
            recording.driver.handle_line(Stream::Stdout, line);
            recording.driver.take_inputs();
        }
        let _ = recording.driver.verdict(&ProcessEnd::Exited(0));
        let _ = recording.driver.activity();

        // The entries do not depend on how the log is split.
        let whole = timeline(recording.format, &log);
        let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(log.len() + 1)).chain([0, log.len()]).collect();
        places.sort_unstable();
        let mut index = TimelineIndex::new(recording.format);
        for pair in places.windows(2) {
            index.feed(Stream::Stdout, pair[0] as u64, &log[pair[0]..pair[1]]).expect("no gap");
        }
        index.finish();
        let entries = index.page(0..index.len(), &mut Log(&log)).expect("log is readable");
        prop_assert_eq!(entries.len(), whole.len());
        prop_assert!(entries.windows(2).all(|pair| pair[0].at.offset <= pair[1].at.offset));
    }
}
