//! What `cargo test` says about failed tests, and what running them once more makes of it.
//!
//! nextest retries by itself; this is for machines without it.

use super::tally::{OutputFormat, Tally};

/// The failed tests by name.
///
/// None when the text does not name as many as failed: a test program that died names nobody, and what a second run
/// of the others says would not speak for it.
pub(crate) fn failed_tests(text: &str, tally: Tally) -> Option<Vec<String>> {
    let programs = text.lines().find_map(failed_programs)?;
    let (mut named, mut ended, mut block) = (Vec::new(), 0, Vec::new());
    for line in text.lines() {
        if line == "failures:" {
            block.clear();
        } else if line.starts_with("test result: FAILED.") {
            named.append(&mut block);
            ended += 1;
        } else if let Some(name) = line.strip_prefix("    ").filter(|name| is_test_name(name)) {
            block.push(name.to_owned());
        }
    }
    (ended == programs && named.len() as u64 == tally.failed).then_some(named)
}

/// Judges both runs together: `names` are the tests that ran again. Also says which of them passed then.
pub(crate) fn judge_rerun(
    first: Tally,
    names: Vec<String>,
    success: bool,
    text: &str,
) -> (Tally, Vec<String>) {
    let second = Tally::of(success, OutputFormat::CargoTest, text);
    let still = if success {
        Some(Vec::new())
    } else {
        failed_tests(text, second)
    };
    let all_ran = second.passed + second.failed >= names.len() as u64;
    let Some(still) = still.filter(|_| all_ran) else {
        return (first, Vec::new());
    };
    let flaky: Vec<String> = names
        .into_iter()
        .filter(|name| !still.contains(name))
        .collect();
    let recovered = flaky.len() as u64;
    (
        Tally {
            passed: first.passed + recovered,
            failed: first.failed.saturating_sub(recovered),
        },
        flaky,
    )
}

/// `error: 2 targets failed:`
fn failed_programs(line: &str) -> Option<u64> {
    let targets = line.strip_prefix("error: ")?.strip_suffix(" failed:")?;
    targets
        .strip_suffix(" targets")
        .or_else(|| targets.strip_suffix(" target"))?
        .parse()
        .ok()
}

fn is_test_name(text: &str) -> bool {
    !text.is_empty() && !text.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = include_str!("recorded/cargo_test.txt");
    const AGAIN: &str = include_str!("recorded/cargo_test_again.txt");
    const DIED: &str = include_str!("recorded/cargo_test_abort.txt");

    fn read(text: &str) -> (Tally, Option<Vec<String>>) {
        let tally = Tally::of(false, OutputFormat::CargoTest, text);
        (tally, failed_tests(text, tally))
    }

    #[test]
    fn failed_tests_are_parsed() {
        let (tally, names) = read(FIRST);
        assert_eq!(
            tally,
            Tally {
                passed: 5,
                failed: 4
            }
        );
        let expected = [
            "tests::random_runs_match_the_reference",
            "tests::never_passes",
            "tests::passes_the_second_time",
            "deep::passes_the_second_time",
        ];
        assert_eq!(names.expect("all have names"), expected);
        assert_eq!(
            read(AGAIN).1.expect("it has a name"),
            ["tests::never_passes"]
        );
    }

    #[test]
    fn crashed_or_unbuilt_program_gives_no_list() {
        let (tally, names) = read(DIED);
        assert_eq!((tally.failed, names), (4, None), "the fifth has no name");
        assert_eq!(
            read("error: could not compile `baton-model` (lib test) due to 1 previous error").1,
            None
        );
    }

    #[test]
    fn test_that_passes_on_rerun_is_flaky() {
        let names = |text| read(text).1.expect("names");
        let first = Tally {
            passed: 5,
            failed: 4,
        };
        let (tally, flaky) = judge_rerun(first, names(FIRST).split_off(1), false, AGAIN);
        assert_eq!(
            tally,
            Tally {
                passed: 7,
                failed: 2
            },
            "one fails again, and one was not run again"
        );
        assert_eq!(
            flaky,
            [
                "tests::passes_the_second_time",
                "deep::passes_the_second_time"
            ]
        );
    }

    #[test]
    fn rerun_that_skips_tests_does_not_count() {
        let first = Tally {
            passed: 5,
            failed: 1,
        };
        let names = || vec!["tests::never_passes".to_owned()];
        let ran_nothing =
            "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 9 filtered out";
        assert_eq!(
            judge_rerun(first, names(), true, ran_nothing),
            (first, Vec::new())
        );
        assert_eq!(
            judge_rerun(first, names(), false, DIED),
            (first, Vec::new()),
            "it died the second time"
        );
        let ran = "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 8 filtered out";
        assert_eq!(
            judge_rerun(first, names(), true, ran),
            (
                Tally {
                    passed: 6,
                    failed: 0
                },
                names()
            )
        );
    }
}
