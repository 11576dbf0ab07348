//! Reading of lines with their byte offsets, from files of any size.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};

use memchr::memchr;

/// Longer lines are skipped, because a line must fit in memory.
pub(crate) const MAX_LINE_BYTES: usize = 32 * 1024 * 1024;
/// The number of bytes read at once.
const CHUNK: usize = 256 * 1024;
/// How much memory a buffer keeps after a long line.
const MAX_RETAINED_BUFFER: usize = 8 * CHUNK;

/// A line without its newline.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    /// Empty when the line is too long.
    pub(crate) bytes: &'a [u8],
    /// The offset of the first byte.
    pub(crate) start: u64,
    /// The offset after the newline.
    pub(crate) end: u64,
    /// The line ends with a newline, so it will not grow.
    pub(crate) complete: bool,
    /// Whether the line exceeds [`MAX_LINE_BYTES`].
    pub(crate) too_long: bool,
}

/// A read buffer that is reused from file to file.
#[derive(Debug, Default)]
pub(crate) struct LineBuffer(Vec<u8>);

#[derive(Debug)]
pub(crate) struct LineReader<'r> {
    file: File,
    buffer: &'r mut Vec<u8>,
    /// The unread part of the buffer.
    from: usize,
    to: usize,
    /// The file offset of the first unread byte.
    place: u64,
}

impl<'r> LineReader<'r> {
    /// Reads lines from byte offset `place`, where a line must begin.
    pub(crate) fn from(mut file: File, place: u64, room: &'r mut LineBuffer) -> io::Result<Self> {
        file.seek(SeekFrom::Start(place))?;
        let buffer = &mut room.0;
        if !(CHUNK..=MAX_RETAINED_BUFFER).contains(&buffer.len()) {
            *buffer = vec![0; CHUNK];
        }
        Ok(Self {
            file,
            buffer,
            from: 0,
            to: 0,
            place,
        })
    }

    /// The next line. The last one may be incomplete.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        let mut searched = 0;
        loop {
            if let Some(newline) = memchr(b'\n', &self.buffer[self.from + searched..self.to]) {
                return Ok(Some(self.take(searched + newline, true)));
            }
            searched = self.to - self.from;
            if searched > MAX_LINE_BYTES {
                return self.skip_long_line().map(Some);
            }
            if self.fill()? == 0 {
                return Ok(if searched == 0 {
                    None
                } else {
                    Some(self.take(searched, false))
                });
            }
        }
    }

    fn take(&mut self, length: usize, complete: bool) -> Line<'_> {
        let (first, start) = (self.from, self.place);
        self.from += length + usize::from(complete);
        self.place += (length + usize::from(complete)) as u64;
        let too_long = length > MAX_LINE_BYTES;
        let bytes = if too_long {
            &[]
        } else {
            &self.buffer[first..first + length]
        };
        Line {
            bytes,
            start,
            end: self.place,
            complete,
            too_long,
        }
    }

    /// Reads more bytes. Returns how many.
    fn fill(&mut self) -> io::Result<usize> {
        self.buffer.copy_within(self.from..self.to, 0);
        (self.from, self.to) = (0, self.to - self.from);
        if self.to == 0 && self.buffer.len() > MAX_RETAINED_BUFFER {
            *self.buffer = vec![0; CHUNK];
        }
        if self.buffer.len() - self.to < CHUNK {
            self.buffer
                .resize((self.buffer.len() * 2).max(CHUNK * 2), 0);
        }
        let length = self.file.read(&mut self.buffer[self.to..])?;
        self.to += length;
        Ok(length)
    }

    fn skip_long_line(&mut self) -> io::Result<Line<'_>> {
        let start = self.place;
        let mut complete = false;
        loop {
            let rest = &self.buffer[self.from..self.to];
            let newline = memchr(b'\n', rest);
            let gone = newline.map_or(rest.len(), |newline| newline + 1);
            self.from += gone;
            self.place += gone as u64;
            complete |= newline.is_some();
            if complete || self.fill()? == 0 {
                return Ok(Line {
                    bytes: &[],
                    start,
                    end: self.place,
                    complete,
                    too_long: true,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn lines(content: &[u8]) -> Vec<(Vec<u8>, u64, u64, bool, bool)> {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(content).expect("room");
        let mut room = LineBuffer::default();
        let mut lines = LineReader::from(file, 0, &mut room).expect("readable");
        let mut all = Vec::new();
        while let Some(line) = lines.next().expect("readable") {
            all.push((
                line.bytes.to_vec(),
                line.start,
                line.end,
                line.complete,
                line.too_long,
            ));
        }
        all
    }

    #[test]
    fn lines_have_offsets_and_completeness() {
        assert_eq!(
            lines(b"ab\n\ncd"),
            [
                (b"ab".to_vec(), 0, 3, true, false),
                (Vec::new(), 3, 4, true, false),
                (b"cd".to_vec(), 4, 6, false, false)
            ]
        );
        assert_eq!(lines(b""), []);
    }

    #[test]
    fn overlong_line_is_skipped() {
        let mut content = vec![b'x'; MAX_LINE_BYTES + CHUNK + 7];
        content.extend_from_slice(b"\nnext\n");
        let found = lines(&content);
        assert_eq!(found.len(), 2);
        assert_eq!(
            (found[0].4, found[0].2),
            (true, (MAX_LINE_BYTES + CHUNK + 8) as u64)
        );
        assert_eq!(found[1].0, b"next");
        let mut long = vec![b'y'; 20 << 20];
        long.push(b'\n');
        assert_eq!(
            lines(&long)[0].0.len(),
            20 << 20,
            "20 MB are read like any other line"
        );
    }
}
