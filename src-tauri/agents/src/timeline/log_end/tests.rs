use crate::timeline::TimelineKind;

use super::*;

/// A log of numbered messages of any size, made while it is read. Counts the bytes that are read.
struct NumberedLog {
    lines: u64,
    read: u64,
}

/// The length of each line.
const LINE: u64 = 1024;

impl NumberedLog {
    fn line(number: u64) -> Vec<u8> {
        let text = format!(
            "{{\"type\":\"assistant\",\"message\":{{\"content\":[{{\"type\":\"text\",\"text\":\"number {number}\"}}]}}}}"
        );
        let padded = format!("{text:<width$}\n", width = LINE as usize - 1);
        padded.into_bytes()
    }

    fn lengths(&self) -> LogLengths {
        LogLengths {
            stdout: self.lines * LINE,
            stderr: 0,
        }
    }

    fn end(&mut self) -> TimelineIndex {
        let lengths = self.lengths();
        let format = crate::claude::STREAM_FORMAT;
        let mut index = open_end(format, self, lengths).expect("a log in memory");
        read_end(&mut index, self, lengths).expect("a log in memory");
        index
    }
}

impl ReadAt for NumberedLog {
    fn read_at(&mut self, stream: Stream, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        assert_eq!(stream, Stream::Stdout);
        let mut filled = 0;
        while filled < buffer.len() && offset + (filled as u64) < self.lines * LINE {
            let at = offset + filled as u64;
            let line = Self::line(at / LINE);
            let rest = &line[(at % LINE) as usize..];
            let count = rest.len().min(buffer.len() - filled);
            buffer[filled..filled + count].copy_from_slice(&rest[..count]);
            filled += count;
        }
        self.read += filled as u64;
        Ok(filled)
    }
}

fn text_of(index: &TimelineIndex, seq: u64, log: &mut dyn ReadAt) -> String {
    match index
        .page(seq..seq + 1, log)
        .expect("a log in memory")
        .remove(0)
        .kind
    {
        TimelineKind::Text { markdown } => markdown,
        other => panic!("{other:?}"),
    }
}

#[test]
fn end_of_200_megabytes_is_read_without_the_rest() {
    let mut log = NumberedLog {
        lines: 200 * 1024,
        read: 0,
    };
    let index = log.end();
    assert_eq!(text_of(&index, index.len() - 1, &mut log), "number 204799");
    let first = 200 * 1024 - index.len();
    assert_eq!(text_of(&index, 0, &mut log), format!("number {first}"));
    assert!(index.len() >= 4_000, "{}", index.len());
    assert!(log.read < END_BYTES + 4 * CHUNK, "read {} bytes", log.read);
}

#[test]
fn end_grows_with_the_log() {
    let mut log = NumberedLog {
        lines: 10_000,
        read: 0,
    };
    let mut index = log.end();
    let before = (index.len(), index.revision());
    log.lines += 3;
    let lengths = log.lengths();
    read_end(&mut index, &mut log, lengths).expect("a log in memory");
    assert_eq!(index.len(), before.0 + 3);
    assert_eq!(index.touched_since(before.1).len(), 3);
    assert_eq!(text_of(&index, before.0 + 2, &mut log), "number 10002");
}

#[test]
fn short_log_is_read_from_its_start() {
    let mut log = NumberedLog { lines: 3, read: 0 };
    let index = log.end();
    assert_eq!(index.len(), 3);
    assert_eq!(text_of(&index, 0, &mut log), "number 0");
    assert_eq!(NumberedLog { lines: 0, read: 0 }.end().len(), 0);
}

/// A log in memory.
struct Bytes(Vec<u8>);

impl ReadAt for Bytes {
    fn read_at(&mut self, _: Stream, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let from = self.0.len().min(offset as usize);
        let count = buffer.len().min(self.0.len() - from).min(1_000);
        buffer[..count].copy_from_slice(&self.0[from..from + count]);
        Ok(count)
    }
}

#[test]
fn end_begins_at_a_line() {
    let short = "short\n".repeat(1_000_000);
    let long = "x".repeat(6_000_000);
    let cases = [
        (short.clone(), 6_000_000 - END_BYTES),
        // The last line is longer than the end.
        (format!("first\n{long}"), 0),
        (format!("first\n{long}\n"), 0),
        (long, 0),
        ("one\ntwo\n".to_owned(), 0),
        (String::new(), 0),
    ];
    for (text, earliest) in cases {
        let length = text.len() as u64;
        let bytes = text.into_bytes();
        let mut log = Bytes(bytes.clone());
        let start = line_start_near_end(&mut log, Stream::Stdout, length).expect("a log in memory");
        assert!(
            start >= earliest && start - earliest < 6,
            "{start} of {length}"
        );
        assert!(start == 0 || bytes[start as usize - 1] == b'\n');
    }
}
