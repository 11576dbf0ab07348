//! Remarks beside a path: that it was only read, restored, or removed.

use super::mode::ClaimMode;

/// Words before the relevant part of a remark.
const FILLERS: [&str; 31] = [
    "was",
    "were",
    "is",
    "are",
    "it",
    "its",
    "has",
    "have",
    "had",
    "been",
    "left",
    "kept",
    "only",
    "just",
    "file",
    "files",
    "this",
    "the",
    "already",
    "still",
    "actually",
    "later",
    "then",
    "now",
    "again",
    "afterwards",
    "i",
    "we",
    "but",
    "and",
    "also",
];
/// A clause with one of these prefixes states that the file was not changed.
const RETRACTION_PREFIXES: [&str; 69] = [
    "unchanged",
    "untouched",
    "unmodified",
    "unaffected",
    "unedited",
    "not change",
    "not modif",
    "not touch",
    "not edit",
    "not alter",
    "not update",
    "not created",
    "not written",
    "not affected",
    "not need",
    "not necessary",
    "not required",
    "not done",
    "not yet",
    "not mine",
    "not by me",
    "nothing changed",
    "nothing to",
    "nothing was",
    "as is",
    "as-is",
    "as it was",
    "as they were",
    "intact",
    "alone",
    "viewed",
    "inspected",
    "reviewed",
    "examined",
    "analyzed",
    "analysed",
    "consulted",
    "referenced",
    "reference only",
    "for reference",
    "for context",
    "looked at",
    "skipped",
    "ignored",
    "reverted",
    "restored",
    "could not",
    "couldn't",
    "cannot",
    "can't",
    "did not",
    "didn't",
    "does not need",
    "doesn't need",
    "never",
    "unable",
    "failed to",
    "attempted",
    "tried",
    "would",
    "should",
    "todo",
    "to do",
    "to be ",
    "planned",
    "proposed",
    "suggested",
    "denied",
    "permission",
];
/// A clause that equals one of these states the same.
const RETRACTION_PHRASES: [&str; 15] = [
    "read",
    "readonly",
    "existing",
    "exists",
    "existed",
    "present",
    "there",
    "in place",
    "correct",
    "up to date",
    "up-to-date",
    "checked",
    "same",
    "none",
    "nothing",
];
/// Words that state it anywhere in a clause.
const REVERT_PHRASES: [&str; 6] = [
    "reverted",
    "rolled back",
    "put back",
    "undone",
    "undid",
    "back to its original",
];
/// Words that state that the file no longer exists.
const GONE: [&str; 14] = [
    "deleted",
    "deletes",
    "removed",
    "removes",
    "temporary",
    "temp file",
    "scratch",
    "throwaway",
    "moved to",
    "renamed to",
    "cleaned up",
    "discarded",
    "dropped",
    "moved away",
];

/// Returns what `remark` says about the path beside it; `None` if it says nothing about a change.
pub(super) fn mode_from_remark(remark: &str) -> Option<ClaimMode> {
    let remark = remark
        .to_lowercase()
        .replace(['`', '*', '_', '’'], "'")
        .replace("' ", " ");
    if REVERT_PHRASES.iter().any(|words| remark.contains(words))
        || clauses(&remark).any(is_retraction)
    {
        return Some(ClaimMode::Ignored);
    }
    GONE.iter()
        .any(|words| remark.contains(words))
        .then_some(ClaimMode::Gone)
}

fn clauses(remark: &str) -> impl Iterator<Item = &str> {
    remark
        .split(['.', ';', ',', '(', ')', '|', '—', '–', ':', '[', ']'])
        .flat_map(|part| part.split(" - "))
        .flat_map(|part| part.split(" but "))
        .map(|part| part.trim_matches([' ', '-', '\'', '"']))
}

fn is_retraction(clause: &str) -> bool {
    let mut words = clause;
    while let Some((first, rest)) = words.split_once(' ') {
        if !FILLERS.contains(&first) {
            break;
        }
        words = rest.trim_start();
    }
    RETRACTION_PREFIXES
        .iter()
        .any(|start| words.starts_with(start))
        || RETRACTION_PHRASES.contains(&words)
        || is_no_change(words)
        || is_reading(words)
}

/// `no changes needed`. "No changes to the interface" does not count.
fn is_no_change(words: &str) -> bool {
    let rest = [
        "no changes",
        "no change",
        "no edits",
        "no edit",
        "no modifications",
        "no modification",
    ]
    .iter()
    .find_map(|start| words.strip_prefix(start));
    let ends = [
        "",
        "needed",
        "required",
        "made",
        "necessary",
        "at all",
        "were made",
        "was made",
        "here",
    ];
    rest.is_some_and(|rest| ends.contains(&rest.trim()))
}

fn is_reading(words: &str) -> bool {
    [
        "read only",
        "read-only",
        "read for",
        "read to",
        "read and not",
    ]
    .iter()
    .any(|start| words.starts_with(start))
}
