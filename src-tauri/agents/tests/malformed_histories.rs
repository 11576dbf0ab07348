//! One malformed value never drops a line of an agent's own history: every field of every
//! recorded one is replaced by malformed values.

mod fixture;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;

use baton_agents::timeline::{ReadAt, TimelineKind};
use baton_agents::{LogFormat, Stream, TimelineIndex};
use fixture::malformed::{self, Mutation};
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

/// The kinds of the entries of each line, by line number.
fn entries(format: LogFormat, lines: &[&[u8]]) -> BTreeMap<usize, Vec<String>> {
    let mut log = Log(lines
        .iter()
        .flat_map(|line| [line, &b"\n"[..]].concat())
        .collect());
    let mut index = TimelineIndex::new(format);
    index.feed(Stream::Stdout, 0, &log.0).expect("no gap");
    index.finish();
    let ends: Vec<u64> = (1..)
        .zip(&log.0)
        .filter(|(_, byte)| **byte == b'\n')
        .map(|(end, _)| end)
        .collect();
    let mut found: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for entry in index
        .page(0..u64::MAX, &mut log)
        .expect("in-memory log is readable")
    {
        found
            .entry(ends.partition_point(|&end| end < entry.at.offset))
            .or_default()
            .push(kind(&entry.kind));
    }
    found
}

fn kind(kind: &TimelineKind) -> String {
    let value = serde_json::to_value(kind).expect("serializable");
    value["type"].as_str().expect("valid slug").to_owned()
}

/// opencode's export, converted to lines like its database.
fn laid_out() -> Vec<Vec<u8>> {
    let file = folder("transcripts/opencode").join("write_bash.export.json");
    let export: Value = serde_json::from_slice(&fs::read(file).expect("exists")).expect("JSON");
    let line = |value: Value| value.to_string().into_bytes();
    let mut lines = vec![line(json!({ "session": export["info"] }))];
    for message in export["messages"].as_array().expect("list") {
        let parts = message["parts"].as_array().expect("list").iter();
        lines.extend(parts.map(|part| line(json!({ "message": message["info"], "part": part }))));
    }
    lines
}

fn is_kept(change: &Mutation, before: &[String], now: &[String]) -> bool {
    let last = change.place.rsplit('/').next().unwrap_or_default();
    match change.malformed {
        // Missing or empty values need not be shown.
        b"null" | b"[]" => true,
        _ if before.is_empty() => true,
        // The speaker and kind of a line. Without them, the line is shown as it is.
        _ if ["type", "role"].contains(&last) => !now.is_empty(),
        _ => now.len() >= before.len(),
    }
}

fn holds_for(agent: &str, format: LogFormat, least: usize) {
    let recorded = if agent == "opencode" {
        vec![("export".to_owned(), laid_out())]
    } else {
        recordings(&format!("transcripts/{agent}"))
    };
    let (mut seen, mut tried) = (BTreeSet::new(), 0);
    for (name, lines) in recorded {
        let whole: Vec<&[u8]> = lines.iter().map(Vec::as_slice).collect();
        let before = entries(format, &whole);
        assert!(before.len() > 1, "{agent} {name} has entries");
        for change in malformed::mutations(&lines, &mut seen) {
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
fn malformed_value_never_drops_claude_history_line() {
    holds_for("claude", baton_agents::claude::HISTORY.format, 500);
}

#[test]
fn malformed_value_never_drops_codex_history_line() {
    holds_for("codex", baton_agents::codex::HISTORY.format, 500);
}

#[test]
fn malformed_value_never_drops_gemini_history_line() {
    holds_for("gemini", baton_agents::gemini::HISTORY.format, 100);
}

#[test]
fn malformed_value_never_drops_opencode_history_line() {
    holds_for("opencode", baton_agents::opencode::HISTORY.format, 100);
}

#[test]
fn malformed_value_never_drops_pi_history_line() {
    holds_for("pi", baton_agents::pi::HISTORY.format, 100);
}

/// A line with a malformed value shows everything else, and the line as it is.
#[test]
fn unreadable_history_lines_are_reported() {
    for (format, line, kinds) in [
        (
            baton_agents::claude::HISTORY.format,
            &br#"{"type":"user","timestamp":-7,"isMeta":"x\ud800","message":{"role":"user","content":"Go."}}"#[..],
            ["prompt", "unknown"],
        ),
        (
            baton_agents::codex::HISTORY.format,
            br#"{"timestamp":1e999,"type":"response_item","payload":{"type":"message","role":"user","content":[{"text":"Go."}]}}"#,
            ["prompt", "unknown"],
        ),
        (
            baton_agents::codex::HISTORY.format,
            b"{\"type\":\"response_item\",\"payload\":{\"type\":\"function_call\",\"name\":\"sh\xff\",\"call_id\":-1}}",
            ["toolCall", "unknown"],
        ),
        (
            baton_agents::gemini::HISTORY.format,
            br#"{"type":"gemini","content":"Done \ud800.","timestamp":7,"thoughts":[]}"#,
            ["text", "unknown"],
        ),
        (
            baton_agents::opencode::HISTORY.format,
            br#"{"message":{"role":"user","time":{"created":123456789012345678901234567890}},"part":{"type":"text","text":"Go.","synthetic":"no"}}"#,
            ["prompt", "unknown"],
        ),
        (
            baton_agents::pi::HISTORY.format,
            br#"{"type":"message","timestamp":[],"message":{"role":"assistant","content":[{"type":"text","text":"Done."}],"errorMessage":null,"isError":-1}}"#,
            ["text", "unknown"],
        ),
    ] {
        let found = entries(format, &[line]).remove(&0).unwrap_or_default();
        assert_eq!(found, kinds, "{}", String::from_utf8_lossy(line));
    }
}
