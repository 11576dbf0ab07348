//! What is said of a path beside it: that it was only read, put back, or removed.

use super::mode::Mode;

/// Words before the part of a remark that matters.
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
/// A clause that begins so says that the file was not changed.
const WITHDRAWN: [&str; 69] = [
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
/// A clause that is this says the same.
const WITHDRAWN_WHOLE: [&str; 15] = [
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
/// Words that say so wherever they stand.
const PUT_BACK: [&str; 6] = [
    "reverted",
    "rolled back",
    "put back",
    "undone",
    "undid",
    "back to its original",
];
/// Words that say that the file is not there any more.
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

/// What `remark` makes of the path beside it; `None` when it says nothing about that.
pub(super) fn effect(remark: &str) -> Option<Mode> {
    let remark = remark
        .to_lowercase()
        .replace(['`', '*', '_', '’'], "'")
        .replace("' ", " ");
    if PUT_BACK.iter().any(|words| remark.contains(words)) || clauses(&remark).any(is_withdrawing) {
        return Some(Mode::Ignored);
    }
    GONE.iter()
        .any(|words| remark.contains(words))
        .then_some(Mode::Gone)
}

fn clauses(remark: &str) -> impl Iterator<Item = &str> {
    remark
        .split(['.', ';', ',', '(', ')', '|', '—', '–', ':', '[', ']'])
        .flat_map(|part| part.split(" - "))
        .flat_map(|part| part.split(" but "))
        .map(|part| part.trim_matches([' ', '-', '\'', '"']))
}

fn is_withdrawing(clause: &str) -> bool {
    let mut words = clause;
    while let Some((first, rest)) = words.split_once(' ') {
        if !FILLERS.contains(&first) {
            break;
        }
        words = rest.trim_start();
    }
    WITHDRAWN.iter().any(|start| words.starts_with(start))
        || WITHDRAWN_WHOLE.contains(&words)
        || is_no_change(words)
        || is_reading(words)
}

/// `no changes needed`; that there are "no changes to the interface" is another thing.
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
