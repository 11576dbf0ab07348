//! The rows around a place, of both streams in the order in which they were printed.

use std::io;

use crate::source::StreamReader;
use crate::stream_rows::{StreamRow, rows_between};
use crate::{LineNumbers, OutputRow, OutputSource, OutputStream, PrintOrder};

/// The output is rendered in blocks that begin at multiples of this length, in bytes.
pub(crate) const BLOCK: u64 = 64 * 1024;
/// The maximum number of blocks that one request renders. Only progress bars have few rows in
/// many bytes.
const MAX_BLOCKS: usize = 128;

/// Rows in order, without a gap.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RowWindow {
    /// The rows.
    pub rows: Vec<OutputRow>,
    /// Index in `rows` of the row that contains the requested position.
    pub anchor: usize,
    /// `rows` begins with the first row.
    pub at_start: bool,
    /// `rows` ends with the last row.
    pub at_end: bool,
}

/// An output: its bytes, their order, and what is known about its lines.
pub struct OutputView<'a> {
    /// The bytes.
    pub source: &'a mut dyn OutputSource,
    /// Their order.
    pub order: &'a PrintOrder,
    /// The lines counted so far.
    pub lines: &'a LineNumbers,
}

impl OutputView<'_> {
    /// Up to `before` rows before the one that contains `position`, and up to `after` rows from it
    /// on. With the output's size as position, that is the end: all rows are before it.
    ///
    /// # Errors
    /// When the output cannot be read.
    pub fn window(&mut self, position: u64, before: usize, after: usize) -> io::Result<RowWindow> {
        let size = self.order.size();
        let position = position.min(size);
        let is_end = position == size;
        let wanted_before = if is_end {
            before
        } else {
            before.saturating_add(1)
        };

        let mut blocks_left = MAX_BLOCKS;
        let mut begin = position - position % BLOCK;
        let mut end = (begin + BLOCK).min(size);
        let mut rows = self.block(begin, end)?;
        // The row that contains the position may begin blocks before it.
        while count_until(&rows, position) < wanted_before && begin > 0 && blocks_left > 0 {
            let earlier = begin - BLOCK;
            let mut block = self.block(earlier, begin)?;
            block.append(&mut rows);
            (rows, begin) = (block, earlier);
            blocks_left -= 1;
        }
        while rows.len() - count_before_anchor(&rows, position, is_end) < after
            && end < size
            && blocks_left > 0
        {
            let later = (end + BLOCK).min(size);
            rows.append(&mut self.block(end, later)?);
            end = later;
            blocks_left -= 1;
        }
        Ok(cut(
            rows,
            position,
            is_end,
            before,
            after,
            begin == 0,
            end == size,
        ))
    }

    /// The rows whose lines begin at positions `from..to`.
    pub(crate) fn block(&mut self, from: u64, to: u64) -> io::Result<Vec<OutputRow>> {
        let (mut rows, mut starts) = (Vec::new(), Vec::new());
        let (first, last) = (
            self.order.lengths_before(from),
            self.order.lengths_before(to),
        );
        for stream in OutputStream::ALL {
            let part = rows_between(&mut self.reader(stream), first.of(stream), last.of(stream))?;
            let order = self.order;
            rows.extend(
                part.rows
                    .into_iter()
                    .map(|row| output_row(order, stream, row)),
            );
            starts.extend(
                part.line_starts
                    .iter()
                    .map(|&start| order.position(stream, start)),
            );
        }
        rows.sort_unstable_by_key(|row| row.position);
        starts.sort_unstable();
        if let Some(before) = self.lines.lines_before(self.source, self.order, from)? {
            for row in rows.iter_mut().filter(|row| !row.continued) {
                let index = starts.partition_point(|&start| start <= row.position);
                row.line = Some(before + index as u64);
            }
        }
        Ok(rows)
    }

    pub(crate) fn reader(&mut self, stream: OutputStream) -> StreamReader<'_> {
        StreamReader {
            source: self.source,
            stream,
            length: self.order.lengths().of(stream),
        }
    }
}

fn output_row(order: &PrintOrder, stream: OutputStream, row: StreamRow) -> OutputRow {
    OutputRow {
        position: order.position(stream, row.offset),
        stream,
        at_ms: order.time(stream, row.offset),
        text: row.text,
        styles: row.styles,
        line: None,
        continued: row.continued,
    }
}

/// The number of rows that begin at or before `position`.
fn count_until(rows: &[OutputRow], position: u64) -> usize {
    rows.partition_point(|row| row.position <= position)
}

fn count_before_anchor(rows: &[OutputRow], position: u64, is_end: bool) -> usize {
    let until = count_until(rows, position);
    if is_end {
        until
    } else {
        until.saturating_sub(1)
    }
}

fn cut(
    mut rows: Vec<OutputRow>,
    position: u64,
    is_end: bool,
    before: usize,
    after: usize,
    has_start: bool,
    has_end: bool,
) -> RowWindow {
    let anchor = count_before_anchor(&rows, position, is_end);
    let end = anchor.saturating_add(after).min(rows.len());
    let begin = anchor.saturating_sub(before);
    let at_end = has_end && end == rows.len();
    rows.truncate(end);
    rows.drain(..begin);
    RowWindow {
        rows,
        anchor: anchor - begin,
        at_start: has_start && begin == 0,
        at_end,
    }
}
