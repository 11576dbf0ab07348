//! The order in which the bytes of two streams were printed.
//!
//! The keeper notes how long each stream was at which time. Between two notes the order of the
//! streams is not known, so the bytes of a note count as printed at once.

use crate::OutputStream;

/// A note of the keeper: a stream grew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamGrowth {
    /// When, in milliseconds since 1970.
    pub at_ms: i64,
    /// The stream that grew.
    pub stream: OutputStream,
    /// The stream's length after it grew, in bytes.
    pub length: u64,
}

/// Bytes of one stream that were printed without bytes of the other one between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Segment {
    /// Bytes of both streams before this segment.
    position: u64,
    /// Bytes of the same stream before this segment.
    offset: u64,
    stream: OutputStream,
    /// `None` if the keeper made no note.
    at_ms: Option<i64>,
}

/// The lengths of both streams.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct StreamLengths {
    pub stdout: u64,
    pub stderr: u64,
}

impl StreamLengths {
    /// The length of one stream.
    #[must_use]
    pub fn of(self, stream: OutputStream) -> u64 {
        match stream {
            OutputStream::Stdout => self.stdout,
            OutputStream::Stderr => self.stderr,
        }
    }

    fn of_mut(&mut self, stream: OutputStream) -> &mut u64 {
        match stream {
            OutputStream::Stdout => &mut self.stdout,
            OutputStream::Stderr => &mut self.stderr,
        }
    }

    /// The bytes of both streams.
    #[must_use]
    pub fn sum(self) -> u64 {
        self.stdout + self.stderr
    }
}

/// Maps a position, a number of bytes over both streams in printed order, to a place in one of
/// them, and back.
#[derive(Debug, Clone, Default)]
pub struct PrintOrder {
    segments: Vec<Segment>,
    /// Indices in `segments`, for each stream.
    stdout: Vec<u32>,
    stderr: Vec<u32>,
    lengths: StreamLengths,
    /// Segments that the keeper noted. Those after them are provisional.
    noted: usize,
    noted_lengths: StreamLengths,
}

impl PrintOrder {
    /// Adds notes of the keeper, and sets the lengths that the streams have now. Bytes without a
    /// note follow at the end, because only the latest bytes have none.
    pub fn update(
        &mut self,
        notes: impl IntoIterator<Item = StreamGrowth>,
        lengths: StreamLengths,
    ) {
        self.drop_provisional();
        for note in notes {
            self.grow(note.stream, note.length, Some(note.at_ms));
        }
        self.noted = self.segments.len();
        self.noted_lengths = self.lengths;
        self.grow(OutputStream::Stdout, lengths.stdout, None);
        self.grow(OutputStream::Stderr, lengths.stderr, None);
    }

