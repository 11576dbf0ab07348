//! Parses one list item or line: the verb, the paths, and the remarks about them.

use super::item_lead::parse_lead;
use super::mode::ClaimMode;
use super::path::PathWord;
use super::path_word::paths_at;
use super::remark;
use super::separator::{after_separator, parenthesis};
use super::{FileAct, FileClaim};

/// How strictly a line is parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// An item in a list of files.
    Item,
    /// A line without a bullet in the list's section.
    Plain,
    /// A sentence: only what follows a verb of change is a claim.
    Sentence,
}

/// The claims at the beginning of an item. A line that is not an item must consist of claims, or
/// begin with a verb.
pub(super) fn claims(item: &str, line: Line, inherited: ClaimMode) -> Vec<FileClaim> {
    let lead = parse_lead(item);
    let mode = inherited.max(lead.mode);
    if mode == ClaimMode::Ignored || (line == Line::Sentence && !lead.has_verb) {
        return Vec::new();
    }
    let mut found: Vec<PathMention> = Vec::new();
    let mut rest = lead.rest;
    let mut remark = rest;
    let mut expected = line;
    let lower = item.to_lowercase();
    let is_renamed = lower.contains("move") || lower.contains("rename");
    while let Some((paths, after)) = paths_at(rest, expected) {
        let (own, after) = parenthesis(after);
        let own_remark = own.and_then(remark::mode_from_remark);
        found.extend(paths.into_iter().map(|(word, moved)| PathMention {
            word,
            mode: if moved {
                Some(ClaimMode::Gone)
            } else {
                own_remark
            },
        }));
        remark = after;
        let (next, is_arrow) = after_separator(after);
        // Without a word between them, only a certain path continues the list.
        expected = if next.len() == after.trim_start().len() {
            Line::Sentence
        } else {
            line
        };
        let moves = is_arrow || (is_renamed && next.starts_with("to "));
        if moves && let Some(last) = found.last_mut() {
            last.mode = Some(ClaimMode::Gone);
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
    let of_all = remark::mode_from_remark(remark);
    found
        .into_iter()
        .filter_map(|found| found.claim(mode, of_all))
        .collect()
}

/// A path with the remark that applies to it alone.
struct PathMention {
    word: PathWord,
    mode: Option<ClaimMode>,
}

impl PathMention {
    fn claim(self, mode: ClaimMode, of_all: Option<ClaimMode>) -> Option<FileClaim> {
        let act = match mode.max(self.mode.or(of_all).unwrap_or(ClaimMode::Written)) {
            ClaimMode::Written => FileAct::Written,
            ClaimMode::Gone => FileAct::Gone,
            ClaimMode::Ignored => return None,
        };
        Some(FileClaim {
            path: self.word.path,
            act,
            is_certain: self.word.is_certain,
        })
    }
}
