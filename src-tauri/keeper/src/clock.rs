//! When output grew: fixed-size records beside the raw bytes, so that a replay can show a session
//! at its original pace.
//!
//! A record is 24 bytes, little-endian: milliseconds since 1970 (u64), stream (u8) and seven zero
//! bytes, length of the stream after the growth (u64). A stream gets at most one record in 50 ms,
//! one when the other stream prints after it, and a last one. So the order of the records is the
//! order in which the streams were read; only a program that changes between them very often gets
//! fewer records ([`MAX_TURNS`]). The clock is optional: a record that cannot be written is
//! skipped, and no output waits for it.

use std::fs::File;
use std::io::{self, BufReader, Read, Write as _};
use std::path::Path;

use crate::{folder, session_file};

/// One of the program's two outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Stream {
    Stdout,
    Stderr,
}

/// One record of the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Growth {
    /// The time of the growth, in milliseconds since 1970.
    pub unix_ms: u64,
    /// The stream that grew.
    pub stream: Stream,
    /// The stream's length after the growth.
    pub offset_after: u64,
}

const RECORD: usize = 24;
/// Milliseconds between two records of one stream.
pub(crate) const PACE: u64 = 50;
/// The maximum number of changes between the streams that are recorded within [`PACE`].
const MAX_TURNS: u32 = 32;

impl Growth {
    fn to_bytes(self) -> [u8; RECORD] {
        let mut bytes = [0; RECORD];
        bytes[..8].copy_from_slice(&self.unix_ms.to_le_bytes());
        bytes[8] = match self.stream {
            Stream::Stdout => 1,
            Stream::Stderr => 2,
        };
        bytes[16..].copy_from_slice(&self.offset_after.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; RECORD]) -> Option<Growth> {
        let stream = match bytes[8] {
            1 => Stream::Stdout,
            2 => Stream::Stderr,
            _ => return None,
        };
        let number = |at: usize| {
            let mut eight = [0; 8];
            eight.copy_from_slice(&bytes[at..at + 8]);
            u64::from_le_bytes(eight)
        };
        Some(Growth {
            unix_ms: number(0),
            stream,
            offset_after: number(16),
        })
    }
}

/// Reads a clock from its beginning. Ends at the last complete record; for a running session, call
/// `next` again later.
#[derive(Debug)]
pub struct ClockReader<R> {
    source: R,
    partial: Vec<u8>,
}

impl ClockReader<BufReader<File>> {
    /// Opens the clock of a session folder; `None` if nothing was ever printed.
    pub fn open(folder: &Path) -> io::Result<Option<Self>> {
        match session_file::open(&folder.join(folder::CLOCK)) {
            Ok(file) => Ok(Some(ClockReader::new(BufReader::new(file)))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl<R: Read> ClockReader<R> {
    /// Reads records from any source of bytes.
    pub fn new(source: R) -> Self {
        ClockReader {
            source,
            partial: Vec::with_capacity(RECORD),
        }
    }
}

impl<R: Read> Iterator for ClockReader<R> {
    type Item = io::Result<Growth>;

    fn next(&mut self) -> Option<Self::Item> {
        let missing = (RECORD - self.partial.len()) as u64;
        if let Err(error) = (&mut self.source)
            .take(missing)
            .read_to_end(&mut self.partial)
        {
            return Some(Err(error));
        }
        let record = <&[u8; RECORD]>::try_from(self.partial.as_slice())
            .ok()
            .map(Growth::from_bytes)?;
        self.partial.clear();
        Some(record.ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::InvalidData,
                "the clock names an unknown stream",
            )
        }))
    }
}

/// The keeper's writer for the clock in the current folder.
#[derive(Debug, Default)]
pub(crate) struct ClockWriter {
    file: Option<File>,
    streams: [StreamClock; 2],
    /// The stream that grew last.
    last: Option<Stream>,
    turns: TurnCount,
}

/// How often the other stream printed, in the current stretch of [`PACE`].
#[derive(Debug, Default)]
struct TurnCount {
    since_ms: u64,
    turns: u32,
}

impl TurnCount {
    /// Counts a turn. Returns whether it may be recorded.
    fn count(&mut self, now_ms: u64) -> bool {
        if now_ms.saturating_sub(self.since_ms) >= PACE {
            *self = TurnCount {
                since_ms: now_ms,
                turns: 0,
            };
        }
        self.turns = self.turns.saturating_add(1);
        self.turns <= MAX_TURNS
    }
}

#[derive(Debug, Default, Clone, Copy)]
struct StreamClock {
    last_ms: u64,
    pending: Option<Growth>,
}

impl ClockWriter {
    /// Records a growth; it is written now or, if the stream's last record is younger than
    /// [`PACE`], later, but before the next growth of the other stream.
    pub(crate) fn note(&mut self, growth: Growth) {
        let before = self.last.replace(growth.stream);
        if let Some(before) = before.filter(|before| *before != growth.stream)
            && self.turns.count(growth.unix_ms)
        {
            self.write(before);
        }
        let hand = self.stream_clock(growth.stream);
        hand.pending = Some(growth);
        if growth.unix_ms.saturating_sub(hand.last_ms) >= PACE {
            self.write(growth.stream);
        }
    }

