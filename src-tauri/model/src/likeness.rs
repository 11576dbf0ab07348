//! Which of the known words a person may have meant.

/// The one of `known` that is most like `word`, if any is like it at all.
#[must_use]
pub fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
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

/// The question at the end of a sentence about an unknown word; nothing when no word is like it.
#[must_use]
pub fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |nearest| {
        format!("; did you mean \"{nearest}\"?")
    })
}

/// `depends_on`, `DependsOn` and `depends-on` are all meant for `dependsOn`.
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
    fn the_nearest_word_is_the_one_that_was_meant() {
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
            assert_eq!(nearest(word, known), meant, "{word:?}");
        }
    }
}
