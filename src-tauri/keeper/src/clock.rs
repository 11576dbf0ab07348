//! When output grew: fixed-size records beside the raw bytes, so that a replay can show a session
//! at its original pace.
//!
//! A record is 24 bytes, little-endian: milliseconds since 1970 (u64), stream (u8) and seven zero
//! bytes, length of the stream after the growth (u64). A stream gets at most one record in 50 ms,
//! and a last one. The clock is optional: a record that cannot be written is skipped, and no output
//! waits for it.

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
}

#[derive(Debug, Default, Clone, Copy)]
struct StreamClock {
    last_ms: u64,
    pending: Option<Growth>,
}

impl ClockWriter {
    /// Records a growth; it is written now or, if the stream's last record is younger than
    /// [`PACE`], later.
    pub(crate) fn note(&mut self, growth: Growth) {
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

    #[test]
    fn an_unknown_stream_is_an_error() {
        let mut reader = ClockReader::new([0_u8; RECORD].as_slice());
        assert!(reader.next().unwrap().is_err());
    }
}
