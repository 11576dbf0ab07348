//! `cargo xtask test`: everything that tests Baton, from a fresh clone, without a question to anybody.
//!
//! A part that fails does not stop the others. The end repeats what failing programs printed last, as whoever reads
//! the log of a server often has its end only; the last line says how many tests passed and failed.

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

/// What a part came to.
struct Verdict {
    part: &'static str,
    tally: Tally,
    took: Duration,
    /// The ends of what its failing programs printed.
    complaints: Vec<String>,
}

/// Lines of a complaint: runners name what failed at the end, with the reasons.
const COMPLAINT_LINES: usize = 80;

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
    let verdicts: Vec<_> = parts
        .iter()
        .map(|part| match &system {
            Err(why) if !part.packages.is_empty() => not_run(part, why),
            _ => run(part, &mut prepared, &stages),
        })
        .collect();
    Ok(conclude(&stages, &verdicts))
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

fn run(part: &Part, prepared: &mut Prepared<'_>, stages: &Stages) -> Verdict {
    let started = Instant::now();
    for need in part.needs {
        if let Err(unavailable) = prepared.ensure(*need) {
            return not_run(part, &unavailable.to_string());
        }
    }
    let steps = match (part.steps)(prepared) {
        Ok(steps) => steps,
        Err(error) => return not_run(part, &format!("{error:#}")),
    };
    let (tallies, complaints): (Vec<_>, Vec<_>) = steps.into_iter().map(|step| run_step(step, stages)).unzip();
    Verdict {
        part: part.name,
        tally: tallies.into_iter().sum(),
        took: started.elapsed(),
        complaints: complaints.into_iter().flatten().collect(),
    }
}

fn run_step(mut step: Step, stages: &Stages) -> (Tally, Option<String>) {
    stages.begin(step.what);
    match process::tee(&mut step.command, LIMIT) {
        Ok((status, text)) => {
            let tally = Tally::of(status.success(), step.reading, &text);
            (tally, (tally.failed > 0).then(|| end_of(&text)))
        }
        Err(error) => {
            let why = format!("{error:#}");
            println!("{why}");
            (Tally::FAILURE, Some(why))
        }
    }
}

fn end_of(text: &str) -> String {
    let lines: Vec<_> = text.lines().collect();
    lines[lines.len().saturating_sub(COMPLAINT_LINES)..].join("\n")
}

fn not_run(part: &Part, why: &str) -> Verdict {
    let complaint = format!("{} could not be run: {why}", part.name);
    println!("\n{complaint}\n");
    Verdict { part: part.name, tally: Tally::FAILURE, took: Duration::ZERO, complaints: vec![complaint] }
}

/// Prints the summary; its last line is for machines too.
fn conclude(stages: &Stages, verdicts: &[Verdict]) -> ExitCode {
    stages.begin("summary");
    for Verdict { part, tally, took, .. } in verdicts {
        let word = if tally.failed == 0 { "ok" } else { "FAILED" };
        let seconds = took.as_secs_f64();
        println!("  {part:9} {word:6} {:5} passed {:4} failed {seconds:7.1} s", tally.passed, tally.failed);
    }
    let failed: Vec<_> = verdicts.iter().filter(|verdict| verdict.tally.failed > 0).collect();
    for Verdict { part, complaints, .. } in &failed {
        println!("\n{part} ended with:\n\n{}", complaints.join("\n\n"));
    }
    if !failed.is_empty() {
        let names: Vec<_> = failed.iter().map(|verdict| verdict.part).collect();
        println!("\nfailed: {}", names.join(", "));
    }
    let total: Tally = verdicts.iter().map(|verdict| verdict.tally).sum();
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

    #[test]
    fn a_complaint_is_the_end_of_what_was_printed() {
        assert_eq!(end_of("one\ntwo\n"), "one\ntwo");
        let long: Vec<_> = (0..200).map(|line| line.to_string()).collect();
        let end = end_of(&long.join("\n"));
        assert_eq!((end.lines().next(), end.lines().count()), (Some("120"), COMPLAINT_LINES));
    }
}
