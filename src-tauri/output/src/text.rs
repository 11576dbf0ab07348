//! The text of a part of an output, to be copied.

use std::io;

use crate::window::BLOCK;
use crate::{OutputRow, OutputStream, OutputView};

/// The maximum number of blocks that one call returns: 4 MiB.
const MAX_BLOCKS: u64 = 64;

/// The text of a part.
#[derive(Debug, PartialEq, Eq)]
pub struct CopiedPart {
    /// The text, with a newline after each line.
    pub text: String,
    /// Where the text continues.
    pub next: u64,
}

impl OutputView<'_> {
    /// The text of the rows that begin at positions `from..to`, as it is shown.
    ///
    /// # Errors
    /// When the output cannot be read.
    pub fn text(&mut self, from: u64, to: u64) -> io::Result<CopiedPart> {
        let to = to.min(self.order.size());
        let next = to.min(part_end(from));
        let rows = self.block(from, next)?;
        let follows = match rows.last() {
            Some(_) if next < self.order.size() => self.next_row(next)?,
            _ => None,
        };
        let mut text = String::new();
        for (index, row) in rows.iter().enumerate() {
            text.push_str(&row.text);
            let next = rows.get(index + 1).or(follows.as_ref());
            if !next.is_some_and(|next| continues(row, next)) {
                text.push('\n');
            }
        }
        Ok(CopiedPart { text, next })
    }

    /// The bytes of the lines that begin at positions `from..to`, with the codes for colors, as
    /// text. Progress bars are not collapsed: a terminal does that.
    ///
    /// # Errors
    /// When the output cannot be read.
    pub fn raw_text(&mut self, from: u64, to: u64) -> io::Result<CopiedPart> {
        let to = to.min(self.order.size());
        let next = to.min(part_end(from));
        let mut lines = Vec::new();
        let (first, last) = (
            self.order.lengths_before(from),
            self.order.lengths_before(next),
        );
        for stream in OutputStream::ALL {
            let order = self.order;
            let found = self
                .reader(stream)
                .lines(first.of(stream), last.of(stream))?;
            let placed = found
                .into_iter()
                .map(|(offset, line)| (order.position(stream, offset), line));
            lines.extend(placed);
        }
        lines.sort_unstable_by_key(|(position, _)| *position);
        let bytes: Vec<u8> = lines.into_iter().flat_map(|(_, line)| line).collect();
        Ok(CopiedPart {
            text: String::from_utf8_lossy(&bytes).into_owned(),
            next,
        })
    }

    fn next_row(&mut self, position: u64) -> io::Result<Option<OutputRow>> {
        let end = (position + BLOCK).min(self.order.size());
        Ok(self.block(position, end)?.into_iter().next())
    }
}

fn part_end(from: u64) -> u64 {
    from - from % BLOCK + MAX_BLOCKS * BLOCK
}

/// Whether `next` is on the same line, cut only because the line is very long.
fn continues(row: &OutputRow, next: &OutputRow) -> bool {
    next.continued && next.stream == row.stream
}
