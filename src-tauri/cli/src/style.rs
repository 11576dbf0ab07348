//! Colors, and safe output of untrusted text to a terminal.

use baton_model::visible_text::{is_hidden, visible, visible_line};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The meaning of a text, which determines its color.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Ordinary text, without a color.
    Plain,
    /// A heading or name.
    Strong,
    /// Information that matters less, such as IDs and table headers.
    Faint,
    /// Something that succeeded or is ready.
    Good,
    /// Something that failed or is damaged.
    Bad,
    /// Something that needs a person's attention.
    Attention,
    /// Work that is in progress.
    Active,
}

impl Tone {
    const COLOR_MARKS: [(Self, char, &'static str); 6] = [
        (Self::Strong, '\u{fdd1}', "\u{1b}[1m"),
        (Self::Faint, '\u{fdd2}', "\u{1b}[2m"),
        (Self::Good, '\u{fdd3}', "\u{1b}[32m"),
        (Self::Bad, '\u{fdd4}', "\u{1b}[31m"),
        (Self::Attention, '\u{fdd5}', "\u{1b}[33m"),
        (Self::Active, '\u{fdd6}', "\u{1b}[36m"),
    ];

    fn mark(self) -> Option<char> {
        Self::COLOR_MARKS
            .iter()
            .find(|(tone, ..)| *tone == self)
            .map(|(_, mark, _)| *mark)
    }
}

/// Ends a color. The marks are Unicode noncharacters, which text doesn't contain. Only
/// [`TerminalText`] turns them into colors.
const END_MARK: char = '\u{fdd0}';

/// Text that is safe to write to a terminal: the only kind that [`crate::output::Output`] writes.
///
/// It contains no control sequences except the colors of [`paint`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TerminalText(String);

impl TerminalText {
    /// Removes control characters other than tabs and line ends, and applies colors if they are on.
    pub(crate) fn new(text: &str, colors: bool) -> Self {
        let mut shown = String::with_capacity(text.len());
        for c in text.chars() {
            match c {
                '\n' | '\t' => shown.push(c),
                c if !is_hidden(c) => shown.push(c),
                END_MARK if colors => shown.push_str("\u{1b}[0m"),
                c if colors => shown.extend(
                    Tone::COLOR_MARKS
                        .iter()
                        .filter(|(_, mark, _)| *mark == c)
                        .map(|(.., code)| *code),
                ),
                _ => {}
            }
        }
        Self(shown)
    }
}

impl std::fmt::Display for TerminalText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Marks `text` with the color of `tone` if colors are on. [`TerminalText`] turns the marks into
/// colors.
pub(crate) fn paint(text: &str, tone: Tone, colors: bool) -> String {
    match tone.mark().filter(|_| colors && !text.is_empty()) {
        Some(mark) => format!("{mark}{text}{END_MARK}"),
        None => text.to_owned(),
    }
}

/// Puts `text` on one line and removes control characters and bidirectional overrides.
///
/// Use it for titles and messages from files and programs, which could contain control sequences.
pub(crate) fn one_line(text: &str) -> String {
    visible_line(text)
}

/// Like [`one_line`], but keeps line ends.
pub(crate) fn lines(text: &str) -> String {
    visible(text)
}

/// Truncates `text` to `width` columns, ending with `…` if something was cut off.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut room = width.saturating_sub(1);
    let mut kept = String::new();
    for c in text.chars() {
        let Some(left) = room.checked_sub(c.width().unwrap_or(0)) else {
            break;
        };
        room = left;
        kept.push(c);
    }
    kept + "…"
}

/// Pads `text` with spaces to `width` columns.
pub(crate) fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_sequences_are_removed() {
        assert_eq!(
            one_line(" two\nlines\tand\u{7} a bell \u{1b}[31mred\u{202e}x "),
            "two lines and a bell [31mredx"
        );
        assert_eq!(lines("a\nb\u{1b}[2J\tc\r"), "a\nb[2J\tc");
    }

    #[test]
    fn foreign_color_marks_are_removed() {
        let hostile = "a\u{1b}]52;c;ZXZpbA==\u{7}\u{9b}31m\u{202e}\u{200b}b\n";
        assert_eq!(
            TerminalText::new(hostile, true).to_string(),
            "a]52;c;ZXZpbA==31mb\n"
        );
    }

    #[test]
    fn width_is_measured_in_columns() {
        assert_eq!(cut("指揮棒を渡す", 7), "指揮棒…");
        assert_eq!(cut("short", 5), "short");
        assert_eq!(pad("棒", 4), "棒  ");
    }

    #[test]
    fn colors_are_optional() {
        assert_eq!(paint("x", Tone::Bad, false), "x");
        let shown = |colors| TerminalText::new(&paint("x", Tone::Bad, true), colors).to_string();
        assert_eq!(
            (shown(true), shown(false)),
            ("\u{1b}[31mx\u{1b}[0m".to_owned(), "x".to_owned())
        );
        assert_eq!(paint("x", Tone::Plain, true), "x");
    }
}
