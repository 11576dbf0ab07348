//! Titles in sentences: a title may be long, and the sentence has to stay readable.

/// The maximum number of characters of a title in a sentence.
const MAX_CHARS: usize = 60;

/// The title, or its beginning with an ellipsis.
pub(crate) fn shorten_title(title: &str) -> String {
    match title.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", title[..end].trim_end()),
        None => title.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_titles_are_cut() {
        let exact = "é".repeat(MAX_CHARS);
        let spaced = format!("{} more", "a".repeat(MAX_CHARS - 1));
        for (title, expected) in [
            ("", String::new()),
            (&exact, exact.clone()),
            (&format!("{exact}x"), format!("{exact}…")),
            (&spaced, format!("{}…", "a".repeat(MAX_CHARS - 1))),
        ] {
            assert_eq!(shorten_title(title), expected);
        }
    }
}
