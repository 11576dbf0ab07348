//! Reads what a growing file has gained, line by line, and the end of a finished one.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// How much is read at once. A longer line is put together from several reads.
const CHUNK: usize = 256 * 1024;
/// How much of one line is given; the rest of it stays in the file. Agents write pictures of 5 MB into a line.
const LINE_LIMIT: usize = 16 * 1024 * 1024;

/// A file that grows, read from its beginning.
pub(crate) struct Tail {
    path: PathBuf,
    file: Option<File>,
    rest: Vec<u8>,
    limit: usize,
}

impl Tail {
    /// The file at `path`, which need not exist yet.
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, file: None, rest: Vec::new(), limit: LINE_LIMIT }
    }

    /// Gives all complete lines that have come since the last call to `take`, some at a time.
    pub(crate) fn lines(&mut self, mut take: impl FnMut(&[&[u8]])) -> io::Result<()> {
        let mut file = match self.file.take() {
            Some(file) => file,
            None => match File::open(&self.path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
                opened => opened?,
            },
        };
        let mut chunk = vec![0; CHUNK];
        loop {
            let length = file.read(&mut chunk)?;
            if length == 0 {
                break;
            }
            let Some(end) = chunk[..length].iter().rposition(|&byte| byte == b'\n') else {
                self.keep(&chunk[..length]);
                continue;
            };
            let first = chunk[..=end].iter().position(|&byte| byte == b'\n').unwrap_or(end);
            self.keep(&chunk[..first]);
            let others = chunk.get(first + 1..end).map(|others| others.split(|&byte| byte == b'\n'));
            let lines: Vec<&[u8]> = std::iter::once(self.rest.as_slice()).chain(others.into_iter().flatten()).collect();
            take(&lines);
            self.rest.clear();
            self.keep(&chunk[end + 1..length]);
        }
        self.file = Some(file);
        Ok(())
    }

    /// Adds to the line that has begun, as far as it may grow.
    fn keep(&mut self, bytes: &[u8]) {
        let room = self.limit.saturating_sub(self.rest.len());
        self.rest.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    /// The last line when it came without its end.
    pub(crate) fn finish(&mut self) -> Option<Vec<u8>> {
        (!self.rest.is_empty()).then(|| std::mem::take(&mut self.rest))
    }
}

/// At most the last `limit` bytes of a file, beginning with a whole line where there is one. Empty when the file is missing.
pub(crate) fn end_of(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        opened => opened?,
    };
    let length = file.metadata()?.len();
    let from = length.saturating_sub(limit);
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(limit).read_to_end(&mut bytes)?;
    let first_end = bytes.iter().position(|&byte| byte == b'\n').filter(|&at| from > 0 && at + 1 < bytes.len());
    if let Some(first_end) = first_end {
        bytes.drain(..=first_end);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn collect(tail: &mut Tail) -> Vec<String> {
        let mut lines = Vec::new();
        let take = |some: &[&[u8]]| lines.extend(some.iter().map(|line| String::from_utf8_lossy(line).into_owned()));
        tail.lines(take).expect("a readable file");
        lines
    }

    #[test]
    fn lines_come_once_and_only_when_they_are_complete() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("stdout");
        let mut tail = Tail::new(path.clone());
        assert!(collect(&mut tail).is_empty(), "the file may come later");
        let mut file = File::create(&path).expect("a file");
        file.write_all(b"one\ntw").expect("room");
        assert_eq!(collect(&mut tail), ["one"]);
        file.write_all(b"o\n\nthree").expect("room");
        assert_eq!(collect(&mut tail), ["two", ""]);
        assert_eq!(tail.finish().as_deref(), Some(&b"three"[..]));
        assert_eq!(tail.finish(), None);
    }

    #[test]
    fn a_line_without_end_is_cut_and_the_next_one_is_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("stdout");
        let mut tail = Tail { limit: 4, ..Tail::new(path.clone()) };
        std::fs::write(&path, "one\nendless").expect("room");
        assert_eq!(collect(&mut tail), ["one"]);
        let mut file = File::options().append(true).open(&path).expect("a file");
        file.write_all(b", it goes on\nnext\n\nlast\n").expect("room");
        assert_eq!(collect(&mut tail), ["endl", "next", "", "last"]);
        assert_eq!(tail.finish(), None);
    }

    #[test]
    fn the_end_begins_with_a_whole_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("stdout");
        std::fs::write(&path, "first line\nsecond\nthird\n").expect("room");
        assert_eq!(end_of(&path, 16).expect("readable"), b"second\nthird\n");
        assert_eq!(end_of(&path, 1000).expect("readable"), b"first line\nsecond\nthird\n");
        assert_eq!(end_of(&folder.path().join("none"), 10).expect("nothing is no error"), b"");
    }
}
