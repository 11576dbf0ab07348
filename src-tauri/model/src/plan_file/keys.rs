//! The keys and words that a plan file knows, and which of them a person may have meant.
//!
//! The order of the keys is the order in which a file is written.

use crate::node::{OnFailure, TriggerRule};
use crate::plan::Source;

pub(super) const PLAN_KEYS: &[&str] = &[
    "baton",
    "title",
    "description",
    "cwd",
    "project",
    "autonomy",
    "concurrency",
    "priority",
    "timeoutMs",
    "maxRetries",
    "tags",
    "complexity",
    "constraints",
    "metadata",
    "source",
    "sourceId",
    "user",
    "createdBy",
    "plannerModel",
    "executorModel",
    "informedBy",
    "goal",
    "trigger",
    "nodes",
];

/// The keys that nodes of every kind have.
pub(super) const COMMON_NODE_KEYS: &[&str] = &[
    "id",
    "title",
    "description",
    "kind",
    "dependsOn",
    "triggerRule",
    "instructions",
    "acceptanceCriteria",
    "toolsRequired",
    "suggestedAgent",
    "maxRetries",
    "timeoutMs",
    "onFailure",
    "priority",
    "position",
    "metadata",
];

pub(super) const AGENT: &str = "agent";
pub(super) const COMMAND: &str = "command";
pub(super) const NOTE: &str = "note";

/// The kinds that this version runs or shows, each with the keys that only it has.
pub(super) const KINDS: &[(&str, &[&str])] =
    &[(AGENT, &["agent", "model", "prompt"]), (COMMAND, &["command", "env", "cwd"]), (NOTE, &["text"])];

/// The kinds that the product names and this version does not run (product §3).
pub(super) const LATER_KINDS: &[&str] =
    &["tool_call", "llm_decision", "user_input", "condition", "parallel", "loop", "sub_plan"];

pub(super) const TRIGGER_RULES: &[(&str, TriggerRule)] = &[
    ("all_success", TriggerRule::AllSuccess),
    ("all_done", TriggerRule::AllDone),
    ("one_success", TriggerRule::OneSuccess),
    ("one_failed", TriggerRule::OneFailed),
    ("none_failed", TriggerRule::NoneFailed),
    ("none_failed_min_one_success", TriggerRule::NoneFailedMinOneSuccess),
];

pub(super) const ON_FAILURES: &[(&str, OnFailure)] = &[("abort", OnFailure::Abort), ("skip", OnFailure::Skip)];

pub(super) const SOURCES: &[(&str, Source)] = &[
    ("user", Source::User),
    ("agent", Source::Agent),
    ("trigger", Source::Trigger),
    ("import", Source::Import),
    ("example", Source::Example),
];

/// The word for `value`.
pub(super) fn word_for<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> &'static str {
    words.iter().find(|(_, known)| known == value).map_or("", |(word, _)| word)
}

/// The one of `known` that is most like `word`, if any is like it at all.
pub(super) fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let wanted = plain(word);
    // Two slips, or one in three characters: beyond that a suggestion misleads more than it helps.
    let limit = (wanted.chars().count() / 3).max(2);
    known
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(word.len()) <= limit + 4)
        .map(|candidate| (strsim::osa_distance(&wanted, &plain(candidate)), candidate))
        .filter(|&(distance, candidate)| distance <= limit && distance < candidate.chars().count())
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// `depends_on`, `DependsOn` and `depends-on` are all meant for `dependsOn`.
fn plain(word: &str) -> String {
    word.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_key_is_the_one_that_was_meant() {
        for (word, key) in [
            ("dependOn", Some("dependsOn")),
            ("depends_on", Some("dependsOn")),
            ("DependsOn", Some("dependsOn")),
            ("timeout", Some("timeoutMs")),
            ("tittle", Some("title")),
            ("acceptence-criteria", Some("acceptanceCriteria")),
            ("zzzzzz", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, COMMON_NODE_KEYS.iter().copied()), key, "{word:?}");
        }
    }
}
