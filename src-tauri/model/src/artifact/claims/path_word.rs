//! The word of an item that contains one or several paths, quoted or not.

use super::item::Line;
use super::path::{self, PathWord};
use super::separator::ARROWS;

/// The paths in the word at the beginning of `text`, each with whether it was moved away, and the
/// rest of the text.
pub(super) fn paths_at(text: &str, line: Line) -> Option<(Vec<(PathWord, bool)>, &str)> {
    let bare = text.trim_start();
    let bare = bare.trim_start_matches('*').trim_start_matches('[');
    let quote = [
        ("``", "``"),
        ("`", "`"),
        ("\"", "\""),
        ("'", "'"),
        ("“", "”"),
        ("‘", "’"),
    ]
    .into_iter()
    .find(|(open, _)| bare.starts_with(open));
    let Some((open, close)) = quote else {
        return bare_path(bare, line);
    };
    let (content, after) = bare[open.len()..].split_once(close)?;
    let after = after.trim_start_matches(['*', '_', ']']);
    let after = after.strip_prefix("()").map_or(after, |_| "");
    let paths = in_quotes(content);
    (!paths.is_empty()).then(|| (paths, without_target(after)))
}

/// `a.rs`, `a.rs → b.rs` and `a.rs, b.rs` within one pair of quotes.
fn in_quotes(content: &str) -> Vec<(PathWord, bool)> {
    let steps = ARROWS
        .iter()
        .fold(content.to_owned(), |text, arrow| text.replace(arrow, "→"));
    let steps: Vec<&str> = steps.split('→').map(str::trim).collect();
    let last = steps.len() - 1;
    let mut found = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let parts: Vec<&str> = if step.contains('{') {
            vec![*step]
        } else {
            step.split(", ").collect()
        };
        for part in parts {
            let words = path::parse_paths(part, true);
            if words.is_empty() {
                return Vec::new();
            }
            found.extend(words.into_iter().map(|word| (word, index < last)));
        }
    }
    found
}

fn bare_path(bare: &str, line: Line) -> Option<(Vec<(PathWord, bool)>, &str)> {
    let end = end_of_word(bare);
    // "src/a.rs: fixed" keeps its colon so that the rest is parsed as a remark.
    let (word, after) = bare.split_at(bare[..end].trim_end_matches(':').len());
    let word = word.trim_end_matches("**");
    let found = path::parse_paths(word, false);
    let follows = after.trim_start();
    let is_alone = follows.is_empty()
        || follows.starts_with(['(', '-', '–', '—', ',', ';', ':', ']', '*', '|', '→']);
    let is_alone = is_alone && !after.starts_with('(');
    let counts = |word: &PathWord| {
        word.is_certain
            || (line == Line::Item && is_alone && word.path.starts_with(char::is_alphabetic))
    };
    let all = !found.is_empty() && found.iter().all(counts);
    let after = after.trim_start_matches([']', '*']);
    all.then(|| {
        (
            found.into_iter().map(|word| (word, false)).collect(),
            without_target(after),
        )
    })
}

/// The end of a word: white space, or a separator outside of braces.
fn end_of_word(text: &str) -> usize {
    let mut depth = 0_u32;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            ' ' | '\t' | ',' | ';' | '|' | ']' | '`' | '→' | '➜' | '(' => return at,
            '-' | '=' if text[at + 1..].starts_with('>') => return at,
            _ => {}
        }
    }
    text.len()
}

/// The text after the target of a Markdown link.
fn without_target(after: &str) -> &str {
    let target = after
        .strip_prefix('(')
        .and_then(|rest| rest.split_once(')'));
    // "(new)" is a remark, "(src/a.rs)" is a link target.
    target
        .filter(|(target, _)| target.contains(['/', '.']) && !target.contains(' '))
        .map_or(after, |(_, after)| after)
}
