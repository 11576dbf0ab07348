//! `cargo xtask test`: runs all tests from a fresh clone, without any questions.
//!
//! A failed part doesn't stop the others. A failed Rust test or end-to-end test file is run again,
//! and is listed as flaky if it passes then. Randomized tests are never run again. The summary
//! repeats the last output of failed programs, because CI logs are often truncated to their end.
//! Its last line contains the number of passed and failed tests.

mod part;
mod prerequisites;
mod randomized;
mod rerun;
mod step;
pub(crate) mod tally;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::compiler;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;
use crate::system;
use part::{PARTS, Part, Skipped};
use prerequisites::Prerequisites;
use step::{Outcome, Step};
use tally::Tally;

/// Stages that take this long are listed in the summary.
const LONG_STAGE: Duration = Duration::from_secs(30);

/// The result of a part.
struct PartResult {
    part: &'static str,
    outcome: Outcome,
    took: Duration,
    /// The reason, if the part was skipped.
    skipped: Option<String>,
}

pub(crate) fn test(arguments: &[&str]) -> Result<ExitCode> {
    let parts = selected_parts(arguments)?;
    let repo = RepoPaths::find()?;
    let stages = Stages::start();

    let packages: Vec<_> = parts
        .iter()
        .flat_map(|part| part.packages.iter().copied().flatten())
        .collect();
    // Parts that don't need system packages can still run.
    let system = system::ensure(&stages, &packages, false).map_err(|error| format!("{error:#}"));
    if let Err(why) = &system {
        println!("\n{why}\n");
    }

    // A single part is faster without what the others need.
    let all = arguments.is_empty();
    let compiler = all.then(|| compiler::install(&repo)).transpose()?;
    let mut prerequisites = Prerequisites::new(&repo, &stages, compiler);
    let results: Vec<_> = parts
        .iter()
        .map(|part| match &system {
            Err(why) if !part.packages.is_empty() => failed_result(part, why),
            _ => run(part, &mut prerequisites, &stages),
        })
        .collect();
    Ok(print_summary(&stages, &results))
}

/// Returns the parts selected with `--only`, in the order of [`PARTS`]. Without `--only`, returns
/// all.
fn selected_parts(arguments: &[&str]) -> Result<Vec<&'static Part>> {
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
            (other, _) => {
                bail!("unknown option '{other}' for `test`. The only option is `--only PART`")
            }
        }
    }
    Ok(PARTS
        .iter()
        .filter(|part| names.is_empty() || names.contains(&part.name))
        .collect())
}

fn run(part: &Part, prerequisites: &mut Prerequisites<'_>, stages: &Stages) -> PartResult {
    let started = Instant::now();
    for prerequisite in part.needs {
        if let Err(unavailable) = prerequisites.ensure(*prerequisite) {
            return failed_result(part, &unavailable.to_string());
        }
    }
    let steps = match (part.steps)(prerequisites) {
        Ok(steps) => steps,
        Err(error) => {
            return match error.downcast::<Skipped>() {
                Ok(Skipped(why)) => skipped_result(part, why),
                Err(error) => failed_result(part, &format!("{error:#}")),
            };
        }
    };
    let outcome = if part.beside {
        stages.begin(&format!(
            "running {}, some files beside each other",
            part.name
        ));
        Step::run_beside(steps, stages)
    } else {
        steps.into_iter().map(|step| step.run(stages)).sum()
    };
    PartResult {
        part: part.name,
        outcome,
        took: started.elapsed(),
        skipped: None,
    }
}

fn skipped_result(part: &Part, why: String) -> PartResult {
    println!("\n{} was skipped: {why}\n", part.name);
    PartResult {
        part: part.name,
        outcome: Outcome::default(),
        took: Duration::ZERO,
        skipped: Some(why),
    }
}

fn failed_result(part: &Part, why: &str) -> PartResult {
    let failure = format!("couldn't run {}: {why}", part.name);
    println!("\n{failure}\n");
    PartResult {
        part: part.name,
        outcome: Outcome::failure(failure),
        took: Duration::ZERO,
        skipped: None,
    }
}

