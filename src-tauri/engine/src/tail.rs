//! Reads new lines of a growing file, and the end of a finished one.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use baton_keeper::session_file;

/// How many bytes are read at once. A longer line is assembled from several reads.
const CHUNK: usize = 256 * 1024;
/// The maximum number of bytes returned of one line; the rest stays in the file. Agents write 5 MB
/// images into a line.
const LINE_LIMIT: usize = 16 * 1024 * 1024;

/// A file that grows, read from its beginning.
pub(crate) struct Tail {
    path: PathBuf,
    file: Option<File>,
    rest: Vec<u8>,
    /// The offset at which the current line begins, and how much was read.
    begins: u64,
    read: u64,
    limit: usize,
}

/// A line without its newline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    /// The line's offset in the file.
    pub(crate) begins: u64,
    pub(crate) bytes: &'a [u8],
}

impl Tail {
    /// The file at `path`, which need not exist yet.
    pub(crate) fn new(path: PathBuf) -> Self {
        Self {
            path,
            file: None,
            rest: Vec::new(),
            begins: 0,
            read: 0,
            limit: LINE_LIMIT,
        }
    }

    /// Passes all complete lines since the last call to `take`, in batches.
    pub(crate) fn lines(&mut self, mut take: impl FnMut(&[Line<'_>])) -> io::Result<()> {
        let mut file = match self.file.take() {
            Some(file) => file,
            None => match session_file::open(&self.path) {
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
            let before = self.read;
            self.read += length as u64;
            let Some(end) = chunk[..length].iter().rposition(|&byte| byte == b'\n') else {
                self.append(&chunk[..length]);
                continue;
            };
            let first = chunk[..=end]
                .iter()
                .position(|&byte| byte == b'\n')
                .unwrap_or(end);
            self.append(&chunk[..first]);
            let others = chunk
                .get(first + 1..end)
                .map(|others| others.split(|&byte| byte == b'\n'));
            let mut lines = vec![Line {
                begins: self.begins,
                bytes: self.rest.as_slice(),
            }];
            let mut begins = before + first as u64 + 1;
            for bytes in others.into_iter().flatten() {
                lines.push(Line { begins, bytes });
                begins += bytes.len() as u64 + 1;
            }
            take(&lines);
            self.rest.clear();
            self.begins = before + end as u64 + 1;
            self.append(&chunk[end + 1..length]);
        }
        self.file = Some(file);
        Ok(())
    }

    /// Appends to the current line, up to the limit.
    fn append(&mut self, bytes: &[u8]) {
        let room = self.limit.saturating_sub(self.rest.len());
        self.rest.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    /// The last line, if it has no newline.
    pub(crate) fn finish(&mut self) -> Option<(u64, Vec<u8>)> {
        (!self.rest.is_empty()).then(|| (self.begins, std::mem::take(&mut self.rest)))
    }
}

/// At most the last `limit` bytes of a file, starting with a whole line if there is one. Empty when
/// the file is missing.
pub(crate) fn end_of(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut file = match session_file::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        opened => opened?,
    };
    let length = file.metadata()?.len();
    let from = length.saturating_sub(limit);
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(limit).read_to_end(&mut bytes)?;
    let first_end = bytes
        .iter()
        .position(|&byte| byte == b'\n')
        .filter(|&at| from > 0 && at + 1 < bytes.len());
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
        let take = |some: &[Line<'_>]| {
            lines.extend(some.iter().map(|line| {
                (
                    line.begins,
                    String::from_utf8_lossy(line.bytes).into_owned(),
                )
            }));
        };
        tail.lines(take).expect("a readable file");
        let whole = std::fs::read(&tail.path).unwrap_or_default();
        for (begins, text) in &lines {
            let begins = usize::try_from(*begins).expect("a small file");
            assert!(
                whole[begins..].starts_with(text.as_bytes()),
                "{text} begins at {begins}"
            );
            assert!(
                begins == 0 || whole[begins - 1] == b'\n',
                "{text} begins at {begins}"
            );
        }
        lines.into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn each_complete_line_is_returned_once() {
        let folder = tempfile::tempdir().expect("temp dir");
        let path = folder.path().join("stdout");
        let mut tail = Tail::new(path.clone());
        assert!(collect(&mut tail).is_empty(), "the file may come later");
        let mut file = File::create(&path).expect("create file");
        file.write_all(b"one\ntw").expect("write file");
        assert_eq!(collect(&mut tail), ["one"]);
        file.write_all(b"o\n\nthree").expect("write file");
        assert_eq!(collect(&mut tail), ["two", ""]);
        assert_eq!(tail.finish(), Some((9, b"three".to_vec())));
        assert_eq!(tail.finish(), None);
    }

    #[test]
    fn overlong_line_is_truncated() {
        let folder = tempfile::tempdir().expect("temp dir");
        let path = folder.path().join("stdout");
        let mut tail = Tail {
            limit: 4,
            ..Tail::new(path.clone())
        };
        std::fs::write(&path, "one\nendless").expect("write file");
        assert_eq!(collect(&mut tail), ["one"]);
        let mut file = File::options().append(true).open(&path).expect("a file");
        file.write_all(b", and more\nnext\n\nlast\n")
            .expect("write file");
        assert_eq!(collect(&mut tail), ["endl", "next", "", "last"]);
        assert_eq!(tail.finish(), None);
    }

    #[test]
    fn end_of_file_starts_at_a_line_boundary() {
        let folder = tempfile::tempdir().expect("temp dir");
        let path = folder.path().join("stdout");
        std::fs::write(&path, "first line\nsecond\nthird\n").expect("write file");
        assert_eq!(end_of(&path, 16).expect("readable"), b"second\nthird\n");
        assert_eq!(
            end_of(&path, 1000).expect("readable"),
            b"first line\nsecond\nthird\n"
        );
        assert_eq!(
            end_of(&folder.path().join("none"), 10).expect("missing file is no error"),
            b""
        );
    }
}
