//! A whole text as a terminal would show it, for places that show no rows.

use crate::StyledRange;
use crate::line_starts::pieces;
use crate::screen::Screen;

/// A progress bar redraws at most this much, in bytes. It bounds the memory of a long text.
const REDRAWN: usize = 1024 * 1024;

/// A text without codes, and how its parts look.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RenderedText {
    /// The text: no control characters but newlines and tabs.
    pub text: String,
    /// The parts that are not plain, in order. A line's end has no style.
    pub styles: Vec<StyledRange>,
}

/// Renders `text`: colors become styles, a line that was overwritten has its last state, and all
/// other codes are removed. A text without codes stays as it is.
#[must_use]
pub fn render_text(text: &str) -> RenderedText {
    if !text.contains(is_code) {
        return RenderedText {
            text: text.to_owned(),
            styles: Vec::new(),
        };
    }
    let mut writer = TextWriter::default();
    let mut screen = Screen::new();
    let mut printed = 0;
    for piece in pieces(text.as_bytes(), 0, false) {
        let start = piece.bytes.start;
        if start - printed >= REDRAWN {
            writer.add_rows(&screen);
            screen.clear();
            printed = start;
        }
        screen.print(&text.as_bytes()[piece.bytes], start as u64, piece.continued);
    }
    writer.add_rows(&screen);
    // The cursor may have come back to a row that the rows above already end with.
    writer.finish(text.ends_with('\n') && !screen.ends_with_empty_row())
}

fn is_code(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\t')
}

/// Joins rows to a text.
#[derive(Default)]
struct TextWriter {
    rendered: RenderedText,
    /// The length of the text in UTF-16 units.
    length: u32,
    has_rows: bool,
}

impl TextWriter {
    fn add_rows(&mut self, screen: &Screen) {
        for row in screen.rows() {
            if std::mem::replace(&mut self.has_rows, true) && !row.continued {
                self.end_line();
            }
            let (text, styles) = screen.text(row, 0..row.length());
            let before = self.length;
            self.length += text.encode_utf16().count() as u32;
            self.rendered.text.push_str(&text);
            let placed = styles.into_iter().map(|range| range.moved_by(before));
            self.rendered.styles.extend(placed);
        }
    }

    fn end_line(&mut self) {
        self.rendered.text.push('\n');
        self.length += 1;
    }

    fn finish(mut self, ends_line: bool) -> RenderedText {
        if ends_line {
            self.end_line();
        }
        self.rendered
    }
}

/// Cuts `styles` so that they are within `text`, of which the end was removed.
pub fn clip_styles(styles: &mut Vec<StyledRange>, text: &str) {
    if styles.is_empty() {
        return;
    }
    let length = text.encode_utf16().count() as u32;
    styles.retain(|range| range.start < length);
    if let Some(last) = styles.last_mut() {
        last.end = last.end.min(length);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The styled parts of a text.
    fn parts(rendered: &RenderedText) -> Vec<String> {
        let units: Vec<u16> = rendered.text.encode_utf16().collect();
        let part = |range: &StyledRange| &units[range.start as usize..range.end as usize];
        let parts = rendered.styles.iter().map(part);
        parts
            .map(|part| String::from_utf16(part).unwrap())
            .collect()
    }

    #[test]
    fn codes_become_styles_of_the_text() {
        for (text, shown, styled) in [
            ("plain\n", "plain\n", &[][..]),
            ("", "", &[]),
            ("\x1b[31mred\x1b[0m", "red", &["red"]),
            ("a\n\x1b[32mb\nc\x1b[0md\n", "a\nb\ncd\n", &["b", "c"]),
            ("😀\x1b[1mé😀\x1b[m", "😀é😀", &["é😀"]),
            ("10%\r50%\r100%\ndone\r\n", "100%\ndone\n", &[]),
            ("one\ntwo\n\x1b[2A\x1b[2Knew\n\n", "new\ntwo\n", &[]),
            ("\x1b]0;title\x07after\x1b(B", "after", &[]),
            (
                "\x1b]8;;https://x.org\x07link\x1b]8;;\x07.",
                "link.",
                &["link"],
            ),
            ("a\0b\u{9b}c\u{7f}", "abc", &[]),
            ("\x1b[31m", "", &[]),
            ("\x1b[", "", &[]),
        ] {
            let rendered = render_text(text);
            assert_eq!(rendered.text, shown, "{text:?}");
            assert_eq!(parts(&rendered), styled, "{text:?}");
        }
    }

    #[test]
    fn long_lines_and_texts_stay_whole() {
        let long = "x".repeat(300_000);
        let rendered = render_text(&format!("\x1b[31m{long}\x1b[0m\nend\n"));
        assert_eq!(rendered.text, format!("{long}\nend\n"));
        assert_eq!(parts(&rendered).concat(), long);
        let lines = "\x1b[31mline\x1b[0m\n".repeat(200_000);
        let rendered = render_text(&lines);
        assert_eq!(rendered.text, "line\n".repeat(200_000));
        assert_eq!(rendered.styles.len(), 200_000);
    }

    #[test]
    fn styles_are_cut_with_the_text() {
        let RenderedText { text, mut styles } = render_text("\x1b[31mab\x1b[32mcd\x1b[0m");
        for (length, ends) in [
            (4, &[2, 4][..]),
            (3, &[2, 3]),
            (2, &[2]),
            (1, &[1]),
            (0, &[]),
        ] {
            clip_styles(&mut styles, &text[..length]);
            let found: Vec<u32> = styles.iter().map(|range| range.end).collect();
            assert_eq!(found, ends, "{length}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// Any bytes become text without codes, with styles inside it; rendering it again changes
        /// nothing.
        #[test]
        fn rendered_text_has_no_codes(parts in prop::collection::vec(prop_oneof![
            Just(b"\n".to_vec()), Just(b"\r".to_vec()), Just(b"\x1b[2A".to_vec()), Just(b"\x1b[J".to_vec()),
            Just(b"\x1b[31m".to_vec()), Just(b"\x1b[0m".to_vec()), Just(b"\x1b]8;;http://x\x1b\\".to_vec()),
            "[a-z\u{e9}\u{1f600}\u{85}\t]{0,12}".prop_map(String::into_bytes),
            prop::collection::vec(any::<u8>(), 0..20),
        ], 0..60)) {
            let bytes = parts.concat();
            let rendered = render_text(&String::from_utf8_lossy(&bytes));
            prop_assert!(!rendered.text.contains(is_code), "{:?}", rendered.text);
            let length = rendered.text.encode_utf16().count() as u32;
            let mut end = 0;
            for range in &rendered.styles {
                prop_assert!(range.start >= end && range.start < range.end && range.end <= length);
                end = range.end;
            }
            let again = render_text(&rendered.text);
            prop_assert_eq!(again.text, rendered.text);
        }
    }
}