    /// Bytes of both streams.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.lengths.sum()
    }

    /// Positions before this one keep their place whatever is printed.
    #[must_use]
    pub fn settled(&self) -> u64 {
        self.noted_lengths.sum()
    }

    /// The lengths of both streams.
    #[must_use]
    pub fn lengths(&self) -> StreamLengths {
        self.lengths
    }

    /// How many bytes of each stream come before `position`.
    pub(crate) fn lengths_before(&self, position: u64) -> StreamLengths {
        let Some(index) = self.segment_at(position) else {
            return StreamLengths::default();
        };
        let segment = self.segments[index];
        let inside = (position.min(self.size())) - segment.position;
        let mut lengths = StreamLengths::default();
        *lengths.of_mut(segment.stream) = segment.offset + inside;
        // The other stream has all bytes that are not of this one.
        *lengths.of_mut(segment.stream.other()) = segment.position - segment.offset;
        lengths
    }

    /// The position of a byte of a stream, or of the stream's end.
    pub(crate) fn position(&self, stream: OutputStream, offset: u64) -> u64 {
        self.segment_of(stream, offset).map_or(offset, |segment| {
            segment.position + (offset - segment.offset)
        })
    }

    /// When a byte was printed, in milliseconds since 1970.
    pub(crate) fn time(&self, stream: OutputStream, offset: u64) -> Option<i64> {
        self.segment_of(stream, offset)?.at_ms
    }

    fn segment_of(&self, stream: OutputStream, offset: u64) -> Option<Segment> {
        let indices = match stream {
            OutputStream::Stdout => &self.stdout,
            OutputStream::Stderr => &self.stderr,
        };
        let after =
            indices.partition_point(|&index| self.segments[index as usize].offset <= offset);
        let index = *indices.get(after.checked_sub(1)?)?;
        Some(self.segments[index as usize])
    }

    /// The last segment that begins at or before `position`.
    fn segment_at(&self, position: u64) -> Option<usize> {
        let after = self
            .segments
            .partition_point(|segment| segment.position <= position);
        after.checked_sub(1)
    }

    fn grow(&mut self, stream: OutputStream, length: u64, at_ms: Option<i64>) {
        let before = self.lengths.of(stream);
        let Ok(index) = u32::try_from(self.segments.len()) else {
            return;
        };
        if length <= before {
            return;
        }
        self.segments.push(Segment {
            position: self.size(),
            offset: before,
            stream,
            at_ms,
        });
        match stream {
            OutputStream::Stdout => self.stdout.push(index),
            OutputStream::Stderr => self.stderr.push(index),
        }
        *self.lengths.of_mut(stream) = length;
    }

    fn drop_provisional(&mut self) {
        self.segments.truncate(self.noted);
        for indices in [&mut self.stdout, &mut self.stderr] {
            while indices
                .last()
                .is_some_and(|&index| index as usize >= self.noted)
            {
                indices.pop();
            }
        }
        self.lengths = self.noted_lengths;
    }
}

#[cfg(test)]
mod tests {
    use super::OutputStream::{Stderr, Stdout};
    use super::*;

    fn note(at_ms: i64, stream: OutputStream, length: u64) -> StreamGrowth {
        StreamGrowth {
            at_ms,
            stream,
            length,
        }
    }

    fn order() -> PrintOrder {
        let mut order = PrintOrder::default();
        let notes = [note(1, Stdout, 10), note(2, Stderr, 5), note(3, Stdout, 12)];
        let lengths = StreamLengths {
            stdout: 14,
            stderr: 6,
        };
        order.update(notes, lengths);
        order
    }

    #[test]
    fn positions_and_places_are_inverse() {
        let order = order();
        assert_eq!((order.size(), order.settled()), (20, 17));
        let places = [
            (0, Stdout, 0),
            (9, Stdout, 9),
            (10, Stderr, 0),
            (14, Stderr, 4),
            (15, Stdout, 10),
            (17, Stdout, 12),
            (19, Stderr, 5),
        ];
        for (position, stream, offset) in places {
            assert_eq!(order.position(stream, offset), position);
            assert_eq!(order.lengths_before(position).of(stream), offset);
            assert_eq!(order.lengths_before(position).sum(), position);
        }
        assert_eq!(order.lengths_before(1_000), order.lengths());
        assert_eq!(order.position(Stderr, 6), 20);
    }

    #[test]
    fn time_is_that_of_the_note() {
        let order = order();
        assert_eq!(order.time(Stdout, 0), Some(1));
        assert_eq!(order.time(Stdout, 11), Some(3));
        assert_eq!(order.time(Stderr, 4), Some(2));
        assert_eq!(order.time(Stderr, 5), None);
    }

    #[test]
    fn provisional_bytes_move_when_their_note_comes() {
        let mut order = order();
        let lengths = StreamLengths {
            stdout: 14,
            stderr: 9,
        };
        order.update([note(4, Stderr, 9)], lengths);
        assert_eq!(order.settled(), 21);
        assert_eq!(order.position(Stderr, 8), 20);
        assert_eq!(order.position(Stdout, 12), 21);
        assert_eq!(order.time(Stderr, 8), Some(4));
    }

    #[test]
    fn without_notes_stdout_comes_first() {
        let mut order = PrintOrder::default();
        order.update(
            [],
            StreamLengths {
                stdout: 3,
                stderr: 3,
            },
        );
        assert_eq!(order.position(Stderr, 0), 3);
        assert_eq!(order.settled(), 0);
        assert_eq!(PrintOrder::default().lengths_before(7).sum(), 0);
    }
}
