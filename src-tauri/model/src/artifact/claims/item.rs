//! One item of a list, or one line: what was done, to which paths, and what is said of them.

use super::lead::lead;
use super::mode::Mode;
use super::path::PathWord;
use super::path_word::paths_at;
use super::remark;
use super::separator::{after_separator, parenthesis};
use super::{FileAct, FileClaim};

/// How much is expected of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// It is an item of a list of files.
    Item,
    /// It stands in the list's section without a bullet.
    Plain,
    /// It is a sentence: only what a verb of changing is followed by is a claim.
    Sentence,
}

/// The claims with which an item begins. A line that is no item has to consist of them, or to begin with a verb.
pub(super) fn claims(item: &str, line: Line, inherited: Mode) -> Vec<FileClaim> {
    let lead = lead(item);
    let mode = inherited.max(lead.mode);
    if mode == Mode::Ignored || (line == Line::Sentence && !lead.has_verb) {
        return Vec::new();
    }
    let mut found: Vec<Found> = Vec::new();
    let mut rest = lead.rest;
    let mut remark = rest;
    let mut expected = line;
    let lower = item.to_lowercase();
    let is_renamed = lower.contains("move") || lower.contains("rename");
    while let Some((paths, after)) = paths_at(rest, expected) {
        let (own, after) = parenthesis(after);
        let own_remark = own.and_then(remark::effect);
        found.extend(paths.into_iter().map(|(word, moved)| Found {
            word,
            mode: if moved { Some(Mode::Gone) } else { own_remark },
        }));
        remark = after;
        let (next, is_arrow) = after_separator(after);
        // Without a word between them, only what is a path for certain goes on with the list.
        expected = if next.len() == after.trim_start().len() {
            Line::Sentence
        } else {
            line
        };
        let moves = is_arrow || (is_renamed && next.starts_with("to "));
        if moves && let Some(last) = found.last_mut() {
            last.mode = Some(Mode::Gone);
        }
        rest = if moves {
            next.strip_prefix("to ").unwrap_or(next)
        } else {
            next
        };
    }
    let is_sentence = line == Line::Plain
        && !lead.has_verb
        && remark.trim_start().starts_with(char::is_alphanumeric);
    if is_sentence {
        return Vec::new();
    }
    let of_all = remark::effect(remark);
    found
        .into_iter()
        .filter_map(|found| found.claim(mode, of_all))
        .collect()
}

/// A path with what is said of it alone.
struct Found {
    word: PathWord,
    mode: Option<Mode>,
}

impl Found {
    fn claim(self, mode: Mode, of_all: Option<Mode>) -> Option<FileClaim> {
        let act = match mode.max(self.mode.or(of_all).unwrap_or(Mode::Written)) {
            Mode::Written => FileAct::Written,
            Mode::Gone => FileAct::Gone,
            Mode::Ignored => return None,
        };
        Some(FileClaim {
            path: self.word.path,
            act,
            is_certain: self.word.is_certain,
        })
    }
}
