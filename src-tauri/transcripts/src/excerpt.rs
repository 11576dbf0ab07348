//! The text around words that were found. The index keeps no text: it is read where it was said.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::history::words::Words;
use crate::index::search::Piece;
use crate::lines::{Lines, Room};
use crate::{Agent, history, layout};

/// How much text stands before the first word, in characters.
const BEFORE: usize = 60;
/// How much text there is altogether, in characters.
const WHOLE: usize = 240;

/// A source that excerpts are read from.
pub(crate) struct Excerpts {
    agent: Agent,
    file: File,
    terms: Vec<String>,
}

impl Excerpts {
    /// Excerpts with these words, as a person typed them.
    pub(crate) fn open(agent: Agent, path: &Path, text: &str) -> io::Result<Self> {
        let words = text
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|word| !word.is_empty());
        let terms = words.map(str::to_lowercase).collect();
        Ok(Self {
            agent,
            file: layout::open(agent, path)?,
            terms,
        })
    }

    /// The text of the record at `place`, around the first of the words.
    pub(crate) fn at(&self, place: u64) -> io::Result<Vec<Piece>> {
        let mut room = Room::default();
        let mut lines = Lines::from(self.file.try_clone()?, place, &mut room)?;
        let mut words = Words::default();
        if let Some(line) = lines.next()? {
            history::collect(self.agent, line.bytes, &mut words);
        }
        Ok(cut(words.text(), &self.terms))
    }
}

/// Cuts `text` around the first of `terms`, and marks all of them.
fn cut(text: &str, terms: &[String]) -> Vec<Piece> {
    let letters: Vec<char> = text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .collect();
    let first = (0..letters.len())
        .find(|&place| found(&letters, place, terms).is_some())
        .unwrap_or(0);
    let start = first.saturating_sub(BEFORE);
    let end = (start + WHOLE).min(letters.len());
    let mut pieces = Vec::new();
    let mut plain = String::from(if start > 0 { "…" } else { "" });
    let mut place = start;
    while place < end {
        if let Some(length) = found(&letters, place, terms) {
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

fn add(pieces: &mut Vec<Piece>, text: String, found: bool) {
    if !text.is_empty() {
        pieces.push(Piece { text, found });
    }
}

/// How long the word at `place` is, if one of `terms` begins there as a word.
fn found(letters: &[char], place: usize, terms: &[String]) -> Option<usize> {
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

    fn told(text: &str, terms: &[&str]) -> String {
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
    fn words_are_marked_where_they_begin_and_in_any_case() {
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
            assert_eq!(told(text, &terms), expected);
        }
    }

    #[test]
    fn a_long_text_is_cut_around_the_first_word() {
        let text = format!("{}needle{}", "x ".repeat(500), " y".repeat(500));
        let told = told(&text, &["needle"]);
        assert!(
            told.starts_with('…') && told.ends_with('…') && told.contains("[needle]"),
            "{told}"
        );
        assert!(told.chars().count() < WHOLE + 6, "{told}");
    }
}
