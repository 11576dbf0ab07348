//! Finds the failed tests in the output of `cargo test`, and evaluates a second run of them.
//!
//! Only used without nextest, which retries by itself.

use super::tally::{OutputFormat, Tally};

/// Returns the names of the failed tests.
///
/// Returns `None` if fewer names are found than tests failed. A test program that crashed lists no
/// names, and running the other tests again wouldn't cover it.
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

/// Combines both runs. `names` are the tests that ran again. Also returns those that passed then.
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
        assert_eq!(names.expect("all names are found"), expected);
        assert_eq!(
            read(AGAIN).1.expect("the name is found"),
            ["tests::never_passes"]
        );
    }

    #[test]
    fn crashed_or_unbuilt_program_gives_no_list() {
        let (tally, names) = read(DIED);
        assert_eq!(
            (tally.failed, names),
            (4, None),
            "the crashed test has no name"
        );
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
            "one failed again, and one wasn't run again"
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
            "the second run crashed"
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
