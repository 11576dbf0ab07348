//! Cutting long text into parts that fit into an answer.

/// A part of a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TextPart<'a> {
    pub(crate) text: &'a str,
    /// The offset of the rest in bytes; `None` if this is the end.
    pub(crate) next: Option<usize>,
}

/// The part of `text` that begins at byte `offset` and has at most `limit` bytes. It ends after a
/// line if one ends in its second half. An offset within a character is moved to its beginning.
pub(crate) fn part(text: &str, offset: usize, limit: usize) -> TextPart<'_> {
    let start = boundary_before(text, offset.min(text.len()));
    let rest = &text[start..];
    if rest.len() <= limit {
        return TextPart {
            text: rest,
            next: None,
        };
    }
    let end = boundary_before(rest, limit).max(first_character(rest));
    let line_end = rest[..end].rfind('\n').map(|at| at + 1);
    let end = line_end.filter(|at| *at > end / 2).unwrap_or(end);
    TextPart {
        text: &rest[..end],
        next: Some(start + end),
    }
}

/// `text` on one line with at most `limit` bytes.
pub(crate) fn line(text: &str, limit: usize) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if flat.len() <= limit {
        return flat;
    }
    let end = boundary_before(&flat, limit.saturating_sub('…'.len_utf8()));
    format!("{}…", &flat[..end])
}

fn boundary_before(text: &str, at: usize) -> usize {
    (0..=at)
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or_default()
}

fn first_character(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_put_together_are_the_text() {
        let text = "äöü\nline two\n\nßß last line without end";
        for limit in 1..=text.len() + 1 {
            let (mut whole, mut next) = (String::new(), Some(0));
            while let Some(offset) = next {
                let part = part(text, offset, limit);
                assert!(part.text.len() <= limit.max(2), "{limit}: {part:?}");
                whole.push_str(part.text);
                next = part.next;
            }
            assert_eq!(whole, text, "{limit}");
        }
    }

    #[test]
    fn part_ends_after_a_line_if_it_can() {
        assert_eq!(
            part("one\ntwo\nthree", 0, 9),
            TextPart {
                text: "one\ntwo\n",
                next: Some(8)
            }
        );
        assert_eq!(part("one", 99, 9).text, "");
        assert_eq!(part("é", 1, 9).text, "é");
    }

    #[test]
    fn line_is_flat_and_short() {
        assert_eq!(line(" a\n b\t c ", 20), "a b c");
        assert_eq!(line("abcdefghij", 8), "abcde…");
        assert_eq!(line("ääää", 6), "ä…");
    }
}
