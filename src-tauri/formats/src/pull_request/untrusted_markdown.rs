//! Makes text of unknown origin harmless in the description of a pull request.
//!
//! GitHub and GitLab act on descriptions: `@name` notifies people, `Fixes #1` closes an issue when
//! the request is merged, and on GitLab a line such as `/merge` is a command. Escaping with a
//! backslash or an entity is no help, because both look at the rendered text. An invisible word
//! joiner keeps such text readable and breaks its meaning, in code as well.

use baton_model::visible_text::strip_invisible_keeping_emoji;

/// Invisible, and no part of a name, a number, a tag or a word.
const WORD_JOINER: char = '\u{2060}';

/// Words that close an issue which follows them, on GitHub or GitLab.
const CLOSING_STEMS: [&str; 5] = ["clos", "fix", "resolv", "implement", "complet"];

/// A block of Markdown in a quote, at most `limit` characters long. A quote also ends whatever was
/// begun in it, such as a block of code.
pub(super) fn quoted(text: &str, limit: usize) -> String {
    let text = truncated(strip_invisible_keeping_emoji(text.to_owned()).trim(), limit);
    let lines = text.lines().map(|line| format!("> {}", defused(line)));
    lines
        .map(|line| line.trim_end().to_owned())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Text within a line, none of which is Markdown; at most `limit` characters long.
pub(super) fn inline(text: &str, limit: usize) -> String {
    let line = strip_invisible_keeping_emoji(text.split_whitespace().collect::<Vec<_>>().join(" "));
    let mut escaped = String::with_capacity(line.len());
    for c in truncated(&line, limit).chars() {
        if c.is_ascii_punctuation() && !matches!(c, '.' | ',' | ':' | ';' | '\'' | '"' | '/' | '-')
        {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    defused(&escaped)
}

/// At most `limit` characters, with a mark where something is missing.
pub(super) fn truncated(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
    }
}

/// A line without mentions, references, commands, tags and images.
pub(crate) fn defused(line: &str) -> String {
    let mut defused = String::with_capacity(line.len());
    let start = line.trim_start_matches(|c: char| c.is_whitespace() || c == '>');
    if start.starts_with('/') {
        defused.push(WORD_JOINER);
    }
    let mut previous = None;
    for (at, c) in line.char_indices() {
        if begins_closing_word(&line[at..], previous) {
            defused.extend([c, WORD_JOINER]);
        } else {
            defused.push(c);
            if matches!(c, '@' | '#' | '<' | '!' | '&' | '~' | '%' | '$') {
                defused.push(WORD_JOINER);
            }
        }
        previous = Some(c);
    }
    defused
}

fn begins_closing_word(rest: &str, previous: Option<char>) -> bool {
    let is_start = previous.is_none_or(|c| !c.is_alphanumeric());
    is_start
        && CLOSING_STEMS.iter().any(|stem| {
            rest.get(..stem.len())
                .is_some_and(|word| word.eq_ignore_ascii_case(stem))
        })
}
