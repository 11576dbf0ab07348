//! Counts the tests of a program by parsing its output.
//!
//! Only counts and the names of flaky tests are parsed; the exit status decides about failure. A
//! bad status without parsable output, or without a counted failure, counts as one failure.

use std::iter::Sum;

/// The format of a program's output.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OutputFormat {
    /// Not parsed: the program passes or fails as a whole.
    Check,
    /// `cargo nextest run`.
    Nextest,
    /// `cargo test`, with one result line per binary.
    CargoTest,
    /// `vitest run`.
    Vitest,
    /// `node --test --test-reporter=spec`.
    Node,
}

impl OutputFormat {
    /// Returns the tests that passed when the runner itself ran them again.
    pub(crate) fn flaky(self, text: &str) -> Vec<String> {
        match self {
            Self::Nextest => nextest_flaky(&without_colors(text)),
            Self::Check | Self::CargoTest | Self::Vitest | Self::Node => Vec::new(),
        }
    }
}

/// The numbers of passed and failed tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

impl Tally {
    pub(crate) const FAILURE: Self = Self {
        passed: 0,
        failed: 1,
    };

    /// Counts the tests of a program that exited with `success` and printed `text`.
    pub(crate) fn of(success: bool, output_format: OutputFormat, text: &str) -> Self {
        let text = without_colors(text);
        let counted = match output_format {
            OutputFormat::Check => None,
            OutputFormat::Nextest => nextest(&text),
            OutputFormat::CargoTest => cargo_test(&text),
            OutputFormat::Vitest => vitest(&text),
            OutputFormat::Node => node(&text),
        };
        match (success, counted) {
            (true, Some(tally)) => tally,
            (true, None) => Self {
                passed: 1,
                failed: 0,
            },
            (false, Some(tally)) => Self {
                failed: tally.failed.max(1),
                ..tally
            },
            (false, None) => Self::FAILURE,
        }
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), |sum, tally| Self {
            passed: sum.passed + tally.passed,
            failed: sum.failed + tally.failed,
        })
    }
}

/// `Summary [ 0.4s] 12/13 tests run: 10 passed (1 slow), 1 failed, 1 timed out, 0 skipped`
fn nextest(text: &str) -> Option<Tally> {
    let (_, line) = text
        .lines()
        .rev()
        .find(|line| line.trim_start().starts_with("Summary ["))?
        .split_once(']')?;
    let run: u64 = line
        .trim_start()
        .split(|c: char| !c.is_ascii_digit())
        .next()?
        .parse()
        .ok()?;
    let passed = before(line, "passed").unwrap_or(0);
    Some(Tally {
        passed,
        failed: run.saturating_sub(passed),
    })
}

/// `   FLAKY 2/2 [   0.009s] (6/9) baton-engine::suite pool::waits`, after the summary
fn nextest_flaky(text: &str) -> Vec<String> {
    let (_, end) = text.rsplit_once("\n     Summary [").unwrap_or_default();
    let lines = end
        .lines()
        .filter(|line| line.trim_start().starts_with("FLAKY "));
    lines
        .filter_map(|line| Some(line.rsplit_once(") ")?.1.trim().to_owned()))
        .collect()
}

/// `test result: ok. 3 passed; 0 failed; 0 ignored; …`
fn cargo_test(text: &str) -> Option<Tally> {
    let lines = text.lines().filter(|line| line.starts_with("test result:"));
    let tallies = lines.map(|line| {
        Some(Tally {
            passed: before(line, "passed")?,
            failed: before(line, "failed")?,
        })
    });
    let tallies = tallies.collect::<Option<Vec<_>>>()?;
    (!tallies.is_empty()).then(|| tallies.into_iter().sum())
}

/// `Tests  1 failed | 57 passed (58)`
fn vitest(text: &str) -> Option<Tally> {
    let line = text
        .lines()
        .rev()
        .find(|line| line.trim_start().starts_with("Tests "))?;
    Some(Tally {
        passed: before(line, "passed").unwrap_or(0),
        failed: before(line, "failed").unwrap_or(0),
    })
}

/// `ℹ pass 3`, `ℹ fail 1`, and `ℹ cancelled 1` for timeouts.
fn node(text: &str) -> Option<Tally> {
    let number = |name| {
        text.lines()
            .rev()
            .find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok())
    };
    Some(Tally {
        passed: number("ℹ pass ")?,
        failed: number("ℹ fail ")? + number("ℹ cancelled ")?,
    })
}

