//! A terminal without a size: prints bytes to rows, and keeps all of them.
//!
//! It knows what programs use in logs: colors, links, carriage returns, and cursor movements that
//! redraw progress bars. Everything else is removed. A character is one column wide, whatever its
//! width, because only overwriting depends on it.

use vte::{Params, Parser, Perform};

use crate::{StyledRange, TerminalStyle, sgr};

/// Columns from this one on are left out. Long lines are cut before they are this long, so only
/// cursor movements lead there.
const MAX_COLUMNS: usize = 128 * 1024;
/// The longest link that is kept, in bytes, as in other terminals.
const MAX_LINK: usize = 2_083;

/// A row as printed.
#[derive(Debug, Default)]
pub(crate) struct ScreenRow {
    /// Offset in the stream of the line that began the row.
    pub(crate) offset: u64,
    /// How many bytes that line has.
    pub(crate) bytes: u64,
    /// The row continues the line of the row before it.
    pub(crate) continued: bool,
    cells: Vec<Cell>,
}

#[derive(Debug, Clone, Copy)]
struct Cell {
    character: char,
    /// Index in the styles of the screen.
    style: u32,
}

/// The rows of one stream.
pub(crate) struct Screen {
    parser: Parser,
    terminal: Terminal,
}

struct Terminal {
    rows: Vec<ScreenRow>,
    row: usize,
    column: usize,
    style: TerminalStyle,
    /// Index of `style` in `styles`, once something was printed in it.
    style_index: Option<u32>,
    styles: Vec<TerminalStyle>,
    /// The parser passed on the newline of the current line.
    line_ended: bool,
}

impl Screen {
    pub(crate) fn new() -> Self {
        let terminal = Terminal {
            rows: Vec::new(),
            row: 0,
            column: 0,
            style: TerminalStyle::default(),
            style_index: Some(0),
            styles: vec![TerminalStyle::default()],
            line_ended: false,
        };
        Self {
            parser: Parser::new(),
            terminal,
        }
    }

    /// Prints a line, or a piece of one, which begins at `offset` of the stream.
    pub(crate) fn print(&mut self, line: &[u8], offset: u64, continued: bool) {
        let terminal = &mut self.terminal;
        if continued {
            terminal.row = terminal.rows.len();
            terminal.column = 0;
        }
        if terminal.row == terminal.rows.len() {
            terminal.rows.push(ScreenRow {
                offset,
                bytes: line.len() as u64,
                continued,
                cells: Vec::new(),
            });
        }
        self.parser.advance(&mut self.terminal, line);
        if line.ends_with(b"\n") {
            self.end_line();
        }
    }

    /// A sequence that is not complete at a line's end is dropped. Otherwise the start of a string
    /// in arbitrary bytes would swallow all that follows.
    fn end_line(&mut self) {
        self.parser = Parser::new();
        let terminal = &mut self.terminal;
        if !std::mem::take(&mut terminal.line_ended) {
            terminal.execute(b'\n');
            terminal.line_ended = false;
        }
    }

    /// Forgets the rows, but not the style that holds after them.
    pub(crate) fn clear(&mut self) {
        let terminal = &mut self.terminal;
        terminal.rows.clear();
        (terminal.row, terminal.column) = (0, 0);
    }

    pub(crate) fn rows(&self) -> &[ScreenRow] {
        &self.terminal.rows
    }

    /// Whether the cursor stands in the last row, and nothing was printed there.
    pub(crate) fn ends_with_empty_row(&self) -> bool {
        let Terminal { rows, row, .. } = &self.terminal;
        row + 1 == rows.len() && rows[*row].cells.is_empty()
    }

    /// The text of a row's cells in `range`, and their styles.
    pub(crate) fn text(
        &self,
        row: &ScreenRow,
        range: std::ops::Range<usize>,
    ) -> (String, Vec<StyledRange>) {
        let mut text = String::with_capacity(range.len());
        let mut styles: Vec<StyledRange> = Vec::new();
        let (mut end, mut last) = (0, 0);
        for cell in &row.cells[range] {
            let start = end;
            text.push(cell.character);
            end += cell.character.len_utf16() as u32;
            match styles.last_mut() {
                _ if cell.style == 0 => {}
                Some(range) if cell.style == last && range.end == start => range.end = end,
                _ => styles.push(StyledRange {
                    start,
                    end,
                    style: self.terminal.styles[cell.style as usize].clone(),
                }),
            }
            last = cell.style;
        }
        (text, styles)
    }
}

impl ScreenRow {
    /// The number of characters.
    pub(crate) fn length(&self) -> usize {
        self.cells.len()
    }
}

