//! What is claimed about files: changed, gone, or nothing.

/// What a verb, heading or remark says about files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ClaimMode {
    /// The files were created or changed.
    Written,
    /// The files were deleted or moved away.
    Gone,
    /// Not changed, or not about files at all.
    Ignored,
}

/// Labels after which no changed files follow.
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

/// Returns what a label or heading says about the files below it.
pub(super) fn mode_of(label: &str) -> ClaimMode {
    let label = label.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| label.contains(word));
    match () {
        () if says(&IGNORED_LABELS) => ClaimMode::Ignored,
        () if says(&["deleted", "removed", "temporary", "cleaned"]) => ClaimMode::Gone,
        () => ClaimMode::Written,
    }
}
