//! What is said of files: whether they were changed, are gone, or are not claimed.

/// What a verb, heading or remark says became of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mode {
    /// They were made or changed.
    Written,
    /// They are not there any more.
    Gone,
    /// They were not changed, or it is not about files.
    Ignored,
}

/// Labels that say that no changed file follows.
const IGNORED_LABELS: [&str; 43] = [
    "unchanged",
    "untouched",
    "unmodified",
    "not changed",
    "not modified",
    "not touched",
    "no change",
    "read",
    "reviewed",
    "inspected",
    "viewed",
    "examined",
    "analyzed",
    "analysed",
    "referenced",
    "consulted",
    "reference",
    "context",
    "reverted",
    "restored",
    "skipped",
    "ignored",
    "planned",
    "proposed",
    "suggested",
    "todo",
    "next",
    "command",
    "branch",
    "commit",
    "function",
    "class",
    "symbol",
    "method",
    "dependenc",
    "endpoint",
    "route",
    "variable",
    "output",
    "see",
    "note",
    "tool",
    "not ",
];

/// What a label or heading says of the files below it.
pub(super) fn mode_of(label: &str) -> Mode {
    let label = label.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| label.contains(word));
    match () {
        () if says(&IGNORED_LABELS) => Mode::Ignored,
        () if says(&["deleted", "removed", "temporary", "cleaned"]) => Mode::Gone,
        () => Mode::Written,
    }
}
