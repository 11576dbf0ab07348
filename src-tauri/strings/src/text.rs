//! Decides whether a string is text for people, rather than a name, a path or SQL. The heuristics
//! prefer showing too much.

/// Prefixes of SQL statements.
const STATEMENTS: [&str; 14] = [
    "ALTER ", "AND ", "BEGIN", "CREATE ", "DELETE ", "DROP ", "FROM ", "INSERT ", "PRAGMA ",
    "REPLACE ", "SELECT ", "UPDATE ", "WHERE ", "WITH ",
];

/// Returns whether a string looks like text in a window or a terminal: several words, or one
/// capitalized word.
pub(crate) fn is_text(text: &str) -> bool {
    let text = text.trim();
    let begins_as_code = text.starts_with(['<', '[', '/', '#', '@', '$', '\u{1b}'])
        || STATEMENTS.iter().any(|start| text.starts_with(start));
    let words: Vec<&str> = text
        .split_whitespace()
        .filter(|word| is_word(word))
        .collect();
    let begins_as_sentence = text.starts_with(char::is_uppercase)
        && text.chars().skip(1).any(char::is_lowercase)
        && text.chars().all(char::is_alphabetic);
    !begins_as_code && (words.len() > 1 || begins_as_sentence)
}

/// Returns whether `word` consists of letters, perhaps with punctuation around them.
fn is_word(word: &str) -> bool {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    !bare.is_empty() && bare.chars().any(char::is_alphabetic) && !bare.contains(['_', '=', '\\'])
}

/// Joins the lines and removes control characters.
pub(crate) fn join_lines(text: &str) -> String {
    let pieces = text.split(|c: char| c.is_whitespace() || c.is_control());
    let words: Vec<&str> = pieces.filter(|piece| !piece.is_empty()).collect();
    words.join(" ")
}

/// Returns the lines that contain letters, with their numbers.
pub(crate) fn lines(content: &str) -> Vec<(usize, String)> {
    let numbered = content.lines().enumerate();
    numbered
        .filter(|(_, line)| line.chars().any(char::is_alphabetic))
        .map(|(number, line)| (number + 1, line.trim_end().to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_and_labels_are_text() {
        for text in [
            "couldn't delete the plan",
            "{count} nodes",
            "Resume",
            "the file '{0}' doesn't exist",
            "no run",
        ] {
            assert!(is_text(text), "{text}");
        }
    }

    #[test]
    fn identifiers_paths_and_sql_are_not_text() {
        for text in [
            "node_id",
            "run",
            "BATON_DATA_DIR",
            "/usr/bin/env",
            "SELECT id FROM runs",
            "<svg width",
            "",
            "--json",
            "maxRetries",
        ] {
            assert!(!is_text(text), "{text}");
        }
    }

    #[test]
    fn lines_keep_their_line_numbers() {
        let expected = [(1, "a: b".to_owned()), (3, "  # c".to_owned())];
        assert_eq!(lines("a: b\n---\n  # c\n"), expected);
    }
}