/// Prints the summary. Scripts parse its last line.
fn print_summary(stages: &Stages, results: &[PartResult]) -> ExitCode {
    stages.begin("summary");
    println!("{}", render_durations(&stages.longest(LONG_STAGE)));
    println!("{}", summary(results));
    if results.iter().all(PartResult::is_good) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Lists the longest stages. A part's own time also includes its prerequisites.
fn render_durations(longest: &[(String, Duration)]) -> String {
    let lines = longest
        .iter()
        .map(|(what, took)| format!("  {:5.1} min  {what}\n", took.as_secs_f64() / 60.0));
    lines.collect()
}

fn summary(results: &[PartResult]) -> String {
    let mut lines: Vec<_> = results.iter().map(PartResult::line).collect();
    let flaky: Vec<_> = results.iter().flat_map(PartResult::flaky_lines).collect();
    if !flaky.is_empty() {
        lines.push("\nflaky (failed, then passed when run again):".to_owned());
        lines.extend(flaky);
    }
    let skipped = results
        .iter()
        .filter_map(|result| Some((result.part, result.skipped.as_ref()?)));
    lines.extend(skipped.map(|(part, why)| format!("\nskipped: {part}: {why}")));
    let failed: Vec<_> = results.iter().filter(|result| !result.is_good()).collect();
    lines.extend(failed.iter().map(|PartResult { part, outcome, .. }| {
        format!(
            "\nlast output of {part}:\n\n{}",
            outcome.failures.join("\n\n")
        )
    }));
    if !failed.is_empty() {
        let names: Vec<_> = failed.iter().map(|result| result.part).collect();
        lines.push(format!("\nfailed: {}", names.join(", ")));
    }
    let total: Tally = results.iter().map(|result| result.outcome.tally).sum();
    lines.push(format!(
        "\n{} passed, {} failed",
        total.passed, total.failed
    ));
    lines.join("\n")
}

impl PartResult {
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
    fn parts_run_in_declared_order() -> Result<()> {
        let names = |arguments| {
            selected_parts(arguments)
                .map(|parts| parts.iter().map(|part| part.name).collect::<Vec<_>>())
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
    fn long_stages_are_listed_in_minutes() {
        let longest = [
            ("testing the Rust code".to_owned(), Duration::from_secs(507)),
            ("testing the interface".to_owned(), Duration::from_secs(90)),
        ];
        let expected = "    8.4 min  testing the Rust code\n    1.5 min  testing the interface\n";
        assert_eq!(render_durations(&longest), expected);
    }

    #[test]
    fn summary_lists_flaky_tests_before_counts() {
        let result = |part, failed, flaky: &[&str], failures: &[&str]| {
            let texts = |of: &[&str]| of.iter().map(|&text| text.to_owned()).collect();
            let tally = Tally { passed: 10, failed };
            let outcome = Outcome {
                tally,
                flaky: texts(flaky),
                failures: texts(failures),
            };
            PartResult {
                part,
                outcome,
                took: Duration::from_millis(1500),
                skipped: None,
            }
        };
        let green = [
            result("fmt", 0, &[], &[]),
            result("browser", 0, &["nodeEditing.test.js"], &[]),
        ];
        let expected = "  fmt       ok        10 passed    0 failed     1.5 s
  browser   ok        10 passed    0 failed     1.5 s

flaky (failed, then passed when run again):
  browser   nodeEditing.test.js

20 passed, 0 failed";
        assert_eq!(summary(&green), expected);
        let red = [result(
            "rust",
            2,
            &["baton-engine pool::waits"],
            &["panicked"],
        )];
        let expected = "  rust      FAILED    10 passed    2 failed     1.5 s

flaky (failed, then passed when run again):
  rust      baton-engine pool::waits

last output of rust:

panicked

failed: rust

10 passed, 2 failed";
        assert_eq!(summary(&red), expected);
        assert_eq!(
            summary(&[result("fmt", 0, &[], &[])]).lines().last(),
            Some("10 passed, 0 failed")
        );
    }

    #[test]
    fn skipped_part_does_not_fail_and_has_a_reason() {
        let part = PARTS
            .iter()
            .find(|part| part.name == "deny")
            .expect("deny is a part");
        let result = skipped_result(part, "cargo-deny isn't installed".to_owned());
        assert!(result.is_good());
        let expected = "  deny      skip       0 passed    0 failed     0.0 s

skipped: deny: cargo-deny isn't installed

0 passed, 0 failed";
        assert_eq!(summary(&[result]), expected);
    }
}
