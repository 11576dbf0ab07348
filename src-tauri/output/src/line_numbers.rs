//! Counts lines, so that rows anywhere in a large output can have a number.

use std::io;

use memchr::memchr_iter;

use crate::source::StreamReader;
use crate::{OutputSource, OutputStream, PrintOrder, StreamLengths};

/// Newlines are noted at multiples of this length, in bytes.
const INTERVAL: u64 = 1024 * 1024;

/// How many newlines each stream has before multiples of a length.
#[derive(Debug, Default)]
pub struct LineNumbers {
    stdout: Vec<u64>,
    stderr: Vec<u64>,
}

impl LineNumbers {
    /// Counts the lines of up to `budget` more bytes. Returns the number of bytes that are counted
    /// then.
    ///
    /// # Errors
    /// When a stream cannot be read.
    pub fn count_more(
        &mut self,
        source: &mut dyn OutputSource,
        lengths: StreamLengths,
        budget: u64,
    ) -> io::Result<u64> {
        let mut left = budget;
        for stream in OutputStream::ALL {
            let mut reader = reader(source, stream, lengths);
            let noted = self.noted(stream);
            while left >= INTERVAL && (noted.len() as u64 + 1) * INTERVAL <= reader.length {
                let from = noted.len() as u64 * INTERVAL;
                let bytes = reader.bytes(from, from + INTERVAL)?;
                let before = noted.last().copied().unwrap_or(0);
                noted.push(before + memchr_iter(b'\n', &bytes).count() as u64);
                left -= INTERVAL;
            }
        }
        Ok(self.counted(lengths))
    }

    /// How many bytes are counted. The rest of a stream, less than an interval, counts as counted.
    #[must_use]
    pub fn counted(&self, lengths: StreamLengths) -> u64 {
        let counted = |noted: &Vec<u64>, length: u64| {
            let until = noted.len() as u64 * INTERVAL;
            if until + INTERVAL > length {
                length
            } else {
                until
            }
        };
        counted(&self.stdout, lengths.stdout) + counted(&self.stderr, lengths.stderr)
    }

    /// The number of lines that begin before `position`; `None` while not all of them are counted.
    ///
    /// # Errors
    /// When a stream cannot be read.
    pub fn lines_before(
        &self,
        source: &mut dyn OutputSource,
        order: &PrintOrder,
        position: u64,
    ) -> io::Result<Option<u64>> {
        let before = order.lengths_before(position);
        let mut lines = 0;
        for stream in OutputStream::ALL {
            let length = before.of(stream);
            if length == 0 {
                continue;
            }
            // A newline at the very end begins no line before `position`.
            let mut reader = reader(source, stream, order.lengths());
            match self.newlines_before(&mut reader, length - 1)? {
                Some(newlines) => lines += 1 + newlines,
                None => return Ok(None),
            }
        }
        Ok(Some(lines))
    }

    /// The position where line `number` begins, counted from 1; `None` if there is none, or while
    /// not all lines are counted.
    ///
    /// # Errors
    /// When a stream cannot be read.
    pub fn line_position(
        &self,
        source: &mut dyn OutputSource,
        order: &PrintOrder,
        number: u64,
    ) -> io::Result<Option<u64>> {
        let (mut low, mut high) = (0, order.size());
        let all = self.lines_before(source, order, high)?;
        if number == 0 || all.is_none_or(|all| all < number) {
            return Ok(None);
        }
        // The lowest position at or before which `number` lines begin.
        while low < high {
            let middle = low + (high - low) / 2;
            match self.lines_before(source, order, middle + 1)? {
                Some(lines) if lines < number => low = middle + 1,
                _ => high = middle,
            }
        }
        Ok(Some(low))
    }

    fn newlines_before(&self, reader: &mut StreamReader, offset: u64) -> io::Result<Option<u64>> {
        let noted = match reader.stream {
            OutputStream::Stdout => &self.stdout,
            OutputStream::Stderr => &self.stderr,
        };
        let index = offset / INTERVAL;
        if index > noted.len() as u64 {
            return Ok(None);
        }
        let before = match index.checked_sub(1) {
            Some(index) => noted[usize::try_from(index).map_err(io::Error::other)?],
            None => 0,
        };
        let bytes = reader.bytes(index * INTERVAL, offset)?;
        Ok(Some(before + memchr_iter(b'\n', &bytes).count() as u64))
    }

    fn noted(&mut self, stream: OutputStream) -> &mut Vec<u64> {
        match stream {
            OutputStream::Stdout => &mut self.stdout,
            OutputStream::Stderr => &mut self.stderr,
        }
    }
}

fn reader(
    source: &mut dyn OutputSource,
    stream: OutputStream,
    lengths: StreamLengths,
) -> StreamReader<'_> {
    StreamReader {
        source,
        stream,
        length: lengths.of(stream),
    }
}
