//! The size of a terminal.

use portable_pty::PtySize;

/// Columns and rows of characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TerminalSize {
    columns: u16,
    rows: u16,
}

/// No screen shows more, and programs allocate by it.
const MAX: u16 = 2000;

impl TerminalSize {
    /// A size; values that no program can work with are moved to the nearest ones.
    #[must_use]
    pub fn new(columns: u16, rows: u16) -> Self {
        Self {
            columns: columns.clamp(2, MAX),
            rows: rows.clamp(1, MAX),
        }
    }

    pub(crate) fn in_cells(self) -> PtySize {
        PtySize {
            rows: self.rows,
            cols: self.columns,
            pixel_width: 0,
            pixel_height: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_is_at_least_one_wide_character_and_at_most_a_large_screen() {
        for ((columns, rows), expected) in [
            ((80, 24), (80, 24)),
            ((0, 0), (2, 1)),
            ((u16::MAX, u16::MAX), (MAX, MAX)),
        ] {
            let cells = TerminalSize::new(columns, rows).in_cells();
            assert_eq!((cells.cols, cells.rows), expected);
        }
    }
}
