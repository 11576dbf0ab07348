//! `cargo xtask test`: everything that tests Baton, from a fresh clone, without a question to anybody.
//!
//! A part that fails does not stop the others. A Rust test or a file of journeys that fails is run once more, and is
//! listed as flaky when it passes then; what draws its cases by chance is not. The end repeats what failing programs printed last, as whoever reads
//! the log of a server often has its end only; the last line says how many tests passed and failed.

mod by_chance;
mod part;
mod prepared;
mod rerun;
mod step;
pub(crate) mod tally;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::place::Place;
use crate::stage::Stages;
use crate::system;
use part::{PARTS, Part, Skipped};
use prepared::Prepared;
use step::Outcome;
use tally::Tally;

/// The summary names what took this long: where the minutes go.
const LONG: Duration = Duration::from_secs(30);

/// What a part came to.
struct Verdict {
    part: &'static str,
    outcome: Outcome,
    took: Duration,
    /// Why nothing was run, where that is no failure.
    skipped: Option<String>,
}

pub(crate) fn test(arguments: &[&str]) -> Result<ExitCode> {
    let parts = chosen(arguments)?;
    let place = Place::find()?;
    let stages = Stages::start();

    let packages: Vec<_> = parts
        .iter()
        .flat_map(|part| part.packages.iter().copied().flatten())
        .collect();
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
            ("--only", Some(name)) if PARTS.iter().any(|part| part.name == *name) => {
                names.push(*name)
            }
            ("--only", _) => {
                let all: Vec<_> = PARTS.iter().map(|part| part.name).collect();
                bail!("`--only` takes one of {}", all.join(", "))
            }
            (other, _) => bail!("`test` does not know {other}; it takes `--only PART`"),
        }
    }
    Ok(PARTS
        .iter()
        .filter(|part| names.is_empty() || names.contains(&part.name))
        .collect())
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
        Err(error) => {
            return match error.downcast::<Skipped>() {
                Ok(Skipped(why)) => skipped(part, why),
                Err(error) => not_run(part, &format!("{error:#}")),
            };
        }
    };
    let outcome = steps.into_iter().map(|step| step.run(stages)).sum();
    Verdict {
        part: part.name,
        outcome,
        took: started.elapsed(),
        skipped: None,
    }
}

fn skipped(part: &Part, why: String) -> Verdict {
    println!("\n{} is skipped: {why}\n", part.name);
    Verdict {
        part: part.name,
        outcome: Outcome::default(),
        took: Duration::ZERO,
        skipped: Some(why),
    }
}

fn not_run(part: &Part, why: &str) -> Verdict {
    let complaint = format!("{} could not be run: {why}", part.name);
    println!("\n{complaint}\n");
    Verdict {
        part: part.name,
        outcome: Outcome::failure(complaint),
        took: Duration::ZERO,
        skipped: None,
    }
}

