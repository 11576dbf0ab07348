//! The end of a long timeline, while the rest is still being read.
//!
//! An index of its own begins at a line near the end of the files. Its entries are numbered from
//! there, because nobody knows yet how many come before them.

use std::io;

use crate::event::Stream;
use crate::log_format::LogFormat;
use crate::timeline::index::TimelineIndex;
use crate::timeline::page::ReadAt;

#[cfg(test)]
mod tests;

/// How many bytes of each stream belong to the end, before the line begins that they cut.
const END_BYTES: u64 = 4 * 1024 * 1024;
/// How far back the beginning of a very long line is looked for.
const LONGEST_LINE: u64 = 64 * 1024 * 1024;
/// How many bytes are read at once.
const CHUNK: u64 = 256 * 1024;

/// The lengths of a log's streams in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct LogLengths {
    pub stdout: u64,
    pub stderr: u64,
}

impl LogLengths {
    fn of(self, stream: Stream) -> u64 {
        match stream {
            Stream::Stdout => self.stdout,
            Stream::Stderr => self.stderr,
        }
    }
}

/// Opens an index of the last entries. Reads little more than they take, whatever the length of the
/// log.
///
/// # Errors
/// When the log cannot be read.
pub fn open_end(
    format: LogFormat,
    log: &mut dyn ReadAt,
    lengths: LogLengths,
) -> io::Result<TimelineIndex> {
    let stdout = line_start_near_end(log, Stream::Stdout, lengths.stdout)?;
    let stderr = line_start_near_end(log, Stream::Stderr, lengths.stderr)?;
    Ok(TimelineIndex::of_end(format, stdout, stderr))
}

/// Reads what was printed since the last call.
///
/// # Errors
/// When the log cannot be read, or doesn't continue what was read.
pub fn read_end(
    index: &mut TimelineIndex,
    log: &mut dyn ReadAt,
    lengths: LogLengths,
) -> io::Result<()> {
    for stream in [Stream::Stdout, Stream::Stderr] {
        let length = lengths.of(stream);
        while index.position(stream) < length {
            let from = index.position(stream);
            let bytes = read(log, stream, from, (from + CHUNK).min(length))?;
            if bytes.is_empty() {
                break;
            }
            index.feed(stream, from, &bytes).map_err(io::Error::other)?;
        }
    }
    Ok(())
}

/// Returns where a line begins that is about [`END_BYTES`] before the end.
fn line_start_near_end(log: &mut dyn ReadAt, stream: Stream, length: u64) -> io::Result<u64> {
    let mut distance = END_BYTES;
    let mut searched = length.saturating_sub(1);
    while distance < length {
        let begin = length - distance;
        if let Some(newline) = first_newline(log, stream, begin, searched)? {
            return Ok(newline + 1);
        }
        if distance >= LONGEST_LINE {
            return Ok(begin);
        }
        searched = begin;
        distance *= 4;
    }
    Ok(0)
}

fn first_newline(
    log: &mut dyn ReadAt,
    stream: Stream,
    from: u64,
    to: u64,
) -> io::Result<Option<u64>> {
    let mut at = from;
    while at < to {
        let bytes = read(log, stream, at, (at + CHUNK).min(to))?;
        if bytes.is_empty() {
            break;
        }
        if let Some(newline) = bytes.iter().position(|&byte| byte == b'\n') {
            return Ok(Some(at + newline as u64));
        }
        at += bytes.len() as u64;
    }
    Ok(None)
}

/// Reads some of the bytes from `from` to `to`; none at the end of the stream.
fn read(log: &mut dyn ReadAt, stream: Stream, from: u64, to: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(to - from).map_err(io::Error::other)?];
    let count = log.read_at(stream, from, &mut bytes)?;
    bytes.truncate(count);
    Ok(bytes)
}
