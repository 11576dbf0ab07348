//! Runs a program of a part, with a retry of what failed.
//!
//! A lost race in a test shouldn't block a change, so that it gets a second try, but no third. The
//! summary lists it as flaky, because a test that passes only sometimes is a defect.

use std::ffi::OsString;
use std::iter::Sum;
use std::process::{Command, ExitStatus};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::randomized;
use super::rerun;
use super::tally::{OutputFormat, Tally};
use crate::process;
use crate::stage::Stages;

/// How many lines of a failed program's output are repeated. Test runners list failures at the end.
const MAX_FAILURE_LINES: usize = 80;

/// More than twice of what any part needs on two cores, even if one of its tests times out twice.
const STEP_TIMEOUT: Duration = Duration::from_secs(45 * 60);

/// How many steps run at the same time where a part allows it. One journey through a page leaves a
/// third of two cores idle.
const BESIDE: usize = 2;

/// A program of a part.
pub(crate) struct Step {
    /// Printed when the step starts.
    pub(crate) what: String,
    pub(crate) command: Command,
    pub(crate) output_format: OutputFormat,
    pub(crate) retry: Retry,
    /// What the second try of a file gets in addition.
    pub(crate) second_environment: Vec<(&'static str, OsString)>,
}

/// What to run again if the program fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Retry {
    /// Nothing: the result is deterministic, randomized, or the runner retries by itself.
    Never,
    /// The whole program, which is a test file with this name.
    File(String),
    /// Only the failed tests, as arguments of `cargo test`.
    FailedTests,
}

/// The result of a program.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) tally: Tally,
    /// Tests that failed, then passed.
    pub(crate) flaky: Vec<String>,
    /// The last output of failed runs.
    pub(crate) failures: Vec<String>,
}

impl Outcome {
    /// Returns the outcome of a program that couldn't run.
    pub(crate) fn failure(why: String) -> Self {
        Self {
            tally: Tally::FAILURE,
            flaky: Vec::new(),
            failures: vec![why],
        }
    }
}

impl Sum for Outcome {
    fn sum<I: Iterator<Item = Self>>(outcomes: I) -> Self {
        outcomes.fold(Self::default(), |mut sum, mut next| {
            sum.tally = [sum.tally, next.tally].into_iter().sum();
            sum.flaky.append(&mut next.flaky);
            sum.failures.append(&mut next.failures);
            sum
        })
    }
}

impl Step {
    pub(crate) fn run(mut self, stages: &Stages) -> Outcome {
        stages.begin(&self.what);
        let first = self.start();
        self.outcome(first, stages)
    }

    /// Runs steps, [`BESIDE`] at a time. What fails is run again later, alone.
    pub(crate) fn run_beside(steps: Vec<Self>, stages: &Stages) -> Outcome {
        let waiting = Mutex::new(steps.into_iter());
        let next = || {
            waiting
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .next()
        };
        let work = || {
            let mut ended = Vec::new();
            while let Some(mut step) = next() {
                let first = step.start_beside(stages);
                ended.push((step, first));
            }
            ended
        };
        let ended: Vec<_> = thread::scope(|scope| {
            let workers = [(); BESIDE].map(|()| scope.spawn(work));
            let ended = workers.into_iter().map(|worker| worker.join());
            ended.flat_map(Result::unwrap_or_default).collect()
        });
        let outcomes = ended
            .into_iter()
            .map(|(mut step, first)| step.outcome(first, stages));
        outcomes.sum()
    }

    /// Starts it and prints its output when it has ended.
    fn start_beside(&mut self, stages: &Stages) -> Result<(ExitStatus, String)> {
        let started = Instant::now();
        let ended = process::follow(&mut self.command, STEP_TIMEOUT, |_| ());
        let text = ended.as_ref().map_or("", |(_, text)| text);
        stages.ended(&self.what, started.elapsed(), text);
        ended
    }

    fn outcome(&mut self, first: Result<(ExitStatus, String)>, stages: &Stages) -> Outcome {
        let outcome = first.and_then(|(status, text)| self.judge(status, text, stages));
        outcome.unwrap_or_else(|error| {
            let why = format!("{error:#}");
            println!("{why}");
            Outcome::failure(why)
        })
    }

