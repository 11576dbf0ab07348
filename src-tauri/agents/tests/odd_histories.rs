//! One odd value never drops a line of an agent's own history: every field of every recorded one is replaced by values
//! that do not fit.

mod fixture;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;

use baton_agents::timeline::{ReadAt, TimelineKind};
use baton_agents::{LogFormat, Stream, TimelineIndex};
use fixture::odd::{self, Change};
use fixture::{folder, recordings};
use serde_json::{Value, json};

struct Log(Vec<u8>);

impl ReadAt for Log {
    fn read_at(&mut self, _: Stream, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = &self.0[usize::try_from(offset).map_err(io::Error::other)?..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

/// The kinds of the entries of each line, by its number.
fn entries(format: LogFormat, lines: &[&[u8]]) -> BTreeMap<usize, Vec<String>> {
    let mut log = Log(lines
        .iter()
        .flat_map(|line| [line, &b"\n"[..]].concat())
        .collect());
    let mut index = TimelineIndex::new(format);
    index
        .feed(Stream::Stdout, 0, &log.0)
        .expect("nothing came before");
    index.finish();
    let ends: Vec<u64> = (1..)
        .zip(&log.0)
        .filter(|(_, byte)| **byte == b'\n')
        .map(|(end, _)| end)
        .collect();
    let mut found: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for entry in index
        .page(0..u64::MAX, &mut log)
        .expect("the log is in memory")
    {
        found
            .entry(ends.partition_point(|&end| end < entry.at.offset))
            .or_default()
            .push(kind(&entry.kind));
    }
    found
}

fn kind(kind: &TimelineKind) -> String {
    let value = serde_json::to_value(kind).expect("entries are plain data");
    value["type"].as_str().expect("a word").to_owned()
}

/// opencode's export, as the lines that its database is laid out as.
fn laid_out() -> Vec<Vec<u8>> {
    let file = folder("transcripts/opencode").join("write_bash.export.json");
    let export: Value =
        serde_json::from_slice(&fs::read(file).expect("it is there")).expect("JSON");
    let line = |value: Value| value.to_string().into_bytes();
    let mut lines = vec![line(json!({ "session": export["info"] }))];
    for message in export["messages"].as_array().expect("a list") {
        let parts = message["parts"].as_array().expect("a list").iter();
        lines.extend(parts.map(|part| line(json!({ "message": message["info"], "part": part }))));
    }
    lines
}

fn is_kept(change: &Change, before: &[String], now: &[String]) -> bool {
    let last = change.place.rsplit('/').next().unwrap_or_default();
    match change.odd {
        // What is not there, or is empty, need not be shown.
        b"null" | b"[]" => true,
        _ if before.is_empty() => true,
        // Who speaks and what a line is: without it, the line is shown as it is.
        _ if ["type", "role"].contains(&last) => !now.is_empty(),
        _ => now.len() >= before.len(),
    }
}

fn holds_for(agent: &str, format: LogFormat, least: usize) {
    let recorded = match format {
        LogFormat::OpencodeTranscript => vec![("export".to_owned(), laid_out())],
        _ => recordings(&format!("transcripts/{agent}")),
    };
    let (mut seen, mut tried) = (BTreeSet::new(), 0);
    for (name, lines) in recorded {
        let whole: Vec<&[u8]> = lines.iter().map(Vec::as_slice).collect();
        let before = entries(format, &whole);
        assert!(before.len() > 1, "{agent} {name} says something");
        for change in odd::changes(&lines, &mut seen) {
            let mut lines = whole.clone();
            lines[change.number] = &change.line;
            let now = entries(format, &lines);
            tried += 1;
            let what = || {
                format!(
                    "{agent} {name}, line {}: {}",
                    change.number,
                    String::from_utf8_lossy(&change.line)
                )
            };
            let of = |found: &BTreeMap<usize, Vec<String>>| {
                found.get(&change.number).cloned().unwrap_or_default()
            };
            let (own, own_now) = (of(&before), of(&now));
            assert!(
                is_kept(&change, &own, &own_now),
                "{}: {own:?} became {own_now:?}",
                what()
            );
            assert!(
                !change.is_text_for_text() || own_now.len() >= own.len(),
                "{}",
                what()
            );
            for (number, kinds) in before
                .iter()
                .filter(|(number, _)| **number != change.number)
            {
                let now = now.get(number).cloned().unwrap_or_default();
                assert!(
                    kinds.iter().all(|kind| now.contains(kind)),
                    "{}: line {number} lost {kinds:?}",
                    what()
                );
            }
        }
    }
    assert!(tried > least, "{agent}: {tried} changes were tried");
}

#[test]
fn an_odd_value_never_drops_a_line_of_claudes_history() {
    holds_for("claude", LogFormat::ClaudeTranscript, 500);
}

#[test]
fn an_odd_value_never_drops_a_line_of_codexs_history() {
    holds_for("codex", LogFormat::CodexTranscript, 500);
}

#[test]
fn an_odd_value_never_drops_a_line_of_geminis_history() {
    holds_for("gemini", LogFormat::GeminiTranscript, 100);
}

#[test]
fn an_odd_value_never_drops_a_line_of_opencodes_history() {
    holds_for("opencode", LogFormat::OpencodeTranscript, 100);
}

#[test]
fn an_odd_value_never_drops_a_line_of_pis_history() {
    holds_for("pi", LogFormat::PiTranscript, 100);
}

/// A line with a value that does not fit, and what is shown of it: all else, and the line as it is.
#[test]
fn what_could_not_be_read_of_a_history_is_noted() {
    for (format, line, kinds) in [
        (
            LogFormat::ClaudeTranscript,
            &br#"{"type":"user","timestamp":-7,"isMeta":"x\ud800","message":{"role":"user","content":"Go."}}"#[..],
            ["prompt", "unknown"],
        ),
        (
            LogFormat::CodexTranscript,
            br#"{"timestamp":1e999,"type":"response_item","payload":{"type":"message","role":"user","content":[{"text":"Go."}]}}"#,
            ["prompt", "unknown"],
        ),
        (
            LogFormat::CodexTranscript,
            b"{\"type\":\"response_item\",\"payload\":{\"type\":\"function_call\",\"name\":\"sh\xff\",\"call_id\":-1}}",
            ["toolCall", "unknown"],
        ),
        (
            LogFormat::GeminiTranscript,
            br#"{"type":"gemini","content":"Done \ud800.","timestamp":7,"thoughts":[]}"#,
            ["text", "unknown"],
        ),
        (
            LogFormat::OpencodeTranscript,
            br#"{"message":{"role":"user","time":{"created":123456789012345678901234567890}},"part":{"type":"text","text":"Go.","synthetic":"no"}}"#,
            ["prompt", "unknown"],
        ),
        (
            LogFormat::PiTranscript,
            br#"{"type":"message","timestamp":[],"message":{"role":"assistant","content":[{"type":"text","text":"Done."}],"errorMessage":null,"isError":-1}}"#,
            ["text", "unknown"],
        ),
    ] {
        let found = entries(format, &[line]).remove(&0).unwrap_or_default();
        assert_eq!(found, kinds, "{}", String::from_utf8_lossy(line));
    }
}