impl Terminal {
    fn cells(&mut self) -> &mut Vec<Cell> {
        &mut self.rows[self.row].cells
    }

    fn style_index(&mut self) -> u32 {
        let index = self.style_index.unwrap_or_else(|| {
            let known = self.styles.iter().rposition(|style| *style == self.style);
            let index = known.unwrap_or_else(|| {
                self.styles.push(self.style.clone());
                self.styles.len() - 1
            });
            index as u32
        });
        self.style_index = Some(index);
        index
    }

    /// Fills up to the cursor, which may be right of the row's end.
    fn pad(&mut self) {
        let column = self.column;
        let space = Cell {
            character: ' ',
            style: 0,
        };
        let cells = self.cells();
        if cells.len() < column {
            cells.resize(column, space);
        }
    }

    fn erase_in_line(&mut self, what: u16) {
        let column = self.column;
        let cells = self.cells();
        match what {
            0 => cells.truncate(column),
            1 => {
                let erased = cells.len().min(column + 1);
                for cell in &mut cells[..erased] {
                    *cell = Cell {
                        character: ' ',
                        style: 0,
                    };
                }
            }
            2 => cells.clear(),
            _ => {}
        }
    }

    /// Erases from the cursor on. What was above stays, also when a program clears the screen: a
    /// log keeps what was printed.
    fn erase_below(&mut self) {
        let column = self.column;
        self.cells().truncate(column);
        let row = self.row;
        self.rows.truncate(row + 1);
    }

    fn move_to(&mut self, row: usize) {
        self.row = row.min(self.rows.len() - 1);
    }

    fn set_style(&mut self, change: impl FnOnce(&mut TerminalStyle)) {
        change(&mut self.style);
        self.style_index = None;
    }
}

impl Perform for Terminal {
    fn print(&mut self, character: char) {
        // The parser passes DEL and the second set of control characters as text.
        if self.column >= MAX_COLUMNS || character.is_control() {
            return;
        }
        self.pad();
        let style = self.style_index();
        let column = self.column;
        let cell = Cell { character, style };
        let cells = self.cells();
        match cells.get_mut(column) {
            Some(place) => *place = cell,
            None => cells.push(cell),
        }
        self.column += 1;
    }

    fn execute(&mut self, byte: u8) {
        match byte {
            b'\n' => {
                (self.row, self.column) = (self.row + 1, 0);
                self.line_ended = true;
            }
            b'\r' => self.column = 0,
            b'\x08' => self.column = self.column.saturating_sub(1),
            b'\t' => {
                self.pad();
                let style = self.style_index();
                let column = self.column;
                let cell = Cell {
                    character: '\t',
                    style,
                };
                let cells = self.cells();
                match cells.get_mut(column) {
                    // A tab only moves the cursor over what is there.
                    Some(_) => {}
                    None if column < MAX_COLUMNS => cells.push(cell),
                    None => {}
                }
                self.column = (self.column + 1).min(MAX_COLUMNS);
            }
            _ => {}
        }
    }

    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], _: bool, action: char) {
        if !intermediates.is_empty() {
            return;
        }
        let param = params
            .iter()
            .next()
            .and_then(|param| param.first().copied());
        let what = param.unwrap_or(0);
        let count = usize::from(what.max(1));
        match action {
            'm' => self.set_style(|style| sgr::apply(style, params)),
            'A' => self.move_to(self.row.saturating_sub(count)),
            'B' => self.move_to(self.row + count),
            'C' => self.column = (self.column + count).min(MAX_COLUMNS),
            'D' => self.column = self.column.saturating_sub(count),
            'E' => (self.row, self.column) = ((self.row + count).min(self.rows.len() - 1), 0),
            'F' => (self.row, self.column) = (self.row.saturating_sub(count), 0),
            'G' => self.column = (count - 1).min(MAX_COLUMNS),
            'J' if what == 0 => self.erase_below(),
            'K' => self.erase_in_line(what),
            'P' => {
                let column = self.column;
                let cells = self.cells();
                let from = cells.len().min(column);
                let to = cells.len().min(column + count);
                cells.drain(from..to);
            }
            _ => {}
        }
    }

    fn osc_dispatch(&mut self, params: &[&[u8]], _: bool) {
        let [b"8", _, target @ ..] = params else {
            return;
        };
        // A semicolon in the target splits it.
        let target = target.join(&b';');
        let link = String::from_utf8(target)
            .ok()
            .filter(|link| !link.is_empty() && link.len() <= MAX_LINK);
        let link = link.filter(|link| !link.chars().any(char::is_control));
        self.set_style(|style| style.link = link);
    }
}
