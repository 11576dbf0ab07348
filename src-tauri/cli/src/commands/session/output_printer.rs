//! Prints rows of output as lines.

use baton_api::wire::{OutputRow, OutputStream};

use crate::failure::Failure;
use crate::output::Output;

/// Prints rows in order. A very long line is several rows, which are joined again.
pub(super) struct OutputPrinter<'a> {
    output: &'a Output,
    joins_rows: bool,
    /// The stream of the last row, whose line isn't ended yet.
    open: Option<OutputStream>,
}

impl<'a> OutputPrinter<'a> {
    pub(super) fn new(output: &'a Output, joins_rows: bool) -> Self {
        Self {
            output,
            joins_rows,
            open: None,
        }
    }

    pub(super) fn print(&mut self, rows: &[OutputRow]) -> Result<(), Failure> {
        if self.output.json {
            return rows.iter().try_for_each(|row| self.output.json(row));
        }
        let mut text = String::new();
        for row in rows {
            self.append(row, &mut text);
        }
        self.output.text(&text)
    }

    /// Ends the line of the last row.
    pub(super) fn end_line(&mut self) -> Result<(), Failure> {
        match self.open.take() {
            Some(_) => self.output.text("\n"),
            None => Ok(()),
        }
    }

    fn append(&mut self, row: &OutputRow, text: &mut String) {
        let continues = self.joins_rows && row.continued && self.open == Some(row.stream);
        if self.open.is_some() && !continues {
            text.push('\n');
        }
        text.push_str(&row.text);
        self.open = Some(row.stream);
    }
}
