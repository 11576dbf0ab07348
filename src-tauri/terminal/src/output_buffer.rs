//! The latest output of a terminal, in bounded memory.

use std::collections::VecDeque;

/// How much output is kept.
const CAPACITY: usize = 1024 * 1024;
/// How far into the kept output a line break is looked for when the output before it is gone.
const MAX_SKIPPED: usize = 4096;

/// A piece of output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputPart {
    /// The position of the first byte. Greater than the one that was asked for if the output in
    /// between is not kept any more.
    pub from: u64,
    /// The output.
    pub bytes: Vec<u8>,
    /// The position after all output so far. There is more if the part ends before it.
    pub end: u64,
    /// How many of the bytes were read before, by any page. A terminal must not answer the queries
    /// in them again.
    pub already_read: usize,
}

/// The latest output. Positions count all bytes that were ever printed.
#[derive(Debug, Default)]
pub(crate) struct OutputBuffer {
    kept: VecDeque<u8>,
    /// The position of the first byte that is kept.
    start: u64,
    /// The position up to which somebody has read.
    read_to: u64,
}

impl OutputBuffer {
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let bytes = match bytes.len().checked_sub(CAPACITY) {
            Some(excess) => {
                self.forget(self.kept.len());
                self.start += excess as u64;
                &bytes[excess..]
            }
            None => bytes,
        };
        self.forget((self.kept.len() + bytes.len()).saturating_sub(CAPACITY));
        self.kept.extend(bytes);
    }

    fn forget(&mut self, count: usize) {
        self.kept.drain(..count);
        self.start += count as u64;
    }

    pub(crate) fn end(&self) -> u64 {
        self.start + self.kept.len() as u64
    }

    /// How much output nobody has read yet.
    pub(crate) fn unread(&self) -> u64 {
        self.end() - self.read_to.clamp(self.start, self.end())
    }

    /// The output after position `after`, at most `limit` bytes of it.
    pub(crate) fn read(&mut self, after: u64, limit: usize) -> OutputPart {
        let end = self.end();
        let from = if after < self.start {
            self.start + self.first_line() as u64
        } else {
            after.min(end)
        };
        let at = usize::try_from(from - self.start).unwrap_or(self.kept.len());
        let bytes: Vec<u8> = self.kept.range(at..).take(limit).copied().collect();
        let already_read = usize::try_from(self.read_to.saturating_sub(from))
            .unwrap_or(usize::MAX)
            .min(bytes.len());
        self.read_to = self.read_to.max(from + bytes.len() as u64);
        OutputPart {
            from,
            bytes,
            end,
            already_read,
        }
    }

    /// Where the first whole line begins: the kept output may begin within a character or an escape
    /// sequence.
    fn first_line(&self) -> usize {
        let newline = self
            .kept
            .iter()
            .take(MAX_SKIPPED)
            .position(|&byte| byte == b'\n');
        newline.map_or(0, |at| at + 1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn parts_follow_each_other() {
        let mut buffer = OutputBuffer::default();
        buffer.push(b"hello ");
        buffer.push(b"world");
        let part = buffer.read(0, 4);
        assert_eq!((part.from, part.end, part.already_read), (0, 11, 0));
        assert_eq!(part.bytes, b"hell");
        let part = buffer.read(4, 100);
        assert_eq!(part.bytes, b"o world");
        assert_eq!(buffer.unread(), 0);
        let part = buffer.read(11, 100);
        assert!(part.bytes.is_empty());
        assert_eq!(part.from, 11);
        assert_eq!(buffer.read(99, 100).from, 11, "a position that never was");
    }

    #[test]
    fn what_was_read_before_is_marked() {
        let mut buffer = OutputBuffer::default();
        buffer.push(b"abc");
        assert_eq!(buffer.read(0, 100).already_read, 0);
        buffer.push(b"de");
        let part = buffer.read(1, 100);
        assert_eq!(
            (part.bytes.as_slice(), part.already_read),
            (&b"bcde"[..], 2)
        );
        assert_eq!(buffer.read(0, 2).already_read, 2);
    }

    #[test]
    fn lost_output_is_skipped_up_to_a_whole_line() {
        let mut buffer = OutputBuffer::default();
        buffer.push(b"lost\n");
        buffer.push(&[b'x'; 10]);
        buffer.push(b"\nwhole\n");
        buffer.push(&vec![b'y'; CAPACITY - 12]);
        let part = buffer.read(0, 6);
        assert_eq!(part.bytes, b"whole\n");
        assert_eq!(part.from, 16);
        assert_eq!(buffer.read(part.from, 1).bytes, b"w", "it is kept");
        buffer.push(&vec![b'z'; CAPACITY + 5]);
        let part = buffer.read(16, 2);
        assert_eq!(
            (part.bytes.as_slice(), part.from),
            (&b"zz"[..], part.end - CAPACITY as u64)
        );
    }

    proptest! {
        #[test]
        fn reader_gets_all_output_that_is_kept(
            pushes in prop::collection::vec((0usize..400_000, 1usize..300_000), 1..12)
        ) {
            let mut buffer = OutputBuffer::default();
            let (mut printed, mut position): (Vec<u8>, u64) = (Vec::new(), 0);
            for (length, limit) in pushes {
                let bytes: Vec<u8> = (0..length).map(|at| (printed.len() + at) as u8).collect();
                buffer.push(&bytes);
                printed.extend(bytes);
                prop_assert!(buffer.kept.len() <= CAPACITY);
                prop_assert_eq!(buffer.end(), printed.len() as u64);
                let part = buffer.read(position, limit);
                prop_assert!(part.from >= position);
                let at = part.from as usize;
                prop_assert_eq!(&part.bytes[..], &printed[at..at + part.bytes.len()]);
                position = part.from + part.bytes.len() as u64;
            }
        }
    }
}
