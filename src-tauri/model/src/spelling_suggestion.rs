//! Suggestions for misspelled words.

/// The entry of `known` that is most similar to `word`, if any is similar enough.
#[must_use]
pub fn closest_match<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let wanted = plain(word);
    // Two edits, or one per three characters. Beyond that a suggestion is more likely to mislead.
    let limit = (wanted.chars().count() / 3).max(2);
    known
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(word.len()) <= limit + 4)
        .map(|candidate| (strsim::osa_distance(&wanted, &plain(candidate)), candidate))
        .filter(|&(distance, candidate)| distance <= limit && distance < candidate.chars().count())
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// The question at the end of a message about an unknown word; empty if there is no suggestion.
#[must_use]
pub fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |nearest| {
        format!("; did you mean \"{nearest}\"?")
    })
}

/// Normalizes `depends_on`, `DependsOn` and `depends-on`, which all match `dependsOn`.
fn plain(word: &str) -> String {
    word.chars()
        .filter(|c| !matches!(c, '_' | '-' | ' '))
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closest_match_finds_typos() {
        let known = [
            "title",
            "dependsOn",
            "timeoutMs",
            "acceptanceCriteria",
            "id",
        ];
        for (word, meant) in [
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
            assert_eq!(closest_match(word, known), meant, "{word:?}");
        }
    }
}
