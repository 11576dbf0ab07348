//! Text without the characters that nobody sees: those that a terminal obeys, that turn the direction of what follows,
//! or that make two different texts look the same.
//!
//! Titles, file names and output are anybody's text. Stored it stays as it is; shown, these characters go.

/// Whether `c` is invisible. Line feed and tab are, too: a caller that wants them asks for them first.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    is_joiner(c)
        || c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
            // Lines and paragraphs end, directions turn.
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            // No characters at all.
            | '\u{fdd0}'..='\u{fdef}' | '\u{fffe}' | '\u{ffff}'
            // Letters that only programs read.
            | '\u{e0000}'..='\u{e007f}')
}

/// Emoji and some scripts are written with these. Documents keep them, terminals do without.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// `text` with its lines and tabs, and nothing else that is invisible.
#[must_use]
pub fn visible(text: &str) -> String {
    text.chars()
        .filter(|&c| c == '\n' || c == '\t' || !is_hidden(c))
        .collect()
}

/// `text` on one line, without anything that is invisible.
#[must_use]
pub fn visible_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.trim().chars() {
        match c {
            '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' if !line.ends_with(' ') => line.push(' '),
            c if is_hidden(c) => {}
            c => line.push(c),
        }
    }
    line
}

/// `text` as a document keeps it: lines, tabs, and emoji in one piece.
#[must_use]
pub fn in_document(mut text: String) -> String {
    text.retain(|c| matches!(c, '\n' | '\t') || is_joiner(c) || !is_hidden(c));
    text
}

/// `text` on one line, in which what is invisible is written by number, such as `\u{1b}`: for values in which such a
/// character means something.
#[must_use]
pub fn visible_by_number(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match is_hidden(c) {
            true => shown.extend(c.escape_unicode()),
            false => shown.push(c),
        }
    }
    shown
}

/// JSON in which what is invisible is written by number. It says the same: such characters stand in its strings only.
#[must_use]
pub fn visible_json(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    for c in json.chars() {
        if c == '\n' || c == '\t' || !is_hidden(c) {
            shown.push(c);
        } else {
            let units = &mut [0; 2];
            shown.extend(
                c.encode_utf16(units)
                    .iter()
                    .map(|unit| format!("\\u{unit:04x}")),
            );
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sets the clipboard, rings, moves, erases, turns the direction, hides, and does so in one byte.
    const HOSTILE: &str = "a\u{1b}]52;c;ZXZpbA==\u{7}b\u{1b}[2J\u{8}\u{9b}31m\u{202e}\u{2066}\u{200b}\u{200d}\u{feff}\u{e0041}\u{85}\rc\u{7f}";

    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        assert_eq!(visible(HOSTILE), "a]52;c;ZXZpbA==b[2J31mc");
        assert_eq!(visible("one\n\ttwo\r\n"), "one\n\ttwo\n");
        assert_eq!(
            visible_line(" one\r\n\ttwo\u{2028}three\u{202e} "),
            "one two three"
        );
        assert_eq!(visible("指揮棒 żółć 🎼 ﷼"), "指揮棒 żółć 🎼 ﷼");
    }

    #[test]
    fn a_document_keeps_emoji_in_one_piece() {
        assert_eq!(
            in_document("👩\u{200d}🚀\u{202e}\u{1b}x\n".to_owned()),
            "👩\u{200d}🚀x\n"
        );
    }

    #[test]
    fn what_is_invisible_can_be_written_by_number() {
        let shown = visible_by_number(HOSTILE);
        assert!(!shown.chars().any(is_hidden), "{shown:?}");
        assert_eq!(
            visible_by_number("a\u{1b}\u{202e}\n\u{200d}b"),
            "a\\u{1b}\\u{202e}\\u{a}\\u{200d}b"
        );
    }

    #[test]
    fn json_says_the_same() {
        let json = serde_json::to_string_pretty(&[HOSTILE]).expect("JSON");
        let shown = visible_json(&json);
        assert!(
            !shown.chars().any(|c| c != '\n' && is_hidden(c)),
            "{shown:?}"
        );
        assert_eq!(
            serde_json::from_str::<[String; 1]>(&shown).expect("JSON"),
            [HOSTILE]
        );
    }
}