    /// Whether a record is waiting to be written.
    pub(crate) fn is_behind(&self) -> bool {
        self.streams.iter().any(|hand| hand.pending.is_some())
    }

    /// Writes the records that were held back by the pace.
    pub(crate) fn catch_up(&mut self) {
        self.write(Stream::Stdout);
        self.write(Stream::Stderr);
    }

    fn stream_clock(&mut self, stream: Stream) -> &mut StreamClock {
        &mut self.streams[stream as usize]
    }

    fn write(&mut self, stream: Stream) {
        let hand = self.stream_clock(stream);
        let Some(growth) = hand.pending.take() else {
            return;
        };
        hand.last_ms = growth.unix_ms;
        if self.file.is_none() {
            self.file = session_file::append(folder::CLOCK.as_ref()).ok();
        }
        if let Some(file) = &mut self.file {
            // A record truncated by a full disk would shift all later ones, so the clock stops
            // there.
            if file.write_all(&growth.to_bytes()).is_err() {
                self.file = File::open("/dev/null").ok();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_round_trip_and_partial_records_are_skipped() {
        let first = Growth {
            unix_ms: 1_700_000_000_123,
            stream: Stream::Stdout,
            offset_after: 5,
        };
        let second = Growth {
            unix_ms: 1_700_000_000_456,
            stream: Stream::Stderr,
            offset_after: u64::MAX,
        };
        let mut bytes = [first.to_bytes(), second.to_bytes()].concat();
        bytes.extend_from_slice(&first.to_bytes()[..7]);
        let read: Vec<_> = ClockReader::new(bytes.as_slice())
            .map(Result::unwrap)
            .collect();
        assert_eq!(read, [first, second]);
    }

    /// What a clock has recorded of these growths.
    fn recorded(growths: &[(u64, Stream, u64)]) -> Vec<(Stream, u64)> {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut clock = ClockWriter {
            file: Some(file.reopen().unwrap()),
            ..ClockWriter::default()
        };
        for &(unix_ms, stream, offset_after) in growths {
            clock.note(Growth {
                unix_ms,
                stream,
                offset_after,
            });
        }
        clock.catch_up();
        ClockReader::new(file)
            .map(Result::unwrap)
            .map(|growth| (growth.stream, growth.offset_after))
            .collect()
    }

    #[test]
    fn records_keep_the_order_of_the_streams() {
        use Stream::{Stderr, Stdout};
        let growths = [
            (1_000, Stdout, 10),
            (1_001, Stdout, 20),
            (1_002, Stderr, 5),
            (1_003, Stdout, 30),
            (1_004, Stderr, 9),
        ];
        let order = [
            (Stdout, 10),
            (Stdout, 20),
            (Stderr, 5),
            (Stdout, 30),
            (Stderr, 9),
        ];
        assert_eq!(recorded(&growths), order);
    }

    #[test]
    fn records_are_few_however_often_streams_change() {
        let growths: Vec<_> = (0..10_000)
            .map(|at| {
                let stream = if at % 2 == 0 {
                    Stream::Stdout
                } else {
                    Stream::Stderr
                };
                (1_000 + at / 200, stream, at + 1)
            })
            .collect();
        assert!(recorded(&growths).len() <= 2 * MAX_TURNS as usize);
    }

    #[test]
    fn an_unknown_stream_is_an_error() {
        let mut reader = ClockReader::new([0_u8; RECORD].as_slice());
        assert!(reader.next().unwrap().is_err());
    }
}
