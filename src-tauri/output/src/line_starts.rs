//! Where rows may begin in a stream: after a newline, and within very long lines.
//!
//! A line without a newline for [`LONG_LINE`] bytes is cut at multiples of that length. The rule
//! needs only the bytes right before a place, so that a gigabyte without a newline can be opened
//! anywhere.

use std::io;
use std::ops::Range;

use memchr::{memchr, memrchr};

use crate::source::StreamReader;

/// Lines are cut at multiples of this length, in bytes.
pub(crate) const LONG_LINE: u64 = 64 * 1024;
/// How far a newline is looked for first, in bytes.
const NEAR: u64 = 4 * 1024;

/// The first place at or after `offset` where a row may begin; the stream's length if there is
/// none.
pub(crate) fn first_start(reader: &mut StreamReader, offset: u64) -> io::Result<u64> {
    if offset == 0 || offset >= reader.length {
        return Ok(offset.min(reader.length));
    }
    let cut = offset.next_multiple_of(LONG_LINE);
    // A newline is near in most streams, and before a cut nothing else has to be read.
    let near = reader.bytes(offset - 1, cut.min(offset + NEAR))?;
    if let Some(at) = memchr(b'\n', &near) {
        return Ok(offset + at as u64);
    }
    let bytes = reader.bytes(offset - 1, cut + LONG_LINE)?;
    let newline = memchr(b'\n', &bytes).map(|at| offset + at as u64);
    let before = reader.bytes(cut.saturating_sub(LONG_LINE), offset - 1)?;
    let is_cut = memrchr(b'\n', &before).is_none();
    let cut = if is_cut { cut } else { cut + LONG_LINE };
    Ok(newline
        .map_or(cut, |newline| newline.min(cut))
        .min(reader.length))
}

/// A line, or a piece of a very long one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Its bytes, with the newline.
    pub(crate) bytes: Range<usize>,
    /// It continues the line of the piece before it.
    pub(crate) continued: bool,
}

/// Splits `bytes`, which begin at `offset` of the stream where a row may begin, into pieces.
pub(crate) fn pieces(bytes: &[u8], offset: u64, continued: bool) -> Pieces<'_> {
    Pieces {
        bytes,
        offset,
        at: 0,
        continued,
    }
}

pub(crate) struct Pieces<'a> {
    bytes: &'a [u8],
    offset: u64,
    at: usize,
    continued: bool,
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        let start = self.offset + self.at as u64;
        let cut = (start + LONG_LINE).next_multiple_of(LONG_LINE) - start;
        let cut = usize::try_from(cut).unwrap_or(usize::MAX).min(rest.len());
        let newline = memchr(b'\n', &rest[..cut]);
        let length = newline.map_or(cut, |at| at + 1);
        let piece = Piece {
            bytes: self.at..self.at + length,
            continued: self.continued,
        };
        self.at += length;
        self.continued = newline.is_none();
        Some(piece)
    }
}

impl StreamReader<'_> {
    /// The lines, or pieces of lines, that begin in `from..to`, with their offsets.
    pub(crate) fn lines(&mut self, from: u64, to: u64) -> io::Result<Vec<(u64, Vec<u8>)>> {
        let (from, to) = (first_start(self, from)?, first_start(self, to)?);
        let bytes = self.bytes(from, to)?;
        let line = |piece: Piece| {
            let offset = from + piece.bytes.start as u64;
            (offset, bytes[piece.bytes].to_vec())
        };
        Ok(pieces(&bytes, from, false).map(line).collect())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::OutputStream;
    use crate::source::MemorySource;

    fn start_after(bytes: &[u8], offset: u64) -> u64 {
        let mut source = MemorySource {
            stdout: bytes.to_vec(),
            stderr: Vec::new(),
        };
        let length = bytes.len() as u64;
        let mut reader = StreamReader {
            source: &mut source,
            stream: OutputStream::Stdout,
            length,
        };
        first_start(&mut reader, offset).expect("in memory")
    }

    #[test]
    fn rows_begin_after_newlines() {
        let starts: Vec<u64> = (0..=7).map(|at| start_after(b"ab\n\nc\nd", at)).collect();
        assert_eq!(starts, [0, 3, 3, 3, 4, 6, 6, 7]);
    }

    #[test]
    fn long_lines_are_cut() {
        let long = LONG_LINE as usize;
        let line = vec![b'x'; 3 * long];
        assert_eq!(start_after(&line, 1), LONG_LINE);
        assert_eq!(start_after(&line, LONG_LINE + 1), 2 * LONG_LINE);
        let shifted = [b"short\n".as_slice(), &line].concat();
        assert_eq!(start_after(&shifted, 7), 2 * LONG_LINE);
    }

    proptest! {
        /// Both ways to find rows agree: from the beginning, and from any place.
        #[test]
        fn places_agree_with_pieces(
            lengths in prop::collection::vec(prop_oneof![0_usize..5, 60_000_usize..140_000], 1..6),
            from in 0.0..1.0_f64,
        ) {
            let mut bytes = Vec::new();
            for length in lengths {
                bytes.extend(std::iter::repeat_n(b'x', length));
                bytes.push(b'\n');
            }
            let starts: Vec<u64> = pieces(&bytes, 0, false).map(|piece| piece.bytes.start as u64).collect();
            let offset = (from * bytes.len() as f64) as u64;
            let expected = starts.iter().copied().find(|&start| start >= offset);
            prop_assert_eq!(start_after(&bytes, offset), expected.unwrap_or(bytes.len() as u64));
        }
    }
}