/// Prints the summary; its last line is for machines too.
fn conclude(stages: &Stages, verdicts: &[Verdict]) -> ExitCode {
    stages.begin("summary");
    println!("{}", minutes(&stages.longest(LONG)));
    println!("{}", summary(verdicts));
    if verdicts.iter().all(Verdict::is_good) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// What took long, the longest first. A part's own time, below, has in it what had to be got ready for it.
fn minutes(longest: &[(String, Duration)]) -> String {
    let lines = longest
        .iter()
        .map(|(what, took)| format!("  {:5.1} min  {what}\n", took.as_secs_f64() / 60.0));
    lines.collect()
}

fn summary(verdicts: &[Verdict]) -> String {
    let mut lines: Vec<_> = verdicts.iter().map(Verdict::line).collect();
    let flaky: Vec<_> = verdicts.iter().flat_map(Verdict::flaky_lines).collect();
    if !flaky.is_empty() {
        lines.push("\nflaky: these failed, and passed when they were run again".to_owned());
        lines.extend(flaky);
    }
    let skipped = verdicts
        .iter()
        .filter_map(|verdict| Some((verdict.part, verdict.skipped.as_ref()?)));
    lines.extend(skipped.map(|(part, why)| format!("\nskipped: {part}: {why}")));
    let failed: Vec<_> = verdicts
        .iter()
        .filter(|verdict| !verdict.is_good())
        .collect();
    lines.extend(failed.iter().map(|Verdict { part, outcome, .. }| {
        format!(
            "\n{part} ended with:\n\n{}",
            outcome.complaints.join("\n\n")
        )
    }));
    if !failed.is_empty() {
        let names: Vec<_> = failed.iter().map(|verdict| verdict.part).collect();
        lines.push(format!("\nfailed: {}", names.join(", ")));
    }
    let total: Tally = verdicts.iter().map(|verdict| verdict.outcome.tally).sum();
    lines.push(format!(
        "\n{} passed, {} failed",
        total.passed, total.failed
    ));
    lines.join("\n")
}

impl Verdict {
    fn is_good(&self) -> bool {
        self.outcome.tally.failed == 0
    }

    fn line(&self) -> String {
        let Self {
            part,
            outcome: Outcome { tally, .. },
            took,
            ..
        } = self;
        let word = match (&self.skipped, self.is_good()) {
            (Some(_), _) => "skip",
            (None, true) => "ok",
            (None, false) => "FAILED",
        };
        let seconds = took.as_secs_f64();
        format!(
            "  {part:9} {word:6} {:5} passed {:4} failed {seconds:7.1} s",
            tally.passed, tally.failed
        )
    }

    fn flaky_lines(&self) -> impl Iterator<Item = String> {
        self.outcome
            .flaky
            .iter()
            .map(|name| format!("  {:9} {name}", self.part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_run_in_their_own_order() -> Result<()> {
        let names = |arguments| {
            chosen(arguments).map(|parts| parts.iter().map(|part| part.name).collect::<Vec<_>>())
        };
        assert_eq!(
            names(&["--only", "rust", "--only", "fmt"])?,
            ["fmt", "rust"]
        );
        assert_eq!(names(&[])?.len(), PARTS.len());
        assert!(names(&["--only", "everything"]).is_err());
        assert!(names(&["--only"]).is_err());
        assert!(names(&["rust"]).is_err());
        Ok(())
    }

    #[test]
    fn what_took_long_is_told_in_minutes() {
        let longest = [
            ("testing the Rust code".to_owned(), Duration::from_secs(507)),
            ("testing the interface".to_owned(), Duration::from_secs(90)),
        ];
        let expected = "    8.4 min  testing the Rust code\n    1.5 min  testing the interface\n";
        assert_eq!(minutes(&longest), expected);
    }

    #[test]
    fn what_was_flaky_is_listed_and_the_counts_come_last() {
        let verdict = |part, failed, flaky: &[&str], complaints: &[&str]| {
            let texts = |of: &[&str]| of.iter().map(|&text| text.to_owned()).collect();
            let tally = Tally { passed: 10, failed };
            let outcome = Outcome {
                tally,
                flaky: texts(flaky),
                complaints: texts(complaints),
            };
            Verdict {
                part,
                outcome,
                took: Duration::from_millis(1500),
                skipped: None,
            }
        };
        let green = [
            verdict("fmt", 0, &[], &[]),
            verdict("browser", 0, &["acts.test.js"], &[]),
        ];
        let expected = "  fmt       ok        10 passed    0 failed     1.5 s
  browser   ok        10 passed    0 failed     1.5 s

flaky: these failed, and passed when they were run again
  browser   acts.test.js

20 passed, 0 failed";
        assert_eq!(summary(&green), expected);
        let red = [verdict(
            "rust",
            2,
            &["baton-engine pool::waits"],
            &["panicked"],
        )];
        let expected = "  rust      FAILED    10 passed    2 failed     1.5 s

flaky: these failed, and passed when they were run again
  rust      baton-engine pool::waits

rust ended with:

panicked

failed: rust

10 passed, 2 failed";
        assert_eq!(summary(&red), expected);
        assert_eq!(
            summary(&[verdict("fmt", 0, &[], &[])]).lines().last(),
            Some("10 passed, 0 failed")
        );
    }

    #[test]
    fn a_skipped_part_fails_nothing_and_says_why() {
        let part = PARTS
            .iter()
            .find(|part| part.name == "deny")
            .expect("it is a part");
        let verdict = skipped(part, "there is no cargo-deny".to_owned());
        assert!(verdict.is_good());
        let expected = "  deny      skip       0 passed    0 failed     0.0 s

skipped: deny: there is no cargo-deny

0 passed, 0 failed";
        assert_eq!(summary(&[verdict]), expected);
    }
}
