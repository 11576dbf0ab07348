//! Timelines of recorded sessions and of unusual output.

mod fixture;

use std::io;

use baton_agents::timeline::{FULL_LIMIT, PAGE_LIMIT, PermissionState, ReadAt, TimelineKind};
use baton_agents::{LogFormat, Stream, TimelineEntry, TimelineIndex};
use fixture::Recording;
use proptest::prelude::*;

/// A log in memory.
#[derive(Default)]
struct Log {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

impl Log {
    fn of(stdout: impl Into<Vec<u8>>) -> Self {
        Self {
            stdout: stdout.into(),
            stderr: Vec::new(),
        }
    }

    fn recorded(name: &str) -> Self {
        let recording = Recording::load(name);
        Self {
            stdout: recording.bytes(Stream::Stdout),
            stderr: recording.bytes(Stream::Stderr),
        }
    }

    /// An index that was fed each stream in one piece.
    fn index(&self, format: LogFormat) -> TimelineIndex {
        let mut index = TimelineIndex::new(format);
        index.feed(Stream::Stdout, 0, &self.stdout).expect("no gap");
        index.feed(Stream::Stderr, 0, &self.stderr).expect("no gap");
        index.finish();
        index
    }

    fn entries(&mut self, index: &TimelineIndex) -> Vec<TimelineEntry> {
        index
            .page(0..u64::MAX, self)
            .expect("in-memory log is readable")
    }
}

impl ReadAt for Log {
    fn read_at(&mut self, stream: Stream, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = if stream == Stream::Stdout {
            &self.stdout
        } else {
            &self.stderr
        };
        let rest = bytes
            .get(usize::try_from(offset).map_err(io::Error::other)?..)
            .unwrap_or_default();
        // Files may return less than requested.
        let count = rest.len().min(buffer.len()).min(1 << 20);
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

fn texts(format: LogFormat, stdout: &[u8]) -> Vec<String> {
    let mut log = Log::of(stdout);
    let index = log.index(format);
    let kinds = log.entries(&index).into_iter().map(|entry| entry.kind);
    kinds
        .map(|kind| match kind {
            TimelineKind::Output { text, .. } | TimelineKind::Text { markdown: text } => text,
            TimelineKind::Unknown { raw } => raw,
            other => format!("{other:?}"),
        })
        .collect()
}

#[test]
fn timeline_follows_session_order() {
    for name in [
        "live_write_bash",
        "live_denied",
        "live_background",
        "live_interrupt",
        "live_limit",
        "subagent_fg",
        "budget",
        "v2.1.197_live_denied",
    ] {
        let mut log = Log::recorded(name);
        let index = log.index(baton_agents::claude::STREAM_FORMAT);
        insta::assert_json_snapshot!(format!("timeline_{name}"), log.entries(&index));
    }
}

#[test]
fn every_recorded_entry_is_understood() {
    for name in fixture::names() {
        let mut log = Log::recorded(name);
        let index = log.index(baton_agents::claude::STREAM_FORMAT);
        for entry in log.entries(&index) {
            assert!(
                !matches!(entry.kind, TimelineKind::Unknown { .. }),
                "{name}: {entry:?}"
            );
        }
    }
}

/// Prompts, answers, calls and permissions. Other entries may merge with earlier ones.
fn is_of_conversation(entry: &TimelineEntry) -> bool {
    matches!(
        entry.kind,
        TimelineKind::Prompt { .. }
            | TimelineKind::Text { .. }
            | TimelineKind::ToolCall { .. }
            | TimelineKind::Permission { .. }
    )
}

#[test]
fn end_of_a_log_has_the_entries_of_the_whole() {
    let format = baton_agents::claude::STREAM_FORMAT;
    for name in fixture::names() {
        let mut log = Log::recorded(name);
        let whole = log.entries(&log.index(format));
        let starts: Vec<usize> = log
            .stdout
            .iter()
            .enumerate()
            .filter_map(|(at, byte)| (*byte == b'\n').then_some(at + 1))
            .collect();
        for start in starts {
            let skipped = (start as u64, log.stderr.len() as u64);
            let mut index = TimelineIndex::of_end(format, skipped.0, skipped.1);
            index
                .feed(Stream::Stdout, skipped.0, &log.stdout[start..])
                .expect("no gap");
            index.finish();
            let end = log.entries(&index);
            for entry in end.iter().filter(|entry| is_of_conversation(entry)) {
                let is_known = whole
                    .iter()
                    .any(|other| (other.at, &other.kind) == (entry.at, &entry.kind));
                assert!(is_known, "{name} from {start}: {entry:?}");
            }
            let later = whole.iter().filter(|entry| {
                entry.at.stream == Stream::Stdout
                    && entry.at.offset > skipped.0
                    && is_of_conversation(entry)
            });
            assert_eq!(
                end.iter().filter(|entry| is_of_conversation(entry)).count(),
                later.count(),
                "{name} from {start}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn timeline_is_independent_of_chunking(
        name in prop::sample::select(fixture::names()),
        format in prop::sample::select(vec![baton_agents::claude::STREAM_FORMAT, LogFormat::PLAIN]),
        sizes in prop::collection::vec(1_usize..5_000, 1..40),
    ) {
        let mut log = Log::recorded(name);
        let whole = log.index(format);
        let mut pieced = TimelineIndex::new(format);
        let mut sizes = sizes.into_iter().cycle();
        for stream in [Stream::Stdout, Stream::Stderr] {
            let bytes = if stream == Stream::Stdout { &log.stdout } else { &log.stderr };
            let mut offset = 0;
            while offset < bytes.len() {
                let end = bytes.len().min(offset + sizes.next().unwrap_or(1));
                // Each piece overlaps the one before, as after a restart of the reader.
                let again = offset.saturating_sub(7);
                pieced.feed(stream, again as u64, &bytes[again..end]).expect("no gap");
                offset = end;
            }
        }
        pieced.finish();
        prop_assert_eq!(pieced.revision(), whole.revision());
        prop_assert_eq!(log.entries(&pieced), log.entries(&whole));
    }

    #[test]
    fn arbitrary_bytes_make_a_timeline(bytes in prop::collection::vec(any::<u8>(), 0..3_000), cut in 0_usize..3_000) {
        for format in [baton_agents::claude::STREAM_FORMAT, LogFormat::PLAIN] {
            let mut log = Log::of(bytes.clone());
            let whole = log.index(format);
            let cut = cut.min(bytes.len());
            let mut pieced = TimelineIndex::new(format);
            pieced.feed(Stream::Stdout, 0, &bytes[..cut]).expect("no gap");
            pieced.feed(Stream::Stdout, cut as u64, &bytes[cut..]).expect("no gap");
            pieced.finish();
            prop_assert_eq!(log.entries(&pieced), log.entries(&whole));
        }
    }
}

#[test]
fn result_updates_entry_of_its_call() {
    let recording = Recording::load("live_write_bash");
    let mut log = Log::recorded("live_write_bash");
    let mut index = TimelineIndex::new(baton_agents::claude::STREAM_FORMAT);
    let mut changed = Vec::new();
    let mut offset = 0;
    for (_, line) in &recording.lines {
        let (before, known) = (index.revision(), index.len());
        index
            .feed(Stream::Stdout, offset, &[line, &b"\n"[..]].concat())
            .expect("no gap");
        offset += line.len() as u64 + 1;
        changed.extend(
            index
                .touched_since(before)
                .into_iter()
                .filter(|&seq| seq < known),
        );
    }
    let kinds = log.entries(&index);
    let kind = |seq: u64| &kinds[usize::try_from(seq).expect("a small number")].kind;
    let (call, permission) = (changed[0], changed[1]);
    assert!(matches!(
        kind(permission),
        TimelineKind::Permission {
            state: PermissionState::Allowed,
            ..
        }
    ));
    let TimelineKind::ToolCall {
        result: Some(result),
        ended: Some(ended),
        ..
    } = kind(call)
    else {
        panic!("expected a call with its result: {:?}", kind(call));
    };
    assert!(result.ok && !result.denied);
    assert!(
        ended.at_ms
            > kinds[usize::try_from(call).expect("a small number")]
                .at
                .at_ms,
        "it took some time"
    );
    assert_eq!(
        changed.len(),
        6,
        "two permissions, the same for their calls, and two results: {changed:?}"
    );
    assert_eq!(index.touched_since(index.revision()), [0; 0]);
    let all = index.touched_since(0);
    for range in [
        0..index.len(),
        2..5,
        3..3,
        1..u64::MAX,
        index.len()..index.len() + 9,
    ] {
        let within: Vec<u64> = all
            .iter()
            .copied()
            .filter(|seq| range.contains(seq))
            .collect();
        assert_eq!(index.touched_in(range.clone(), 0), within, "{range:?}");
    }
}

#[test]
fn lines_are_grouped_and_long_ones_split() {
    let lines: String = (0..500).map(|n| format!("line {n}\n")).collect();
    let groups = texts(LogFormat::PLAIN, lines.as_bytes());
    assert_eq!(
        groups
            .iter()
            .map(|text| text.lines().count())
            .collect::<Vec<_>>(),
        [200, 200, 100]
    );
    assert_eq!(groups.concat(), lines);

    // Two bytes per character and an odd start: the boundary is inside a character.
    let long = format!("x{}\nshort\n", "é".repeat(100_000));
    let pieces = texts(LogFormat::PLAIN, long.as_bytes());
    assert_eq!(pieces.len(), 4);
    assert_eq!(
        pieces.concat(),
        long,
        "no character is lost or doubled at a boundary"
    );
}

#[test]
fn output_of_any_kind_is_readable() {
    for (bytes, text) in [
        (&b"no newline at the end"[..], "no newline at the end"),
        (b"\x1b[1;32mok\x1b[0m\r\n", "ok\n"),
        (b"a\0b \xc3\x28 \xff\n", "ab \u{fffd}( \u{fffd}\n"),
        (b"  1%\r 50%\r100%\nnext", "100%\nnext"),
    ] {
        assert_eq!(texts(LogFormat::PLAIN, bytes), [text], "{bytes:?}");
    }
    assert_eq!(texts(LogFormat::PLAIN, b""), [""; 0]);
}

#[test]
fn unfinished_line_waits_for_newline() {
    let line = br#"{"type":"assistant","message":{"content":[{"type":"text","text":"Hello"}]}}"#;
    let mut log = Log::of(line.to_vec());
    let mut index = TimelineIndex::new(baton_agents::claude::STREAM_FORMAT);
    index.feed(Stream::Stdout, 0, line).expect("no gap");
    assert!(index.is_empty(), "the rest of the line may still come");
    index.finish();
    assert_eq!(
        log.entries(&index)[0].kind,
        TimelineKind::Text {
            markdown: "Hello".to_owned()
        }
    );

    assert_eq!(
        texts(baton_agents::claude::STREAM_FORMAT, &line[..40]),
        [r#"{"type":"assistant","message":{"content""#]
    );
}

#[test]
fn gap_is_rejected() {
    let mut index = TimelineIndex::new(LogFormat::PLAIN);
    index
        .feed(Stream::Stdout, 0, b"abc")
        .expect("the beginning");
    let gap = index.feed(Stream::Stdout, 5, b"def").expect_err("gap");
    assert_eq!((gap.expected, gap.found), (3, 5));
    index
        .feed(Stream::Stderr, 0, b"another stream")
        .expect("streams are independent");
}

#[test]
fn long_texts_are_truncated_on_pages_only() {
    let text = "é".repeat(1_000_000);
    let line = format!(
        r#"{{"type":"assistant","message":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#
    );
    let mut log = Log::of(line);
    let index = log.index(baton_agents::claude::STREAM_FORMAT);
    let page = log.entries(&index);
    let TimelineKind::Text { markdown } = &page[0].kind else {
        panic!("expected a text: {:?}", page[0].at)
    };
    assert_eq!(
        (markdown.len(), page[0].left_out_bytes),
        (PAGE_LIMIT, 2_000_000 - PAGE_LIMIT as u64)
    );
    let full = index
        .entry_full(0, &mut log)
        .expect("in-memory log is readable")
        .expect("entry exists");
    assert_eq!(
        (full.left_out_bytes, full.kind),
        (0, TimelineKind::Text { markdown: text })
    );
    assert_eq!(
        index
            .entry_full(1, &mut log)
            .expect("in-memory log is readable"),
        None
    );
}

#[test]
fn accepts_lines_of_any_length() {
    let of_length = |length: usize| {
        let text = "x".repeat(length);
        format!(
            r#"{{"type":"assistant","message":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#
        )
    };
    let mut log = Log::of([of_length(20 << 20), of_length(40 << 20), of_length(5)].join("\n"));
    let index = log.index(baton_agents::claude::STREAM_FORMAT);
    let entries = log.entries(&index);
    assert!(
        matches!(&entries[0].kind, TimelineKind::Text { markdown } if markdown.len() == PAGE_LIMIT)
    );
    assert!(
        matches!(&entries[1].kind, TimelineKind::Unknown { raw } if raw.len() == PAGE_LIMIT),
        "too long to be read"
    );
    assert!(matches!(&entries[2].kind, TimelineKind::Text { markdown } if markdown == "xxxxx"));
    let full = index
        .entry_full(0, &mut log)
        .expect("in-memory log is readable")
        .expect("entry exists");
    assert_eq!(full.left_out_bytes, (20 << 20) - FULL_LIMIT as u64);
}

#[test]
fn millions_of_short_lines_make_few_entries() {
    let log = Log::of(b"y\n".repeat(10_000_000));
    let index = log.index(LogFormat::PLAIN);
    // 10,000 entries of 200 lines, and 2,000 lines per entry after that.
    assert_eq!(index.len(), 10_000 + 8_000_000 / 2_000);
}

#[test]
fn shrunken_log_is_an_error() {
    let mut log = Log::of(b"some output\n");
    let index = log.index(LogFormat::PLAIN);
    log.stdout.truncate(3);
    assert_eq!(
        index
            .page(0..1, &mut log)
            .expect_err("truncated log")
            .kind(),
        io::ErrorKind::UnexpectedEof
    );
}
