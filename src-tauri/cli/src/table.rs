//! Tables whose columns fit their content and the terminal's width.

use unicode_width::UnicodeWidthStr;

use crate::failure::Failure;
use crate::output::Output;
use crate::style::{self, Tone};

/// Columns are not truncated below this width.
const MIN_COLUMN_WIDTH: usize = 12;

/// The text of one cell, and its tone.
#[derive(Debug, Clone)]
pub(crate) struct Cell(pub(crate) String, pub(crate) Tone);

impl<T: AsRef<str>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self(style::one_line(text.as_ref()), Tone::Plain)
    }
}

impl Cell {
    /// Returns the cell with another tone.
    pub(crate) fn tone(self, tone: Tone) -> Self {
        Self(self.0, tone)
    }
}

/// Prints `rows` below `head`. On a terminal, the widest columns are truncated until the rows fit.
pub(crate) fn print<const N: usize>(
    output: &Output,
    head: [&str; N],
    rows: &[[Cell; N]],
) -> Result<(), Failure> {
    let widths = widths(head, rows, output.width());
    let head = head.map(|title| Cell::from(title).tone(Tone::Faint));
    for row in std::iter::once(&head).chain(rows) {
        output.line(&line(output, row, widths))?;
    }
    Ok(())
}

fn line<const N: usize>(output: &Output, row: &[Cell; N], widths: [usize; N]) -> String {
    let cells = row
        .iter()
        .zip(widths)
        .enumerate()
        .map(|(at, (Cell(text, tone), width))| {
            let text = style::cut(text, width);
            let gap = if at + 1 == N {
                0
            } else {
                width - text.width().min(width)
            };
            format!("{}{}", output.paint(&text, *tone), " ".repeat(gap))
        });
    cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
}

fn widths<const N: usize>(
    head: [&str; N],
    rows: &[[Cell; N]],
    available_width: Option<usize>,
) -> [usize; N] {
    let mut widths = head.map(UnicodeWidthStr::width);
    for row in rows {
        for (width, Cell(text, _)) in widths.iter_mut().zip(row) {
            *width = text.width().max(*width);
        }
    }
    let Some(available_width) = available_width else {
        return widths;
    };
    while widths.iter().sum::<usize>() + 2 * (N - 1) > available_width {
        match widths.iter_mut().max() {
            Some(widest) if *widest > MIN_COLUMN_WIDTH => *widest -= 1,
            _ => break,
        }
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widest_column_shrinks_first() {
        let rows = [["a".repeat(50), "b".repeat(20), "c".into()].map(Cell::from)];
        assert_eq!(widths(["x", "y", "z"], &rows, None), [50, 20, 1]);
        assert_eq!(widths(["x", "y", "z"], &rows, Some(60)), [35, 20, 1]);
        assert_eq!(
            widths(["x", "y", "z"], &rows, Some(10)),
            [12, 12, 1],
            "not below the minimum width"
        );
    }
}
