//! Lists the randomized tests. They are never run again: another random run would hide what the
//! first one found.
//!
//! Rust tests are listed in `.config/nextest.toml`, which nextest also reads. Randomized end-to-end
//! tests read their seed from [`JOURNEY_SEED`].

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

const NEXTEST: &str = include_str!("../../../../.config/nextest.toml");

/// The seed variable of randomized end-to-end tests.
const JOURNEY_SEED: &str = "BATON_TEST_SEED";

/// Returns whether a Rust test is randomized. The name may include its modules.
pub(crate) fn is_randomized(test: &str) -> bool {
    let name = test.rsplit("::").next().unwrap_or(test);
    randomized_tests().any(|randomized_tests| randomized_tests == name)
}

/// Returns whether the end-to-end tests in this file are randomized.
pub(crate) fn is_randomized_journey(file: &Path) -> Result<bool> {
    let text =
        fs::read_to_string(file).with_context(|| format!("couldn't read {}", file.display()))?;
    Ok(text.contains(JOURNEY_SEED))
}

/// Returns the names in the filter pattern of the override.
fn randomized_tests() -> impl Iterator<Item = &'static str> {
    let (_, rest) = NEXTEST.split_once("(^|::)(").unwrap_or_default();
    let (names, _) = rest.split_once(')').unwrap_or_default();
    names
        .split('|')
        .map(str::trim)
        .filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn root() -> &'static Path {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .ancestors()
            .nth(2)
            .expect("the crate is in the checkout")
    }

    fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").path())
        {
            let skipped = ["node_modules", "target"]
                .iter()
                .any(|name| entry.ends_with(name));
            if entry.is_dir() && !skipped {
                rust_files(&entry, found);
            } else if entry.extension().is_some_and(|ending| ending == "rs") {
                found.push(entry);
            }
        }
    }

    /// All Rust files outside of this crate, which itself contains the markers of randomized tests.
    fn others() -> Vec<(PathBuf, String)> {
        let mut files = Vec::new();
        ["src-tauri", "tests"]
            .iter()
            .for_each(|folder| rust_files(&root().join(folder), &mut files));
        files.retain(|file| !file.starts_with(env!("CARGO_MANIFEST_DIR")));
        files
            .into_iter()
            .map(|file| (file.clone(), fs::read_to_string(file).expect("text")))
            .collect()
    }

    /// Returns the names of the functions in a file's `proptest!` blocks.
    fn properties(text: &str) -> Vec<&str> {
        // rustfmt gives the end of a block the indentation of its start.
        let mut names = Vec::new();
        let mut end: Option<String> = None;
        for line in text.lines() {
            let bare = line.trim_start();
            if bare.starts_with("proptest! {") || bare.starts_with("proptest::proptest! {") {
                end = Some(format!("{}}}", &line[..line.len() - bare.len()]));
            } else if end.as_deref() == Some(line) {
                end = None;
            } else if end.is_some() {
                names.extend(
                    bare.strip_prefix("fn ")
                        .and_then(|rest| rest.split('(').next()),
                );
            }
        }
        names
    }

    #[test]
    fn every_property_test_is_listed() {
        let files = others();
        let all: Vec<_> = files
            .iter()
            .flat_map(|(_, text)| properties(text))
            .collect();
        assert!(all.len() > 30, "property tests were found: {all:?}");
        let missing: Vec<_> = all
            .into_iter()
            .filter(|name| !is_randomized(name))
            .collect();
        assert!(
            missing.is_empty(),
            "add to the list in .config/nextest.toml: {missing:?}"
        );
    }

    #[test]
    fn every_seeded_test_is_listed() {
        let with_a_seed = |(_, text): &&(_, String)| {
            text.contains("\"BATON_SEED\"") || text.contains("TestRunner::new")
        };
        for (file, text) in others().iter().filter(with_a_seed) {
            let named = randomized_tests().any(|name| text.contains(&format!("fn {name}(")));
            assert!(
                named,
                "no test of {} is in the list in .config/nextest.toml",
                file.display()
            );
        }
        for name in [
            "run::tests::journeys::random_runs_match_the_reference",
            "simulation::worlds_settle_with_each_effect_applied_once",
            "simulation::more_worlds_settle_with_each_effect_applied_once",
            "recovery::kills_at_random_moments_lose_and_repeat_no_work",
            "zombies::woken_zombie_does_nothing_after_takeover",
        ] {
            assert!(is_randomized(name), "{name}");
        }
    }

    #[test]
    fn listed_tests_exist() {
        let files = others();
        let gone: Vec<_> = randomized_tests()
            .filter(|name| {
                !files
                    .iter()
                    .any(|(_, text)| text.contains(&format!("fn {name}(")))
            })
            .collect();
        assert!(
            gone.is_empty(),
            "remove from the list in .config/nextest.toml: {gone:?}"
        );
        assert!(!is_randomized("tests::parts_run_in_their_own_order"));
    }

    #[test]
    fn failed_tests_are_retried_once_except_randomized() {
        let lines: Vec<_> = NEXTEST
            .lines()
            .filter(|line| line.starts_with("retries"))
            .collect();
        assert_eq!(
            lines,
            ["retries = 1", "retries = 0"],
            "never more: a flaky test is a defect"
        );
    }

    #[test]
    fn seeded_journeys_are_recognized() -> Result<()> {
        let journey = |name: &str| is_randomized_journey(&root().join("tests/browser").join(name));
        assert!(journey("randomEdits.test.js")?);
        assert!(!journey("drawAndRun.test.js")?);
        assert!(journey("none.test.js").is_err());
        Ok(())
    }
}
