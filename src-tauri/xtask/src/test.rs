//! `cargo xtask test`: everything that tests Baton, from a fresh clone, without a question to anybody.
//!
//! A part that fails does not stop the others; the last line says how many tests passed and failed.

mod part;
mod prepared;
pub(crate) mod tally;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::place::Place;
use crate::process;
use crate::stage::Stages;
use crate::system;
use part::{PARTS, Part, Step};
use prepared::Prepared;
use tally::Tally;

/// No part needs a third of this on two cores; what does has hung.
const LIMIT: Duration = Duration::from_secs(25 * 60);

pub(crate) fn test(arguments: &[&str]) -> Result<ExitCode> {
    let parts = chosen(arguments)?;
    let place = Place::find()?;
    let stages = Stages::start();

    let packages: Vec<_> = parts.iter().flat_map(|part| part.packages.iter().copied().flatten()).collect();
    // Parts without system packages can go on without them.
    let system = system::ensure(&stages, &packages, false).map_err(|error| format!("{error:#}"));
    if let Err(why) = &system {
        println!("\n{why}\n");
    }

    let mut prepared = Prepared::new(&place, &stages);
    let results: Vec<_> = parts
        .iter()
        .map(|part| {
            let started = Instant::now();
            let tally = match &system {
                Err(why) if !part.packages.is_empty() => not_run(part, why),
                _ => run(part, &mut prepared, &stages),
            };
            (part.name, tally, started.elapsed())
        })
        .collect();
    Ok(conclude(&stages, &results))
}

/// The parts named by `--only`, in the order of all parts; all of them when none is named.
fn chosen(arguments: &[&str]) -> Result<Vec<&'static Part>> {
    let mut names = Vec::new();
    let mut rest = arguments.iter();
    while let Some(&argument) = rest.next() {
        match (argument, rest.next()) {
            ("--only", Some(name)) if PARTS.iter().any(|part| part.name == *name) => names.push(*name),
            ("--only", _) => {
                let all: Vec<_> = PARTS.iter().map(|part| part.name).collect();
                bail!("`--only` takes one of {}", all.join(", "))
            }
            (other, _) => bail!("`test` does not know {other}; it takes `--only PART`"),
        }
    }
    Ok(PARTS.iter().filter(|part| names.is_empty() || names.contains(&part.name)).collect())
}

fn run(part: &Part, prepared: &mut Prepared<'_>, stages: &Stages) -> Tally {
    for need in part.needs {
        if let Err(unavailable) = prepared.ensure(*need) {
            return not_run(part, &unavailable.to_string());
        }
    }
    let steps = match (part.steps)(prepared) {
        Ok(steps) => steps,
        Err(error) => return not_run(part, &format!("{error:#}")),
    };
    steps.into_iter().map(|step| run_step(step, stages)).sum()
}

fn run_step(mut step: Step, stages: &Stages) -> Tally {
    stages.begin(step.what);
    match process::tee(&mut step.command, LIMIT) {
        Ok((status, text)) => Tally::of(status.success(), step.reading, &text),
        Err(error) => {
            println!("{error:#}");
            Tally::FAILURE
        }
    }
}

fn not_run(part: &Part, why: &str) -> Tally {
    println!("\n{} could not be run: {why}\n", part.name);
    Tally::FAILURE
}

/// Prints the summary; its last line is for machines too.
fn conclude(stages: &Stages, results: &[(&str, Tally, Duration)]) -> ExitCode {
    stages.begin("summary");
    for (name, tally, took) in results {
        let verdict = if tally.failed == 0 { "ok" } else { "FAILED" };
        let seconds = took.as_secs_f64();
        println!("  {name:9} {verdict:6} {:5} passed {:4} failed {seconds:7.1} s", tally.passed, tally.failed);
    }
    let total: Tally = results.iter().map(|(_, tally, _)| *tally).sum();
    let failed: Vec<_> = results.iter().filter(|(_, tally, _)| tally.failed > 0).map(|(name, ..)| *name).collect();
    if !failed.is_empty() {
        println!("\nfailed: {}", failed.join(", "));
    }
    println!("\n{} passed, {} failed", total.passed, total.failed);
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_run_in_their_own_order() -> Result<()> {
        let names = |arguments| chosen(arguments).map(|parts| parts.iter().map(|part| part.name).collect::<Vec<_>>());
        assert_eq!(names(&["--only", "rust", "--only", "fmt"])?, ["fmt", "rust"]);
        assert_eq!(names(&[])?.len(), PARTS.len());
        assert!(names(&["--only", "everything"]).is_err());
        assert!(names(&["--only"]).is_err());
        assert!(names(&["rust"]).is_err());
        Ok(())
    }
}
