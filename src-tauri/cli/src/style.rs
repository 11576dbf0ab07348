//! Colours, symbols, and texts from elsewhere made safe for a terminal.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// What a piece of text means; the colour follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Nothing special.
    Plain,
    /// A heading, a name.
    Strong,
    /// Less important.
    Faint,
    /// Went well.
    Good,
    /// Went wrong.
    Bad,
    /// Needs a person.
    Attention,
    /// Is under way.
    Active,
}

impl Tone {
    fn code(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Strong => Some("1"),
            Self::Faint => Some("2"),
            Self::Good => Some("32"),
            Self::Bad => Some("31"),
            Self::Attention => Some("33"),
            Self::Active => Some("36"),
        }
    }
}

/// `text` in the colour of `tone`, when colours are on.
pub(crate) fn paint(text: &str, tone: Tone, colours: bool) -> String {
    match tone.code().filter(|_| colours && !text.is_empty()) {
        Some(code) => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
        None => text.to_owned(),
    }
}

/// `text` on one line, without anything that moves the cursor, rings, or turns the reading direction.
///
/// Titles and messages come from files and programs; a terminal would obey them.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.trim().chars() {
        match c {
            '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' if !line.ends_with(' ') => line.push(' '),
            c if is_unsafe(c) => {}
            c => line.push(c),
        }
    }
    line
}

/// `text` with its lines, without anything else that a terminal would obey.
pub(crate) fn lines(text: &str) -> String {
    text.chars().filter(|&c| c == '\n' || c == '\t' || !is_unsafe(c)).collect()
}

fn is_unsafe(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
}

/// `text` cut to `width` columns, with `…` where something is missing.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut room = width.saturating_sub(1);
    let mut kept = String::new();
    for c in text.chars() {
        let Some(left) = room.checked_sub(c.width().unwrap_or(0)) else { break };
        room = left;
        kept.push(c);
    }
    kept + "…"
}

/// `text` filled up with spaces to `width` columns.
pub(crate) fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_has_nothing_to_obey() {
        assert_eq!(one_line(" two\nlines\tand\u{7} a bell \u{1b}[31mred\u{202e}x "), "two lines and a bell [31mredx");
        assert_eq!(lines("a\nb\u{1b}[2J\tc\r"), "a\nb[2J\tc");
    }

    #[test]
    fn widths_are_columns_not_letters() {
        assert_eq!(cut("指揮棒を渡す", 7), "指揮棒…");
        assert_eq!(cut("short", 5), "short");
        assert_eq!(pad("棒", 4), "棒  ");
    }

    #[test]
    fn colours_are_only_there_when_wanted() {
        assert_eq!(paint("x", Tone::Bad, false), "x");
        assert_eq!(paint("x", Tone::Bad, true), "\u{1b}[31mx\u{1b}[0m");
        assert_eq!(paint("x", Tone::Plain, true), "x");
    }
}
