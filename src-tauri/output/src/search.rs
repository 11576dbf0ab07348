//! Searches output part by part: each call reads a bounded number of bytes.

use std::io;

use crate::escape_scan::{last_cursor_up, visible_bytes};
use crate::line_starts::first_start;
use crate::pattern::OutputMatcher;
use crate::stream_rows::LOOK_BEHIND;
use crate::window::BLOCK;
use crate::{OutputHit, OutputRow, OutputStream, OutputView};

/// The maximum number of blocks that one call searches: 16 MiB.
const MAX_BLOCKS: u64 = 256;
/// Bytes are first looked at in chunks of this length: most chunks have no match at all.
const CHUNK: u64 = 8 * BLOCK;
/// After as many blocks with a match, a call returns what it has, so that first matches come soon.
const MAX_RENDERED_BLOCKS: u32 = 24;

/// The matches in a part of an output.
#[derive(Debug, PartialEq, Eq)]
pub struct SearchedPart {
    /// The matches, in the order of the search.
    pub hits: Vec<OutputHit>,
    /// Where the search continues.
    pub next: u64,
}

impl OutputView<'_> {
    /// Searches lines that begin at position `from` or later, for as long as one call may take.
    ///
    /// # Errors
    /// When the output cannot be read.
    pub fn search(
        &mut self,
        matcher: &OutputMatcher,
        from: u64,
        limit: usize,
    ) -> io::Result<SearchedPart> {
        let size = self.order.size();
        let last = from.saturating_add(MAX_BLOCKS * BLOCK).min(size);
        let mut rendered = 0;
        let mut part = SearchedPart {
            hits: Vec::new(),
            next: from.min(size),
        };
        while part.next < last && rendered < MAX_RENDERED_BLOCKS {
            let chunk = part.next + CHUNK;
            if part.next.is_multiple_of(CHUNK)
                && !self.may_match(matcher, part.next, chunk.min(size))?
            {
                part.next = chunk.min(size);
                continue;
            }
            let end = (part.next - part.next % BLOCK + BLOCK).min(size);
            if self.may_match(matcher, part.next, end)? {
                rendered += 1;
                let rows = self.block(part.next, end)?;
                for (index, row) in rows.iter().enumerate() {
                    part.hits.extend(hits(matcher, row));
                    // A long line is searched whole: a search continues at the start of a line.
                    let ends_line = rows.get(index + 1).is_none_or(|next| !next.continued);
                    if part.hits.len() >= limit && ends_line {
                        part.next = row.position + 1;
                        return Ok(part);
                    }
                }
            }
            part.next = end;
        }
        Ok(part)
    }

    /// Searches lines that begin before position `from`, the last one first.
    ///
    /// # Errors
    /// When the output cannot be read.
    pub fn search_backwards(
        &mut self,
        matcher: &OutputMatcher,
        from: u64,
        limit: usize,
    ) -> io::Result<SearchedPart> {
        let from = from.min(self.order.size());
        let last = from.saturating_sub(MAX_BLOCKS * BLOCK);
        let mut rendered = 0;
        let mut part = SearchedPart {
            hits: Vec::new(),
            next: from,
        };
        while part.next > last && rendered < MAX_RENDERED_BLOCKS {
            if part.next.is_multiple_of(CHUNK)
                && !self.may_match(matcher, part.next - CHUNK, part.next)?
            {
                part.next -= CHUNK;
                continue;
            }
            let begin = (part.next - 1) - (part.next - 1) % BLOCK;
            if self.may_match(matcher, begin, part.next)? {
                rendered += 1;
                let rows = self.block(begin, part.next)?;
                for row in rows.iter().rev() {
                    let mut found: Vec<_> = hits(matcher, row).collect();
                    found.reverse();
                    part.hits.append(&mut found);
                    if part.hits.len() >= limit && !row.continued {
                        part.next = row.position;
                        return Ok(part);
                    }
                }
            }
            part.next = begin;
        }
        Ok(part)
    }

    /// Whether a row of `from..to` may have a match. Rendering is slow, so this looks at the bytes
    /// first. It may say yes for nothing, as for text that was overwritten.
    fn may_match(&mut self, matcher: &OutputMatcher, from: u64, to: u64) -> io::Result<bool> {
        let (first, last) = (
            self.order.lengths_before(from),
            self.order.lengths_before(to),
        );
        for stream in OutputStream::ALL {
            let (first, last) = (first.of(stream), last.of(stream));
            if first == last {
                continue;
            }
            let mut reader = self.reader(stream);
            let (begin, end) = (
                first_start(&mut reader, first)?,
                first_start(&mut reader, last)?,
            );
            // A redraw from outside may change what these lines show.
            let behind = begin.saturating_sub(LOOK_BEHIND);
            let around = reader.bytes(behind, end + LOOK_BEHIND)?;
            let at = |offset: u64| usize::try_from(offset - behind).unwrap_or(usize::MAX);
            let bytes = around.get(at(begin)..at(end)).unwrap_or(&around);
            let may_match = match visible_bytes(bytes) {
                Some(visible) => matcher.may_match(&visible),
                None => true,
            };
            if may_match || last_cursor_up(&around).is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn hits<'a>(
    matcher: &'a OutputMatcher,
    row: &'a OutputRow,
) -> impl Iterator<Item = OutputHit> + 'a {
    // Matches come in order, so the text between two of them is counted once.
    let (mut at, mut units) = (0, 0);
    matcher.matches(&row.text).map(move |range| {
        let mut units_at = |to: usize| {
            units += utf16_length(&row.text[at..to]);
            at = to;
            units
        };
        OutputHit {
            row: row.position,
            start: units_at(range.start),
            end: units_at(range.end),
        }
    })
}

fn utf16_length(text: &str) -> u32 {
    if text.is_ascii() {
        return text.len() as u32;
    }
    text.encode_utf16().count() as u32
}
