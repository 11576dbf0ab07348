//! Excerpts around search matches. The index stores no text, so excerpts are read from the
//! original file.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::Agent;
use crate::history::search_text::SearchText;
use crate::history_reader::HistoryReader;
use crate::line_reader::{LineBuffer, LineReader};

/// The number of characters before the first match.
const CHARS_BEFORE_MATCH: usize = 60;
/// The total number of characters.
const MAX_EXCERPT_CHARS: usize = 240;

/// A matching or other piece of an excerpt.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct ExcerptPiece {
    pub text: String,
    /// Whether the piece is a match.
    pub found: bool,
}

/// A source with the search terms, from which excerpts are read.
pub(crate) struct Excerpts {
    reader: HistoryReader,
    file: File,
    terms: Vec<String>,
}

impl Excerpts {
    /// Opens a source for excerpts with the words of `text`, the query as typed.
    pub(crate) fn open(agent: Agent, path: &Path, text: &str) -> io::Result<Self> {
        let words = text
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|word| !word.is_empty());
        let terms = words.map(str::to_lowercase).collect();
        let reader = HistoryReader::of(agent);
        Ok(Self {
            reader,
            file: reader.open_lines(path)?,
            terms,
        })
    }

    /// The text of the record at byte offset `place`, around its first match.
    pub(crate) fn at(&self, place: u64) -> io::Result<Vec<ExcerptPiece>> {
        let mut buffer = LineBuffer::default();
        let mut lines = LineReader::from(self.file.try_clone()?, place, &mut buffer)?;
        let mut search_text = SearchText::default();
        if let Some(line) = lines.next()? {
            self.reader.collect_text(line.bytes, &mut search_text);
        }
        Ok(cut(search_text.text(), &self.terms))
    }
}

/// Cuts `text` around the first of `terms`, and marks all matches.
fn cut(text: &str, terms: &[String]) -> Vec<ExcerptPiece> {
    let letters: Vec<char> = text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .collect();
    let first = (0..letters.len())
        .find(|&place| match_length(&letters, place, terms).is_some())
        .unwrap_or(0);
    let start = first.saturating_sub(CHARS_BEFORE_MATCH);
    let end = (start + MAX_EXCERPT_CHARS).min(letters.len());
    let mut pieces = Vec::new();
    let mut plain = String::from(if start > 0 { "…" } else { "" });
    let mut place = start;
    while place < end {
        if let Some(length) = match_length(&letters, place, terms) {
            add(&mut pieces, std::mem::take(&mut plain), false);
            add(
                &mut pieces,
                letters[place..place + length].iter().collect(),
                true,
            );
            place += length;
        } else {
            plain.push(letters[place]);
            place += 1;
        }
    }
    if end < letters.len() {
        plain.push('…');
    }
    add(&mut pieces, plain, false);
    pieces
}

fn add(pieces: &mut Vec<ExcerptPiece>, text: String, found: bool) {
    if !text.is_empty() {
        pieces.push(ExcerptPiece { text, found });
    }
}

/// The length of the longest of `terms` that begins at `place` as a word.
fn match_length(letters: &[char], place: usize, terms: &[String]) -> Option<usize> {
    if place > 0 && letters[place - 1].is_alphanumeric() {
        return None;
    }
    let is_there = |term: &&String| {
        let mut there = letters[place..]
            .iter()
            .flat_map(|letter| letter.to_lowercase());
        term.chars().all(|letter| there.next() == Some(letter))
    };
    terms
        .iter()
        .filter(is_there)
        .map(|term| term.chars().count())
        .max()
        .filter(|length| place + length <= letters.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str, terms: &[&str]) -> String {
        let terms: Vec<String> = terms.iter().map(|term| (*term).to_owned()).collect();
        let pieces = cut(text, &terms).into_iter();
        pieces
            .map(|piece| {
                if piece.found {
                    format!("[{}]", piece.text)
                } else {
                    piece.text
                }
            })
            .collect()
    }

    #[test]
    fn matches_are_marked_at_word_starts_ignoring_case() {
        for (text, terms, expected) in [
            (
                "The Lock is a lock, no deadlock",
                vec!["lock"],
                "The [Lock] is a [lock], no deadlock",
            ),
            ("a\n\nb  c", vec!["b"], "a [b] c"),
            ("ÄPFEL und äpfel", vec!["äpfel"], "[ÄPFEL] und [äpfel]"),
            ("", vec!["x"], ""),
        ] {
            assert_eq!(marked(text, &terms), expected);
        }
    }

    #[test]
    fn long_text_is_cut_around_first_match() {
        let text = format!("{}needle{}", "x ".repeat(500), " y".repeat(500));
        let actual = marked(&text, &["needle"]);
        assert!(
            actual.starts_with('…') && actual.ends_with('…') && actual.contains("[needle]"),
            "{actual}"
        );
        assert!(actual.chars().count() < MAX_EXCERPT_CHARS + 6, "{actual}");
    }
}
