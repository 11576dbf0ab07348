//! Removes invisible characters from text: control codes for terminals, characters that change the
//! text direction, and characters that make two different texts look the same.
//!
//! Titles, file names and output may come from anyone. They are stored unchanged; invisible
//! characters are removed when they are displayed.

/// Whether `c` is invisible. This includes line feed and tab; callers that allow those check for
/// them first.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    is_joiner(c)
        || c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
            // Line and paragraph separators, direction controls.
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            // Noncharacters.
            | '\u{fdd0}'..='\u{fdef}' | '\u{fffe}' | '\u{ffff}'
            // Tag characters.
            | '\u{e0000}'..='\u{e007f}')
}

/// Used by emoji and some scripts. Kept in documents, removed for terminals.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// `text` without invisible characters other than line feeds and tabs.
#[must_use]
pub fn visible(text: &str) -> String {
    text.chars()
        .filter(|&c| c == '\n' || c == '\t' || !is_hidden(c))
        .collect()
}

/// `text` on one line, without invisible characters.
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

/// `text` for documents: keeps line feeds, tabs and the joiners in emoji.
#[must_use]
pub fn strip_invisible_keeping_emoji(mut text: String) -> String {
    text.retain(|c| matches!(c, '\n' | '\t') || is_joiner(c) || !is_hidden(c));
    text
}

/// `text` on one line with invisible characters escaped, such as `\u{1b}`. For values in which such
/// a character matters.
#[must_use]
pub fn escape_invisible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match is_hidden(c) {
            true => shown.extend(c.escape_unicode()),
            false => shown.push(c),
        }
    }
    shown
}

/// JSON with invisible characters escaped. The meaning is the same, because they only occur in
/// strings.
#[must_use]
pub fn escape_invisible_json(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    let mut copied = 0;
    // Answers can have megabytes, nearly all of it plain ASCII.
    let plain = |c| matches!(c, ' '..='~' | '\n' | '\t');
    for (at, c) in json
        .char_indices()
        .filter(|&(_, c)| !plain(c) && is_hidden(c))
    {
        shown.push_str(&json[copied..at]);
        let units = &mut [0; 2];
        let escaped = c.encode_utf16(units).iter();
        shown.extend(escaped.map(|unit| format!("\\u{unit:04x}")));
        copied = at + c.len_utf8();
    }
    shown.push_str(&json[copied..]);
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sets the clipboard, rings, moves, erases, changes direction, hides; also in one byte.
    const HOSTILE: &str = "a\u{1b}]52;c;ZXZpbA==\u{7}b\u{1b}[2J\u{8}\u{9b}31m\u{202e}\u{2066}\u{200b}\u{200d}\u{feff}\u{e0041}\u{85}\rc\u{7f}";

    #[test]
    fn terminal_control_characters_are_removed() {
        assert_eq!(visible(HOSTILE), "a]52;c;ZXZpbA==b[2J31mc");
        assert_eq!(visible("one\n\ttwo\r\n"), "one\n\ttwo\n");
        assert_eq!(
            visible_line(" one\r\n\ttwo\u{2028}three\u{202e} "),
            "one two three"
        );
        assert_eq!(visible("指揮棒 żółć 🎼 ﷼"), "指揮棒 żółć 🎼 ﷼");
    }

    #[test]
    fn documents_keep_joined_emoji() {
        assert_eq!(
            strip_invisible_keeping_emoji("👩\u{200d}🚀\u{202e}\u{1b}x\n".to_owned()),
            "👩\u{200d}🚀x\n"
        );
    }

    #[test]
    fn invisible_characters_are_escaped() {
        let shown = escape_invisible(HOSTILE);
        assert!(!shown.chars().any(is_hidden), "{shown:?}");
        assert_eq!(
            escape_invisible("a\u{1b}\u{202e}\n\u{200d}b"),
            "a\\u{1b}\\u{202e}\\u{a}\\u{200d}b"
        );
    }

    #[test]
    fn escaped_json_parses_to_the_same_value() {
        let json = serde_json::to_string_pretty(&[HOSTILE]).expect("JSON");
        let shown = escape_invisible_json(&json);
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
