//! Reads the rows of a session's output in parts, forwards, and finds the last ones.

use std::collections::BTreeSet;

use baton_api::wire::*;
use baton_model::SessionId;

use crate::client::Client;
use crate::failure::Failure;

/// The number of rows, or of matches, of one request.
const BATCH: u32 = 2_000;
/// The output is rendered in blocks of this many bytes. A block can be without a row: of a progress
/// bar, only the line remains that began it.
const BLOCK: u64 = 64 * 1024;
/// One request for rows before a position reads at most this many bytes.
const LONGEST_READ: u64 = 128 * BLOCK;
/// How many rows from the end are checked for lines that are not complete.
const OPEN_ROWS: u32 = 50;

/// Which rows to read.
#[derive(Debug, Clone, Default)]
pub(super) struct RowFilter {
    /// `None` for both.
    pub(super) stream: Option<OutputStream>,
    pub(super) pattern: Option<OutputPattern>,
}

/// How much output there is. Positions count the bytes of both streams in printed order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    pub(super) size: u64,
    /// Rows before this position don't change anymore.
    pub(super) finished: u64,
    pub(super) ended: bool,
}

/// The rows of an output that pass a filter.
pub(super) struct OutputRows<'a> {
    client: &'a Client<'a>,
    session: SessionId,
    filter: RowFilter,
    /// Rows that begin before this position were read.
    next: u64,
}

impl<'a> OutputRows<'a> {
    pub(super) fn new(client: &'a Client<'a>, session: SessionId, filter: RowFilter) -> Self {
        Self {
            client,
            session,
            filter,
            next: 0,
        }
    }

    /// Where the next part begins.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// Whether all rows of a line are read, and not only those that match.
    pub(super) fn prints_whole_lines(&self) -> bool {
        self.filter.pattern.is_none()
    }

    /// Fails if the expression is invalid, even if there is no output to search.
    pub(super) fn check_pattern(&self) -> Result<(), Failure> {
        if let Some(pattern) = &self.filter.pattern {
            self.search(pattern, 0, true, 1)?;
        }
        Ok(())
    }

    pub(super) fn extent(&self) -> Result<Extent, Failure> {
        let view = self.window(OutputAnchor::End, OPEN_ROWS, 0)?;
        let mut finished = view.settled;
        if !view.ended {
            for stream in [OutputStream::Stdout, OutputStream::Stderr] {
                // Only the first row of a long line has the line's position.
                let last = view
                    .rows
                    .iter()
                    .rfind(|row| row.stream == stream && !row.continued);
                if let Some(row) = last.filter(|row| row.position < finished)
                    && !self.is_complete(row.position)?
                {
                    finished = row.position;
                }
            }
        }
        Ok(Extent {
            size: view.size,
            finished,
            ended: view.ended,
        })
    }

    /// Reads the next rows before `end`. Makes progress, but may return none.
    pub(super) fn next_matches(&mut self, end: u64) -> Result<Vec<OutputRow>, Failure> {
        let stream = self.filter.stream;
        let mut rows = match self.filter.pattern.clone() {
            Some(pattern) => self.next_hits(&pattern, end)?,
            None => self.next_rows(end)?,
        };
        rows.retain(|row| stream.is_none_or(|stream| stream == row.stream));
        Ok(rows)
    }

    /// Continues with the last `count` rows before `end`, or with all if there are fewer.
    pub(super) fn seek_last(&mut self, count: u32, end: u64) -> Result<(), Failure> {
        self.next = end;
        let (mut before, mut left) = (end, count);
        while left > 0 && before > 0 {
            let (found, earlier) = match &self.filter.pattern {
                Some(pattern) => self.hits_before(pattern, before, left)?,
                None => self.rows_before(before)?,
            };
            for position in found.into_iter().take(left as usize) {
                self.next = position;
                left -= 1;
            }
            before = earlier;
        }
        if left > 0 {
            self.next = 0;
        }
        Ok(())
    }