    /// Runs it again if it failed.
    fn judge(&mut self, status: ExitStatus, text: String, stages: &Stages) -> Result<Outcome> {
        let tally = Tally::of(status.success(), self.output_format, &text);
        if tally.failed == 0 {
            return Ok(Outcome {
                tally,
                flaky: self.output_format.flaky(&text),
                failures: Vec::new(),
            });
        }
        let first = Outcome {
            tally,
            flaky: self.output_format.flaky(&text),
            failures: vec![last_lines(&text)],
        };
        match self.retry.clone() {
            Retry::Never => Ok(first),
            Retry::File(name) => self.rerun_file(first, name, stages),
            Retry::FailedTests => self.rerun_tests(first, &text, stages),
        }
    }

    fn rerun_file(&mut self, first: Outcome, name: String, stages: &Stages) -> Result<Outcome> {
        stages.begin(&format!("{name} failed, running it again"));
        self.command.envs(
            self.second_environment
                .iter()
                .map(|(name, value)| (name, value)),
        );
        let (status, text) = self.start()?;
        let tally = Tally::of(status.success(), self.output_format, &text);
        if tally.failed == 0 {
            return Ok(Outcome {
                tally,
                flaky: vec![name],
                failures: Vec::new(),
            });
        }
        Ok(Outcome {
            tally,
            flaky: Vec::new(),
            failures: [first.failures, vec![last_lines(&text)]].concat(),
        })
    }

    fn rerun_tests(&mut self, first: Outcome, text: &str, stages: &Stages) -> Result<Outcome> {
        let names = rerun::failed_tests(text, first.tally).unwrap_or_default();
        let names: Vec<String> = names
            .into_iter()
            .filter(|name| !randomized::is_randomized(name))
            .collect();
        if names.is_empty() {
            return Ok(first);
        }
        stages.begin(&format!("{} failed, running them again", names.join(", ")));
        self.command.args(["--", "--exact"]).args(&names);
        let (status, text) = self.start()?;
        let (tally, flaky) = rerun::judge_rerun(first.tally, names, status.success(), &text);
        let failures = if tally.failed == 0 {
            Vec::new()
        } else {
            [first.failures, vec![last_lines(&text)]].concat()
        };
        Ok(Outcome {
            tally,
            flaky,
            failures,
        })
    }

    fn start(&mut self) -> Result<(ExitStatus, String)> {
        process::tee(&mut self.command, STEP_TIMEOUT)
    }
}

fn last_lines(text: &str) -> String {
    let lines: Vec<_> = text.lines().collect();
    lines[lines.len().saturating_sub(MAX_FAILURE_LINES)..].join("\n")
}

#[cfg(all(test, unix))]
mod tests {
    use std::env;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    /// A temporary folder, removed when dropped.
    struct Folder(PathBuf);

    impl Folder {
        fn make(name: &str) -> Self {
            let folder = env::temp_dir().join(format!("baton-xtask-{name}-{}", std::process::id()));
            fs::create_dir_all(&folder).expect("the folder is created");
            Self(folder)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            drop(fs::remove_dir_all(&self.0));
        }
    }

    /// A step that prints `first` and fails the first time, then prints `then`.
    fn step(
        folder: &Folder,
        output_format: OutputFormat,
        retry: Retry,
        first: &str,
        then: &str,
    ) -> Step {
        let script = format!(
            "echo x >> starts; echo \"$@\" > words; echo \"$BROWSER\" > browser; [ $(wc -l < starts) = 1 ] && {{ {first}; }}; {then}"
        );
        let command = process::command(&folder.0, "sh", &["-c", &script, "sh"]);
        Step {
            what: "trying".to_owned(),
            command,
            output_format,
            retry,
            second_environment: vec![("BROWSER", "full".into())],
        }
    }

    fn starts(folder: &Folder) -> usize {
        fs::read_to_string(folder.0.join("starts"))
            .expect("the script ran")
            .lines()
            .count()
    }

    const RED: &str = "echo 'ℹ pass 2'; echo 'ℹ fail 1'; echo 'ℹ cancelled 0'; exit 1";
    const GREEN: &str = "echo 'ℹ pass 3'; echo 'ℹ fail 0'; echo 'ℹ cancelled 0'; exit 0";

