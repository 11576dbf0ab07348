//! Answers without a list: finds sentences that plainly state that a file was changed.

use super::FileClaim;
use super::item::{self, Line};
use super::list;
use super::mode::ClaimMode;

/// Verbs that state a completed change. "To create" and "creates" are weaker.
const VERBS: [&str; 19] = [
    "created",
    "added",
    "wrote",
    "modified",
    "updated",
    "changed",
    "edited",
    "fixed",
    "deleted",
    "removed",
    "renamed",
    "moved",
    "rewrote",
    "refactored",
    "replaced",
    "extended",
    "generated",
    "written",
    "saved",
];
/// If one of these precedes its verb, a sentence does not state that the change was made.
const HEDGES: &str = " not no never without would could should can cannot will might may if when once unless unable failed \
    before instead already previously until nothing didn't couldn't can't wouldn't won't hasn't haven't wasn't isn't don't to \
    asked want wanted need needs needed plan planned try tried attempt attempted says said claims user you they denied refused \
    previous earlier predecessor step was were is are be ";

/// The claims in a text, line by line and sentence by sentence. Code is skipped.
pub(super) fn claims(text: &str) -> Vec<FileClaim> {
    let mut found = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            is_code = !is_code;
            continue;
        }
        if is_code || line.starts_with('>') {
            continue;
        }
        let line = list::without_bullet(line).unwrap_or(line);
        found.extend(sentences(line).flat_map(claims_in_sentence));
    }
    found
}

fn claims_in_sentence(sentence: &str) -> Vec<FileClaim> {
    let mut at = 0;
    for word in sentence.split_inclusive(char::is_whitespace) {
        let plain = word
            .trim_matches(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’')
            .to_lowercase()
            .replace('’', "'");
        if VERBS.contains(&plain.as_str()) {
            return item::claims(&sentence[at..], Line::Sentence, ClaimMode::Written);
        }
        if !plain.is_empty() && HEDGES.contains(&format!(" {plain} ")) {
            return Vec::new();
        }
        at += word.len();
    }
    Vec::new()
}

/// The sentences of a line. A period only ends a sentence if no path continues after it.
fn sentences(line: &str) -> impl Iterator<Item = &str> {
    line.split(". ")
        .flat_map(|part| part.split("! "))
        .flat_map(|part| part.split("? "))
        .map(str::trim)
}
