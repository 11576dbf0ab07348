//! What comes before the paths of an item: labels, verbs, check boxes and status letters.

use super::item::Line;
use super::mode::{ClaimMode, mode_of};
use super::path_word::paths_at;

/// Verbs of change, and words that may appear between them and a path.
const WRITTEN: &str = " new file files folder directory dir created create creates creating added add adds adding modified modify \
    modifies updated update updates updating changed change changes edited edit edits wrote writes write written rewrote rewritten \
    fixed fixes refactored extended replaced touched generated renamed renames rename moved moves move copied the a an and then also saved \
    existing both i i've we we've have has been test tests script in into to under named called documentation docs config ";
const GONE: &str = " deleted delete deletes removed remove removes dropped cleaned temporary temp ";
const IGNORED: &str = " read reads reading reviewed inspected viewed examined analyzed analysed checked verified reverted restored \
    unchanged untouched ran run running tested no not skipped ignored considered searched opened looked kept left referenced \
    consulted used using see could would will should todo planned proposed attempted tried did didn't couldn't unable only ";
/// Well-known files without an extension.
const NAMES: [&str; 21] = [
    "Makefile",
    "Dockerfile",
    "Containerfile",
    "Justfile",
    "Rakefile",
    "Gemfile",
    "Procfile",
    "Jenkinsfile",
    "Vagrantfile",
    "Pipfile",
    "Brewfile",
    "LICENSE",
    "README",
    "CHANGELOG",
    "AUTHORS",
    "NOTICE",
    "CODEOWNERS",
    "BUILD",
    "WORKSPACE",
    "configure",
    "makefile",
];

/// The part of an item before its paths.
pub(super) struct ItemLead<'a> {
    pub(super) mode: ClaimMode,
    pub(super) has_verb: bool,
    pub(super) rest: &'a str,
}

pub(super) fn parse_lead(item: &str) -> ItemLead<'_> {
    let mut lead = ItemLead {
        mode: ClaimMode::Written,
        has_verb: false,
        rest: undecorated(item),
    };
    loop {
        if let Some((label, rest)) = label(lead.rest) {
            lead.mode = lead.mode.max(mode_of(label));
            lead.rest = undecorated(rest);
            continue;
        }
        let word = lead.rest.split([' ', '\t']).next().unwrap_or_default();
        let rest = lead.rest[word.len()..].trim_start();
        let plain = word
            .trim_matches(['*', '_', '[', ']', '(', ')', ':', ','])
            .to_lowercase()
            .replace('’', "'");
        let is_in = |words: &str| !plain.is_empty() && words.contains(&format!(" {plain} "));
        let status = git_status(word).filter(|_| paths_at(rest, Line::Sentence).is_some());
        match () {
            () if rest.is_empty() => return lead,
            () if let Some(mode) = status => lead.mode = lead.mode.max(mode),
            () if is_in(IGNORED) => lead.mode = ClaimMode::Ignored,
            () if is_in(GONE) => lead.mode = lead.mode.max(ClaimMode::Gone),
            () if is_in(WRITTEN) => {}
            () => return lead,
        }
        lead.has_verb = true;
        let Some(rest) = next_cell(rest) else {
            return ItemLead { rest: "", ..lead };
        };
        lead.rest = undecorated(rest);
    }
}

/// The text after a verb, which may have its own table cell; `None` if the next cell contains no
/// path.
fn next_cell(rest: &str) -> Option<&str> {
    match rest.strip_prefix('|') {
        Some(cell) => {
            Some(cell.trim_start()).filter(|cell| paths_at(cell, Line::Sentence).is_some())
        }
        None => Some(rest),
    }
}

/// `M src/a.rs`, as git prints it.
fn git_status(word: &str) -> Option<ClaimMode> {
    let is_status = (1..=2).contains(&word.len()) && word.chars().all(|c| "MADRCU?".contains(c));
    is_status.then_some(if word.contains('D') {
        ClaimMode::Gone
    } else {
        ClaimMode::Written
    })
}

/// Strips check boxes and signs before the first word.
fn undecorated(item: &str) -> &str {
    let item = item.trim_start();
    let boxes = ["[x] ", "[X] ", "[ ] "];
    let item = boxes
        .iter()
        .find_map(|mark| item.strip_prefix(mark))
        .unwrap_or(item);
    item.trim_start_matches(|c: char| {
        !c.is_ascii() && !c.is_alphanumeric() && !"“‘…".contains(c) || c == ' '
    })
}

/// `Tests:`: a few plain words and a colon.
fn label(item: &str) -> Option<(&str, &str)> {
    let bare = item.trim_start_matches(['*', '_']);
    let (label, rest) = bare.split_once(':')?;
    let is_plain = label
        .chars()
        .all(|c| c.is_alphanumeric() || " &-'()*_".contains(c))
        && !label.contains("()");
    let is_short =
        !label.trim().is_empty() && label.len() <= 48 && label.split_whitespace().count() <= 5;
    let ends = rest.is_empty() || rest.starts_with([' ', '*', '_', '`', '\t']);
    let rest = rest.trim_start_matches(['*', '_', ' ', '\t']);
    let is_label =
        is_plain && is_short && ends && !rest.is_empty() && !NAMES.contains(&label.trim());
    is_label.then_some((label, rest))
}
