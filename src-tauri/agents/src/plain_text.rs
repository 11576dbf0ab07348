//! Readable text from terminal output.
//!
//! Colors and cursor movements are removed; nothing is rendered. Of a line that a program
//! overwrites with carriage returns, such as a progress bar, the last state is kept.

/// The readable text of `bytes`: no control codes except newline and tab, invalid UTF-8 as
/// `U+FFFD`.
#[must_use]
pub fn strip_terminal_codes(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut plain = String::with_capacity(text.len());
    let (mut line_start, mut overwrite) = (0, false);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => skip_sequence(&mut chars),
            '\r' => overwrite = true,
            '\n' => {
                plain.push('\n');
                (line_start, overwrite) = (plain.len(), false);
            }
            c if c.is_control() && c != '\t' => {}
            c => {
                if std::mem::take(&mut overwrite) {
                    plain.truncate(line_start);
                }
                plain.push(c);
            }
        }
    }
    plain
}

/// Skips the rest of an ECMA-48 escape sequence: CSI up to its final byte, strings up to their
/// end.
fn skip_sequence(chars: &mut std::str::Chars<'_>) {
    match chars.next() {
        Some('[') => {
            chars.find(|c| ('\u{40}'..='\u{7e}').contains(c));
        }
        Some(']' | 'P' | 'X' | '^' | '_') => {
            let mut escaped = false;
            chars.find(|&c| {
                c == '\u{7}'
                    || c == '\n'
                    || std::mem::replace(&mut escaped, c == '\u{1b}') && c == '\\'
            });
        }
        Some('(' | ')' | '*' | '+' | '#' | '%' | ' ') => {
            chars.next();
        }
        _ => {}
    }
}

/// `text` on one line of at most `limit` characters, ending in `…` when it was cut.
#[must_use]
pub fn one_line(text: &str, limit: usize) -> String {
    let mut line = String::new();
    for (count, c) in text.trim().chars().enumerate() {
        if count == limit {
            line.push('…');
            break;
        }
        line.push(if c.is_control() { ' ' } else { c });
    }
    line
}

/// Truncates `text` to at most `limit` bytes at a character boundary. Returns the number of bytes
/// removed.
pub fn truncate(text: &mut String, limit: usize) -> u64 {
    let before = text.len();
    let mut end = limit.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    (before - text.len()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_terminal_codes() {
        for (bytes, text) in [
            (&b"\x1b[31mred\x1b[0m"[..], "red"),
            (b"\x1b]0;title\x07after", "after"),
            (b"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
            (b"\x1b(Bplain\x1b[?25l", "plain"),
            (b"10%\r50%\r100%\ndone\r\n", "100%\ndone\n"),
            (b"last state\r", "last state"),
            (b"a\0b\x08c\td", "abc\td"),
            (b"\xff\xfe ok", "\u{fffd}\u{fffd} ok"),
            (b"\x1b[", ""),
        ] {
            assert_eq!(strip_terminal_codes(bytes), text, "{bytes:?}");
        }
    }

    #[test]
    fn summary_is_one_short_line() {
        assert_eq!(one_line("  a\nb\u{1b}c ", 10), "a b c");
        assert_eq!(one_line("ééééé", 3), "ééé…");
    }

    #[test]
    fn truncation_keeps_char_boundaries() {
        let mut text = "aé".to_owned();
        assert_eq!((truncate(&mut text, 2), text.as_str()), (2, "a"));
    }
}
