//! `cargo xtask soak`: runs the randomized tests with enough cases to find rare failures.
//!
//! It takes two hours on two cores. With `--minutes`, each part runs proportionally fewer cases.
//! Each part prints its initial seed and the number of cases that its tests report. A part that
//! fails prints how to reproduce the failure.

use std::process::{Command, ExitCode};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};

use crate::cargo::{self, Programs, cargo};
use crate::npm;
use crate::process;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;
use crate::system;
use crate::test::tally::{OutputFormat, Tally};

/// The approximate duration of all parts with all their cases.
const FULL_SOAK_MINUTES: u64 = 120;

/// A randomized test.
struct SoakTest {
    name: &'static str,
    /// The unit of its cases.
    unit: &'static str,
    /// Selects the tests, as arguments of `cargo test`.
    tests: &'static [&'static str],
    filter: &'static str,
    /// The variable that sets the number of cases.
    variable: &'static str,
    cases: u64,
    /// Whether to optimize, with debug assertions. Tests of real programs need crash points, and
    /// mostly wait anyway.
    optimized: bool,
}

const SOAK_TESTS: &[SoakTest] = &[
    SoakTest {
        name: "model",
        unit: "journeys",
        tests: &["-p", "baton-model", "--lib"],
        filter: "journeys",
        variable: "BATON_CASES",
        cases: 1_000_000,
        optimized: true,
    },
    SoakTest {
        name: "simulation",
        unit: "worlds",
        tests: &["-p", "baton-engine", "--lib"],
        filter: "simulation",
        variable: "BATON_CASES",
        cases: 500_000,
        optimized: true,
    },
    SoakTest {
        name: "kills",
        unit: "kills",
        tests: &["-p", "baton-tests", "--test", "suite"],
        filter: "recovery::kills",
        variable: "BATON_KILLS",
        cases: 5_000,
        optimized: false,
    },
    SoakTest {
        name: "zombies",
        unit: "zombies",
        tests: &["-p", "baton-tests", "--test", "suite"],
        filter: "zombies",
        variable: "BATON_ROUNDS",
        cases: 1_000,
        optimized: false,
    },
    SoakTest {
        name: "readers",
        unit: "texts",
        tests: &["-p", "baton-formats", "--lib"],
        filter: "random_texts",
        variable: "BATON_CASES",
        cases: 200_000,
        optimized: true,
    },
    SoakTest {
        name: "bodies",
        unit: "requests",
        tests: &["-p", "baton-server", "--test", "http"],
        filter: "mutated_bodies",
        variable: "BATON_CASES",
        cases: 100_000,
        optimized: false,
    },
];

