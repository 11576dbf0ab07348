//! Reads the part of a text file around a line, however large the file is.

use std::io::{self, Read, Seek, SeekFrom};

use memchr::{memchr, memchr_iter, memrchr};
use serde::{Deserialize, Serialize};

/// The most bytes of text that are returned.
pub(super) const MAX_TEXT_BYTES: u64 = 2 * 1024 * 1024;
/// How far a line is searched for.
const MAX_SEARCHED_BYTES: u64 = 1024 * 1024 * 1024;
const CHUNK_BYTES: usize = 64 * 1024;

/// A part of a text file. Lines end with a line feed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FileExcerpt {
    /// The text. Bytes that aren't UTF-8 are replaced.
    pub text: String,
    /// The number of its first line, from 1.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub first_line: u64,
    /// The number of lines of the whole file; null if they were not counted.
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub total_lines: Option<u64>,
    /// The file has more text before or after this part.
    pub truncated: bool,
}

/// What was found around a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum FilePart {
    Text(FileExcerpt),
    /// The part contains zero bytes.
    Binary,
    /// The line is too far from the start of the file.
    TooFar,
}

/// A place in a file, and the number of its line.
struct LinePlace {
    position: u64,
    line: u64,
}

/// Reads the part around `line`, or around the last line if the file has fewer.
pub(super) fn read_around(file: &mut (impl Read + Seek), line: u64) -> io::Result<FilePart> {
    let Some(place) = find_line(file, line.max(1))? else {
        return Ok(FilePart::TooFar);
    };
    let from = place.position.saturating_sub(MAX_TEXT_BYTES / 2);
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    // One more byte than is returned tells whether the file ends here.
    file.take(MAX_TEXT_BYTES + 1).read_to_end(&mut bytes)?;
    let limit = usize::try_from(MAX_TEXT_BYTES).unwrap_or(usize::MAX);
    let at_end = bytes.len() <= limit;
    bytes.truncate(limit);
    if memchr(0, &bytes).is_some() {
        return Ok(FilePart::Binary);
    }
    let anchor = usize::try_from(place.position - from)
        .unwrap_or(usize::MAX)
        .min(bytes.len());
    Ok(FilePart::Text(cut_to_lines(
        &bytes, anchor, place.line, from, at_end,
    )))
}

/// Leaves out the incomplete lines at both ends, but never the line at `anchor`.
fn cut_to_lines(bytes: &[u8], anchor: usize, line: u64, from: u64, at_end: bool) -> FileExcerpt {
    let begin = match memchr(b'\n', &bytes[..anchor]) {
        Some(newline) if from > 0 => newline + 1,
        _ => 0,
    };
    let end = match memrchr(b'\n', &bytes[anchor..]) {
        Some(newline) if !at_end => anchor + newline + 1,
        _ => bytes.len(),
    };
    let first_line = line - count_newlines(&bytes[begin..anchor]);
    let text = &bytes[begin..end];
    let unfinished_line = u64::from(text.last().is_some_and(|last| *last != b'\n'));
    let last_line = first_line + count_newlines(text) + unfinished_line - 1;
    FileExcerpt {
        text: String::from_utf8_lossy(text).into_owned(),
        first_line,
        total_lines: at_end.then_some(last_line),
        truncated: from > 0 || !at_end,
    }
}

/// The start of a line, or the last byte of a file with fewer lines; `None` if it is too far.
fn find_line(file: &mut (impl Read + Seek), wanted: u64) -> io::Result<Option<LinePlace>> {
    file.rewind()?;
    let mut chunk = vec![0; CHUNK_BYTES];
    let mut place = LinePlace {
        position: 0,
        line: 1,
    };
    let mut read_to: u64 = 0;
    let mut last_newline = None;
    while place.line < wanted {
        let count = file.read(&mut chunk)?;
        if count == 0 {
            return Ok(Some(last_line(place, last_newline, read_to)));
        }
        if read_to >= MAX_SEARCHED_BYTES {
            return Ok(None);
        }
        let missing = usize::try_from(wanted - place.line).unwrap_or(usize::MAX);
        let newlines = memchr_iter(b'\n', &chunk[..count]).take(missing);
        for newline in newlines {
            last_newline = Some(read_to + newline as u64);
            place.line += 1;
            place.position = read_to + newline as u64 + 1;
        }
        read_to += count as u64;
    }
    Ok(Some(place))
}

/// After a final line feed there is no further line.
fn last_line(place: LinePlace, last_newline: Option<u64>, size: u64) -> LinePlace {
    match last_newline {
        Some(newline) if place.position == size => LinePlace {
            position: newline,
            line: place.line - 1,
        },
        _ => place,
    }
}

fn count_newlines(bytes: &[u8]) -> u64 {
    memchr_iter(b'\n', bytes).count() as u64
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn part(content: impl AsRef<[u8]>, line: u64) -> FileExcerpt {
        match read_around(&mut Cursor::new(content.as_ref()), line).expect("readable") {
            FilePart::Text(text) => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn small_file_is_read_whole() {
        for (content, total) in [
            ("", 0),
            ("one", 1),
            ("one\n", 1),
            ("one\ntwo", 2),
            ("one\ntwo\n\n", 3),
        ] {
            for line in [0, 1, 2, 1_000_000, u64::MAX] {
                let found = part(content, line);
                assert_eq!(found.text, content, "line {line}");
                assert_eq!(found.first_line, 1, "{content:?} line {line}");
                assert_eq!(found.total_lines, Some(total), "{content:?} line {line}");
                assert!(!found.truncated);
            }
        }
    }

    #[test]
    fn part_of_a_large_file_has_whole_numbered_lines() {
        let content: String = (1..=1_000_000)
            .map(|number| format!("{number}\n"))
            .collect();
        for (line, at_end) in [(1, false), (2, false), (500_000, false), (1_000_000, true)] {
            let found = part(&content, line);
            assert!(found.text.len() as u64 <= MAX_TEXT_BYTES);
            assert!(found.truncated);
            let numbers: Vec<u64> = found
                .text
                .lines()
                .map(|number| number.parse().expect("a whole line"))
                .collect();
            assert_eq!(numbers[0], found.first_line, "line {line}");
            assert!(numbers.contains(&line), "line {line}");
            assert_eq!(
                found.total_lines,
                at_end.then_some(1_000_000),
                "line {line}"
            );
        }
        let beyond = part(&content, 2_000_000);
        assert!(beyond.text.ends_with("\n1000000\n"));
        assert_eq!(beyond.total_lines, Some(1_000_000));
    }

    #[test]
    fn very_long_lines_are_cut() {
        let long = "é".repeat(3 * 1024 * 1024);
        let content = format!("first\n{long}\nthird\n{long}");
        for (line, first_line, begins) in [(1, 1, "first\n"), (2, 1, "first\n"), (3, 3, "third\n")]
        {
            let found = part(&content, line);
            assert_eq!(found.first_line, first_line, "line {line}");
            assert!(found.text.starts_with(begins), "line {line}");
            assert!(found.truncated);
            assert!(found.text.len() as u64 <= MAX_TEXT_BYTES + 3);
        }
        let last = part(&content, 4);
        assert_eq!(last.first_line, 3, "the line before it is shown, too");
        assert!(last.truncated);
    }

    #[test]
    fn zero_bytes_make_a_file_binary() {
        let found = read_around(&mut Cursor::new(b"\x7fELF\0\0"), 1).expect("readable");
        assert_eq!(found, FilePart::Binary);
        assert_eq!(part(b"caf\xe9\n", 1).text, "caf\u{fffd}\n");
    }
}
