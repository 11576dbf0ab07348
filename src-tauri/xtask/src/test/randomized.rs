//! Which tests draw their cases by chance. They are never run again: a second draw would hide what the first one found.
//!
//! Rust tests are listed in `.config/nextest.toml`, which nextest reads too; a journey takes its seed from
//! [`JOURNEY_SEED`].

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

const NEXTEST: &str = include_str!("../../../../.config/nextest.toml");

/// What a journey that draws its acts by chance reads.
const JOURNEY_SEED: &str = "BATON_TEST_SEED";

/// Whether a Rust test of this name, with its modules or without, draws its cases.
pub(crate) fn is_randomized(test: &str) -> bool {
    let name = test.rsplit("::").next().unwrap_or(test);
    randomized_tests().any(|randomized_tests| randomized_tests == name)
}

/// Whether the journeys of this file draw their acts.
pub(crate) fn is_randomized_journey(file: &Path) -> Result<bool> {
    let text = fs::read_to_string(file)
        .with_context(|| format!("{} could not be read", file.display()))?;
    Ok(text.contains(JOURNEY_SEED))
}

/// The names in the filter of the override: one alternative of its pattern each.
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

    /// All Rust files but these: they speak of chance.
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

    /// The names of the functions in the `proptest!` blocks of a file.
    fn properties(text: &str) -> Vec<&str> {
        // rustfmt puts the end of a block at the beginning's indentation.
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
        assert!(all.len() > 30, "the files are read: {all:?}");
        let missing: Vec<_> = all
            .into_iter()
            .filter(|name| !is_randomized(name))
            .collect();
        assert!(
            missing.is_empty(),
            "write into the list of .config/nextest.toml: {missing:?}"
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
                "none of the tests of {} is in the list of .config/nextest.toml",
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
            "strike out of the list of .config/nextest.toml: {gone:?}"
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
