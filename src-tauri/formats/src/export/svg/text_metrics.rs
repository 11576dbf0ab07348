//! Estimates the width of text without a font, from the average widths of Inter's letters, rounded
//! up.

/// The width of `text` in regular weight at font size 1.
fn width(text: &str) -> f64 {
    text.chars().map(char_width).sum()
}

fn char_width(char: char) -> f64 {
    match char {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 0.29,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '{' | '}' | '/' | '\\' | '"' | '`' | '-' => 0.39,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '—' => 0.92,
        'A'..='Z' | '&' | '+' | '=' | '<' | '>' | '#' | '~' | '…' => 0.71,
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{fe00}'..='\u{fe0f}' => 0.0,
        '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' => 1.05,
        '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe4f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{1f000}'.. => 1.4,
        _ => 0.6,
    }
}

/// The font properties that affect width.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextStyle {
    pub(super) size: f64,
    /// Whether the font is monospaced.
    pub(super) mono: bool,
}

impl TextStyle {
    pub(super) fn width(self, text: &str) -> f64 {
        let wide = |char: char| char_width(char) > 1.0;
        let columns = || {
            text.chars()
                .map(|char| if wide(char) { 1.2 } else { 0.6 })
                .sum::<f64>()
        };
        self.size * if self.mono { columns() } else { width(text) }
    }

    /// `text` on one line of at most `room`, cut with an ellipsis if necessary.
    pub(super) fn truncate(self, text: &str, room: f64) -> String {
        if self.width(text) <= room {
            return text.to_owned();
        }
        let mut kept = String::new();
        for char in text.chars() {
            kept.push(char);
            if self.width(&kept) + self.width("…") > room {
                kept.pop();
                break;
            }
        }
        // Joiners and combining marks mean nothing without what follows them.
        let kept = kept.trim_end_matches(|char: char| char == '\u{200d}' || char.is_whitespace());
        format!("{kept}…")
    }

    /// `text` on at most two lines, broken between words if possible.
    pub(super) fn wrap_to_two_lines(self, text: &str, room: f64) -> Vec<String> {
        if self.width(text) <= room {
            return vec![text.to_owned()];
        }
        let mut ends = text
            .char_indices()
            .filter(|(_, char)| *char == ' ')
            .map(|(at, _)| at);
        let fits = ends.rfind(|&at| self.width(&text[..at]) <= room);
        match fits {
            Some(at) => vec![
                text[..at].to_owned(),
                self.truncate(text[at..].trim_start(), room),
            ],
            None => {
                let over =
                    |end: &(usize, char)| self.width(&text[..end.0 + end.1.len_utf8()]) > room;
                let at = text
                    .char_indices()
                    .find(over)
                    .map_or(text.len(), |(at, _)| at);
                vec![text[..at].to_owned(), self.truncate(&text[at..], room)]
            }
        }
    }
}

/// Returns whether `text` is read from right to left, by its first letter.
pub(super) fn is_right_to_left(text: &str) -> bool {
    let is_rtl = |char: char| matches!(char, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}');
    text.chars()
        .find(|char| char.is_alphabetic())
        .is_some_and(is_rtl)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TITLE: TextStyle = TextStyle {
        size: 13.0,
        mono: false,
    };

    #[test]
    fn long_text_is_truncated() {
        assert_eq!(TITLE.wrap_to_two_lines("Review", 150.0), ["Review"]);
        assert_eq!(
            TITLE.wrap_to_two_lines("Review the change with care", 130.0),
            ["Review the change", "with care"]
        );
        assert_eq!(TITLE.wrap_to_two_lines(&"x".repeat(80), 80.0).len(), 2);
        for room in 20..200 {
            let room = f64::from(room);
            for text in [
                "A rather long title that needs two lines",
                "Wörter und 漢字漢字漢字漢字漢字漢字",
                "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦",
            ] {
                assert!(
                    TITLE.width(&TITLE.truncate(text, room)) <= room.max(TITLE.width("…")),
                    "{text} in {room}"
                );
            }
        }
    }

    #[test]
    fn first_letter_sets_text_direction() {
        assert!(is_right_to_left("1. שלום world"));
        assert!(!is_right_to_left("world שלום"));
    }
}
