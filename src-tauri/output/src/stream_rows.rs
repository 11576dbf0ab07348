//! The rows of a part of one stream.
//!
//! A row's place is that of the line that began it. Its content also depends on bytes around that
//! line: colors that were set before, and later lines that redraw it. How far to look is bounded,
//! so that any part of a stream of any size takes about the same time.

use std::io;

use crate::StyledRange;
use crate::escape_scan::{last_cursor_up, style_begin};
use crate::line_starts::{first_start, pieces};
use crate::screen::{Screen, ScreenRow};
use crate::source::StreamReader;

/// The maximum length of a row, in characters. Longer rows are split.
pub(crate) const MAX_ROW: usize = 4_096;
/// How far before a part colors and progress bars are looked for, in bytes.
pub(crate) const LOOK_BEHIND: u64 = 64 * 1024;
/// How far before a part a progress bar is replayed, in bytes.
const REPLAY: u64 = 256 * 1024;
/// How far after a part a progress bar is followed, in bytes: over 10,000 lines in most logs.
const LOOK_AHEAD: u64 = 4 * 1024 * 1024;

/// A row, with its place in the stream.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct StreamRow {
    pub(crate) offset: u64,
    pub(crate) text: String,
    pub(crate) styles: Vec<StyledRange>,
    pub(crate) continued: bool,
}

/// The rows of a part of a stream.
#[derive(Debug, Default)]
pub(crate) struct StreamRows {
    pub(crate) rows: Vec<StreamRow>,
    /// Where lines begin, also those that only redraw earlier rows.
    pub(crate) line_starts: Vec<u64>,
}

/// The rows whose lines begin in `from..to`.
pub(crate) fn rows_between(
    reader: &mut StreamReader,
    from: u64,
    to: u64,
) -> io::Result<StreamRows> {
    let from = first_start(reader, from)?;
    let to = first_start(reader, to)?;
    if from >= to {
        return Ok(StreamRows::default());
    }
    let bytes = reader.bytes(from, to)?;
    let continued = is_continued(reader, from)?;
    let (begin, end) = surroundings(reader, from, to, &bytes)?;
    let mut screen = Screen::new();
    print(&mut screen, &reader.bytes(begin, from)?, begin, true);
    print(&mut screen, &bytes, from, continued);
    print(
        &mut screen,
        &reader.bytes(to, end)?,
        to,
        is_continued(reader, to)?,
    );
    let range = from..to;
    let rows = screen.rows().iter();
    let rows = rows.filter(|row| range.contains(&row.offset));
    Ok(StreamRows {
        rows: rows.flat_map(|row| split(&screen, row)).collect(),
        line_starts: line_starts(&bytes, from, continued),
    })
}

fn is_continued(reader: &mut StreamReader, start: u64) -> io::Result<bool> {
    Ok(start > 0 && reader.bytes(start - 1, start)? != b"\n")
}

/// The part that has to be printed so that the rows of `from..to` are right.
fn surroundings(
    reader: &mut StreamReader,
    from: u64,
    to: u64,
    bytes: &[u8],
) -> io::Result<(u64, u64)> {
    let behind = from.saturating_sub(LOOK_BEHIND);
    let before = reader.bytes(behind, from)?;
    let end = redraw_end(reader, to)?;
    if end > to || last_cursor_up(bytes).is_some() || last_cursor_up(&before).is_some() {
        let begin = first_start(reader, from.saturating_sub(REPLAY))?;
        return Ok((begin.min(from), end));
    }
    Ok((behind + style_begin(&before) as u64, end))
}

/// Where the redraws end that may reach back from `to`: the first part of [`LOOK_BEHIND`] bytes
/// without one.
fn redraw_end(reader: &mut StreamReader, to: u64) -> io::Result<u64> {
    let mut end = to;
    while end < reader.length && end - to < LOOK_AHEAD {
        let ahead = reader.bytes(end, end + LOOK_BEHIND)?;
        if last_cursor_up(&ahead).is_none() {
            break;
        }
        end = first_start(reader, end + LOOK_BEHIND)?;
    }
    Ok(end)
}

fn print(screen: &mut Screen, bytes: &[u8], offset: u64, continued: bool) {
    for piece in pieces(bytes, offset, continued) {
        let start = offset + piece.bytes.start as u64;
        screen.print(&bytes[piece.bytes], start, piece.continued);
    }
}

fn line_starts(bytes: &[u8], offset: u64, continued: bool) -> Vec<u64> {
    pieces(bytes, offset, continued)
        .filter(|piece| !piece.continued)
        .map(|piece| offset + piece.bytes.start as u64)
        .collect()
}

/// Splits a row that is too long to be shown at once. The parts have the places of the first bytes
/// of their line, which are different and before the next line.
fn split<'a>(screen: &'a Screen, row: &'a ScreenRow) -> impl Iterator<Item = StreamRow> + 'a {
    let parts = row.length().div_ceil(MAX_ROW).max(1);
    let parts = parts.min(usize::try_from(row.bytes).unwrap_or(usize::MAX));
    (0..parts).map(move |part| {
        let begin = part * MAX_ROW;
        let end = (begin + MAX_ROW).min(row.length());
        let (text, styles) = screen.text(row, begin..end);
        StreamRow {
            offset: row.offset + part as u64,
            text,
            styles,
            continued: row.continued || part > 0,
        }
    })
}
