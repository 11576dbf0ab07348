//! `cargo xtask soak`: the tests that draw their cases by chance, with so many cases that rare ones come up.
//!
//! Takes two hours on two cores, or as long as `--minutes` says: then every part has its share of fewer cases.
//! Each part prints the seed that it began with; a part that fails says how to play the failure again.

use std::process::{Command, ExitCode};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};

use crate::cargo::{self, Programs, cargo};
use crate::npm;
use crate::place::Place;
use crate::process;
use crate::stage::Stages;
use crate::system;
use crate::test::tally::{Reading, Tally};

/// What all parts take together, about, with all their cases.
const WHOLE_MINUTES: u64 = 120;

/// One test that draws cases.
struct Part {
    name: &'static str,
    /// Which tests, as `cargo test` takes it.
    tests: &'static [&'static str],
    filter: &'static str,
    /// What says how many cases.
    variable: &'static str,
    cases: u64,
    /// Optimised, with the checks of a debug build. Tests of real programs have crash points and wait mostly anyway.
    optimised: bool,
}

const PARTS: &[Part] = &[
    Part {
        name: "model",
        tests: &["-p", "baton-model", "--lib"],
        filter: "journeys",
        variable: "BATON_CASES",
        cases: 1_000_000,
        optimised: true,
    },
    Part {
        name: "simulation",
        tests: &["-p", "baton-engine", "--lib"],
        filter: "simulation",
        variable: "BATON_CASES",
        cases: 500_000,
        optimised: true,
    },
    Part {
        name: "kills",
        tests: &["-p", "baton-tests", "--test", "suite"],
        filter: "recovery::kills",
        variable: "BATON_KILLS",
        cases: 5_000,
        optimised: false,
    },
    Part {
        name: "zombies",
        tests: &["-p", "baton-tests", "--test", "suite"],
        filter: "zombies",
        variable: "BATON_ROUNDS",
        cases: 1_000,
        optimised: false,
    },
];

pub(crate) fn soak(arguments: &[&str]) -> Result<ExitCode> {
    let minutes = minutes(arguments)?;
    let place = Place::find()?;
    let stages = Stages::start();
    let packages: Vec<_> = system::COMPILER.iter().chain(system::RUST_TESTS).collect();
    system::ensure(&stages, &packages, true)?;
    npm::build_interface(&place, &stages)?;
    stages.begin("building the programs");
    cargo::build(&place, Programs::Shell, false)?;

    let seed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let mut lines = Vec::new();
    let mut total = Tally::default();
    for part in PARTS {
        let cases = part.scaled(minutes);
        stages.begin(&format!("{}: {cases} cases, BATON_SEED={seed}", part.name));
        let started = Instant::now();
        let tally = part.run(&place, cases, seed, minutes)?;
        let verdict = if tally.failed == 0 { "ok" } else { "FAILED" };
        let seconds = started.elapsed().as_secs_f64();
        lines.push(format!("  {:11} {verdict:6} {cases:9} cases from seed {seed} {seconds:8.1} s", part.name));
        total = [total, tally].into_iter().sum();
    }
    stages.begin("summary");
    lines.iter().for_each(|line| println!("{line}"));
    Ok(if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn minutes(arguments: &[&str]) -> Result<u64> {
    match arguments {
        [] => Ok(WHOLE_MINUTES),
        ["--minutes", number] => {
            let minutes: u64 = number.parse().with_context(|| format!("{number} is no number of minutes"))?;
            if minutes == 0 {
                bail!("`--minutes` takes 1 or more");
            }
            Ok(minutes)
        }
        _ => bail!("`soak` takes nothing, or `--minutes NUMBER`"),
    }
}

impl Part {
    /// How many cases fit into this part's share of so many minutes.
    fn scaled(&self, minutes: u64) -> u64 {
        (self.cases * minutes / WHOLE_MINUTES).max(1)
    }

    fn run(&self, place: &Place, cases: u64, seed: u64, minutes: u64) -> Result<Tally> {
        let mut command = self.command(place);
        command.env(self.variable, cases.to_string()).env("BATON_SEED", seed.to_string());
        // Far more than its share: one that takes so long hangs.
        let limit = Duration::from_secs((minutes * 3 + 20) * 60);
        let (status, text) = process::tee(&mut command, limit)?;
        let tally = Tally::of(status.success(), Reading::CargoTest, &text);
        // A filter that fits no test would make the soak an easy one.
        Ok(if tally.passed + tally.failed == 0 { Tally::FAILURE } else { tally })
    }

    fn command(&self, place: &Place) -> Command {
        let mut command = cargo(place, &["test"]);
        if self.optimised {
            let profile = ["inherits=\"release\"", "debug-assertions=true", "overflow-checks=true"];
            command.args(profile.iter().flat_map(|line| ["--config".to_owned(), format!("profile.soak.{line}")]));
            command.args(["--profile", "soak"]);
        }
        command.args(self.tests).args(["--", self.filter, "--nocapture"]);
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_minutes_are_fewer_cases() -> Result<()> {
        assert_eq!(minutes(&[])?, WHOLE_MINUTES);
        assert_eq!(minutes(&["--minutes", "12"])?, 12);
        for wrong in [&["--minutes"][..], &["--minutes", "0"], &["--minutes", "soon"], &["12"]] {
            assert!(minutes(wrong).is_err(), "{wrong:?}");
        }
        let cases: Vec<u64> = PARTS.iter().map(|part| part.scaled(12)).collect();
        assert_eq!(cases, [100_000, 50_000, 500, 100]);
        Ok(())
    }
}