    #[test]
    fn file_that_passes_on_rerun_is_flaky() {
        let folder = Folder::make("flaky");
        let outcome = step(
            &folder,
            OutputFormat::Node,
            Retry::File("nodeEditing.test.js".to_owned()),
            RED,
            GREEN,
        )
        .run(&Stages::start());
        let tally = Tally {
            passed: 3,
            failed: 0,
        };
        assert_eq!(
            outcome,
            Outcome {
                tally,
                flaky: vec!["nodeEditing.test.js".to_owned()],
                failures: Vec::new()
            }
        );
        assert_eq!(starts(&folder), 2);
        let browser = fs::read_to_string(folder.0.join("browser")).expect("the script ran");
        assert_eq!(
            browser.trim(),
            "full",
            "the second try has its own environment"
        );
    }

    #[test]
    fn steps_beside_each_other_are_all_counted_and_retried() {
        let folders = ["one", "two", "three"].map(Folder::make);
        let steps = folders.iter().map(|folder| {
            let retry = Retry::File(format!("{}.test.js", folder.0.display()));
            step(folder, OutputFormat::Node, retry, RED, GREEN)
        });
        let outcome = Step::run_beside(steps.collect(), &Stages::start());
        let tally = Tally {
            passed: 9,
            failed: 0,
        };
        assert_eq!((outcome.tally, outcome.flaky.len()), (tally, 3));
        assert!(folders.iter().all(|folder| starts(folder) == 2));
    }

    #[test]
    fn file_that_fails_twice_is_not_run_again() {
        let folder = Folder::make("red");
        let outcome = step(
            &folder,
            OutputFormat::Node,
            Retry::File("nodeEditing.test.js".to_owned()),
            RED,
            RED,
        )
        .run(&Stages::start());
        assert_eq!(
            (outcome.tally, outcome.flaky.len()),
            (
                Tally {
                    passed: 2,
                    failed: 1
                },
                0
            )
        );
        assert_eq!(outcome.failures.len(), 2, "the output of both runs");
        assert_eq!(starts(&folder), 2);
    }

    #[test]
    fn randomized_tests_are_not_rerun() {
        let folder = Folder::make("chance");
        let outcome =
            step(&folder, OutputFormat::Node, Retry::Never, RED, GREEN).run(&Stages::start());
        assert_eq!(
            outcome.tally,
            Tally {
                passed: 2,
                failed: 1
            }
        );
        assert_eq!(starts(&folder), 1);
    }

    #[test]
    fn failed_tests_are_rerun_by_name() {
        let folder = Folder::make("names");
        let recorded = |name: &str| {
            let file = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("src/test/recorded")
                .join(name);
            format!("cat {}", file.display())
        };
        let (first, then) = (recorded("cargo_test.txt"), recorded("cargo_test_again.txt"));
        let (first, then) = (format!("{first}; exit 101"), format!("{then}; exit 101"));
        let outcome = step(
            &folder,
            OutputFormat::CargoTest,
            Retry::FailedTests,
            &first,
            &then,
        )
        .run(&Stages::start());
        assert_eq!(
            outcome.tally,
            Tally {
                passed: 7,
                failed: 2
            },
            "the randomized test isn't run again"
        );
        assert_eq!(
            outcome.flaky,
            [
                "tests::passes_the_second_time",
                "deep::passes_the_second_time"
            ]
        );
        let arguments = fs::read_to_string(folder.0.join("words")).expect("the script ran");
        let names =
            "tests::never_passes tests::passes_the_second_time deep::passes_the_second_time";
        assert_eq!(arguments.trim(), format!("-- --exact {names}"));
    }

    #[test]
    fn failure_is_the_last_lines_of_output() {
        assert_eq!(last_lines("one\ntwo\n"), "one\ntwo");
        let long: Vec<_> = (0..200).map(|line| line.to_string()).collect();
        let end = last_lines(&long.join("\n"));
        assert_eq!(
            (end.lines().next(), end.lines().count()),
            (Some("120"), MAX_FAILURE_LINES)
        );
    }
}