/// Removes ANSI colors, which some runners print even without a terminal.
fn without_colors(text: &str) -> String {
    let mut pieces = text.split("\x1b[");
    let first = pieces.next().unwrap_or_default();
    let rest = pieces.map(|piece| piece.split_once('m').map_or(piece, |(_, plain)| plain));
    std::iter::once(first).chain(rest).collect()
}

/// Returns the number before `word`.
fn before(line: &str, word: &str) -> Option<u64> {
    let words: Vec<&str> = line
        .split([' ', ';', ',', '|', '(', ')'])
        .filter(|word| !word.is_empty())
        .collect();
    let at = words.iter().position(|found| *found == word)?;
    words.get(at.checked_sub(1)?)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_from_every_runner() {
        let cases = [
            (true, OutputFormat::Check, "whatever", 1, 0),
            (false, OutputFormat::Check, "12 passed", 0, 1),
            (
                true,
                OutputFormat::Nextest,
                "     Summary [   0.345s] 12 tests run: 12 passed, 3 skipped\n",
                12,
                0,
            ),
            (
                false,
                OutputFormat::Nextest,
                "  Summary [1s] 12/13 tests run: 9 passed (2 slow), 2 failed, 1 timed out",
                9,
                3,
            ),
            (
                true,
                OutputFormat::Nextest,
                "     Summary [   0.1s] 1 test run: 1 passed, 0 skipped",
                1,
                0,
            ),
            (
                false,
                OutputFormat::Nextest,
                "error: could not compile `baton-model`",
                0,
                1,
            ),
            (
                false,
                OutputFormat::CargoTest,
                "test result: ok. 3 passed; 0 failed; 1 ignored\ntest result: FAILED. 2 passed; 1 failed; 0 ignored",
                5,
                1,
            ),
            (
                true,
                OutputFormat::CargoTest,
                "test result: ok. 0 passed; 0 failed; 0 ignored",
                0,
                0,
            ),
            (
                true,
                OutputFormat::Vitest,
                " Test Files  9 passed (9)\n      Tests  57 passed (57)\n",
                57,
                0,
            ),
            (
                false,
                OutputFormat::Vitest,
                "      Tests  2 failed | 55 passed (57)\n",
                55,
                2,
            ),
            (
                true,
                OutputFormat::Vitest,
                "\x1b[2m      Tests \x1b[22m \x1b[1m\x1b[32m428 passed\x1b[39m\x1b[22m (428)",
                428,
                0,
            ),
            (
                true,
                OutputFormat::Node,
                "✔ frame (3 ms)\nℹ tests 4\nℹ pass 4\nℹ fail 0\nℹ cancelled 0\n",
                4,
                0,
            ),
            (
                false,
                OutputFormat::Node,
                "ℹ pass 3\nℹ fail 1\nℹ cancelled 1\n",
                3,
                2,
            ),
        ];
        for (success, output_format, text, passed, failed) in cases {
            assert_eq!(
                Tally::of(success, output_format, text),
                Tally { passed, failed },
                "{output_format:?} of {text:?}"
            );
        }
    }

    #[test]
    fn bad_exit_status_is_a_failure() {
        let text = "Summary [1s] 4 tests run: 4 passed, 0 skipped";
        assert_eq!(
            Tally::of(false, OutputFormat::Nextest, text),
            Tally {
                passed: 4,
                failed: 1
            }
        );
    }

    #[test]
    fn flaky_tests_are_read_from_nextest() {
        let flaky = |text| OutputFormat::Nextest.flaky(text);
        let (green, red) = (
            include_str!("recorded/nextest_green.txt"),
            include_str!("recorded/nextest_red.txt"),
        );
        let two = [
            "baton-one tests::passes_the_second_time",
            "baton-one::suite deep::passes_the_second_time",
        ];
        assert_eq!(
            Tally::of(true, OutputFormat::Nextest, green),
            Tally {
                passed: 8,
                failed: 0
            }
        );
        assert_eq!(
            flaky(green),
            [["baton-one tests::never_passes"].as_slice(), &two].concat()
        );
        assert_eq!(
            Tally::of(false, OutputFormat::Nextest, red),
            Tally {
                passed: 7,
                failed: 2
            }
        );
        assert_eq!(flaky(red), two);
        assert!(flaky("     Summary [   0.345s] 12 tests run: 12 passed, 3 skipped").is_empty());
    }
}