    fn next_rows(&mut self, end: u64) -> Result<Vec<OutputRow>, Failure> {
        let anchor = OutputAnchor::Position {
            position: self.next,
        };
        let view = self.window(anchor, 0, BATCH)?;
        let reaches_end = view.at_end || view.rows.last().is_some_and(|row| row.position >= end);
        let wanted = self.next..end;
        let rows: Vec<_> = view
            .rows
            .into_iter()
            .filter(|row| wanted.contains(&row.position))
            .collect();
        self.next = match rows.last() {
            Some(row) => row.position + 1,
            None if reaches_end => end,
            None => (self.next - self.next % BLOCK + BLOCK).min(end),
        };
        Ok(rows)
    }

    fn next_hits(&mut self, pattern: &OutputPattern, end: u64) -> Result<Vec<OutputRow>, Failure> {
        let found = self.search(pattern, self.next, false, BATCH)?;
        let end = found.searched_to.min(end);
        let hits: BTreeSet<u64> = found.hits.iter().map(|hit| hit.row).collect();
        let mut rows = Vec::new();
        while let Some(&position) = hits.range(self.next..).next().filter(|row| **row < end) {
            self.next = position;
            let mut part = self.next_rows(end)?;
            part.retain(|row| hits.contains(&row.position));
            rows.append(&mut part);
        }
        self.next = end.max(self.next);
        Ok(rows)
    }

    /// The positions of rows before `end`, the last one first, and where earlier ones end.
    fn rows_before(&self, end: u64) -> Result<(Vec<u64>, u64), Failure> {
        // The row that contains the position may begin before it.
        let view = self.window(OutputAnchor::Position { position: end }, BATCH, 1)?;
        let rows = || view.rows.iter().filter(move |row| row.position < end);
        let earlier = match rows().next() {
            _ if view.at_start => 0,
            Some(row) => row.position,
            None => end.saturating_sub(LONGEST_READ),
        };
        let stream = self.filter.stream;
        let found = rows()
            .rev()
            .filter(|row| stream.is_none_or(|stream| stream == row.stream))
            .map(|row| row.position);
        Ok((found.collect(), earlier))
    }

    fn hits_before(
        &self,
        pattern: &OutputPattern,
        end: u64,
        limit: u32,
    ) -> Result<(Vec<u64>, u64), Failure> {
        let found = self.search(pattern, end, true, limit.min(BATCH))?;
        let mut rows: Vec<u64> = found.hits.iter().map(|hit| hit.row).collect();
        rows.dedup();
        let mut wanted = Vec::with_capacity(rows.len());
        for position in rows {
            if self.is_wanted(position)? {
                wanted.push(position);
            }
        }
        Ok((wanted, found.searched_to))
    }

    fn is_wanted(&self, position: u64) -> Result<bool, Failure> {
        let Some(stream) = self.filter.stream else {
            return Ok(true);
        };
        let view = self.window(OutputAnchor::Position { position }, 0, 1)?;
        Ok(view.rows.first().is_some_and(|row| row.stream == stream))
    }

    /// Whether the line that begins at `position` has its end.
    fn is_complete(&self, position: u64) -> Result<bool, Failure> {
        let range = OutputTextRange {
            session: self.session,
            from: position,
            to: position + 1,
            colors: true,
        };
        let line: OutputText = self.client.ask("load the output", "output_text", &range)?;
        Ok(line.text.ends_with('\n'))
    }

    fn window(
        &self,
        anchor: OutputAnchor,
        before: u32,
        after: u32,
    ) -> Result<OutputWindowView, Failure> {
        let input = OutputWindow {
            session: self.session,
            anchor,
            before,
            after,
        };
        self.client.ask("load the output", "output_window", &input)
    }

    fn search(
        &self,
        pattern: &OutputPattern,
        from: u64,
        backwards: bool,
        limit: u32,
    ) -> Result<OutputHits, Failure> {
        let input = OutputSearch {
            session: self.session,
            pattern: pattern.clone(),
            from,
            backwards,
            limit,
        };
        self.client
            .ask("search the output", "output_search", &input)
    }
}
