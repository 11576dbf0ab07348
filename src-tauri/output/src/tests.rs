//! Tests of whole outputs.

mod any_bytes;
mod rendering;
mod windows;

use crate::source::MemorySource;
use crate::{
    LineNumbers, OutputRow, OutputView, PrintOrder, RowWindow, StreamGrowth, StreamLengths,
};

/// An output in memory.
struct Output {
    source: MemorySource,
    order: PrintOrder,
    lines: LineNumbers,
}

impl Output {
    fn new(stdout: &[u8], stderr: &[u8], notes: Vec<StreamGrowth>) -> Self {
        let source = MemorySource {
            stdout: stdout.to_vec(),
            stderr: stderr.to_vec(),
        };
        let lengths = StreamLengths {
            stdout: stdout.len() as u64,
            stderr: stderr.len() as u64,
        };
        let mut order = PrintOrder::default();
        order.update(notes, lengths);
        let mut lines = LineNumbers::default();
        lines
            .count_more(&mut source.clone(), lengths, u64::MAX)
            .unwrap();
        Self {
            source,
            order,
            lines,
        }
    }

    fn stdout(bytes: &[u8]) -> Self {
        Self::new(bytes, b"", Vec::new())
    }

    fn view(&mut self) -> OutputView<'_> {
        OutputView {
            source: &mut self.source,
            order: &self.order,
            lines: &self.lines,
        }
    }

    fn window(&mut self, position: u64, before: usize, after: usize) -> RowWindow {
        self.view().window(position, before, after).unwrap()
    }

    /// All rows, a window at a time.
    fn rows(&mut self) -> Vec<OutputRow> {
        let mut rows: Vec<OutputRow> = Vec::new();
        loop {
            let from = rows.last().map_or(0, |row| row.position + 1);
            let window = self.window(from, 0, 100);
            let known = rows.last().map_or(0, |row| row.position + 1);
            let fresh = window.rows.into_iter().filter(|row| row.position >= known);
            rows.extend(fresh);
            if window.at_end {
                return rows;
            }
        }
    }

    fn texts(&mut self) -> Vec<String> {
        self.rows().into_iter().map(|row| row.text).collect()
    }
}