pub(crate) fn soak(arguments: &[&str]) -> Result<ExitCode> {
    let minutes = parse_minutes(arguments)?;
    let repo = RepoPaths::find()?;
    let stages = Stages::start();
    let packages: Vec<_> = system::COMPILER.iter().chain(system::RUST_TESTS).collect();
    system::ensure(&stages, &packages, true)?;
    npm::build_interface(&repo, &stages)?;
    stages.begin("building the programs");
    cargo::build(&repo, Programs::Shell, false)?;

    let seed = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs();
    let mut lines = Vec::new();
    let mut total = Tally::default();
    for test in SOAK_TESTS {
        let cases = test.cases_for(minutes);
        stages.begin(&format!("{}: {cases} cases, BATON_SEED={seed}", test.name));
        let started = Instant::now();
        let (tally, played) = test.run(&repo, cases, seed, minutes)?;
        lines.push(test.line(tally, played, seed, started.elapsed()));
        total = [total, tally].into_iter().sum();
    }
    stages.begin("summary");
    lines.iter().for_each(|line| println!("{line}"));
    Ok(if total.failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn parse_minutes(arguments: &[&str]) -> Result<u64> {
    match arguments {
        [] => Ok(FULL_SOAK_MINUTES),
        ["--minutes", number] => {
            let minutes: u64 = number
                .parse()
                .with_context(|| format!("'{number}' isn't a number of minutes"))?;
            if minutes == 0 {
                bail!("`--minutes` must be at least 1");
            }
            Ok(minutes)
        }
        _ => bail!("the only option of `soak` is `--minutes NUMBER`"),
    }
}

impl SoakTest {
    /// Returns how many cases to run if all parts take `minutes`.
    fn cases_for(&self, minutes: u64) -> u64 {
        (self.cases * minutes / FULL_SOAK_MINUTES).max(1)
    }

    fn run(&self, repo: &RepoPaths, cases: u64, seed: u64, minutes: u64) -> Result<(Tally, u64)> {
        let mut command = self.command(repo);
        command
            .env(self.variable, cases.to_string())
            .env("BATON_SEED", seed.to_string());
        // Far more than its share, so that only a hanging test reaches it.
        let limit = Duration::from_secs((minutes * 3 + 20) * 60);
        let (status, text) = process::tee(&mut command, limit)?;
        Ok(self.judge(status.success(), &text, cases))
    }

    /// Returns the test results and the number of cases.
    ///
    /// Fewer cases than requested are a failure, such as when the filter matches no test.
    fn judge(&self, success: bool, text: &str, cases: u64) -> (Tally, u64) {
        let tally = Tally::of(success, OutputFormat::CargoTest, text);
        let played = text
            .lines()
            .filter_map(|line| self.parse_played(line))
            .sum();
        (
            if tally.failed == 0 && played < cases {
                Tally::FAILURE
            } else {
                tally
            },
            played,
        )
    }

    /// Parses the tests' line `played: 3000 worlds`.
    fn parse_played(&self, line: &str) -> Option<u64> {
        let (_, count) = line.split_once("played: ")?;
        count.strip_suffix(self.unit)?.trim_end().parse().ok()
    }

    fn line(&self, tally: Tally, played: u64, seed: u64, took: Duration) -> String {
        let verdict = if tally.failed == 0 { "ok" } else { "FAILED" };
        let (name, unit, seconds) = (self.name, self.unit, took.as_secs_f64());
        format!(
            "  {name:11} {verdict:6} {played:9} {unit:8} from BATON_SEED={seed} {seconds:8.1} s"
        )
    }

    fn command(&self, repo: &RepoPaths) -> Command {
        let mut command = cargo(repo, &["test"]);
        if self.optimized {
            let profile = [
                "inherits=\"release\"",
                "debug-assertions=true",
                "overflow-checks=true",
            ];
            command.args(
                profile
                    .iter()
                    .flat_map(|line| ["--config".to_owned(), format!("profile.soak.{line}")]),
            );
            command.args(["--profile", "soak"]);
        }
        command
            .args(self.tests)
            .args(["--", self.filter, "--nocapture"]);
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_minutes_run_fewer_cases() -> Result<()> {
        assert_eq!(parse_minutes(&[])?, FULL_SOAK_MINUTES);
        assert_eq!(parse_minutes(&["--minutes", "12"])?, 12);
        for wrong in [
            &["--minutes"][..],
            &["--minutes", "0"],
            &["--minutes", "soon"],
            &["12"],
        ] {
            assert!(parse_minutes(wrong).is_err(), "{wrong:?}");
        }
        let cases: Vec<u64> = SOAK_TESTS.iter().map(|test| test.cases_for(12)).collect();
        assert_eq!(cases, [100_000, 50_000, 500, 100, 20_000, 10_000]);
        Ok(())
    }

    /// The output of the two simulation tests.
    const WORLDS: &str = "\
running 2 tests
from BATON_SEED=7: Tally { crashes: 3, takeovers: 2, displaced: 1, gave_up: 0, sessions: 9, wishes: 4 }
played: 15 worlds
test simulation::more_worlds_settle_with_each_effect_applied_once ... ok
from BATON_SEED=22: Tally { crashes: 3, takeovers: 2, displaced: 1, gave_up: 0, sessions: 9, wishes: 4 }
played: 14 worlds
test simulation::worlds_settle_with_each_effect_applied_once ... ok

test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 121 filtered out; finished in 0.60s
";

    #[test]
    fn played_cases_are_read_from_the_output() {
        let [model, simulation, ..] = SOAK_TESTS else {
            panic!("{} parts", SOAK_TESTS.len())
        };
        let good = Tally {
            passed: 2,
            failed: 0,
        };
        assert_eq!(simulation.judge(true, WORLDS, 29), (good, 29));
        assert_eq!(
            simulation.judge(true, WORLDS, 30),
            (Tally::FAILURE, 29),
            "one world is missing"
        );
        assert_eq!(
            simulation.judge(false, "error: could not compile", 30),
            (Tally::FAILURE, 0)
        );
        let silent = "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 9 filtered out";
        assert_eq!(
            model.judge(true, silent, 1),
            (Tally::FAILURE, 0),
            "no test matches the filter"
        );
        assert_eq!(model.judge(true, WORLDS, 1).1, 0, "worlds aren't journeys");
        let line = simulation.line(good, 29, 7, Duration::from_millis(1500));
        assert_eq!(
            line,
            "  simulation  ok            29 worlds   from BATON_SEED=7      1.5 s"
        );
    }
}
